//! Messages between the app and the world worker.
//!
//! The world worker generates or reads worlds, stores them in the browser, ranks them, computes
//! layouts, and sends worlds to the lane workers.

mod handover;
mod library;

pub use handover::{BoundsOf, Handover};
pub use library::{KeptExperiment, KeptWorld, Library, NotKept};

use crate::{Greeting, Progress, Seeds, Task, WorldSource};
use crawl_catalogue::{Catalogue, Chosen, Fault, Params};
use serde::{Deserialize, Serialize};

/// A command from the app to the world worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// First message.
    Hello(Greeting),
    /// A lane worker was started. Transferred: its port. The worker sends it the open world now and
    /// every later one.
    Lane,
    /// Opens a world: generates, reads or loads it, and sends it to all lanes.
    ///
    /// Answered by [`Answer::Opened`], then [`Answer::Picture`] and [`Answer::Positions`].
    Open {
        /// Request number. A newer request replaces it.
        task: Task,
        /// The world.
        source: WorldSource,
        /// Layout id; empty for the first.
        layout: String,
    },
    /// Imports files as a world and stores it. Arrays: the files' bytes (u8).
    ///
    /// Answered by [`Answer::Imported`].
    Import {
        /// Request number.
        task: Task,
        /// File names, in the order of the arrays.
        names: Vec<String>,
    },
    /// Computes another layout of the open world.
    Layout {
        /// Request number. A newer request replaces it.
        task: Task,
        /// Layout id.
        layout: String,
    },
    /// Requests reach, ideal crawl and random crawls over the open world.
    Bounds {
        /// Request number. A newer request replaces it.
        task: Task,
        /// Seed pages.
        seeds: Seeds,
        /// The crawl rules.
        rules: Params,
        /// Random seed.
        rng: u64,
    },
    /// Searches pages by URL or title.
    Find {
        /// Request number. Only the latest is answered.
        task: Task,
        /// Search text.
        text: String,
        /// Maximum number of pages.
        limit: u32,
    },
    /// Requests the URLs of pages.
    Urls {
        /// Request number.
        task: Task,
        /// The pages.
        pages: Vec<u32>,
    },
    /// Writes the open world as JSON Lines. Answered by [`Answer::Written`].
    Write {
        /// Request number.
        task: Task,
    },
    /// Encodes the open world for a link. Answered by [`Answer::Packed`].
    Pack {
        /// Request number.
        task: Task,
    },
    /// Encodes a text as a QR code. Answered by [`Answer::Code`].
    Code {
        /// Request number.
        task: Task,
        /// The text.
        text: String,
    },
    /// Checks the formulas of strategies. Answered by [`Answer::Checked`].
    Check {
        /// Request number.
        task: Task,
        /// The strategies.
        strategies: Vec<Chosen>,
    },
    /// Requests the text-processing steps of a text. Answered by [`Answer::Words`].
    Words {
        /// Request number. Only the latest is used.
        task: Task,
        /// The text.
        text: String,
    },
    /// Requests thumbnails of the built-in worlds. Answered by one [`Answer::Thumbnail`] each.
    Thumbnails,
    /// Compares two rankers on a world. Answered by [`Answer::Ranked`].
    Rank {
        /// Request number.
        task: Task,
        /// The world.
        source: WorldSource,
        /// The rankers.
        rankers: [Chosen; 2],
    },
    /// Requests the documents with testable claims. Answered by [`Answer::Documents`].
    Documents {
        /// Request number.
        task: Task,
    },
    /// Tests a document's claims. Answered by [`Answer::Trying`], finally [`Answer::Tried`].
    Try {
        /// Request number. A newer request replaces it.
        task: Task,
        /// The document.
        document: String,
        /// Number of generated webs.
        webs: u32,
        /// Pages per web.
        pages: u32,
        /// Whether to test the open world, too.
        present: bool,
    },
    /// Requests a figure. Answered by [`Answer::Figure`], repeatedly if it takes long.
    Figure {
        /// Request number. A newer request replaces it.
        task: Task,
        /// The figure and its parameters.
        figure: Chosen,
    },
    /// Cancels a task.
    Cancel(Task),
    /// Watchdog ping. Answered by [`Answer::Pong`] between two slices of work.
    Ping,
    /// A store command. Answered by [`Answer::Library`].
    Store(Store),
}

/// A text as a QR code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// The text.
    pub text: String,
    /// Width in modules, without the quiet zone; 0 if the text is too long.
    pub size: u32,
    /// Dark modules as SVG path data, one unit each.
    pub path: String,
}

/// Thumbnail of a world, 100 by 100 units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The world's id.
    pub id: String,
    /// Links as SVG path data.
    pub links: String,
    /// Pages as SVG path data: a dot each, with round line caps.
    pub pages: String,
}

/// A command to the browser's store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Store {
    /// Lists its content.
    List,
    /// Saves an experiment.
    Keep(KeptExperiment),
    /// Renames a world or experiment.
    Rename {
        /// Digest of the world or link of the experiment.
        key: String,
        /// New name.
        name: String,
    },
    /// Deletes a world or experiment.
    Delete {
        /// Digest of the world or link of the experiment.
        key: String,
    },
}

/// An answer from the world worker to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// First message.
    Hello(Greeting, Box<Catalogue>, Vec<LayoutEntry>),
    /// Progress of a task; sent repeatedly.
    Progress {
        /// The task.
        task: Task,
        /// Current stage.
        stage: Stage,
        /// Progress of the stage.
        progress: Progress,
    },
    /// The world is open and being sent to the lanes.
    Opened {
        /// The request it answers.
        task: Task,
        /// Its summary.
        summary: Box<Summary>,
    },
    /// Files were imported.
    Imported {
        /// The request it answers.
        task: Task,
        /// The world, ready to be opened.
        source: WorldSource,
        /// Its summary.
        summary: Box<Summary>,
        /// Whether it was saved in the store, or why not.
        kept: Result<(), NotKept>,
    },
    /// What the stage draws of the open world.
    ///
    /// Arrays: size of each node, 0 to 1 (f32); host of each node (u32, `u32::MAX` for none); edges
    /// as pairs of nodes (u32); node of each page (u32, `u32::MAX` for pages not drawn), empty if
    /// nodes are pages.
    Picture {
        /// The request it belongs to.
        task: Task,
        /// Nodes, hosts and labels.
        picture: Picture,
    },
    /// Node positions. Array: x and y of each node (f32), within −1 … 1.
    Positions {
        /// The request it belongs to.
        task: Task,
        /// Progress of the layout; intermediate layouts are shown.
        progress: Progress,
        /// Half the median distance to the nearest node.
        spacing: f32,
        /// Rings: radius, and the distance it stands for.
        rings: Vec<(f32, f64)>,
    },
    /// Reach of the seeds, ideal crawl and random crawls; curves may be empty.
    Bounds {
        /// The request it answers.
        task: Task,
        /// The seeds.
        seeds: Vec<PageName>,
        /// Number of pages reachable from them.
        n_reached: u32,
        /// Cumulative PageRank of the ideal crawl after each step.
        ideal: Vec<f64>,
        /// Mean of random crawls.
        random: Vec<f64>,
        /// Standard deviation of random crawls.
        deviation: Vec<f64>,
    },
    /// Search results.
    Found {
        /// The request it answers.
        task: Task,
        /// The pages, best match first.
        pages: Vec<PageName>,
        /// Total number of matches.
        n_found: u32,
    },
    /// The requested URLs.
    Urls {
        /// The request it answers.
        task: Task,
        /// In the order of the request.
        urls: Vec<String>,
    },
    /// A file. Array: its bytes (u8).
    Written {
        /// The request it answers.
        task: Task,
        /// File name.
        name: String,
    },
    /// Fault of each strategy's formulas.
    Checked {
        /// The request it answers.
        task: Task,
        /// In the order of the request.
        faults: Vec<Option<Fault>>,
    },
    /// Text-processing steps of a text.
    Words {
        /// The request it answers.
        task: Task,
        /// The first words, in order.
        words: Vec<WordSteps>,
    },
    /// A text as a QR code.
    Code(Code),
    /// Thumbnail of a built-in world.
    Thumbnail(Thumbnail),
    /// Ranker comparison.
    Ranked {
        /// The request it belongs to.
        task: Task,
        /// HTML fragment.
        html: String,
    },
    /// The documents with testable claims.
    Documents(Vec<DocumentName>),
    /// Progress of a claim test.
    Trying {
        /// The request it belongs to.
        task: Task,
        /// Progress.
        progress: Progress,
        /// The web under test.
        web: String,
    },
    /// Claim report. Array: the report as JSON (u8).
    Tried {
        /// The request it belongs to.
        task: Task,
        /// HTML fragment.
        html: String,
    },
    /// A figure, or why it cannot be drawn.
    Figure {
        /// The request it belongs to.
        task: Task,
        /// HTML fragment.
        html: String,
    },
    /// The open world for a link.
    Packed {
        /// The request it answers.
        task: Task,
        /// `data` of the link; `None` if the world is too large.
        data: Option<String>,
    },
    /// Content of the store.
    Library(Library),
    /// Answer to a ping.
    Pong,
    /// A task failed, or was cancelled.
    Failed {
        /// The task.
        task: Task,
        /// The reason.
        failure: Failure,
    },
}

/// Stage of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Generating a world.
    Making,
    /// Reading files.
    Reading,
    /// Ranking pages.
    Ranking,
    /// Computing a layout.
    LayingOut,
    /// Random crawls.
    Chance,
    /// Writing a file.
    Writing,
}

/// Summary of a world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Title.
    pub title: String,
    /// Digest of its content.
    pub digest: String,
    /// Number of pages.
    pub n_pages: u32,
    /// Number of links between them.
    pub n_links: u32,
    /// Number of hosts.
    pub n_hosts: u32,
    /// Number of links to URLs outside.
    pub n_outside: u64,
    /// Its seeds, at most 20.
    pub seeds: Vec<PageName>,
    /// Number of seeds.
    pub n_seeds: u32,
    /// Number of pages reachable from its seeds.
    pub n_reached: u32,
    /// A page that reaches more, and how many, if the seeds reach less than half.
    pub better_seed: Option<(PageName, u32)>,
    /// Licence of its content; empty if unknown.
    pub license: String,
    /// Size in the store, in bytes.
    pub n_bytes: u64,
    /// Notices of the importer.
    pub notices: Vec<String>,
    /// Id of its importer; empty if generated.
    pub format: String,
    /// Page labels and their counts; truncated if there are many.
    pub labels: Vec<(String, u32)>,
}

/// Text-processing steps of a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordSteps {
    /// The token.
    pub segmented: String,
    /// The token in lower case.
    pub lowered: String,
    /// The stem; `None` for a stop word.
    pub word: Option<String>,
}

/// A document with testable claims.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentName {
    /// Its letter.
    pub id: String,
    /// Its authors.
    pub title: String,
    /// Minimum and maximum number of pages per web.
    pub pages: (u32, u32),
}

/// A page and its URL.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageName {
    /// Its number in the world.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
}

/// Description of the drawing of a world; large arrays come with [`Answer::Picture`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Kind of nodes.
    pub nodes: Nodes,
    /// Number of nodes.
    pub n_nodes: u32,
    /// Host names by host number, without the shared domain.
    pub hosts: Vec<String>,
    /// Shared domain of all hosts; may be empty.
    pub domain: String,
    /// Labels of the most important nodes, at most 200.
    pub labels: Vec<(u32, String)>,
    /// Number of links that are not drawn.
    pub n_links_left_out: u32,
    /// Number of pages per node, if nodes are hosts.
    pub n_pages: Vec<u32>,
}

/// Kind of nodes in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nodes {
    /// All pages.
    Pages,
    /// Hosts, because there are too many pages.
    Hosts,
    /// The top pages by rank, because there are too many pages and no hosts.
    TopPages,
}

/// A layout of the registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutEntry {
    /// Id in links.
    pub id: String,
    /// Title in the interface.
    pub title: String,
    /// One-line summary.
    pub summary: String,
}

/// Why a task of the world worker failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    /// It was cancelled.
    Cancelled,
    /// The world's files are not in this browser.
    FileNeeded {
        /// The digest of its content.
        digest: String,
        /// File names.
        names: Vec<String>,
    },
    /// Another error, as text.
    Words(String),
}
