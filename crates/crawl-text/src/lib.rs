//! Interface strings and number formats of the app and the timeline.
//!
//! The app and the timeline are two programs. Each has one struct of strings ([`app::Text`],
//! [`timeline::Text`]), so that neither contains the strings of the other. A translation is one
//! value of each struct and of [`number::Format`]; the compiler reports what it lacks. Strings of
//! strategies, worlds and metrics come from their registries.
//!
//! ```
//! use crawl_text::{app::text, fill, number::count_text};
//!
//! let shown = fill(text().of_pages, &[("n", &count_text(1200))]);
//! assert_eq!(shown, "of 1,200 pages");
//! ```

pub mod app;
mod english;
mod fill;
pub mod number;
mod plural;
pub mod timeline;

pub use fill::fill;
pub use plural::Plural;
