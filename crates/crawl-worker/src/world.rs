//! The world worker: it makes, reads, keeps, ranks and draws worlds, and hands them to the lanes.
//!
//! What takes long is cut into slices, between which it hears what is wanted now. Three things are
//! not cut: making a built-in world, reading files, and ranking pages. Files are read by a program
//! of its own, which is loaded when it is needed; while they are, progress is sent, and who wants to
//! stop the reading ends the worker and starts another. Reports are a second such program, which
//! answers the app itself.

mod bounds;
mod code;
mod find;
mod import;
mod laying;
mod open;
mod present;
mod summary;
mod thumbnail;

use crate::Array;
use bounds::BoundsJob;
use crawl_catalogue::{Catalogue, CatalogueError};
use crawl_layout::LAYOUTS;
pub use crawl_protocol::world::{Answer, Command};
use crawl_protocol::world::{
    BoundsOf, Failure, Handover, KeptExperiment, KeptWorld, LayoutEntry, Library, NotKept,
    PageName, Stage, Store, Summary, WordSteps,
};
use crawl_protocol::{Greeting, Progress, Task, WorldSource, reader};
use crawl_world::{PageId, World};
use find::FindJob;
use laying::LayoutJob;
use open::OpenJob;
use present::Present;
use std::ops::Range;
use std::sync::Arc;

/// Whoever runs a world worker.
pub trait Host {
    /// The time, in milliseconds since some moment.
    fn now_ms(&self) -> f64;
    /// The time, in milliseconds since 1970.
    fn date_ms(&self) -> f64;
    /// Sends an answer to the app, and arrays beside it.
    fn send(&mut self, answer: Answer, arrays: Vec<Array>);
    /// Sends something to one lane, or to all; the arrays are copied for each.
    fn hand_over(&mut self, to: Lanes, message: &Handover, arrays: &[Array]);
    /// Asks the store for something; the reply comes to [`WorldWorker::stored`].
    fn store(&mut self, request: StoreRequest);
    /// Asks the reader for something; the outcome comes to [`WorldWorker::read`], with the bytes
    /// beside it.
    fn read(&mut self, task: Task, job: reader::Job, given: Given);
    /// Passes a command on to the reports, which answer it; `world` is the flat form of the open
    /// world, or empty.
    fn report(&mut self, task: Task, command: Command, world: Vec<u8>);
}

/// Lane workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// All of them.
    All,
    /// The one that came last.
    Latest,
}

/// The bytes that go to the reader beside a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// None.
    Nothing,
    /// What came beside the command that is being heard.
    Beside,
    /// These.
    Bytes(Vec<u8>),
}

/// What the store is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreRequest {
    /// A world's flat form.
    Load {
        /// For which request.
        task: Task,
        /// The digest of its content.
        digest: String,
        /// When it is used, in milliseconds since 1970.
        now_ms: f64,
    },
    /// To keep a world.
    KeepWorld {
        /// For which request.
        task: Task,
        /// What is known of it.
        world: Box<KeptWorld>,
        /// Its flat form.
        flat: Vec<u8>,
    },
    /// To keep an experiment.
    KeepExperiment(KeptExperiment),
    /// Another name for a world or experiment.
    Rename {
        /// A world's digest or an experiment's link.
        key: String,
        /// The name.
        name: String,
    },
    /// To delete a world or experiment.
    Delete {
        /// A world's digest or an experiment's link.
        key: String,
    },
    /// All it holds.
    List,
}

/// A world's flat form and what is known of it; nothing when it is not there.
pub type Loaded = Result<Option<(Vec<u8>, Box<KeptWorld>)>, String>;

/// What the store replies.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreReply {
    /// A world, if it is there.
    Loaded {
        /// For which request.
        task: Task,
        /// The world.
        world: Loaded,
    },
    /// A world was kept, or could not be.
    Kept {
        /// For which request.
        task: Task,
        /// Why not.
        kept: Result<(), NotKept>,
        /// The flat form that was to be kept.
        flat: Vec<u8>,
    },
    /// All it holds.
    Library(Library),
}

/// Makes, reads, keeps, ranks and draws worlds.
pub struct WorldWorker {
    build: String,
    catalogue: Catalogue,
    present: Option<Present>,
    /// Worlds that were read; those that could not be kept in the store must not be lost.
    read: Vec<ReadWorld>,
    /// Files on their way through the reader: for which request, and their names.
    importing: Vec<(Task, Vec<String>)>,
    /// The world that is being written: for which request, and the file's name.
    writing: Option<(Task, String)>,
    open: Option<OpenJob>,
    layout: Option<LayoutJob>,
    /// For which request the present layout was or is made, and which it is.
    laid: Option<(Task, &'static crawl_layout::LayoutEntry)>,
    bounds: Option<BoundsJob>,
    find: Option<FindJob>,
    /// The small pictures that are still to be made.
    thumbnails: Range<usize>,
    /// Whether the reports were ever asked for something.
    has_reports: bool,
    /// Whose turn it is.
    turn: u32,
}

/// A world that was read from files.
struct ReadWorld {
    task: Task,
    world: Arc<World>,
    /// Its flat form, from when the store has seen it until it is opened.
    flat: Option<Vec<u8>>,
    summary: Summary,
    /// The names of its files.
    names: Vec<String>,
    is_kept: bool,
}

impl WorldWorker {
    /// A worker of that build, with nothing to do.
    pub fn new(build: &str) -> Self {
        Self {
            build: build.to_owned(),
            catalogue: crawl_claims::figure::catalogue(),
            present: None,
            read: Vec::new(),
            importing: Vec::new(),
            writing: None,
            open: None,
            layout: None,
            laid: None,
            bounds: None,
            find: None,
            thumbnails: 0..0,
            has_reports: false,
            turn: 0,
        }
    }

    /// Hears a command; what takes long is done in [`Self::work`].
    pub fn command(&mut self, command: Command, host: &mut dyn Host) {
        match command {
            Command::Hello(_) => {
                let greeting = Greeting { build: self.build.clone() };
                let catalogue = Box::new(self.catalogue.clone());
                host.send(Answer::Hello(greeting, catalogue, layouts()), Vec::new());
            }
            Command::Lane => self.hand_all_over(Lanes::Latest, host),
            Command::Open { task, source, layout } => {
                self.replace(host);
                self.open = Some(OpenJob::new(task, source, layout));
            }
            Command::Import { task, names } => self.import(task, names, host),
            Command::Layout { task, layout } => self.lay_out(task, &layout, host),
            Command::Bounds { task, seeds, rules, rng } => {
                self.bounds = Some(BoundsJob::new(task, BoundsOf { seeds, rules, rng }));
            }
            Command::Find { task, text, limit } => {
                self.find = Some(FindJob::new(task, &text, limit as usize));
            }
            Command::Urls { task, pages } => {
                if let Some(present) = self.present(task, host) {
                    let urls = pages.iter().map(|page| url_of(&present.world, *page)).collect();
                    host.send(Answer::Urls { task, urls }, Vec::new());
                }
            }
            Command::Write { task } => self.write(task, host),
            Command::Pack { task } => {
                if let Some(present) = self.present(task, host) {
                    let flat = crawl_import::flat::encode(&present.world);
                    host.read(task, reader::Job::Pack, Given::Bytes(flat));
                }
            }
            Command::Code { text, .. } => host.send(Answer::Code(code::code(text)), Vec::new()),
            Command::Check { task, strategies } => {
                let fault = |chosen| match self.catalogue.check(chosen) {
                    Err(CatalogueError::Fault { fault, .. }) => Some(*fault),
                    _ => None,
                };
                let faults = strategies.iter().map(fault).collect();
                host.send(Answer::Checked { task, faults }, Vec::new());
            }
            Command::Words { task, text } => {
                host.send(Answer::Words { task, words: words(&text) }, Vec::new());
            }
            Command::Thumbnails => self.thumbnails = 0..thumbnail::n_thumbnails(),
            Command::Rank { task, ref source, .. } => {
                let is_about_open = matches!(source, WorldSource::File { .. });
                self.report(task, command, is_about_open, host);
            }
            Command::Try { task, present, .. } => self.report(task, command, present, host),
            Command::Documents { task } | Command::Figure { task, .. } => {
                self.report(task, command, false, host);
            }
            Command::Cancel(task) => self.cancel(task, host),
            Command::Ping => host.send(Answer::Pong, Vec::new()),
            Command::Store(store) => {
                host.store(match store {
                    Store::List => StoreRequest::List,
                    Store::Keep(experiment) => StoreRequest::KeepExperiment(experiment),
                    Store::Rename { key, name } => StoreRequest::Rename { key, name },
                    Store::Delete { key } => StoreRequest::Delete { key },
                });
            }
        }
    }

    /// Hears from the reader.
    pub fn read(
        &mut self,
        task: Task,
        outcome: reader::Outcome,
        bytes: Vec<u8>,
        host: &mut dyn Host,
    ) {
        match outcome {
            reader::Outcome::World { format, notices } => {
                if let Some(open) = self.open.as_mut().filter(|open| open.task == task) {
                    open.unpacked(bytes);
                } else {
                    self.imported(task, bytes, format, notices, host);
                }
            }
            reader::Outcome::Packed(data) => host.send(Answer::Packed { task, data }, Vec::new()),
            reader::Outcome::Written => {
                if let Some((_, name)) = self.writing.take_if(|(writing, _)| *writing == task) {
                    host.send(Answer::Written { task, name }, vec![Array::U8(bytes)]);
                }
            }
            reader::Outcome::Failed(failure) => {
                self.open.take_if(|open| open.task == task);
                self.importing.retain(|(importing, _)| *importing != task);
                fail(task, failure, host);
            }
        }
    }

    /// Says how far the reader is with a file.
    pub fn reading(&mut self, task: Task, done: u64, of: u64, host: &mut dyn Host) {
        progress(task, Stage::Reading, done, of, host);
    }

    /// Hears from the store.
    pub fn stored(&mut self, reply: StoreReply, host: &mut dyn Host) {
        match reply {
            StoreReply::Loaded { task, world } => {
                if let Some(open) = self.open.as_mut().filter(|open| open.task == task) {
                    open.loaded(world);
                }
            }
            StoreReply::Kept { task, kept, flat } => self.kept(task, kept, flat, host),
            StoreReply::Library(library) => host.send(Answer::Library(library), Vec::new()),
        }
    }

    /// Works for a few milliseconds; true when there is more to do.
    pub fn work(&mut self, host: &mut dyn Host) -> bool {
        if self.find.is_some() && self.present.is_some() {
            self.find(host);
        } else if self.open.as_ref().is_some_and(OpenJob::can_go_on) {
            self.go_on_opening(host);
        } else if let Some(at) = self.thumbnails.next() {
            if let Some(thumbnail) = thumbnail::thumbnail(at, &self.catalogue) {
                host.send(Answer::Thumbnail(thumbnail), Vec::new());
            }
        } else {
            // Drawing and chance take turns, once something can be seen.
            self.turn = self.turn.wrapping_add(1);
            let shown = self.layout.as_ref().is_none_or(LayoutJob::is_shown);
            let can_bound = self.bounds.is_some() && self.open.is_none();
            if can_bound && shown && (self.layout.is_none() || self.turn.is_multiple_of(2)) {
                self.go_on_bounding(host);
            } else {
                self.go_on_laying_out(host);
            }
        }
        self.has_work()
    }

    fn has_work(&self) -> bool {
        let opening = self.open.as_ref();
        self.find.is_some() && self.present.is_some()
            || opening.is_some_and(OpenJob::can_go_on)
            || !self.thumbnails.is_empty()
            || self.layout.is_some()
            || self.bounds.is_some() && opening.is_none()
    }

    /// What no longer makes sense once another world is wanted.
    fn replace(&mut self, host: &mut dyn Host) {
        let tasks = [
            self.open.take().map(|job| job.task),
            self.layout.take().map(|job| job.task),
            self.bounds.take().map(|job| job.task),
            self.find.take().map(|job| job.task),
        ];
        for task in tasks.into_iter().flatten() {
            fail(task, Failure::Cancelled, host);
        }
    }

    fn cancel(&mut self, task: Task, host: &mut dyn Host) {
        if self.has_reports {
            host.report(task, Command::Cancel(task), Vec::new());
        }
        let stopped = self.open.take_if(|job| job.task == task).is_some()
            | self.layout.take_if(|job| job.task == task).is_some()
            | self.bounds.take_if(|job| job.task == task).is_some()
            | self.find.take_if(|job| job.task == task).is_some();
        if stopped {
            fail(task, Failure::Cancelled, host);
        }
    }

    /// The present world; says so where there is none.
    fn present(&self, task: Task, host: &mut dyn Host) -> Option<&Present> {
        if self.present.is_none() {
            fail(task, Failure::Words("no world is open".to_owned()), host);
        }
        self.present.as_ref()
    }

    /// Gives lanes the present world, and the bounds that belong to it.
    fn hand_all_over(&self, to: Lanes, host: &mut dyn Host) {
        let Some(present) = &self.present else { return };
        present.hand_over(to, crawl_import::flat::encode(&present.world), host);
        if let Some((of, bounds)) = &present.bounds {
            present.hand_bounds_over(to, of, bounds, host);
        }
    }

    /// Passes a command on to the reports, with the open world where it is about that.
    fn report(&mut self, task: Task, command: Command, is_about_open: bool, host: &mut dyn Host) {
        let open = self.present.as_ref().filter(|_| is_about_open);
        let world = open.map(|present| crawl_import::flat::encode(&present.world));
        self.has_reports = true;
        host.report(task, command, world.unwrap_or_default());
    }

    fn write(&mut self, task: Task, host: &mut dyn Host) {
        let Some(present) = self.present(task, host) else { return };
        progress(task, Stage::Writing, 0, 0, host);
        let name = format!("{}.jsonl", file_stem(present.world.title()));
        let flat = crawl_import::flat::encode(&present.world);
        host.read(task, reader::Job::Write, Given::Bytes(flat));
        self.writing = Some((task, name));
    }
}

/// Most words of a text that are shown.
const MOST_WORDS: usize = 100;

/// What the words of a text become wherever a topic looks at it.
fn words(text: &str) -> Vec<WordSteps> {
    let steps = crawl_core::topic::PIPELINE.steps(text).into_iter().take(MOST_WORDS);
    steps
        .map(|step| WordSteps { segmented: step.segmented, lowered: step.lowered, word: step.word })
        .collect()
}

fn layouts() -> Vec<LayoutEntry> {
    let entry = |layout: &&crawl_layout::LayoutEntry| LayoutEntry {
        id: layout.id.to_owned(),
        title: layout.title.to_owned(),
        summary: layout.summary.to_owned(),
    };
    LAYOUTS.iter().map(entry).collect()
}

fn fail(task: Task, failure: Failure, host: &mut dyn Host) {
    host.send(Answer::Failed { task, failure }, Vec::new());
}

fn progress(task: Task, stage: Stage, done: u64, of: u64, host: &mut dyn Host) {
    host.send(Answer::Progress { task, stage, progress: Progress { done, of } }, Vec::new());
}

fn page_name(world: &World, page: PageId) -> PageName {
    let url = world.url(page).into_owned();
    PageName { page: page.0, url, title: world.title_of(page).to_owned() }
}

fn url_of(world: &World, page: u32) -> String {
    if page < world.n_pages() { world.url(PageId(page)).into_owned() } else { String::new() }
}

/// A world's title as the beginning of a file's name.
fn file_stem(title: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let stem: String = title.chars().take(60).map(plain).collect();
    let stem = stem.trim_matches(['-', '.']);
    if stem.is_empty() { "world".to_owned() } else { stem.to_owned() }
}
