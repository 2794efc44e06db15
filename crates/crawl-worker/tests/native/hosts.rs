//! Hosts that write down what they are told, with a clock that goes on at every look.

use crawl_protocol::reader::Job;
use crawl_protocol::world::{Answer, Command, Handover, KeptWorld, Library, NotKept};
use crawl_protocol::{Task, encode};
use crawl_reports::Reports;
use crawl_worker::world::{Given, Host, Lanes, StoreReply, StoreRequest, WorldWorker};
use crawl_worker::{Array, lane};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

/// A lane worker's host.
pub struct LaneHost {
    /// What was sent.
    pub sent: Vec<(lane::Answer, Vec<Array>)>,
    clock: Clock,
}

impl LaneHost {
    /// Its clock goes on by so much at every look.
    pub fn new(tick_ms: f64) -> Self {
        Self { sent: Vec::new(), clock: Clock::new(tick_ms) }
    }
}

impl lane::Host for LaneHost {
    fn now_ms(&self) -> f64 {
        self.clock.now_ms()
    }

    fn send(&mut self, answer: lane::Answer, arrays: Vec<Array>) {
        self.sent.push((answer, arrays));
    }
}

/// A world worker, and a host with a store, which can refuse to keep anything.
pub struct WorldDesk {
    pub worker: WorldWorker,
    reports: Reports,
    pub host: WorldHost,
}

/// A world worker's host.
pub struct WorldHost {
    /// What was sent to the app.
    pub sent: Vec<(Answer, Vec<Array>)>,
    /// What was handed to the lanes.
    pub handed: Vec<(Handover, Vec<Array>)>,
    /// What is in the store.
    pub worlds: BTreeMap<String, (Vec<u8>, KeptWorld)>,
    /// Whether the store keeps anything.
    pub keeps: bool,
    files: Vec<Vec<u8>>,
    requests: Vec<StoreRequest>,
    jobs: Vec<(Task, Job, Vec<Vec<u8>>)>,
    commands: VecDeque<(Command, Vec<u8>)>,
    clock: Clock,
}

impl WorldDesk {
    pub fn new() -> Self {
        let host = WorldHost {
            sent: Vec::new(),
            handed: Vec::new(),
            worlds: BTreeMap::new(),
            keeps: true,
            files: Vec::new(),
            requests: Vec::new(),
            jobs: Vec::new(),
            commands: VecDeque::new(),
            clock: Clock::new(1.0),
        };
        Self { worker: WorldWorker::new("test"), reports: Reports::default(), host }
    }

    /// Tells the worker something and lets it work until nothing is left to do; gives what it sent.
    pub fn tell(&mut self, command: Command, files: &[&[u8]]) -> Vec<(Answer, Vec<Array>)> {
        encode(&command).unwrap();
        self.host.files = files.iter().map(|file| file.to_vec()).collect();
        self.worker.command(command, &mut self.host);
        while self.work() {}
        std::mem::take(&mut self.host.sent)
    }

    /// Lets the store, the reader, the reports and the worker do something; false when nothing is
    /// left to do.
    pub fn work(&mut self) -> bool {
        if let Some(request) = self.host.requests.pop() {
            let reply = self.host.serve(request);
            self.worker.stored(reply, &mut self.host);
        } else if let Some((task, job, beside)) = self.host.jobs.pop() {
            let (outcome, bytes) = crawl_reader::work(job, &beside, &mut |_, _| {});
            self.worker.read(task, outcome, bytes, &mut self.host);
        } else if let Some((command, world)) = self.host.commands.pop_front() {
            self.reports.command(command, &world, &mut self.host);
        } else {
            let has_more = self.worker.work(&mut self.host);
            let reports_more = self.reports.work(&mut self.host);
            return has_more || reports_more || self.host.is_asked();
        }
        true
    }
}

impl WorldHost {
    fn is_asked(&self) -> bool {
        !(self.requests.is_empty() && self.jobs.is_empty() && self.commands.is_empty())
    }

    fn serve(&mut self, request: StoreRequest) -> StoreReply {
        match request {
            StoreRequest::Load { task, digest, .. } => {
                let world = self.worlds.get(&digest).cloned();
                let world = world.map(|(flat, kept)| (flat, Box::new(kept)));
                StoreReply::Loaded { task, world: Ok(world) }
            }
            StoreRequest::KeepWorld { task, flat, .. } if !self.keeps => {
                StoreReply::Kept { task, kept: Err(NotKept::Full), flat }
            }
            StoreRequest::KeepWorld { task, world, flat } => {
                self.worlds.insert(world.summary.digest.clone(), (flat.clone(), *world));
                StoreReply::Kept { task, kept: Ok(()), flat }
            }
            _ => StoreReply::Library(Library::default()),
        }
    }
}

impl Host for WorldHost {
    fn now_ms(&self) -> f64 {
        self.clock.now_ms()
    }

    fn date_ms(&self) -> f64 {
        0.0
    }

    fn send(&mut self, answer: Answer, arrays: Vec<Array>) {
        self.sent.push((answer, arrays));
    }

    fn hand_over(&mut self, _to: Lanes, message: &Handover, arrays: &[Array]) {
        self.handed.push((message.clone(), arrays.to_vec()));
    }

    fn store(&mut self, request: StoreRequest) {
        self.requests.push(request);
    }

    fn read(&mut self, task: Task, job: Job, given: Given) {
        let beside = match given {
            Given::Nothing => Vec::new(),
            Given::Beside => std::mem::take(&mut self.files),
            Given::Bytes(bytes) => vec![bytes],
        };
        self.jobs.push((task, job, beside));
    }

    fn report(&mut self, _: Task, command: Command, world: Vec<u8>) {
        self.commands.push_back((command, world));
    }
}

impl crawl_reports::Host for WorldHost {
    fn now_ms(&self) -> f64 {
        self.clock.now_ms()
    }

    fn send(&mut self, answer: Answer, bytes: Option<Vec<u8>>) {
        self.sent.push((answer, bytes.into_iter().map(Array::U8).collect()));
    }
}

struct Clock {
    now_ms: Cell<f64>,
    tick_ms: f64,
}

impl Clock {
    fn new(tick_ms: f64) -> Self {
        Self { now_ms: Cell::new(0.0), tick_ms }
    }

    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + self.tick_ms);
        self.now_ms.get()
    }
}
