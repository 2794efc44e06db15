//! Metrics of a run: one file each, listed in [`METRICS`].

mod age;
mod area;
mod class_freshness;
mod copied;
mod cumulative_pagerank;
mod delayed_benefit;
mod discovered;
mod distance_to_optimum;
mod errors;
mod expected_freshness;
mod first_target;
mod freshness;
mod gap_closed;
mod harvest_rate;
mod idle;
mod late_visits;
mod learning_rate;
mod mean_age;
mod mean_freshness;
mod mean_pagerank;
mod missed_changes;
mod rate_bias;
mod rate_error;
mod rate_errors;
mod recall_ceiling;
mod regret;
mod relearnings;
mod target_recall;
mod targets;
mod top_found;
mod trap_pages;
mod up_to_date;
mod visits;
mod wasted_visits;

pub use copied::{GROUPS, true_rate};

use crate::topic::TopicTruth;
use crate::{Bounds, CopyNumber, Simulator, Step, Truth};
use crawl_catalogue::{Entry, Params};
use crawl_world::{PageId, Reach, World};

/// All metrics, in display order.
pub const METRICS: &[&MetricEntry] = &[
    &cumulative_pagerank::ENTRY,
    &mean_pagerank::ENTRY,
    &top_found::ENTRY,
    &area::ENTRY,
    &gap_closed::ENTRY,
    &regret::ENTRY,
    &discovered::ENTRY,
    &errors::ENTRY,
    &trap_pages::ENTRY,
    &idle::ENTRY,
    &learning_rate::ENTRY,
    &harvest_rate::ENTRY,
    &target_recall::ENTRY,
    &recall_ceiling::ENTRY,
    &first_target::ENTRY,
    &delayed_benefit::ENTRY,
    &relearnings::ENTRY,
    &mean_freshness::ENTRY,
    &freshness::ENTRY,
    &expected_freshness::ENTRY,
    &distance_to_optimum::ENTRY,
    &mean_age::ENTRY,
    &age::ENTRY,
    &class_freshness::ENTRY,
    &up_to_date::ENTRY,
    &visits::ENTRY,
    &wasted_visits::ENTRY,
    &late_visits::ENTRY,
    &missed_changes::ENTRY,
    &rate_error::ENTRY,
    &rate_bias::ENTRY,
];

/// A metric in the registry.
pub struct MetricEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Specs shown by default: the metric itself, or with several parameters.
    pub shown: &'static [&'static str],
    /// Builds the metric.
    pub build: fn(&Params, &Setting<'_>) -> Box<dyn Metric>,
}

/// Inputs of metrics. Metrics belong to the host, so they see the true ranks.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The world crawled.
    pub world: &'a World,
    /// True ranks.
    pub truth: &'a Truth,
    /// The pages reachable from the seeds.
    pub reach: &'a Reach,
    /// N: the step at which areas are compared.
    pub area_pages: u32,
    /// True labels of the topic, if there are any.
    pub topic: Option<&'a TopicTruth>,
    /// Ideal and random baselines, if computed.
    pub bounds: Option<&'a Bounds>,
}

/// A run right after a step.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The setting.
    pub setting: Setting<'a>,
    /// The step.
    pub step: Step,
    /// The run.
    pub run: &'a Simulator,
    /// True if the run is over.
    pub is_last: bool,
}

impl Observation<'_> {
    /// True rank of the page just fetched.
    pub fn rank(&self) -> f64 {
        self.setting.truth.rank(self.step.page)
    }

    /// True if a page waits in the frontier.
    pub fn waits(&self, page: PageId) -> bool {
        let session = self.run.session();
        session.book().url_of(page).is_some_and(|url| session.frontier().contains(url))
    }
}

/// A number computed at every step of a run.
pub trait Metric: Send {
    /// Its value after a step, or `None` if undefined. Called once per step, in order.
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64>;

    /// True if it also counts revisits. Other metrics are called only for first fetches, with a
    /// step number that counts only those.
    fn follows_visits(&self) -> bool {
        false
    }

    /// True if its value depends only on the current state, not on earlier observations. Then steps
    /// whose value is not stored may be skipped.
    fn is_momentary(&self) -> bool {
        false
    }

    /// The statistic of copies and the group it shows, if any. Such a metric has a value at every
    /// time, not only at steps.
    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        None
    }
}

/// Finds a metric by id.
pub fn find(id: &str) -> Option<&'static MetricEntry> {
    METRICS.iter().copied().find(|m| m.entry.id == id)
}
