//! Adaptive intervals: multiplied by one factor after a change, by another otherwise, within
//! bounds.

use super::{NextVisit, Policy, PolicyView};
use crate::{Evidence, Explanation, Op, UrlId};
use crawl_catalogue::{Param, Params};

/// Factors and bounds of the interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors {
    /// Hours until the second visit.
    pub(super) start_h: f64,
    /// Factor after a visit that found a change.
    pub(super) changed: f64,
    /// Factor after a visit that found none.
    pub(super) unchanged: f64,
    pub(super) floor_h: f64,
    pub(super) ceiling_h: f64,
    /// True if revisits compete with new pages.
    pub(super) competes: bool,
}

/// Parameters of an adaptive interval, with their defaults in hours.
pub(super) const fn params(start_h: f64, floor_h: f64, ceiling_h: f64) -> [Param; 3] {
    let longest = "Maximum interval, in hours.";
    [
        Param::number("start", start_h, 0.001, 1e6, "Hours until the second visit to a page."),
        Param::number("floor", floor_h, 0.0001, 1e6, "Minimum interval, in hours."),
        Param::number_not_below("floor", "ceiling", ceiling_h, 0.001, 1e7, longest),
    ]
}

/// Names of the interval in explanations; the first is Lebedeva's.
const PERIOD: &str = "estimated period, hours";
const INTERVAL: &str = "interval, hours";

/// Policy with one adaptive interval per page.
#[derive(Clone, Debug)]
pub(super) struct AdaptiveInterval {
    factors: Factors,
    pages: Vec<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    interval_h: f64,
    /// The previous interval and the factor applied to it; 0 at the first visit.
    before_h: f64,
    by: f64,
}

impl AdaptiveInterval {
    pub(super) fn new(factors: Factors) -> Self {
        Self { factors, pages: Vec::new() }
    }

    /// From the parameters of [`params`], with the factors after a change and otherwise.
    pub(super) fn boxed_from(params: &Params, changed: f64, unchanged: f64) -> Box<dyn Policy> {
        Box::new(Self::new(Factors {
            start_h: params.number("start"),
            changed,
            unchanged,
            floor_h: params.number("floor"),
            ceiling_h: params.number("ceiling"),
            competes: false,
        }))
    }

    fn bounded(&self, hours: f64) -> f64 {
        hours.min(self.factors.ceiling_h).max(self.factors.floor_h)
    }
}

impl Policy for AdaptiveInterval {
    fn wanted(&mut self, url: UrlId, at: &PolicyView<'_>) -> Option<NextVisit> {
        if url.index() >= self.pages.len() {
            self.pages.resize(url.index() + 1, Last::default());
        }
        let before_h = self.pages[url.index()].interval_h;
        let next = if at.memory.n_visits(url) <= 1 {
            Last { interval_h: self.bounded(self.factors.start_h), before_h: 0.0, by: 0.0 }
        } else {
            let changed = at.memory.found_change(url);
            let by = if changed { self.factors.changed } else { self.factors.unchanged };
            Last { interval_h: self.bounded(before_h * by), before_h, by }
        };
        self.pages[url.index()] = next;
        Some(NextVisit::every(next.interval_h))
    }

    fn explain(&self, url: UrlId, _: f64, at: &PolicyView<'_>) -> Explanation {
        let Factors { floor_h, ceiling_h, competes, .. } = self.factors;
        let label = if competes { PERIOD } else { INTERVAL };
        let last = self.pages.get(url.index()).copied().unwrap_or_default();
        let bounds = format!("between {floor_h:.4} and {ceiling_h:.4} hours");
        if last.by == 0.0 {
            let note = format!("initial interval; {bounds}");
            return Explanation::given(label, last.interval_h).with(Evidence::Note(note));
        }
        let found = if at.memory.found_change(url) { "found a change" } else { "found none" };
        let by = Explanation::given("factor", last.by)
            .with(Evidence::Note(format!("the last visit {found}")));
        let before = Explanation::given("before", last.before_h);
        let product = Explanation::of(label, Op::Product, vec![before, by]);
        let is_free = last.interval_h == product.value;
        let mut interval = if is_free { product.with(Evidence::Note(bounds)) } else { product };
        if interval.value > ceiling_h {
            let ceiling = Explanation::given("ceiling", ceiling_h);
            interval = Explanation::of(label, Op::Min, vec![interval, ceiling]);
        }
        if interval.value < floor_h {
            let floor = Explanation::given("floor", floor_h);
            interval = Explanation::of(label, Op::Max, vec![interval, floor]);
        }
        interval
    }

    fn fills(&self) -> bool {
        false
    }

    fn competes(&self) -> bool {
        self.factors.competes
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Last>()
    }
}
