//! Tests of worlds whose pages are born over time.

use super::*;
use crate::{Drift, Earlier, Link, Lists, Timetable};
use proptest::prelude::*;

const SECOND: u64 = 1_000_000;

fn builder(n: u32) -> WorldBuilder {
    WorldBuilder::numbered("births", n).expect("a small world")
}

#[test]
fn links_appear_when_their_targets_are_born() {
    let mut builder = builder(6);
    let link = |anchor, context, nofollow| Link { anchor, context, nofollow };
    builder.link_with(PageId(0), PageId(5), link("five", "late", true));
    builder.link_with(PageId(0), PageId(1), link("one", "early", false));
    builder.link_with(PageId(0), PageId(3), link("three", "", false));
    builder.link_with(PageId(0), PageId(2), link("two", "early", true));
    builder.link_with(PageId(0), PageId(4), link("four", "same", true));
    builder.link(PageId(1), PageId(2));
    builder.link_outside(PageId(0), "http://elsewhere.example/");
    for (page, born_s) in [(5, 20.0), (3, 2.5), (4, 2.5), (3, 7.0), (3, 2.5), (2, 9.0), (2, 0.0)] {
        builder.set_born(PageId(page), born_s).unwrap();
    }
    builder.set_gone(PageId(5), 20.5).unwrap();
    let world = builder.finish().unwrap().check().unwrap();
    assert!(world.has_births());
    let births: Vec<Option<f64>> = world.pages().map(|page| world.born_s(page)).collect();
    assert_eq!(births, [None, None, None, Some(2.5), Some(2.5), Some(20.0)]);
    assert_eq!((world.born_us(PageId(2)), world.born_us(PageId(3))), (0, 2_500_000));

    let row = world.links(PageId(0));
    assert_eq!(row, [1, 2, 3, 4, 5].map(PageId));
    let said = world
        .link_range(PageId(0))
        .map(|link| (world.anchor(link), world.context(link), world.is_nofollow(link)));
    assert!(said.eq([
        ("one", "early", false),
        ("two", "early", true),
        ("three", "", false),
        ("four", "same", true),
        ("five", "late", true),
    ]));
    let seen = |t_us| (world.n_links_by(PageId(0), t_us), world.n_out_by(PageId(0), t_us));
    assert_eq!([0, 2_499_999, 2_500_000].map(seen), [(2, 3), (2, 3), (4, 5)]);
    assert_eq!([20 * SECOND - 1, 20 * SECOND, u64::MAX].map(seen), [(4, 5), (5, 6), (5, 6)]);
    assert_eq!((world.n_links_by(PageId(1), 0), world.n_links_by(PageId(2), 0)), (1, 0));
    assert!(!world.is_born_by(PageId(3), 0) && world.is_born_by(PageId(3), 2_500_000));
    assert_eq!(world.out_degree(PageId(0)), 6);
    assert_eq!(world.reach(&world.seeds()).n_pages(), 6);
}

#[test]
fn what_is_never_born_is_never_seen() {
    let mut builder = builder(2);
    builder.link(PageId(0), PageId(1));
    builder.set_born(PageId(1), 1e300).unwrap();
    let world = builder.finish().unwrap();
    assert_eq!(world.n_links_by(PageId(0), u64::MAX), 0);
}

#[test]
fn a_redirect_leads_nowhere_before_its_location_is_there() {
    let mut builder = builder(2);
    builder.set_status(PageId(0), 301).unwrap();
    builder.set_location(PageId(0), "http://graph.invalid/1", Some(PageId(1)));
    builder.set_born(PageId(1), 1.0).unwrap();
    let world = builder.finish().unwrap();
    assert_eq!([0, SECOND].map(|t| world.n_links_by(PageId(0), t)), [0, 1]);
}

#[test]
fn worlds_without_births_see_all_links_at_once() {
    let mut builder = builder(3);
    builder.link(PageId(0), PageId(2));
    builder.link(PageId(0), PageId(1));
    builder.set_born(PageId(2), 5.0).unwrap();
    builder.set_born(PageId(2), -0.0).unwrap();
    let world = builder.finish().unwrap();
    assert!(!world.has_births() && world.timetable().is_empty());
    assert_eq!(world.timetable().bytes(), 0);
    assert_eq!(world.links(PageId(0)), [2, 1].map(PageId));
    assert_eq!((world.n_links_by(PageId(0), 0), world.n_out_by(PageId(0), 0)), (2, 2));
}

#[test]
fn a_crawl_starts_from_what_is_there_and_nothing_goes_before_it_comes() {
    let seed = |seeds: &[u32], born: u32| {
        let mut builder = builder(3);
        seeds.iter().for_each(|seed| builder.seed(PageId(*seed)));
        builder.set_born(PageId(born), 4.5).unwrap();
        builder.finish().map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = |page: u32| {
        let url = format!("\"http://graph.invalid/{page}\"");
        Err(format!("the seed {url} is born at 4.5 s, but a crawl starts at 0"))
    };
    assert_eq!(seed(&[1, 2], 2), refused(2));
    // Without seeds, the first page is the seed.
    assert_eq!(seed(&[], 0), refused(0));
    assert_eq!((seed(&[1, 2], 0), seed(&[], 1)), (Ok(()), Ok(())));

    let gone = |gone_s: f64| {
        let mut builder = builder(2);
        builder.set_gone(PageId(1), gone_s).unwrap();
        builder.set_born(PageId(1), 7.0).unwrap();
        builder.finish().map(|world| world.gone_s(PageId(1))).map_err(|error| error.to_string())
    };
    assert_eq!(gone(7.5), Ok(Some(7.5)));
    for (gone_s, given) in [(7.0, "7"), (0.0, "0")] {
        let message =
            "\"http://graph.invalid/1\" is born at 7 s and must be gone after that, not at";
        assert_eq!(gone(gone_s), Err(format!("{message} {given} s")));
    }
}

#[test]
fn births_that_came_as_bytes_are_checked() {
    let world = || {
        let mut builder = builder(4);
        builder.link(PageId(0), PageId(3));
        builder.link(PageId(0), PageId(1));
        builder.finish().unwrap()
    };
    let born = |pairs: &[(u32, f64)]| Timetable {
        born: Lists::group(pairs.len().max(4), pairs),
        gone: Lists::group(4, &[(1, 5.0)]),
        ..Timetable::default()
    };
    let order = "links are not in the order of their targets' births";
    let start = "a birth is not after the start";
    assert!(world().with_timetable(born(&[(1, 2.0), (2, 9.0)])).check().is_ok());
    assert!(world().with_timetable(born(&[(1, 2.0), (3, 2.0)])).check().is_ok());
    for (timetable, message) in [
        (born(&[(1, 2.0), (1, 3.0)]), "a page is born twice"),
        (born(&[(1, 2.0), (2, 2.0), (2, 2.0), (3, 2.0), (3, 2.0)]), "lists overlap"),
        (born(&[(1, 0.0)]), start),
        (born(&[(1, -0.0)]), start),
        (born(&[(1, f64::NAN)]), start),
        (born(&[(1, f64::INFINITY)]), start),
        (born(&[(1, 5.0)]), "a page is gone before it is born"),
        (born(&[(0, 1.0)]), "a seed does not exist at the start"),
        (born(&[(3, 1.0)]), order),
        (born(&[(1, 2.0), (3, 2.5)]), order),
    ] {
        let unsound = world().with_timetable(timetable).check().unwrap_err();
        assert_eq!(unsound.to_string(), message);
    }
}

#[test]
fn an_earlier_world_has_nothing_that_is_yet_to_come() {
    let mut builder = builder(3);
    builder.link(PageId(0), PageId(1));
    builder.link(PageId(0), PageId(2));
    builder.link(PageId(1), PageId(0));
    builder.set_born(PageId(1), 60.0).unwrap();
    let world = builder.finish().unwrap();
    let still = Drift { born: 0.0, died: 0.0, changed: 0.0, seed: 1 };
    let earlier = Earlier::new(&world, &world.seeds(), &still);
    assert_eq!(earlier.links().links(PageId(0)), [PageId(2)]);
    assert!(earlier.is_born(PageId(1)) && earlier.links().links(PageId(1)).is_empty());
}

proptest! {
    /// The links seen at any time are those to pages born by then, in the original order.
    #[test]
    fn what_is_seen_is_what_is_born(
        links in prop::collection::vec((0..12_u32, 0..12_u32, 0..3_usize, any::<bool>()), 0..80),
        births in prop::collection::vec(
            (1..12_u32, prop_oneof![0.0..3e-6_f64, (0..9_u32).prop_map(f64::from), 0.0..1e20_f64]),
            0..12,
        ),
        at_us in prop::collection::vec(prop_oneof![0..4_u64, (0..9_u64).prop_map(|s| s * SECOND), any::<u64>()], 1..6),
    ) {
        let texts = ["", "read more", "Größe"];
        let build = |births: &[(u32, f64)]| {
            let mut builder = builder(12);
            for (from, to, text, nofollow) in &links {
                let (anchor, context) = (texts[*text], texts[2 - *text]);
                let link = Link { anchor, context, nofollow: *nofollow };
                builder.link_with(PageId(*from), PageId(*to), link);
            }
            births.iter().for_each(|(page, at_s)| builder.set_born(PageId(*page), *at_s).unwrap());
            builder.finish().unwrap()
        };
        let (plain, world) = (build(&[]), build(&births).check().unwrap());
        let row = |world: &World, page: PageId| -> Vec<(PageId, String, String, bool)> {
            let links = world.link_range(page).zip(world.links(page));
            links.map(|(link, to)| {
                let (anchor, context) = (world.anchor(link), world.context(link));
                (*to, anchor.to_owned(), context.to_owned(), world.is_nofollow(link))
            }).collect()
        };
        for page in plain.pages() {
            let all = row(&world, page);
            let mut sorted = row(&plain, page);
            sorted.sort_by(|a, b| {
                let born_s = |link: &(PageId, _, _, _)| world.born_s(link.0).unwrap_or(0.0);
                born_s(a).total_cmp(&born_s(b))
            });
            prop_assert_eq!(&all, &sorted);
            for t_us in &at_us {
                let n = world.n_links_by(page, *t_us);
                prop_assert!(world.links(page)[..n].iter().all(|to| world.is_born_by(*to, *t_us)));
                prop_assert!(!world.links(page)[n..].iter().any(|to| world.is_born_by(*to, *t_us)));
                prop_assert_eq!(world.n_out_by(page, *t_us) as usize, n);
            }
        }
        let any = births.iter().any(|(page, _)| world.born_s(PageId(*page)).is_some());
        prop_assert_eq!(world.has_births(), any);
        if !any {
            prop_assert_eq!(plain.digest(), world.digest());
        } else {
            prop_assert_ne!(plain.digest(), world.digest());
        }
    }
}
