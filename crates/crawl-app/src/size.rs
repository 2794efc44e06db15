//! A hook for the size of an element.

use js_sys::Array;
use wasm_bindgen::prelude::{Closure, JsCast};
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// Width and height of an element in CSS pixels; zero until it is on screen.
#[hook]
pub fn use_size(node: &NodeRef) -> (f64, f64) {
    let size = use_state_eq(|| (0.0, 0.0));
    {
        let size = size.clone();
        use_effect_with(node.clone(), move |node| {
            let element = node.cast::<Element>();
            let observer = element.and_then(|element| {
                let measured = element.clone();
                let callback = Closure::<dyn FnMut(Array)>::new(move |_| {
                    let rect = measured.get_bounding_client_rect();
                    size.set((rect.width(), rect.height()));
                });
                let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
                observer.observe(&element);
                Some((observer, callback))
            });
            move || {
                if let Some((observer, _callback)) = observer {
                    observer.disconnect();
                }
            }
        });
    }
    *size
}
