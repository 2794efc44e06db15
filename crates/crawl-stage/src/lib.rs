//! Draws a crawl: WebGL2 over one shared layout.
//!
//! A [`Stage`] draws up to four lanes side by side into one canvas, all over the same layout and under
//! the same [`Camera`]. A [`Record`] holds what has arrived of a lane's run; any moment of it is drawn
//! by naming the step, forwards or backwards, without rebuilding anything.

mod board;
pub mod camera;
mod gpu;
pub mod grid;
pub mod hull;
pub mod label;
mod lane;
mod links;
mod listen;
mod paint;
pub mod picture;
pub mod record;
pub mod rect;
mod rows;
pub mod scene;
pub mod stage;
pub mod svg;
pub mod theme;

pub use camera::{Camera, Limits};
pub use label::{PlacedLabel, estimated_width};
pub use picture::{Nodes, Picture, PictureError};
pub use record::{Record, RecordError, State};
pub use rect::Rect;
pub use scene::{DrawStats, LaneView, MAX_LANES, Scene};
pub use stage::{Stage, StageError};
pub use svg::{Drawing, Words};
pub use theme::{Rgb, Theme};
