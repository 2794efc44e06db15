use super::*;
use crate::{Digest, Rng, WorldBuilder};
use proptest::prelude::*;
use std::collections::BTreeSet;

const STILL: Drift = Drift { born: 0.0, died: 0.0, changed: 0.0, seed: 1 };

/// Pages on three hosts and on none, with random links, redirects and errors.
fn world(seed: u64, n_pages: u32) -> World {
    let mut rng = Rng::new(seed, "drift test");
    let mut builder = WorldBuilder::new("drift");
    for i in 0..n_pages {
        let host = *rng.pick(&["a.example", "b.example", "c.example", "graph.invalid"]);
        builder.page(&format!("http://{host}/{i}")).expect("a plain URL");
    }
    for i in 0..n_pages {
        for _ in 0..rng.below(12) {
            let to = rng.below(n_pages);
            let to = if rng.chance(0.5) { rng.below(to + 1) } else { to };
            builder.link(PageId(i), PageId(to));
        }
        match rng.below(30) {
            0 => builder.set_status(PageId(i), 404).expect("a status"),
            1 => {
                let to = PageId(rng.below(n_pages));
                let url = builder.url(to).to_owned();
                builder.set_status(PageId(i), 301).expect("a status");
                builder.set_location(PageId(i), &url, Some(to));
            }
            _ => {}
        }
    }
    builder.finish().expect("a small world")
}

fn is_redirect(world: &World, page: PageId) -> bool {
    world.status(page) / 100 == 3
}

fn set(links: &[PageId]) -> BTreeSet<PageId> {
    links.iter().copied().collect()
}

/// Invariants of any earlier version.
fn check(world: &World, seeds: &[PageId], drift: &Drift) -> Result<(), TestCaseError> {
    let then = Earlier::new(world, seeds, drift);
    prop_assert_eq!(&then, &Earlier::new(world, seeds, drift));
    let n_pages = world.n_pages();
    prop_assert_eq!(then.links().n_pages(), n_pages + then.n_gone());
    prop_assert!(seeds.iter().all(|seed| !then.is_born(*seed)));
    let all = (0..then.links().n_pages()).map(PageId);
    let is_gone = |page: PageId| page.0 >= n_pages;
    let sister = |page: PageId| all.clone().find(|gone| is_gone(*gone) && then.like(*gone) == page);
    for page in all.clone() {
        let row = then.links().links(page);
        prop_assert_eq!(set(row).len(), row.len(), "links are distinct");
        prop_assert!(!row.contains(&page), "no page links to itself");
        prop_assert!(
            row.iter().all(|to| !then.is_born(*to)),
            "nothing leads to what was not there"
        );
        prop_assert!(!then.is_born(page) || row.is_empty());
        if is_gone(page) {
            prop_assert_eq!(row, then.links().links(then.like(page)), "a sister links alike");
            continue;
        }
        prop_assert_eq!(then.like(page), page);
        let there: Vec<PageId> = row.iter().copied().filter(|to| !is_gone(*to)).collect();
        for to in &there {
            let linked = sister(*to).is_none_or(|gone| row.contains(&gone));
            prop_assert!(linked || is_redirect(world, page), "sisters are linked to alike");
        }
        let sisters = row.iter().filter(|to| is_gone(**to));
        prop_assert!(sisters.clone().all(|gone| row.contains(&then.like(*gone))));
        prop_assert!(sisters.count() == 0 || !is_redirect(world, page));
        if then.is_born(page) {
            continue;
        }
        // Every link is unchanged, or led to the same host, or is missing.
        let now: Vec<PageId> =
            world.links(page).iter().copied().filter(|to| !then.is_born(*to)).collect();
        prop_assert!(there.len() <= now.len());
        if is_redirect(world, page) || drift.changed == 0.0 {
            prop_assert_eq!(&there, &now);
        }
        let hosts = |pages: &[PageId]| {
            let mut hosts: Vec<_> = pages.iter().map(|to| world.host_of(*to)).collect();
            hosts.sort();
            hosts
        };
        let mut left = hosts(&now);
        for host in hosts(&there) {
            let at = left.iter().position(|other| *other == host);
            prop_assert!(at.is_some(), "links lead to the same hosts");
            left.remove(at.unwrap_or(0));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn an_earlier_version_is_a_web(
        n_pages in 1_u32..60,
        seed in any::<u64>(),
        rates in prop::array::uniform3(prop_oneof![Just(0.0), 0.0..=1.0, Just(1.0)]),
        n_seeds in 0_u32..3,
    ) {
        let world = world(seed, n_pages);
        let seeds: Vec<PageId> = (0..n_seeds.min(n_pages)).map(PageId).collect();
        let [born, died, changed] = rates;
        check(&world, &seeds, &Drift { born, died, changed, seed })?;
    }
}

#[test]
fn where_nothing_happened_nothing_differs() {
    for seed in 0..20 {
        let world = world(seed, 1 + 10 * seed as u32);
        let then = Earlier::new(&world, &world.seeds(), &Drift { seed, ..STILL });
        assert_eq!(then.links(), world.graph());
        assert_eq!(then.n_gone(), 0);
        assert!(world.pages().all(|page| !then.is_born(page)));
    }
}

#[test]
fn of_all_pages_born_only_the_seeds_were_there() {
    let world = world(3, 50);
    let then = Earlier::new(&world, &[PageId(7)], &Drift { born: 1.0, ..STILL });
    assert!(world.pages().all(|page| then.is_born(page) == (page != PageId(7))));
    assert_eq!(then.links().n_links(), 0);
    let empty = WorldBuilder::new("nothing").finish().expect("no pages");
    let drift = Drift { born: 0.5, died: 0.5, changed: 0.5, seed: 1 };
    assert_eq!(Earlier::new(&empty, &[], &drift).links().n_pages(), 0);
}

#[test]
fn counts_follow_the_rates() {
    let within = |count: u32, n: u32, rate: f64, what: &str| {
        let (mean, n) = (f64::from(n) * rate, f64::from(n));
        let sigma = (n * rate * (1.0 - rate)).sqrt();
        let off = (f64::from(count) - mean).abs();
        assert!(off <= 4.0 * sigma, "{what}: {count} of {n}, not {mean} ± {sigma}");
    };
    for seed in 0..10 {
        let world = world(seed, 3000);
        let [born, died, changed] =
            [[0.2, 0.1, 0.1], [0.9, 0.9, 0.9], [0.0, 0.5, 0.02]][seed as usize % 3];
        let seeds = [PageId(0), PageId(5)];
        let then = Earlier::new(&world, &seeds, &Drift { born, died, changed, seed });
        let n_born = world.pages().filter(|page| then.is_born(*page)).count() as u32;
        within(n_born, world.n_pages() - 2, born, "born");
        within(then.n_gone(), world.n_pages() - n_born, died, "died");
        let (mut n_links, mut n_same) = (0, 0);
        for page in world.pages().filter(|p| !then.is_born(*p) && !is_redirect(&world, *p)) {
            let row = set(then.links().links(page));
            let now = world.links(page).iter().filter(|to| !then.is_born(**to));
            n_links += now.clone().count() as u32;
            n_same += now.filter(|to| row.contains(to)).count() as u32;
        }
        within(n_links - n_same, n_links, changed, "changed");
    }
}

/// A higher rate adds events and changes no others: pages born at a low rate are born at a higher
/// one.
#[test]
fn rates_do_not_disturb_each_other() {
    let world = world(9, 400);
    let seeds = world.seeds();
    let some = Earlier::new(&world, &seeds, &Drift { born: 0.2, ..STILL });
    let more = Earlier::new(&world, &seeds, &Drift { born: 0.5, died: 0.3, changed: 0.4, ..STILL });
    assert!(world.pages().all(|page| more.is_born(page) || !some.is_born(page)));
    assert!(world.pages().any(|page| more.is_born(page) && !some.is_born(page)));
}

/// Links contain the seed, so its draws must not change.
#[test]
fn the_same_drift_gives_the_same_web_for_ever() {
    let drift = Drift { born: 0.2, died: 0.1, changed: 0.3, seed: 4 };
    let then = Earlier::new(&world(1, 500), &[PageId(0)], &drift);
    let mut hasher = blake3::Hasher::new();
    for number in then.links().offsets() {
        hasher.update(&number.to_le_bytes());
    }
    for page in then.links().targets() {
        hasher.update(&page.0.to_le_bytes());
    }
    assert_eq!(Digest::of(&hasher).to_string(), "a0253ff08229d53f94d2efb6d88c38e3");
}
