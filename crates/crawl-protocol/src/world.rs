//! What the app, the world worker and the lane workers say to each other about the world.
//!
//! The world worker makes or reads worlds, keeps them in the browser's store, ranks them, lays them
//! out for drawing, and hands them to the lane workers.

mod handover;
mod library;

pub use handover::{BoundsOf, Handover};
pub use library::{KeptExperiment, KeptWorld, Library, NotKept};

use crate::{Greeting, Progress, Seeds, Task, WorldSource};
use crawl_catalogue::{Catalogue, Chosen, Fault, Params};
use serde::{Deserialize, Serialize};

/// From the app to the world worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// First of all.
    Hello(Greeting),
    /// A lane worker was started. Beside it: the port to it. It is sent every world from now on,
    /// the present one at once.
    Lane,
    /// Makes, reads or looks up a world, which becomes the present one and goes to all lanes.
    /// Answered by [`Answer::Opened`], then [`Answer::Picture`] and [`Answer::Positions`].
    Open {
        /// The request's number. A newer one replaces it.
        task: Task,
        /// Which world.
        source: WorldSource,
        /// The layout's id; empty for the first.
        layout: String,
    },
    /// Reads files into a world and keeps it in the store. Arrays: the files' bytes (u8). Answered
    /// by [`Answer::Imported`].
    Import {
        /// The request's number.
        task: Task,
        /// The files' names, in the arrays' order; a second file is the URL file of an edge list.
        names: Vec<String>,
    },
    /// Lays the present world out anew.
    Layout {
        /// The request's number. A newer one replaces it.
        task: Task,
        /// The layout's id.
        layout: String,
    },
    /// What the seeds reach and what chance and the ideal order gather, over the present world.
    Bounds {
        /// The request's number. A newer one replaces it.
        task: Task,
        /// Where the crawl starts.
        seeds: Seeds,
        /// The crawl rules.
        rules: Params,
        /// The seed of chance.
        rng: u64,
    },
    /// Looks for pages by a part of their URL or title.
    Find {
        /// The request's number. Only the latest is answered.
        task: Task,
        /// What to look for.
        text: String,
        /// Most pages answered.
        limit: u32,
    },
    /// Asks for the URLs of pages.
    Urls {
        /// The request's number.
        task: Task,
        /// The pages.
        pages: Vec<u32>,
    },
    /// Writes the present world as JSON Lines. Answered by [`Answer::Written`].
    Write {
        /// The request's number.
        task: Task,
    },
    /// Asks for a world in the form that travels in a link. Answered by [`Answer::Packed`].
    Pack {
        /// The request's number.
        task: Task,
    },
    /// Asks for a text as a QR code. Answered by [`Answer::Code`].
    Code {
        /// The request's number.
        task: Task,
        /// The text.
        text: String,
    },
    /// Asks whether the texts among strategies' parameters can be used: the catalogue that the app
    /// was sent cannot say. Answered by [`Answer::Checked`].
    Check {
        /// The request's number.
        task: Task,
        /// The strategies.
        strategies: Vec<Chosen>,
    },
    /// Asks what the words of a text become, step by step. Answered by [`Answer::Words`].
    Words {
        /// The request's number. Only the latest is of use.
        task: Task,
        /// The text.
        text: String,
    },
    /// Asks for small pictures of the built-in worlds. Answered by an [`Answer::Thumbnail`] each.
    Thumbnails,
    /// Ranks a world by two rankers, to compare them. Answered by [`Answer::Ranked`].
    Rank {
        /// The request's number.
        task: Task,
        /// The world.
        source: WorldSource,
        /// The rankers.
        rankers: [Chosen; 2],
    },
    /// Asks for the documents whose claims can be tried. Answered by [`Answer::Documents`].
    Documents,
    /// Tries a document's claims. Answered by [`Answer::Trying`], at last by [`Answer::Tried`].
    Try {
        /// The request's number. A newer one replaces it.
        task: Task,
        /// The document.
        document: String,
        /// On so many generated webs.
        webs: u32,
        /// Of so many pages each.
        pages: u32,
        /// Also on the world that is open.
        present: bool,
    },
    /// Asks for a figure that can be changed. Answered by [`Answer::Figure`], several times where it
    /// takes long.
    Figure {
        /// The request's number. A newer one replaces it.
        task: Task,
        /// The figure and its parameters.
        figure: Chosen,
    },
    /// Stops a task.
    Cancel(Task),
    /// Asks whether the worker still answers. Answered by [`Answer::Pong`] between two slices of work.
    Ping,
    /// What the store should do; answered by [`Answer::Library`] with all it holds.
    Store(Store),
}

/// A text as a QR code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// The text.
    pub text: String,
    /// How many modules it is wide, without the margin; 0 where it is too long for a code.
    pub size: u32,
    /// The dark modules as the data of an SVG path, a unit each.
    pub path: String,
}

/// A small picture of a world, in a square of 100 units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The world's id.
    pub id: String,
    /// The links as the data of an SVG path.
    pub links: String,
    /// The pages as the data of an SVG path: a dot each, if its ends are round.
    pub pages: String,
}

/// What the browser's store is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Store {
    /// Says what it holds.
    List,
    /// Keeps an experiment.
    Keep(KeptExperiment),
    /// Gives a world or experiment another name.
    Rename {
        /// Which: a world's digest or an experiment's link.
        key: String,
        /// The name.
        name: String,
    },
    /// Deletes a world or experiment.
    Delete {
        /// Which: a world's digest or an experiment's link.
        key: String,
    },
}

/// From the world worker to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// First of all.
    Hello(Greeting, Box<Catalogue>, Vec<LayoutEntry>),
    /// How far a task is; sent now and then.
    Progress {
        /// Which.
        task: Task,
        /// At what it is.
        stage: Stage,
        /// How far.
        progress: Progress,
    },
    /// The world is there, and on its way to the lanes.
    Opened {
        /// Which request this answers.
        task: Task,
        /// What it is.
        summary: Box<Summary>,
    },
    /// Files were read and the world is kept.
    Imported {
        /// Which request this answers.
        task: Task,
        /// The world, ready to be opened.
        source: WorldSource,
        /// What it is.
        summary: Box<Summary>,
        /// Whether it could be kept in the store; if not, why.
        kept: Result<(), NotKept>,
    },
    /// What is drawn of the present world. Arrays: size of each node, 0 to 1 (f32); host of each
    /// node (u32, `u32::MAX` for none); edges as pairs of nodes (u32); node of each page (u32,
    /// `u32::MAX` for pages not drawn), empty when nodes are pages.
    Picture {
        /// Of which request.
        task: Task,
        /// What it shows.
        picture: Picture,
    },
    /// Where the nodes stand. Array: x and y of each node (f32), within −1 … 1.
    Positions {
        /// Of which request.
        task: Task,
        /// How far the layout is; a layout is shown while it settles.
        progress: Progress,
        /// How far apart neighbours stand: half the usual distance to the nearest node.
        spacing: f32,
        /// Rings around the middle that mean a distance: radius and distance.
        rings: Vec<(f32, f64)>,
    },
    /// What the seeds reach; also when there is nothing to compare with.
    Bounds {
        /// Which request this answers.
        task: Task,
        /// The seeds.
        seeds: Vec<PageName>,
        /// Pages that can be reached from them.
        n_reached: u32,
        /// Rank gathered after each of the first steps by the ideal order.
        ideal: Vec<f64>,
        /// The mean of random crawls.
        random: Vec<f64>,
        /// Their standard deviation.
        deviation: Vec<f64>,
    },
    /// Pages found.
    Found {
        /// Which request this answers.
        task: Task,
        /// The pages, best match first.
        pages: Vec<PageName>,
        /// How many there are in all.
        n_found: u32,
    },
    /// The URLs asked for.
    Urls {
        /// Which request this answers.
        task: Task,
        /// In the order asked.
        urls: Vec<String>,
    },
    /// A file. Array: its bytes (u8).
    Written {
        /// Which request this answers.
        task: Task,
        /// What it should be called.
        name: String,
    },
    /// What is wrong with each strategy's texts.
    Checked {
        /// Which request this answers.
        task: Task,
        /// In the order asked.
        faults: Vec<Option<Fault>>,
    },
    /// What the words of a text become.
    Words {
        /// Which request this answers.
        task: Task,
        /// The words, in order; no more than can be shown.
        words: Vec<WordSteps>,
    },
    /// A text as a QR code.
    Code(Code),
    /// A small picture of a built-in world.
    Thumbnail(Thumbnail),
    /// Two rankers compared, as a part of a page.
    Ranked {
        /// Of which request.
        task: Task,
        /// The part of a page.
        html: String,
    },
    /// The documents whose claims can be tried.
    Documents(Vec<DocumentName>),
    /// How far a document is.
    Trying {
        /// Of which request.
        task: Task,
        /// How far.
        progress: Progress,
        /// The web that was worked on.
        web: String,
    },
    /// What became of a document's claims, as a part of a page. Arrays: all of it as JSON (u8).
    Tried {
        /// Of which request.
        task: Task,
        /// The part of a page.
        html: String,
    },
    /// A figure, as a part of a page; or why it cannot be drawn.
    Figure {
        /// Of which request.
        task: Task,
        /// The part of a page.
        html: String,
    },
    /// The present world as it travels in a link; nothing when it is too large for one.
    Packed {
        /// Which request this answers.
        task: Task,
        /// Its content.
        data: Option<String>,
    },
    /// What the store holds.
    Library(Library),
    /// The answer to a ping.
    Pong,
    /// A task failed, or was cancelled.
    Failed {
        /// Which.
        task: Task,
        /// Why.
        failure: Failure,
    },
}

/// What a task is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Making a world.
    Making,
    /// Reading files.
    Reading,
    /// Ranking pages.
    Ranking,
    /// Laying out.
    LayingOut,
    /// Random crawls.
    Chance,
    /// Writing a file.
    Writing,
}

/// What a world is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its name.
    pub title: String,
    /// The digest of its content.
    pub digest: String,
    /// Number of pages.
    pub n_pages: u32,
    /// Number of links between them.
    pub n_links: u32,
    /// Number of hosts.
    pub n_hosts: u32,
    /// Links that leave it.
    pub n_outside: u64,
    /// Its own seeds, at most 20 of them.
    pub seeds: Vec<PageName>,
    /// How many seeds it has.
    pub n_seeds: u32,
    /// Pages that can be reached from them.
    pub n_reached: u32,
    /// A page from which more can be reached, where its own seeds reach less than half.
    pub better_seed: Option<(PageName, u32)>,
    /// Under which licence its content may be passed on; empty when not said.
    pub license: String,
    /// Bytes it takes in the store.
    pub n_bytes: u64,
    /// What was odd about its files, for people.
    pub notices: Vec<String>,
    /// The importer that read it, if any.
    pub format: String,
    /// Labels of its pages that can be looked for, and how many pages have each; not all where
    /// there are many.
    pub labels: Vec<(String, u32)>,
}

/// What one word of a text becomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordSteps {
    /// As it is cut from the text.
    pub segmented: String,
    /// In lower case.
    pub lowered: String,
    /// Its stem; nothing for a stop word, which is dropped.
    pub word: Option<String>,
}

/// A document whose claims can be tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentName {
    /// Its letter.
    pub id: String,
    /// Whose it is.
    pub title: String,
    /// Fewest and most pages of the webs it can be tried on.
    pub pages: (u32, u32),
}

/// A page and its URL.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageName {
    /// Its number in the world.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its title, where it has one.
    pub title: String,
}

/// What is drawn of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// What its nodes are.
    pub nodes: Nodes,
    /// Number of nodes.
    pub n_nodes: u32,
    /// The hosts' names, by the host numbers of the nodes, without the domain they share.
    pub hosts: Vec<String>,
    /// The domain all hosts share; empty where there is none.
    pub domain: String,
    /// Nodes worth naming, most important first, with the text to show; at most 200.
    pub labels: Vec<(u32, String)>,
    /// Links that are not drawn because there are too many.
    pub n_links_left_out: u32,
    /// Pages of each node, where nodes are hosts.
    pub n_pages: Vec<u32>,
}

/// What the nodes of a picture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nodes {
    /// All pages, by their numbers.
    Pages,
    /// Hosts, because there are too many pages.
    Hosts,
    /// The pages of the highest rank, because there are too many pages and no hosts.
    TopPages,
}

/// A way to lay a world out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutEntry {
    /// Its name in links.
    pub id: String,
    /// Its name on screen.
    pub title: String,
    /// One line about it.
    pub summary: String,
}

/// Why a task of the world worker failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    /// It was cancelled.
    Cancelled,
    /// The world is read from files that are not here.
    FileNeeded {
        /// The digest of its content.
        digest: String,
        /// What the files were called.
        names: Vec<String>,
    },
    /// Anything else, in words.
    Words(String),
}
