//! Every generated world reads back with the same digest.

use crawl_catalogue::{Catalogue, Kind};
use crawl_import::{File, Limits, import, no_progress, write_json_lines};
use crawl_world::generate::WORLDS;

#[test]
fn every_generated_world_reads_back_with_its_digest() {
    let entries = WORLDS.iter().map(|world| (Kind::World, world.entry.clone())).collect();
    let catalogue = Catalogue { entries, rules: Vec::new() };
    for made in WORLDS {
        let id = &made.entry.id;
        let chosen = catalogue.choose(Kind::World, id).expect("defaults are valid");
        let world = (made.build)(&chosen.params).expect("defaults make a world");
        let mut bytes = Vec::new();
        write_json_lines(&world, &mut bytes).expect("memory can be written to");
        let source = File::from_bytes(id, &bytes).into();
        let again = import(source, &Limits::default(), &mut no_progress).expect(id);
        assert_eq!(again.world.digest(), world.digest(), "{id}");
        assert_eq!(again.world.title(), world.title(), "{id}");
        assert_eq!(again.world.license(), world.license(), "{id}");
        let mut once_more = Vec::new();
        write_json_lines(&again.world, &mut once_more).expect("memory can be written to");
        assert!(once_more == bytes, "{id} is written differently the second time");
    }
}
