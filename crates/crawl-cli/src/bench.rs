//! `crawlscope bench`: tables for the documentation.

mod orderings;

use crate::args::{Bench, BenchArgs};
use crate::failure::Outcome;

/// Runs the command.
pub fn run(args: &BenchArgs) -> Outcome {
    match &args.bench {
        Bench::Orderings(args) => orderings::run(args),
    }
}
