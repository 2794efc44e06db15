//! Every score has an explanation that adds up to it.

use crate::{cases, random_rules, random_world};
use crawl_core::{Evidence, Explanation, MAX_PARTS, Op, Rules, Session, Simulator, UrlId, agree};
use crawl_tests::variants::strategy_variants;
use crawl_tests::worlds::small_worlds;
use crawl_world::{PageId, World};
use proptest::prelude::*;

/// The first error in the explanations of all waiting URLs.
pub(crate) fn fault(session: &Session, world: &World) -> Option<String> {
    session.frontier().waiting().find_map(|url| {
        let explanation = session.explain(world, url);
        let fault = fault_of(&explanation, session, world, url)?;
        Some(format!("{url:?}: {fault}: {explanation:#?}"))
    })
}

fn fault_of(
    explanation: &Explanation,
    session: &Session,
    world: &World,
    url: UrlId,
) -> Option<String> {
    if let Some(node) = explanation.fault() {
        return Some(format!("{:?} does not follow from its parts", node.label));
    }
    let score = session.score(url);
    if !agree(explanation.value, score) || explanation.value.is_nan() {
        return Some(format!("{} is not the score {score}", explanation.value));
    }
    unreadable(explanation, session, world)
}

/// Unusable explanations: no label, endless sums, evidence that was never seen.
fn unreadable(node: &Explanation, session: &Session, world: &World) -> Option<String> {
    let known = session.known(world);
    if node.label.trim().is_empty() {
        return Some("a node without a label".to_owned());
    }
    if node.children.len() > MAX_PARTS || (node.op == Op::Given && !node.children.is_empty()) {
        return Some(format!("{:?} has {} parts", node.label, node.children.len()));
    }
    for evidence in &node.evidence {
        let sound = match evidence {
            Evidence::Fetched(url) => {
                url.0 < known.n_discovered() && known.fetch_number(*url).is_some()
            }
            Evidence::Discovered(url) => url.0 < known.n_discovered(),
            Evidence::Note(note) => !note.trim().is_empty(),
        };
        if !sound {
            return Some(format!("{:?} rests on {evidence:?}", node.label));
        }
    }
    let mut children = node.children.iter();
    children.find_map(|child| unreadable(child, session, world))
}

/// Checks all explanations before the first step and after every `every`-th.
fn check(
    world: &World,
    seeds: &[PageId],
    rules: &Rules,
    n_steps: usize,
    every: usize,
) -> Result<(), String> {
    for variant in strategy_variants() {
        let mut run = Simulator::new(variant.session(world, seeds, rules));
        for step in 0..=n_steps {
            if step % every == 0
                && let Some(fault) = fault(run.session(), world)
            {
                return Err(format!("{} at step {step}: {fault}", variant.name()));
            }
            if run.step(world).is_none() {
                break;
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn explanations_add_up_to_scores(n_pages in 1_usize..40, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let rules = if seed % 2 == 0 { Rules::default() } else { random_rules(seed) };
        let checked = check(&sketch.world(), &sketch.seeds(), &rules, 40, 3);
        prop_assert_eq!(checked, Ok(()), "{:?}", rules);
    }
}

#[test]
fn explanations_add_up_on_generated_worlds() {
    for (name, world) in small_worlds() {
        // Enough steps for periodic rankers to run.
        let checked = check(&world, &world.seeds(), &Rules::default(), 240, 120);
        assert_eq!(checked, Ok(()), "{name}");
    }
}
