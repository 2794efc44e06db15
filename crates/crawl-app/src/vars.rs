//! Sizes and places that change: set as CSS custom properties from code, because the page's content
//! security policy allows no style attributes.

use web_sys::HtmlElement;
use yew::prelude::*;

/// Keeps custom properties of an element at these values.
#[hook]
pub fn use_vars(node: &NodeRef, vars: Vec<(&'static str, String)>) {
    use_effect_with((node.clone(), vars), |(node, vars)| {
        if let Some(element) = node.cast::<HtmlElement>() {
            for (name, value) in vars {
                // Custom properties take any value, so this cannot fail.
                let _ = element.style().set_property(name, value);
            }
        }
    });
}
