//! The state of the app and its transitions. Browser-free, so it is tested natively.
//!
//! [`State::apply`] takes an [`Action`] and is the only function that changes the [`State`]. It
//! returns [`Effect`]s: messages to workers, changes of the address bar.

mod action;
mod answers;
mod apply;
mod change;
mod check;
mod claims;
mod clean;
mod graph;
mod lane;
mod playhead;
mod repair;
mod revisit;
mod seeds;
mod shared;
mod short_url;
#[cfg(test)]
mod tests;
mod timeline;
mod topic;
mod upload;
mod watch;

pub use action::{Action, Change, Dialog, Effect, History, Steps};
pub use apply::SPEEDS;
pub use change::with_param;
pub use claims::{Claims, FigureState};
pub use clean::{clean_lane, clean_world};
pub use crawl_text::number::{
    bytes_text, count_text, percent_text, plain_text, score_text, seconds_text,
};
pub use graph::{Learnt, Sweeps};
pub use lane::{Ask, Finished, LaneState, MetricSeries};
pub use playhead::Playhead;
pub use revisit::{BUDGET, HOURS, NEW, STALENESS};
pub use short_url::{Shortener, last_part, shorten};
pub use timeline::SentMessages;
pub use topic::naming;
pub use upload::{AwaitedFiles, GivenFiles};
pub use watch::{BEAT_MS, Worker};

use crawl_catalogue::{Catalogue, Fault, Kind, split_outside, visible};
use crawl_protocol::lane::Oracle;
use crawl_protocol::timeline::VisitFound;
use crawl_protocol::world::{
    Code, Failure, LayoutEntry, Library, NotKept, PageName, Picture, Stage, Summary, Thumbnail,
    WordSteps,
};
use crawl_protocol::{Axis, Experiment, Progress, Task, WorldSource};
use std::rc::Rc;

/// Most lanes on the stage.
pub const MAX_LANES: usize = 4;

/// The metric that the chart compares with the ideal and random crawls.
pub const BOUNDED: &str = "cumulative-pagerank";
/// Default metric of the chart if the experiment has a topic.
pub const SOUGHT: &str = "target-recall";
/// Metric with the highest recall that the seeds can reach.
pub const CEILING: &str = "recall-ceiling";

/// Default metric of the chart if the experiment has revisits.
pub const REVISITED: &str = "mean-freshness";

/// What a first visit plays: a question a class can answer by watching.
pub const FIRST: &str =
    "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=400";

/// Link to the worked example of Q-values on a Web link graph (Zhang et al. 2010, figure 2).
///
/// From these seeds every page lies on a path to a result.
pub const EXAMPLE: &str = "#v=1&world=jlse-figure-2\
    &seeds='http://jlse.example/4','http://jlse.example/1'&topic=words(of:'3%206%2010')\
    &run=jlse(reward:100,cf:3)&at=10&graph=1";

/// Number of lanes in a link, without parsing it: lane workers start before the catalogue is known.
pub fn likely_lanes(link: &str) -> usize {
    let link = if link.len() < 2 { FIRST } else { link };
    let parts = split_outside(link.trim_start_matches('#'), '&');
    let runs = parts.iter().find_map(|part| part.strip_prefix("run=")).unwrap_or_default();
    split_outside(runs, ',').len().min(MAX_LANES)
}

/// The state of the app.
#[derive(Clone, Default)]
pub struct State {
    /// Registry entries; `None` until the world worker has sent them.
    pub catalogue: Option<Rc<Catalogue>>,
    /// Available layouts.
    pub layouts: Rc<Vec<LayoutEntry>>,
    /// The open experiment; `None` until a link has been opened.
    pub experiment: Option<Rc<Experiment>>,
    /// Why the link could not be opened.
    pub broken: Option<Rc<Broken>>,
    /// The world.
    pub world: World,
    /// What the stage draws of the world.
    pub picture: Option<Rc<Picture>>,
    /// Progress of the layout.
    pub layout: Option<Progress>,
    /// One lane per strategy.
    pub lanes: Vec<LaneState>,
    /// Ideal and random crawls from the seeds, for comparison.
    pub bounds: Option<Rc<Bounds>>,
    /// The play-head.
    pub head: Playhead,
    /// The page that the inspector explains, and in which lane.
    pub chosen: Option<ChosenPage>,
    /// The visit that the inspector explains: page, step, and what it found.
    pub visit: Option<(ChosenPage, u32, VisitFound)>,
    /// First difference between two lanes, after [`Action::Diverge`].
    pub parted: Option<Divergence>,
    /// The page under the pointer.
    pub hovered: Option<Hovered>,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// Result of the page search.
    pub found: Rc<SearchResult>,
    /// Files that were chosen or dropped, and which were ignored.
    pub given: GivenFiles,
    /// An imported world that is not open yet.
    pub imported: Option<Rc<Imported>>,
    /// The import in progress, or its error.
    pub importing: Option<Importing>,
    /// Worlds and experiments saved in the browser.
    pub library: Rc<Library>,
    /// The open world in the form that a link carries.
    pub packed: Packed,
    /// The last QR code received.
    pub code: Rc<Code>,
    /// Thumbnails of the built-in worlds received so far.
    pub thumbnails: Rc<Vec<Thumbnail>>,
    /// Fault in the formula that is being typed.
    pub typed: Option<Rc<Typed>>,
    /// Title of the strategy for which a topic was chosen automatically.
    pub topic_for: Option<Rc<str>>,
    /// Text-processing steps of the typed sample text.
    pub words: Rc<Vec<WordSteps>>,
    /// Sweep, vertex and page shown in the Web link graph.
    pub sweeps: Sweeps,
    /// The only page that the timeline shows, if any.
    pub alone: Option<u32>,
    /// Documents, their claims and figures.
    pub claims: Rc<Claims>,
    /// Ranker comparison as HTML; empty after a failure.
    pub ranks: Option<Rc<str>>,
    /// Message shown above the screen.
    pub notice: Option<Rc<str>>,
    /// Whether the setup panel is open (small screens).
    pub setup_open: bool,
    /// Whether host hulls are drawn.
    pub hulls: bool,
    /// Whether presentation mode is on.
    pub presenting: bool,
    /// Whether seeds are being chosen by clicks on the stage.
    pub choosing_seeds: bool,
    /// URLs of single pages, newest last.
    urls: Vec<(u32, Rc<str>)>,
    /// Pages whose URLs have been requested.
    nameless: Vec<u32>,
    /// The step that a link names, until the lanes have reached it.
    pending_step: Option<u32>,
    /// An experiment whose formulas the world worker still checks.
    unchecked: Option<Rc<Unchecked>>,
    world_deaths: u32,
    watches: watch::Watches,
    tasks: u32,
    wanted: Wanted,
}

/// The latest request to the world worker of each kind; older answers are ignored.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    open: Task,
    picture: Task,
    layout: Task,
    bounds: Task,
    find: Task,
    import: Task,
    pack: Task,
    names: Task,
    urls: Task,
    check: Task,
    rank: Task,
    words: Task,
}

/// The world, or its progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum World {
    /// Not requested yet.
    #[default]
    None,
    /// Being generated or read.
    Loading(Option<(Stage, Progress)>),
    /// Open.
    Ready(Rc<Summary>),
    /// Failed, with the reason.
    Failed(Failure),
}

/// A link that could not be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The link.
    pub link: String,
    /// What is wrong with it.
    pub error: String,
    /// Whether a newer version of Crawlscope wrote it.
    pub is_newer: bool,
    /// A link with its valid parts.
    pub repaired: Option<String>,
    /// The formula in it that is invalid.
    pub fault: Option<Fault>,
}

/// A formula that is being typed, with its fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// Lane of its strategy.
    pub lane: usize,
    /// `None` if it is valid.
    pub fault: Option<Fault>,
}

/// An experiment whose formulas have not been checked.
struct Unchecked {
    task: Task,
    experiment: Experiment,
    history: History,
    /// The link it came from; `None` for a change in the panel.
    link: Option<String>,
}

/// Ideal and random crawls from the same seeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The seeds.
    pub seeds: Vec<PageName>,
    /// Number of pages reachable from them.
    pub n_reached: u32,
    /// Cumulative PageRank of the ideal order after each step.
    pub ideal: Vec<f64>,
    /// Mean of random crawls.
    pub random: Vec<f64>,
    /// Standard deviation of random crawls.
    pub deviation: Vec<f64>,
}

/// The page that the inspector explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenPage {
    /// The lane that explains it.
    pub lane: usize,
    /// The page.
    pub page: u32,
}

/// First difference between the lane of the chosen page and another lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// The other lane.
    pub lane: usize,
    /// The first step at which they fetch different pages.
    pub step: u32,
    /// Page and score in each lane at that step; lane of the chosen page first.
    pub took: ((u32, f64), (u32, f64)),
}

/// The page under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hovered {
    /// The lane.
    pub lane: usize,
    /// The page.
    pub page: u32,
    /// Pointer position from the left edge of the stage, in pixels.
    pub x: f64,
    /// Pointer position from the top edge, in pixels.
    pub y: f64,
    /// Width and height of the stage, in pixels.
    pub size: (f64, f64),
}

/// Result of a page search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// The search text.
    pub text: String,
    /// The first pages.
    pub pages: Vec<PageName>,
    /// Number of matches.
    pub n_found: u32,
}

/// An imported world.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Its source, for [`Change::World`].
    pub source: WorldSource,
    /// Its summary.
    pub summary: Summary,
    /// Why it was not saved in the browser.
    pub not_kept: Option<NotKept>,
}

/// An import in progress, or its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Importing {
    /// File names.
    pub name: String,
    /// Progress.
    pub progress: Progress,
    /// Why it failed.
    pub error: Option<String>,
}

/// The open world in the form that a link carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Packed {
    /// Not requested yet.
    #[default]
    Unknown,
    /// The encoded world.
    Small(Rc<str>),
    /// Too large for a link.
    TooLarge,
}

impl State {
    /// Which parts of a lane used data that no crawler has; known when its run is over.
    pub fn oracle(&self, lane: usize) -> Oracle {
        let finished = self.lanes.get(lane).and_then(|lane| lane.finished.as_ref());
        finished.map(|finished| finished.oracle).unwrap_or_default()
    }

    /// A new request number, for requests that the state does not track.
    pub fn new_task(&mut self) -> Task {
        self.task()
    }

    fn task(&mut self) -> Task {
        self.tasks += 1;
        Task(self.tasks)
    }

    /// Unit of the play-head: pages or seconds.
    pub fn axis(&self) -> Axis {
        self.experiment.as_ref().map_or(Axis::Pages, |e| e.view.axis)
    }

    /// Index of the colour and shape of a lane.
    pub fn mark(&self, lane: usize) -> u8 {
        let view = self.experiment.as_ref().map(|experiment| &experiment.view);
        view.and_then(|view| view.all_marks().get(lane).copied()).unwrap_or(0)
    }

    /// Title of an entry with its non-default parameters.
    pub fn title_of(&self, chosen: &crawl_catalogue::Chosen) -> String {
        let catalogue = self.catalogue.as_ref();
        let entry = catalogue.and_then(|c| c.entry(chosen.kind, &chosen.id));
        let title = entry.map_or(chosen.id.as_str(), |entry| &entry.title);
        let changed: Vec<String> =
            chosen.params.changed().map(|(key, value)| format!("{key} {value}")).collect();
        let changed = visible(&changed.join(", ")).into_owned();
        if changed.is_empty() { title.to_owned() } else { format!("{title} ({changed})") }
    }

    /// The URL of a page, if it was requested recently.
    pub fn url_of(&self, page: u32) -> Option<&str> {
        self.urls.iter().find(|(named, _)| *named == page).map(|(_, url)| &**url)
    }

    /// Summary of the world, if it is open.
    pub fn summary(&self) -> Option<&Rc<Summary>> {
        match &self.world {
            World::Ready(summary) => Some(summary),
            _ => None,
        }
    }

    /// True while the play-head moves. It pauses behind a dialog.
    pub fn is_moving(&self) -> bool {
        self.head.playing && self.dialog.is_none()
    }

    /// True while playing at more than 10 steps per second.
    pub fn is_fast(&self) -> bool {
        self.is_moving() && self.experiment.as_ref().is_some_and(|e| e.view.speed > 10)
    }

    /// The step that a lane shows.
    pub fn step_of(&self, lane: &LaneState) -> u32 {
        lane.step_at(self.axis(), self.head.at)
    }

    /// Displayed position of the play-head, at most the end of the runs.
    ///
    /// On the axis of pages, rounded down to the last complete step.
    pub fn place(&self) -> f64 {
        let at = match self.axis() {
            Axis::Pages => self.head.at.floor(),
            Axis::Seconds => self.head.at,
        };
        self.known_end().map_or(at, |end| at.min(end))
    }

    /// Largest position of the play-head known so far.
    pub fn end(&self) -> f64 {
        self.end_on(self.axis())
    }

    /// [`State::end`], or `None` before any step has run.
    pub fn known_end(&self) -> Option<f64> {
        Some(self.end()).filter(|end| *end > 0.0)
    }

    /// End of an axis. With revisits, the axis of seconds covers all hours of the run.
    fn end_on(&self, axis: Axis) -> f64 {
        let has_revisits = self.experiment.as_ref().is_some_and(|e| !e.revisits.is_empty());
        let hours =
            if has_revisits && axis == Axis::Seconds { self.rule_number(HOURS) } else { 0.0 };
        self.lanes.iter().map(|lane| lane.end(axis)).fold(hours * 3600.0, f64::max)
    }

    /// Position that all running lanes have reached.
    pub fn reachable_end(&self) -> f64 {
        let axis = self.axis();
        let running = self.lanes.iter().filter(|lane| lane.is_running());
        running.map(|lane| lane.end_so_far(axis)).fold(self.end(), f64::min)
    }

    /// Spec of the metric in the chart.
    pub fn chart(&self) -> String {
        let chosen = self.experiment.as_ref().map(|e| e.view.chart.clone()).unwrap_or_default();
        let finds = |lane: &LaneState| lane.metric(SOUGHT).is_some_and(|m| !m.values.is_empty());
        if !chosen.is_empty() {
            chosen
        } else if self.has_revisits() {
            REVISITED.to_owned()
        } else if self.lanes.iter().any(finds) {
            SOUGHT.to_owned()
        } else {
            self.first_metric()
        }
    }

    fn first_metric(&self) -> String {
        let catalogue = self.catalogue.as_ref();
        let first = catalogue.and_then(|c| c.of(Kind::Metric).next());
        first.map(|entry| entry.id.to_string()).unwrap_or_default()
    }
}
