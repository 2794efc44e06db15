//! The flat form of a world: whatever opens can be used, and is written and read back the same.

use super::Target;
use crate::world::small_world;
use crawl_import::flat::{decode, encode};
use crawl_import::write_json_lines;
use crawl_world::World;

pub(super) const TARGET: Target = Target {
    name: "flat",
    note: "bytes are no world, or one that can be used and is stored the same",
    run,
    made_seeds,
    n_mutations: 10_000,
};

fn run(bytes: &[u8]) {
    // The first byte says in which version the others are.
    let Some((version, bytes)) = bytes.split_first() else { return };
    let start = &encode(&World::default())[..4];
    let Ok(world) = decode(&[start, &[2 + version % 3], bytes].concat()) else { return };
    let mut written = Vec::new();
    write_json_lines(&world, &mut written).expect("memory takes everything");
    let digest = world.digest();
    let again = decode(&encode(&world)).expect("what was written can be read");
    assert_eq!(again.digest(), digest);
    for page in world.pages() {
        for t_us in [0, u64::MAX / 2, u64::MAX] {
            let (seen, rest) = world.links(page).split_at(world.n_links_by(page, t_us));
            assert!(seen.iter().all(|to| world.is_born_by(*to, t_us)));
            assert!(!rest.iter().any(|to| world.is_born_by(*to, t_us)));
        }
    }
    assert!(world.reach(&world.seeds()).n_pages() <= world.n_pages());
}

fn made_seeds() -> Vec<Vec<u8>> {
    [small_world().0.as_ref(), &World::default()].map(seed).to_vec()
}

/// A world as this target reads it.
fn seed(world: &World) -> Vec<u8> {
    let flat = encode(world);
    [&[flat[4] - 2], &flat[5..]].concat()
}
