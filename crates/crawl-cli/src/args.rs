//! Command-line arguments. Flags for crawl rules are generated from the rule registry.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Parser, Subcommand};
use crawl_catalogue::{Arg as RuleArg, Param, ParamKind, Spec, Value};
use crawl_claims::DOCUMENTS;
use crawl_protocol::Experiment;
use crawl_run::rules;
use std::path::PathBuf;

/// Compare web-crawl strategies from the command line: the same experiments as in the browser
#[derive(Parser)]
#[command(name = "crawlscope", version, max_term_width = 100)]
#[command(after_help = "\
Examples:
  crawlscope run --world campus --strategy breadth-first --strategy opic
  crawlscope run --world graph.tsv --urls urls.tsv --strategy 'opic(keep:true)' --budget 400
  crawlscope explain --world campus --strategy opic --at 120
  crawlscope rank campus --ranker pagerank --against hits
  crawlscope run --link '#v=1&world=campus&run=opic&budget=400'

A world, strategy or ranker is written id(key:value,…), or id?key=value&… to avoid quoting
parentheses in a shell.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Task,
}

/// A subcommand.
#[derive(Subcommand)]
pub enum Task {
    /// List crawl strategies, or describe one
    Strategies(ListArgs),
    /// List rankers of all pages, such as PageRank, or describe one
    Rankers(ListArgs),
    /// List revisit policies, or describe one
    Policies(ListArgs),
    /// List metrics of a run, or describe one
    Metrics(ListArgs),
    /// List built-in worlds, or describe one
    Worlds(ListArgs),
    /// List the file formats of worlds, or describe one
    Importers(ListArgs),
    /// List topics for focused crawls, or describe one
    Topics(ListArgs),
    /// List figures of the papers that take parameters, or describe one
    Figures(ListArgs),
    /// Crawl a world with one or more strategies and compare them
    Run(RunArgs),
    /// Show the next URLs after a step and explain their scores
    Explain(ExplainArgs),
    /// Show statistics of a world
    Inspect(InspectArgs),
    /// Rank all pages of a world
    Rank(RankArgs),
    /// Repeat a paper's experiment and check each of its claims
    Reproduce(ReproduceArgs),
    /// Write a world as JSON Lines
    Convert(ConvertArgs),
    /// Serve the app on this machine (loopback only)
    Serve(ServeArgs),
    /// Print tables for the documentation
    Bench(BenchArgs),
    /// Print one JSON object per line: commands that try every parameter's minimum and maximum
    #[command(hide = true)]
    Extremes,
}

/// Arguments of the subcommands that list a registry.
#[derive(Args)]
pub struct ListArgs {
    /// Describe this entry
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Options for reading a world from a file.
#[derive(Args, Default)]
pub struct FileArgs {
    /// File with a line `id url` per page, for an edge list or adjacency text
    #[arg(long, value_name = "FILE")]
    pub urls: Option<PathBuf>,
    /// File with a line `url label` per page, for a web archive; labels become topics
    #[arg(long, value_name = "FILE", conflicts_with = "urls")]
    pub labels: Option<PathBuf>,
    /// Text at most N edges from a link in the page's tree is the link's context [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    pub context_distance: Option<u32>,
    /// Ignore commits of a change history that touch more than N files (mass edits) [default: 50]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most_files: Option<u32>,
    /// Format of the file (see `crawlscope importers`) [default: detected]
    #[arg(long, value_name = "ID")]
    pub format: Option<String>,
    /// Lift the limits on run time and memory
    #[arg(long)]
    pub no_limits: bool,
}

/// A world, as a positional argument.
#[derive(Args)]
pub struct WorldArgs {
    /// File, `-` for standard input, or built-in world such as 'web(pages:2000)'
    #[arg(value_name = "WORLD")]
    pub world: String,
    #[command(flatten)]
    pub file: FileArgs,
}

/// The experiment, and the step to show.
#[derive(Args)]
pub struct ExperimentArgs {
    /// File, `-` for standard input, or built-in world such as 'web(pages:2000)'
    #[arg(long, value_name = "W", required_unless_present = "link")]
    pub world: Option<String>,
    #[command(flatten)]
    pub file: FileArgs,
    /// Strategy, such as 'opic(keep:true)'; repeat to compare several [default: breadth-first]
    #[arg(long, value_name = "S", conflicts_with = "link")]
    pub strategy: Vec<String>,
    /// Revisit policy (see `crawlscope policies`): one for all strategies, one per strategy, or several
    /// for a single strategy
    #[arg(long, value_name = "P", conflicts_with = "link")]
    pub revisit: Vec<String>,
    /// URL to start from; repeat for several [default: the world's seeds]
    #[arg(long, value_name = "URL", conflicts_with = "link")]
    pub seed_url: Vec<String>,
    /// Start from the top pages of the whole world, which no crawler knows: 'top(pagerank,4)', or
    /// 'top(own,4)' to rank them by each strategy's own ranker
    #[arg(long, value_name = "SEEDS", conflicts_with_all = ["link", "seed_url"])]
    pub seeds: Option<String>,
    /// Topic of focused crawls, such as "label('phones')" (see `crawlscope topics`)
    #[arg(long, value_name = "T", conflicts_with = "link")]
    pub topic: Option<String>,
    /// Random seed
    #[arg(long, value_name = "N", conflicts_with = "link")]
    #[arg(default_value_t = Experiment::DEFAULT_RNG)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=Experiment::MAX_RNG))]
    #[arg(allow_negative_numbers = true)]
    pub rng: u64,
    /// Experiment as a link; if the link names a file, give that file with --world
    #[arg(long, value_name = "LINK")]
    pub link: Option<String>,
    /// Step to show
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub at: Option<u32>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the URLs in fetch order
    #[arg(long)]
    pub order: bool,
    /// Print only the experiment's link
    #[arg(long, conflicts_with_all = ["json", "order"])]
    pub print_link: bool,
    /// Include the digest of each run in the link, so that others can verify their results
    #[arg(long)]
    pub with_digests: bool,
    /// Compute the ideal order and random crawls, even for a large world
    #[arg(long)]
    pub bounds: bool,
    /// Skip the ideal order and random crawls
    #[arg(long, conflicts_with = "bounds")]
    pub no_bounds: bool,
}

/// Arguments of `explain`.
#[derive(Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Number of URLs to explain
    #[arg(long, value_name = "K", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub top: u32,
    /// Explain this URL instead: when it was fetched, and each change of its score
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `inspect`.
#[derive(Args)]
pub struct InspectArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `rank`.
#[derive(Args)]
pub struct RankArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Ranker, such as 'pagerank(damping:0.9)'
    #[arg(long, value_name = "R", default_value = "pagerank")]
    pub ranker: String,
    /// Ranker to compare with: prints Kendall's τ, the overlap of the top pages, and the pages whose
    /// positions differ most
    #[arg(long, value_name = "R")]
    pub against: Option<String>,
    /// Show the residual after each sweep
    #[arg(long)]
    pub sweeps: bool,
    /// Number of top pages to show
    #[arg(long, value_name = "K", default_value_t = 20, allow_negative_numbers = true)]
    pub top: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `convert`.
#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Output file, gzipped if its name ends in .gz; `-` for standard output
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Path under which the app is served
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub base: String,
    /// Also accept requests for this host, besides localhost, 127.0.0.1 and ::1; repeatable
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allowed_hosts: Vec<String>,
    /// Open the app in a browser
    #[arg(long)]
    pub open: bool,
    /// Serve the app from this folder instead of the one built into this program
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub bench: Bench,
}

/// Arguments of `reproduce`.
#[derive(Args)]
pub struct ReproduceArgs {
    /// Paper
    #[arg(value_name = "DOCUMENT", ignore_case = true)]
    #[arg(value_parser = PossibleValuesParser::new(DOCUMENTS.iter().map(|document| {
        PossibleValue::new(document.id).help(document.title)
    })))]
    pub document: String,
    /// Number of generated webs, each from its own random seed
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub webs: u32,
    /// Pages per generated web
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pages: u32,
    /// Folder of the real webs; missing ones are skipped with a message
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
    /// Draw only this figure, such as 'figure-1(visits:20,axis:log)' (see `crawlscope figures`)
    #[arg(long, value_name = "F", conflicts_with_all = ["markdown", "webs", "pages"])]
    pub figure: Option<String>,
    /// Print the verdicts as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// With --markdown: also print the tables of numbers
    #[arg(long, requires = "markdown")]
    pub numbers: bool,
    /// Write the report (text), the plots (SVG) and all numbers (JSON) to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A table of `bench`.
#[derive(Subcommand)]
pub enum Bench {
    /// Gap closed and area of every strategy, on real and generated worlds
    Orderings(OrderingsArgs),
}

/// Arguments of `bench orderings`.
#[derive(Args)]
pub struct OrderingsArgs {
    /// Print Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Folder of the real webs; missing ones are skipped
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
}

/// The crawl-rule flags that were given.
#[derive(Clone, Default)]
pub struct RuleArgs {
    /// Keys and values as typed.
    pub given: Vec<RuleArg>,
}

impl Args for RuleArgs {
    fn augment_args(command: Command) -> Command {
        rules().fold(command, |c, rule| c.arg(rule_flag(rule)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = rules().filter_map(|rule| {
            let text = matches.get_one::<String>(&rule.key)?;
            Some(RuleArg { key: Some(rule.key.to_string()), value: Value::Spec(Spec::word(text)) })
        });
        Ok(Self { given: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn rule_flag(rule: &'static Param) -> Arg {
    let help = rule.help.trim_end_matches('.');
    let (range, default) = (rule.kind.range_text(), rule.kind.default_text());
    let flag = Arg::new(rule.key.as_ref())
        .long(rule.key.as_ref())
        .help(format!("{help} [{range}; default: {default}]"))
        .help_heading("Crawl rules")
        .conflicts_with("link")
        .allow_negative_numbers(true);
    match rule.kind {
        ParamKind::Flag { .. } => {
            flag.value_name("BOOL").num_args(0..=1).default_missing_value("true")
        }
        _ => flag.value_name("N"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound_and_has_every_rule() {
        Cli::command().debug_assert();
        for name in ["run", "explain"] {
            let command = Cli::command();
            let command = command.find_subcommand(name).expect("it is there");
            for rule in rules() {
                let flag = command.get_arguments().find(|a| a.get_id() == &*rule.key);
                assert!(flag.is_some_and(|f| f.get_help().is_some()), "{}", rule.key);
            }
        }
    }
}
