//! Choosing where crawls start: by search, or on the stage.

use super::Props;
use super::dialog::Modal;
use crate::model::{Action, Change};
use crate::text::text;
use crawl_protocol::world::PageName;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Choosing seeds.
#[component]
pub fn SeedsDialog(props: &Props) -> Html {
    let t = text();
    let Some(experiment) = &props.model.experiment else { return html! {} };
    let on = props.on.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on.emit(Action::Find(input.value()));
    });
    let own = experiment.seeds.is_empty();
    let present = props.model.bounds.as_ref().map(|b| b.seeds.clone()).unwrap_or_default();
    html! {
        <Modal title={t.choose_seeds} on={props.on.clone()} wide=true>
            <ul class="seed-list">
                { for present.iter().map(|page| seed(props, page, present.len() > 1)) }
            </ul>
            <div class="links">
                if !own {
                    <button class="link" onclick={props.emit(Action::Change(Change::Seeds(Vec::new())))}>
                        { t.use_own_seeds }
                    </button>
                }
                <button class="link" onclick={props.emit(Action::ToggleChoosingSeeds)}>
                    { t.on_the_stage }
                </button>
            </div>
            <label class="search" for="seed-search">{ t.search_pages }</label>
            <input id="seed-search" type="search" class="wide" autocomplete="off" {oninput}
                value={props.model.found.text.clone()} />
            <p class="muted number" aria-live="polite">
                if !props.model.found.text.is_empty() {
                    { t.found_pages.of(props.model.found.n_found.into()) }
                }
            </p>
            <ul class="found">
                { for props.model.found.pages.iter().map(|page| {
                    let is_seed = present.iter().any(|seed| seed.page == page.page);
                    found(props, page, is_seed, !is_seed || present.len() > 1)
                }) }
            </ul>
        </Modal>
    }
}

fn seed(props: &Props, page: &PageName, removable: bool) -> Html {
    let t = text();
    html! {
        <li>
            <span class="url">{ page.url.clone() }</span>
            if removable {
                <button class="link" onclick={props.emit(Action::ToggleSeed(page.url.clone()))}>
                    { t.remove }
                </button>
            }
        </li>
    }
}

fn found(props: &Props, page: &PageName, is_seed: bool, can_change: bool) -> Html {
    let t = text();
    html! {
        <li key={page.page}>
            <span class="found-page">
                <span class="url">{ page.url.clone() }</span>
                <span class="muted">{ page.title.clone() }</span>
            </span>
            <button disabled={!can_change}
                onclick={props.emit(Action::ToggleSeed(page.url.clone()))}>
                { if is_seed { t.remove } else { t.add_seed } }
            </button>
        </li>
    }
}
