//! The dialogs for claim tests (as `crawlscope reproduce`) and ranker comparison.

use super::dialog::{DialogsProps, Modal};
use super::param::{FieldProps, nested};
use super::share::{Copyable, shared_link};
use super::text_field::TextField;
use crate::download::Export;
use crate::model::{Action, FigureState, percent_text};
use crawl_catalogue::{Kind, Param, ParamValue};
use crawl_protocol::world::DocumentName;
use crawl_text::app::text;
use crawl_text::fill;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlSelectElement};
use yew::prelude::*;

/// Default number of webs; fewer than on the command line.
const WEBS: u32 = 5;
const PAGES: u32 = 2000;
/// Maximum number of webs.
const MOST_WEBS: u32 = 100;

/// The ranker comparison.
#[component]
pub fn RanksDialog(props: &DialogsProps) -> Html {
    let t = text();
    let nodes = [use_node_ref(), use_node_ref()];
    let catalogue = props.model.catalogue.clone().unwrap_or_default();
    let onchange = {
        let (on, nodes) = (props.on.clone(), nodes.clone());
        Callback::from(move |_: Event| {
            let value = |node: &NodeRef| node.cast::<HtmlSelectElement>().map(|s| s.value());
            if let (Some(a), Some(b)) = (value(&nodes[0]), value(&nodes[1])) {
                on.emit(Action::Rank(a, b));
            }
        })
    };
    let choice = |which: usize, words: &'static str| {
        let entries = catalogue.of(Kind::Ranker).enumerate();
        html! {
            <label>
                { words }
                <select id={format!("ranker-{which}")} ref={nodes[which].clone()} onchange={onchange.clone()}>
                    { for entries.map(|(i, entry)| {
                        let id = entry.id.to_string();
                        html! { <option value={id} selected={i == which}>{ entry.title.to_string() }</option> }
                    }) }
                </select>
            </label>
        }
    };
    html! {
        <Modal title={t.ranks_title} on={props.on.clone()} wide=true>
            <p class="muted">{ t.ranks_about }</p>
            <div class="claims-form">
                { choice(0, t.ranks_one) }
                { choice(1, t.ranks_other) }
            </div>
            if let Some(html) = &props.model.ranks {
                <div class="report" role="region" aria-label={t.ranks_title}>
                    { Html::from_html_unchecked(AttrValue::from(html.to_string())) }
                </div>
            } else {
                <p class="muted" role="status">{ t.ranks_busy }</p>
            }
        </Modal>
    }
}

/// The claim test: form, progress and report.
#[component]
pub fn ClaimsDialog(props: &DialogsProps) -> Html {
    let t = text();
    let document = use_node_ref();
    let (webs, pages) = (use_state(|| WEBS.to_string()), use_state(|| PAGES.to_string()));
    let chosen = use_state(String::new);
    let choose = {
        let set = chosen.setter();
        Callback::from(move |event: Event| {
            set.set(event.target_unchecked_into::<HtmlSelectElement>().value());
        })
    };
    let claims = &props.model.claims;
    // Default: the document of the link's figure, else the first.
    let catalogue = props.model.catalogue.as_ref();
    let linked = props.model.linked_figure();
    let linked = linked.and_then(|figure| catalogue?.entry(Kind::Figure, &figure.id));
    let of_figure = linked.map(|figure| &*figure.family).unwrap_or_default();
    let wanted = if chosen.is_empty() { of_figure } else { &**chosen };
    let known = claims.documents.iter().find(|document| document.id == wanted);
    let known = known.or(claims.documents.first());
    let can = known.map_or((PAGES, PAGES), |known| known.pages);
    let known = known.map(|known| known.id.clone());
    let is_under_way = claims.is_under_way();
    let start = {
        let (on, document) = (props.on.clone(), document.clone());
        let (webs, pages) = (webs.clone(), pages.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if is_under_way {
                on.emit(Action::StopTrying);
                return;
            }
            let chosen = document.cast::<HtmlSelectElement>().map(|select| select.value());
            // The browser validates the fields.
            if let (Some(chosen), Ok(webs), Ok(pages)) = (chosen, webs.parse(), pages.parse()) {
                on.emit(Action::Try(chosen, webs, pages));
            }
        })
    };
    let save = props.on_export.reform(|_: MouseEvent| Export::Claims);
    let number =
        |id: &'static str, words, value: &UseStateHandle<String>, (from, to): (u32, u32)| {
            let set = value.setter();
            let on_input = Callback::from(move |typed: String| set.set(typed));
            html! {
                <label>
                    { words }
                    <TextField {id} kind="number" required=true value={value.to_string()} {on_input}
                        min={from.to_string()} max={to.to_string()} />
                </label>
            }
        };
    html! {
        <Modal title={t.claims_title} on={props.on.clone()} wide=true>
            <p class="muted">{ t.claims_about }</p>
            <form class="claims-form" onsubmit={start}>
                <label>
                    { t.claims_document }
                    <select id="claims-document" ref={document} onchange={choose}>
                        { for claims.documents.iter().map(|DocumentName { id, title, .. }| html! {
                            <option key={id.clone()} value={id.clone()} selected={known.as_ref() == Some(id)}>
                                { format!("{id}: {title}") }
                            </option>
                        }) }
                    </select>
                </label>
                { number("claims-webs", t.claims_webs, &webs, (1, MOST_WEBS)) }
                { number("claims-pages", t.claims_pages, &pages, can) }
                // One button for start and stop keeps the focus.
                <button type="submit" class={classes!((!is_under_way).then_some("primary"))}
                    disabled={claims.documents.is_empty()}>
                    { if is_under_way { t.claims_stop } else { t.claims_start } }
                </button>
            </form>
            { for claims.figures.iter().map(|drawn| figure(props, drawn, known.as_deref())) }
            if let Some((progress, web)) = &claims.progress {
                <div class="claims-progress" role="status">
                    <progress value={progress.done.to_string()} max={progress.of.to_string()} aria-label={t.claims_title} />
                    <span class="number">
                        { percent_text(progress.done as f64 / progress.of.max(1) as f64) }{ " " }{ web.clone() }
                    </span>
                </div>
            }
            if let Some(error) = &claims.error {
                <p class="fault" role="alert">{ fill(t.claims_failed, &[("error", error)]) }</p>
            }
            if let Some(html) = &claims.html {
                <div class="report" role="region" aria-label={t.claims_report}>
                    { Html::from_html_unchecked(AttrValue::from(html.to_string())) }
                </div>
                <div class="actions"><button onclick={save}>{ t.claims_save }</button></div>
            }
        </Modal>
    }
}

/// A figure with parameters, if it belongs to the document.
fn figure(props: &DialogsProps, drawn: &FigureState, document: Option<&str>) -> Html {
    let catalogue = props.model.catalogue.clone().unwrap_or_default();
    let Some(entry) = catalogue.entry(Kind::Figure, &drawn.figure.id) else { return html! {} };
    if document != Some(&*entry.family) {
        return html! {};
    }
    let on_change = props.on.reform(|value| match value {
        ParamValue::Entry(figure) => Action::Figure(*figure),
        _ => Action::Close,
    });
    let field = FieldProps {
        param: Param::entry("", Kind::Figure, "", ""),
        value: ParamValue::Entry(Box::new(drawn.figure.clone())),
        on_change,
        catalogue: catalogue.clone(),
        scope: AttrValue::default(),
        fault: None,
        on_check: Callback::default(),
    };
    let link = props.model.shared().map(|mut shared| {
        shared.view.figure = drawn.figure.to_string();
        shared_link(&shared)
    });
    html! {
        <section class="live">
            <h3>{ entry.title.to_string() }</h3>
            { nested(&field, &drawn.figure, &entry.id) }
            <div class="report" onkeydown={Callback::from(walk)}>
                { Html::from_html_unchecked(AttrValue::from(drawn.html.to_string())) }
            </div>
            <p class="muted">{ entry.description.to_string() }</p>
            if let Some(value) = link {
                <Copyable id={format!("{}-link", entry.id)} {value} label={text().link} />
            }
        </section>
    }
}

/// Moves the focus between strips of a figure with the arrow keys.
fn walk(event: KeyboardEvent) {
    let strip = event.target_unchecked_into::<Element>();
    let next = match event.key().as_str() {
        "ArrowRight" => strip.next_element_sibling(),
        "ArrowLeft" => strip.previous_element_sibling(),
        _ => return,
    };
    if let Some(next) = next.filter(|next| next.has_attribute("tabindex")) {
        // SVG elements have `focus`, too.
        let _ = next.unchecked_into::<HtmlElement>().focus();
    }
    event.prevent_default();
    event.stop_propagation();
}
