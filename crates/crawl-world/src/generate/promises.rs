//! Tests of the statistical properties of generated worlds: size, in-degree, locality, depth,
//! reciprocity.
//!
//! Random seeds are fixed. Margins are at least four standard deviations, estimated over twenty
//! seeds if there is no formula.

use super::WORLDS;
use super::tests::made;
use super::words::SUBJECTS;
use crate::{PageId, World};
use crawl_catalogue::ParamKind;

fn in_degrees(world: &World) -> Vec<u32> {
    let mut degrees = vec![0; world.n_pages() as usize];
    for target in world.graph().targets() {
        degrees[target.index()] += 1;
    }
    degrees
}

/// The exponent γ of P(k) ∝ k^(−γ), k ≥ `least`, by maximum likelihood (Clauset, Shalizi & Newman
/// 2009, discrete case): the maximum of −γ·Σ ln k − n·ln ζ(γ, least). Also its standard error.
fn exponent(degrees: &[u32], least: u32) -> (f64, f64) {
    let tail: Vec<f64> = degrees.iter().filter(|k| **k >= least).map(|k| f64::from(*k)).collect();
    let n = tail.len() as f64;
    let logs: f64 = tail.iter().map(|k| libm::log(*k)).sum();
    let likelihood = |g: f64| -g * logs - n * libm::log(zeta(g, f64::from(least)));
    let (mut low, mut high) = (1.05, 6.0);
    while high - low > 1e-6 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if likelihood(a) < likelihood(b) {
            low = a;
        } else {
            high = b;
        }
    }
    (low, (low - 1.0) / libm::sqrt(n))
}

/// Hurwitz zeta function: Σ over i ≥ 0 of (from + i)^(−s), by the Euler–Maclaurin formula.
fn zeta(s: f64, from: f64) -> f64 {
    let first: f64 = (0..20).map(|i| libm::pow(from + f64::from(i), -s)).sum();
    let x = from + 20.0;
    first
        + libm::pow(x, 1.0 - s) / (s - 1.0)
        + libm::pow(x, -s) / 2.0
        + s * libm::pow(x, -s - 1.0) / 12.0
}

/// Share of links that satisfy a condition.
fn share_of_links(world: &World, holds: impl Fn(PageId, PageId) -> bool) -> f64 {
    let count = |page: PageId| world.links(page).iter().filter(|to| holds(page, **to)).count();
    world.pages().map(count).sum::<usize>() as f64 / f64::from(world.n_links())
}

/// Share of pages that satisfy a condition.
fn share_of_pages(world: &World, holds: impl Fn(PageId) -> bool) -> f64 {
    world.pages().filter(|page| holds(*page)).count() as f64 / f64::from(world.n_pages())
}

fn within_host(world: &World) -> f64 {
    share_of_links(world, |from, to| world.host_of(from) == world.host_of(to))
}

/// Share of links with a link back.
fn reciprocity(world: &World) -> f64 {
    share_of_links(world, |from, to| world.links(to).contains(&from))
}

fn check(what: &str, value: f64, from: f64, to: f64) {
    assert!((from..=to).contains(&value), "{what}: {value} is not in {from} to {to}");
}

/// Checks that all pages are reachable, and the maximum depth.
fn check_reach(world: &World, spec: &str, from: u32, to: u32) {
    let reach = world.reach(&world.seeds());
    assert_eq!(reach.n_pages(), world.n_pages(), "{spec}: reachable pages");
    check(&format!("{spec}: depth"), reach.max_depth().into(), from.into(), to.into());
}

#[test]
fn zeta_agrees_with_known_values() {
    let pi = std::f64::consts::PI;
    assert!((zeta(2.0, 1.0) - pi * pi / 6.0).abs() < 1e-7);
    assert!((zeta(2.0, 3.0) - (pi * pi / 6.0 - 1.25)).abs() < 1e-7);
}

#[test]
fn the_exponent_of_a_power_law_is_found() {
    let mut rng = crate::Rng::new(1, "test");
    // Rounding x − 1/2 gives a discrete power law from x ≥ 9.5 on, almost exactly.
    let draw = |_| (9.5 * rng.power_law(2.1, 1e9) + 0.5) as u32;
    let degrees: Vec<u32> = (0..20_000).map(draw).collect();
    let (found, error) = exponent(&degrees, 10);
    assert!((found - 2.1).abs() < 4.0 * error, "{found} ± {error}");
}

#[test]
fn every_entry_is_filled_in() {
    let mut ids: Vec<&str> = WORLDS.iter().map(|w| w.entry.id.as_ref()).collect();
    for world in WORLDS {
        let entry = &world.entry;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(entry.id.chars().all(plain), "{}", entry.id);
        for text in [&entry.title, &entry.family, &entry.source, &entry.summary, &entry.description]
        {
            assert!(!text.trim().is_empty(), "{}", entry.id);
        }
        assert!(!entry.summary.ends_with('.') && entry.summary.len() <= 80, "{}", entry.summary);
        assert!(!entry.description.contains("  "), "{}", entry.description);
    }
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
}

/// Every parameter at its bounds; large sizes are limited to keep the test short.
#[test]
fn every_world_can_be_made_at_its_bounds() {
    for world in WORLDS {
        let id = &world.entry.id;
        let _ = made(id);
        for param in world.entry.params.iter() {
            let values: Vec<String> = match &param.kind {
                ParamKind::Number { min, max, integer: true, .. } if param.key != "rng" => {
                    vec![min.to_string(), max.min(8_000.0).to_string()]
                }
                ParamKind::Number { min, max, .. } => vec![min.to_string(), max.to_string()],
                ParamKind::Choice { options, .. } => {
                    options.iter().map(ToString::to_string).collect()
                }
                other => panic!("{id}: no values for {other:?}"),
            };
            for value in values {
                let _ = made(&format!("{id}({}:{value})", param.key));
            }
        }
    }
    let _ = made("shop(pages:600,shops:12)");
}

#[test]
fn the_same_parameters_make_the_same_world_and_another_seed_another() {
    for world in WORLDS {
        let id = &world.entry.id;
        assert_eq!(made(id).digest(), made(id).digest(), "{id}");
        if world.entry.param("rng").is_some() {
            let digests = [0, 1, 2].map(|rng| made(&format!("{id}(rng:{rng})")).digest());
            assert!(digests[0] != digests[1] && digests[1] != digests[2], "{id}");
            assert_ne!(digests[0], digests[2], "{id}");
        }
    }
}

#[test]
fn worlds_have_the_size_asked_for() {
    for (spec, n_pages) in [
        ("web", 2_000),
        ("web(pages:1000)", 1_000),
        ("web(pages:12345,rng:9)", 12_345),
        ("campus", 1_200),
        ("campus(pages:200,rng:2)", 200),
        ("campus(pages:4999)", 4_999),
        ("shop", 2_400),
        ("shop(pages:601,shops:12)", 601),
        ("shop(pages:5000,shops:1,rng:3)", 5_000),
        ("newsroom", 1_500),
        ("newsroom(pages:200,rng:5)", 200),
        ("newsroom(pages:7001)", 7_001),
        ("calendar", 3_300),
    ] {
        assert_eq!(made(spec).n_pages(), n_pages, "{spec}");
    }
}

#[test]
fn web_is_like_the_web() {
    let mut exponents = Vec::new();
    for rng in 1..=5 {
        let spec = format!("web(pages:20000,rng:{rng})");
        let world = made(&spec);
        let (found, _) = exponent(&in_degrees(&world), 10);
        check(&format!("{spec}: in-degree exponent"), found, 1.9, 2.3);
        exponents.push(found);
        let mean = f64::from(world.n_links()) / 20_000.0;
        check(&format!("{spec}: links a page"), mean, 7.5, 12.0);
        check(&format!("{spec}: links within the host"), within_host(&world), 0.73, 0.86);
        check(&format!("{spec}: reciprocity"), reciprocity(&world), 0.17, 0.26);
        let dangling = share_of_pages(&world, |page| world.links(page).is_empty());
        check(&format!("{spec}: pages without links"), dangling, 0.2, 0.25);
        check_reach(&world, &spec, 10, 40);
        // Host sizes: some are very large, most are small.
        let mut sizes = vec![0_u32; world.hosts().len()];
        world.pages().filter_map(|page| world.host_of(page)).for_each(|h| sizes[h.index()] += 1);
        sizes.sort_unstable();
        let (median, largest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
        assert!(largest > 30 * median, "{spec}: median host {median}, largest {largest}");
        // Only a graph and URLs.
        assert!(world.pages().all(|p| world.title_of(p).is_empty() && world.bytes(p).is_none()));
        assert!(world.memory_bytes() < 130 * 20_000, "{spec}: {}", world.memory_bytes());
    }
    let mean = exponents.iter().sum::<f64>() / 5.0;
    check("web: mean in-degree exponent", mean, 2.0, 2.15);
}

#[test]
fn in_a_small_web_too() {
    for rng in 1..=5 {
        let spec = format!("web(rng:{rng})");
        let world = made(&spec);
        let (found, _) = exponent(&in_degrees(&world), 5);
        check(&format!("{spec}: in-degree exponent"), found, 1.85, 2.2);
        let mean = f64::from(world.n_links()) / 2_000.0;
        check(&format!("{spec}: links a page"), mean, 6.5, 11.0);
        check(&format!("{spec}: links within the host"), within_host(&world), 0.68, 0.9);
        check_reach(&world, &spec, 6, 30);
    }
}

#[test]
fn parameters_of_web_do_what_they_say() {
    let of = |params: &str| made(&format!("web(pages:20000,{params})"));
    let steep = exponent(&in_degrees(&of("copy:0.4")), 10).0;
    let flat = exponent(&in_degrees(&of("copy:0.9")), 10).0;
    assert!(steep > flat + 0.1, "copy 0.4: {steep}, 0.9: {flat}");
    check("links a page, 20 asked for", f64::from(of("links:20").n_links()) / 20_000.0, 13.0, 23.0);
    check("links a page, 5 asked for", f64::from(of("links:5").n_links()) / 20_000.0, 3.9, 6.5);
    let (few, many) = (within_host(&of("leave:0.05")), within_host(&of("leave:0.5")));
    assert!(few > 0.9 && many < 0.65, "leave 0.05: {few} within the host, 0.5: {many}");
}

#[test]
fn campus_is_like_a_university() {
    for rng in 1..=5 {
        let spec = format!("campus(rng:{rng})");
        let world = made(&spec);
        let (found, _) = exponent(&in_degrees(&world), 3);
        check(&format!("{spec}: in-degree exponent"), found, 2.0, 2.25);
        let mean = f64::from(world.n_links()) / 1_200.0;
        check(&format!("{spec}: links a page"), mean, 7.4, 8.9);
        check(&format!("{spec}: links within the host"), within_host(&world), 0.8, 0.87);
        check(&format!("{spec}: reciprocity"), reciprocity(&world), 0.28, 0.33);
        check_reach(&world, &spec, 5, 9);
        assert!(world.hosts().len() >= 10 && world.n_sites() == 1, "{spec}");
        let gone = share_of_pages(&world, |page| world.status(page) == 404);
        check(&format!("{spec}: broken"), gone, 0.004, 0.036);
        let moved = share_of_pages(&world, |page| world.status(page) == 301);
        check(&format!("{spec}: moved"), moved, 0.001, 0.031);
        let clicked = share_of_pages(&world, |page| world.clicks(page) > 0);
        check(&format!("{spec}: pages with clicks"), clicked, 0.045, 0.1);
        let deep = share_of_pages(&world, |page| world.url(page).matches('/').count() >= 5);
        assert!(deep > 0.3, "{spec}: pages two directories down: {deep}");
    }
}

/// Linked pages share their topic far more often than by chance.
#[test]
fn links_stay_with_the_topic() {
    let world = made("campus");
    let subject = |page: PageId| SUBJECTS.iter().position(|s| world.has_topic(page, s.name));
    let mut sizes = vec![0_f64; SUBJECTS.len()];
    world.pages().filter_map(subject).for_each(|s| sizes[s] += 1.0);
    let total: f64 = sizes.iter().sum();
    let by_chance: f64 = sizes.iter().map(|n| (n / total) * (n / total)).sum();
    let both = share_of_links(&world, |a, b| subject(a).is_some() && subject(b).is_some());
    let same = share_of_links(&world, |a, b| subject(a).is_some() && subject(a) == subject(b));
    assert!(same / both > 0.85 && by_chance < 0.4, "{} against {by_chance}", same / both);
    // Most topical words of a page belong to its own subject.
    let own_words = |page: PageId| {
        let text = world.page_text(page).to_lowercase();
        let count =
            |s: usize| text.split([' ', '.']).filter(|w| SUBJECTS[s].words.contains(w)).count();
        subject(page).is_some_and(|own| (0..SUBJECTS.len()).all(|s| count(own) >= count(s)))
    };
    let labelled = share_of_pages(&world, |page| subject(page).is_some());
    assert!(share_of_pages(&world, own_words) > 0.99 * labelled);
}

#[test]
fn pages_change_as_their_kind_does() {
    let world = made("campus(pages:5000)");
    let mean_rate = |label: &str| {
        let pages: Vec<PageId> = world.pages().filter(|p| world.has_topic(*p, label)).collect();
        let rates: f64 = pages.iter().map(|p| world.change_rate_per_hour(*p)).sum();
        rates / pages.len() as f64
    };
    let (news, person) = (mean_rate("news"), mean_rate("person"));
    assert!(news > 4.0 * person && person > 0.0, "{news}, {person}");
    let is_document = |page: &PageId| world.url(*page).ends_with(".pdf");
    let documents: Vec<PageId> = world.pages().filter(is_document).collect();
    assert!(documents.len() > 300, "{}", documents.len());
    for page in documents {
        assert!(world.change_rate_per_hour(page) == 0.0 && world.links(page).is_empty());
    }
}

#[test]
fn shops_are_like_shops() {
    for rng in 1..=5 {
        let spec = format!("shop(rng:{rng})");
        let world = made(&spec);
        check_reach(&world, &spec, 5, 12);
        assert_eq!((world.hosts().len(), world.own_seeds().len()), (7, 6), "{spec}");
        check(&format!("{spec}: links within the host"), within_host(&world), 0.95, 0.995);
        for topic in ["phones", "cameras", "laptops"] {
            let targets = share_of_pages(&world, |page| world.has_topic(page, topic));
            check(&format!("{spec}: {topic}"), targets, 0.04, 0.14);
        }
        let failed = share_of_pages(&world, |page| world.status(page) != 200);
        check(&format!("{spec}: broken or moved"), failed, 0.01, 0.04);
        let clicked = share_of_pages(&world, |page| world.clicks(page) > 0);
        check(&format!("{spec}: pages with clicks"), clicked, 0.05, 0.12);
    }
}
