//! Draws crawls with WebGL2: up to four lanes over one shared layout.
//!
//! A [`Stage`] draws up to four lanes side by side into one canvas, with one layout and one
//! [`Camera`]. A [`Record`] stores the received steps of a lane's run. Any step can be drawn,
//! forwards or backwards, without rebuilding data.

pub mod camera;
mod context_listener;
mod gpu;
pub mod graph;
pub mod grid;
pub mod hull;
pub mod label;
mod lane_buffers;
mod links;
mod paint;
mod placed_graph;
pub mod record;
pub mod rect;
pub mod scene;
pub mod stage;
pub mod svg;
mod texture_rows;
pub mod theme;

pub use camera::{Camera, CameraLimits};
pub use graph::{Nodes, StageGraph, StageGraphError};
pub use label::{PlacedLabel, estimated_width};
pub use record::{Record, RecordError, State};
pub use rect::Rect;
pub use scene::{DrawStats, LaneView, MAX_LANES, Scene};
pub use stage::{Stage, StageError};
pub use svg::{Drawing, SvgTexts};
pub use theme::{Rgb, Theme};
