//! The world worker, told any commands in any order. The input is a script, one command a line:
//!
//! ```text
//! open TASK LAYOUT WORLD          where WORLD is a spec, as in links
//! data TASK TEXT                  a world that came in a link
//! file TASK DIGEST                a world of the store
//! import TASK NAME TEXT           a file; \n in TEXT stands for the end of a line
//! layout TASK LAYOUT
//! bounds TASK LINK                where LINK is what follows the world's part
//! find TASK LIMIT TEXT
//! urls TASK PAGE PAGE …
//! check TASK SPEC                 of a strategy
//! words TASK TEXT
//! code TASK TEXT
//! rank TASK WORLD RANKER RANKER
//! figure TASK SPEC
//! write TASK | pack TASK | cancel TASK | lane | documents
//! rename KEY NAME | delete KEY | list
//! work N                          so many slices of work
//! ```

use super::{Target, no_made_seeds};
use crate::check::catalogue;
use crate::script::{Words, unescaped};
use crate::world::experiment;
use crawl_catalogue::{Chosen, Kind};
use crawl_protocol::reader::Job;
use crawl_protocol::world::{Answer, Command, Handover, Library, Store};
use crawl_protocol::{Experiment, Task, WorldSource, decode, encode};
use crawl_reports::Reports;
use crawl_worker::Array;
use crawl_worker::world::{Given, Host, Lanes, StoreReply, StoreRequest, WorldWorker};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

pub(super) const TARGET: Target = Target {
    name: "world_worker",
    note: "no order of commands stops it, and every answer can be sent",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 300,
};

/// Most commands that are told, slices of work in all, and pages of a world that is made.
const MAX_COMMANDS: usize = 30;
const MAX_SLICES: u32 = 100;
const MAX_PAGES: f64 = 250.0;
/// Most sweeps of a ranker, which may take a hundred thousand.
const MAX_SWEEPS: f64 = 1_000.0;

/// The digest of no world.
const NO_DIGEST: &str = "00112233445566778899aabbccddeeff";

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (worker, reports) = (WorldWorker::new("test"), Reports::default());
    let mut desk = Desk { worker, reports, host: Sink::default(), n_slices: 0 };
    for line in text.lines().take(MAX_COMMANDS) {
        let mut words = Words::of(line);
        match words.word() {
            "work" => desk.work(words.whole()),
            kind => {
                if let Some(command) = desk.host.command(kind, words) {
                    desk.worker.command(command, &mut desk.host);
                }
            }
        }
    }
    desk.work(MAX_SLICES);
}

struct Desk {
    worker: WorldWorker,
    reports: Reports,
    host: Sink,
    n_slices: u32,
}

impl Desk {
    /// Lets the store, the reader, the reports and the worker do something in turn.
    fn work(&mut self, n: u32) {
        for _ in 0..n.min(MAX_SLICES - self.n_slices) {
            self.n_slices += 1;
            if let Some(request) = self.host.requests.pop_front() {
                let reply = self.host.serve(request);
                self.worker.stored(reply, &mut self.host);
            } else if let Some((task, job, beside)) = self.host.jobs.pop_front() {
                let (outcome, bytes) = crawl_reader::work(job, &beside, &mut |_, _| {});
                self.worker.read(task, outcome, bytes, &mut self.host);
            } else if let Some((command, world)) = self.host.commands.pop_front() {
                self.reports.command(command, &world, &mut self.host);
            } else {
                let has_more = self.worker.work(&mut self.host);
                if !self.reports.work(&mut self.host) && !has_more && !self.host.is_asked() {
                    break;
                }
            }
        }
    }
}

fn small_world(spec: &str) -> Option<WorldSource> {
    let chosen = catalogue().choose(Kind::World, spec).ok()?;
    let is_small = |key: &str| {
        let entry = catalogue().entry(Kind::World, &chosen.id);
        let has = entry.is_some_and(|entry| entry.param(key).is_some());
        !has || chosen.params.number(key) <= MAX_PAGES
    };
    ["pages", "trap", "coming"].into_iter().all(is_small).then_some(WorldSource::Made(chosen))
}

fn ranker(spec: &str) -> Option<Chosen> {
    let mut chosen = catalogue().choose(Kind::Ranker, spec).ok()?;
    let entry = catalogue().entry(Kind::Ranker, &chosen.id)?;
    if entry.param("sweeps").is_some() {
        let sweeps = chosen.params.number("sweeps").min(MAX_SWEEPS);
        chosen.params.set_number("sweeps", sweeps);
    }
    Some(chosen)
}

/// A host with a store, whose clock goes on at every look.
#[derive(Default)]
struct Sink {
    now_ms: Cell<f64>,
    worlds: BTreeMap<String, (Vec<u8>, Box<crawl_protocol::world::KeptWorld>)>,
    file: Vec<u8>,
    requests: VecDeque<StoreRequest>,
    jobs: VecDeque<(Task, Job, Vec<Vec<u8>>)>,
    commands: VecDeque<(Command, Vec<u8>)>,
}

impl Sink {
    fn command(&mut self, kind: &str, mut words: Words<'_>) -> Option<Command> {
        match kind {
            "lane" => return Some(Command::Lane),
            "documents" => return Some(Command::Documents { task: Task::default() }),
            "list" => return Some(Command::Store(Store::List)),
            "rename" => {
                let (key, name) = (words.word().to_owned(), words.rest().to_owned());
                return Some(Command::Store(Store::Rename { key, name }));
            }
            "delete" => {
                return Some(Command::Store(Store::Delete { key: words.rest().to_owned() }));
            }
            _ => {}
        }
        let task = Task(words.whole());
        Some(match kind {
            "open" => {
                let layout = words.word().to_owned();
                Command::Open { task, source: small_world(words.rest())?, layout }
            }
            "data" | "file" => {
                let world = match kind {
                    "data" => format!("file({NO_DIGEST})&data={}", words.rest()),
                    _ => format!("file({})", words.rest()),
                };
                let link = format!("v=1&world={world}&run=breadth-first");
                let source = Experiment::from_link(&link, catalogue()).ok()?.world;
                Command::Open { task, source, layout: String::new() }
            }
            "import" => {
                let names = vec![words.word().to_owned()];
                self.file = unescaped(words.rest()).into_bytes();
                Command::Import { task, names }
            }
            "layout" => Command::Layout { task, layout: words.rest().to_owned() },
            "bounds" => {
                let Experiment { seeds, rules, rng, .. } = experiment(words.rest()).ok()?;
                Command::Bounds { task, seeds, rules, rng }
            }
            "find" => Command::Find { task, limit: words.whole(), text: words.rest().to_owned() },
            "urls" => {
                let pages = words.rest().split_whitespace();
                Command::Urls { task, pages: pages.map(|p| p.parse().unwrap_or(0)).collect() }
            }
            "check" => {
                let strategy = catalogue().choose(Kind::Strategy, words.rest()).ok()?;
                Command::Check { task, strategies: vec![strategy] }
            }
            "words" => Command::Words { task, text: words.rest().to_owned() },
            "code" => Command::Code { task, text: words.rest().to_owned() },
            "rank" => {
                let source = small_world(words.word())?;
                let rankers = [ranker(words.word())?, ranker(words.rest())?];
                Command::Rank { task, source, rankers }
            }
            "figure" => {
                let figure = catalogue().choose(Kind::Figure, words.rest()).ok()?;
                Command::Figure { task, figure }
            }
            "write" => Command::Write { task },
            "pack" => Command::Pack { task },
            "cancel" => Command::Cancel(task),
            _ => return None,
        })
    }

    fn is_asked(&self) -> bool {
        !(self.requests.is_empty() && self.jobs.is_empty() && self.commands.is_empty())
    }

    fn serve(&mut self, request: StoreRequest) -> StoreReply {
        match request {
            StoreRequest::Load { task, digest, .. } => {
                StoreReply::Loaded { task, world: Ok(self.worlds.get(&digest).cloned()) }
            }
            StoreRequest::KeepWorld { task, world, flat } => {
                self.worlds.insert(world.summary.digest.clone(), (flat.clone(), world));
                StoreReply::Kept { task, kept: Ok(()), flat }
            }
            _ => StoreReply::Library(Library::default()),
        }
    }
}

impl Host for Sink {
    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + 1.0);
        self.now_ms.get()
    }

    fn date_ms(&self) -> f64 {
        0.0
    }

    fn send(&mut self, answer: Answer, _: Vec<Array>) {
        travels(&answer);
    }

    fn hand_over(&mut self, _: Lanes, message: &Handover, _: &[Array]) {
        encode(message).expect("a message can be written");
    }

    fn store(&mut self, request: StoreRequest) {
        self.requests.push_back(request);
    }

    fn read(&mut self, task: Task, job: Job, given: Given) {
        let beside = match given {
            Given::Nothing => Vec::new(),
            Given::Beside => vec![std::mem::take(&mut self.file)],
            Given::Bytes(bytes) => vec![bytes],
        };
        self.jobs.push_back((task, job, beside));
    }

    fn report(&mut self, _: Task, command: Command, world: Vec<u8>) {
        travels(&command);
        self.commands.push_back((command, world));
    }
}

impl crawl_reports::Host for Sink {
    fn now_ms(&self) -> f64 {
        Host::now_ms(self)
    }

    fn send(&mut self, answer: Answer, _: Option<Vec<u8>>) {
        travels(&answer);
    }
}

/// A message can be written and read.
fn travels<T: Serialize + DeserializeOwned>(message: &T) {
    let written = encode(message).expect("a message can be written");
    let again: T = decode(&written).expect("a message can be read");
    assert_eq!(encode(&again), Ok(written));
}
