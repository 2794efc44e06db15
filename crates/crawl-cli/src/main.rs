//! `crawlscope`: the experiments on the command line, with the same digests as in the browser.

mod args;
mod bench;
mod convert;
mod datasets;
mod explain;
mod extremes;
mod failure;
mod inspect;
mod json;
mod list;
mod progress;
mod rank;
mod report;
mod reproduce;
mod run;
mod serve;
mod setup;
mod terminal;
mod usage;
mod world_source;

use args::{Cli, Task};
use clap::Parser;
use crawl_catalogue::Kind;
use failure::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::report(&error),
    };
    match run(&cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(task: &Task) -> Outcome {
    match task {
        Task::Strategies(args) => list::run(Kind::Strategy, args),
        Task::Rankers(args) => list::run(Kind::Ranker, args),
        Task::Metrics(args) => list::run(Kind::Metric, args),
        Task::Worlds(args) => list::run(Kind::World, args),
        Task::Importers(args) => list::run(Kind::Importer, args),
        Task::Policies(args) => list::run(Kind::Policy, args),
        Task::Topics(args) => list::run(Kind::Topic, args),
        Task::Figures(args) => list::run(Kind::Figure, args),
        Task::Run(args) => run::run(args),
        Task::Explain(args) => explain::run(args),
        Task::Inspect(args) => inspect::run(args),
        Task::Rank(args) => rank::run(args),
        Task::Reproduce(args) => reproduce::run(args),
        Task::Convert(args) => convert::run(args),
        Task::Serve(args) => serve::run(args),
        Task::Bench(args) => bench::run(args),
        Task::Extremes => extremes::run(),
    }
}
