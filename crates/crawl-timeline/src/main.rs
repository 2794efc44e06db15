//! The timeline in the browser: two functions, which the app calls.

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

fn main() {}

/// Shows the timeline in an element. `wish` is called with the bytes of each wish.
#[wasm_bindgen]
pub fn mount(element: &HtmlElement, wish: Function) {
    crawl_timeline::shell::mount(element, wish);
}

/// Tells it something: the bytes of a message; none at all when its element is gone.
#[wasm_bindgen]
pub fn tell(bytes: &[u8]) -> Result<(), JsError> {
    if bytes.is_empty() {
        crawl_timeline::shell::unmount();
    } else {
        crawl_timeline::shell::tell(crawl_protocol::decode(bytes)?);
    }
    Ok(())
}
