//! English.

pub mod app;
pub mod number;
pub mod timeline;
