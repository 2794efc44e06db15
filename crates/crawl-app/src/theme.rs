//! Light and dark theme: the user's choice, else the system's.

use web_sys::window;

const KEY: &str = "crawlscope-theme";

fn root() -> Option<web_sys::Element> {
    window()?.document()?.document_element()
}

fn matches(query: &str) -> bool {
    let list = window().and_then(|w| w.match_media(query).ok()).flatten();
    list.is_some_and(|list| list.matches())
}

/// True if the theme is dark.
pub fn is_dark() -> bool {
    match root().and_then(|root| root.get_attribute("data-theme")).as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => matches("(prefers-color-scheme: dark)"),
    }
}

/// True if the user prefers reduced motion.
pub fn reduced_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Applies the stored theme.
pub fn restore() {
    let storage = window().and_then(|w| w.local_storage().ok()).flatten();
    let chosen = storage.and_then(|s| s.get_item(KEY).ok()).flatten();
    if let (Some(root), Some(theme)) = (root(), chosen.filter(|t| t == "dark" || t == "light")) {
        let _ = root.set_attribute("data-theme", &theme);
    }
}

/// Switches the theme and stores it.
pub fn toggle() {
    let theme = if is_dark() { "light" } else { "dark" };
    if let Some(root) = root() {
        let _ = root.set_attribute("data-theme", theme);
    }
    if let Some(storage) = window().and_then(|w| w.local_storage().ok()).flatten() {
        let _ = storage.set_item(KEY, theme);
    }
}

/// A colour of the style sheet, by custom property; grey if it is invalid.
pub fn colour(name: &str) -> crawl_stage::Rgb {
    let style = window().and_then(|w| w.get_computed_style(&root()?).ok()).flatten();
    let value = style.and_then(|s| s.get_property_value(name).ok()).unwrap_or_default();
    crawl_stage::Rgb::parse(&value).unwrap_or(crawl_stage::Rgb([0.5; 3]))
}
