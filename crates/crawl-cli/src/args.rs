//! The command line. The flags for crawl rules are made from the rules' own list.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Parser, Subcommand};
use crawl_catalogue::{Arg as RuleArg, Param, ParamKind, Spec, Value};
use crawl_claims::DOCUMENTS;
use crawl_protocol::Experiment;
use crawl_run::rules;
use std::path::PathBuf;

/// Web-crawl ordering, headless: the same experiments that a link opens in a browser.
#[derive(Parser)]
#[command(name = "crawlscope", version, max_term_width = 100)]
#[command(after_help = "\
Examples:
  crawlscope run --world campus --strategy breadth-first --strategy opic
  crawlscope run --world graph.tsv --urls urls.tsv --strategy 'opic(keep:true)' --budget 400
  crawlscope explain --world campus --strategy opic --at 120
  crawlscope rank campus --ranker pagerank --against hits
  crawlscope run --link '#v=1&world=campus&run=opic&budget=400'

A world, strategy or ranker is named id(key:value,…), or id?key=value&… where brackets must be
quoted.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Task,
}

/// What to do.
#[derive(Subcommand)]
pub enum Task {
    /// List the orderings, or show one in full
    Strategies(ListArgs),
    /// List the whole-graph rankers, or show one in full
    Rankers(ListArgs),
    /// List the policies of visiting pages again, or show one in full
    Policies(ListArgs),
    /// List the measures of a run, or show one in full
    Metrics(ListArgs),
    /// List the built-in worlds, or show one in full
    Worlds(ListArgs),
    /// List the file formats that can be read, or show one in full
    Importers(ListArgs),
    /// What focused crawls can look for
    Topics(ListArgs),
    /// List figures of the documents that can be changed, or show one
    Figures(ListArgs),
    /// Crawl a world with one or more strategies and compare them
    Run(RunArgs),
    /// Show the next URLs after a step, and why they are next
    Explain(ExplainArgs),
    /// Say what a world is made of
    Inspect(InspectArgs),
    /// Rank all pages of a world
    Rank(RankArgs),
    /// Try again what a document claims: held or not held is computed
    Reproduce(ReproduceArgs),
    /// Write a world as JSON Lines
    Convert(ConvertArgs),
    /// Serve the playground to the browsers of this machine
    Serve(ServeArgs),
    /// Produce the tables of the documentation
    Bench(BenchArgs),
    /// Print commands that try every parameter at its smallest and largest, one JSON object a line
    #[command(hide = true)]
    Extremes,
}

/// Which entries of a registry.
#[derive(Args)]
pub struct ListArgs {
    /// Show this one in full
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
}

/// A world's file and what belongs to it.
#[derive(Args, Default)]
pub struct FileArgs {
    /// A file of lines `id url` beside an edge list or adjacency text
    #[arg(long, value_name = "FILE")]
    pub urls: Option<PathBuf>,
    /// A file of lines `url label` beside a web archive: labels become topics
    #[arg(long, value_name = "FILE", conflicts_with = "urls")]
    pub labels: Option<PathBuf>,
    /// How far from a link, in edges of its page's tree, text belongs to its context [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    pub context_distance: Option<u32>,
    /// Commits of a change history that touch more files are mass edits, no changes [default: 50]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most_files: Option<u32>,
    /// The format of the world's file (see `crawlscope importers`); found out when not given
    #[arg(long, value_name = "ID")]
    pub format: Option<String>,
    /// Run it, however long it takes and however much memory
    #[arg(long)]
    pub no_limits: bool,
}

/// A world by itself.
#[derive(Args)]
pub struct WorldArgs {
    /// A file, `-` for standard input, or a built-in world such as 'web(pages:2000)'
    #[arg(value_name = "WORLD")]
    pub world: String,
    #[command(flatten)]
    pub file: FileArgs,
}

/// Everything that decides a run, and where it is looked at.
#[derive(Args)]
pub struct ExperimentArgs {
    /// A file, `-` for standard input, or a built-in world such as 'web(pages:2000)'
    #[arg(long, value_name = "W", required_unless_present = "link")]
    pub world: Option<String>,
    #[command(flatten)]
    pub file: FileArgs,
    /// An ordering such as 'opic(keep:true)'; repeat it to compare several [default: breadth-first]
    #[arg(long, value_name = "S", conflicts_with = "link")]
    pub strategy: Vec<String>,
    /// When pages are visited again (see `crawlscope policies`): one policy for all strategies, one for
    /// each, or several for a single strategy
    #[arg(long, value_name = "P", conflicts_with = "link")]
    pub revisit: Vec<String>,
    /// Where the crawl starts; repeat it for several [default: the world's own seeds]
    #[arg(long, value_name = "URL", conflicts_with = "link")]
    pub seed_url: Vec<String>,
    /// Start from the best pages of the whole world: 'top(pagerank,4)', or 'top(own,4)' for each
    /// ordering's own; no crawler knows them
    #[arg(long, value_name = "SEEDS", conflicts_with_all = ["link", "seed_url"])]
    pub seeds: Option<String>,
    /// What focused crawls look for, such as "label('phones')" (see `crawlscope topics`)
    #[arg(long, value_name = "T", conflicts_with = "link")]
    pub topic: Option<String>,
    /// The seed of all chance
    #[arg(long, value_name = "N", conflicts_with = "link")]
    #[arg(default_value_t = Experiment::DEFAULT_RNG)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=Experiment::MAX_RNG))]
    #[arg(allow_negative_numbers = true)]
    pub rng: u64,
    /// The experiment as a link; --world gives the file where the link names one
    #[arg(long, value_name = "LINK")]
    pub link: Option<String>,
    /// The step to look at
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub at: Option<u32>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// Crawl, and compare.
#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
    /// Print the URLs in the order they were fetched
    #[arg(long)]
    pub order: bool,
    /// Print only the link that holds this experiment
    #[arg(long, conflicts_with_all = ["json", "order"])]
    pub print_link: bool,
    /// Put the digests of the runs into the link, so that whoever opens it can check its own
    #[arg(long)]
    pub with_digests: bool,
    /// Compute the ideal order and random crawls, however large the world
    #[arg(long)]
    pub bounds: bool,
    /// Do not compute the ideal order and random crawls
    #[arg(long, conflicts_with = "bounds")]
    pub no_bounds: bool,
}

/// The next URLs, and why.
#[derive(Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    /// How many of the next URLs
    #[arg(long, value_name = "K", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub top: u32,
    /// Explain this URL instead: when it was fetched, and every change of its score
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
}

/// What a world is made of.
#[derive(Args)]
pub struct InspectArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
}

/// All pages by rank.
#[derive(Args)]
pub struct RankArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// The ranker, such as 'pagerank(damping:0.9)'
    #[arg(long, value_name = "R", default_value = "pagerank")]
    pub ranker: String,
    /// Another ranker to compare with: Kendall's τ, how many of the best pages both name, and the
    /// pages whose places differ most
    #[arg(long, value_name = "R")]
    pub against: Option<String>,
    /// Show how far from settled the values were after each sweep
    #[arg(long)]
    pub sweeps: bool,
    /// How many of the best pages
    #[arg(long, value_name = "K", default_value_t = 20, allow_negative_numbers = true)]
    pub top: u32,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
}

/// A world as JSON Lines.
#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// The file to write, gzipped if its name ends in .gz; `-` for standard output
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
}

/// The playground, served on loopback.
#[derive(Args)]
pub struct ServeArgs {
    /// The port to listen on; without one, any that is free
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The path to serve the app under
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub base: String,
    /// Answer requests for this host too, not only for localhost, 127.0.0.1 and [::1]
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allowed_hosts: Vec<String>,
    /// Open the address in a browser
    #[arg(long)]
    pub open: bool,
    /// Serve the app built into this folder, not the one this program holds
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Tables of the documentation.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub bench: Bench,
}

/// A document's claims.
#[derive(Args)]
pub struct ReproduceArgs {
    /// The document
    #[arg(value_name = "DOCUMENT", ignore_case = true)]
    #[arg(value_parser = PossibleValuesParser::new(DOCUMENTS.iter().map(|document| document.id)))]
    pub document: String,
    /// Generated webs, by as many seeds of their generator
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub webs: u32,
    /// Pages of each generated web
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pages: u32,
    /// Where the real webs are; those that are not there are left out with a word
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
    /// Only draw one of its figures, with parameters, such as 'figure-1(visits:20,axis:log)';
    /// `crawlscope figures` lists them
    #[arg(long, value_name = "F", conflicts_with_all = ["markdown", "webs", "pages"])]
    pub figure: Option<String>,
    /// Write the verdicts as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// With --markdown: the tables of numbers as well
    #[arg(long, requires = "markdown")]
    pub numbers: bool,
    /// Write the table, the plots (SVG) and all numbers (JSON) into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    pub json: bool,
}

/// Which table.
#[derive(Subcommand)]
pub enum Bench {
    /// Every ordering on real and generated worlds: gap closed and area
    Orderings(OrderingsArgs),
}

/// The table of orderings.
#[derive(Args)]
pub struct OrderingsArgs {
    /// Write Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Where the real graphs are; those that are not there are left out with a word
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
}

/// The crawl rules that were given, as they were typed.
#[derive(Clone, Default)]
pub struct RuleArgs {
    /// A key and a value each.
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
