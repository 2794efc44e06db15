//! CSS custom properties set from code: the content security policy forbids style attributes.

use web_sys::HtmlElement;
use yew::prelude::*;

/// Sets custom properties of an element.
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
