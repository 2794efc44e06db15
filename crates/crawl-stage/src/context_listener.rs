//! Listens for the loss and restoration of the WebGL context.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, HtmlCanvasElement};

const LOST: &str = "webglcontextlost";
const RESTORED: &str = "webglcontextrestored";

#[derive(Default)]
struct ContextState {
    is_lost: Cell<bool>,
    is_restored: Cell<bool>,
    wake: RefCell<Option<Rc<dyn Fn()>>>,
}

/// Event listeners of a canvas, removed when dropped.
pub(crate) struct ContextListener {
    canvas: HtmlCanvasElement,
    state: Rc<ContextState>,
    on_lost: Closure<dyn FnMut(Event)>,
    on_restored: Closure<dyn FnMut(Event)>,
}

impl ContextListener {
    pub fn new(canvas: &HtmlCanvasElement) -> Self {
        let state = Rc::<ContextState>::default();
        let on_lost = Closure::new({
            let state = state.clone();
            move |event: Event| {
                // Without this the browser never restores the context.
                event.prevent_default();
                state.is_lost.set(true);
            }
        });
        let on_restored = Closure::new({
            let state = state.clone();
            move |_: Event| {
                state.is_lost.set(false);
                state.is_restored.set(true);
                let wake = state.wake.borrow().clone();
                if let Some(wake) = wake {
                    wake();
                }
            }
        });
        let listener = Self { canvas: canvas.clone(), state, on_lost, on_restored };
        for (name, closure) in listener.events() {
            // Fails only for unknown events.
            let _ = canvas.add_event_listener_with_callback(name, closure.unchecked_ref());
        }
        listener
    }

    fn events(&self) -> [(&str, &wasm_bindgen::JsValue); 2] {
        [(LOST, self.on_lost.as_ref()), (RESTORED, self.on_restored.as_ref())]
    }

    pub fn set_wake(&self, wake: impl Fn() + 'static) {
        *self.state.wake.borrow_mut() = Some(Rc::new(wake));
    }

    pub fn is_lost(&self) -> bool {
        self.state.is_lost.get()
    }

    /// Whether the context was restored since the last call.
    pub fn take_restored(&self) -> bool {
        self.state.is_restored.take()
    }
}

impl Drop for ContextListener {
    fn drop(&mut self) {
        for (name, closure) in self.events() {
            let _ = self.canvas.remove_event_listener_with_callback(name, closure.unchecked_ref());
        }
    }
}
