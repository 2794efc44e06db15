//! The documents: one file each, one line in [`DOCUMENTS`].

mod b;
mod c;
mod e;

use crate::figure::FigureEntry;
use crate::judge::Claim;
use crate::report::{Figure, Table};
use crate::tried::Tried;
use crawl_catalogue::{Arg, Catalogue, Kind, Spec, Value};
use crawl_core::Truth;
use crawl_protocol::{Experiment, Seeds, View, WorldSource};
use crawl_run::{Lane, Run, RunError};
use crawl_world::World;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Every document whose claims are tried, in the order they are shown.
pub const DOCUMENTS: &[&Document] = &[&e::DOCUMENT, &b::DOCUMENT, &c::DOCUMENT];

/// A document whose claims are tried.
pub struct Document {
    /// Its letter.
    pub id: &'static str,
    /// Whose it is.
    pub title: &'static str,
    /// What the numbers in its tables are.
    pub caption: &'static str,
    /// How many pages its generated webs can have.
    pub pages: RangeInclusive<u32>,
    /// The spec of a generated web: of so many pages, by that seed of its generator.
    pub web: fn(n_pages: u32, rng: u32) -> String,
    /// The real webs it is tried on, by name.
    pub real: &'static [&'static str],
    /// Whether it can be tried on a real web at all.
    pub suits: fn(&World) -> bool,
    /// How many pieces of work there are on one web, generated or real.
    pub n_pieces: fn(is_real: bool) -> usize,
    /// Does one of them and writes down what was found. Pieces know nothing of each other.
    pub piece: fn(usize, &Ground<'_>, &mut Tried) -> Result<(), RunError>,
    /// What follows from everything that was tried.
    pub findings: fn(&[Tried]) -> Findings,
    /// Its figures that can be changed.
    pub figures: &'static [&'static FigureEntry],
}

/// What pieces of work stand on.
pub struct Ground<'a> {
    /// Every registry.
    pub catalogue: &'a Catalogue,
    /// Where the web comes from.
    pub source: &'a WorldSource,
    /// The web.
    pub world: &'a Arc<World>,
    /// Its true ranks.
    pub truth: &'a Arc<Truth>,
}

/// What is crawled by orderings that are compared.
struct Crawls<'a> {
    /// The orderings, by spec.
    specs: &'a [String],
    seeds: Seeds,
    /// What they look for, by spec.
    topic: Option<&'a str>,
    rules: &'a [Arg],
}

impl Ground<'_> {
    /// Crawls that are about to start, a lane an ordering.
    fn run(&self, crawls: Crawls<'_>) -> Result<Run, RunError> {
        let Self { catalogue, source, world, truth } = self;
        let choose = |spec: &String| catalogue.choose(Kind::Strategy, spec);
        let topic = crawls.topic.map(|topic| catalogue.choose(Kind::Topic, topic));
        let experiment = Experiment {
            world: (*source).clone(),
            seeds: crawls.seeds,
            topic: topic.transpose()?,
            strategies: crawls.specs.iter().map(choose).collect::<Result<_, _>>()?,
            revisits: Vec::new(),
            rules: catalogue.rules(crawls.rules)?,
            rng: Experiment::DEFAULT_RNG,
            at: None,
            digests: Vec::new(),
            view: View::default(),
        };
        Run::unlimited(experiment, (*world).clone(), (*truth).clone(), catalogue)
    }
}

/// What a measure of a lane comes to so far.
fn last(lane: &Lane, measure: &str) -> Option<f64> {
    lane.measure(measure).and_then(crawl_run::Series::last)
}

/// What follows from the numbers.
pub struct Findings {
    /// Every claim, on the generated webs together and on each real one.
    pub claims: Vec<Claim>,
    /// The numbers behind them.
    pub tables: Vec<Table>,
    /// The same as curves.
    pub figures: Vec<Figure>,
}

/// The document of that letter, large or small.
pub fn find(id: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().copied().find(|document| document.id.eq_ignore_ascii_case(id))
}

/// A crawl rule.
fn rule(key: &str, value: &str) -> Arg {
    Arg { key: Some(key.to_owned()), value: Value::Spec(Spec::word(value.to_owned())) }
}
