//! Revisit policies: one file each, one line in [`POLICIES`].
//!
//! A policy says after each visit to a page how long to wait for the next ([`Policy::wanted`]); the
//! [`Schedule`] keeps to it within a budget of visits an hour, and stands in a session as its
//! [`Again`](crate::Again). What a policy may know beyond its visits it declares ([`PolicyNeeds`]).

mod adaptive;
mod classified;
mod memory;
mod multiplying;
mod never;
mod nutch_adaptive;
mod optimal;
mod pace;
mod period_estimate;
mod proportional;
mod rules;
mod schedule;
mod slot;
mod storm_adaptive;
mod uniform;

pub use memory::{Estimates, Memory};
pub use rules::{REVISIT_RULES, RevisitRules, Sees};
pub use schedule::Schedule;

use crate::{Evidence, Explanation, Known, Op, UrlId, Work};
use crawl_catalogue::{Entry, Param, Params};
use std::borrow::Cow;
use std::sync::Arc;

/// Every policy, in the order they are shown.
pub const POLICIES: &[&PolicyEntry] = &[
    &never::ENTRY,
    &uniform::ENTRY,
    &proportional::ENTRY,
    &classified::ENTRY,
    &adaptive::ENTRY,
    &nutch_adaptive::ENTRY,
    &storm_adaptive::ENTRY,
    &period_estimate::ENTRY,
    &optimal::ENTRY,
];

/// A policy in the registry.
pub struct PolicyEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// What it must be given beyond what its visits tell.
    pub needs: fn(&Params) -> PolicyNeeds,
    /// Makes it.
    pub build: fn(&Params) -> Box<dyn Policy>,
}

/// What a policy uses beyond what visits tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyNeeds {
    /// True change rates: makes the run an oracle's.
    pub rates: bool,
    /// What pages count for.
    pub weights: PageWeights,
    /// Hours between two visits to a page, at least.
    pub shortest_h: f64,
    /// How much it computes beyond a few operations for each visit.
    pub work: Work,
}

/// What pages count for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageWeights {
    /// All the same.
    #[default]
    Equal,
    /// Their true PageRank: makes the run an oracle's.
    Importance,
    /// The clicks on them, which a search engine sees.
    Clicks,
}

impl PolicyNeeds {
    /// Nothing: an honest crawler.
    pub fn nothing(_: &Params) -> Self {
        Self::default()
    }

    /// Nothing; no page is visited sooner than the parameter `floor` says.
    fn not_below_floor(params: &Params) -> Self {
        Self { shortest_h: params.number("floor"), ..Self::default() }
    }

    /// True when the run knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.rates || self.weights == PageWeights::Importance
    }
}

/// What a schedule is given for its policy, by page.
#[derive(Clone, Debug, Default)]
pub struct PolicyGiven {
    /// True change rates an hour.
    pub rates: Option<Arc<Vec<f64>>>,
    /// What pages count for.
    pub weights: Option<Arc<Vec<f64>>>,
}

/// What a policy may look at.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Hours on the budget's clock.
    pub now_h: f64,
    /// Visits an hour that may be made.
    pub budget: f64,
    /// The pages there are copies of, in the order they were fetched.
    pub pages: &'a [UrlId],
    /// What visits have told.
    pub memory: &'a Memory,
    /// What the crawl knows.
    pub known: &'a Known<'a>,
    given: &'a PolicyGiven,
}

impl At<'_> {
    /// The true change rate of a page, for a policy that declared to need it.
    pub fn true_rate(&self, url: UrlId) -> Option<f64> {
        self.given.rates.as_ref().map(|rates| rates[self.known.page_of(url).index()])
    }

    /// What a page counts for.
    pub fn weight(&self, url: UrlId) -> f64 {
        self.given.weights.as_ref().map_or(1.0, |weights| weights[self.known.page_of(url).index()])
    }

    /// The rate a policy goes by: the true one where it is given, else the estimate, or the mean of
    /// all estimates before there is one; nothing before a change was seen.
    pub fn rate(&self, url: UrlId) -> Option<f64> {
        self.true_rate(url).or_else(|| self.memory.rate_or_mean(url))
    }

    /// That rate, and where it comes from.
    pub fn explain_rate(&self, url: UrlId) -> Explanation {
        use crate::Evidence::Note;
        if let Some(rate) = self.true_rate(url) {
            let note = "the true rate, which no crawler knows".to_owned();
            return Explanation::given("changes an hour", rate).with(Note(note));
        }
        match (self.memory.rate(url), self.memory.mean_rate()) {
            (Some(rate), _) => {
                let counts = self.memory.counts(url);
                let note = format!(
                    "{} of {} visits found a change; {}",
                    counts.n_changed(),
                    counts.n_visits(),
                    self.memory.formula()
                );
                Explanation::given("estimated changes an hour", rate).with(Note(note))
            }
            (None, Some(mean)) => {
                let note = "not visited again yet: the mean of all estimates".to_owned();
                Explanation::given("estimated changes an hour", mean).with(Note(note))
            }
            (None, None) => {
                let note = "no change was seen yet: all pages not visited again count the same";
                let note = note.to_owned();
                Explanation::given("estimated changes an hour", 1.0).with(Note(note))
            }
        }
    }
}

/// Says when pages are visited again.
pub trait Policy: Send + Sync {
    /// When the next visit to a page is wanted, now that one to it is in memory; nothing for never.
    /// Where it fills the budget, only how pages compare counts.
    fn wanted(&mut self, url: UrlId, at: &At<'_>) -> Option<Wanted>;

    /// Why that is in so many hours: a tree whose root is the answer given last.
    fn explain(&self, url: UrlId, in_h: f64, at: &At<'_>) -> Explanation;

    /// Takes note that a page is there no more.
    fn gone(&mut self, _: UrlId) {}

    /// Takes note that pages have come or estimates have changed; true when all pages are to be asked
    /// for anew.
    fn plan(&mut self, _at: &At<'_>) -> bool {
        false
    }

    /// Whether all of the budget is spent, however long the times are that it wants.
    fn fills(&self) -> bool {
        true
    }

    /// Whether pages fetched before compete with new ones for every fetch.
    fn competes(&self) -> bool {
        false
    }

    /// By which change rates it goes.
    fn goes_by(&self) -> GoesBy {
        GoesBy::default()
    }

    /// Whether what visits find changes nothing.
    fn is_stationary(&self) -> bool {
        self.goes_by().knows
    }

    /// Looks at what it keeps of a page that will be visited soon.
    fn look_at(&self, _: UrlId) {}

    /// How it estimates change rates.
    fn estimates(&self) -> Estimates {
        self.goes_by().estimates
    }

    /// A copy, for checkpoints.
    fn boxed(&self) -> Box<dyn Policy>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize {
        0
    }
}

/// When a visit is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// In so many hours; above 0.
    pub in_h: f64,
    /// Visits an hour in the long run.
    pub per_h: f64,
    /// Of them, those in a stream of their own that began together with the others; 0 where all are
    /// evenly spaced together.
    pub apart_per_h: f64,
    /// Whether the first may come sooner, so that first visits spread.
    pub spreads: bool,
}

impl Wanted {
    /// Every so many hours.
    fn every(hours: f64) -> Self {
        Self { in_h: hours, per_h: 1.0 / hours, apart_per_h: 0.0, spreads: true }
    }
}

impl Clone for Box<dyn Policy> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// Whether a policy is told the true rates.
const KNOWS: Param = Param::choice(
    "knows",
    "estimates",
    &[Cow::Borrowed("estimates"), Cow::Borrowed("rates")],
    "Which change rates it goes by: those estimated from visits, or the true ones, which makes it \
     an oracle.",
);

/// How rates are estimated.
const ESTIMATOR: Param = Param::choice(
    "estimator",
    "bayesian",
    &[
        Cow::Borrowed("naive"),
        Cow::Borrowed("bias-reduced"),
        Cow::Borrowed("likelihood"),
        Cow::Borrowed("bayesian"),
    ],
    "How a change rate is told from n visits of which X found a change: naive is X/n (document C); \
     bias-reduced −ln((n−X+0.5)/(n+0.5)); likelihood the likeliest for irregular intervals; bayesian \
     the same with a prior from the page's site.",
);

fn knows_rates(params: &Params) -> bool {
    params.text(KNOWS.key.as_ref()) == "rates"
}

fn rates_if_known(params: &Params) -> PolicyNeeds {
    PolicyNeeds { rates: knows_rates(params), ..PolicyNeeds::default() }
}

/// By which change rates a policy goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoesBy {
    /// By true rates, which visits do not change.
    pub knows: bool,
    /// How it estimates them where it does not know.
    pub estimates: Estimates,
}

impl GoesBy {
    /// As the parameters [`KNOWS`] and [`ESTIMATOR`] say.
    fn new(params: &Params) -> Self {
        Self { knows: knows_rates(params), estimates: estimator(params) }
    }
}

/// The hours between visits, as one `of` something an hour. Where other pages' estimates have moved since
/// it was asked for last, the rate is no more what it was made of.
fn hours_wanted(of: &str, per_h: Explanation, in_h: f64) -> Explanation {
    let per_h = if crate::agree(1.0 / per_h.value, in_h) {
        per_h
    } else {
        let note = Evidence::Note("when it was planned last".to_owned());
        Explanation::given(per_h.label, 1.0 / in_h).with(note)
    };
    let one = Explanation::given(of, 1.0);
    Explanation::of("hours wanted", Op::Quotient, vec![one, per_h]).valued(in_h)
}

fn estimator(params: &Params) -> Estimates {
    match params.text(ESTIMATOR.key.as_ref()) {
        "naive" => Estimates::Naive,
        "likelihood" => Estimates::Likelihood,
        "bayesian" => Estimates::Bayesian,
        _ => Estimates::BiasReduced,
    }
}

/// Rates by which hours are computed: neither nothing nor beyond what can be computed with.
fn computable(rate: f64) -> f64 {
    rate.clamp(1e-50, 1e50)
}

/// The registry's entry of that name.
pub fn find(id: &str) -> Option<&'static PolicyEntry> {
    POLICIES.iter().copied().find(|p| p.entry.id == id)
}
