//! The address bar and the browser history.

use crate::model::History;
use wasm_bindgen::JsValue;
use web_sys::window;

/// The fragment of the address, with its `#`.
pub fn fragment() -> String {
    window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Shows a link in the address bar.
pub fn show(link: &str, history: History) {
    let Some(browser) = window().and_then(|w| w.history().ok()) else { return };
    // Browsers limit the rate of changes; the next change shows the link.
    let _ = match history {
        History::Push if fragment() == link => return,
        History::Push => browser.push_state_with_url(&JsValue::NULL, "", Some(link)),
        History::Replace => browser.replace_state_with_url(&JsValue::NULL, "", Some(link)),
        History::Keep => return,
    };
}

/// The absolute URL of a link.
pub fn absolute(link: &str) -> String {
    let href = window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}{link}")
}
