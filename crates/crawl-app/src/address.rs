//! The address bar: every experiment is a link, and back and forward walk through them.

use crate::model::History;
use wasm_bindgen::JsValue;
use web_sys::window;

/// What stands after the address's `#`, with it.
pub fn fragment() -> String {
    window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Shows a link in the address bar.
pub fn show(link: &str, history: History) {
    let Some(browser) = window().and_then(|w| w.history().ok()) else { return };
    // Browsers refuse more than some hundred changes in a while; the link is then shown next time.
    let _ = match history {
        History::Push if fragment() == link => return,
        History::Push => browser.push_state_with_url(&JsValue::NULL, "", Some(link)),
        History::Replace => browser.replace_state_with_url(&JsValue::NULL, "", Some(link)),
        History::Keep => return,
    };
}

/// The whole address of a link.
pub fn absolute(link: &str) -> String {
    let href = window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}{link}")
}
