//! One lane: the run of a strategy so far, and pending requests.

use crawl_catalogue::Chosen;
use crawl_protocol::lane::{Count, Frame, Graph, Oracle, Reasons};
use crawl_protocol::{Axis, Progress, Task};
use crawl_stage::Record;
use std::cell::RefCell;
use std::rc::Rc;

/// A lane of the stage.
#[derive(Clone)]
pub struct LaneState {
    /// Its strategy.
    pub strategy: Chosen,
    /// The task of the run it shows.
    pub run: Task,
    /// The steps so far. Append-only; copies of the state share it.
    pub record: Rc<RefCell<Record>>,
    /// Busy times of the fetchers; empty with one fetcher.
    pub flights: Rc<RefCell<Flights>>,
    /// Progress of the run.
    pub progress: Progress,
    /// Result of the run, when it is over.
    pub finished: Option<Rc<Finished>>,
    /// Metric series so far.
    pub metrics: Rc<Vec<MetricSeries>>,
    /// The last frame received: the queue at a step.
    pub frame: Option<Rc<Frame>>,
    /// Explanation of the chosen page.
    pub reasons: Option<Rc<Reasons>>,
    /// Why the run failed.
    pub error: Option<Rc<str>>,
    /// Whether the chart hides it.
    pub muted: bool,
    /// The page whose queue row Tab focuses; the first row if it is absent.
    pub stop: Option<u32>,
    /// Number of crashes of its worker.
    pub restarts: u32,
    /// The frame requested.
    pub asked_frame: Option<Ask>,
    /// The explanation requested.
    pub asked_reasons: Option<Ask>,
    /// Notes on how the topic was learnt, or the error.
    pub topic: Option<Rc<Result<Vec<String>, String>>>,
    /// The last Web link graph received.
    pub graph: Option<Rc<Graph>>,
    /// The graph requested.
    pub asked_graph: Option<Ask>,
    /// Explanation of the page matched against the graph.
    pub matched: Option<Rc<Reasons>>,
    /// The match requested.
    pub asked_match: Option<Ask>,
}

/// Busy times of the fetchers, one entry per step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flights {
    starts: Vec<f64>,
    fetchers: Vec<u32>,
}

/// A fetch by one of several fetchers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Index of the fetcher.
    pub fetcher: u32,
    /// Start, in seconds.
    pub from: f64,
    /// End or now, in seconds.
    pub to: f64,
    /// Whether it is still running.
    pub is_now: bool,
}

impl Flights {
    /// Appends start times and fetchers of new steps.
    pub fn push(&mut self, starts: &[f64], fetchers: &[u32]) {
        let n = starts.len().min(fetchers.len());
        self.starts.extend_from_slice(&starts[..n]);
        self.fetchers.extend_from_slice(&fetchers[..n]);
    }

    /// Fetches of the first `n_shown` of `n` fetchers that overlap `from..now`.
    ///
    /// `ends` has the end of each step, ascending.
    pub fn between(
        &self,
        ends: &[f64],
        (from, now): (f64, f64),
        (n_shown, n): (u32, u32),
    ) -> Vec<Flight> {
        let first = ends.partition_point(|end| *end <= from);
        // Fetches that end later may have started: at most one per fetcher.
        let ended = ends.partition_point(|end| *end <= now);
        let most = ended + n as usize;
        let some = (first..most.min(self.starts.len()).min(ends.len())).filter_map(|step| {
            let (start, end, fetcher) = (self.starts[step], ends[step], self.fetchers[step]);
            let is_seen = start < now && fetcher < n_shown;
            is_seen.then(|| Flight {
                fetcher,
                from: start.max(from),
                to: end.min(now),
                is_now: end > now,
            })
        });
        some.collect()
    }

    /// Mean duration of the first 200 fetches, in seconds.
    pub fn mean_seconds(&self, ends: &[f64]) -> f64 {
        let some = self.starts.iter().zip(ends).take(200);
        let n = some.len().max(1) as f64;
        some.map(|(start, end)| end - start).sum::<f64>() / n
    }

    /// True with one fetcher.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

/// A pending request to a lane worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Request number.
    pub task: Task,
    /// The step requested.
    pub step: u32,
    /// The page requested; for frames the number of rows.
    pub of: u32,
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Digest of fetch order and scores.
    pub digest: String,
    /// Which parts used data that no crawler has.
    pub oracle: Oracle,
    /// Event counts.
    pub counts: Vec<(Count, u32)>,
}

/// A metric series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricSeries {
    /// Spec of the metric.
    pub name: String,
    /// Steps with a value, ascending.
    pub steps: Vec<u32>,
    /// Values at those steps.
    pub values: Vec<f64>,
    /// Samples every `every_s` seconds, for metrics that change between steps; negative for none.
    pub in_time: Vec<f32>,
    /// Seconds between two samples.
    pub every_s: f64,
}

impl MetricSeries {
    /// The value at the last sampled step up to `step`.
    pub fn at(&self, step: u32) -> Option<f64> {
        let after = self.steps.partition_point(|s| *s <= step);
        self.values.get(after.checked_sub(1)?).copied()
    }

    /// Whether it has time samples on this axis.
    fn is_in_time(&self, axis: Axis) -> bool {
        axis == Axis::Seconds && !self.in_time.is_empty()
    }

    /// The value at a moment, interpolated linearly between samples.
    pub(super) fn at_moment(&self, now_s: f64) -> Option<f64> {
        let passed = now_s / self.every_s;
        let sample = |n: usize| self.in_time.get(n.checked_sub(1)?).map(|value| f64::from(*value));
        let n = (passed as usize).min(self.in_time.len());
        let before = sample(n).filter(|value| *value >= 0.0)?;
        let next = sample(n + 1).filter(|value| *value >= 0.0).unwrap_or(before);
        Some(before + (next - before) * (passed - n as f64).clamp(0.0, 1.0))
    }
}

impl LaneState {
    /// A lane whose run has not started.
    pub fn new(strategy: Chosen, n_pages: u32, run: Task) -> Self {
        Self {
            strategy,
            run,
            record: Rc::new(RefCell::new(Record::new(n_pages))),
            flights: Rc::default(),
            progress: Progress::default(),
            finished: None,
            metrics: Rc::default(),
            frame: None,
            reasons: None,
            error: None,
            muted: false,
            stop: None,
            restarts: 0,
            asked_frame: None,
            asked_reasons: None,
            topic: None,
            graph: None,
            asked_graph: None,
            matched: None,
            asked_match: None,
        }
    }

    /// True until the run is over or has failed.
    pub fn is_running(&self) -> bool {
        self.finished.is_none() && self.error.is_none()
    }

    /// Number of steps so far.
    pub fn n_steps(&self) -> u32 {
        self.record.borrow().n_steps()
    }

    /// The series of a metric, by spec.
    pub fn metric(&self, name: &str) -> Option<&MetricSeries> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// Position and value of a metric at the play-head.
    pub fn value_at(&self, name: &str, axis: Axis, at: f64) -> Option<(f64, f64)> {
        let metric = self.metric(name)?;
        let step = self.step_at(axis, at);
        let step_s = self.place_of(axis, step);
        if metric.is_in_time(axis) {
            // The value of the last step belongs to the end of the run.
            let is_last = step == self.n_steps();
            let is_newer = libm::floor(at / metric.every_s) * metric.every_s > step_s;
            let value = metric.at_moment(at).filter(|_| is_last || is_newer);
            return Some((at, value.or_else(|| metric.at(step))?));
        }
        Some((step_s, metric.at(step)?))
    }

    /// Points of a metric's curve, ascending by position.
    pub fn points(&self, metric: &MetricSeries, axis: Axis) -> Vec<(f64, f64)> {
        let points = metric.steps.iter().zip(&metric.values);
        let points = points.map(|(step, value)| (self.place_of(axis, *step), *value));
        let mut points: Vec<(f64, f64)> = points.collect();
        if metric.is_in_time(axis) {
            if self.finished.is_some() {
                points.pop();
            }
            let mut merged = Vec::with_capacity(points.len() + metric.in_time.len());
            let mut at_steps = points.into_iter().peekable();
            for (value, n) in metric.in_time.iter().zip(1..).filter(|(value, _)| **value >= 0.0) {
                let place = f64::from(n) * metric.every_s;
                while let Some(point) = at_steps.next_if(|point| point.0 <= place) {
                    merged.push(point);
                }
                merged.push((place, f64::from(*value)));
            }
            merged.extend(at_steps);
            return merged;
        }
        points
    }

    /// The step shown at a position of the play-head.
    pub fn step_at(&self, axis: Axis, at: f64) -> u32 {
        let record = self.record.borrow();
        match axis {
            Axis::Pages => (at.max(0.0) as u32).min(record.n_steps()),
            Axis::Seconds => record.step_at_seconds(at),
        }
    }

    /// The position at which a step ends.
    pub fn place_of(&self, axis: Axis, step: u32) -> f64 {
        match axis {
            Axis::Pages => f64::from(step),
            Axis::Seconds => self.record.borrow().seconds_at(step),
        }
    }

    /// Position of the last step so far.
    pub fn end_so_far(&self, axis: Axis) -> f64 {
        self.place_of(axis, self.n_steps())
    }

    /// Expected end of the run.
    pub fn end(&self, axis: Axis) -> f64 {
        let so_far = self.end_so_far(axis);
        match axis {
            Axis::Pages if self.is_running() => so_far.max(self.progress.of as f64),
            _ => so_far,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Flight, Flights};

    #[test]
    fn fetches_under_way_are_seen_up_to_now() {
        let mut flights = Flights::default();
        // Two fetchers: 0–1, 0–3, then 1–4 and 3–5.
        flights.push(&[0.0, 0.0, 1.0, 3.0], &[0, 1, 0, 1]);
        let ends = [1.0, 3.0, 4.0, 5.0];
        let flight = |fetcher, from, to, is_now| Flight { fetcher, from, to, is_now };
        assert_eq!(
            flights.between(&ends, (0.5, 3.5), (2, 2)),
            [
                flight(0, 0.5, 1.0, false),
                flight(1, 0.5, 3.0, false),
                flight(0, 1.0, 3.5, true),
                flight(1, 3.0, 3.5, true),
            ]
        );
        // Only the first fetcher, and no fetch that starts later.
        assert_eq!(flights.between(&ends, (0.0, 0.5), (1, 2)), [flight(0, 0.0, 0.5, true)]);
        assert_eq!(flights.between(&ends, (-2.0, 0.0), (2, 2)), []);
        // A start time without a fetcher is ignored.
        flights.push(&[4.0], &[]);
        assert_eq!(flights.starts.len(), 4);
    }
}
