//! The top bar: title, reproduction badge, buttons.

use super::{Props, icon};
use crate::model::{Action, Dialog};
use crawl_text::app::text;
use web_sys::HtmlElement;
use yew::prelude::*;

/// The top bar.
pub fn top_bar(props: &Props) -> Html {
    let t = text();
    let toggle_theme = Callback::from(|_: MouseEvent| crate::theme::toggle());
    let present = {
        let on = props.on.clone();
        Callback::from(move |event: MouseEvent| {
            // Release the focus: Space controls the play-head while presenting.
            if let Some(button) = event.target_dyn_into::<HtmlElement>() {
                let _ = button.blur();
            }
            on.emit(Action::TogglePresenting);
        })
    };
    // The first visit's world comes with a question; others go by their name.
    let is_first = props
        .model
        .experiment
        .as_ref()
        .is_some_and(|e| crate::model::FIRST.contains(&format!("&world={}&", e.world)));
    let question = if is_first { t.question.to_owned() } else { props.world_title() };
    html! {
        <header class="top-bar">
            <button class="quiet only-small" aria-label={t.set_up} onclick={props.emit(Action::ToggleSetup)}>
                { icon::menu() }
            </button>
            <span class="brand">{ icon::brand() }{ t.title }</span>
            if !question.is_empty() {
                <h1 class="question">{ question }</h1>
            }
            <span class="spring" />
            { reproduced(props) }
            <button class="quiet not-small" aria-label={t.theme} title={t.theme} onclick={toggle_theme}>
                { icon::theme() }
            </button>
            <button class="quiet not-small" aria-label={t.help} title={t.help}
                onclick={props.emit(Action::Open(Dialog::Help))}>{ icon::help() }</button>
            <button class="not-small" onclick={props.emit(Action::Open(Dialog::Claims))}>
                { t.claims }
            </button>
            <button class="not-small" onclick={present}
                aria-pressed={props.model.presenting.to_string()}>
                { if props.model.presenting { t.stop_presenting } else { t.present } }
            </button>
            <button class="not-small" onclick={props.emit(Action::Open(Dialog::Export))}>
                { t.export }
            </button>
            <button class="primary" onclick={props.emit(Action::Open(Dialog::Share))}>
                { t.share }
            </button>
        </header>
    }
}

fn reproduced(props: &Props) -> Html {
    let t = text();
    match props.model.reproduced() {
        None => html! {},
        Some(true) => html! {
            <span class="badge good" title={t.reproduced_help}>{ "✓ " }{ t.reproduced }</span>
        },
        Some(false) => html! {
            <span class="badge bad" title={t.not_reproduced_help}>{ "✕ " }{ t.not_reproduced }</span>
        },
    }
}
