//! Where the pages of a world stand on the stage.
//!
//! A [`Picture`] is what is drawn of a world: all its pages, or its hosts, or its most important
//! pages, when there are too many. A [`Layout`] gives each node of a picture a place; it works in
//! steps, so that whoever hosts it can show the nodes while they settle and stop when something
//! else is wanted. How the work is cut into steps changes nothing about where nodes end up.
//!
//! Nothing here knows of a browser, a clock or chance.

mod force;
mod graph;
mod labels;
mod layers;
mod picture;
mod rings;
mod spacing;

pub use picture::{Limits, Nodes, Picture};
pub use spacing::spacing;

/// Every layout, in the order they are offered.
pub const LAYOUTS: &[&LayoutEntry] = &[&force::ENTRY, &layers::ENTRY, &rings::ENTRY];

/// A layout in the registry.
pub struct LayoutEntry {
    /// Its name in links.
    pub id: &'static str,
    /// Its name on screen.
    pub title: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Whether it depends on where crawls start.
    pub from_seeds: bool,
    /// Begins to lay a picture out. The last argument is how many clicks each node is from the
    /// seeds, [`UNREACHED`] for those that cannot be reached.
    pub build: fn(&Picture, &[u32]) -> Box<dyn Layout>,
}

/// The depth of a node that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// A layout at work.
pub trait Layout {
    /// Works on for about so many node visits, at least one; says how far it is.
    fn step(&mut self, budget: u32) -> Progress;

    /// Where the nodes stand now: x and y of each, within −1 … 1.
    fn positions(&self) -> Vec<f32>;

    /// Rings around the middle that mean a distance: radius and distance. None as long as they may
    /// change.
    fn rings(&self) -> Vec<(f32, f64)> {
        Vec::new()
    }
}

/// How far a layout is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// So much is done.
    pub done: u64,
    /// Of so much.
    pub of: u64,
}

impl Progress {
    /// True when nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.done >= self.of
    }
}

/// The registry's entry of that name; the first for an empty name.
pub fn find(id: &str) -> Option<&'static LayoutEntry> {
    let named = LAYOUTS.iter().copied().find(|layout| layout.id == id);
    if id.is_empty() { LAYOUTS.first().copied() } else { named }
}

/// Moves and scales points so that they fill the square from −1 to 1 as far as their shape lets
/// them.
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
