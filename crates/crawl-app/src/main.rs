//! The playground: strategies crawl the same web side by side, and every experiment is a link.
//!
//! Workers crawl; this draws what they tell. [`model`] is all the app knows, without a browser;
//! [`app`] does what the model asks for; [`view`] draws it; [`screen`] is the stage.

mod address;
mod app;
mod download;
mod files;
mod film;
mod model;
mod screen;
mod size;
mod text;
mod theme;
mod timeline;
mod vars;
mod view;
mod workers;

fn main() {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        // What the page showed while it loaded makes room.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
