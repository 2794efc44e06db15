//! A run under way: it goes forward in slices and is sent as it goes.

use super::Host;
use crate::Array;
use crawl_core::{Bounds, Refusal, Session, UrlId};
use crawl_protocol::lane::{Answer, Count};
use crawl_protocol::world::BoundsOf;
use crawl_protocol::{Progress, Task};
use crawl_run::{GAP_CLOSED, Run};
use crawl_world::PageId;

/// Milliseconds of work after which the first steps are sent: small runs come in one message.
const FIRST_STEPS_MS: f64 = 30.0;
/// Milliseconds of work between later messages.
const STEPS_MS: f64 = 100.0;
/// Milliseconds of work between two messages about the measures.
const SERIES_MS: f64 = 500.0;
/// Steps between two looks at the clock.
const STRIDE: u32 = 8;

/// A run of one strategy.
pub(super) struct Running {
    pub(super) task: Task,
    pub(super) run: Run,
    bounds: Option<Bounds>,
    /// After which step each page came into the frontier; `u32::MAX` for those that never did.
    entered_at: Vec<u32>,
    unsent: Unsent,
    n_sent: u32,
    sent_any: bool,
    steps_ms: f64,
    series_ms: f64,
    ended: bool,
    stopped: bool,
    /// Reachable pages by true rank, best first; made when first asked for.
    pub(super) by_rank: Vec<PageId>,
    /// A step, and how many of the best pages were fetched by then without a gap.
    pub(super) fetched_ahead: (u32, usize),
    /// Visits in time, once somebody asked.
    pub(super) visits: super::timeline::Visits,
}

/// What happened and was not sent yet.
#[derive(Default)]
struct Unsent {
    pages: Vec<u32>,
    seconds: Vec<f64>,
    scores: Vec<f64>,
    counts: Vec<u32>,
    entered: Vec<u32>,
    starts: Vec<f64>,
    fetchers: Vec<u32>,
}

impl Running {
    pub(super) fn new(task: Task, run: Run) -> Self {
        let mut running = Self {
            task,
            bounds: None,
            entered_at: vec![u32::MAX; run.world.n_pages() as usize],
            unsent: Unsent::default(),
            n_sent: 0,
            sent_any: false,
            steps_ms: 0.0,
            series_ms: 0.0,
            ended: false,
            stopped: false,
            by_rank: Vec::new(),
            fetched_ahead: (0, 0),
            visits: Default::default(),
            run,
        };
        running.enter();
        running
    }

    /// True when no more steps will be taken.
    pub(super) fn is_over(&self) -> bool {
        self.ended || self.stopped
    }

    /// True when it can be asked about a step.
    pub(super) fn has(&self, step: u32) -> bool {
        self.is_over() || step <= self.farthest()
    }

    /// Stops where it is.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// True when bounds belong to its experiment.
    pub(super) fn belongs_to(&self, of: &BoundsOf) -> bool {
        let experiment = &self.run.experiment;
        experiment.seeds == of.seeds && experiment.rules == of.rules && experiment.rng == of.rng
    }

    /// Takes bounds; the measures are sent again with what compares with them.
    pub(super) fn set_bounds(&mut self, bounds: Bounds, host: &mut dyn Host) {
        self.bounds = Some(bounds);
        if self.sent_any {
            self.send_series(host);
        }
    }

    /// The farthest step taken.
    pub(super) fn farthest(&self) -> u32 {
        self.run.lanes[0].travel().farthest()
    }

    /// After which step a page came into the frontier; a large number if it never did.
    pub(super) fn entered_at(&self, page: PageId) -> u32 {
        self.entered_at[page.index()]
    }

    /// Goes back to the farthest step, to go on from there.
    pub(super) fn resume(&mut self) {
        let farthest = self.farthest();
        self.seek(farthest);
    }

    /// Goes to a step that was taken; says at which it stands.
    pub(super) fn seek(&mut self, step: u32) -> u32 {
        let step = step.min(self.farthest());
        self.run.lane(0).map_or(0, |(lane, setting)| lane.seek(&setting, step))
    }

    /// The crawl as it stands.
    pub(super) fn session(&self) -> &Session {
        self.run.lanes[0].travel().now().session()
    }

    /// Takes steps until a moment, and sends what is due.
    pub(super) fn advance(&mut self, host: &mut dyn Host, until_ms: f64) {
        let from = host.now_ms();
        let mut now = from;
        // However slow the clock says it is, some steps are taken.
        while (now == from || now < until_ms) && !self.is_over() {
            for _ in 0..STRIDE {
                if !self.step() {
                    self.ended = true;
                    break;
                }
            }
            now = host.now_ms();
        }
        self.steps_ms += now - from;
        self.series_ms += now - from;
        let due_ms = if self.sent_any { STEPS_MS } else { FIRST_STEPS_MS };
        if self.ended || self.steps_ms >= due_ms {
            self.send_steps(host);
        }
        if self.ended || self.series_ms >= SERIES_MS {
            self.send_series(host);
        }
        if self.ended {
            self.send_finished(host);
        }
    }

    /// Takes one step; false at the end.
    fn step(&mut self) -> bool {
        let Some((lane, setting)) = self.run.lane(0) else { return false };
        let Some(step) = lane.step_without_metrics(&setting) else { return false };
        self.unsent.pages.push(step.page.0);
        self.unsent.seconds.push(step.at_us as f64 / 1e6);
        self.unsent.scores.push(step.score);
        if self.run.rules.fetchers > 1 {
            self.unsent.starts.push(step.started_us as f64 / 1e6);
            self.unsent.fetchers.push(step.fetcher);
        }
        self.enter();
        true
    }

    /// Notes which pages came into the frontier at the latest step.
    fn enter(&mut self) {
        let session = self.run.lanes[0].travel().now().session();
        let entered = session.entered();
        self.unsent.counts.push(entered.len() as u32);
        for url in entered {
            let page = session.book().page(*url);
            self.unsent.entered.push(page.0);
            self.entered_at[page.index()] = session.n_steps();
        }
    }

    fn send_steps(&mut self, host: &mut dyn Host) {
        let Unsent { pages, seconds, scores, counts, entered, starts, fetchers } =
            std::mem::take(&mut self.unsent);
        let from = self.n_sent;
        self.n_sent += pages.len() as u32;
        let of = if self.ended { self.n_sent } else { self.run.max_steps() };
        let progress = Progress { done: self.n_sent.into(), of: of.into() };
        let arrays = vec![
            Array::U32(pages),
            Array::F64(seconds),
            Array::F64(scores),
            Array::U32(counts),
            Array::U32(entered),
            Array::F64(starts),
            Array::U32(fetchers),
        ];
        host.send(Answer::Steps { task: self.task, from, progress }, arrays);
        (self.sent_any, self.steps_ms) = (true, 0.0);
    }

    fn send_series(&mut self, host: &mut dyn Host) {
        if let Some((lane, setting)) = self.run.lane(0) {
            lane.catch_up_metrics(&setting);
        }
        let lane = &self.run.lanes[0];
        let (mut names, mut arrays, mut every_us) = (Vec::new(), Vec::new(), 0);
        for measured in lane.measures() {
            let with_bounds = match &self.bounds {
                Some(bounds) if measured.name == GAP_CLOSED => Some(lane.gap_closed(bounds)),
                _ => None,
            };
            let series = with_bounds.as_ref().unwrap_or(&measured.series);
            let (steps, values) = series.points().unzip();
            let mut in_time = Vec::new();
            if let Some((every, curve)) = lane.in_time(measured) {
                (every_us, in_time) = (every, curve);
            }
            names.push(measured.name.clone());
            arrays.extend([Array::U32(steps), Array::F64(values), Array::F32(in_time)]);
        }
        let every_s = every_us as f64 / 1e6;
        host.send(Answer::Series { task: self.task, every_s, names }, arrays);
        self.series_ms = 0.0;
    }

    fn send_finished(&self, host: &mut dyn Host) {
        let counters = self.session().counters();
        let refused = |refusal: Refusal| counters.refused[refusal as usize];
        let counts = vec![
            (Count::Errors, counters.errors),
            (Count::Redirects, counters.redirects),
            (Count::RobotsRequests, counters.robots_requests),
            (Count::RefusedByRobots, refused(Refusal::Robots)),
            (Count::RefusedNofollow, refused(Refusal::Nofollow)),
            (Count::RefusedByDepth, refused(Refusal::Depth)),
            (Count::RefusedByRepeats, refused(Refusal::Repeats)),
            (Count::RefusedBySite, refused(Refusal::Site)),
        ];
        let answer = Answer::Finished {
            task: self.task,
            n_steps: self.farthest(),
            digest: self.session().digest(&*self.run.world).to_string(),
            oracle: self.run.lanes[0].oracle,
            counts,
        };
        host.send(answer, Vec::new());
    }

    /// The page of a URL.
    pub(super) fn page(&self, url: UrlId) -> PageId {
        self.session().book().page(url)
    }
}
