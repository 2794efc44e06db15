//! Event listeners: controls, pointer, keys, changes of size and colours.

use super::controls::Controls;
use super::{Shell, act};
use crate::pointer::{Turn, ZOOM};
use crawl_protocol::timeline::{RowGroup, RowOrder};
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{
    Document, Event, EventTarget, HtmlCanvasElement, KeyboardEvent, MutationObserver,
    MutationObserverInit, PointerEvent, ResizeObserver, WheelEvent, Window,
};

/// Pixels per line of a wheel that counts in lines.
const LINE: f64 = 28.0;

/// Callback of an observer.
type Heard = Closure<dyn FnMut(Array)>;

/// Registered listeners; removed on drop.
pub struct Listeners {
    _events: Vec<EventListener>,
    resized: Option<(ResizeObserver, Heard)>,
    themed: Option<(MutationObserver, Heard)>,
}

impl Drop for Listeners {
    fn drop(&mut self) {
        if let Some((observer, _)) = &self.resized {
            observer.disconnect();
        }
        if let Some((observer, _)) = &self.themed {
            observer.disconnect();
        }
    }
}

/// Registers all listeners.
pub fn all(window: &Window, document: &Document, controls: &Controls) -> Listeners {
    let mut events = buttons(controls);
    events.extend(pointer(&controls.over));
    events.push(keys(&controls.over));
    let dark = window.match_media("(prefers-color-scheme: dark)").ok().flatten();
    events.extend(dark.map(|list| on(&list, "change", |_| act(Shell::measure))));
    let measure = || Heard::new(|_| act(Shell::measure));
    let resized = {
        let closure = measure();
        let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok();
        observer.map(|observer| {
            observer.observe(&controls.body);
            (observer, closure)
        })
    };
    let themed = {
        let closure = measure();
        let observer = MutationObserver::new(closure.as_ref().unchecked_ref()).ok();
        observer.zip(document.document_element()).and_then(|(observer, root)| {
            let of = MutationObserverInit::new();
            of.set_attributes(true);
            of.set_attribute_filter(&Array::of1(&"data-theme".into()));
            observer.observe_with_options(&root, &of).ok()?;
            Some((observer, closure))
        })
    };
    Listeners { _events: events, resized, themed }
}

fn on(target: &EventTarget, name: &'static str, what: impl Fn(&Event) + 'static) -> EventListener {
    let may_prevent = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, name, may_prevent, move |event| what(event))
}

fn buttons(controls: &Controls) -> Vec<EventListener> {
    let click =
        |target: &EventTarget, what: fn(&mut Shell)| on(target, "click", move |_| act(what));
    let arranged = |_: &Event| {
        act(|shell| {
            let at = |selected: i32| usize::try_from(selected).unwrap_or(0);
            let order = RowOrder::ALL.get(at(shell.controls.order.selected_index()));
            let group = RowGroup::ALL.get(at(shell.controls.group.selected_index()));
            if let Some((order, group)) = order.zip(group) {
                shell.model.arrange(*order, *group);
            }
        });
    };
    vec![
        on(&controls.order, "change", arranged),
        on(&controls.group, "change", arranged),
        click(&controls.zoom_in, |shell| shell.model.zoom(ZOOM)),
        click(&controls.zoom_out, |shell| shell.model.zoom(1.0 / ZOOM)),
        click(&controls.fit, |shell| shell.model.fit()),
        click(&controls.alone, |shell| shell.model.toggle_alone()),
        click(&controls.close, |shell| shell.model.close()),
        click(&controls.policy, |shell| shell.model.choose_policy()),
    ]
}

fn pointer(canvas: &HtmlCanvasElement) -> Vec<EventListener> {
    let place = |event: &PointerEvent| (f64::from(event.offset_x()), f64::from(event.offset_y()));
    let on_pointer = |name: &'static str, what: fn(&mut Shell, &PointerEvent, (f64, f64))| {
        on(canvas, name, move |event| {
            if let Some(event) = event.dyn_ref::<PointerEvent>() {
                act(|shell| what(shell, event, place(event)));
            }
        })
    };
    let wheel = on(canvas, "wheel", |event| {
        event.prevent_default();
        if let Some(event) = event.dyn_ref::<WheelEvent>() {
            act(|shell| turned(shell, event));
        }
    });
    vec![
        on_pointer("pointerdown", |shell, event, at| {
            // If capture fails, the pointer is tracked on the canvas only.
            let _ = shell.controls.over.set_pointer_capture(event.pointer_id());
            if event.button() == 0 {
                shell.model.pointer_down(event.pointer_id(), at);
            }
        }),
        on_pointer("pointermove", |shell, event, at| {
            shell.model.pointer_moved(event.pointer_id(), at);
        }),
        on_pointer("pointerup", |shell, event, _| shell.model.pointer_up(event.pointer_id())),
        on_pointer("pointercancel", |shell, event, _| shell.model.pointer_up(event.pointer_id())),
        on_pointer("pointerleave", |shell, _, _| shell.model.pointer_left()),
        wheel,
    ]
}

fn turned(shell: &mut Shell, event: &WheelEvent) {
    let unit = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { LINE } else { 1.0 };
    let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
    let x = f64::from(event.offset_x());
    if event.ctrl_key() || event.meta_key() {
        shell.model.wheel(Turn::Zoom, dy, x);
    } else if event.shift_key() {
        shell.model.wheel(Turn::Pan, if dx == 0.0 { dy } else { dx }, x);
    } else if dx.abs() > dy.abs() {
        shell.model.wheel(Turn::Pan, dx, x);
    } else {
        shell.model.wheel(Turn::Scroll, dy, x);
    }
}

fn keys(canvas: &HtmlCanvasElement) -> EventListener {
    on(canvas, "keydown", |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        act(|shell| {
            if shell.model.key(&event.key(), event.shift_key()) {
                event.prevent_default();
                event.stop_propagation();
            }
        });
    })
}
