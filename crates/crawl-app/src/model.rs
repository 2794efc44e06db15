//! What the app knows, and how it changes: no browser in here, so all of it is tested natively.
//!
//! One [`State`], one [`Action`] enum; [`State::apply`] is the only place where the state changes.
//! What must then happen outside (messages to workers, the address bar) it returns as [`Effect`]s.

mod action;
mod apply;
mod change;
mod check;
mod claims;
mod clean;
mod graph;
mod lane;
mod number;
mod outside;
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
pub use claims::{Claims, Drawn};
pub use clean::{clean_lane, clean_world};
pub use graph::{Learnt, Sweeps};
pub use lane::{Ask, Finished, Lane, Measure};
pub use number::{bytes_text, count_text, percent_text, plain_text, score_text, seconds_text};
pub use playhead::Playhead;
pub use revisit::{BUDGET, HOURS, NEW, STALENESS};
pub use short_url::{Shortener, last_part, shorten};
pub use timeline::Said;
pub use topic::naming;
pub use upload::{Awaited, Given};
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

/// The measure that is compared with ideal and random.
pub const BOUNDED: &str = "cumulative-pagerank";
/// The metric that a chart shows unasked where something is looked for.
pub const SOUGHT: &str = "target-recall";
/// And the one that says how much of it can be found.
pub const CEILING: &str = "recall-ceiling";

/// The metric that a chart shows unasked where pages are visited again.
pub const REVISITED: &str = "mean-freshness";

/// What a first visit plays: a question a class can answer by watching.
pub const FIRST: &str =
    "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=400";

/// The worked example of Q-values on a Web link graph, as it is printed: from these seeds every page
/// is on a way to a result.
pub const EXAMPLE: &str = "#v=1&world=jlse-figure-2\
    &seeds='http://jlse.example/4','http://jlse.example/1'&topic=words(of:'3%206%2010')\
    &run=jlse(reward:100,cf:3)&at=10&graph=1";

/// How many lanes a link asks for, at a glance: their workers start before any of them can read it.
pub fn likely_lanes(link: &str) -> usize {
    let link = if link.len() < 2 { FIRST } else { link };
    let parts = split_outside(link.trim_start_matches('#'), '&');
    let runs = parts.iter().find_map(|part| part.strip_prefix("run=")).unwrap_or_default();
    split_outside(runs, ',').len().min(MAX_LANES)
}

/// Everything the app knows.
#[derive(Clone, Default)]
pub struct State {
    /// All there is to choose from; nothing until the workers have said it.
    pub catalogue: Option<Rc<Catalogue>>,
    /// Whether that is all; a first visit's program knows only what it plays.
    pub is_whole: bool,
    /// Whether the world is held by the program of a first visit, which knows one ranker.
    pub held_by_first: bool,
    /// The layouts there are.
    pub layouts: Rc<Vec<LayoutEntry>>,
    /// The experiment; nothing until a link has been opened.
    pub experiment: Option<Rc<Experiment>>,
    /// Why no experiment is open.
    pub broken: Option<Rc<Broken>>,
    /// The world.
    pub world: World,
    /// What of it is drawn.
    pub picture: Option<Rc<Picture>>,
    /// How far the layout is.
    pub layout: Option<Progress>,
    /// One lane a strategy.
    pub lanes: Vec<Lane>,
    /// Ideal and chance, and what the seeds reach.
    pub bounds: Option<Rc<Bounds>>,
    /// The play-head.
    pub head: Playhead,
    /// The page whose reasons are shown, and the lane that was asked.
    pub chosen: Option<Chosen>,
    /// The visit that was asked about: whose, its step, and what it found.
    pub visit: Option<(Chosen, u32, VisitFound)>,
    /// Where two lanes part, when that was asked for.
    pub parted: Option<Parted>,
    /// The page under the pointer.
    pub hovered: Option<Hovered>,
    /// What lies over the screen.
    pub dialog: Option<Dialog>,
    /// What was found by a search.
    pub found: Rc<Found>,
    /// Files that were given, and which of them were left out.
    pub given: Given,
    /// A file that was read and waits for a decision.
    pub imported: Option<Rc<Imported>>,
    /// A file that is being read.
    pub importing: Option<Importing>,
    /// What the browser's store holds.
    pub library: Rc<Library>,
    /// What the present world looks like in a link.
    pub packed: Packed,
    /// The last QR code asked for.
    pub code: Rc<Code>,
    /// Small pictures of the built-in worlds, those that are there.
    pub thumbnails: Rc<Vec<Thumbnail>>,
    /// What is wrong with a text that is being typed.
    pub typed: Option<Rc<Typed>>,
    /// The strategy for whose sake a topic was chosen without being asked for.
    pub topic_for: Option<Rc<str>>,
    /// What the words of a typed text become.
    pub words: Rc<Vec<WordSteps>>,
    /// Which sweep of the Web link graph is shown, and what of it.
    pub sweeps: Sweeps,
    /// The page that the timeline shows alone.
    pub alone: Option<u32>,
    /// What the papers claim, tried again.
    pub claims: Rc<Claims>,
    /// Two rankers compared, as a part of a page.
    pub ranks: Option<Rc<str>>,
    /// Something to tell.
    pub notice: Option<Rc<str>>,
    /// Whether the set-up panel is open.
    pub setup_open: bool,
    /// Whether host hulls are drawn.
    pub hulls: bool,
    /// Whether the big presentation form is on.
    pub presenting: bool,
    /// Whether seeds are being chosen by clicks on the stage.
    pub choosing_seeds: bool,
    /// URLs asked for one by one, the latest last.
    urls: Vec<(u32, Rc<str>)>,
    /// Pages whose URLs were asked for and have not come.
    nameless: Vec<u32>,
    pending_step: Option<u32>,
    /// An experiment that the world worker looks at before it is opened.
    unchecked: Option<Rc<Unchecked>>,
    /// A link that only the whole program can read.
    waiting_link: Option<(String, History)>,
    world_deaths: u32,
    watches: watch::Watches,
    tasks: u32,
    wanted: Wanted,
}

/// The newest requests to the world worker, by kind.
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

/// The world, or how far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum World {
    /// Not asked for yet.
    #[default]
    None,
    /// Being made or read.
    Loading(Option<(Stage, Progress)>),
    /// There.
    Ready(Rc<Summary>),
    /// Not there, and why.
    Failed(Failure),
}

/// Why no experiment is open, and the link that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The link.
    pub link: String,
    /// What is wrong with it.
    pub error: String,
    /// Whether a newer version of this program would open it.
    pub is_newer: bool,
    /// What can still be opened of it.
    pub repaired: Option<String>,
    /// A text in it that cannot be used.
    pub fault: Option<Fault>,
}

/// A text that is being typed, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The lane whose strategy it belongs to.
    pub lane: usize,
    /// Nothing where it can be used.
    pub fault: Option<Fault>,
}

/// An experiment before the texts in it are looked at.
struct Unchecked {
    task: Task,
    experiment: Experiment,
    history: History,
    /// The link it came from; none for a change.
    link: Option<String>,
}

/// Ideal and chance, and what the seeds reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The seeds.
    pub seeds: Vec<PageName>,
    /// Pages that can be reached from them.
    pub n_reached: u32,
    /// Rank gathered by the ideal order after each step.
    pub ideal: Vec<f64>,
    /// By random crawls, on average.
    pub random: Vec<f64>,
    /// Their standard deviation.
    pub deviation: Vec<f64>,
}

/// The page whose reasons are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The lane that was asked.
    pub lane: usize,
    /// The page.
    pub page: u32,
}

/// Where a lane parts from that of the chosen page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parted {
    /// The other lane.
    pub lane: usize,
    /// The first step at which they fetch different pages.
    pub step: u32,
    /// What each took there, with which score; the lane of the chosen page first.
    pub took: ((u32, f64), (u32, f64)),
}

/// The page under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hovered {
    /// In which lane.
    pub lane: usize,
    /// Which page.
    pub page: u32,
    /// Where the pointer is, from the left of the stage.
    pub x: f64,
    /// From its top.
    pub y: f64,
    /// Width and height of the stage.
    pub size: (f64, f64),
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What was looked for.
    pub text: String,
    /// The first pages.
    pub pages: Vec<PageName>,
    /// How many there are.
    pub n_found: u32,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// How to open it.
    pub source: WorldSource,
    /// What it is.
    pub summary: Summary,
    /// Why it could not be kept, if so.
    pub not_kept: Option<NotKept>,
}

/// A file that is being read, or could not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Importing {
    /// Its name.
    pub name: String,
    /// How far.
    pub progress: Progress,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// What the present world looks like in a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Packed {
    /// Nobody has asked.
    #[default]
    Unknown,
    /// Its content.
    Small(Rc<str>),
    /// It is too large to travel in a link.
    TooLarge,
}

impl State {
    /// Who in a lane knew more than a crawler can, once its run is over.
    pub fn oracle(&self, lane: usize) -> Oracle {
        let finished = self.lanes.get(lane).and_then(|lane| lane.finished.as_ref());
        finished.map(|finished| finished.oracle).unwrap_or_default()
    }

    /// A new request's number, for what is asked past the state.
    pub fn new_task(&mut self) -> Task {
        self.task()
    }

    fn task(&mut self) -> Task {
        self.tasks += 1;
        Task(self.tasks)
    }

    /// What the play-head counts.
    pub fn axis(&self) -> Axis {
        self.experiment.as_ref().map_or(Axis::Pages, |e| e.view.axis)
    }

    /// The colour and shape of a lane, counted from 0.
    pub fn mark(&self, lane: usize) -> u8 {
        let view = self.experiment.as_ref().map(|experiment| &experiment.view);
        view.and_then(|view| view.all_marks().get(lane).copied()).unwrap_or(0)
    }

    /// The name of a chosen entry, with the parameters that differ from their defaults.
    pub fn title_of(&self, chosen: &crawl_catalogue::Chosen) -> String {
        let catalogue = self.catalogue.as_ref();
        let entry = catalogue.and_then(|c| c.entry(chosen.kind, &chosen.id));
        let title = entry.map_or(chosen.id.as_str(), |entry| &entry.title);
        let changed: Vec<String> =
            chosen.params.changed().map(|(key, value)| format!("{key} {value}")).collect();
        let changed = visible(&changed.join(", ")).into_owned();
        if changed.is_empty() { title.to_owned() } else { format!("{title} ({changed})") }
    }

    /// The URL of a page that was asked for lately.
    pub fn url_of(&self, page: u32) -> Option<&str> {
        self.urls.iter().find(|(named, _)| *named == page).map(|(_, url)| &**url)
    }

    /// The world's summary, if it is there.
    pub fn summary(&self) -> Option<&Rc<Summary>> {
        match &self.world {
            World::Ready(summary) => Some(summary),
            _ => None,
        }
    }

    /// True while it plays and is seen: behind a dialog it waits, and goes on after.
    pub fn is_moving(&self) -> bool {
        self.head.playing && self.dialog.is_none()
    }

    /// True while more steps go by than the eye can follow one by one.
    pub fn is_fast(&self) -> bool {
        self.is_moving() && self.experiment.as_ref().is_some_and(|e| e.view.speed > 10)
    }

    /// The step a lane shows.
    pub fn step_of(&self, lane: &Lane) -> u32 {
        lane.step_at(self.axis(), self.head.at)
    }

    /// Where the play-head is shown: among pages, at the last one that is complete. A link may name a
    /// step beyond the end.
    pub fn place(&self) -> f64 {
        let at = match self.axis() {
            Axis::Pages => self.head.at.floor(),
            Axis::Seconds => self.head.at,
        };
        self.known_end().map_or(at, |end| at.min(end))
    }

    /// Where the play-head can go at most, as far as is known.
    pub fn end(&self) -> f64 {
        self.end_on(self.axis())
    }

    /// The same, once anything is known of it.
    pub fn known_end(&self) -> Option<f64> {
        Some(self.end()).filter(|end| *end > 0.0)
    }

    /// Until when it goes on an axis. Copies age for all hours there are, whoever visits them.
    fn end_on(&self, axis: Axis) -> f64 {
        let is_again = self.experiment.as_ref().is_some_and(|e| !e.revisits.is_empty());
        let hours = if is_again && axis == Axis::Seconds { self.rule_number(HOURS) } else { 0.0 };
        self.lanes.iter().map(|lane| lane.end(axis)).fold(hours * 3600.0, f64::max)
    }

    /// How far the play-head can go now: every lane that still runs has come so far.
    pub fn reachable_end(&self) -> f64 {
        let axis = self.axis();
        let running = self.lanes.iter().filter(|lane| lane.is_running());
        running.map(|lane| lane.end_so_far(axis)).fold(self.end(), f64::min)
    }

    /// The metric in the chart: its spec.
    pub fn chart(&self) -> String {
        let chosen = self.experiment.as_ref().map(|e| e.view.chart.clone()).unwrap_or_default();
        let finds = |lane: &Lane| lane.measure(SOUGHT).is_some_and(|m| !m.values.is_empty());
        if !chosen.is_empty() {
            chosen
        } else if self.is_again() {
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
