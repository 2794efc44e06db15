//! Honest policies cannot peek: two worlds whose changes agree up to a moment are visited alike up to
//! that moment, whatever comes after it.

use crate::{HOURS, cases, random_budget, random_rules};
use crawl_core::Step;
use crawl_core::revisit::{At, Policy, PolicyGiven, Wanted};
use crawl_core::{Explanation, UrlId};
use crawl_tests::living::{Habit, Living, Trip, Visitor, visitors};
use crawl_world::{Changes, PageId, Rng, World};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The same world until a moment; afterwards its pages change otherwise, and go at other times.
fn other_future(living: &Living, world: &World, rng_of_run: u64, at_s: f64, seed: u64) -> Living {
    let mut rng = Rng::new(seed, "other future");
    let at_us = (at_s * 1e6) as u64;
    let habits = (0..living.habits.len()).map(|i| {
        // What happened is told as it was recorded, by whichever process it came.
        let changes = Changes::new(world, PageId(i as u32), rng_of_run);
        let past = changes.into_iter().take_while(|at| *at <= at_us);
        let mut times: Vec<f64> = past.map(|at| at as f64 / 1e6).collect();
        let n = rng.below(30);
        times.extend((0..n).map(|_| at_s + 1.0 + rng.fraction() * 36_000.0));
        if times.is_empty() { Habit::Never } else { Habit::Recorded(times) }
    });
    let habits = habits.collect();
    let gone = living.gone.iter().map(|gone| match gone {
        Some(since) if *since <= at_s => Some(*since),
        _ => rng.chance(0.3).then(|| at_s + 1.0 + rng.fraction() * 36_000.0),
    });
    Living { gone: gone.collect(), habits, ..living.clone() }
}

/// The steps of a run that were over by a moment.
fn until(trip: &Trip<'_>, start: crawl_core::Simulator, at_us: u64) -> Vec<Step> {
    let mut run = start;
    std::iter::from_fn(|| run.step(trip.world)).take_while(|step| step.at_us <= at_us).collect()
}

type Make<'a> = dyn Fn(&Trip<'_>) -> crawl_core::Simulator + 'a;

/// Where two futures are told apart before they come, if they are.
fn notices(make: &Make<'_>, living: &Living, seed: u64) -> Option<String> {
    let world = living.world();
    let at_s = 3600.0 * HOURS * Rng::new(seed, "moment").fraction();
    let other = other_future(living, &world, seed, at_s, seed).world();
    let at_us = (at_s * 1e6) as u64;
    let trip = |world| Trip {
        rules: random_rules(seed),
        rng: seed,
        ..Trip::new(world, random_budget(seed))
    };
    let [one, two] = [&world, &other].map(|world| {
        let trip = trip(world);
        until(&trip, make(&trip), at_us)
    });
    let part = one.iter().zip(&two).find(|(one, two)| one != two);
    part.map(|(one, two)| format!("at {at_us}: {one:?} is not {two:?}")).or_else(|| {
        (one.len() != two.len()).then(|| format!("{} steps are not {}", one.len(), two.len()))
    })
}

fn starts(visitor: &Visitor) -> impl Fn(&Trip<'_>) -> crawl_core::Simulator {
    move |trip| trip.start(visitor)
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn honest_policies_cannot_peek(n_pages in 1_usize..16, seed in any::<u64>()) {
        let living = Living::random(seed, n_pages, HOURS);
        for visitor in visitors().iter().filter(|visitor| !visitor.needs().is_oracle()) {
            let noticed = notices(&starts(visitor), &living, seed);
            prop_assert_eq!(noticed, None, "{}", visitor.name());
        }
    }
}

/// Visits pages right after their next change, which it looks up where it should not.
#[derive(Clone)]
struct Peeker {
    world: Arc<World>,
    seed: u64,
}

impl Policy for Peeker {
    fn wanted(&mut self, url: UrlId, at: &At<'_>) -> Option<Wanted> {
        let page = self.world.find(&at.known.url(url))?;
        let now_us = at.memory.last_us(url)?;
        let next = Changes::new(&self.world, page, self.seed).next_change_after(now_us)?;
        let in_h = (next - now_us + 1) as f64 / 3.6e9;
        Some(Wanted { in_h, per_h: 1.0 / in_h, apart_per_h: 0.0, spreads: false })
    }

    fn explain(&self, _: UrlId, in_h: f64, _: &At<'_>) -> Explanation {
        Explanation::given("hours until it changes", in_h)
    }

    fn fills(&self) -> bool {
        false
    }

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }
}

/// The test above has teeth: it catches one that peeks, and every registered oracle that is told
/// rates and goes by them.
#[test]
fn peeking_is_caught() {
    let oracles: Vec<Visitor> =
        visitors().into_iter().filter(|visitor| visitor.needs().rates).collect();
    assert!(oracles.len() >= 3);
    let mut caught = BTreeSet::new();
    for seed in 0..60 {
        let living = Living::random(seed, 14, HOURS);
        let peek = |trip: &Trip<'_>| {
            let peeker = Peeker { world: Arc::new(trip.world.clone()), seed: trip.rng };
            trip.start_with(Box::new(peeker), PolicyGiven::default())
        };
        if notices(&peek, &living, seed).is_some() {
            caught.insert("the peeker".to_owned());
        }
        for oracle in &oracles {
            if notices(&starts(oracle), &living, seed).is_some() {
                caught.insert(oracle.name());
            }
        }
    }
    let expected: BTreeSet<String> =
        oracles.iter().map(Visitor::name).chain(["the peeker".to_owned()]).collect();
    assert_eq!(caught, expected);
}
