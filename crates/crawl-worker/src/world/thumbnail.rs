//! Small pictures of the worlds that are built in, each made, laid out and drawn in small.

use crawl_catalogue::{Catalogue, Kind, ParamKind};
use crawl_layout::{Limits, Picture};
use crawl_protocol::world::Thumbnail;
use crawl_run::{Run, WORLDS};
use std::fmt::Write;

/// Parameters that say how large a world is: the least they may be is large enough.
const SIZES: [&str; 2] = ["pages", "trap"];
/// Most links and pages drawn.
const MOST_LINKS: usize = 400;
const MOST_PAGES: usize = 300;
/// Half the width and height of the picture, without its margin.
const HALF: f32 = 46.0;
/// Where its middle is.
const MIDDLE: f32 = 50.0;

/// How many there are.
pub(super) fn n_thumbnails() -> usize {
    WORLDS.len()
}

/// One of them; nothing where a world cannot be made.
pub(super) fn thumbnail(at: usize, catalogue: &Catalogue) -> Option<Thumbnail> {
    let entry = &WORLDS.get(at)?.entry;
    let least = |key: &&str| match entry.param(key)?.kind {
        ParamKind::Number { min, .. } => Some(format!("{key}:{min}")),
        _ => None,
    };
    let small: Vec<String> = SIZES.iter().filter_map(least).collect();
    let spec = match small.len() {
        0 => entry.id.to_string(),
        _ => format!("{}({})", entry.id, small.join(",")),
    };
    let world = Run::generate(&catalogue.choose(Kind::World, &spec).ok()?).ok()?;
    let ranks = vec![1.0; world.n_pages() as usize];
    let picture = Picture::new(&world, &ranks, &Limits::default());
    let depths = picture.depths(&world, &world.seeds());
    let mut laying = (crawl_layout::find("")?.build)(&picture, &depths);
    while !laying.step(u32::MAX).is_done() {}
    let positions = laying.positions();
    let point = |node: u32| {
        let at = |axis: usize| MIDDLE + HALF * positions[2 * node as usize + axis];
        (at(0), 2.0 * MIDDLE - at(1))
    };
    let (mut links, mut pages) = (String::new(), String::new());
    let all = picture.edges.len() / 2;
    for edge in picture.edges.chunks_exact(2).step_by(all.div_ceil(MOST_LINKS).max(1)) {
        let ((ax, ay), (bx, by)) = (point(edge[0]), point(edge[1]));
        // Writing to a string does not fail.
        let _ = write!(links, "M{ax:.0} {ay:.0}L{bx:.0} {by:.0}");
    }
    let n_pages = positions.len() / 2;
    for (x, y) in (0..n_pages as u32).step_by(n_pages.div_ceil(MOST_PAGES).max(1)).map(point) {
        let _ = write!(pages, "M{x:.1} {y:.1}h0");
    }
    Some(Thumbnail { id: entry.id.to_string(), links, pages })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_has_a_small_picture() {
        let catalogue = crawl_run::catalogue();
        for at in 0..n_thumbnails() {
            let thumbnail = thumbnail(at, &catalogue).expect("it can be made");
            assert!(!thumbnail.pages.is_empty() && !thumbnail.links.is_empty());
            let n = thumbnail.pages.len() + thumbnail.links.len();
            assert!(n < 20_000, "{}: {n}", thumbnail.id);
        }
        assert_eq!(thumbnail(n_thumbnails(), &catalogue), None);
    }
}
