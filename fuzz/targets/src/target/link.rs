//! Links: whatever opens prints as a link that opens to the same experiment.

use super::{Target, no_made_seeds};
use crate::check::{catalogue, check_line};
use crawl_protocol::{Experiment, WorldSource};
use crawl_run::Run;

pub(super) const TARGET: Target = Target {
    name: "link",
    note: "an error of bounded length, or an experiment whose link opens to the same experiment",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 12_000,
};

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let experiment = match Experiment::from_link(text, catalogue()) {
        Ok(experiment) => experiment,
        Err(error) => return check_line(&error.to_string()),
    };
    let again = Experiment::from_link(&experiment.to_link(), catalogue());
    assert_eq!(again.as_ref(), Ok(&experiment));
    if matches!(experiment.world, WorldSource::File { .. })
        && let Err(error) = Run::make_world(&experiment.world)
    {
        check_line(&error.to_string());
    }
}
