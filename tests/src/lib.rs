//! What the project's tests share; the tests themselves are in `tests/`, one file or folder a
//! subject.
//!
//! Files for native runs open with `#![cfg(not(target_arch = "wasm32"))]`, files for the browser
//! with `#![cfg(target_arch = "wasm32")]`. Everything here runs in both.

pub mod contender;
#[cfg(not(target_arch = "wasm32"))]
pub mod data;
pub mod driver;
pub mod golden;
pub mod living;
pub mod sketch;
pub mod worlds;
