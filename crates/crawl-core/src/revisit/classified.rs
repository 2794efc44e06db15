//! Classified refresh policy (Wen & Lu 2004).
//!
//! Every page is visited at f₀. Pages whose change rate is at least f′ form a class and are visited
//! also at f, the mean rate of the class. With more classes, the thresholds are f′, 4·f′, 16·f′, …,
//! and a page belongs to the highest one it reaches (not in the paper). All rates are scaled to the
//! budget (not in the paper, which compares unequal budgets).
//!
//! The two streams of visits are *even*, all visits evenly spaced at f₀ + f, or *aligned*, each
//! stream evenly spaced from the first fetch on. Then two visits may coincide, and one is wasted.
//! Each visit serves one stream only, so wasted visits cost budget.

use super::{
    ESTIMATOR, KNOWS, NextVisit, Policy, PolicyEntry, PolicyView, RateSource, computable,
    explain_interval, rates_if_known,
};
use crate::{Evidence, Explanation, Op, UrlId};
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

/// Practically zero, in hours.
const SOON_H: f64 = 1e-9;

const PARAMS: &[Param] = &[
    Param::number(
        "f0",
        0.16666666666666666,
        1e-6,
        1e6,
        "f₀: base rate of every page in visits per hour, before scaling. 1/6 as in the paper's table.",
    ),
    Param::number(
        "threshold",
        2.0,
        0.0,
        1e6,
        "f′ ÷ f₀: minimum change rate of a page of the class.",
    ),
    Param::integer(
        "classes",
        1,
        1,
        8,
        "Number of classes; the threshold of each is four times that of the previous one.",
    ),
    Param::choice(
        "phase",
        "even",
        &[Cow::Borrowed("even"), Cow::Borrowed("aligned")],
        "Timing of the two streams of visits to a page of a class: even, evenly spaced together; aligned, each evenly spaced from the same start.",
    ),
    KNOWS,
    ESTIMATOR,
];

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    entry: Entry::new(
        "classified",
        "Classified",
        EntryTexts {
            family: "Fixed rates",
            source: "Wen & Lu 2004, section 3.1",
            summary: "All pages at a base rate; fast ones also at the mean rate of their class",
            description: "Pages that change at least f′ times per hour are visited also at the mean \
                rate of their class. With the paper's own estimator, X/n of visits at f₀, no estimate \
                exceeds f₀. So the class with f′ = 2·f₀ stays empty and the policy never starts: try \
                estimator:naive. Rates are scaled to the budget (not in the paper).",
            formula: "f = f₀ + [λ ≥ f′]·mean λ of the class, scaled so that Σ f = B",
            params: PARAMS,
        },
    ),
    needs: rates_if_known,
    build: |params| {
        let base = params.number("f0");
        let n = params.integer("classes");
        let first = params.number("threshold") * base;
        Box::new(Classified {
            base,
            thresholds: (0..n).map(|i| first * f64::from(1_u32 << (2 * i))).collect(),
            is_aligned: params.text("phase") == "aligned",
            by: RateSource::new(params),
            classes: vec![Class::default(); n as usize],
            pages: Vec::new(),
        })
    },
};

#[derive(Clone)]
struct Classified {
    base: f64,
    thresholds: Vec<f64>,
    is_aligned: bool,
    by: RateSource,
    classes: Vec<Class>,
    pages: Vec<Member>,
}

#[derive(Clone, Copy, Default)]
struct Class {
    sum: f64,
    n: u32,
}

impl Class {
    fn mean(self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum.max(0.0) / f64::from(self.n) }
    }
}

#[derive(Clone, Copy)]
struct Member {
    /// Class plus one; 0 for none.
    class: u32,
    /// Its contribution to the class's sum.
    rate: f64,
    /// Start of its streams on the budget clock; below 0 if not started. Used only if aligned.
    start_h: f64,
    base: Stream,
    extra: Stream,
}

const OUTSIDE: Member =
    Member { class: 0, rate: 0.0, start_h: -1.0, base: Stream::NONE, extra: Stream::NONE };

/// A stream of evenly spaced visits.
#[derive(Clone, Copy)]
struct Stream {
    per_h: f64,
    /// Number of intervals between the start and the next visit.
    next: f64,
}

impl Stream {
    const NONE: Self = Self { per_h: 0.0, next: 0.0 };

    /// Sets the rate. If it changed, the next visit moves to the new grid from the same start.
    fn at(self, per_h: f64, since_start_h: f64) -> Self {
        // A class's mean is updated incrementally, so its last digits are noise.
        let is_same = crate::agree(per_h, self.per_h);
        if is_same { self } else { Self { per_h, next: 0.0 }.after(since_start_h) }
    }

    /// Moves to the first visit time after `since_start_h`, with a tolerance for one just reached.
    fn after(self, since_start_h: f64) -> Self {
        Self { next: (since_start_h * self.per_h + 1e-9).floor() + 1.0, ..self }
    }

    fn due_h(self) -> f64 {
        self.next / self.per_h
    }

    /// True if its next visit is due.
    fn is_due(self, since_start_h: f64) -> bool {
        self.due_h() <= since_start_h + 1e-9 / self.per_h
    }

    /// Counts one visit; visits missed before are skipped.
    fn served(self, since_start_h: f64) -> Self {
        let missed = Self { next: (since_start_h * self.per_h + 1e-9).floor(), ..self };
        Self { next: self.next.max(missed.next) + 1.0, ..self }
    }
}

impl Classified {
    fn rate(&self, url: UrlId, at: &PolicyView<'_>) -> f64 {
        if self.by.knows {
            at.true_rate(url).unwrap_or(0.0)
        } else {
            at.memory.rate(url).unwrap_or(0.0)
        }
    }

    /// Assigns a page to the class of its rate; returns the class's extra visit rate.
    fn classify(&mut self, url: UrlId, at: &PolicyView<'_>) -> f64 {
        if url.index() >= self.pages.len() {
            self.pages.resize(url.index() + 1, OUTSIDE);
        }
        let rate = self.rate(url, at);
        let class = self.thresholds.partition_point(|threshold| *threshold <= rate) as u32;
        self.leave(url);
        let page = &mut self.pages[url.index()];
        (page.class, page.rate) = (class, rate);
        let Some(class) = class.checked_sub(1) else { return 0.0 };
        let class = &mut self.classes[class as usize];
        (class.sum, class.n) = (class.sum + rate, class.n + 1);
        class.mean()
    }

    /// Removes a page from its class.
    fn leave(&mut self, url: UrlId) {
        let Some(page) = self.pages.get_mut(url.index()) else { return };
        if let Some(class) = std::mem::take(&mut page.class).checked_sub(1) {
            let class = &mut self.classes[class as usize];
            (class.sum, class.n) = (class.sum - page.rate, class.n - 1);
        }
    }

    fn extra(&self, page: Member) -> f64 {
        page.class.checked_sub(1).map_or(0.0, |class| self.classes[class as usize].mean())
    }
}

impl Policy for Classified {
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit> {
        let extra = self.classify(url, at);
        let per_h = computable(self.base + extra);
        if !self.is_aligned {
            return Some(NextVisit::every(1.0 / per_h));
        }
        let page = &mut self.pages[url.index()];
        if page.start_h < 0.0 {
            page.start_h = at.now_h;
        }
        let since_h = at.now_h - page.start_h;
        page.base = page.base.at(self.base, since_h);
        if extra == 0.0 {
            page.extra = Stream::NONE;
            page.base = page.base.after(since_h);
            let in_h = (page.base.due_h() - since_h).max(SOON_H);
            return Some(NextVisit { in_h, per_h, apart_per_h: 0.0, spreads: false });
        }
        page.extra = page.extra.at(extra, since_h);
        // The visit served the stream that was due first; the other stays due.
        let first =
            if page.base.due_h() < page.extra.due_h() { &mut page.base } else { &mut page.extra };
        if first.is_due(since_h) {
            *first = first.served(since_h);
        }
        let in_h = page.base.due_h().min(page.extra.due_h()) - since_h;
        Some(NextVisit { in_h: in_h.max(SOON_H), per_h, apart_per_h: extra, spreads: false })
    }

    fn explain(&self, url: UrlId, in_h: f64, at: &PolicyView<'_>) -> Explanation {
        let page = self.pages.get(url.index()).copied().unwrap_or(OUTSIDE);
        let base = Explanation::given("f₀, for every page", self.base);
        let rate = at.explain_rate(url).valued(self.rate(url, at));
        let seen = format!("{} = {:.6}", rate.label, rate.value);
        let mut notes = vec![Evidence::Note(seen)];
        notes.extend(rate.evidence);
        let Some(class) = page.class.checked_sub(1) else {
            let threshold = self.thresholds.first().copied().unwrap_or(f64::INFINITY);
            let note = format!("below f′ = {threshold:.6}, so it is in no class");
            if self.is_aligned {
                let mut given = Explanation::given("hours wanted", in_h);
                given.evidence = notes;
                let moments = "until the next visit of its stream, at f₀ from the first fetch on";
                let given = given.with(Evidence::Note(note));
                return given.with(Evidence::Note(moments.to_owned()));
            }
            let mut sum = Explanation::of("visits per hour", Op::Sum, vec![base]);
            sum.evidence = notes;
            return explain_interval("one visit", sum.with(Evidence::Note(note)), in_h);
        };
        let of = self.classes[class as usize];
        let threshold = self.thresholds[class as usize];
        let mean = Explanation::given("f, the mean rate of its class", self.extra(page))
            .with(Evidence::Note(format!("{} pages change at least {threshold:.6} an hour", of.n)));
        if self.is_aligned {
            let note = "the earlier of two streams, at f₀ and at f, with the same start";
            let mut given = Explanation::given("hours wanted", in_h);
            given.evidence = notes;
            given.evidence.extend(mean.evidence);
            return given.with(Evidence::Note(note.to_owned()));
        }
        let mut sum = Explanation::of("visits per hour", Op::Sum, vec![base, mean]);
        sum.evidence = notes;
        // The class's mean may have changed since the page was planned.
        let sum = if crate::agree(1.0 / sum.value, in_h) { sum } else { moved(sum, in_h) };
        explain_interval("one visit", sum, in_h)
    }

    fn gone(&mut self, url: UrlId) {
        self.leave(url);
    }

    fn rate_source(&self) -> RateSource {
        self.by
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Member>()
    }
}

/// Replaces the sum by its old value, because its parts have changed since.
fn moved(mut sum: Explanation, in_h: f64) -> Explanation {
    let note = "at the page's last visit; the class has changed since";
    (sum.op, sum.children) = (Op::Given, Vec::new());
    sum.valued(1.0 / in_h).with(Evidence::Note(note.to_owned()))
}
