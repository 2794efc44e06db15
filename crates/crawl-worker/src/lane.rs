//! The lane worker: one strategy's run, sent as it happens, and answers about any step of it.

mod frame;
mod graph;
mod reasons;
mod running;
mod timeline;

use crate::{Array, SLICE_MS};
use crawl_catalogue::Catalogue;
use crawl_core::{Bounds, Truth};
pub use crawl_protocol::lane::{Answer, Command};
use crawl_protocol::timeline::{Answered, Ask, MarksOf, Packed, RowsOf};
use crawl_protocol::world::{BoundsOf, Handover};
use crawl_protocol::{Experiment, Greeting, Task};
use crawl_run::{Run, RunError};
use crawl_world::World;
use running::Running;
use std::sync::Arc;

/// Whoever runs a lane worker.
pub trait Host {
    /// The time, in milliseconds since some moment.
    fn now_ms(&self) -> f64;
    /// Sends an answer to the app, and arrays beside it.
    fn send(&mut self, answer: Answer, arrays: Vec<Array>);
}

/// One strategy's run.
pub struct LaneWorker {
    build: String,
    catalogue: Catalogue,
    given: Option<Given>,
    bounds: Option<GivenBounds>,
    wanted: Option<Wanted>,
    running: Option<Running>,
    show: Option<Show>,
    explain: Option<Explain>,
    /// The step whose Web link graph is asked for.
    graph: Option<(Task, u32)>,
    /// Which pages there are copies of.
    rows: Option<(Task, RowsOf)>,
    /// What happened to which pages.
    marks: Option<(Task, MarksOf)>,
    /// For how long the run goes on before the next answer, so that answers do not stop it.
    owed_ms: f64,
}

/// The world, as the world worker handed it over.
struct Given {
    /// By which request it was opened.
    opened: Task,
    digest: String,
    /// With its true ranks; or what is wrong with it.
    world: Result<(Arc<World>, Arc<Truth>), String>,
}

struct GivenBounds {
    digest: String,
    of: BoundsOf,
    bounds: Bounds,
}

/// A run that was asked for, and perhaps waits for its world.
struct Wanted {
    task: Task,
    experiment: Box<Experiment>,
    lane: u32,
    opened: Task,
}

struct Show {
    task: Task,
    step: u32,
    at_s: f64,
    rows: u32,
    value: String,
}

#[derive(Clone, Copy)]
struct Explain {
    task: Task,
    step: u32,
    page: u32,
}

impl LaneWorker {
    /// A worker of that build, with nothing to do.
    pub fn new(build: &str) -> Self {
        Self {
            build: build.to_owned(),
            catalogue: crawl_run::catalogue(),
            given: None,
            bounds: None,
            wanted: None,
            running: None,
            show: None,
            explain: None,
            graph: None,
            rows: None,
            marks: None,
            owed_ms: 0.0,
        }
    }

    /// Hears a command; what takes long is done in [`Self::work`].
    pub fn command(&mut self, command: Command, host: &mut dyn Host) {
        match command {
            Command::Hello(_) => {
                let greeting = Greeting { build: self.build.clone() };
                host.send(Answer::Hello(greeting), Vec::new());
            }
            Command::Run { task, experiment, lane, opened } => {
                (self.running, self.show, self.explain) = (None, None, None);
                (self.graph, self.rows, self.marks) = (None, None, None);
                self.owed_ms = 0.0;
                self.wanted = Some(Wanted { task, experiment, lane, opened });
            }
            Command::Stop => {
                self.wanted = None;
                if let Some(running) = &mut self.running {
                    running.stop();
                }
            }
            Command::Show { task, step, at_s, rows, value } => {
                self.show = Some(Show { task, step, at_s, rows, value });
            }
            Command::Explain { task, step, page } => {
                self.explain = Some(Explain { task, step, page });
            }
            Command::Graph { task, step } => self.graph = Some((task, step)),
            Command::Ping => host.send(Answer::Pong, Vec::new()),
            Command::Timeline(asked) => self.hear_timeline(asked, host),
        }
    }

    /// Hears from the world worker.
    pub fn handover(&mut self, message: Handover, arrays: Vec<Array>, host: &mut dyn Host) {
        match message {
            Handover::World { opened, digest, ranker } => {
                // A run on another world is of no use to anybody.
                self.running = None;
                self.bounds = None;
                // The old world makes room first: memory that both take at once is never given back.
                self.given = None;
                let world = take_world(ranker, arrays);
                self.given = Some(Given { opened, digest, world });
            }
            Handover::Bounds { digest, of } => {
                let Some(bounds) = take_bounds(arrays) else { return };
                self.bounds = Some(GivenBounds { digest, of, bounds });
                self.hand_bounds_on(host);
            }
        }
    }

    /// Works for a few milliseconds; true when there is more to do.
    pub fn work(&mut self, host: &mut dyn Host) -> bool {
        if self.start_wanted(host) {
            return true;
        }
        if self.answer(host) {
            return true;
        }
        let Some(running) = &mut self.running else { return false };
        if running.is_over() {
            return false;
        }
        let from = host.now_ms();
        running.advance(host, from + SLICE_MS);
        self.owed_ms -= host.now_ms() - from;
        let is_asked = self.show.is_some() || self.explain.is_some() || self.graph.is_some();
        let is_asked = is_asked || self.rows.is_some() || self.marks.is_some();
        !running.is_over() || is_asked
    }

    /// Starts the run that was asked for, if its world is there.
    fn start_wanted(&mut self, host: &mut dyn Host) -> bool {
        let opened = self.given.as_ref().map(|given| given.opened);
        let is_there = |wanted: &mut Wanted| Some(wanted.opened) == opened;
        let Some(wanted) = self.wanted.take_if(is_there) else { return false };
        let task = wanted.task;
        match self.set_up(wanted, host) {
            Ok(running) => {
                self.running = Some(running);
                self.hand_bounds_on(host);
            }
            Err(error) => host.send(Answer::Failed { task, error }, Vec::new()),
        }
        true
    }

    fn set_up(&self, wanted: Wanted, host: &mut dyn Host) -> Result<Running, String> {
        let Some(given) = &self.given else { return Err(String::new()) };
        let (world, truth) = given.world.as_ref().map_err(Clone::clone)?;
        let mut experiment = *wanted.experiment;
        let lane = wanted.lane as usize;
        if lane >= experiment.strategies.len() {
            return Err(format!("the experiment has no lane {}", wanted.lane));
        }
        // All lanes share one machine, so that what fits depends on all.
        if experiment.strategies.len() > 1 {
            self.check_all(&experiment, world)?;
        }
        experiment.revisits = experiment.revisit(lane).cloned().into_iter().collect();
        experiment.strategies = vec![experiment.strategies.swap_remove(lane)];
        let set_up =
            |experiment| Run::with_truth(experiment, world.clone(), truth.clone(), &self.catalogue);
        let mut run = set_up(experiment.clone());
        if experiment.topic.is_some() {
            let learnt = match &run {
                Ok(run) => Ok(run.topic.iter().flat_map(|s| s.topic.notes().to_vec()).collect()),
                Err(RunError::Topic { error, .. }) => Err(error.to_string()),
                // Something else is wrong, and told.
                Err(_) => Ok(Vec::new()),
            };
            let is_without = learnt.is_err() && !crawl_run::needs_topic(&experiment, 0);
            host.send(Answer::Topic { task: wanted.task, learnt }, Vec::new());
            if is_without {
                experiment.topic = None;
                run = set_up(experiment);
            }
        }
        Ok(Running::new(wanted.task, run.map_err(|error| error.to_string())?))
    }

    /// Gives the run the bounds that belong to it.
    fn hand_bounds_on(&mut self, host: &mut dyn Host) {
        let (Some(given), Some(running)) = (&self.given, &mut self.running) else { return };
        let fits =
            |bounds: &GivenBounds| bounds.digest == given.digest && running.belongs_to(&bounds.of);
        if let Some(given) = self.bounds.as_ref().filter(|bounds| fits(bounds)) {
            running.set_bounds(given.bounds.clone(), host);
        }
    }

    /// Answers one question, if one can be answered now.
    fn answer(&mut self, host: &mut dyn Host) -> bool {
        let Some(running) = &mut self.running else { return false };
        if self.owed_ms > 0.0 && !running.is_over() {
            return false;
        }
        let from = host.now_ms();
        if let Some(Show { task, step, at_s, rows, value }) =
            self.show.take_if(|show| running.has(show.step))
        {
            let mut frame = running.frame(task, step, at_s, rows as usize);
            let values = (!value.is_empty()).then(|| running.values(&value, at_s)).flatten();
            frame.value = value;
            frame.range = values.as_ref().map(|(range, ..)| *range);
            let arrays =
                values.map(|(_, pages, places)| vec![Array::U32(pages), Array::F32(places)]);
            host.send(Answer::Frame(frame), arrays.unwrap_or_default());
        } else if let Some(Explain { task, step, page }) =
            self.explain.take_if(|explain| running.has(explain.step))
        {
            match running.reasons(task, step, page) {
                Some(reasons) => host.send(Answer::Reasons(Box::new(reasons)), Vec::new()),
                None => {
                    let error = format!("the world has no page {page}");
                    host.send(Answer::Failed { task, error }, Vec::new());
                }
            }
        } else if let Some((task, step)) = self.graph.take_if(|(_, step)| running.has(*step)) {
            send_graph(running, task, step, host);
        } else if !self.answer_timeline(host) {
            return false;
        }
        let Some(running) = &mut self.running else { return true };
        if !running.is_over() {
            running.resume();
        }
        self.owed_ms = host.now_ms() - from;
        true
    }
}

fn send_graph(running: &mut Running, task: Task, step: u32, host: &mut dyn Host) {
    host.send(Answer::Graph(Box::new(running.graph(task, step))), Vec::new());
}

impl LaneWorker {
    /// Refuses a run whose lanes would be too much together.
    fn check_all(&self, experiment: &Experiment, world: &World) -> Result<(), String> {
        Run::check(experiment, world, &self.catalogue).map_err(|error| error.to_string())
    }

    /// Hears what the timeline asks.
    fn hear_timeline(&mut self, asked: Packed<Ask>, host: &mut dyn Host) {
        match asked.open() {
            Ok(Ask::Rows { task, of }) => self.rows = Some((task, of)),
            Ok(Ask::Marks { task, of }) => self.marks = Some((task, of)),
            Err(error) => {
                let failed = Answered::Failed { task: Task::default(), error: error.to_string() };
                send_timeline(&failed, host);
            }
        }
    }

    /// Answers what the timeline asked last, if it can be answered now.
    fn answer_timeline(&mut self, host: &mut dyn Host) -> bool {
        let Some(running) = &mut self.running else { return false };
        let answered = if let Some((task, of)) = self.rows.take_if(|(_, of)| running.has(of.step)) {
            Answered::Rows(running.rows(task, of))
        } else if let Some((task, of)) = self.marks.take_if(|(_, of)| running.has(of.step)) {
            Answered::Marks(running.marks(task, &of))
        } else {
            return false;
        };
        send_timeline(&answered, host);
        true
    }
}

fn send_timeline(answered: &Answered, host: &mut dyn Host) {
    if let Ok(packed) = Packed::pack(answered) {
        host.send(Answer::Timeline(packed), Vec::new());
    }
}

fn take_world(ranker: String, arrays: Vec<Array>) -> Result<(Arc<World>, Arc<Truth>), String> {
    let mut arrays = arrays.into_iter();
    let flat = arrays.next().and_then(Array::into_bytes);
    let ranks = arrays.next().and_then(Array::into_f64s);
    let (Some(flat), Some(ranks)) = (flat, ranks) else {
        return Err("the world did not arrive whole".to_owned());
    };
    let world = crawl_import::flat::decode(&flat).map_err(|error| error.to_string())?;
    if ranks.len() != world.n_pages() as usize {
        return Err("the world's ranks did not arrive whole".to_owned());
    }
    let truth = Arc::new(Truth { ranker, ranks });
    Ok((Arc::new(world), truth))
}

fn take_bounds(arrays: Vec<Array>) -> Option<Bounds> {
    let curves: Option<Vec<Vec<f64>>> = arrays.into_iter().map(Array::into_f64s).collect();
    let curves: [Vec<f64>; 6] = curves?.try_into().ok()?;
    let n = curves[0].len();
    if curves.iter().any(|curve| curve.len() != n) {
        return None;
    }
    let [ideal, random, random_deviation, ideal_area, random_area, random_area_deviation] = curves;
    Some(Bounds { ideal, random, random_deviation, ideal_area, random_area, random_area_deviation })
}

/// The curves of bounds, in the order in which they are handed over.
pub(crate) fn curves(bounds: &Bounds) -> [&[f64]; 6] {
    [
        &bounds.ideal,
        &bounds.random,
        &bounds.random_deviation,
        &bounds.ideal_area,
        &bounds.random_area,
        &bounds.random_area_deviation,
    ]
}
