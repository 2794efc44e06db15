//! Screens without an experiment: loading, broken link, missing file, failure.

use super::{Props, TITLE_CHARS, icon};
use crate::model::{Action, Dialog, History, World, percent_text};
use crawl_catalogue::excerpt;
use crawl_protocol::world::{Failure, Stage};
use crawl_text::app::text;
use crawl_text::fill;
use yew::prelude::*;

/// Maximum number of characters shown of a broken link.
const LINK_CHARS: usize = 600;

/// The world is loading.
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
            <p class="broken-link"><code>{ excerpt(&broken.link, LINK_CHARS).into_owned() }</code></p>
            <div class="actions">
                <button class="primary" onclick={props.emit(first)}>{ t.open_first }</button>
                if let Some(repaired) = &broken.repaired {
                    <button onclick={props.emit(Action::OpenLink(repaired.clone(), History::Push))}>
                        { t.open_valid_part }
                    </button>
                }
            </div>
        </main>
    }
}

/// The world failed, or needs a file.
pub fn world_failed(props: &Props) -> Html {
    let t = text();
    let World::Failed(failure) = &props.model.world else { return html! {} };
    let (title, words, choose) = match failure {
        Failure::FileNeeded { names, .. } if names.len() > 1 => {
            let title = fill(t.files_needed, &[("n", &names.len().to_string())]);
            (title, t.file_needed_help.to_owned(), t.choose_files_needed)
        }
        Failure::FileNeeded { .. } => {
            (t.file_needed.to_owned(), t.file_needed_help.to_owned(), t.choose_file)
        }
        Failure::Words(error) => {
            (fill(t.world_failed, &[("error", "")]), error.clone(), t.choose_world)
        }
        Failure::Cancelled => (t.cancel.to_owned(), String::new(), t.choose_world),
    };
    html! {
        <div class="page-state over-stage" role="alert">
            <h2>{ title }</h2>
            { needed_files(props) }
            <p>{ words }</p>
            <div class="actions">
                if props.model.has_given_up_world() {
                    <button class="primary" onclick={props.emit(Action::TryAgain(None))}>
                        { t.try_again }
                    </button>
                }
                <button class="primary" onclick={props.emit(Action::Open(Dialog::World))}>{ choose }</button>
            </div>
        </div>
    }
}

/// The files that a link needs, with those already given.
pub fn needed_files(props: &Props) -> Html {
    let t = text();
    let Some(awaited) = props.model.awaited() else { return html! {} };
    html! {
        <ul class="needed-files">
            { for awaited.names.iter().map(|name| html! {
                <li>
                    <code>{ excerpt(name, TITLE_CHARS).into_owned() }</code>
                    if props.model.given.names.contains(name) {
                        <span class="muted">{ t.file_given }</span>
                    }
                </li>
            }) }
        </ul>
    }
}

/// The workers failed to start.
pub fn workers_failed(error: &str) -> Html {
    let t = text();
    let reload = Callback::from(|_: MouseEvent| {
        if let Some(window) = web_sys::window() {
            let _ = window.location().reload();
        }
    });
    html! {
        <main class="page-state">
            <h1>{ fill(t.workers_failed, &[("error", error)]) }</h1>
            <div class="actions"><button class="primary" onclick={reload}>{ t.reload }</button></div>
        </main>
    }
}
