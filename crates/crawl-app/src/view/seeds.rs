//! The seed dialog: by search, by rank, or on the stage.

use super::Props;
use super::dialog::Modal;
use super::text_field::TextField;
use crate::model::{Action, Change};
use crawl_catalogue::{Kind, visible};
use crawl_protocol::Seeds;
use crawl_protocol::world::PageName;
use crawl_text::app::text;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The seed dialog.
#[component]
pub fn SeedsDialog(props: &Props) -> Html {
    let t = text();
    let Some(experiment) = &props.model.experiment else { return html! {} };
    let on = props.on.clone();
    let on_input = Callback::from(move |typed: String| on.emit(Action::Find(typed)));
    let own = experiment.seeds == Seeds::Own;
    // If each strategy has its own seeds, those of the bounds are not shown.
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
            <BestSeeds ..props.clone() />
            <label class="search" for="seed-search">{ t.search_pages }</label>
            <TextField id="seed-search" kind="search" class="wide" {on_input}
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

/// Seeds from the top pages by a ranker.
#[component]
fn BestSeeds(props: &Props) -> Html {
    let t = text();
    let by = use_node_ref();
    let (Some(experiment), Some(catalogue)) = (&props.model.experiment, &props.model.catalogue)
    else {
        return html! {};
    };
    let (chosen, k) = match &experiment.seeds {
        Seeds::Top { ranker, k } => (ranker.to_string(), *k),
        Seeds::TopOwn { k } => (Seeds::OWN.to_owned(), *k),
        // Preselect the first ranker.
        _ => (catalogue.of(Kind::Ranker).next().map(|e| e.id.to_string()).unwrap_or_default(), 0),
    };
    let on = props.on.clone();
    // Read the select element: it may have changed since the last rendering.
    let start_at = {
        let by = by.clone();
        move |k: u32| {
            let ranker = by.cast::<HtmlSelectElement>().map(|select| select.value());
            let top = Change::Top(ranker.unwrap_or_default(), k);
            on.emit(Action::Change(if k == 0 { Change::Seeds(Seeds::Own) } else { top }));
        }
    };
    let on_commit = {
        let start_at = start_at.clone();
        Callback::from(move |typed: String| {
            start_at(typed.parse().unwrap_or(0));
            Ok(())
        })
    };
    let onchange = Callback::from(move |_: Event| start_at(k.max(1)));
    html! {
        <div class="best-seeds">
            <label for="best-k">{ t.start_at_best }</label>
            <TextField id="best-k" kind="number" min="0" max={Seeds::MAX_TOP.to_string()}
                value={k.to_string()} described_by="best-help" {on_commit} />
            <label for="best-by">{ t.best_by }</label>
            <select id="best-by" ref={by} {onchange}>
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
            <span class="url">{ visible(&page.url).into_owned() }</span>
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
                <span class="url">{ visible(&page.url).into_owned() }</span>
                <span class="muted">{ page.title.clone() }</span>
            </span>
            <button disabled={!can_change}
                onclick={props.emit(Action::ToggleSeed(page.url.clone()))}>
                { if is_seed { t.remove } else { t.add_seed } }
            </button>
        </li>
    }
}
