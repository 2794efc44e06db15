//! The timeline in the browser: three functions, which the app calls.

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

fn main() {}

/// Shows the timeline in an element. `wish` is called with the bytes of each wish.
#[wasm_bindgen]
pub fn mount(element: &HtmlElement, wish: Function) {
    crawl_timeline::shell::mount(element, wish);
}

/// Tells it something: the bytes of a message.
#[wasm_bindgen]
pub fn tell(bytes: &[u8]) -> Result<(), JsError> {
    crawl_timeline::shell::tell(crawl_protocol::decode(bytes)?);
    Ok(())
}

/// The element is gone.
#[wasm_bindgen]
pub fn unmount() {
    crawl_timeline::shell::unmount();
}
