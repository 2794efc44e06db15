//! Drives the built app in a real, headless Chromium.
//!
//! A scenario is a folder `tests/<name>/main.rs` whose tests call [`scenario`]:
//!
//! ```no_run
//! use crawl_e2e::{Setup, scenario};
//!
//! scenario("steps forward", Setup::default(), async |scene| {
//!     let tab = &scene.tab;
//!     tab.open_and_run("#v=1&world=campus&run=opic").await?;
//!     tab.key("ArrowRight").await?;
//!     tab.wait_for_step(1).await?;
//!     tab.accessible().await
//! });
//! ```
//!
//! The app is served from dist/ on a port of its own. Whatever a scenario starts ends with it, also
//! when it fails or takes too long, and any warning or error in the browser's console fails it.
//! Where the app is not built or there is no browser, a scenario says so and passes, unless
//! `CRAWLSCOPE_E2E` is set: `cargo xtask test` sets it.

mod accessibility;
mod app;
mod builds;
mod cli;
mod console;
mod downloads;
mod driver;
mod input;
pub mod measure;
mod memory;
mod picture;
mod playground;
mod scene;
pub mod shots;
mod static_host;
mod tab;
mod tools;
mod trace;

pub use accessibility::Violation;
pub use app::App;
pub use builds::{another_build, copied};
pub use cli::{crawlscope, run_link};
pub use console::Message;
pub use memory::{MEASURES_MEMORY, Memory, memory_after_changes, memory_of};
pub use picture::Painted;
pub use scene::{Scene, Setup, scenario};
pub use static_host::StaticHost;
pub use tab::{Media, Tab};
pub use tools::screenshots;
pub use trace::{TASKS, Task};
