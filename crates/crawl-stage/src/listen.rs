//! Hears when the graphics card is taken away and given back.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, HtmlCanvasElement};

const LOST: &str = "webglcontextlost";
const RESTORED: &str = "webglcontextrestored";

#[derive(Default)]
struct Heard {
    is_lost: Cell<bool>,
    is_restored: Cell<bool>,
    wake: RefCell<Option<Rc<dyn Fn()>>>,
}

/// Listens to a canvas as long as it lives.
pub(crate) struct Listening {
    canvas: HtmlCanvasElement,
    heard: Rc<Heard>,
    on_lost: Closure<dyn FnMut(Event)>,
    on_restored: Closure<dyn FnMut(Event)>,
}

impl Listening {
    pub fn new(canvas: &HtmlCanvasElement) -> Self {
        let heard = Rc::<Heard>::default();
        let on_lost = Closure::new({
            let heard = heard.clone();
            move |event: Event| {
                // Unless this is said, it is never given back.
                event.prevent_default();
                heard.is_lost.set(true);
            }
        });
        let on_restored = Closure::new({
            let heard = heard.clone();
            move |_: Event| {
                heard.is_lost.set(false);
                heard.is_restored.set(true);
                let wake = heard.wake.borrow().clone();
                if let Some(wake) = wake {
                    wake();
                }
            }
        });
        let listening = Self { canvas: canvas.clone(), heard, on_lost, on_restored };
        for (name, closure) in listening.events() {
            // It fails only for events that do not exist.
            let _ = canvas.add_event_listener_with_callback(name, closure.unchecked_ref());
        }
        listening
    }

    fn events(&self) -> [(&str, &wasm_bindgen::JsValue); 2] {
        [(LOST, self.on_lost.as_ref()), (RESTORED, self.on_restored.as_ref())]
    }

    pub fn set_wake(&self, wake: impl Fn() + 'static) {
        *self.heard.wake.borrow_mut() = Some(Rc::new(wake));
    }

    pub fn is_lost(&self) -> bool {
        self.heard.is_lost.get()
    }

    /// True once after it was given back.
    pub fn take_restored(&self) -> bool {
        self.heard.is_restored.take()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        for (name, closure) in self.events() {
            let _ = self.canvas.remove_event_listener_with_callback(name, closure.unchecked_ref());
        }
    }
}
