//! One strategy's run and its metrics.

use crate::{METRICS, Series};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_core::metric::{Metric, Observation, Setting};
use crawl_core::{Bounds, CopyNumber, Move, Samples, Simulator, Step, Travel, UrlId, VisitKind};
use crawl_protocol::lane::Oracle;
use std::ops::ControlFlow;

/// The metric that is compared with the bounds.
const AREA: &str = "area";

/// The metric that compares with the bounds.
pub const GAP_CLOSED: &str = "gap-closed";

/// A strategy's run. It can go to any step; metrics are computed when a step is first reached.
pub struct Lane {
    /// The strategy.
    pub strategy: Chosen,
    /// Its revisit policy, if any.
    pub revisit: Option<Chosen>,
    /// Which of its parts know more than a crawler can.
    pub oracle: Oracle,
    travel: Travel,
    /// End of the crawl, until which copies age, and whether it was measured.
    end_us: Option<u64>,
    is_closed: bool,
    /// Statistics of copies over the complete run, once it is over.
    samples: Option<Samples>,
    measures: Vec<Measured>,
    /// True if metrics were skipped at the latest step.
    is_behind: bool,
    /// The exact area after each step, up to the step at which areas are compared.
    areas: Vec<f64>,
}

/// A metric and its values so far.
pub struct Measured {
    /// Spec of the metric: its name in tables and files.
    pub name: String,
    /// Its values.
    pub series: Series,
    last: Option<f64>,
    metric: Box<dyn Metric>,
    // Cached properties of the metric.
    follows_visits: bool,
    is_momentary: bool,
    is_area: bool,
}

impl Measured {
    fn new(name: String, metric: Box<dyn Metric>) -> Self {
        let follows_visits = metric.follows_visits();
        let is_momentary = metric.is_momentary();
        let is_area = name == AREA;
        let series = Series::default();
        Self { name, series, last: None, metric, follows_visits, is_momentary, is_area }
    }
}

impl Lane {
    pub(crate) fn new(
        strategy: Chosen,
        revisit: Option<Chosen>,
        (oracle, end_us): (Oracle, Option<u64>),
        start: Simulator,
        catalogue: &Catalogue,
        setting: &Setting<'_>,
    ) -> Self {
        let shown =
            METRICS.iter().flat_map(|entry| entry.shown.iter().map(move |spec| (entry, spec)));
        let measures = shown
            .filter_map(|(entry, spec)| {
                let chosen = catalogue.choose(Kind::Metric, spec).ok()?;
                let metric = (entry.build)(&chosen.params, setting);
                Some(Measured::new(chosen.to_string(), metric))
            })
            .collect();
        let travel = Travel::new(start);
        Self {
            strategy,
            revisit,
            oracle,
            travel,
            end_us,
            is_closed: false,
            samples: None,
            measures,
            is_behind: false,
            areas: Vec::new(),
        }
    }

    /// Its strategy, and its policy if it has one.
    pub fn name(&self) -> String {
        match &self.revisit {
            Some(policy) => format!("{} · {policy}", self.strategy),
            None => self.strategy.to_string(),
        }
    }

    /// True if it knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.oracle.is_any()
    }

    /// The run.
    pub fn travel(&self) -> &Travel {
        &self.travel
    }

    /// Latest end of the crawl, if pages are revisited.
    pub fn end_us(&self) -> Option<u64> {
        self.end_us
    }

    /// Freshness over time up to now, or to the end once the run is over, and the sampling interval
    /// in microseconds. `None` without revisits.
    pub fn freshness_in_time(&self) -> Option<(u64, Vec<f32>)> {
        self.curve("all", CopyNumber::Freshness)
    }

    /// A metric over time, if it has a value at every time; −1 where undefined.
    pub fn in_time(&self, measured: &Measured) -> Option<(u64, Vec<f32>)> {
        let (group, number) = measured.metric.in_time()?;
        self.curve(group, number)
    }

    fn curve(&self, group: &str, number: CopyNumber) -> Option<(u64, Vec<f32>)> {
        let copies = self.travel.now().copies()?;
        let samples = self.samples.as_ref().unwrap_or(copies.samples());
        Some((samples.every_us(), samples.curve(copies.place(group)?, number).collect()))
    }

    /// All metrics with their values, up to the farthest step reached.
    pub fn measures(&self) -> &[Measured] {
        &self.measures
    }

    /// The values of a metric by name.
    pub fn measure(&self, name: &str) -> Option<&Series> {
        self.measures.iter().find(|m| m.name == name).map(|m| &m.series)
    }

    /// Takes one step; `None` at the end.
    pub fn forward(&mut self, setting: &Setting<'_>) -> Option<Step> {
        let step = self.step_without_metrics(setting);
        self.catch_up_metrics(setting);
        step
    }

    /// Takes one step and skips metrics whose value is not stored. Call
    /// [`catch_up_metrics`](Self::catch_up_metrics) before reading metrics.
    pub fn step_without_metrics(&mut self, setting: &Setting<'_>) -> Option<Step> {
        let farthest = self.travel.farthest();
        let Some(step) = self.travel.forward(setting.world) else {
            self.catch_up_metrics(setting);
            self.close(setting);
            return None;
        };
        if step.number > farthest {
            let run = self.travel.now();
            let at = Observation { setting: *setting, step, run, is_last: false };
            // With revisits, most metrics count first fetches only and skip the rest.
            let number = self.travel.n_first();
            let first = Observation { step: Step { number, ..step }, ..at };
            let is_first = step.visit == VisitKind::First;
            for measured in &mut self.measures {
                let is_same = !is_first && !measured.follows_visits;
                if (is_same || measured.is_momentary) && !measured.series.keeps(step.number) {
                    continue;
                }
                let value = match measured.follows_visits {
                    true => measured.metric.observe(&at),
                    false if is_first => measured.metric.observe(&first),
                    false => measured.last,
                };
                measured.last = value;
                measured.series.push(step.number, value);
                if measured.is_area && is_first && number <= setting.area_pages {
                    self.areas.extend(value);
                }
            }
            self.is_behind = true;
        }
        Some(step)
    }

    /// Computes metrics that were skipped at the latest step.
    pub fn catch_up_metrics(&mut self, setting: &Setting<'_>) {
        let Some(step) = self.travel.last_step().filter(|_| self.is_behind) else { return };
        self.is_behind = false;
        let at = Observation { setting: *setting, step, run: self.travel.now(), is_last: false };
        for measured in self.measures.iter_mut().filter(|m| !m.series.keeps(step.number)) {
            if measured.is_momentary {
                measured.last = measured.metric.observe(&at);
            }
            measured.series.push(step.number, measured.last);
        }
    }

    /// After the last step of a run with revisits, ages the copies until the end and measures
    /// there.
    fn close(&mut self, setting: &Setting<'_>) {
        let Some(end_us) = self.end_us.filter(|_| !self.is_closed) else { return };
        self.is_closed = true;
        let mut end = self.travel.now().clone();
        end.age_until(end_us);
        self.samples = end.copies().map(|copies| copies.samples().clone());
        let number = self.travel.farthest();
        let Some(step) = self.travel.last_step() else { return };
        let at = Observation { setting: *setting, step, run: &end, is_last: true };
        for measured in self.measures.iter_mut().filter(|m| m.follows_visits) {
            let value = measured.metric.observe(&at);
            measured.series.replace_last(number, value);
        }
    }

    /// Goes to a step, or to the end if the run is shorter; returns the current step.
    pub fn seek(&mut self, setting: &Setting<'_>, step: u32) -> u32 {
        self.catch_up_metrics(setting);
        self.travel.seek(setting.world, step.min(self.travel.farthest()));
        while self.travel.at() < step && self.step_without_metrics(setting).is_some() {}
        self.catch_up_metrics(setting);
        self.travel.at()
    }

    /// Runs to the end; `progress` gets the number of steps and may cancel.
    pub fn finish(
        &mut self,
        setting: &Setting<'_>,
        progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.catch_up_metrics(setting);
        self.travel.seek(setting.world, self.travel.farthest());
        while let Some(step) = self.step_without_metrics(setting) {
            if step.number.is_multiple_of(1024) {
                self.catch_up_metrics(setting);
                progress(step.number)?;
            }
        }
        progress(self.travel.at())
    }

    /// The metric [`GAP_CLOSED`], for a run that started before its bounds were known.
    pub fn gap_closed(&self, bounds: &Bounds) -> Series {
        let (mut series, mut last) = (Series::default(), None);
        // Areas are read at first fetches, which visits to pages fetched before may part.
        let visits = &self.travel.trace().visits;
        let mut n_first = 0;
        for step in 1..=self.travel.farthest() {
            if visits.get(step as usize - 1).is_none_or(|visit| *visit == VisitKind::First) {
                n_first += 1;
                if let Some(area) = self.areas.get(n_first as usize - 1) {
                    last = bounds.gap_closed(n_first, *area);
                }
            }
            series.push(step, last);
        }
        series
    }

    /// All changes of a URL's score up to the current step.
    pub fn moves(&self, setting: &Setting<'_>, url: UrlId) -> Vec<Move> {
        self.travel.moves(setting.world, url)
    }
}
