//! Experiments with free parameters: strategies, policies, topics, rules and seeds as a link names
//! them, on a small web of ours.

use super::{Target, no_made_seeds};
use crate::check::check_experiment;
use crate::world::experiment;

pub(super) const TARGET: Target = Target {
    name: "experiment",
    note: "a valid link runs, the same twice, and all measures are numbers; or it says why not",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 800,
};

/// Most lanes that are run.
const MAX_LANES: usize = 4;

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(mut experiment) = experiment(text) else { return };
    experiment.strategies.truncate(MAX_LANES);
    experiment.revisits.truncate(MAX_LANES);
    check_experiment(&experiment);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Corpus;

    #[test]
    fn every_seed_is_an_experiment() {
        for (name, seed) in Corpus::read(&TARGET).unwrap().seeds {
            let text = String::from_utf8(seed).unwrap();
            experiment(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
