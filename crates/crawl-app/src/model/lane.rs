//! One lane: a strategy's run as far as it has come, and what was asked about it.

use crawl_catalogue::Chosen;
use crawl_protocol::lane::{Count, Frame, Graph, Oracle, Reasons};
use crawl_protocol::{Axis, Progress, Task};
use crawl_stage::Record;
use std::cell::RefCell;
use std::rc::Rc;

/// A lane of the stage.
#[derive(Clone)]
pub struct Lane {
    /// Its strategy.
    pub strategy: Chosen,
    /// The run it shows.
    pub run: Task,
    /// The run so far. It only grows, so copies of the state share it.
    pub record: Rc<RefCell<Record>>,
    /// Which fetcher was busy when, where there are several.
    pub flights: Rc<RefCell<Flights>>,
    /// How far the run is.
    pub progress: Progress,
    /// What the run ended with.
    pub finished: Option<Rc<Finished>>,
    /// Its measures so far.
    pub measures: Rc<Vec<Measure>>,
    /// The frontier at the step last answered.
    pub frame: Option<Rc<Frame>>,
    /// Why the chosen page stands where it does.
    pub reasons: Option<Rc<Reasons>>,
    /// Why there is no run.
    pub error: Option<Rc<str>>,
    /// Not drawn in the charts.
    pub muted: bool,
    /// The row of the frontier where Tab stops; the first one where it is not there.
    pub stop: Option<u32>,
    /// How often its worker died.
    pub restarts: u32,
    /// The frame under way.
    pub asked_frame: Option<Ask>,
    /// The reasons under way.
    pub asked_reasons: Option<Ask>,
    /// What the topic was learnt from, or why it could not be.
    pub topic: Option<Rc<Result<Vec<String>, String>>>,
    /// The Web link graph as it was learnt last.
    pub graph: Option<Rc<Graph>>,
    /// The one under way.
    pub asked_graph: Option<Ask>,
    /// Why the page compared with the graph stands where it does.
    pub matched: Option<Rc<Reasons>>,
    /// The comparison under way.
    pub asked_match: Option<Ask>,
}

/// Which fetcher was busy when: an entry a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flights {
    starts: Vec<f64>,
    fetchers: Vec<u32>,
}

/// A fetch that kept a fetcher busy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Which fetcher, counted from 0.
    pub fetcher: u32,
    /// From when.
    pub from: f64,
    /// Until when, or until now.
    pub to: f64,
    /// Whether it is under way now.
    pub is_now: bool,
}

impl Flights {
    /// Takes in what came with steps.
    pub fn push(&mut self, starts: &[f64], fetchers: &[u32]) {
        let n = starts.len().min(fetchers.len());
        self.starts.extend_from_slice(&starts[..n]);
        self.fetchers.extend_from_slice(&fetchers[..n]);
    }

    /// The fetches of the first `n_shown` of `n` fetchers that touch a stretch of time. `ends` says
    /// when each step was complete, in order.
    pub fn between(
        &self,
        ends: &[f64],
        (from, now): (f64, f64),
        (n_shown, n): (u32, u32),
    ) -> Vec<Flight> {
        let first = ends.partition_point(|end| *end <= from);
        // What ends later may have begun by now, but no more than one a fetcher.
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

    /// How long a fetch takes, by the first ones.
    pub fn mean_seconds(&self, ends: &[f64]) -> f64 {
        let some = self.starts.iter().zip(ends).take(200);
        let n = some.len().max(1) as f64;
        some.map(|(start, end)| end - start).sum::<f64>() / n
    }

    /// True where there is nothing to tell apart.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

/// Something asked of a lane's worker and not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The request's number.
    pub task: Task,
    /// The step asked about.
    pub step: u32,
    /// The page asked about; for frames the number of rows.
    pub of: u32,
}

/// What a run ended with.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its digest.
    pub digest: String,
    /// Who of it knew more than a crawler can.
    pub oracle: Oracle,
    /// What happened besides.
    pub counts: Vec<(Count, u32)>,
}

/// A measure's values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Its spec.
    pub name: String,
    /// At which steps.
    pub steps: Vec<u32>,
    /// The values there.
    pub values: Vec<f64>,
    /// Its values at equal distances of time, where it has them between steps; below 0 for none.
    pub in_time: Vec<f32>,
    /// Seconds between two of those.
    pub every_s: f64,
}

impl Measure {
    /// The value at a step, or at the last one before it that has one.
    pub fn at(&self, step: u32) -> Option<f64> {
        let after = self.steps.partition_point(|s| *s <= step);
        self.values.get(after.checked_sub(1)?).copied()
    }

    /// Whether it is known at every moment, and not only at steps.
    fn is_in_time(&self, axis: Axis) -> bool {
        axis == Axis::Seconds && !self.in_time.is_empty()
    }

    /// The value at a moment between steps: that of the last sample before it, or as one comes to the
    /// next.
    pub(super) fn at_moment(&self, now_s: f64) -> Option<f64> {
        let passed = now_s / self.every_s;
        let sample = |n: usize| self.in_time.get(n.checked_sub(1)?).map(|value| f64::from(*value));
        let n = (passed as usize).min(self.in_time.len());
        let before = sample(n).filter(|value| *value >= 0.0)?;
        let next = sample(n + 1).filter(|value| *value >= 0.0).unwrap_or(before);
        Some(before + (next - before) * (passed - n as f64).clamp(0.0, 1.0))
    }
}

impl Lane {
    /// A lane whose run is about to start.
    pub fn new(strategy: Chosen, n_pages: u32, run: Task) -> Self {
        Self {
            strategy,
            run,
            record: Rc::new(RefCell::new(Record::new(n_pages))),
            flights: Rc::default(),
            progress: Progress::default(),
            finished: None,
            measures: Rc::default(),
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

    /// True while steps are still to come.
    pub fn is_running(&self) -> bool {
        self.finished.is_none() && self.error.is_none()
    }

    /// Steps so far.
    pub fn n_steps(&self) -> u32 {
        self.record.borrow().n_steps()
    }

    /// The measure of that spec.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }

    /// A measure's value where the play-head stands, and where that is drawn.
    pub fn value_at(&self, name: &str, axis: Axis, at: f64) -> Option<(f64, f64)> {
        let measure = self.measure(name)?;
        let step = self.step_at(axis, at);
        let step_s = self.place_of(axis, step);
        if measure.is_in_time(axis) {
            // The last step's value is that of the very end.
            let is_last = step == self.n_steps();
            let is_newer = libm::floor(at / measure.every_s) * measure.every_s > step_s;
            let value = measure.at_moment(at).filter(|_| is_last || is_newer);
            return Some((at, value.or_else(|| measure.at(step))?));
        }
        Some((step_s, measure.at(step)?))
    }

    /// A measure's values by place, in order.
    pub fn points(&self, measure: &Measure, axis: Axis) -> Vec<(f64, f64)> {
        let points = measure.steps.iter().zip(&measure.values);
        let points = points.map(|(step, value)| (self.place_of(axis, *step), *value));
        let mut points: Vec<(f64, f64)> = points.collect();
        if measure.is_in_time(axis) {
            if self.finished.is_some() {
                points.pop();
            }
            let mut merged = Vec::with_capacity(points.len() + measure.in_time.len());
            let mut at_steps = points.into_iter().peekable();
            for (value, n) in measure.in_time.iter().zip(1..).filter(|(value, _)| **value >= 0.0) {
                let place = f64::from(n) * measure.every_s;
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

    /// The step shown when the play-head stands at a place of the axis.
    pub fn step_at(&self, axis: Axis, at: f64) -> u32 {
        let record = self.record.borrow();
        match axis {
            Axis::Pages => (at.max(0.0) as u32).min(record.n_steps()),
            Axis::Seconds => record.step_at_seconds(at),
        }
    }

    /// The place on the axis where a step ends.
    pub fn place_of(&self, axis: Axis, step: u32) -> f64 {
        match axis {
            Axis::Pages => f64::from(step),
            Axis::Seconds => self.record.borrow().seconds_at(step),
        }
    }

    /// Where the run ends so far.
    pub fn end_so_far(&self, axis: Axis) -> f64 {
        self.place_of(axis, self.n_steps())
    }

    /// Where the run will end, as far as is known.
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
        // Only the first fetcher, and nothing that begins later.
        assert_eq!(flights.between(&ends, (0.0, 0.5), (1, 2)), [flight(0, 0.0, 0.5, true)]);
        assert_eq!(flights.between(&ends, (-2.0, 0.0), (2, 2)), []);
        // What came without a partner is left out.
        flights.push(&[4.0], &[]);
        assert_eq!(flights.starts.len(), 4);
    }
}
