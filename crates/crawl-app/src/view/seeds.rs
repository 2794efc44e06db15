//! Choosing where crawls start: by search, or on the stage.

use super::Props;
use super::dialog::Modal;
use crate::model::{Action, Change};
use crate::text::text;
use crawl_catalogue::Kind;
use crawl_protocol::Seeds;
use crawl_protocol::world::PageName;
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
    let present = props.model.bounds.as_ref().map(|b| b.seeds.clone()).unwrap_or_default();
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
        _ => (String::new(), 0),
    };
    let emit = |ranker: String, k: u32| {
        let ranker = if ranker.is_empty() { "pagerank".to_owned() } else { ranker };
        Action::Change(if k == 0 { Change::Seeds(Seeds::Own) } else { Change::Top(ranker, k) })
    };
    let (on, ranker) = (props.on.clone(), chosen.clone());
    let onk = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on.emit(emit(ranker.clone(), input.value().parse().unwrap_or(0)));
    });
    let on = props.on.clone();
    let onranker = Callback::from(move |event: Event| {
        let input: HtmlSelectElement = event.target_unchecked_into();
        on.emit(emit(input.value(), k.max(1)));
    });
    html! {
        <div class="best-seeds">
            <label for="best-k">{ t.start_at_best }</label>
            <input id="best-k" type="number" min="0" max={Seeds::MAX_TOP.to_string()}
                value={k.to_string()} onchange={onk} aria-describedby="best-help" />
            <label for="best-by">{ t.best_by }</label>
            <select id="best-by" onchange={onranker}>
                { for catalogue.of(Kind::Ranker).map(|entry| {
                    let is_chosen = chosen.split('(').next() == Some(entry.id.as_ref());
                    html! {
                        <option value={entry.id.to_string()} selected={is_chosen}>
                            { entry.title.to_string() }
                        </option>
                    }
                }) }
            </select>
            <p class="hint" id="best-help">{ t.start_at_best_help }</p>
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
