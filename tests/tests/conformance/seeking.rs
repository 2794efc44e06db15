//! Seeking: the state at a step does not depend on the path to it.

use crate::{cases, random_rules, random_world};
use crawl_core::{Counters, Move, Rules, Simulator, Travel, UrlId};
use crawl_tests::variants::{StrategyVariant, strategy_variant, strategy_variants};
use crawl_tests::worlds::small_worlds;
use crawl_world::{Digest, PageId, Rng, World};
use proptest::prelude::*;

/// The observable state of a run at a step.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    digest: Digest,
    counters: Counters,
    n_discovered: u32,
    now_us: u64,
    in_flight: Vec<UrlId>,
    upcoming: Vec<(UrlId, u64)>,
}

fn moment(simulator: &Simulator, world: &World) -> Moment {
    let session = simulator.session();
    let scored = |url: UrlId| (url, session.score(url).to_bits());
    Moment {
        digest: session.digest(world),
        counters: session.counters(),
        n_discovered: session.book().n_discovered(),
        now_us: simulator.now_us(),
        in_flight: session.in_flight().collect(),
        upcoming: session.upcoming(world, 25).into_iter().map(scored).collect(),
    }
}

fn start(variant: &StrategyVariant, world: &World, seeds: &[PageId], rules: &Rules) -> Simulator {
    Simulator::new(variant.session(world, seeds, rules))
}

/// The states of a run, from before its first step to after its last.
fn moments(mut simulator: Simulator, world: &World) -> Vec<Moment> {
    let mut moments = vec![moment(&simulator, world)];
    while simulator.step(world).is_some() {
        moments.push(moment(&simulator, world));
    }
    moments
}

/// Seeks to various steps, and compares with running straight to each.
pub(crate) fn check(
    start: Simulator,
    world: &World,
    n_seeks: usize,
    seed: u64,
) -> Result<(), String> {
    let moments = moments(start.clone(), world);
    let last = moments.len() as u32 - 1;
    let mut travel = Travel::new(start);
    let mut rng = Rng::new(seed, "seeks");
    for _ in 0..n_seeks {
        let step = match rng.below(8) {
            0 => 0,
            1 => last + 5,
            2 => travel.at().saturating_sub(1),
            3 => travel.at() + 1,
            _ => rng.below(last + 1),
        };
        let stands = travel.seek(world, step);
        if stands != step.min(last) || travel.at() != stands {
            return Err(format!("sought {step} of {last}, stands at {stands}"));
        }
        let expected = &moments[stands as usize];
        let found = moment(travel.now(), world);
        // The last step and the end differ only after asking once more, which may open a batch or
        // drop refused URLs; the steps are equal.
        if found.digest != expected.digest
            || found.n_discovered != expected.n_discovered
            || (stands < last && found != *expected)
        {
            return Err(format!("at step {stands}: {found:#?} is not {expected:#?}"));
        }
    }
    travel.seek(world, u32::MAX);
    let trace = travel.trace();
    if travel.farthest() != last || !travel.is_finished() || trace.pages.len() != last as usize {
        return Err(format!("the farthest step is {}", travel.farthest()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn seeking_gives_the_same_state_by_any_path(
        n_pages in 1_usize..60,
        seed in any::<u64>(),
    ) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = random_rules(seed);
        for variant in strategy_variants() {
            let start = start(&variant, &world, &sketch.seeds(), &rules);
            let checked = check(start, &world, 12, seed);
            prop_assert_eq!(checked, Ok(()), "{} {:?}", variant.name(), rules);
        }
    }
}

/// Long enough that checkpoints are taken and used.
#[test]
fn long_runs_are_restored_from_checkpoints() {
    let rules = |fetchers, budget| Rules { fetchers, budget: Some(budget), ..Rules::default() };
    for (i, (name, world)) in small_worlds().iter().enumerate() {
        for variant in strategy_variants() {
            // Alternates between two rule sets over the worlds.
            let rules = if i % 2 == 0 { rules(1, 330) } else { rules(4, 280) };
            let start = start(&variant, world, &world.seeds(), &rules);
            let checked = check(start, world, 4, i as u64);
            assert_eq!(checked, Ok(()), "{} on {name}", variant.name());
        }
    }
    // Several checkpoints, for strategies that are fast enough with their defaults.
    let world = crawl_tests::worlds::world("web");
    for entry in crawl_core::strategy::STRATEGIES {
        let variant = strategy_variant(&entry.entry.id);
        let start = start(&variant, &world, &world.seeds(), &rules(1, 1200));
        assert_eq!(check(start, &world, 12, 1), Ok(()), "{}", variant.name());
    }
}

/// The reported score changes equal the differences of scores observed while running.
fn check_moves(start: Simulator, world: &World, n_steps: u32) -> Result<(), String> {
    let mut simulator = start.clone();
    // For every URL its score at each step from its discovery on, while it waits.
    let mut seen: Vec<Vec<(u32, f64)>> = Vec::new();
    loop {
        let session = simulator.session();
        seen.resize_with(session.book().n_discovered() as usize, Vec::new);
        for (url, scores) in (0..).map(UrlId).zip(&mut seen) {
            if session.frontier().contains(url) {
                scores.push((session.n_steps(), session.score(url)));
            }
        }
        if session.n_steps() >= n_steps || simulator.step(world).is_none() {
            break;
        }
    }
    let mut travel = Travel::new(start);
    let at = travel.seek(world, n_steps);
    let order = travel.now().session().book().order().to_vec();
    for (url, scores) in (0..).map(UrlId).zip(&seen) {
        let moves = travel.moves(world, url);
        let expected: Vec<(u32, u64, u64)> = scores
            .windows(2)
            .filter(|pair| pair[0].1 != pair[1].1)
            .map(|pair| (pair[1].0, pair[0].1.to_bits(), pair[1].1.to_bits()))
            .collect();
        let told = |m: &Move| (m.step, m.before.to_bits(), m.after.to_bits());
        let found: Vec<(u32, u64, u64)> = moves.iter().map(told).collect();
        if found != expected {
            return Err(format!("{url:?} at {at}: {moves:?}, scores were {scores:?}"));
        }
        if let Some(odd) = moves.iter().find(|m| order[m.step as usize - 1] != m.by) {
            return Err(format!("{url:?}: {odd:?} is not by the page of that step"));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn moves_are_the_differences_of_scores(
        n_pages in 1_usize..40,
        n_steps in 0_u32..40,
        seed in any::<u64>(),
    ) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        for variant in strategy_variants() {
            let rules = if seed % 2 == 0 { Rules::default() } else { random_rules(seed) };
            let start = start(&variant, &world, &sketch.seeds(), &rules);
            let checked = check_moves(start, &world, n_steps);
            prop_assert_eq!(checked, Ok(()), "{} {:?}", variant.name(), rules);
        }
    }
}
