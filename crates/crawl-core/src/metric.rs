//! Measures of a run: one file each, one line in [`METRICS`].

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

/// Every measure, in the order they are shown.
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

/// Those of a first visit, which looks for no topic; its program holds no others.
pub const FIRST: &[&MetricEntry] = &[
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
];

/// A measure in the registry.
pub struct MetricEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// The specs under which it is shown unasked: itself, or itself with several parameters.
    pub shown: &'static [&'static str],
    /// Makes it.
    pub build: fn(&Params, &Setting<'_>) -> Box<dyn Metric>,
}

/// What every measure may look at: it belongs to the host, so it sees the truth.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The world crawled.
    pub world: &'a World,
    /// True ranks.
    pub truth: &'a Truth,
    /// What can be reached from the seeds.
    pub reach: &'a Reach,
    /// N: the step at which areas are read.
    pub area_pages: u32,
    /// What the topic's labels say, where there is a topic with labels.
    pub topic: Option<&'a TopicTruth>,
    /// Ideal and chance, where they were computed.
    pub bounds: Option<&'a Bounds>,
}

/// A run just after a step.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The setting.
    pub setting: Setting<'a>,
    /// The step.
    pub step: Step,
    /// The run.
    pub run: &'a Simulator,
    /// Whether the run is over.
    pub is_last: bool,
}

impl Observation<'_> {
    /// The true rank of the page just fetched.
    pub fn rank(&self) -> f64 {
        self.setting.truth.rank(self.step.page)
    }

    /// True when a page waits in the frontier.
    pub fn waits(&self, page: PageId) -> bool {
        let session = self.run.session();
        session.book().url_of(page).is_some_and(|url| session.frontier().contains(url))
    }
}

/// A number that follows a run.
pub trait Metric: Send {
    /// Its value after a step; nothing where it has none. Called once for every step in order.
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64>;

    /// Whether it is about visits to pages fetched before as well. Others are called only for first
    /// fetches, with a step whose number counts those.
    fn follows_visits(&self) -> bool {
        false
    }

    /// Whether its value follows from the run as it stands, whatever was observed before: then steps
    /// whose value nobody keeps may be left out.
    fn is_momentary(&self) -> bool {
        false
    }

    /// The number of copies that it is, and of which group, if it is one: then it has a value at every
    /// moment, also where nothing is fetched.
    fn in_time(&self) -> Option<(&'static str, CopyNumber)> {
        None
    }
}

/// The registry's entry of that name.
pub fn find(id: &str) -> Option<&'static MetricEntry> {
    METRICS.iter().copied().find(|m| m.entry.id == id)
}
