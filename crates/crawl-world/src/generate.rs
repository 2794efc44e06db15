//! Registry of generated worlds: one file each, listed in [`WORLDS`].

use crate::{BuildError, World};
use crawl_catalogue::{Entry, Param, Params};

mod calendar;
mod campus;
mod fica_figure_1;
mod greedy_oracle;
mod jlse_figure_2;
mod newsroom;
mod refresh_table_1;
mod rl_figure_3;
mod shop;
mod web;

// Shared code.
mod figure;
mod site;
mod words;

#[cfg(test)]
mod promises;

/// A world in the registry.
pub struct WorldEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Builds the world; deterministic on every machine.
    pub build: fn(&Params) -> Result<World, BuildError>,
    /// Approximate number of links.
    pub n_links: fn(&Params) -> f64,
}

/// For worlds with few links.
fn few_links(_: &Params) -> f64 {
    0.0
}

/// Random seed of a generator.
const RNG: Param = Param::integer("rng", 1, 0, u32::MAX, "Random seed of the generator.");

/// All generated worlds, in display order.
pub const WORLDS: &[&WorldEntry] = &[
    &campus::WORLD,
    &shop::WORLD,
    &newsroom::WORLD,
    &calendar::WORLD,
    &web::WORLD,
    &fica_figure_1::WORLD,
    &jlse_figure_2::WORLD,
    &rl_figure_3::WORLD,
    &refresh_table_1::WORLD,
    &greedy_oracle::WORLD,
];

#[cfg(test)]
mod tests {
    use super::WORLDS;
    use crate::World;
    use crawl_catalogue::{Catalogue, Kind};

    /// Builds the world of a spec.
    pub(super) fn made(spec: &str) -> World {
        let entries = WORLDS.iter().map(|w| (Kind::World, w.entry.clone())).collect();
        let catalogue = Catalogue { entries, rules: Vec::new() };
        let chosen = catalogue.choose(Kind::World, spec).expect("a valid spec");
        let world = WORLDS.iter().find(|w| w.entry.id == chosen.id).expect("it is listed");
        (world.build)(&chosen.params).expect("its parameters are valid")
    }
}
