//! Helpers of the project's tests. The tests are in `tests/`, one file or folder per subject.
//!
//! Files for native runs open with `#![cfg(not(target_arch = "wasm32"))]`, files for the browser
//! with `#![cfg(target_arch = "wasm32")]`. Everything here runs in both.

pub mod changing;
#[cfg(not(target_arch = "wasm32"))]
pub mod data;
pub mod documents;
pub mod driver;
pub mod golden;
pub mod links;
pub mod registry_page;
pub mod sketch;
pub mod variants;
pub mod worlds;
