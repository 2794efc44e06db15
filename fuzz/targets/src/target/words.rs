//! Words of texts and URLs, for any script.

use super::{Target, no_made_seeds};
use crawl_core::topic::PIPELINE;
use crawl_learn::text::stem;

pub(super) const TARGET: Target = Target {
    name: "words",
    note: "words hold no blanks and no capitals, and are the same step by step",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 15_000,
};

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let words = PIPELINE.words(&text);
    assert!(words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)));
    let steps = PIPELINE.steps(&text);
    let by_steps: Vec<String> = steps.into_iter().filter_map(|step| step.word).collect();
    assert_eq!(words, by_steps);
    let by_steps = PIPELINE.url_steps(&text).into_iter().filter_map(|step| step.word);
    assert_eq!(PIPELINE.url_words(&text), by_steps.collect::<Vec<String>>());
    let mut word = text.into_owned();
    let n_bytes = word.len();
    stem(&mut word);
    // A stem may end in another letter, but is no longer.
    assert!(word.len() <= n_bytes + 1, "{} bytes of {n_bytes}", word.len());
}
