//! The timeline in the page: elements, listeners, redrawing.

mod controls;
mod listen;

use crate::cache::CachedMarks;
use crate::model::{Changed, Empty, Model};
use crate::paint::{self, Brush, Colours};
use crate::pointer::Hit;
use crate::table;
use controls::Controls;
use crawl_protocol::timeline::{Answered, Message, VisitFound};
use crawl_text::fill;
use crawl_text::number::{duration_text, moment_text};
use crawl_text::timeline::text;
use js_sys::{Function, Uint8Array};
use listen::Listeners;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{Document, HtmlElement, Window, window};

/// Milliseconds without changes before the accessible table is written.
const TABLE_MS: f64 = 400.0;

thread_local! {
    static SHELL: RefCell<Option<Shell>> = const { RefCell::new(None) };
}

/// The mounted timeline.
struct Shell {
    model: Model,
    window: Window,
    document: Document,
    controls: Controls,
    rows: Option<Brush>,
    over: Option<Brush>,
    ratio: f64,
    send: Function,
    on_frame: Closure<dyn FnMut(f64)>,
    on_time: Closure<dyn FnMut()>,
    /// Handles of the pending animation frame and timer.
    frame: Option<i32>,
    timer: Option<i32>,
    /// Whether a message arrived: there may be data to request.
    has_message: bool,
    /// When to write the table.
    table_ms: Option<f64>,
    _listeners: Listeners,
}

/// Shows the timeline in an element.
pub fn mount(element: &HtmlElement, send: Function) {
    unmount();
    let Some(shell) = Shell::new(element, send) else { return };
    SHELL.with(|cell| cell.replace(Some(shell)));
    act(|shell| {
        shell.measure();
        // Focus the rows if the user opened the timeline, but not if a link did.
        if was_used(&shell.window) {
            let _ = shell.controls.over.focus();
        }
    });
}

/// Whether the user has interacted with the page; true if unknown.
fn was_used(window: &Window) -> bool {
    let of = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into()).ok();
    let used = of(window, "navigator").and_then(|navigator| of(&navigator, "userActivation"));
    let used = used.filter(JsValue::is_object).and_then(|used| of(&used, "hasBeenActive"));
    used.and_then(|used| used.as_bool()).unwrap_or(true)
}

/// Removes the timeline.
pub fn unmount() {
    // Drop outside the cell: dropping removes listeners.
    let gone = SHELL.with(RefCell::take);
    drop(gone);
}

/// Handles a message of the app.
pub fn receive(message: Message) {
    act(|shell| {
        shell.model.receive(message);
        shell.has_message = true;
    });
}

/// Handles an answer of a lane.
pub fn receive_answer(lane: usize, answer: Answered) {
    act(|shell| {
        shell.model.receive_answer(lane, answer);
        shell.has_message = true;
    });
}

/// Runs `what`, schedules a redraw, and sends requests.
///
/// Requests are sent after the borrow ends, since the app may answer synchronously.
fn act(what: impl FnOnce(&mut Shell)) {
    let sent = SHELL.with(|cell| {
        let mut cell = cell.try_borrow_mut().ok()?;
        let shell = cell.as_mut()?;
        what(shell);
        shell.wake();
        Some((shell.model.take_requests(), shell.send.clone()))
    });
    let Some((requests, send)) = sent else { return };
    for request in &requests {
        if let Ok(bytes) = crawl_protocol::encode(request) {
            // Ignore an exception in the app's callback.
            let _ = send.call1(&JsValue::NULL, &Uint8Array::from(bytes.as_slice()));
        }
    }
}

impl Shell {
    fn new(element: &HtmlElement, send: Function) -> Option<Self> {
        let window = window()?;
        let document = window.document()?;
        let controls = Controls::new(element, &document)?;
        let listeners = listen::all(&window, &document, &controls);
        Some(Self {
            model: Model::new(),
            controls,
            rows: None,
            over: None,
            ratio: 1.0,
            send,
            on_frame: Closure::new(|now_ms| act(|shell| shell.frame(now_ms))),
            on_time: Closure::new(|| act(|shell| shell.has_message = true)),
            frame: None,
            timer: None,
            has_message: false,
            table_ms: None,
            _listeners: listeners,
            window,
            document,
        })
    }

    /// Reads size and colours again.
    fn measure(&mut self) {
        let body = self.controls.body.get_bounding_client_rect();
        let size = (libm::floor(body.width()), libm::floor(body.height()));
        if size.0 < 1.0 || size.1 < 1.0 {
            return;
        }
        self.ratio = self.window.device_pixel_ratio().max(1.0);
        let style = self.document.document_element();
        let style = style.and_then(|root| self.window.get_computed_style(&root).ok()).flatten();
        let colours = Colours::read(|name| {
            style.as_ref().and_then(|s| s.get_property_value(name).ok()).unwrap_or_default()
        });
        for canvas in [&self.controls.rows, &self.controls.over] {
            canvas.set_width((size.0 * self.ratio) as u32);
            canvas.set_height((size.1 * self.ratio) as u32);
        }
        self.rows = Brush::new(&self.controls.rows, colours.clone(), &self.document);
        self.over = Brush::new(&self.controls.over, colours, &self.document);
        self.model.resized(size);
    }

    /// Requests an animation frame if there is work and none is pending.
    fn wake(&mut self) {
        if self.frame.is_some() || (self.model.changed == Changed::default() && !self.has_message) {
            return;
        }
        let asked = self.window.request_animation_frame(self.on_frame.as_ref().unchecked_ref());
        self.frame = asked.ok();
    }

    /// Draws what changed and requests missing data.
    fn frame(&mut self, now_ms: f64) {
        (self.frame, self.has_message) = (None, false);
        let mut again = self.model.ask(now_ms);
        let changed = self.model.take_changed();
        if let Some(brush) = self.rows.as_ref().filter(|_| changed.rows) {
            paint::rows(&self.model, brush, self.ratio);
        }
        if let Some(brush) = self.over.as_ref().filter(|_| changed.rows || changed.head) {
            paint::over(&self.model, brush, self.ratio);
            self.tip();
        }
        if changed.controls {
            self.controls.show(&self.model, empty_text(&self.model));
            self.table_ms = Some(now_ms + TABLE_MS);
        }
        if let Some(at_ms) = self.table_ms {
            if now_ms >= at_ms {
                self.table_ms = None;
                self.controls.write_table(&table::cells(&self.model), &self.document);
            } else {
                again = Some(again.map_or(at_ms, |again| again.min(at_ms)));
            }
        }
        if let Some(at_ms) = again {
            let wait_ms = (at_ms - now_ms).clamp(1.0, 5000.0) as i32;
            let on_time = self.on_time.as_ref().unchecked_ref();
            let window = &self.window;
            let timer =
                window.set_timeout_with_callback_and_timeout_and_arguments_0(on_time, wait_ms);
            // The new timer replaces the old one.
            let before = std::mem::replace(&mut self.timer, timer.ok());
            before.into_iter().for_each(|timer| self.window.clear_timeout_with_handle(timer));
        }
    }

    /// Updates the tooltip.
    fn tip(&self) {
        let t = text();
        let hovered = self.model.hovered();
        let at = moment_text;
        let (words, on) = match hovered.as_ref().map(|(_, hit)| hit) {
            Some(Hit::Visit(_, _, visit)) => {
                let sentence = match visit.found {
                    VisitFound::First => t.tip_first,
                    VisitFound::Changed => t.tip_changed,
                    VisitFound::Same => t.tip_same,
                };
                let said = fill(sentence, &[("at", &at(visit.at_s))]);
                (format!("{said}\n{}", t.tip_why), "visit")
            }
            Some(Hit::Change(_, _, change)) => {
                let sentence = if change.is_missed { t.tip_missed } else { t.tip_change };
                (fill(sentence, &[("at", &at(change.at_s))]), "change")
            }
            Some(Hit::Dense(lane, page)) => {
                let held = self.model.held(*lane, *page);
                let visited = held.and_then(CachedMarks::between_visits_s);
                let visited = visited.map_or(String::new(), |period_s| {
                    let period = duration_text(period_s);
                    fill(t.tip_dense, &[("period", &period)]) + "\n"
                });
                (visited + t.tip_zoom, "nothing")
            }
            Some(Hit::Name(page)) => {
                let row = self.model.rows.of_page(*page);
                (row.map(|row| row.url.clone()).unwrap_or_default(), "name")
            }
            Some(Hit::Time) => (String::new(), "time"),
            Some(Hit::Bar) => (String::new(), "bar"),
            Some(Hit::Nothing) | None => (String::new(), "nothing"),
        };
        let place = hovered.map_or((0.0, 0.0), |(at, _)| at);
        self.controls.show_tip(&words, on, place, self.model.size);
    }
}

impl Drop for Shell {
    /// Cancels pending callbacks.
    fn drop(&mut self) {
        if let Some(frame) = self.frame {
            // Cancelling an unknown frame is harmless.
            let _ = self.window.cancel_animation_frame(frame);
        }
        if let Some(timer) = self.timer {
            self.window.clear_timeout_with_handle(timer);
        }
    }
}

fn empty_text(model: &Model) -> &'static str {
    let t = text();
    match model.empty() {
        None => "",
        Some(Empty::Never) => t.never,
        Some(Empty::NotStarted) => t.not_started,
        Some(Empty::NoRows) => t.no_rows,
        Some(Empty::Loading) => t.loading,
    }
}
