//! The dialog that chooses a strategy or a revisit policy.

use super::dialog::Modal;
use super::{Model, Props};
use crate::model::{Action, Change};
use crawl_catalogue::{Entry, Kind};
use crawl_text::app::text;
use yew::prelude::*;

/// What the dialog chooses.
#[derive(Clone, Copy, PartialEq)]
pub enum EntryFor {
    /// A strategy for a new lane.
    NewLane,
    /// A strategy for a lane.
    Lane(usize),
    /// The policy at an index.
    Policy(usize),
}

/// Properties of [`entry_dialog`].
#[derive(Clone, PartialEq, Properties)]
pub struct EntryProps {
    /// State of the app.
    pub model: Model,
    /// Receives actions.
    pub on: Callback<Action>,
    /// What the dialog chooses.
    pub change: EntryFor,
}

/// The dialog that chooses a strategy or a policy.
pub fn entry_dialog(props: &EntryProps) -> Html {
    let t = text();
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    let mut families: Vec<(String, Vec<&Entry>)> = Vec::new();
    let (kind, title) = match props.change {
        EntryFor::Policy(_) => (Kind::Policy, t.choose_policy),
        _ => (Kind::Strategy, t.choose_strategy),
    };
    for entry in catalogue.of(kind) {
        match families.iter_mut().find(|(family, _)| *family == entry.family) {
            Some((_, entries)) => entries.push(entry),
            None => families.push((entry.family.to_string(), vec![entry])),
        }
    }
    html! {
        <Modal {title} on={props.on.clone()} wide=true>
            { for families.into_iter().map(|(family, entries)| html! {
                <section>
                    <h3>{ family }</h3>
                    <ul class="cards">
                        { for entries.into_iter().map(|entry| card(&common, props.change, entry)) }
                    </ul>
                </section>
            }) }
        </Modal>
    }
}

fn card(common: &Props, change: EntryFor, entry: &Entry) -> Html {
    let id = entry.id.to_string();
    let change = match change {
        EntryFor::Lane(at) => Change::SetStrategy(at, id),
        EntryFor::NewLane => Change::AddStrategy(id),
        EntryFor::Policy(at) => Change::Revisit(at, id),
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
