//! Compares all exact results with simulation: fixed random seed, four standard errors.

use crawl_refresh::estimate::{Counts, Estimator, Gamma, History, LastModified, moments};
use crawl_refresh::freshness::{
    Phase, Streams, age, age_until, freshness, freshness_until, memoryless_age,
    memoryless_freshness, periodic,
};
use crawl_refresh::{Rate, Span};
use std::num::NonZeroU32;

/// SplitMix64 random numbers.
struct Draws(u64);

impl Draws {
    /// In (0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn exponential(&mut self, rate: f64) -> f64 {
        -libm::log(self.unit()) / rate
    }

    /// Increasing times of events at a rate, up to `end`.
    fn times(&mut self, rate: f64, end: f64) -> Vec<f64> {
        let mut now = self.exponential(rate);
        let mut times = Vec::new();
        while now < end {
            times.push(now);
            now += self.exponential(rate);
        }
        times
    }
}

fn rate(value: f64) -> Rate {
    Rate::new(value).unwrap()
}

fn span(value: f64) -> Span {
    Span::new(value).unwrap()
}

fn even(rate: f64, offset: f64, end: f64) -> Vec<f64> {
    (0..).map(|i| offset + f64::from(i) / rate).take_while(|t| *t < end).collect()
}

/// Mean freshness and age over 0…end of a copy that is fresh at 0, event by event.
fn watch(changes: &[f64], visits: &[f64], end: f64) -> (f64, f64) {
    let (mut fresh, mut old) = (0.0, 0.0);
    let mut changes = changes.iter().copied().peekable();
    let mut from = 0.0;
    for to in visits.iter().copied().chain([end]) {
        let first = changes.peek().copied().filter(|t| *t <= to).unwrap_or(to);
        fresh += first - from;
        old += (to - first) * (to - first) / 2.0;
        while changes.next_if(|t| *t <= to).is_some() {}
        from = to;
    }
    (fresh / end, old / end)
}

/// Mean and standard error.
fn summary(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
    (mean, libm::sqrt(variance / n))
}

fn agrees(values: &[f64], exact: f64, what: &str) {
    let (mean, error) = summary(values);
    assert!((mean - exact).abs() <= 4.0 * error + 1e-12, "{what}: {mean} ± {error}, not {exact}");
}

/// Compares simulated (freshness, age) with the exact values.
fn try_runs(what: &str, exact: (f64, f64), mut run: impl FnMut(&mut Draws) -> (f64, f64)) {
    let mut draws = Draws(what.len() as u64);
    let (fresh, old): (Vec<_>, Vec<_>) = (0..300).map(|_| run(&mut draws)).unzip();
    agrees(&fresh, exact.0, what);
    agrees(&old, exact.1, what);
}

const RATES: [(f64, f64); 5] = [(1.0, 1.0), (0.2, 1.0), (3.0, 0.7), (8.0, 1.0), (0.05, 0.3)];

#[test]
fn even_visits() {
    for (l, f) in RATES {
        // A whole number of intervals, so that none is truncated.
        let end = 200.0 / f;
        let exact = (freshness(rate(l), rate(f)), age(rate(l), rate(f)));
        try_runs(&format!("even {l} {f}"), exact, |draws| {
            watch(&draws.times(l, end), &even(f, 0.0, end), end)
        });
    }
}

#[test]
fn finite_horizons() {
    for (l, f) in RATES {
        for end in [0.4 / f, 2.5 / f, 7.9 / f] {
            let exact = (
                freshness_until(rate(l), rate(f), span(end)),
                age_until(rate(l), rate(f), span(end)),
            );
            try_runs(&format!("until {end} {l} {f}"), exact, |draws| {
                watch(&draws.times(l, end), &even(f, 1.0 / f, end), end)
            });
        }
    }
}

#[test]
fn memoryless_visits() {
    for (l, f) in RATES {
        let exact = (memoryless_freshness(rate(l), rate(f)), memoryless_age(rate(l), rate(f)));
        try_runs(&format!("memoryless {l} {f}"), exact, |draws| {
            // Long enough that the effects of start and end are negligible.
            let end = 6000.0 / f;
            watch(&draws.times(l, end), &draws.times(f, end), end)
        });
    }
}

#[test]
fn two_streams() {
    for (l, base, extra) in [(0.9, 1.0 / 6.0, 1.0), (2.0, 0.4, 1.0), (0.3, 0.75, 1.0)] {
        let streams = Streams { base: rate(base), extra: rate(extra) };
        let (changes, end) = (rate(l), 240.0);
        let exact =
            (streams.freshness(changes, Phase::Aligned), streams.age(changes, Phase::Aligned));
        try_runs(&format!("aligned {l} {base}"), exact, |draws| {
            let mut visits = even(base, 0.0, end);
            visits.extend(even(extra, 0.0, end));
            visits.sort_by(f64::total_cmp);
            watch(&draws.times(l, end), &visits, end)
        });
        let exact = (streams.freshness(changes, Phase::Even), streams.age(changes, Phase::Even));
        try_runs(&format!("evenly {l} {base}"), exact, |draws| {
            let end = 240.0 / (base + extra);
            watch(&draws.times(l, end), &even(base + extra, 0.0, end), end)
        });
    }
}

#[test]
fn changes_like_clockwork() {
    for (l, f) in [(1.0, 1.0), (0.2, 1.0), (3.0, 0.7), (0.7, 0.9), (5.0, 1.0)] {
        let exact = (periodic::freshness(rate(l), rate(f)), periodic::age(rate(l), rate(f)));
        try_runs(&format!("clockwork {l} {f}"), exact, |draws| {
            let end = 3000.0 / f;
            watch(&even(l, draws.unit() / l, end), &even(f, 0.0, end), end)
        });
    }
}

/// Simulates n visits, 1 apart, to a page with rate b.
fn visits(draws: &mut Draws, b: f64, n: u32) -> (History, LastModified) {
    let (mut history, mut dated) = (History::default(), LastModified::default());
    let mut since = 1e9;
    for _ in 0..n {
        let changes = draws.times(b, 1.0);
        since = changes.last().map_or(since + 1.0, |last| 1.0 - last);
        history.record(!changes.is_empty(), span(1.0)).unwrap();
        dated.record(span(since), span(1.0)).unwrap();
    }
    (history, dated)
}

#[test]
fn estimators() {
    let mut draws = Draws(5);
    for (b, n) in [(0.2, 20), (1.0, 10), (3.0, 10), (6.0, 10)] {
        let runs: Vec<_> = (0..4000).map(|_| visits(&mut draws, b, n)).collect();
        for estimator in [
            Estimator::Naive,
            Estimator::BiasReduced,
            Estimator::MaximumLikelihood,
            Estimator::Bayesian(Gamma::new(1.5, 1.0).unwrap()),
        ] {
            let values: Vec<_> =
                runs.iter().map(|(history, _)| estimator.rate(history).unwrap().get()).collect();
            let exact = moments(estimator, NonZeroU32::new(n).unwrap(), rate(b));
            agrees(&values, exact.mean, &format!("{estimator:?} {b} {n}"));
            let squares: Vec<_> =
                values.iter().map(|v| (v - exact.mean) * (v - exact.mean)).collect();
            agrees(&squares, exact.variance, &format!("{estimator:?} {b} {n}, spread"));
        }
        // Dates have no upper bound: within 3 % where changed/unchanged is off by half.
        let dated: Vec<_> = runs.iter().map(|(_, d)| d.improved().unwrap().get()).collect();
        let (mean, error) = summary(&dated);
        assert!((mean / b - 1.0).abs() < 0.03 + 4.0 * error / b, "{b} {n}: {mean} ± {error}");
        let maximum_likelihood: Vec<_> =
            runs.iter().map(|(_, d)| d.maximum_likelihood().unwrap().get()).collect();
        assert!(summary(&maximum_likelihood).0 > mean, "{b} {n}");
    }
}

/// A site's prior is estimated from its pages, and helps if visits are few.
#[test]
fn a_sites_prior_helps() {
    let mut draws = Draws(11);
    let (mut by_prior, mut by_page) = (0.0, 0.0);
    for _ in 0..20 {
        // Shape 3 and time 4: the sum of three exponentials.
        let truth: Vec<f64> =
            (0..200).map(|_| (0..3).map(|_| draws.exponential(4.0)).sum()).collect();
        let pages: Vec<_> = truth.iter().map(|&l| visits(&mut draws, l, 8).0).collect();
        let counts: Vec<Counts> = pages.iter().map(History::counts).collect();
        let prior = Gamma::of_site(&counts).unwrap();
        assert!((prior.mean() / 0.75 - 1.0).abs() < 0.2, "{prior:?}");
        assert!((1.2..12.0).contains(&prior.shape()), "{prior:?}");
        for (page, l) in pages.iter().zip(truth) {
            let off = |e: Estimator| e.rate(page).unwrap().get() - l;
            by_prior += off(Estimator::Bayesian(prior)) * off(Estimator::Bayesian(prior));
            by_page += off(Estimator::BiasReduced) * off(Estimator::BiasReduced);
        }
    }
    assert!(by_prior < 0.7 * by_page, "{by_prior} {by_page}");
}
