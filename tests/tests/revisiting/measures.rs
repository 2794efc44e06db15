//! Metrics of copies against values computed from visits and change times.

use crate::{HOURS, cases, random_budget, random_rules};
use crawl_core::metric::{Metric, Observation, Setting, true_rate};
use crawl_core::{Copies, CopyNumber, CopyStats, Group, Rules, Simulator, Step, Truth, VisitKind};
use crawl_tests::changing::{
    ChangePattern, ChangingWorld, CrawlSetup, HOUR_US, PolicyVariant, budget, policy_variant,
    policy_variants, table_1, unlinked_pages,
};
use crawl_world::{Changes, PageId, Rng, World};
use proptest::prelude::*;
use std::sync::Arc;

/// The time between two visits to a page with a copy, or until the end.
struct Stretch {
    page: PageId,
    from_us: u64,
    to_us: u64,
    stale_us: u64,
    /// Whether it lasts until the end.
    is_open: bool,
}

fn gone_us(world: &World, page: PageId) -> u64 {
    world.gone_s(page).map_or(u64::MAX, |at| (at * 1e6) as u64)
}

/// All intervals between visits, from the recorded steps.
fn stretches(world: &World, steps: &[Step], rng: u64, end_us: u64) -> Vec<Stretch> {
    let mut all = Vec::new();
    for page in world.pages() {
        let is_page = (200..300).contains(&world.status(page));
        let visits: Vec<u64> =
            steps.iter().filter(|s| is_page && s.page == page).map(|s| s.at_us).collect();
        for (i, from_us) in visits.iter().copied().enumerate() {
            if gone_us(world, page) <= from_us {
                break;
            }
            let to_us = visits.get(i + 1).copied().unwrap_or(end_us);
            let next = Changes::new(world, page, rng).next_change_after(from_us);
            let stale_us = next.unwrap_or(u64::MAX).min(gone_us(world, page));
            let is_open = i + 1 == visits.len();
            all.push(Stretch { page, from_us, to_us, stale_us, is_open });
        }
    }
    all
}

/// The numbers of a group by brute force: freshness and age between any two consecutive events.
fn by_force(all: &[Stretch], weight: &dyn Fn(PageId) -> f64, end_us: u64) -> Option<CopyStats> {
    let moments = all.iter().flat_map(|s| [s.from_us, s.to_us, s.stale_us]);
    let mut moments: Vec<u64> = moments.filter(|at| *at <= end_us).chain([end_us]).collect();
    moments.sort_unstable();
    moments.dedup();
    // Freshness and age at a time, of the intervals that cover the time right after `from`.
    let at = |from_us: u64, at_us: f64, is_end: bool| {
        let (mut sum, mut fresh, mut age) = (0.0, 0.0, 0.0);
        let covers =
            |s: &&Stretch| s.from_us <= from_us && (s.to_us > from_us || is_end && s.is_open);
        for stretch in all.iter().filter(covers) {
            let weight = weight(stretch.page);
            sum += weight;
            if stretch.stale_us > from_us {
                fresh += weight;
            } else {
                age += weight * (at_us - stretch.stale_us as f64) / HOUR_US;
            }
        }
        (sum > 0.0).then(|| (fresh / sum, age / sum))
    };
    let (mut fresh, mut age, mut hours) = (0.0, 0.0, 0.0);
    for pair in moments.windows(2) {
        let middle = (pair[0] as f64 + pair[1] as f64) / 2.0;
        if let Some((share, old)) = at(pair[0], middle, false) {
            let passed = (pair[1] - pair[0]) as f64 / HOUR_US;
            (fresh, age, hours) = (fresh + share * passed, age + old * passed, hours + passed);
        }
    }
    let (freshness, age_h) = at(end_us, end_us as f64, true)?;
    let mean = |sum: f64, now: f64| if hours > 0.0 { sum / hours } else { now };
    let (mean_freshness, mean_age_h) = (mean(fresh, freshness), mean(age, age_h));
    Some(CopyStats { freshness, age_h, mean_freshness, mean_age_h })
}

/// Groups: all pages equally, by clicks, and every third page.
fn groups(world: &World) -> Arc<Vec<Group>> {
    let by = |weight: &dyn Fn(PageId) -> f64| Some(world.pages().map(weight).collect());
    Arc::new(vec![
        Group { name: "all", weights: None },
        Group { name: "clicks", weights: by(&|page| world.clicks(page).into()) },
        Group { name: "top", weights: by(&|page| f64::from(u8::from(page.0 % 3 == 0))) },
    ])
}

#[track_caller]
fn near(what: &str, found: f64, expected: f64) -> Result<(), TestCaseError> {
    let within = 1e-9 * expected.abs().max(1.0);
    prop_assert!((found - expected).abs() <= within, "{}: {} is not {}", what, found, expected);
    Ok(())
}

fn check_copies(
    copies: &Copies,
    world: &World,
    steps: &[Step],
    rng: u64,
    name: &str,
) -> Result<(), TestCaseError> {
    let end_us = copies.now_us();
    let all = stretches(world, steps, rng, end_us);
    for group in groups(world).iter() {
        let weight =
            |page: PageId| group.weights.as_ref().map_or(1.0, |weights| weights[page.index()]);
        let (found, expected) = (copies.stats(group.name), by_force(&all, &weight, end_us));
        prop_assert_eq!(found.is_some(), expected.is_some(), "{} of {}", name, group.name);
        let (Some(found), Some(expected)) = (found, expected) else { continue };
        let name = format!("{name} of {}", group.name);
        near(&format!("freshness by {name}"), found.freshness, expected.freshness)?;
        near(&format!("age by {name}"), found.age_h, expected.age_h)?;
        near(&format!("mean freshness by {name}"), found.mean_freshness, expected.mean_freshness)?;
        near(&format!("mean age by {name}"), found.mean_age_h, expected.mean_age_h)?;
    }
    // Visits that found no change, and changes that no visit could see.
    let (mut n_visits, mut n_wasted, mut n_seen, mut n_missed) = (0, 0, 0, 0);
    for stretch in all.iter().filter(|stretch| !stretch.is_open) {
        n_visits += 1;
        if stretch.stale_us > stretch.to_us {
            n_wasted += 1;
            continue;
        }
        n_seen += 1;
        let gone_us = gone_us(world, stretch.page);
        let (until_us, seen) =
            if gone_us <= stretch.to_us { (gone_us - 1, 0) } else { (stretch.to_us, 1) };
        let changes = Changes::new(world, stretch.page, rng);
        n_missed += changes.n_changes_between(stretch.from_us, until_us) - seen;
    }
    let found = (copies.n_visits(), copies.n_wasted(), copies.n_missed());
    prop_assert_eq!(found, (n_visits, n_wasted, (n_missed, n_seen)), "{}", name);
    let last: Vec<&Stretch> = all.iter().filter(|stretch| stretch.is_open).collect();
    prop_assert_eq!(copies.n_copies() as usize, last.len(), "{}", name);
    let n_fresh = last.iter().filter(|s| s.stale_us > end_us).count();
    prop_assert_eq!(copies.n_fresh() as usize, n_fresh, "{}", name);
    Ok(())
}

proptest! {
    #![proptest_config(cases(25))]

    #[test]
    fn copies_agree_with_visits_and_changes(n_pages in 1_usize..14, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let (rules, again) = (random_rules(seed), random_budget(seed));
        let groups = groups(&world);
        let setup = CrawlSetup { rules, rng: seed, groups, ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants() {
            let mut run = setup.start(&policy_variant);
            let mut steps = Vec::new();
            let stop = Rng::new(seed, "stop").below(200) as usize;
            while let Some(step) = run.step(&world) {
                steps.push(step);
                if steps.len() == stop {
                    let copies = run.copies().expect("pages live");
                    check_copies(copies, &world, &steps, seed, &policy_variant.name())?;
                }
                if steps.len() > 600 {
                    break;
                }
            }
            if steps.len() <= 600 {
                run.age_until(again.end_us);
            }
            check_copies(run.copies().expect("pages live"), &world, &steps, seed, &policy_variant.name())?;
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// Samples equal the state computed from the last visit before them.
    #[test]
    fn samples_agree_with_the_state_at_their_times(n_pages in 1_usize..14, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let (rules, again) = (random_rules(seed), random_budget(seed));
        let setup = CrawlSetup { rules, rng: seed, groups: groups(&world), ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants() {
            let mut run = setup.start(&policy_variant);
            let mut before = run.clone();
            let mut expected: Vec<[Option<CopyStats>; 2]> = Vec::new();
            let (mut n_steps, mut is_over) = (0, false);
            while !is_over && n_steps < 300 {
                is_over = run.step(&world).is_none();
                if is_over {
                    run.age_until(again.end_us);
                }
                n_steps += 1;
                let samples = run.copies().expect("pages live").samples();
                while expected.len() < samples.len() {
                    let mut then = before.clone();
                    then.age_until((expected.len() as u64 + 1) * samples.every_us());
                    let copies = then.copies().expect("pages live");
                    expected.push(["all", "clicks"].map(|group| copies.stats(group)));
                }
                before = run.clone();
            }
            let copies = run.copies().expect("pages live");
            for (group, name) in ["all", "clicks"].into_iter().enumerate() {
                let place = copies.place(name).expect("a group");
                let curve = |number| copies.samples().curve(place, number).collect::<Vec<f32>>();
                for (number, of) in NUMBERS {
                    let is = curve(number);
                    prop_assert_eq!(is.len(), expected.len());
                    for (is, then) in is.iter().zip(&expected) {
                        let then = then[group].as_ref().map_or(-1.0, of);
                        let within = 1e-5 * then.abs().max(1.0);
                        let is_near = (f64::from(*is) - then).abs() <= within;
                        prop_assert!(is_near, "{:?} by {}: {} {}", number, policy_variant.name(), is, then);
                    }
                }
            }
        }
    }
}

/// The sampled numbers, and how to compute each.
type Number = (CopyNumber, fn(&CopyStats) -> f64);
const NUMBERS: [Number; 4] = [
    (CopyNumber::Freshness, |now| now.freshness),
    (CopyNumber::Age, |now| now.age_h),
    (CopyNumber::MeanFreshness, |now| now.mean_freshness),
    (CopyNumber::MeanAge, |now| now.mean_age_h),
];

/// A metric computed on its own, at the end of a run.
fn measured(setup: &CrawlSetup<'_>, run: &Simulator, last: Step, spec: &str) -> Option<f64> {
    let catalogue = crawl_run::catalogue();
    let chosen = catalogue.choose(crawl_catalogue::Kind::Metric, spec).expect("a measure");
    let entry = crawl_core::metric::find(&chosen.id).expect("a registered measure");
    let ranks = vec![1.0; setup.world.n_pages() as usize];
    let truth = Truth { ranker: "same".to_owned(), ranks };
    let reach = setup.world.reach(&setup.seeds);
    let (world, area_pages) = (setup.world, 1);
    let setting =
        Setting { world, truth: &truth, reach: &reach, area_pages, topic: None, bounds: None };
    let mut metric: Box<dyn Metric> = (entry.build)(&chosen.params, &setting);
    metric.observe(&Observation { setting, step: last, run, is_last: true })
}

fn finished(
    setup: &CrawlSetup<'_>,
    policy_variant: &PolicyVariant,
) -> (Simulator, Step, Vec<Step>) {
    let (run, steps) = setup.finish(policy_variant);
    let last = *steps.last().expect("a page was fetched");
    (run, last, steps)
}

proptest! {
    #![proptest_config(cases(15))]

    /// Metrics of copies, ledgers and plans against direct computations.
    #[test]
    fn metrics_agree_with_direct_computations(n_pages in 1_usize..14, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let again = random_budget(seed);
        // robots.txt off, so that at least one page is fetched.
        let rules = Rules { robots: false, ..Rules::default() };
        let setup = CrawlSetup { rules, rng: seed, groups: groups(&world), ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants() {
            let (run, last, steps) = finished(&setup, &policy_variant);
            let of = |spec: &str| measured(&setup, &run, last, spec);
            let copies = run.copies().expect("pages live");
            let ledger = run.session().ledger().expect("a policy");
            let again = steps.iter().filter(|step| step.visit != VisitKind::First).count();
            prop_assert_eq!(of("visits"), Some(again as f64));
            let share = |n: f64, of: f64| (of > 0.0).then(|| n / of);
            let n_wasted = f64::from(copies.n_wasted());
            prop_assert_eq!(of("wasted-visits"), share(n_wasted, again as f64));
            prop_assert_eq!(of("late-visits"), share(ledger.n_late.into(), again as f64));
            let (n_missed, n_seen) = copies.n_missed();
            let missed = share(n_missed as f64, (n_missed + n_seen) as f64);
            prop_assert_eq!(of("missed-changes"), missed);
            let reached = f64::from(world.reach(&setup.seeds).n_pages());
            prop_assert_eq!(of("up-to-date"), share(copies.n_fresh().into(), reached));
            // Estimated against true rates.
            let session = run.session();
            let errors: Vec<f64> = session.book().order().iter().filter_map(|url| {
                let estimate = session.visit_plan(*url)?.estimate?;
                let rate = true_rate(&world, session.book().page(*url));
                (rate > 0.0).then(|| (estimate - rate) / rate)
            }).collect();
            let mean = |sum: f64| share(sum, errors.len() as f64);
            let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                (a, b) => a == b,
            };
            prop_assert!(close(of("rate-bias"), mean(errors.iter().sum())));
            prop_assert!(close(of("rate-error"), mean(errors.iter().map(|e| e.abs()).sum())));
            for (spec, value) in [("freshness(of:clicks)", true), ("mean-age(of:top)", false)] {
                let group = if value { "clicks" } else { "top" };
                let now = copies.stats(group);
                let now = now.map(|now| if value { now.freshness } else { now.mean_age_h });
                prop_assert_eq!(of(spec), now, "{}", spec);
            }
        }
    }
}

/// The optimal policy reaches the optimum, and no fixed schedule exceeds it.
#[test]
fn no_policy_exceeds_the_optimum() {
    let mut rng = Rng::new(7, "rates");
    let mut worlds = vec![table_1(), unlinked_pages(&[ChangePattern::Poisson(300.0)])];
    for n in [1, 3, 9] {
        let patterns = (0..n).map(|_| match rng.below(4) {
            0 => ChangePattern::Never,
            _ => ChangePattern::Poisson(libm::exp(12.0 * rng.fraction() - 7.0)),
        });
        worlds.push(unlinked_pages(&patterns.collect::<Vec<_>>()));
    }
    for world in &worlds {
        for visits in [0.01, 1.5, 30.0] {
            // Long enough that the last discovered pages are in a plan.
            let hours = 40.0 + 5.0 * f64::from(world.n_pages()) / visits;
            let setup = CrawlSetup {
                groups: groups(world),
                ..CrawlSetup::new(world, budget(visits, hours))
            };
            for policy_variant in policy_variants() {
                let name = format!("{} at {visits}", policy_variant.name());
                let (run, last, _) = finished(&setup, &policy_variant);
                let Some(less) = measured(&setup, &run, last, "distance-to-optimum") else {
                    assert!(policy_variant.build().competes(), "{name} has no distance");
                    continue;
                };
                // Adaptive policies may temporarily plan more than they can spend.
                assert!(less >= -1e-9, "{name} is better than the best by {less}");
                if policy_variant.name() == "optimal(knows:rates)" {
                    assert!(less.abs() < 1e-9, "{name} is not the best by {less}");
                }
            }
        }
    }
}

/// By hand: a page that changes at 2 h, visited at 0 h and at 5 h, until 6 h.
#[test]
fn a_copy_by_hand() {
    let world = unlinked_pages(&[ChangePattern::Recorded(vec![7200.0]), ChangePattern::Never]);
    let setup = CrawlSetup {
        rules: Rules { latency_ms: 0.0, ..Rules::default() },
        ..CrawlSetup::new(&world, budget(1.0, 6.0))
    };
    let (run, steps) = setup.finish(&policy_variant("adaptive(start:5)"));
    assert_eq!(steps.iter().map(|s| s.at_us / 3_600_000_000).collect::<Vec<_>>(), [0, 0, 5, 5]);
    let now = run.copies().and_then(|copies| copies.stats("all")).expect("copies");
    assert!((now.mean_freshness - (1.0 + 0.5) / 2.0).abs() < 1e-9, "{now:?}");
    // ½·3² hours of age, over 6 hours and 2 copies.
    assert!((now.mean_age_h - 4.5 / 12.0).abs() < 1e-9, "{now:?}");
    assert_eq!((now.freshness, now.age_h), (1.0, 0.0));
}
