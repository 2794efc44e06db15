//! Choosing where crawls start: by search, or on the stage.

use super::Props;
use super::dialog::Modal;
use crate::model::{Action, Change};
use crate::text::text;
use crawl_catalogue::Kind;
use crawl_protocol::Seeds;
use crawl_protocol::world::PageName;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
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
    let own = experiment.seeds == Seeds::Own;
    // Where each ordering has its own, those that bounds start from are no seeds of a lane.
    let common =
        props.model.bounds.as_ref().filter(|_| !matches!(experiment.seeds, Seeds::TopOwn { .. }));
    let present = common.map(|b| b.seeds.clone()).unwrap_or_default();
    html! {
        <Modal title={t.choose_seeds} on={props.on.clone()} wide=true>
            <ul class="seed-list">
                { for present.iter().map(|page| seed(props, page, present.len() > 1)) }
            </ul>
            <div class="links">
                if !own {
                    <button class="link" onclick={props.emit(Action::Change(Change::Seeds(Seeds::Own)))}>
                        { t.use_own_seeds }
                    </button>
                }
                <button class="link" onclick={props.emit(Action::ToggleChoosingSeeds)}>
                    { t.on_the_stage }
                </button>
            </div>
            { best(props, &experiment.seeds) }
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

/// Starting at the best pages of the whole world.
fn best(props: &Props, seeds: &Seeds) -> Html {
    let t = text();
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    let (chosen, k) = match seeds {
        Seeds::Top { ranker, k } => (ranker.to_string(), *k),
        Seeds::TopOwn { k } => (Seeds::OWN.to_owned(), *k),
        // A list of which nothing is chosen has no value.
        _ => (catalogue.of(Kind::Ranker).next().map(|e| e.id.to_string()).unwrap_or_default(), 0),
    };
    let on = props.on.clone();
    // Both are read as they stand: the other may have changed since this was drawn.
    let onchange = Callback::from(move |event: Event| {
        let target: web_sys::Element = event.target_unchecked_into();
        let inside = |css: &str| target.parent_element()?.query_selector(css).ok()?;
        let ranker = inside("select").map(|e| e.unchecked_into::<HtmlSelectElement>().value());
        let k = inside("input").map(|e| e.unchecked_into::<HtmlInputElement>().value());
        let k = k.and_then(|k| k.parse().ok()).unwrap_or(0);
        let k = if target.tag_name() == "SELECT" { k.max(1) } else { k };
        let top = Change::Top(ranker.unwrap_or_default(), k);
        on.emit(Action::Change(if k == 0 { Change::Seeds(Seeds::Own) } else { top }));
    });
    html! {
        <div class="best-seeds" {onchange}>
            <label for="best-k">{ t.start_at_best }</label>
            <input id="best-k" type="number" min="0" max={Seeds::MAX_TOP.to_string()}
                value={k.to_string()} aria-describedby="best-help" />
            <label for="best-by">{ t.best_by }</label>
            <select id="best-by">
                { for catalogue.of(Kind::Ranker).map(|entry| {
                    let is_chosen = chosen.split('(').next() == Some(entry.id.as_ref());
                    html! {
                        <option value={entry.id.to_string()} selected={is_chosen}>
                            { entry.title.to_string() }
                        </option>
                    }
                }) }
                <option value={Seeds::OWN} selected={chosen == Seeds::OWN}>{ t.best_by_own }</option>
            </select>
            <p class="hint" id="best-help" aria-live="polite">
                { props.model.notice.as_deref().unwrap_or(t.start_at_best_help).to_owned() }
            </p>
        </div>
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
