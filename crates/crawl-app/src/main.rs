//! The playground: strategies crawl the same web side by side, and every experiment is a link.
//!
//! Workers crawl; the app draws. [`model`] is its state, browser-free; [`app`] performs effects;
//! [`view`] renders the state; [`screen`] is the stage.

mod address;
mod app;
mod download;
mod files;
mod film;
mod model;
mod screen;
mod size;
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
        // Remove the loading screen.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
