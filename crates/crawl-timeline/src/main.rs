//! The two functions of the timeline program that the app calls.

use crawl_protocol::decode;
use crawl_timeline::shell;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

fn main() {}

/// Shows the timeline in an element. Calls `send` with the bytes of each [`Request`].
///
/// [`Request`]: crawl_protocol::timeline::Request
#[wasm_bindgen]
pub fn mount(element: &HtmlElement, send: Function) {
    shell::mount(element, send);
}

/// Receives a message: a lane's answer, or a message of the app if `from` is negative.
///
/// An empty message removes the timeline.
///
/// # Errors
/// If the bytes cannot be decoded.
#[wasm_bindgen]
pub fn tell(from: i32, bytes: &[u8]) -> Result<(), JsError> {
    if bytes.is_empty() {
        shell::unmount();
    } else if let Ok(lane) = usize::try_from(from) {
        shell::receive_answer(lane, decode(bytes)?);
    } else {
        shell::receive(decode(bytes)?);
    }
    Ok(())
}
