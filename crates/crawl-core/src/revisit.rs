//! Revisit policies: one file each, listed in [`POLICIES`].
//!
//! After each visit to a page, a policy decides when to visit it next ([`Policy::wanted`]). The
//! [`Schedule`] follows it within a budget of visits per hour; it is the session's
//! [`RevisitScheduler`](crate::RevisitScheduler). Inputs beyond what visits reveal are declared in
//! [`PolicyNeeds`].

mod adaptive;
mod adaptive_interval;
mod budget_clock;
mod classified;
mod memory;
mod never;
mod nutch_adaptive;
mod optimal;
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

use crate::boxed_clone::boxed_clone;
use crate::{Evidence, Explanation, Known, Op, UrlId, Work};
use crawl_catalogue::{Entry, Param, Params};
use std::borrow::Cow;
use std::sync::Arc;

/// All policies, in display order.
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
    /// Inputs it needs beyond what visits reveal.
    pub needs: fn(&Params) -> PolicyNeeds,
    /// Builds the policy.
    pub build: fn(&Params) -> Box<dyn Policy>,
}

/// Inputs that a policy needs beyond what visits reveal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyNeeds {
    /// True change rates: makes the run an oracle's.
    pub rates: bool,
    /// Weights of pages.
    pub weights: PageWeights,
    /// Minimum time between two visits to a page, in hours.
    pub shortest_h: f64,
    /// Computation beyond a few operations per visit.
    pub work: Work,
}

/// Weights of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageWeights {
    /// All 1.
    #[default]
    Equal,
    /// True PageRank: makes the run an oracle's.
    Importance,
    /// Number of clicks, which a search engine knows.
    Clicks,
}

impl PolicyNeeds {
    /// No needs: no oracle.
    pub fn nothing(_: &Params) -> Self {
        Self::default()
    }

    /// No needs; the parameter `floor` is the minimum interval.
    fn not_below_floor(params: &Params) -> Self {
        Self { shortest_h: params.number("floor"), ..Self::default() }
    }

    /// True if the run knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.rates || self.weights == PageWeights::Importance
    }
}

/// Inputs of a policy beyond what visits reveal, by page.
#[derive(Clone, Debug, Default)]
pub struct PolicyContext {
    /// True change rates, per hour.
    pub rates: Option<Arc<Vec<f64>>>,
    /// Weights of pages.
    pub weights: Option<Arc<Vec<f64>>>,
}

/// What a policy can see.
#[derive(Clone, Copy)]
pub struct PolicyView<'a> {
    /// Time on the budget clock, in hours.
    pub now_h: f64,
    /// Budget, in visits per hour.
    pub budget: f64,
    /// The pages that have copies, in order of fetching.
    pub pages: &'a [UrlId],
    /// History of visits.
    pub memory: &'a Memory,
    /// What the crawler knows.
    pub known: &'a Known<'a>,
    context: &'a PolicyContext,
}

impl PolicyView<'_> {
    /// The true change rate of a page, if the policy declared that it needs it.
    pub fn true_rate(&self, url: UrlId) -> Option<f64> {
        self.context.rates.as_ref().map(|rates| rates[self.known.page_of(url).index()])
    }

    /// The weight of a page.
    pub fn weight(&self, url: UrlId) -> f64 {
        self.context
            .weights
            .as_ref()
            .map_or(1.0, |weights| weights[self.known.page_of(url).index()])
    }

    /// The change rate a policy uses: the true one if given, else the estimate, else the mean of
    /// all estimates. `None` before any change was seen.
    pub fn rate(&self, url: UrlId) -> Option<f64> {
        self.true_rate(url).or_else(|| self.memory.rate_or_mean(url))
    }

    /// Explains [`Self::rate`].
    pub fn explain_rate(&self, url: UrlId) -> Explanation {
        use crate::Evidence::Note;
        if let Some(rate) = self.true_rate(url) {
            let note = "the true rate, which no crawler knows".to_owned();
            return Explanation::given("changes per hour", rate).with(Note(note));
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
                Explanation::given("estimated changes per hour", rate).with(Note(note))
            }
            (None, Some(mean)) => {
                let note = "not revisited yet: the mean of all estimates".to_owned();
                Explanation::given("estimated changes per hour", mean).with(Note(note))
            }
            (None, None) => {
                let note = "no change was seen yet: all pages not revisited get the same rate";
                let note = note.to_owned();
                Explanation::given("estimated changes per hour", 1.0).with(Note(note))
            }
        }
    }
}

/// Decides when pages are visited again.
pub trait Policy: PolicyClone + Send + Sync {
    /// When to visit a page next, after a visit was recorded; `None` for never. If the policy fills
    /// the budget, only ratios between pages matter.
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit>;

    /// Explains the interval: a tree whose root is the last result of [`Self::wanted`].
    fn explain(&self, url: UrlId, in_h: f64, at: &PolicyView<'_>) -> Explanation;

    /// Called when a page is gone.
    fn gone(&mut self, _: UrlId) {}

    /// Called when pages were added or estimates changed. Returns true if the intervals of all
    /// pages must be asked for again.
    fn plan(&mut self, _at: &PolicyView<'_>) -> bool {
        false
    }

    /// True if the policy always spends the full budget, however long its intervals are.
    fn fills(&self) -> bool {
        true
    }

    /// True if revisits compete with new pages for every fetch.
    fn competes(&self) -> bool {
        false
    }

    /// The change rates it uses.
    fn rate_source(&self) -> RateSource {
        RateSource::default()
    }

    /// True if the schedule does not depend on what visits find.
    fn is_stationary(&self) -> bool {
        self.rate_source().knows
    }

    /// Prefetches the data of a page that is visited soon.
    fn prefetch(&self, _: UrlId) {}

    /// The estimator of change rates.
    fn estimates(&self) -> Estimates {
        self.rate_source().estimates
    }

    /// Memory in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// The next visit that a policy wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextVisit {
    /// Hours until the visit; above 0.
    pub in_h: f64,
    /// Long-run visits per hour.
    pub per_h: f64,
    /// Part of `per_h` that forms a separate stream with the same start; 0 if all visits are evenly
    /// spaced.
    pub apart_per_h: f64,
    /// True if the first visit may come sooner, so that first visits spread out.
    pub spreads: bool,
}

impl NextVisit {
    /// A visit every `hours` hours.
    fn every(hours: f64) -> Self {
        Self { in_h: hours, per_h: 1.0 / hours, apart_per_h: 0.0, spreads: true }
    }
}

boxed_clone!(PolicyClone for Policy);

/// Whether a policy knows the true rates.
const KNOWS: Param = Param::choice(
    "knows",
    "estimates",
    &[Cow::Borrowed("estimates"), Cow::Borrowed("rates")],
    "Change rates it uses: estimates from visits, or the true rates, which makes it an oracle.",
);

/// Estimator of change rates.
const ESTIMATOR: Param = Param::choice(
    "estimator",
    "bayesian",
    &[
        Cow::Borrowed("naive"),
        Cow::Borrowed("bias-reduced"),
        Cow::Borrowed("likelihood"),
        Cow::Borrowed("bayesian"),
    ],
    "Estimator of the change rate from n visits of which X found a change. naive: X/n (Wen & Lu 2004); \
     bias-reduced: −ln((n−X+0.5)/(n+0.5)); likelihood: maximum likelihood for irregular intervals; \
     bayesian: the same with a prior from the page's site.",
);

fn knows_rates(params: &Params) -> bool {
    params.text(KNOWS.key.as_ref()) == "rates"
}

fn rates_if_known(params: &Params) -> PolicyNeeds {
    PolicyNeeds { rates: knows_rates(params), ..PolicyNeeds::default() }
}

/// The change rates that a policy uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct RateSource {
    /// True rates, which visits do not change.
    pub knows: bool,
    /// Estimator to use otherwise.
    pub estimates: Estimates,
}

impl RateSource {
    /// From the parameters [`KNOWS`] and [`ESTIMATOR`].
    fn new(params: &Params) -> Self {
        Self { knows: knows_rates(params), estimates: estimator(params) }
    }
}

/// Explains an interval in hours as 1 ÷ rate. If other pages' estimates changed since the page was
/// planned, the rate no longer matches its explanation and is shown as a plain number.
fn explain_interval(of: &str, per_h: Explanation, in_h: f64) -> Explanation {
    let per_h = if crate::agree(1.0 / per_h.value, in_h) {
        per_h
    } else {
        let note = Evidence::Note("at the last planning".to_owned());
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

/// Clamps a rate so that 1 ÷ rate is finite and above 0.
fn computable(rate: f64) -> f64 {
    rate.clamp(1e-50, 1e50)
}

/// Finds a policy by id.
pub fn find(id: &str) -> Option<&'static PolicyEntry> {
    POLICIES.iter().copied().find(|p| p.entry.id == id)
}
