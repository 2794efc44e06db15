//! Actions that change the state, and effects that follow.

use crate::model::{ChosenPage, Hovered, Worker};
use crawl_catalogue::ParamValue;
use crawl_protocol::lane;
use crawl_protocol::timeline;
use crawl_protocol::world::{self, LayoutEntry, Store};
use crawl_protocol::{Axis, Progress, Seeds, Task, WorldSource};
use std::cell::RefCell;
use std::rc::Rc;

/// An event that changes the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The world worker started and sent the registries.
    Ready(Rc<crawl_catalogue::Catalogue>, Vec<LayoutEntry>),
    /// Open a link from the address bar or a saved experiment.
    OpenLink(String, History),
    /// Change the experiment.
    Change(Change),
    /// Check a formula while it is typed.
    Check(Change),
    /// The world worker answered. Arrays were already handled by the app.
    World(Once<world::Answer>),
    /// A lane worker answered.
    Lane(usize, Once<lane::Answer>),
    /// More steps of a run arrived.
    Steps(usize, Steps),
    /// Metric series of a run arrived, in the order of their names.
    Series(usize, Task, Vec<super::MetricSeries>),
    /// A lane worker crashed and was restarted.
    LaneDied(usize, String),
    /// The world worker crashed and was restarted.
    WorldDied(String),
    /// A worker was started, or no longer exists.
    Started(Worker),
    /// A worker sent any message.
    MessageReceived(Worker),
    /// The watchdog timer fired while the page was visible.
    Beat,
    /// Run a lane again after repeated crashes; with `None`, open the world again.
    TryAgain(Option<usize>),
    /// Time passed since the last frame, in seconds.
    Tick(f64),
    /// Play or pause.
    TogglePlay,
    /// Move the play-head by steps; negative goes back.
    StepBy(i64),
    /// Move the play-head to a position.
    Seek(f64),
    /// Move the play-head to the end.
    SeekEnd,
    /// Set the speed: steps (or simulated seconds) per second.
    Speed(u32),
    /// Set the unit of the play-head.
    Axis(Axis),
    /// Set the metric of the chart, by spec.
    Chart(String),
    /// Set the layout, by id.
    Layout(String),
    /// Test a document's claims: document id, number of webs, pages per web.
    Try(String, u32, u32),
    /// Stop the claim test.
    StopTrying,
    /// Draw a document's figure.
    Figure(crawl_catalogue::Chosen),
    /// Compare two rankers, by spec.
    Rank(String, String),
    /// Set the value that colours show, by name; empty for the fetch time.
    Colour(String),
    /// Show or hide host hulls.
    ToggleHulls,
    /// Hide or show a lane in the chart.
    ToggleMute(usize),
    /// Explain a page in the inspector.
    Choose(ChosenPage),
    /// The row of a page in a lane's queue got the focus; Tab returns to it.
    Stop(usize, u32),
    /// Choose a lane: explain the chosen page there, or its next page.
    ChooseLane(usize),
    /// Close the inspector.
    Unchoose,
    /// The pointer moved onto a page, or off it.
    Hover(Option<Hovered>),
    /// Go to the first step at which two lanes differ, and explain the first lane's page.
    Diverge(usize, usize),
    /// Show the Web link graph of a lane, or close it.
    Graph(Option<usize>),
    /// Show the timeline in place of the stage, or close it.
    Timeline(bool),
    /// The timeline sent a request.
    TimelineRequest(timeline::Request),
    /// Show the Web link graph after so many sweeps.
    Sweep(u32),
    /// Play the sweeps, or pause.
    PlaySweeps,
    /// Explain a vertex of the graph, by index.
    Vertex(u32),
    /// Match a waiting page against the graph.
    Match(u32),
    /// Show the text-processing steps of a text.
    Words(String),
    /// Open a dialog.
    Open(Dialog),
    /// Close the dialog.
    Close,
    /// Open or close the setup panel.
    ToggleSetup,
    /// Turn presentation mode on or off.
    TogglePresenting,
    /// Search pages by URL or title.
    Find(String),
    /// Start or stop choosing seeds on the stage.
    ToggleChoosingSeeds,
    /// Add or remove a seed, by URL.
    ToggleSeed(String),
    /// Names of files and folders that were chosen or dropped together.
    Files(Vec<String>, Vec<String>),
    /// Import files, by name; their bytes are transferred with the command.
    Importing(Vec<String>),
    /// The browser could not read a file, with the error.
    NotRead(String),
    /// Cancel the import.
    CancelImport,
    /// Open the imported world.
    UseImported,
    /// A command to the browser's store.
    Store(Store),
    /// Close the notice.
    DismissNotice,
    /// Show a notice.
    Notice(String),
}

impl Action {
    /// The world worker answered.
    pub fn world(answer: world::Answer) -> Self {
        Self::World(Once::new(answer))
    }

    /// A lane worker answered.
    pub fn lane(at: usize, answer: lane::Answer) -> Self {
        Self::Lane(at, Once::new(answer))
    }
}

/// An answer of a worker that is applied once.
///
/// Copies share it; the first action that is applied takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Once<T>(Rc<RefCell<Option<T>>>);

impl<T> Once<T> {
    /// Wraps an answer.
    pub fn new(answer: T) -> Self {
        Self(Rc::new(RefCell::new(Some(answer))))
    }

    /// The answer, or `None` if it was taken before.
    pub(super) fn take(&self) -> Option<T> {
        self.0.take()
    }
}

/// A change of the experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another world.
    World(WorldSource),
    /// A built-in world, by spec.
    Made(String),
    /// A parameter of the open built-in world.
    WorldParam(String, ParamValue),
    /// One more strategy, by spec.
    AddStrategy(String),
    /// Another strategy in a lane, by spec.
    SetStrategy(usize, String),
    /// A parameter of a lane's strategy.
    StrategyParam(usize, String, ParamValue),
    /// Remove a strategy.
    RemoveStrategy(usize),
    /// Replace the revisit policy at an index, by spec; an empty spec removes all policies.
    Revisit(usize, String),
    /// A parameter of a policy.
    RevisitParam(usize, String, ParamValue),
    /// One policy per lane, or one for all.
    RevisitEach(bool),
    /// The share of fetches that are revisits, 0 to 1.
    Balance(f64),
    /// A crawl rule.
    Rule(String, ParamValue),
    /// Seed pages.
    Seeds(Seeds),
    /// Seeds are the top k pages by a ranker.
    Top(String, u32),
    /// Random seed.
    Rng(u64),
    /// Topic, by registry id; empty for none.
    Topic(String),
    /// A parameter of the topic.
    TopicParam(String, ParamValue),
    /// Add a URL to a page list of the topic (by parameter key), or remove it.
    Mark(String, String),
}

/// Steps of a run as they arrive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// The run they belong to.
    pub task: Task,
    /// Number of steps before them.
    pub from: u32,
    /// Progress of the run.
    pub progress: Progress,
    /// The page of each step.
    pub pages: Vec<u32>,
    /// Time at its end, in simulated seconds.
    pub seconds: Vec<f64>,
    /// Score of the page.
    pub scores: Vec<f64>,
    /// Number of pages that entered the frontier after it.
    pub counts: Vec<u32>,
    /// Those pages, step after step.
    pub found: Vec<u32>,
    /// Start time of each fetch in seconds; empty with one fetcher.
    pub starts: Vec<f64>,
    /// Fetcher of each step; empty with one fetcher.
    pub fetchers: Vec<u32>,
}

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Choose, upload or open a saved world.
    World,
    /// Choose a strategy for a lane; `None` for a new lane.
    Strategy(Option<usize>),
    /// Choose a revisit policy, replacing the one at an index.
    Policy(usize),
    /// Choose seed pages.
    Seeds,
    /// Share: link, QR code, embed code.
    Share,
    /// Export files.
    Export,
    /// Test claims of the papers.
    Claims,
    /// Compare two rankers.
    Ranks,
    /// Marks and keys.
    Help,
}

/// How a link enters the browser history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Add an entry.
    Push,
    /// Replace the current entry.
    Replace,
    /// Leave the address bar as it is.
    Keep,
}

/// A side effect that the app performs.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send a command to the world worker.
    World(world::Command),
    /// Send a command to a lane worker.
    Lane(usize, lane::Command),
    /// Have at least so many lane workers.
    Lanes(usize),
    /// Clear the stage of a lane: its run restarts.
    ClearLane(usize),
    /// Show a link in the address bar.
    Address(String, History),
    /// Restart the world worker, to abort its current work.
    RestartWorld,
    /// Restart a lane worker.
    RestartLane(usize),
    /// Ping a worker.
    Ping(Worker),
    /// Read chosen files, by name.
    Read(Vec<String>),
    /// Announce a text to screen readers.
    Announce(String),
}
