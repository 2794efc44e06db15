//! End-to-end tests of the built app in a headless Chromium.
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
//! The app is served from dist/ on its own port. Everything a scenario starts is stopped at its
//! end, also on failure or timeout. Any warning or error in the browser console fails it. If the
//! app is not built or there is no browser, a scenario is skipped with a message, or fails if
//! `CRAWLSCOPE_E2E` is set, as in `cargo xtask test`.

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
pub mod pictures;
mod playground;
mod processor;
mod relay;
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
pub use memory::{MEASURES_MEMORY, Memory, memory_after_changes, memory_of, serve_listening};
pub use picture::Painted;
pub use processor::worker_seconds;
use relay::Relay;
pub use scene::{Scene, Setup, scenario};
pub use static_host::StaticHost;
pub use tab::{Media, Tab};
pub use tools::screenshots;
pub use trace::{TASKS, Task};
