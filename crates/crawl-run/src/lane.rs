//! One strategy's run, measured as it goes.

use crate::{IS_WHOLE, METRICS, Series};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_core::metric::{Metric, Observation, Setting};
use crawl_core::{Bounds, CopyNumber, Move, Samples, Simulator, Step, Travel, UrlId, VisitKind};
use crawl_protocol::lane::Oracle;
use std::ops::ControlFlow;

/// The measure whose values bounds are compared with.
const AREA: &str = "area";

/// The measure that compares with bounds.
pub const GAP_CLOSED: &str = "gap-closed";

/// A strategy's run: it can be taken to any step, and is measured the first time it gets there.
pub struct Lane {
    /// The strategy.
    pub strategy: Chosen,
    /// When it visits pages again, if it does.
    pub revisit: Option<Chosen>,
    /// Who of it knows more than a crawler can.
    pub oracle: Oracle,
    travel: Travel,
    /// Until when its copies age, and whether that was measured.
    end_us: Option<u64>,
    is_closed: bool,
    /// How copies stood over all of a run that is over.
    samples: Option<Samples>,
    measures: Vec<Measured>,
    /// Whether measures were passed over at the latest step.
    is_behind: bool,
    /// The exact area after each step, as far as areas are read.
    areas: Vec<f64>,
}

/// A measure and its values so far.
pub struct Measured {
    /// The measure's spec: its name in tables and files.
    pub name: String,
    /// Its values.
    pub series: Series,
    last: Option<f64>,
    metric: Box<dyn Metric>,
    // What the measure says of itself, which is asked for at every step.
    follows_visits: bool,
    is_momentary: bool,
    is_area: bool,
}

impl Measured {
    fn new(name: String, metric: Box<dyn Metric>) -> Self {
        let follows_visits = !IS_WHOLE || metric.follows_visits();
        let is_momentary = IS_WHOLE && metric.is_momentary();
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

    /// Its ordering, and its policy where it has one.
    pub fn name(&self) -> String {
        match &self.revisit {
            Some(policy) => format!("{} · {policy}", self.strategy),
            None => self.strategy.to_string(),
        }
    }

    /// True when it knows more than a crawler can.
    pub fn is_oracle(&self) -> bool {
        self.oracle.is_any()
    }

    /// The run.
    pub fn travel(&self) -> &Travel {
        &self.travel
    }

    /// When the crawl ends at the latest, where pages are visited again.
    pub fn end_us(&self) -> Option<u64> {
        self.end_us
    }

    /// Freshness over time as far as the run has come, and the microseconds between two values; to its
    /// very end once it is over. Nothing where no page is visited again.
    pub fn freshness_in_time(&self) -> Option<(u64, Vec<f32>)> {
        self.curve("all", CopyNumber::Freshness)
    }

    /// The same of a measure that has a value at every moment; below 0 where it has none.
    pub fn in_time(&self, measured: &Measured) -> Option<(u64, Vec<f32>)> {
        let (group, number) = measured.metric.in_time().filter(|_| IS_WHOLE)?;
        self.curve(group, number)
    }

    fn curve(&self, group: &str, number: CopyNumber) -> Option<(u64, Vec<f32>)> {
        let copies = self.travel.now().copies()?;
        let samples = self.samples.as_ref().unwrap_or(copies.samples());
        Some((samples.every_us(), samples.curve(copies.place(group)?, number).collect()))
    }

    /// The measures and their values, as far as the run has ever gone.
    pub fn measures(&self) -> &[Measured] {
        &self.measures
    }

    /// The measure of that name.
    pub fn measure(&self, name: &str) -> Option<&Series> {
        self.measures.iter().find(|m| m.name == name).map(|m| &m.series)
    }

    /// Takes one step; nothing at the end.
    pub fn forward(&mut self, setting: &Setting<'_>) -> Option<Step> {
        let step = self.hurry(setting);
        self.take_stock(setting);
        step
    }

    /// The same, for whoever takes many: measures may be passed over where their value is not kept,
    /// so that they must [`take stock`](Self::take_stock) before anybody looks at them.
    pub fn hurry(&mut self, setting: &Setting<'_>) -> Option<Step> {
        let farthest = self.travel.farthest();
        let Some(step) = self.travel.forward(setting.world) else {
            self.take_stock(setting);
            self.close(setting);
            return None;
        };
        if step.number > farthest {
            let run = self.travel.now();
            let at = Observation { setting: *setting, step, run, is_last: false };
            // Where pages are visited again, most measures count first fetches and pass over the rest.
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

    /// Measures what was passed over at the latest step.
    pub fn take_stock(&mut self, setting: &Setting<'_>) {
        let Some(step) = self.travel.last_step().filter(|_| self.is_behind) else { return };
        self.is_behind = false;
        if !IS_WHOLE {
            return;
        }
        let at = Observation { setting: *setting, step, run: self.travel.now(), is_last: false };
        for measured in self.measures.iter_mut().filter(|m| !m.series.keeps(step.number)) {
            if measured.is_momentary {
                measured.last = measured.metric.observe(&at);
            }
            measured.series.push(step.number, measured.last);
        }
    }

    /// Once a run with visits is over, its copies age until its end, and are measured there.
    fn close(&mut self, setting: &Setting<'_>) {
        let Some(end_us) = self.end_us.filter(|_| IS_WHOLE && !self.is_closed) else { return };
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

    /// Goes to a step, or to the end if the run is shorter; says where it stands now.
    pub fn seek(&mut self, setting: &Setting<'_>, step: u32) -> u32 {
        self.take_stock(setting);
        self.travel.seek(setting.world, step.min(self.travel.farthest()));
        while self.travel.at() < step && self.hurry(setting).is_some() {}
        self.take_stock(setting);
        self.travel.at()
    }

    /// Runs to the end; `progress` is told the steps taken and may stop it.
    pub fn finish(
        &mut self,
        setting: &Setting<'_>,
        progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.take_stock(setting);
        self.travel.seek(setting.world, self.travel.farthest());
        while let Some(step) = self.hurry(setting) {
            if step.number.is_multiple_of(1024) {
                self.take_stock(setting);
                progress(step.number)?;
            }
        }
        progress(self.travel.at())
    }

    /// What [`GAP_CLOSED`] measures, for a run that went ahead before its bounds were known: the
    /// same numbers as if it had waited for them.
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

    /// Why a URL stands where it does: every change of its score up to the present step.
    pub fn moves(&self, setting: &Setting<'_>, url: UrlId) -> Vec<Move> {
        self.travel.moves(setting.world, url)
    }
}
