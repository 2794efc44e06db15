//! What the app and a lane worker say to each other: one worker runs one strategy.
//!
//! The world does not come from the app but from the world worker, over a port of its own
//! ([`crate::world::Handover`]). A run is sent as it happens ([`Answer::Steps`]), so that the app can
//! draw any moment of it without asking; what only the crawl itself knows — the order of the
//! frontier, the reasons — is asked for by step.

use crate::timeline::{Answered, Ask, Packed};
use crate::{Experiment, Greeting, Progress, Task};
use serde::{Deserialize, Serialize};

/// Who in a run knows more than a crawler can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oracle {
    /// The ordering, or whoever chose its seeds.
    pub ordering: bool,
    /// The policy that visits pages again.
    pub policy: bool,
}

impl Oracle {
    /// True when anybody does, so that the run is an oracle's.
    pub fn is_any(self) -> bool {
        self.ordering || self.policy
    }
}

/// From the app to a lane worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// First of all. Beside it: the port over which the world comes.
    Hello(Greeting),
    /// Runs one strategy of an experiment from its start to its end, in place of any other run.
    /// It waits until the world of that opening is there: it comes over another port, sooner or later
    /// than this, and a world opened before or after it will not do, even if it is the same.
    Run {
        /// The request's number.
        task: Task,
        /// The experiment.
        experiment: Box<Experiment>,
        /// Which of its strategies.
        lane: u32,
        /// The request by which its world was opened.
        opened: Task,
    },
    /// Stops the run where it is.
    Stop,
    /// Asks for the crawl as it stands after a step; a step not yet run is answered once it is.
    Show {
        /// The request's number. Only the latest is answered.
        task: Task,
        /// After which step.
        step: u32,
        /// At which moment, in seconds; when the step was complete where that is later.
        at_s: f64,
        /// How many of the next URLs.
        rows: u32,
        /// What of its pages, by name; empty for nothing.
        value: String,
    },
    /// Asks why a page stands where it does after a step.
    Explain {
        /// The request's number. Only the latest is answered.
        task: Task,
        /// After which step.
        step: u32,
        /// The page's number in the world.
        page: u32,
    },
    /// Asks for the Web link graph as it was learnt last by a step.
    Graph {
        /// The request's number. Only the latest is answered.
        task: Task,
        /// After which step.
        step: u32,
    },
    /// What the timeline asks.
    Timeline(Packed<Ask>),
    /// Asks whether the worker still answers. Answered by [`Answer::Pong`] between two slices of work.
    Ping,
}

/// From a lane worker to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// First of all.
    Hello(Greeting),
    /// The answer to a ping.
    Pong,
    /// What became of the topic, before the run starts: what is to be told of it, or why it cannot
    /// be learnt. A run that needs none goes on without it.
    Topic {
        /// Of which run.
        task: Task,
        /// Sentences.
        learnt: Result<Vec<String>, String>,
    },
    /// The next steps of the run. Arrays: page of each step (u32), seconds at its end (f64), score
    /// it was chosen with (f64), number of pages that came into the frontier after it (u32), those
    /// pages one after another (u32); where several fetches are under way at a time, also the second
    /// each was begun (f64) and the fetcher it kept busy (u32), else both are empty. The first
    /// message (`from` = 0) starts with the seeds: its first count belongs to no step and stands for
    /// them.
    Steps {
        /// Of which run.
        task: Task,
        /// How many steps came before.
        from: u32,
        /// How far the run is.
        progress: Progress,
    },
    /// The measures so far. Arrays: for each measure its steps (u32), its values there (f64), and its
    /// values at equal distances of time (f32; none where it has none between steps).
    Series {
        /// Of which run.
        task: Task,
        /// Seconds between two values in time.
        every_s: f64,
        /// The measures' specs, in the arrays' order.
        names: Vec<String>,
    },
    /// The run is complete.
    Finished {
        /// Which.
        task: Task,
        /// How many steps it took.
        n_steps: u32,
        /// Its digest.
        digest: String,
        /// Who of it knew more than a crawler can.
        oracle: Oracle,
        /// What happened besides, for people: robots requests, refusals and the like, as counts.
        counts: Vec<(Count, u32)>,
    },
    /// The crawl after a step. Arrays, where values were asked for and there are some: pages (u32)
    /// and where each one's value stands between the lowest and the highest, 0 to 1 (f32).
    Frame(Frame),
    /// Why a page stands where it does.
    Reasons(Box<Reasons>),
    /// The Web link graph.
    Graph(Box<Graph>),
    /// What the timeline asked for.
    Timeline(Packed<Answered>),
    /// A task failed.
    Failed {
        /// Which.
        task: Task,
        /// Why.
        error: String,
    },
}

/// What is counted besides steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Count {
    /// Answers of 400 and above.
    Errors,
    /// Answers that sent the crawler elsewhere.
    Redirects,
    /// Requests for robots.txt.
    RobotsRequests,
    /// URLs robots.txt forbids.
    RefusedByRobots,
    /// Links marked not to be followed.
    RefusedNofollow,
    /// URLs too deep.
    RefusedByDepth,
    /// URLs that repeat a part of their path too often.
    RefusedByRepeats,
    /// URLs whose site had its share.
    RefusedBySite,
}

/// The crawl after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Which request this answers.
    pub task: Task,
    /// After which step; less than asked for where the run is shorter.
    pub step: u32,
    /// Simulated seconds.
    pub seconds: f64,
    /// How many URLs wait.
    pub n_waiting: u32,
    /// How many are known.
    pub n_known: u32,
    /// The pages being fetched.
    pub in_flight: Vec<u32>,
    /// The next URLs, best first.
    pub next: Vec<Row>,
    /// The waiting page of the highest true rank: what a perfect crawler would take.
    pub best: Option<Best>,
    /// What can be shown of its pages, by name.
    pub keeps: Vec<String>,
    /// What was asked for of it.
    pub value: String,
    /// The values' range; nothing where there are none.
    pub range: Option<Range>,
    /// How far it is with learning on the Web link graph, where it learns there.
    pub learning: Option<Learning>,
}

/// How far a crawl is with learning on the Web link graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    /// How many times it has learnt.
    pub number: u32,
    /// After which step it did last; 0 before the first.
    pub step: u32,
    /// How many result pages it has.
    pub n_results: u32,
    /// With how many it learns next; 0 where it does not say.
    pub next_at: u32,
}

/// The Web link graph G_w as it was learnt last, and how its Q-values came about sweep by sweep.
/// What changes, changes once: from 0 to the worth of its sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// Which request this answers.
    pub task: Task,
    /// How often it was learnt, this time included; 0 where nothing has been learnt.
    pub number: u32,
    /// After which step that was.
    pub step: u32,
    /// γ.
    pub discount: f64,
    /// rd.
    pub reward: f64,
    /// What a leaf is worth to links that resemble it.
    pub of_a_leaf: f64,
    /// Whether the last sweep changed nothing.
    pub settled: bool,
    /// What changes in a sweep changes to this, by sweep; 0 before the first. The last is that of
    /// the last sweep made.
    pub worth: Vec<f64>,
    /// How many vertices there are in all.
    pub n_vertices: u32,
    /// How many of them are result pages.
    pub n_results: u32,
    /// How many edges there are in all.
    pub n_edges: u32,
    /// How many layers the vertices stand in.
    pub n_layers: u32,
    /// Most vertices in one layer.
    pub n_places: u32,
    /// The vertices that are shown, by layer and place.
    pub vertices: Vec<Vertex>,
    /// The edges between them.
    pub edges: Vec<Edge>,
}

/// A vertex of the Web link graph: a link, and the page it led to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vertex {
    /// The page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// The link's text; empty for a seed.
    pub anchor: String,
    /// The beginning of what stands around the link.
    pub context: String,
    /// Whether it is a result page.
    pub is_result: bool,
    /// Clicks from the seeds.
    pub layer: u32,
    /// Its place in the layer, from 0.
    pub place: u32,
    /// How many stand in the layer.
    pub of: u32,
    /// The sweep that gave it its Q; 0 for a result page, nothing where none did.
    pub changed_in: Option<u32>,
}

/// An edge of the Web link graph: a link between two of its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// From which vertex shown, counted from 0.
    pub from: u32,
    /// To which.
    pub to: u32,
    /// The sweep that gave it its Q; nothing where none did.
    pub changed_in: Option<u32>,
    /// Whether it is the one that gave its vertex the maximum.
    pub is_picked: bool,
}

/// From where to where values go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The lowest; where the scale is logarithmic, the lowest above 0.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Whether equal distances on the scale are equal factors.
    pub is_log: bool,
}

/// A URL that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its score.
    pub score: f64,
    /// Whether its host must be waited for now.
    pub held: bool,
    /// When it is due to be visited again, in seconds, where that is later.
    pub due_s: Option<f64>,
}

/// The waiting page of the highest true rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The page.
    pub row: Row,
    /// Its place among those that wait, from 1.
    pub place: u32,
    /// How much higher its rank is than that of the page the strategy takes next.
    pub regret: f64,
}

/// Why a page stands where it does in one lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// Which request this answers.
    pub task: Task,
    /// After which step.
    pub step: u32,
    /// The page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its title, where it has one and it was fetched.
    pub title: String,
    /// Its true rank as a share of all, which no crawler knows.
    pub true_rank: f64,
    /// Where it stands.
    pub place: Place,
    /// How its score comes about: now, or when it was fetched.
    pub why: Option<Why>,
    /// The page of the vertex of the Web link graph that the link to it resembles most.
    pub matched: Option<u32>,
    /// Every change of its score up to the step, the latest last; at most 100.
    pub moves: Vec<Moved>,
    /// How many changes there were.
    pub n_moves: u32,
}

/// Where a page stands in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// Nobody has linked to it yet.
    Unknown,
    /// It was found, and a rule keeps it out.
    Refused,
    /// It waits.
    Waiting {
        /// Its place in the queue, from 1.
        place: u32,
        /// How many wait.
        of: u32,
    },
    /// It is being fetched.
    InFlight,
    /// It was fetched.
    Fetched {
        /// At which step.
        step: u32,
    },
}

/// A number, how it comes from other numbers, and what was seen that makes it so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// What the number is.
    pub label: String,
    /// The sign between its parts, or before the only one; empty where there are none.
    pub sign: String,
    /// The number.
    pub value: f64,
    /// What it is made of.
    pub parts: Vec<Why>,
    /// What was seen.
    pub seen: Vec<Seen>,
}

/// What a number rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Seen {
    /// A page.
    Page {
        /// Its number in the world.
        page: u32,
        /// Its URL.
        url: String,
        /// At which step it was fetched, if it was.
        step: Option<u32>,
    },
    /// Anything else, in words.
    Words(String),
}

/// A change of a page's score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// At which step.
    pub step: u32,
    /// The page whose fetch changed it.
    pub by: Row,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
    /// Its place in the queue before, from 1; only for the latest change.
    pub place_before: Option<u32>,
    /// Its place after.
    pub place_after: Option<u32>,
}
