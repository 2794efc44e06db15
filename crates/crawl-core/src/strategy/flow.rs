//! Value that flows from the seeds along links of fetched pages: cash in OPIC, path probability in
//! fractional PageRank.

use super::grown_links::SparseMap;
use super::values::Values;
use crate::{Evidence, Explanation, Known, Op, UrlId};
use std::ops::Range;

/// Value that each fetched page passed along each of its links, by fetch number from 0, over all
/// visits. The caller stores the current value of each URL.
#[derive(Clone, Default)]
pub(super) struct Flow {
    passed: Vec<f64>,
    /// If value stays: the value of each page when it last shared it.
    shared: Vec<f64>,
    /// Pages whose links got different amounts, because some were shown later.
    grown: SparseMap<Grown>,
}

/// Value passed on by a page that gained links.
#[derive(Clone)]
struct Grown {
    /// In total.
    handed: f64,
    /// Along each of its links.
    along: Vec<f64>,
}

/// What happens to the value of a fetched page.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AfterFetch {
    /// It is all given away; value that arrives later accumulates from 0.
    StartsAnew,
    /// It stays, and value that arrives later is added.
    Stays,
    /// It stays, and value that arrives later is dropped.
    Dropped,
}

impl Flow {
    /// The value of a URL that enters the frontier.
    pub(super) fn discovered(&self, so_far: f64, known: &Known<'_>) -> f64 {
        // Seeds enter before any page is fetched. A crawler knows only them, and they share the
        // value 1 equally.
        if known.n_fetched() == 0 { 1.0 / f64::from(known.n_seeds()) } else { so_far }
    }

    /// Shares `pass_share` of a page's value equally over its links.
    pub(super) fn fetched(
        &mut self,
        url: UrlId,
        known: &Known<'_>,
        values: &mut impl Values,
        pass_share: f64,
        after: AfterFetch,
    ) {
        let share = self.pass(url, known, values, pass_share);
        match after {
            AfterFetch::StartsAnew => {
                values.set(url, 0.0);
                values.add_each(known.links(url), share);
            }
            AfterFetch::Stays => {
                self.shared.push(values.get(url));
                values.add_each(known.links(url), share);
            }
            AfterFetch::Dropped => {
                let waits = |link: &UrlId| known.fetch_number(*link).is_none();
                values.add_each(known.links(url).filter(waits), share);
            }
        }
    }

    /// Shares `pass_share` of a page's value over its links, each its equal share times a factor;
    /// the page keeps nothing. The mean of the factors is 1, so that links leaving the snapshot get
    /// equal shares.
    pub(super) fn fetched_in_parts(
        &mut self,
        url: UrlId,
        known: &Known<'_>,
        values: &mut impl Values,
        pass_share: f64,
        factors: &[f64],
    ) {
        let share = self.pass(url, known, values, pass_share);
        values.set(url, 0.0);
        for (link, factor) in known.links(url).zip(factors) {
            values.set(link, values.get(link) + share * factor);
        }
    }

    /// Records the equal share of a page's value.
    fn pass(&mut self, url: UrlId, known: &Known<'_>, values: &impl Values, part: f64) -> f64 {
        let share = equal_share(values.get(url) * part, url, known);
        self.passed.push(share);
        share
    }

    /// Called after a revisit. Shares the value gathered since the last visit over all links. With
    /// [`AfterFetch::Dropped`], only new links get value: as much as if the page had shared its
    /// value over all of them now.
    pub(super) fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        values: &mut impl Values,
        pass_share: f64,
        after: AfterFetch,
    ) {
        let value = values.get(url);
        let gathered = match after {
            AfterFetch::StartsAnew => {
                values.set(url, 0.0);
                value
            }
            AfterFetch::Stays => {
                let number = known.fetch_number(url).unwrap_or(1) as usize;
                let shared = self.shared.get_mut(number - 1);
                value - shared.map_or(value, |shared| std::mem::replace(shared, value))
            }
            AfterFetch::Dropped if places.is_empty() => return,
            AfterFetch::Dropped => value,
        };
        let share = equal_share(gathered * pass_share, url, known);
        let only_new = after == AfterFetch::Dropped;
        self.grow(url, &places, known, |_| 1.0);
        self.add(
            url,
            share,
            known,
            |place| {
                if !only_new || places.contains(&place) { 1.0 } else { 0.0 }
            },
        );
        if only_new {
            let waits = |link: &UrlId| known.fetch_number(*link).is_none();
            values.add_each(known.links_at(url, places).filter(waits), share);
        } else if share > 0.0 {
            values.add_each(known.links(url), share);
        }
    }

    /// The same, where a page keeps nothing and each link gets its equal share times a factor.
    /// `before` are the factors of the links shown at the previous visit.
    pub(super) fn revisited_in_parts(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        values: &mut impl Values,
        pass_share: f64,
        [before, factors]: [&[f64]; 2],
    ) {
        let share = equal_share(values.get(url) * pass_share, url, known);
        values.set(url, 0.0);
        self.grow(url, &places, known, |place| before[place]);
        self.add(url, share, known, |place| factors[place]);
        for (link, factor) in known.links(url).zip(factors) {
            values.set(link, values.get(link) + share * factor);
        }
    }

    /// Makes room for new links, if any. `factor` is the factor of each older link so far.
    fn grow(
        &mut self,
        url: UrlId,
        places: &Range<usize>,
        known: &Known<'_>,
        factor: impl Fn(usize) -> f64,
    ) {
        if places.is_empty() {
            return;
        }
        if self.grown.get(url).is_none() {
            let passed = self.passed_by(url, known);
            let along = (0..places.start).map(|place| passed * factor(place)).collect();
            let handed = passed * f64::from(known.out_degree(url) - places.len() as u32);
            self.grown.add(url, Grown { handed, along });
        }
        if let Some(grown) = self.grown.get_mut(url) {
            grown.along.resize(places.end, 0.0);
        }
    }

    /// Adds a share that a page passed on, times a factor per link.
    fn add(&mut self, url: UrlId, share: f64, known: &Known<'_>, factor: impl Fn(usize) -> f64) {
        if let Some(grown) = self.grown.get_mut(url) {
            grown.handed += share * f64::from(known.out_degree(url));
            for (place, passed) in grown.along.iter_mut().enumerate() {
                *passed += share * factor(place);
            }
        } else if let Some(at) = known.fetch_number(url)
            && let Some(passed) = self.passed.get_mut(at as usize - 1)
        {
            *passed += share;
        }
    }

    /// The value that a page passed along each of its links, if all got the same.
    fn passed_by(&self, url: UrlId, known: &Known<'_>) -> f64 {
        let number = known.fetch_number(url).unwrap_or(0) as usize;
        number.checked_sub(1).and_then(|at| self.passed.get(at)).copied().unwrap_or(0.0)
    }

    /// Records that a page passed on nothing.
    pub(super) fn withheld(&mut self, url: UrlId, values: &mut impl Values) {
        self.passed.push(0.0);
        values.set(url, 0.0);
    }

    /// Explains a URL's value by the pages it came from.
    pub(super) fn explain(
        &self,
        url: UrlId,
        value: f64,
        known: &Known<'_>,
        label: &str,
        after: AfterFetch,
    ) -> Explanation {
        self.explain_in_parts(url, value, known, label, after, |_, share| share)
    }

    /// The same, where `part` explains the factor of each page's share.
    pub(super) fn explain_in_parts(
        &self,
        url: UrlId,
        value: f64,
        known: &Known<'_>,
        label: &str,
        after: AfterFetch,
        part: impl Fn(UrlId, Explanation) -> Explanation,
    ) -> Explanation {
        let own = known.fetch_number(url);
        let mut parts = Vec::new();
        if known.is_seed(url) && (own.is_none() || after != AfterFetch::StartsAnew) {
            let one = Explanation::given("total", 1.0);
            let seeds = Explanation::given("seeds", f64::from(known.n_seeds()));
            parts.push(Explanation::of("as a seed", Op::Quotient, vec![one, seeds]));
        }
        for page in known.linked_from(url) {
            let number = known.fetch_number(page).unwrap_or(0);
            let counts = match (own, after) {
                (None, _) | (_, AfterFetch::Stays) => true,
                (Some(own), AfterFetch::StartsAnew) => number > own,
                (Some(own), AfterFetch::Dropped) => number < own,
            };
            if !counts {
                continue;
            }
            if let Some(grown) = self.grown.get(page) {
                let place = known.links(page).position(|link| link == url).unwrap_or(0);
                let along = grown.along.get(place).copied().unwrap_or(0.0);
                let label = "from a page, since it has the link";
                parts.push(Explanation::given(label, along).with(Evidence::Fetched(page)));
            } else {
                let share = self.passed[number as usize - 1];
                let degree = Explanation::given("its links", f64::from(known.out_degree(page)));
                let whole = Explanation::given("total it passed on", share * degree.value);
                let equal = Explanation::of("from a page", Op::Quotient, vec![whole, degree]);
                parts.push(part(page, equal.valued(share).with(Evidence::Fetched(page))));
            }
        }
        Explanation::sum(label, parts).valued(value)
    }

    /// Names of the stored values of strategies whose scores are cash.
    pub(super) fn keeps() -> Vec<&'static str> {
        vec!["cash", "cash-handed-out"]
    }

    /// A stored value by name.
    pub(super) fn kept(
        &self,
        name: &str,
        url: UrlId,
        score: f64,
        known: &Known<'_>,
    ) -> Option<f64> {
        if name == "cash" { Some(score) } else { self.handed_out(url, known) }
    }

    /// Total value that a page passed on at its visits.
    fn handed_out(&self, url: UrlId, known: &Known<'_>) -> Option<f64> {
        if let Some(grown) = self.grown.get(url) {
            return Some(grown.handed);
        }
        let share = self.passed.get(known.fetch_number(url)? as usize - 1)?;
        Some(share * f64::from(known.out_degree(url)))
    }

    pub(super) fn bytes(&self) -> usize {
        let grown = self.grown.bytes(|grown| grown.along.capacity() * 8);
        (self.passed.capacity() + self.shared.capacity()) * 8 + grown
    }
}

/// An equal share of a value for each of a page's links.
fn equal_share(value: f64, url: UrlId, known: &Known<'_>) -> f64 {
    match known.out_degree(url) {
        0 => 0.0,
        degree => value / f64::from(degree),
    }
}
