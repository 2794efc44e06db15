//! Times that grow and shrink by what visits find: shorter after a change, longer after none, within
//! bounds.

use super::{At, Policy, Wanted};
use crate::{Evidence, Explanation, Op, UrlId};

/// By how much, and between what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors {
    /// Hours until the first visit.
    pub(super) start_h: f64,
    /// After a visit that found a change.
    pub(super) changed: f64,
    /// After one that found none.
    pub(super) unchanged: f64,
    pub(super) floor_h: f64,
    pub(super) ceiling_h: f64,
    /// Whether pages compete by it with new ones.
    pub(super) competes: bool,
}

/// What the paper calls the time.
const PERIOD: &str = "estimated period, hours";
const INTERVAL: &str = "interval, hours";

/// The times of all pages.
#[derive(Clone, Debug)]
pub(super) struct Multiplying {
    factors: Factors,
    pages: Vec<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    interval_h: f64,
    /// The one before, and by what it was multiplied; 0 at the first visit.
    before_h: f64,
    by: f64,
}

impl Multiplying {
    pub(super) fn new(factors: Factors) -> Self {
        Self { factors, pages: Vec::new() }
    }

    fn bounded(&self, hours: f64) -> f64 {
        hours.min(self.factors.ceiling_h).max(self.factors.floor_h)
    }
}

impl Policy for Multiplying {
    fn wanted(&mut self, url: UrlId, at: &At<'_>) -> Option<Wanted> {
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
        Some(Wanted::every(next.interval_h))
    }

    fn explain(&self, url: UrlId, _: f64, at: &At<'_>) -> Explanation {
        let Factors { floor_h, ceiling_h, competes, .. } = self.factors;
        let label = if competes { PERIOD } else { INTERVAL };
        let last = self.pages.get(url.index()).copied().unwrap_or_default();
        let bounds = format!("between {floor_h:.4} and {ceiling_h:.4} hours");
        if last.by == 0.0 {
            let note = format!("where every page starts; {bounds}");
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

    fn boxed(&self) -> Box<dyn Policy> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<Last>()
    }
}
