//! Formulas that people type.

use super::{Target, no_made_seeds};
use crate::check::check_line;
use crawl_catalogue::Word;
use crawl_core::formula::{Formula, LIMIT};
use crawl_core::{Explanation, agree};
use std::borrow::Cow;

pub(super) const TARGET: Target = Target {
    name: "formula",
    note: "a fault with its place, or a score within bounds whose explanation comes to the same",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 40_000,
};

const NAMES: [&str; 5] = ["backlinks", "depth", "cash", "distance", "x"];

/// What variables may be, odd values included.
const VALUES: [f64; 8] = [0.0, 1.0, -1.0, 0.5, 1e-310, 1e308, f64::INFINITY, f64::NAN];

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let word = |name: &'static str| Word { name: Cow::Borrowed(name), help: Cow::Borrowed("") };
    let formula = match Formula::read(text, &NAMES.map(word)) {
        Ok(formula) => formula,
        Err(fault) => {
            assert!(fault.at <= fault.text.chars().count(), "the place is outside the text");
            let (window, at) = fault.window(40);
            assert!(at <= window.chars().count() && !window.contains('\n'), "{window:?} at {at}");
            return check_line(&fault.message);
        }
    };
    assert!(formula.variables().all(|at| at < NAMES.len()));
    for shift in 0..VALUES.len() {
        let value = |at: usize| VALUES[(at + shift) % VALUES.len()];
        let score = formula.score(value);
        assert!(score.abs() <= LIMIT, "{score} is out of bounds");
        assert_eq!(formula.score(value).to_bits(), score.to_bits());
        let why = formula.explain(|at| Explanation::given("a variable", value(at)));
        assert!(agree(why.value, score), "{score} is explained as {}", why.value);
    }
}
