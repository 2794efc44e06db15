//! What can happen, and what must then be done outside.

use crate::model::{Chosen, Hovered, Worker};
use crawl_catalogue::ParamValue;
use crawl_protocol::lane;
use crawl_protocol::timeline;
use crawl_protocol::world::{self, LayoutEntry, Store};
use crawl_protocol::{Axis, Progress, Seeds, Task, WorldSource};
use std::cell::RefCell;
use std::rc::Rc;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The world worker is there and has said what there is.
    Ready(Rc<crawl_catalogue::Catalogue>, Vec<LayoutEntry>, bool),
    /// A link is to be opened: the address bar's, or one that was kept.
    OpenLink(String, History),
    /// Part of the experiment changes.
    Change(Change),
    /// A text is being typed: what would be wrong with this change?
    Check(Change),
    /// The world worker answered; arrays are handled where they arrive.
    World(Once<world::Answer>),
    /// A lane worker answered.
    Lane(usize, Once<lane::Answer>),
    /// More steps of a run arrived.
    Steps(usize, Steps),
    /// The measures of a run arrived, in the order of their names.
    Series(usize, Task, Vec<super::Measure>),
    /// A lane's worker died and was started again.
    LaneDied(usize, String),
    /// The world worker died and was started again.
    WorldDied(String),
    /// A worker was started, or turned out to be gone.
    Started(Worker),
    /// A worker sent a message, whatever it was.
    Heard(Worker),
    /// The watchdog's clock beat while the page was visible.
    Beat,
    /// A lane whose worker kept dying is to be run again, or else the world is to be opened again.
    TryAgain(Option<usize>),
    /// Time passed, in seconds.
    Tick(f64),
    /// Play or pause.
    TogglePlay,
    /// So many steps forwards or back.
    StepBy(i64),
    /// To a place on the axis.
    Seek(f64),
    /// To the end.
    SeekEnd,
    /// Steps a second.
    Speed(u32),
    /// What the play-head counts.
    Axis(Axis),
    /// Which metric the chart shows.
    Chart(String),
    /// Which layout.
    Layout(String),
    /// Try a document's claims: on so many generated webs, of so many pages each.
    Try(String, u32, u32),
    /// Stop trying.
    StopTrying,
    /// Draw a document's figure.
    Figure(crawl_catalogue::Chosen),
    /// Compare two rankers, by spec.
    Rank(String, String),
    /// What of its pages a lane's colour shows, by name; empty for when they were fetched.
    Colour(String),
    /// Shows or hides host hulls.
    ToggleHulls,
    /// A lane leaves the charts or comes back.
    ToggleMute(usize),
    /// A page's reasons are to be shown.
    Choose(Chosen),
    /// A lane's row of a page has the focus: Tab comes back to it.
    Stop(usize, u32),
    /// A lane is to be asked: about the chosen page, or about the one it takes next.
    ChooseLane(usize),
    /// No page's reasons any more.
    Unchoose,
    /// The pointer is over a page.
    Hover(Option<Hovered>),
    /// To the first step at which two lanes differ, with the page the first one took there.
    Diverge(usize, usize),
    /// The Web link graph of a lane is to be shown, or none.
    Graph(Option<usize>),
    /// The timeline is to be shown in place of the stage, or no longer.
    Timeline(bool),
    /// The timeline wishes for something.
    Wished(timeline::Wish),
    /// The graph as it is after so many sweeps.
    Sweep(u32),
    /// Play the sweeps, or pause.
    PlaySweeps,
    /// A vertex of the graph, by its place, is looked at.
    Vertex(u32),
    /// A page that waits is to be compared with the graph.
    Match(u32),
    /// A text whose words are to be shown step by step.
    Words(String),
    /// Something opens over the screen.
    Open(Dialog),
    /// And closes again.
    Close,
    /// The set-up panel opens or closes.
    ToggleSetup,
    /// The presentation form goes on or off.
    TogglePresenting,
    /// Looks for pages.
    Find(String),
    /// Seeds are chosen on the stage, or no longer.
    ToggleChoosingSeeds,
    /// A page becomes a seed, or no longer is one.
    ToggleSeed(String),
    /// Files and folders were chosen or dropped together, by name.
    Files(Vec<String>, Vec<String>),
    /// Files are being read; their bytes go to the worker beside the command.
    Importing(Vec<String>),
    /// The browser did not hand out a file's bytes, and why.
    NotRead(String),
    /// The reading is to stop.
    CancelImport,
    /// The file that was read is to be run.
    UseImported,
    /// What the store should do.
    Store(Store),
    /// The reader has seen the notice.
    DismissNotice,
    /// Something to tell.
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

/// A worker's answer. Copies share it, and the first action that is applied takes it: no answer takes
/// effect twice, and none has to be copied.
#[derive(Clone, Debug, PartialEq)]
pub struct Once<T>(Rc<RefCell<Option<T>>>);

impl<T> Once<T> {
    /// An answer that nobody has taken.
    pub fn new(answer: T) -> Self {
        Self(Rc::new(RefCell::new(Some(answer))))
    }

    /// Takes it, unless it was taken before.
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
    /// A parameter of the present built-in world.
    WorldParam(String, ParamValue),
    /// One more strategy, by spec.
    AddStrategy(String),
    /// Another strategy in a lane, by spec.
    SetStrategy(usize, String),
    /// A parameter of a lane's strategy.
    StrategyParam(usize, String, ParamValue),
    /// One strategy fewer.
    RemoveStrategy(usize),
    /// A revisit policy by spec: in place of that of this number, or the first; empty for none at all.
    Revisit(usize, String),
    /// A parameter of a policy.
    RevisitParam(usize, String, ParamValue),
    /// One policy a lane, or one for all.
    RevisitEach(bool),
    /// The share of all fetches that pages fetched before have, 0 to 1.
    Balance(f64),
    /// A crawl rule.
    Rule(String, ParamValue),
    /// Where crawls start.
    Seeds(Seeds),
    /// Crawls start at the best pages by a ranker.
    Top(String, u32),
    /// The seed of chance.
    Rng(u64),
    /// What is looked for, by the name of a kind of topic; empty for nothing.
    Topic(String),
    /// A parameter of the topic.
    TopicParam(String, ParamValue),
    /// A page's URL comes to a parameter of the topic that lists pages, or leaves it.
    Mark(String, String),
}

/// Steps as they arrived.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Of which run.
    pub task: Task,
    /// How many came before.
    pub from: u32,
    /// How far the run is.
    pub progress: Progress,
    /// The page of each step.
    pub pages: Vec<u32>,
    /// Seconds at its end.
    pub seconds: Vec<f64>,
    /// The score it was chosen with.
    pub scores: Vec<f64>,
    /// How many pages came into the frontier after it.
    pub counts: Vec<u32>,
    /// Those pages.
    pub found: Vec<u32>,
    /// Seconds at the beginning of each, where several are under way at a time.
    pub starts: Vec<f64>,
    /// The fetcher each kept busy, likewise.
    pub fetchers: Vec<u32>,
}

/// What lies over the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Choosing, generating, uploading a world; what is kept.
    World,
    /// Choosing a strategy for a lane, or for one more.
    Strategy(Option<usize>),
    /// Choosing a revisit policy in place of that of this number.
    Policy(usize),
    /// Where crawls start.
    Seeds,
    /// Link, QR code, frame.
    Share,
    /// Files.
    Export,
    /// What the papers claim, tried again.
    Claims,
    /// Two rankers compared.
    Ranks,
    /// Keys, and what the marks mean.
    Help,
}

/// What becomes of the address bar's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// A new entry.
    Push,
    /// The present entry is rewritten.
    Replace,
    /// The address bar is right already.
    Keep,
}

/// What must be done outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Tell the world worker.
    World(world::Command),
    /// Tell a lane's worker.
    Lane(usize, lane::Command),
    /// Have so many lane workers.
    Lanes(usize),
    /// A lane's run starts anew: forget what is drawn of it.
    ClearLane(usize),
    /// Show a link in the address bar.
    Address(String, History),
    /// Have the whole program, where only a first visit's is there.
    Whole,
    /// Start the world worker anew, to stop what it is at.
    RestartWorld,
    /// Start a lane's worker anew.
    RestartLane(usize),
    /// Ping a worker.
    Ping(Worker),
    /// Read files that were given, by name.
    Read(Vec<String>),
    /// Say something to a screen reader.
    Announce(String),
}
