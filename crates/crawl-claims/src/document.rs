//! The papers: one module each, one line in [`DOCUMENTS`].

mod jlse_2010;
mod refresh_2004;
mod rl_crawler;

use crate::figure::FigureEntry;
use crate::judge::Claim;
use crate::measurement::Measurement;
use crate::report::{Figure, Table};
use crawl_catalogue::{Arg, Catalogue, Kind, Spec, Value};
use crawl_core::Truth;
use crawl_protocol::{Experiment, Seeds, View, WorldSource};
use crawl_run::{Lane, Run, RunError};
use crawl_world::World;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// All papers with claims to check, in display order.
pub const DOCUMENTS: &[&Document] =
    &[&rl_crawler::DOCUMENT, &jlse_2010::DOCUMENT, &refresh_2004::DOCUMENT];

/// A paper, its experiment and its claims.
pub struct Document {
    /// Id, a letter.
    pub id: &'static str,
    /// Authors and year, as cited.
    pub authors: &'static str,
    /// Title in reports: the authors.
    pub title: &'static str,
    /// What the numbers in its tables mean.
    pub caption: &'static str,
    /// Allowed number of pages of generated webs.
    pub pages: RangeInclusive<u32>,
    /// Spec of a generated web with `n_pages` pages and random seed `rng`.
    pub web: fn(n_pages: u32, rng: u32) -> String,
    /// Names of the real webs it runs on.
    pub real: &'static [&'static str],
    /// Whether the experiment can run on a real web.
    pub suits: fn(&World) -> bool,
    /// Number of pieces of work per web.
    pub n_pieces: fn(is_real: bool) -> usize,
    /// Does one piece of work and records the results. Pieces are independent.
    pub piece: fn(usize, &WebContext<'_>, &mut Measurement) -> Result<(), RunError>,
    /// Evaluates all measurements.
    pub findings: fn(&[Measurement]) -> Findings,
    /// Its figures with parameters.
    pub figures: &'static [&'static FigureEntry],
}

/// The web an experiment runs on.
pub struct WebContext<'a> {
    /// All registries.
    pub catalogue: &'a Catalogue,
    /// Source of the web.
    pub source: &'a WorldSource,
    /// The web.
    pub world: &'a Arc<World>,
    /// Its true ranks.
    pub truth: &'a Arc<Truth>,
}

/// Crawls to compare.
struct Crawls<'a> {
    /// Specs of the strategies.
    specs: &'a [String],
    seeds: Seeds,
    /// Spec of the topic.
    topic: Option<&'a str>,
    rules: &'a [Arg],
}

impl WebContext<'_> {
    /// Sets up the crawls, one lane per strategy.
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

/// The last value of a metric of a lane.
fn last(lane: &Lane, measure: &str) -> Option<f64> {
    lane.measure(measure).and_then(crawl_run::Series::last)
}

/// Results of an experiment.
pub struct Findings {
    /// Claims, on the generated webs together and on each real web.
    pub claims: Vec<Claim>,
    /// Tables of numbers.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
}

/// Finds a document by id, in upper or lower case.
pub fn find(id: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().copied().find(|document| document.id.eq_ignore_ascii_case(id))
}

/// A crawl rule.
fn rule(key: &str, value: &str) -> Arg {
    Arg { key: Some(key.to_owned()), value: Value::Spec(Spec::word(value.to_owned())) }
}
