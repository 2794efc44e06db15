//! Links: whatever opens prints as a link that opens to the same experiment.

#![no_main]

use crawl_protocol::Experiment;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let catalogue = crawl_run::catalogue();
    let Ok(experiment) = Experiment::from_link(text, &catalogue) else { return };
    let again = Experiment::from_link(&experiment.to_link(), &catalogue);
    assert_eq!(again.as_ref(), Ok(&experiment));
});
