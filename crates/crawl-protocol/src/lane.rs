//! Messages between the app and a lane worker, which runs one strategy.
//!
//! The world comes from the world worker over a separate port ([`crate::world::Handover`]). Steps
//! are sent as they happen ([`Answer::Steps`]); the app requests queues and explanations by step.

use crate::timeline::{Answered, Ask, Packed};
use crate::{Experiment, Greeting, Progress, Task};
use serde::{Deserialize, Serialize};

/// Which parts of a run use data that no crawler has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oracle {
    /// The strategy or its seeds.
    pub ordering: bool,
    /// The revisit policy.
    pub policy: bool,
}

impl Oracle {
    /// True if any part does.
    pub fn is_any(self) -> bool {
        self.ordering || self.policy
    }
}

/// A command from the app to a lane worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// First message. Transferred: the port to the world worker.
    Hello(Greeting),
    /// Runs one strategy of an experiment; replaces any other run.
    ///
    /// Waits for the world of request `opened`, which comes over another port, before or after this
    /// command. Other openings do not count, even of the same world.
    Run {
        /// Request number.
        task: Task,
        /// The experiment.
        experiment: Box<Experiment>,
        /// Index of the strategy.
        lane: u32,
        /// The request that opened its world.
        opened: Task,
    },
    /// Stops the run.
    Stop,
    /// Requests the frame after a step; answered once the step has run.
    Show {
        /// Request number. Only the latest is answered.
        task: Task,
        /// After this step.
        step: u32,
        /// Time in seconds, at least the end of the step.
        at_s: f64,
        /// Number of queue rows.
        rows: u32,
        /// Name of the page value to send; empty for none.
        value: String,
    },
    /// Requests the explanation of a page after a step.
    Explain {
        /// Request number. Only the latest is answered.
        task: Task,
        /// After this step.
        step: u32,
        /// The page's number in the world.
        page: u32,
    },
    /// Requests the latest Web link graph at a step.
    Graph {
        /// Request number. Only the latest is answered.
        task: Task,
        /// After this step.
        step: u32,
    },
    /// A request of the timeline.
    Timeline(Packed<Ask>),
    /// Watchdog ping. Answered by [`Answer::Pong`] between two slices of work.
    Ping,
}

/// An answer from a lane worker to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// First message.
    Hello(Greeting),
    /// Answer to a ping.
    Pong,
    /// Notes on how the topic was learnt, or the error; before the run starts.
    ///
    /// Strategies that need no topic still run.
    Topic {
        /// The run it belongs to.
        task: Task,
        /// Notes, or the error.
        learnt: Result<Vec<String>, String>,
    },
    /// The next steps of the run.
    ///
    /// Arrays: page of each step (u32), end time in seconds (f64), score (f64), number of pages
    /// that entered the frontier after it (u32), those pages (u32), start time in seconds (f64) and
    /// fetcher (u32); the last two are empty with one fetcher. In the first message (`from` = 0)
    /// the first count is that of the seeds and belongs to no step.
    Steps {
        /// The run it belongs to.
        task: Task,
        /// Number of steps before.
        from: u32,
        /// Progress of the run.
        progress: Progress,
    },
    /// Metric series so far.
    ///
    /// Arrays per metric: steps (u32), values (f64), and samples every `every_s` seconds (f32;
    /// empty if the metric changes only at steps).
    Series {
        /// The run it belongs to.
        task: Task,
        /// Seconds between two samples.
        every_s: f64,
        /// Specs of the metrics, in the order of the arrays.
        names: Vec<String>,
    },
    /// The run is complete.
    Finished {
        /// The task.
        task: Task,
        /// Number of steps.
        n_steps: u32,
        /// Its digest.
        digest: String,
        /// Which parts used data that no crawler has.
        oracle: Oracle,
        /// Event counts: robots requests, refusals and so on.
        counts: Vec<(Count, u32)>,
    },
    /// The frame after a step. Arrays, if values were requested and exist: pages (u32), and value
    /// of each, scaled to 0 … 1 (f32).
    Frame(Frame),
    /// Explanation of a page.
    Reasons(Box<Reasons>),
    /// The Web link graph.
    Graph(Box<Graph>),
    /// An answer to the timeline.
    Timeline(Packed<Answered>),
    /// A task failed.
    Failed {
        /// The task.
        task: Task,
        /// The reason.
        error: String,
    },
}

/// Kinds of counted events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Count {
    /// Responses with status 400 and above.
    Errors,
    /// Redirects.
    Redirects,
    /// Requests for robots.txt.
    RobotsRequests,
    /// URLs that robots.txt forbids.
    RefusedByRobots,
    /// Links with nofollow.
    RefusedNofollow,
    /// URLs beyond the depth limit.
    RefusedByDepth,
    /// URLs that repeat a path segment too often.
    RefusedByRepeats,
    /// URLs beyond the limit per site.
    RefusedBySite,
}

/// Queue and counts of a crawl after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The request it answers.
    pub task: Task,
    /// The step; smaller than requested if the run is shorter.
    pub step: u32,
    /// Simulated seconds.
    pub seconds: f64,
    /// Number of waiting URLs.
    pub n_waiting: u32,
    /// Number of known URLs.
    pub n_known: u32,
    /// Pages being fetched.
    pub in_flight: Vec<u32>,
    /// The next URLs, best first.
    pub next: Vec<Row>,
    /// The waiting page with the highest true rank.
    pub best: Option<Best>,
    /// Names of the page values that can be requested.
    pub keeps: Vec<String>,
    /// Name of the requested page value.
    pub value: String,
    /// Range of the values, if there are any.
    pub range: Option<Range>,
    /// State of learning on the Web link graph, if the strategy learns.
    pub learning: Option<Learning>,
}

/// State of learning on the Web link graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    /// Number of learning rounds so far.
    pub number: u32,
    /// Step of the last round; 0 before the first.
    pub step: u32,
    /// Number of result pages.
    pub n_results: u32,
    /// Number of result pages that triggers the next round; 0 if unknown.
    pub next_at: u32,
}

/// The latest Web link graph G_w and its Q-values by sweep.
///
/// Each Q changes once: from 0 to the value of its sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// The request it answers.
    pub task: Task,
    /// Learning round, from 1; 0 if nothing has been learnt.
    pub number: u32,
    /// Step of the round.
    pub step: u32,
    /// Discount γ.
    pub discount: f64,
    /// Reward rd.
    pub reward: f64,
    /// Q of links that match a result page.
    pub of_a_leaf: f64,
    /// Whether Q converged: the last sweep changed nothing.
    pub settled: bool,
    /// Value of each sweep; index 0 is before the first sweep and has value 0.
    pub worth: Vec<f64>,
    /// Total number of vertices.
    pub n_vertices: u32,
    /// Number of result pages.
    pub n_results: u32,
    /// Total number of edges.
    pub n_edges: u32,
    /// Number of layers.
    pub n_layers: u32,
    /// Largest number of vertices in a layer.
    pub n_places: u32,
    /// Vertices to draw, by layer and place.
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
    /// Anchor text; empty for a seed.
    pub anchor: String,
    /// Start of the text around the link.
    pub context: String,
    /// Whether it is a result page.
    pub is_result: bool,
    /// Clicks from the seeds.
    pub layer: u32,
    /// Index in the layer.
    pub place: u32,
    /// Number of vertices in the layer.
    pub of: u32,
    /// Sweep that set its Q; 0 for a result page, `None` for Q = 0.
    pub changed_in: Option<u32>,
}

/// An edge of the Web link graph: a link between two of its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Index of the source in `vertices`.
    pub from: u32,
    /// Index of the target.
    pub to: u32,
    /// Sweep that set its Q; `None` for Q = 0.
    pub changed_in: Option<u32>,
    /// Whether it gives its source the maximum.
    pub is_picked: bool,
}

/// Range of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Lowest value; on a log scale, lowest above 0.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Whether the scale is logarithmic.
    pub is_log: bool,
}

/// A row of the queue: a waiting URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its score.
    pub score: f64,
    /// Whether its host pauses now.
    pub held: bool,
    /// Due time of the next visit in seconds, if it is in the future.
    pub due_s: Option<f64>,
}

/// The waiting page with the highest true rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The page.
    pub row: Row,
    /// Its place in the queue, from 1.
    pub place: u32,
    /// Its true rank minus that of the next page.
    pub regret: f64,
}

/// Explanation of a page in a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// The request it answers.
    pub task: Task,
    /// After this step.
    pub step: u32,
    /// The page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its title if it was fetched; may be empty.
    pub title: String,
    /// Its true rank, as a share of all; unknown to crawlers.
    pub true_rank: f64,
    /// Its place in the lane.
    pub place: Place,
    /// Explanation of its score, now or when it was fetched.
    pub why: Option<Why>,
    /// Page of the best-matching vertex of the Web link graph.
    pub matched: Option<u32>,
    /// Changes of its score up to the step, newest last; at most 100.
    pub moves: Vec<Moved>,
    /// Total number of changes.
    pub n_moves: u32,
}

/// Place of a page in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// Not found yet.
    Unknown,
    /// Found, but excluded by a rule.
    Refused,
    /// Waiting in the queue.
    Waiting {
        /// Its place in the queue, from 1.
        place: u32,
        /// Length of the queue.
        of: u32,
    },
    /// Being fetched.
    InFlight,
    /// Fetched.
    Fetched {
        /// At which step.
        step: u32,
    },
}

/// A value with its derivation and evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// Name of the value.
    pub label: String,
    /// Operator between its parts, or before the only one; empty without parts.
    pub sign: String,
    /// The value.
    pub value: f64,
    /// Its operands.
    pub parts: Vec<Why>,
    /// Pages and texts it is based on.
    pub seen: Vec<Seen>,
}

/// Evidence for a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Seen {
    /// A page.
    Page {
        /// Its number in the world.
        page: u32,
        /// Its URL.
        url: String,
        /// Step of its fetch, if any.
        step: Option<u32>,
    },
    /// A text.
    Words(String),
}

/// A change of a page's score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// The step.
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
