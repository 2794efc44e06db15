//! Window events: keys, history, dropped files, resizing.

use super::{App, Msg};
use crate::model::{Action, History};
use crate::{address, files};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Element, Event, KeyboardEvent, window};
use yew::{Callback, Context};

/// Steps of Page Up and Page Down.
const LEAP: i64 = 10;

/// Registers the listeners; they live as long as the result.
pub fn listen(ctx: &Context<App>) -> Vec<EventListener> {
    let Some(window) = window() else { return Vec::new() };
    let send = ctx.link().callback(|message: Msg| message);
    let may_prevent = EventListenerOptions::enable_prevent_default();
    let key = {
        let send = send.clone();
        EventListener::new_with_options(&window, "keydown", may_prevent, move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                pressed(event, &send);
            }
        })
    };
    let back = {
        let send = send.clone();
        EventListener::new(&window, "popstate", move |_| {
            send.emit(Msg::Do(Action::OpenLink(address::fragment(), History::Keep)));
        })
    };
    let resized = {
        let send = send.clone();
        EventListener::new(&window, "resize", move |_| send.emit(Msg::Resized))
    };
    // Canvases must be redrawn when the system's colour scheme changes.
    let dark = window.match_media("(prefers-color-scheme: dark)").ok().flatten();
    let recoloured = dark.map(|dark| {
        let send = send.clone();
        EventListener::new(&dark, "change", move |_| send.emit(Msg::Resized))
    });
    let over =
        EventListener::new_with_options(&window, "dragover", may_prevent, |event: &Event| {
            event.prevent_default();
        });
    let dropped = EventListener::new_with_options(&window, "drop", may_prevent, move |event| {
        event.prevent_default();
        if let Some(event) = event.dyn_ref::<DragEvent>() {
            let offered = files::dropped(event);
            if !offered.is_empty() {
                send.emit(Msg::Do(Action::Open(crate::model::Dialog::World)));
                send.emit(Msg::Files(offered));
            }
        }
    });
    recoloured.into_iter().chain([key, back, resized, over, dropped]).collect()
}

/// True if the focused element uses the key itself.
fn is_taken(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(target) = target else { return false };
    let name = target.tag_name().to_ascii_lowercase();
    let kind = target.get_attribute("type").unwrap_or_default();
    let is_dialog = target.closest("dialog").ok().flatten().is_some();
    match name.as_str() {
        // The scrubber uses the same keys as the play-head.
        "input" => kind != "range",
        "select" | "textarea" => true,
        "button" | "a" | "summary" => is_dialog || matches!(event.key().as_str(), " " | "Enter"),
        _ => is_dialog,
    }
}

fn pressed(event: &KeyboardEvent, send: &Callback<Msg>) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || is_taken(event) {
        return;
    }
    let action = match event.key().as_str() {
        " " => Action::TogglePlay,
        "ArrowLeft" => Action::StepBy(-1),
        "ArrowRight" => Action::StepBy(1),
        "PageUp" => Action::StepBy(-LEAP),
        "PageDown" => Action::StepBy(LEAP),
        "Home" => Action::Seek(0.0),
        "End" => Action::SeekEnd,
        "Escape" => Action::Unchoose,
        "1" | "2" | "3" | "4" => {
            let lane = event.key().parse::<usize>().unwrap_or(1) - 1;
            event.prevent_default();
            send.emit(Msg::Do(Action::ChooseLane(lane)));
            return;
        }
        _ => return,
    };
    event.prevent_default();
    send.emit(Msg::Do(action));
}
