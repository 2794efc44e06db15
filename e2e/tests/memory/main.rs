//! Changing the experiment again and again does not fill the memory.

use crawl_e2e::{MEASURES_MEMORY, Setup, memory_after_changes, scenario};

#[test]
fn a_hundred_changes_hold_no_more_than_ten() {
    let setup = Setup { flags: MEASURES_MEMORY, ..Setup::default() };
    scenario("memory", setup, async |scene| {
        let held = memory_after_changes(scene, &[10, 100]).await?;
        let [(_, ten), (_, hundred)] = held[..] else { panic!("{held:?}") };
        // The page, the world's worker and four lanes' each hold a memory of their own.
        assert!(ten.wasm > 6 * 65_536 && ten.script > 100_000, "{ten:?} is not all");
        let ratio = hundred.total() as f64 / ten.total() as f64;
        assert!(ratio <= 1.1, "{ratio:.2}: {ten:?} after 10 changes, {hundred:?} after 100");
        Ok(())
    });
}
