//! Graph layouts: positions of a world's pages on the stage.
//!
//! A [`Picture`] is the graph that is drawn of a world: all pages, or the hosts or the
//! highest-ranked pages if there are too many. A [`Layout`] computes a position for each node. It
//! works in steps, so that the caller can draw the nodes while they move, and cancel. The result
//! does not depend on how the work is divided into steps.
//!
//! Layouts are deterministic: no browser, no clock, no random numbers.
//!
//! ```
//! use crawl_layout::{Limits, Picture, find};
//! use crawl_world::{PageId, WorldBuilder};
//!
//! let mut builder = WorldBuilder::numbered("pair", 2)?;
//! builder.link(PageId(0), PageId(1));
//! builder.seed(PageId(0));
//! let world = builder.finish()?;
//! let picture = Picture::new(&world, &[0.4, 0.6], &Limits::default());
//! let depths = picture.depths(&world, &world.seeds());
//! let entry = find("layers").ok_or("no such layout")?;
//! let mut layout = (entry.build)(&picture, &depths);
//! while !layout.step(10_000).is_done() {}
//! assert_eq!(layout.positions().len(), 4, "x and y of each node");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod force;
mod graph;
mod labels;
mod layers;
mod picture;
mod rings;
mod spacing;

pub use picture::{Limits, Nodes, Picture};
pub use spacing::spacing;

/// The registry of layouts, in the order of the menu.
pub const LAYOUTS: &[&LayoutEntry] = &[&force::ENTRY, &layers::ENTRY, &rings::ENTRY];

/// A registry entry of a layout.
pub struct LayoutEntry {
    /// Its id in links.
    pub id: &'static str,
    /// Its name in the interface.
    pub title: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Whether positions depend on the seeds.
    pub from_seeds: bool,
    /// Starts a layout of a picture. The second argument is the number of clicks from the seeds to
    /// each node, or [`UNREACHED`].
    pub build: fn(&Picture, &[u32]) -> Box<dyn Layout>,
}

/// The depth of a node that is unreachable from the seeds.
pub const UNREACHED: u32 = u32::MAX;

/// A layout in progress.
pub trait Layout {
    /// Continues for about `budget` node visits, at least one; returns the progress.
    fn step(&mut self, budget: u32) -> Progress;

    /// The current positions of the nodes: x and y of each, within −1 … 1.
    fn positions(&self) -> Vec<f32>;

    /// Circles of equal distance: radius and distance. Empty until the layout is complete.
    fn rings(&self) -> Vec<(f32, f64)> {
        Vec::new()
    }
}

/// Progress of a layout, in node visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Node visits done.
    pub done: u64,
    /// Total node visits.
    pub of: u64,
}

impl Progress {
    /// Whether the layout is complete.
    pub fn is_done(&self) -> bool {
        self.done >= self.of
    }
}

/// The layout with this id; the first one if `id` is empty.
pub fn find(id: &str) -> Option<&'static LayoutEntry> {
    let named = LAYOUTS.iter().copied().find(|layout| layout.id == id);
    if id.is_empty() { LAYOUTS.first().copied() } else { named }
}

/// Moves and scales points to fill the square from −1 to 1, keeping the aspect ratio.
fn fitted(points: &[[f32; 2]]) -> Vec<f32> {
    let mut low = [f32::INFINITY; 2];
    let mut high = [f32::NEG_INFINITY; 2];
    for point in points {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let middle = [0, 1].map(|axis| (low[axis] + high[axis]) / 2.0);
    let half = ((high[0] - low[0]).max(high[1] - low[1]) / 2.0).max(f32::MIN_POSITIVE);
    let fit = |point: &[f32; 2]| {
        [0, 1].map(|axis| ((point[axis] - middle[axis]) / half).clamp(-1.0, 1.0))
    };
    points.iter().flat_map(fit).collect()
}
