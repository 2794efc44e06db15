//! The flat form of a world: whatever opens can be used, and is written and read back the same.

#![no_main]

use crawl_import::flat::{decode, encode};
use crawl_world::World;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let start = &encode(&World::default())[..5];
    let Ok(world) = decode(&[start, bytes].concat()) else { return };
    let mut written = Vec::new();
    crawl_import::write_json_lines(&world, &mut written).expect("memory takes everything");
    let digest = world.digest();
    let again = decode(&encode(&world)).expect("what was written can be read");
    assert_eq!(again.digest(), digest);
    assert!(world.reach(&world.seeds()).n_pages() <= world.n_pages());
});
