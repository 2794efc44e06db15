//! Figure 1: the expected value of estimators of b, changes per visit, relative to b.
//!
//! The paper plots E[b̂]/b = (1 − e^(−b))/b of its estimator X/n, and concludes that X/n is less than
//! 10 % low for 0 < b < 0.2. Options here: the bias-reduced, maximum-likelihood and Bayesian
//! estimators, any number of visits, irregular intervals (our choice), and simulated points: pages
//! that change b times per hour, visited once per hour on average.
//!
//! All curves are exact. X/n has a closed form, Σ nᵢ·(1 − e^(−b·Iᵢ))/n over intervals Iᵢ. The others
//! are sums over all outcomes: with one interval over X = 0…n; with two, over both binomial counts.
//! Estimates are finite for X = n.
//!
//! **Irregular** (our choice): every second interval is [`LONGER`] times as long; their mean is 1.
//! **The prior** is that of the page's site ([`Gamma::of_site`]), learnt from visits to [`N_MATES`]
//! other pages with rates log-uniform around `site`.

use super::simulate::HOUR_US;
use crate::figure::{Drawing, FigureEntry};
use crate::report::{Cell, Figure, Line, Point, Unit, Zone};
use crawl_catalogue::{Catalogue, Entry, EntryTexts, Kind, Param, Params};
use crawl_refresh::estimate::{Counts, Estimator, Gamma, History, count_probabilities};
use crawl_refresh::{Rate, Span};
use crawl_world::{ChangeProcess, Changes, PageId, Rng};
use std::borrow::Cow;
use std::num::NonZeroU32;

/// The paper's claim: below this b the bias is smaller than `GOOD`.
pub(super) const GOOD_B: f64 = 0.2;
pub(super) const GOOD: f64 = 0.1;

/// Number of simulated x values.
const N_PLACES: u32 = 16;
/// Number of segments of a curve.
const N_PARTS: u32 = 120;
/// Ratio of the largest to the smallest b on a logarithmic axis.
const DECADES: f64 = 100.0;
/// Ratio of the longer to the shorter irregular interval.
const LONGER: f64 = 7.0;
/// Number of pages from which the prior is learnt.
const N_MATES: u32 = 100;
/// Half-width of a 95 % interval, in standard errors.
const NORMAL: f64 = 1.96;
/// Maximum drawn value: with a prior, ratios are large where b is small.
const MOST: f64 = 2.0;

/// Estimators: parameter and name.
const NAMES: [(&str, &str); 4] = [
    ("naive", "X/n"),
    ("bias-reduced", "bias-reduced"),
    ("likelihood", "likeliest"),
    ("bayesian", "Bayesian"),
];

const PARAMS: &[Param] = &[
    Param::flag("naive", true, "X/n, the estimator of Wen & Lu 2004: its curve is Figure 1."),
    Param::flag("bias-reduced", true, "−ln((n−X+0.5)/(n+0.5)), of Cho & Garcia-Molina 2003."),
    Param::flag("likelihood", false, "The maximum-likelihood estimate."),
    Param::flag(
        "bayesian",
        false,
        "The Bayesian estimate, with a prior learnt from the page's site.",
    ),
    Param::integer("visits", 10, 1, 200, "n: number of visits per estimate."),
    Param::choice(
        "intervals",
        "regular",
        &[Cow::Borrowed("regular"), Cow::Borrowed("irregular")],
        "Between visits: equal, or every second one seven times as long.",
    ),
    Param::integer("pages", 1000, 10, 10_000, "Pages simulated per point."),
    Param::integer("rng", 1, 0, 999_999, "Random seed."),
    Param::choice(
        "axis",
        "linear",
        &[Cow::Borrowed("linear"), Cow::Borrowed("log")],
        "Axis of b: linear from 0, or logarithmic over two decades.",
    ),
    Param::number("to", 4.0, 0.1, 20.0, "Largest b."),
    Param::number("site", 1.0, 0.01, 20.0, "Bayesian: median b of the pages of the site."),
    Param::number(
        "spread",
        3.0,
        1.0,
        100.0,
        "Bayesian: pages of the site have b from the median ÷ this to the median × this.",
    ),
];

pub(super) const ENTRY: FigureEntry = FigureEntry {
    entry: &Entry::new(
        "figure-1",
        "Figure 1, to play with",
        EntryTexts {
            family: "C",
            source: "Wen & Lu 2004, section 3.2; Cho & Garcia-Molina 2003",
            summary: "Mean of change-rate estimates, relative to the true rate",
            description: "A visit shows only whether a page changed since the last visit: several \
                changes count as one. So X/n, the share of n visits that found a change, \
                underestimates b, the number of changes per visit, and more so for larger b. Curves \
                are exact; points are simulated pages, visited once per hour on average.",
            formula: "E[b̂] ÷ b,  E[b̂] = Σ P(X)·b̂(X);  for X/n: (1 − e^(−b)) ÷ b",
            params: PARAMS,
        },
    ),
    start: |params| Ok(Box::new(Figure1::new(Setting::new(params)?))),
};

/// Parameters of the figure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    visits: NonZeroU32,
    /// Lengths of the intervals and their numbers; two lengths alternate, starting with the first.
    intervals: Vec<(f64, u32)>,
    n_pages: u32,
    rng: u64,
    is_log: bool,
    to: f64,
    /// Which of [`NAMES`] are drawn.
    wanted: [bool; NAMES.len()],
    site: f64,
    spread: f64,
}

impl Setting {
    fn new(params: &Params) -> Result<Self, String> {
        let wanted = NAMES.map(|(key, _)| params.flag(key));
        if !wanted.contains(&true) {
            let keys = NAMES.map(|(key, _)| key).join(", ");
            return Err(format!("no estimator is chosen of {keys}"));
        }
        let visits = NonZeroU32::new(params.integer("visits")).ok_or("no visits")?;
        let n = visits.get();
        let intervals = if params.text("intervals") == "irregular" && n > 1 {
            let (longer, shorter) = (n - n / 2, n / 2);
            let short = f64::from(n) / (LONGER * f64::from(longer) + f64::from(shorter));
            vec![(LONGER * short, longer), (short, shorter)]
        } else {
            vec![(1.0, n)]
        };
        Ok(Self {
            visits,
            intervals,
            n_pages: params.integer("pages"),
            rng: params.integer("rng").into(),
            is_log: params.text("axis") == "log",
            to: params.number("to"),
            wanted,
            site: params.number("site"),
            spread: params.number("spread"),
        })
    }

    /// Parses a spec; `None` if it is invalid.
    pub(super) fn of(spec: &str) -> Option<Self> {
        let entries = vec![(Kind::Figure, ENTRY.entry.clone())];
        let catalogue = Catalogue { entries, rules: Vec::new() };
        let chosen = catalogue.choose(Kind::Figure, spec).ok()?;
        Self::new(&chosen.params).ok()
    }

    /// b values of simulated points, ascending, denser where b is small.
    pub(super) fn places(&self) -> Vec<f64> {
        let part = |i: u32| f64::from(i) / f64::from(N_PLACES);
        let place = |i: u32| match self.is_log {
            true => self.to * libm::pow(DECADES, part(i) - 1.0),
            false => self.to * part(i) * libm::sqrt(part(i)),
        };
        (1..=N_PLACES).map(place).collect()
    }

    /// b values of the curves: evenly spaced, plus all simulated ones.
    fn at(&self) -> Vec<f64> {
        let part = |i: u32| f64::from(i) / f64::from(N_PARTS);
        let at = |i: u32| match self.is_log {
            true => self.to * libm::pow(DECADES, part(i) - 1.0),
            false => self.to * part(i),
        };
        let mut all: Vec<f64> = (0..=N_PARTS).map(at).chain(self.places()).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// Index of the interval before a visit.
    fn interval(&self, visit: u32) -> usize {
        visit as usize % self.intervals.len()
    }

    /// Simulates a page that changes b times per hour; counts visits that found a change, by interval.
    fn found(&self, b: f64, page: u32, seed: u64) -> [u32; 2] {
        let changes = Changes::of(ChangeProcess::Poisson { per_hour: b }, PageId(page), seed);
        let (mut found, mut now) = ([0; 2], 0.0);
        for visit in 0..self.visits.get() {
            let interval = self.interval(visit);
            let next = now + self.intervals[interval].0;
            let [from, to] = [now, next].map(|hours: f64| (hours * HOUR_US as f64).round() as u64);
            found[interval] += u32::from(changes.changed_between(from, to));
            now = next;
        }
        found
    }

    /// The prior learnt from visits to the site's other pages.
    fn prior(&self) -> Option<Gamma> {
        let mut rng = Rng::new(self.rng, "site");
        let seed = rng.bits();
        let mate = |page: u32| {
            let part = f64::from(page) / f64::from(N_MATES - 1);
            let b = self.site * libm::pow(self.spread, 2.0 * part - 1.0);
            let mut counts = Counts::default();
            for (found, (interval, n)) in self.found(b, page, seed).iter().zip(&self.intervals) {
                counts.record_many(*n, *found, Span::new(*interval).ok()?).ok()?;
            }
            Some(counts)
        };
        Gamma::of_site(&(0..N_MATES).map(mate).collect::<Option<Vec<_>>>()?)
    }

    /// Estimates for all outcomes, indexed by the changes found after the first and second interval.
    fn outcomes(&self, estimator: Estimator) -> Vec<f64> {
        let [first, second] = [0, 1].map(|i| self.intervals.get(i).copied().unwrap_or_default());
        let mut all = Vec::new();
        for x in 0..=first.1 {
            for y in 0..=second.1 {
                all.push(self.estimate(estimator, &[(first, x), (second, y)]));
            }
        }
        all
    }

    /// b̂ for these numbers of changes found after each interval.
    fn estimate(&self, estimator: Estimator, found: &[((f64, u32), u32)]) -> f64 {
        if let [(_, x), ((_, 0), _)] = found {
            return estimator.ratio(self.visits, *x);
        }
        let mut history = History::default();
        for ((interval, n), x) in found {
            // Intervals are around 1.
            let _ = Span::new(*interval).map(|interval| history.record_many(*n, *x, interval));
        }
        estimator.rate(&history).map_or(0.0, Rate::get)
    }

    /// Index of an outcome.
    fn outcome(&self, [x, y]: [u32; 2]) -> usize {
        let n_second = self.intervals.get(1).map_or(0, |(_, n)| *n);
        (x * (n_second + 1) + y) as usize
    }
}

/// The curve of an estimator.
struct Curve {
    name: &'static str,
    is_naive: bool,
    /// b̂ for all outcomes.
    outcomes: Vec<f64>,
    /// E[b̂]/b, exact.
    ratios: Vec<f64>,
    points: Vec<Point>,
}

/// Figure 1 in progress.
pub(super) struct Figure1 {
    setting: Setting,
    at: Vec<f64>,
    places: Vec<f64>,
    curves: Vec<Curve>,
    prior: Option<Gamma>,
    rng: Rng,
    n_done: usize,
}

impl Figure1 {
    pub(super) fn new(setting: Setting) -> Self {
        let prior = setting.wanted[3].then(|| setting.prior()).flatten();
        let estimators = [
            Some(Estimator::Naive),
            Some(Estimator::BiasReduced),
            Some(Estimator::MaximumLikelihood),
            prior.map(Estimator::Bayesian),
        ];
        let wanted = setting.wanted.into_iter().zip(estimators).zip(NAMES);
        let curve = |((is_wanted, estimator), (_, name)): ((bool, Option<Estimator>), _)| {
            let estimator = estimator.filter(|_| is_wanted)?;
            let outcomes = setting.outcomes(estimator);
            let (is_naive, points) = (estimator == Estimator::Naive, Vec::new());
            Some(Curve { name, is_naive, outcomes, ratios: Vec::new(), points })
        };
        let mut curves: Vec<Curve> = wanted.filter_map(curve).collect();
        let at = setting.at();
        for b in &at {
            // As b goes to 0, the ratio goes to a limit.
            let b = b.max(1e-6 * setting.to);
            let chances = joint(&setting, b);
            for curve in &mut curves {
                let mean = if curve.is_naive {
                    naive_mean(&setting, b)
                } else {
                    chances.iter().zip(&curve.outcomes).map(|(chance, b)| chance * b).sum()
                };
                curve.ratios.push(mean / b);
            }
        }
        let rng = Rng::new(setting.rng, "figure 1");
        Self { places: setting.places(), at, curves, prior, rng, n_done: 0, setting }
    }

    /// Simulates all points; returns them by estimator.
    pub(super) fn simulated(mut self) -> Vec<(&'static str, Vec<f64>)> {
        while self.step() {}
        let means = |curve: &Curve| curve.points.iter().map(|point| point.cell.mean).collect();
        self.curves.iter().map(|curve| (curve.name, means(curve))).collect()
    }

    /// Exact values of an estimator at the simulated b.
    pub(super) fn exact(&self, name: &str) -> Vec<f64> {
        let curve = self.curves.iter().find(|curve| curve.name == name);
        let value = |place: &f64| {
            let at = self.at.iter().position(|at| at == place)?;
            curve?.ratios.get(at).copied()
        };
        self.places.iter().filter_map(value).collect()
    }

    /// The figure with points that were simulated elsewhere.
    pub(super) fn with(mut self, cells: &dyn Fn(&str) -> Option<Vec<Cell>>) -> Figure {
        for curve in &mut self.curves {
            let cells = cells(curve.name).unwrap_or_default();
            let point = |(at, cell): (&f64, Cell)| Point { at: *at, cell };
            curve.points = self.places.iter().zip(cells).map(point).collect();
        }
        self.n_done = self.places.len();
        self.figure()
    }

    fn zone(&self) -> Option<Zone> {
        self.curves.iter().find(|curve| curve.is_naive)?;
        let low = 1.0 - naive_mean(&self.setting, GOOD_B) / GOOD_B;
        let word = if low < GOOD { "held" } else { "not held" };
        Some(Zone {
            x: [0.0, GOOD_B],
            y: [1.0 - GOOD, 1.0],
            says: format!(
                "Claimed: X/n is less than 10\u{a0}% low for 0 < b < 0.2. At 0.2 it is {:.1}\u{a0}%: {word}",
                100.0 * low
            ),
        })
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let points = || {
            self.curves.iter().flat_map(|curve| {
                let at = |point: &Point| self.at.iter().position(|at| *at == point.at);
                let of = move |point: &Point| Some((point.cell, *curve.ratios.get(at(point)?)?));
                curve.points.iter().filter_map(of).collect::<Vec<_>>()
            })
        };
        let holds = |(cell, exact): &(Cell, f64)| (cell.mean - exact).abs() <= cell.half_width;
        let (n, n_held) = (points().count(), points().filter(holds).count());
        if self.n_done < self.places.len() {
            notes.push(format!("Simulated: {} of {} places.", self.n_done, self.places.len()));
        } else if n > 0 {
            notes.push(format!("Of {n} intervals of 95 %, {n_held} hold the exact mean."));
        }
        if self.setting.intervals.len() > 1 {
            let [long, short] = [0, 1].map(|i| self.setting.intervals[i].0);
            notes.push(format!("Intervals of {long:.3} and {short:.3} hours take turns."));
        }
        if let Some(prior) = self.prior {
            notes.push(format!(
                "The site's prior, from {N_MATES} other pages: as if {:.2} changes had been seen in \
                 {:.2} visits.",
                prior.shape(),
                prior.time()
            ));
        }
        notes
    }
}

impl Drawing for Figure1 {
    fn step(&mut self) -> bool {
        let Some(b) = self.places.get(self.n_done).copied() else { return false };
        let seed = self.rng.bits();
        let setting = &self.setting;
        let found: Vec<usize> = (0..setting.n_pages)
            .map(|page| setting.outcome(setting.found(b, page, seed)))
            .collect();
        let chances = joint(setting, b);
        for curve in &mut self.curves {
            let mean = super::mean(found.iter().map(|at| curve.outcomes[*at])) / b;
            // By the exact variance: if all pages gave the same outcome, the sample variance is 0.
            let over = |value: &dyn Fn(f64) -> f64| -> f64 {
                chances.iter().zip(&curve.outcomes).map(|(chance, b)| chance * value(*b)).sum()
            };
            let exact = over(&|b| b);
            let variance = over(&|b| (b - exact) * (b - exact));
            let error = libm::sqrt(variance / f64::from(setting.n_pages)) / b;
            let cell = Cell { mean, half_width: NORMAL * error };
            curve.points.push(Point { at: b, cell });
        }
        self.n_done += 1;
        self.n_done < self.places.len()
    }

    fn figure(&self) -> Figure {
        let line = |curve: &Curve| Line {
            name: curve.name.to_owned(),
            values: curve.ratios.clone(),
            half_widths: Vec::new(),
            is_bound: false,
            points: curve.points.clone(),
            marks: [None; 2],
        };
        let visits = self.setting.visits;
        let plural = if visits.get() == 1 { "" } else { "s" };
        Figure {
            id: ENTRY.entry.id.to_string(),
            title: format!("Figure 1: E[b̂]/b after {visits} visit{plural}"),
            x: "b, changes to a visit".to_owned(),
            symbol: "b".to_owned(),
            is_log: self.setting.is_log,
            at: self.at.clone(),
            y: "E[b̂]/b".to_owned(),
            unit: Unit::Ratio,
            most: Some(MOST),
            lines: self.curves.iter().map(line).collect(),
            zones: self.zone().into_iter().collect(),
            notes: self.notes(),
        }
    }
}

/// Probability of each outcome.
fn joint(setting: &Setting, b: f64) -> Vec<f64> {
    let of = |(interval, n): &(f64, u32)| {
        let (n, ratio) = (NonZeroU32::new(*n), Rate::new(b * interval));
        n.zip(ratio.ok()).map_or_else(|| vec![1.0], |(n, ratio)| count_probabilities(n, ratio))
    };
    let mut all = vec![1.0];
    for group in &setting.intervals {
        let chances = of(group);
        all = all.iter().flat_map(|p| chances.iter().map(move |q| p * q)).collect();
    }
    all
}

/// E[X/n].
fn naive_mean(setting: &Setting, b: f64) -> f64 {
    let found = setting.intervals.iter().map(|(i, n)| f64::from(*n) * -libm::expm1(-b * i));
    found.sum::<f64>() / f64::from(setting.visits.get())
}

#[cfg(test)]
mod tests;
