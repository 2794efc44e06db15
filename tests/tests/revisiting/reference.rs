//! Every policy by its definition, and the simple crawl against the real one: the same pages at the
//! same times with the same urgencies.

use crate::simple_crawl::{Crawl, Done, Url, View};
use crate::{HOURS, cases, random_budget, random_rules};
use crawl_core::metric::true_rate;
use crawl_core::revisit::{POLICIES, RevisitRules, Sees};
use crawl_core::{Rules, Simulator};
use crawl_refresh::allocate::{Goal, Weights, optimal, visits_at};
use crawl_refresh::estimate::{Counts, Estimator, Gamma, History, LastModified};
use crawl_refresh::{Rate, Span};
use crawl_tests::changing::{ChangingWorld, CrawlSetup, policy_variant};

/// The source of a policy's change rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knows {
    Truth,
    Naive,
    BiasReduced,
    Likelihood,
    Bayesian,
}

/// Intervals that grow and shrink.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    start: f64,
    changed: f64,
    unchanged: f64,
    floor: f64,
    ceiling: f64,
    competes: bool,
}

/// A policy.
pub enum Rule {
    Never,
    Uniform,
    Proportional(Knows),
    Classified { knows: Knows, classes: usize, aligned: Option<Vec<Aligned>> },
    Multiplying(Times, Vec<f64>),
    Optimal { goal: Goal, knows: Knows, explore: f64, clicks: bool, solved: Option<Solution> },
}

/// Start of the two streams, rate of the second, and their next visits.
#[derive(Clone, Copy, Default)]
pub struct Aligned {
    start_h: Option<f64>,
    extra: f64,
    next: [f64; 2],
}

/// The multiplier, and the rate and visit rate of each page.
pub struct Solution {
    n: usize,
    multiplier: f64,
    pages: Vec<(usize, f64, f64)>,
}

/// The prior of each site, and the number of visits since it was computed.
type Priors = Vec<(Option<Gamma>, usize)>;

thread_local! {
    static PRIORS: std::cell::RefCell<Priors> = const { std::cell::RefCell::new(Vec::new()) };
}

const BASE: f64 = 0.16666666666666666;

fn counts(url: &Url) -> Counts {
    let mut counts = Counts::default();
    for found in &url.found {
        let changed =
            found.since_h.map_or(found.changed, |since| found.changed && since < found.interval_h);
        counts.record(changed, span(found.interval_h)).expect("an interval");
    }
    counts
}

fn span(hours: f64) -> Span {
    Span::new(hours).expect("a span")
}

impl Rule {
    pub fn fills(&self) -> bool {
        !matches!(self, Self::Multiplying(..))
    }

    pub fn competes(&self) -> bool {
        matches!(self, Self::Multiplying(times, _) if times.competes)
    }

    fn knows(&self) -> Knows {
        match self {
            Self::Proportional(knows) => *knows,
            Self::Classified { knows, .. } | Self::Optimal { knows, .. } => *knows,
            _ => Knows::BiasReduced,
        }
    }

    /// The estimated change rate of a page from its visits; Bayesian also from those of its site.
    pub fn estimate(&self, url: usize, view: &View<'_>) -> Option<f64> {
        let found = &view.urls[url].found;
        if found.iter().any(|found| found.since_h.is_some()) {
            let mut page = LastModified::default();
            for found in found {
                let since_h = found.since_h.unwrap_or(0.0);
                let since_h = if found.changed { since_h } else { found.interval_h };
                page.record(span(since_h), span(found.interval_h)).expect("an interval");
            }
            return page.improved().map(Rate::get);
        }
        let mut history = History::default();
        for found in found {
            history.record(found.changed, span(found.interval_h)).expect("an interval");
        }
        let estimator = match self.knows() {
            Knows::Truth | Knows::BiasReduced => Estimator::BiasReduced,
            Knows::Naive => Estimator::Naive,
            Knows::Likelihood => Estimator::MaximumLikelihood,
            Knows::Bayesian => prior(url, view).map_or(Estimator::BiasReduced, Estimator::Bayesian),
        };
        estimator.rate(&history).map(Rate::get)
    }

    /// Hours until the next visit, long-run visit rate, and whether first visits are spread.
    pub fn wanted(&mut self, url: usize, view: &View<'_>) -> Option<(f64, f64, bool)> {
        let truth = true_rate(view.world, view.urls[url].page);
        let estimate = view.urls[url].rate;
        match self {
            Self::Never => None,
            Self::Uniform => Some((1.0, 1.0, true)),
            Self::Proportional(Knows::Truth) => (truth > 0.0).then(|| (1.0 / truth, truth, true)),
            Self::Proportional(_) => {
                let counts = counts(&view.urls[url]);
                let watched = counts.interval().unwrap_or(0.0) * f64::from(counts.n_visits());
                let least = if watched > 0.0 { 0.5 / watched } else { 0.0 };
                let rate = estimate.or_else(|| view.mean()).unwrap_or(1.0).max(least).max(1e-50);
                Some((1.0 / rate, rate, true))
            }
            Self::Classified { knows, classes, aligned } => {
                let knows = *knows;
                let rate_of = |url: usize| match knows {
                    Knows::Truth => true_rate(view.world, view.urls[url].page),
                    _ => view.urls[url].rate.unwrap_or(0.0),
                };
                let class_of = |url: usize| {
                    let reached = (0..*classes).filter(|class| {
                        rate_of(url) >= 2.0 * BASE * f64::from(1_u32 << (2 * class))
                    });
                    reached.count()
                };
                let class = class_of(url);
                let members = (0..view.urls.len())
                    .filter(|other| view.urls[*other].is_there() && class_of(*other) == class);
                let members: Vec<f64> = members.map(rate_of).collect();
                let extra = match class {
                    0 => 0.0,
                    _ => members.iter().sum::<f64>() / members.len() as f64,
                };
                let per_h = BASE + extra;
                let Some(aligned) = aligned else { return Some((1.0 / per_h, per_h, true)) };
                aligned.resize(view.urls.len(), Aligned::default());
                Some((aligned[url].next(extra, view.now_h), per_h, false))
            }
            Self::Multiplying(times, intervals) => {
                intervals.resize(view.urls.len(), 0.0);
                let all = &view.urls[url].found;
                let next = match all.last() {
                    None => times.start,
                    Some(found) if found.changed => intervals[url] * times.changed,
                    Some(_) => intervals[url] * times.unchanged,
                };
                intervals[url] = next.min(times.ceiling).max(times.floor);
                Some((intervals[url], 1.0 / intervals[url], true))
            }
            Self::Optimal { goal, knows, explore, clicks, solved } => {
                let rate = match knows {
                    Knows::Truth => truth,
                    _ => estimate.or_else(|| view.mean()).unwrap_or(1.0),
                };
                let weight = weight(url, *clicks, view);
                let best = solved.as_ref().map_or(0.0, |solved| {
                    match solved.pages.iter().find(|(page, of, _)| *page == url && *of == rate) {
                        Some((_, _, visits)) => *visits,
                        None if solved.multiplier > 0.0 && solved.multiplier.is_finite() => {
                            let rate = Rate::new(rate).expect("a rate");
                            let visits = visits_at(*goal, rate, weight, solved.multiplier);
                            visits.expect("visits").get()
                        }
                        None => 0.0,
                    }
                });
                let shared = *explore * view.budget / view.copied.len().max(1) as f64;
                let per_h = (1.0 - *explore) * best + shared;
                (per_h > 0.0).then(|| (1.0 / per_h, per_h, true))
            }
        }
    }

    /// Returns whether the schedule of all pages must be recomputed.
    pub fn plan(&mut self, view: &View<'_>) -> bool {
        let Self::Optimal { goal, knows, clicks, solved, .. } = self else { return false };
        let n = view.copied.len();
        if *knows == Knows::Truth && solved.as_ref().is_some_and(|solved| solved.n == n) {
            return false;
        }
        let rate = |url: &usize| match knows {
            Knows::Truth => true_rate(view.world, view.urls[*url].page),
            _ => view.urls[*url].rate.or_else(|| view.mean()).unwrap_or(1.0),
        };
        let rates: Vec<f64> = view.copied.iter().map(rate).collect();
        let weights: Vec<f64> = view.copied.iter().map(|url| weight(*url, *clicks, view)).collect();
        let all: Vec<Rate> = rates.iter().map(|r| Rate::new(*r).expect("a rate")).collect();
        let budget = Rate::new(view.budget).expect("a budget");
        let best = optimal(*goal, &all, Weights::Each(&weights), budget).expect("an optimum");
        let visits = best.visits.iter().map(|visits| visits.get());
        let pages = view.copied.iter().zip(rates).zip(visits);
        let pages = pages.map(|((url, rate), visits)| (*url, rate, visits)).collect();
        *solved = Some(Solution { n, multiplier: best.multiplier, pages });
        true
    }
}

fn weight(url: usize, by_clicks: bool, view: &View<'_>) -> f64 {
    if by_clicks { view.world.clicks(view.urls[url].page).into() } else { 1.0 }
}

/// The prior of a page's site, recomputed after one visit per page of the site on average.
fn prior(url: usize, view: &View<'_>) -> Option<Gamma> {
    let site = view.urls[url].site();
    PRIORS.with_borrow_mut(|priors| {
        if priors.len() <= site {
            priors.resize(site + 1, (None, 0));
        }
        let (prior, n_since) = &mut priors[site];
        let of_site = view.urls.iter().filter(|url| url.last_us.is_some() && url.site() == site);
        let pages: Vec<Counts> = of_site.map(counts).collect();
        *n_since += 1;
        if prior.is_none() || *n_since >= pages.len() {
            (*prior, *n_since) = (Gamma::of_site(&pages), 0);
        }
        *prior
    })
}

impl Aligned {
    /// Hours until the next of all times start + k/f₀ and start + k/f.
    fn next(&mut self, extra: f64, now_h: f64) -> f64 {
        let is_first = self.start_h.is_none();
        let since_h = now_h - *self.start_h.get_or_insert(now_h);
        let rates = [BASE, extra];
        let passed = |i: usize| (since_h * rates[i] + 1e-9).floor();
        if is_first || extra == 0.0 {
            self.next[0] = passed(0) + 1.0;
        }
        if extra == 0.0 {
            self.extra = 0.0;
            return (self.next[0] / BASE - since_h).max(1e-9);
        }
        if (self.extra - extra).abs() > 1e-12 * extra {
            (self.extra, self.next[1]) = (extra, passed(1) + 1.0);
        }
        let due = |next: &[f64; 2], i: usize| next[i] / rates[i];
        // A visit serves only the stream that was due.
        let served = usize::from(due(&self.next, 0) >= due(&self.next, 1));
        if due(&self.next, served) <= since_h + 1e-9 / rates[served] {
            self.next[served] = self.next[served].max(passed(served)) + 1.0;
        }
        (due(&self.next, 0).min(due(&self.next, 1)) - since_h).max(1e-9)
    }
}

type Make = fn() -> Rule;

const ADAPTIVE: Times = Times {
    start: 24.0,
    changed: 0.5,
    unchanged: 2.0,
    floor: 1.0 / 60.0,
    ceiling: 8760.0,
    competes: false,
};
const PERIOD: Times = Times {
    start: 24.0,
    changed: 0.5,
    unchanged: 1.5,
    floor: 0.25,
    ceiling: 720.0,
    competes: true,
};

fn times(times: Times) -> Rule {
    Rule::Multiplying(times, Vec::new())
}

fn best(knows: Knows, explore: f64) -> Rule {
    Rule::Optimal { goal: Goal::Freshness, knows, explore, clicks: false, solved: None }
}

fn classed(knows: Knows, classes: usize) -> Rule {
    Rule::Classified { knows, classes, aligned: None }
}

/// All policies, with the parameters under which they are compared.
const REFERENCES: &[(&str, Make)] = &[
    ("never", || Rule::Never),
    ("uniform", || Rule::Uniform),
    ("proportional(estimator:bias-reduced)", || Rule::Proportional(Knows::BiasReduced)),
    ("proportional(estimator:naive)", || Rule::Proportional(Knows::Naive)),
    ("proportional(estimator:likelihood)", || Rule::Proportional(Knows::Likelihood)),
    ("proportional", || Rule::Proportional(Knows::Bayesian)),
    ("proportional(knows:rates)", || Rule::Proportional(Knows::Truth)),
    ("classified(estimator:bias-reduced)", || classed(Knows::BiasReduced, 1)),
    ("classified", || classed(Knows::Bayesian, 1)),
    ("classified(estimator:naive)", || classed(Knows::Naive, 1)),
    ("classified(classes:3,knows:rates)", || classed(Knows::Truth, 3)),
    // With true rates only: with changing estimates, rounding errors of a microsecond grow with
    // every visit.
    ("classified(phase:aligned,knows:rates)", || Rule::Classified {
        knows: Knows::Truth,
        classes: 1,
        aligned: Some(Vec::new()),
    }),
    ("adaptive", || times(ADAPTIVE)),
    ("adaptive(start:0.5,floor:0.1,ceiling:3)", || {
        times(Times { start: 0.5, floor: 0.1, ceiling: 3.0, ..ADAPTIVE })
    }),
    ("nutch-adaptive", || times(Times { start: 720.0, changed: 0.8, unchanged: 1.2, ..ADAPTIVE })),
    ("nutch-adaptive(start:1)", || {
        times(Times { start: 1.0, changed: 0.8, unchanged: 1.2, ..ADAPTIVE })
    }),
    ("storm-adaptive", || times(Times { unchanged: 1.5, floor: 1.0, ceiling: 336.0, ..ADAPTIVE })),
    ("storm-adaptive(start:2)", || {
        times(Times { start: 2.0, unchanged: 1.5, floor: 1.0, ceiling: 336.0, ..ADAPTIVE })
    }),
    ("period-estimate", || times(PERIOD)),
    ("period-estimate(start:1,shorten:0.7,lengthen:2)", || {
        times(Times { start: 1.0, changed: 0.7, unchanged: 2.0, ..PERIOD })
    }),
    ("optimal", || best(Knows::Bayesian, 0.1)),
    ("optimal(estimator:bias-reduced)", || best(Knows::BiasReduced, 0.1)),
    ("optimal(explore:0.5)", || best(Knows::Bayesian, 0.5)),
    ("optimal(knows:rates)", || best(Knows::Truth, 0.0)),
    ("optimal(for:age,weights:clicks,knows:rates)", || Rule::Optimal {
        goal: Goal::Age,
        knows: Knows::Truth,
        explore: 0.0,
        clicks: true,
        solved: None,
    }),
];

/// Fails if a registered policy has no reference.
#[test]
fn every_registered_policy_has_a_reference() {
    for policy in POLICIES {
        let has = |(spec, _): &(&str, Make)| *spec == policy.entry.id;
        assert!(REFERENCES.iter().any(has), "{} has no reference", policy.entry.id);
    }
}

/// Tolerances: times in microseconds, and scores relative.
///
/// Another order of summation changes the rounding of times; with estimates, errors grow because
/// rates depend on times and times on rates. All runs here are within 155 µs and 2e-5.
const APART_US: u64 = 1_000;
const APART: f64 = 5e-5;

/// Whether two fetches are equal within the tolerances.
fn is_same(found: &Done, plain: &Done) -> bool {
    let near = |a: u64, b: u64| a.abs_diff(b) <= APART_US;
    found.page == plain.page
        && near(found.started_us, plain.started_us)
        && near(found.at_us, plain.at_us)
        && (found.score == plain.score
            || (found.score - plain.score).abs() <= APART * plain.score.abs().max(1e-3))
}

/// Compares both crawls step by step; returns the number of steps.
///
/// Two fetches that complete at the same time may be in either order.
fn agree(setup: &CrawlSetup<'_>, spec: &str, rule: Rule, most: usize) -> Result<usize, String> {
    PRIORS.with_borrow_mut(Vec::clear);
    let counts_links = setup.ordering == "backlink-count";
    let mut real: Simulator = setup.start(&policy_variant(spec));
    let chance = (setup.rng, counts_links);
    let mut plain = Crawl::new(setup.world, &setup.seeds, &setup.rules, setup.again, chance, rule);
    // Steps that only one of the crawls has made so far.
    let mut swapped: Option<(Done, Done)> = None;
    for n in 0..most {
        let step = real.step(setup.world).map(|step| Done {
            page: step.page,
            started_us: step.started_us,
            at_us: step.at_us,
            score: step.score,
        });
        let expected = plain.step();
        let (Some(found), Some(plain)) = (step, expected) else {
            let same = step.is_none() && expected.is_none() && swapped.is_none();
            return if same { Ok(n) } else { Err(format!("{n}: {step:?}, {expected:?}")) };
        };
        match swapped.take() {
            None if is_same(&found, &plain) => {}
            None if found.at_us.abs_diff(plain.at_us) <= 1 => swapped = Some((found, plain)),
            Some((first, other)) if is_same(&first, &plain) && is_same(&found, &other) => {}
            before => return Err(format!("{n}: {found:?} is not {plain:?}; before it {before:?}")),
        }
    }
    Ok(most)
}

/// Compares every policy on random worlds.
fn try_all(rules_of: fn(u64) -> Rules, n_worlds: u32) {
    let (mut n_steps, mut n_runs) = (0, 0);
    for seed in 0..u64::from(n_worlds) {
        let changing = ChangingWorld::random(seed, 1 + (seed % 13) as usize, HOURS);
        let world =
            if seed % 3 == 0 { changing.with_births(seed, HOURS) } else { changing }.world();
        let ordering = if seed % 2 == 0 { "breadth-first" } else { "backlink-count" };
        // robots.txt affects admission, which other tests cover.
        let rules = Rules { robots: false, ..rules_of(seed) };
        let setup = CrawlSetup {
            rules,
            ordering,
            rng: seed,
            ..CrawlSetup::new(&world, random_budget(seed))
        };
        for (spec, make) in REFERENCES {
            let alike = agree(&setup, spec, make(), 150);
            let alike = alike.unwrap_or_else(|error| {
                panic!("{spec} on world {seed} with {:?}, {:?}: {error}", setup.rules, setup.again)
            });
            n_steps += alike;
            n_runs += 1;
        }
    }
    assert!(n_steps > 20 * n_runs, "only {n_steps} steps of {n_runs} runs were compared");
}

/// Random costs and signals of visits; one fetcher without delays.
#[test]
fn policies_agree_with_their_references() {
    try_all(|_| Rules::default(), cases(60).cases);
}

/// Rounds, site limits, several fetchers, host delays.
#[test]
fn policies_agree_under_all_rules() {
    try_all(random_rules, cases(60).cases);
}

/// New and old pages compete in rounds of 1 and of 7, with site limits.
#[test]
fn rounds_of_new_and_old_pages_agree() {
    let mut n = 0;
    for seed in 0..30 {
        let changing = ChangingWorld::random(seed, 12, HOURS);
        let world =
            if seed % 3 == 0 { changing.with_births(seed, HOURS) } else { changing }.world();
        for (batch, batch_per_site) in [(1, None), (7, None), (7, Some(2))] {
            let rules = Rules { robots: false, batch, batch_per_site, ..Rules::default() };
            let sees = [Sees::Clean, Sees::Anything, Sees::LastModified][(seed % 3) as usize];
            let again = RevisitRules { sees, ..random_budget(seed) };
            let ordering = if seed % 2 == 0 { "breadth-first" } else { "backlink-count" };
            let setup = CrawlSetup { rules, ordering, rng: seed, ..CrawlSetup::new(&world, again) };
            let spec = "period-estimate(start:1,shorten:0.7,lengthen:2)";
            let make = || times(Times { start: 1.0, changed: 0.7, unchanged: 2.0, ..PERIOD });
            let alike = agree(&setup, spec, make(), 400);
            n += alike.unwrap_or_else(|error| panic!("world {seed}: {error}"));
        }
    }
    assert!(n > 5000, "only {n} steps were compared");
}
