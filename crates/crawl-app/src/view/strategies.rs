//! Choosing a strategy.

use super::dialog::Modal;
use super::{Model, Props};
use crate::model::{Action, Change};
use crate::text::text;
use crawl_catalogue::{Entry, Kind};
use yew::prelude::*;

/// For which lane a strategy is chosen.
#[derive(Clone, PartialEq, Properties)]
pub struct StrategyProps {
    /// The state.
    pub model: Model,
    /// Where actions go.
    pub on: Callback<Action>,
    /// The lane that gets it; nothing for one more lane.
    pub lane: Option<usize>,
}

/// Choosing a strategy.
pub fn strategy_dialog(props: &StrategyProps) -> Html {
    let t = text();
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    let mut families: Vec<(String, Vec<&Entry>)> = Vec::new();
    for entry in catalogue.of(Kind::Strategy) {
        match families.iter_mut().find(|(family, _)| *family == entry.family) {
            Some((_, entries)) => entries.push(entry),
            None => families.push((entry.family.to_string(), vec![entry])),
        }
    }
    html! {
        <Modal title={t.choose_strategy} on={props.on.clone()} wide=true>
            { for families.into_iter().map(|(family, entries)| html! {
                <section>
                    <h3>{ family }</h3>
                    <ul class="cards">
                        { for entries.into_iter().map(|entry| card(&common, props.lane, entry)) }
                    </ul>
                </section>
            }) }
        </Modal>
    }
}

fn card(common: &Props, lane: Option<usize>, entry: &Entry) -> Html {
    let id = entry.id.to_string();
    let change = match lane {
        Some(at) => Change::SetStrategy(at, id),
        None => Change::AddStrategy(id),
    };
    let on = common.on.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        on.emit(Action::Close);
        on.emit(Action::Change(change.clone()));
    });
    html! {
        <li>
            <button class="card" {onclick}>
                <b>{ entry.title.to_string() }</b>
                <span>{ entry.summary.to_string() }</span>
                <code>{ entry.formula.to_string() }</code>
                <span class="muted">{ entry.full_source() }</span>
            </button>
        </li>
    }
}
