//! Policies cannot use future changes: two worlds with equal changes up to a time are visited
//! identically up to that time.

use crate::{HOURS, cases, random_budget, random_rules};
use crawl_core::Step;
use crawl_core::revisit::{NextVisit, Policy, PolicyContext, PolicyView};
use crawl_core::{Explanation, UrlId};
use crawl_tests::changing::{
    ChangePattern, ChangingWorld, CrawlSetup, PolicyVariant, policy_variants,
};
use crawl_world::{Changes, PageId, Rng, World};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The same world up to a time; afterwards its pages change and disappear at other times.
fn other_future(
    changing: &ChangingWorld,
    world: &World,
    rng_of_run: u64,
    at_s: f64,
    seed: u64,
) -> ChangingWorld {
    let mut rng = Rng::new(seed, "other future");
    let at_us = (at_s * 1e6) as u64;
    let patterns = (0..changing.patterns.len()).map(|i| {
        // Past changes are replayed from their recorded times, for all processes.
        let changes = Changes::new(world, PageId(i as u32), rng_of_run);
        let past = changes.into_iter().take_while(|at| *at <= at_us);
        let mut times: Vec<f64> = past.map(|at| at as f64 / 1e6).collect();
        let n = rng.below(30);
        times.extend((0..n).map(|_| at_s + 1.0 + rng.fraction() * 36_000.0));
        if times.is_empty() { ChangePattern::Never } else { ChangePattern::Recorded(times) }
    });
    let patterns = patterns.collect();
    let gone = changing.gone.iter().map(|gone| match gone {
        Some(since) if *since <= at_s => Some(*since),
        _ => rng.chance(0.3).then(|| at_s + 1.0 + rng.fraction() * 36_000.0),
    });
    ChangingWorld { gone: gone.collect(), patterns, ..changing.clone() }
}

/// The steps that completed by a time.
fn until(setup: &CrawlSetup<'_>, start: crawl_core::Simulator, at_us: u64) -> Vec<Step> {
    let mut run = start;
    std::iter::from_fn(|| run.step(setup.world)).take_while(|step| step.at_us <= at_us).collect()
}

type Make<'a> = dyn Fn(&CrawlSetup<'_>) -> crawl_core::Simulator + 'a;

/// The first difference between two futures before they diverge.
fn notices(make: &Make<'_>, changing: &ChangingWorld, seed: u64) -> Option<String> {
    let world = changing.world();
    let at_s = 3600.0 * HOURS * Rng::new(seed, "moment").fraction();
    let other = other_future(changing, &world, seed, at_s, seed).world();
    let at_us = (at_s * 1e6) as u64;
    let setup = |world| CrawlSetup {
        rules: random_rules(seed),
        rng: seed,
        ..CrawlSetup::new(world, random_budget(seed))
    };
    let [one, two] = [&world, &other].map(|world| {
        let setup = setup(world);
        until(&setup, make(&setup), at_us)
    });
    let part = one.iter().zip(&two).find(|(one, two)| one != two);
    part.map(|(one, two)| format!("at {at_us}: {one:?} is not {two:?}")).or_else(|| {
        (one.len() != two.len()).then(|| format!("{} steps are not {}", one.len(), two.len()))
    })
}

fn starts(policy_variant: &PolicyVariant) -> impl Fn(&CrawlSetup<'_>) -> crawl_core::Simulator {
    move |setup| setup.start(policy_variant)
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn honest_policies_cannot_peek(n_pages in 1_usize..16, seed in any::<u64>()) {
        let changing = ChangingWorld::random(seed, n_pages, HOURS);
        for policy_variant in policy_variants().iter().filter(|policy_variant| !policy_variant.needs().is_oracle()) {
            let noticed = notices(&starts(policy_variant), &changing, seed);
            prop_assert_eq!(noticed, None, "{}", policy_variant.name());
        }
    }
}

/// A cheating policy: visits pages right after their next change.
#[derive(Clone)]
struct Peeker {
    world: Arc<World>,
    seed: u64,
}

impl Policy for Peeker {
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit> {
        let page = self.world.find(&at.known.url(url))?;
        let now_us = at.memory.last_us(url)?;
        let next = Changes::new(&self.world, page, self.seed).next_change_after(now_us)?;
        let in_h = (next - now_us + 1) as f64 / 3.6e9;
        Some(NextVisit { in_h, per_h: 1.0 / in_h, apart_per_h: 0.0, spreads: false })
    }

    fn explain(&self, _: UrlId, in_h: f64, _: &PolicyView<'_>) -> Explanation {
        Explanation::given("hours until it changes", in_h)
    }

    fn fills(&self) -> bool {
        false
    }
}

/// Checks the test itself: it detects a cheating policy and every oracle that uses true rates.
#[test]
fn peeking_is_caught() {
    let oracles: Vec<PolicyVariant> = policy_variants()
        .into_iter()
        .filter(|policy_variant| policy_variant.needs().rates)
        .collect();
    assert!(oracles.len() >= 3);
    let mut caught = BTreeSet::new();
    for seed in 0..60 {
        let changing = ChangingWorld::random(seed, 14, HOURS);
        let peek = |setup: &CrawlSetup<'_>| {
            let peeker = Peeker { world: Arc::new(setup.world.clone()), seed: setup.rng };
            setup.start_with(Box::new(peeker), PolicyContext::default())
        };
        if notices(&peek, &changing, seed).is_some() {
            caught.insert("the peeker".to_owned());
        }
        for oracle in &oracles {
            if notices(&starts(oracle), &changing, seed).is_some() {
                caught.insert(oracle.name());
            }
        }
    }
    let expected: BTreeSet<String> =
        oracles.iter().map(PolicyVariant::name).chain(["the peeker".to_owned()]).collect();
    assert_eq!(caught, expected);
}
