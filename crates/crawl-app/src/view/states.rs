//! What the screen shows when there is no experiment to show, each with the next thing to do.

use super::{Props, icon};
use crate::model::{Action, Dialog, History, World, percent_text};
use crate::text::{fill, text};
use crawl_protocol::world::{Failure, Stage};
use yew::prelude::*;

/// The world is on its way.
pub fn starting(props: &Props) -> Html {
    let t = text();
    let words = match &props.model.world {
        World::Loading(Some((stage, progress))) => {
            let share = percent_text(progress.done as f64 / progress.of.max(1) as f64);
            let sentence = match stage {
                Stage::Ranking => t.ranking_pages,
                _ => t.making_world,
            };
            fill(sentence, &[("share", &share)])
        }
        _ => t.starting.to_owned(),
    };
    html! { <p class="starting" role="status">{ words }</p> }
}

/// A link that cannot be opened.
pub fn broken(props: &Props) -> Html {
    let t = text();
    let Some(broken) = &props.model.broken else { return html! {} };
    let first = Action::OpenLink(String::new(), History::Push);
    html! {
        <main class="page-state">
            { icon::brand() }
            <h1>{ if broken.is_newer { t.broken_newer } else { t.broken_link } }</h1>
            <p class="error" role="alert">{ broken.error.clone() }</p>
            if let Some(fault) = &broken.fault {
                { super::formula::caret(fault, 60) }
            }
            <p>{ t.broken_help }</p>
            <p class="muted">{ t.broken_link_was }</p>
            <p class="broken-link"><code>{ broken.link.clone() }</code></p>
            <div class="actions">
                <button class="primary" onclick={props.emit(first)}>{ t.open_first }</button>
                if let Some(repaired) = &broken.repaired {
                    <button onclick={props.emit(Action::OpenLink(repaired.clone(), History::Push))}>
                        { t.open_without }
                    </button>
                }
            </div>
        </main>
    }
}

/// A world that is not there.
pub fn world_failed(props: &Props) -> Html {
    let t = text();
    let World::Failed(failure) = &props.model.world else { return html! {} };
    let (title, words) = match failure {
        Failure::FileNeeded { name, .. } => {
            (t.file_needed.to_owned(), fill(t.file_needed_help, &[("name", name)]))
        }
        Failure::Words(error) => (fill(t.world_failed, &[("error", "")]), error.clone()),
        Failure::Cancelled => (t.cancel.to_owned(), String::new()),
    };
    let is_file = matches!(failure, Failure::FileNeeded { .. });
    html! {
        <div class="page-state over-stage" role="alert">
            <h2>{ title }</h2>
            <p>{ words }</p>
            <div class="actions">
                <button class="primary" onclick={props.emit(Action::Open(Dialog::World))}>
                    { if is_file { t.choose_file } else { t.choose_world } }
                </button>
            </div>
        </div>
    }
}
