//! The timeline in the browser: two functions, which the app calls.

use crawl_protocol::decode;
use crawl_timeline::shell;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

fn main() {}

/// Shows the timeline in an element. `wish` is called with the bytes of each wish.
#[wasm_bindgen]
pub fn mount(element: &HtmlElement, wish: Function) {
    shell::mount(element, wish);
}

/// Tells it something: a lane's answer, or, from no lane, what the app says. The bytes of a message;
/// none at all when its element is gone.
#[wasm_bindgen]
pub fn tell(from: i32, bytes: &[u8]) -> Result<(), JsError> {
    if bytes.is_empty() {
        shell::unmount();
    } else if let Ok(lane) = usize::try_from(from) {
        shell::answered(lane, decode(bytes)?);
    } else {
        shell::tell(decode(bytes)?);
    }
    Ok(())
}
