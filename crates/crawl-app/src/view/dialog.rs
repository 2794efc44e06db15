//! Dialogs in the `dialog` element, which traps the focus, closes on Escape and restores the focus.

use super::claims::{ClaimsDialog, RanksDialog};
use super::export::export_dialog;
use super::help::help_dialog;
use super::seeds::SeedsDialog;
use super::share::share_dialog;
use super::strategies::{EntryFor, EntryProps, entry_dialog};
use super::worlds::world_dialog;
use super::{Model, Props, icon};
use crate::download::Export;
use crate::files::Offered;
use crate::model::{Action, Dialog};
use crawl_text::app::text;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// Properties of all dialogs.
#[derive(Clone, PartialEq, Properties)]
pub struct DialogsProps {
    /// State of the app.
    pub model: Model,
    /// Receives actions.
    pub on: Callback<Action>,
    /// Receives exports.
    pub on_export: Callback<Export>,
    /// Receives files to read.
    pub on_files: Callback<Offered>,
    /// Progress of a recording, 0 to 1.
    pub recording: Option<f64>,
}

/// The open dialog.
pub fn dialogs(props: &DialogsProps) -> Html {
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    match props.model.dialog {
        None => html! {},
        Some(Dialog::World) => world_dialog(props),
        Some(Dialog::Strategy(lane)) => {
            let change = lane.map_or(EntryFor::NewLane, EntryFor::Lane);
            entry_dialog(&EntryProps { model: common.model, on: common.on, change })
        }
        Some(Dialog::Policy(at)) => {
            let change = EntryFor::Policy(at);
            entry_dialog(&EntryProps { model: common.model, on: common.on, change })
        }
        Some(Dialog::Seeds) => html! { <SeedsDialog ..common /> },
        Some(Dialog::Share) => share_dialog(&common),
        Some(Dialog::Claims) => html! { <ClaimsDialog ..props.clone() /> },
        Some(Dialog::Ranks) => html! { <RanksDialog ..props.clone() /> },
        Some(Dialog::Export) => export_dialog(props),
        Some(Dialog::Help) => help_dialog(&common),
    }
}

/// Properties of [`Modal`].
#[derive(Clone, PartialEq, Properties)]
pub struct ModalProps {
    /// Title.
    pub title: AttrValue,
    /// Receives [`Action::Close`].
    pub on: Callback<Action>,
    /// Whether it is wide.
    #[prop_or_default]
    pub wide: bool,
    /// Content.
    pub children: Html,
}

/// A dialog.
#[component]
pub fn Modal(props: &ModalProps) -> Html {
    let node = use_node_ref();
    use_effect_with(node.clone(), |node| {
        if let Some(dialog) = node.cast::<HtmlDialogElement>()
            && !dialog.open()
        {
            // Fails only if the dialog is already open.
            let _ = dialog.show_modal();
        }
    });
    let close = |on: &Callback<Action>| {
        let on = on.clone();
        move || on.emit(Action::Close)
    };
    let onclose = {
        let close = close(&props.on);
        Callback::from(move |_: Event| close())
    };
    let onclick = {
        let close = close(&props.on);
        Callback::from(move |_: MouseEvent| close())
    };
    // A click on the backdrop is a click on the dialog itself.
    let on_backdrop = {
        let (close, node) = (close(&props.on), node.clone());
        Callback::from(move |event: MouseEvent| {
            let target = event.target();
            let dialog = node.get().map(web_sys::EventTarget::from);
            if target.is_some() && target == dialog {
                close();
            }
        })
    };
    html! {
        <dialog ref={node} class={classes!("modal", props.wide.then_some("wide"))} {onclose}
            onclick={on_backdrop} aria-label={props.title.clone()}>
            <div class="modal-body">
                <div class="modal-head">
                    <h2>{ props.title.clone() }</h2>
                    <button class="quiet" aria-label={text().close} {onclick}>{ icon::close() }</button>
                </div>
                { props.children.clone() }
            </div>
        </dialog>
    }
}
