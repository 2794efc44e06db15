//! Value that starts at the seeds and flows along links as pages are fetched: what OPIC calls cash
//! and fractional PageRank calls the probability of a path.

use super::values::Values;
use crate::{Evidence, Explanation, Known, Op, UrlId};

/// What each fetched page passed along each of its links, by fetch number counted from zero. The
/// value each URL holds is kept by whoever uses this.
#[derive(Clone, Default)]
pub(super) struct Flow {
    passed: Vec<f64>,
}

/// What happens to value at a page already fetched.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AfterFetch {
    /// It was all given away; what arrives later is gathered anew.
    StartsAnew,
    /// It stays, and what arrives later is added.
    Stays,
    /// It stays, and what arrives later is dropped.
    Dropped,
}

impl Flow {
    /// The value of a URL when it enters the frontier.
    pub(super) fn discovered(&self, so_far: f64, known: &Known<'_>) -> f64 {
        // Seeds are asked about before any page is fetched. A crawler can give value only to them,
        // and they share 1 equally.
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
            AfterFetch::Stays => values.add_each(known.links(url), share),
            AfterFetch::Dropped => {
                let waits = |link: &UrlId| known.fetch_number(*link).is_none();
                values.add_each(known.links(url).filter(waits), share);
            }
        }
    }

    /// Shares `pass_share` of a page's value over its links, each its equal share times a factor; the
    /// page keeps none. Factors are 1 on average, so that links which leave the snapshot have their own.
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

    /// Notes what an equal share of a page's value is.
    fn pass(&mut self, url: UrlId, known: &Known<'_>, values: &impl Values, part: f64) -> f64 {
        let degree = known.out_degree(url);
        let share = if degree == 0 { 0.0 } else { values.get(url) * part / f64::from(degree) };
        self.passed.push(share);
        share
    }

    /// Notes that a page passed nothing on.
    pub(super) fn withheld(&mut self, url: UrlId, values: &mut impl Values) {
        self.passed.push(0.0);
        values.set(url, 0.0);
    }

    /// Where a URL's value came from, page by page.
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

    /// The same where `part` says what became of an equal share of a page's.
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
            let one = Explanation::given("all there is", 1.0);
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
            if counts {
                let share = self.passed[number as usize - 1];
                let degree = Explanation::given("its links", f64::from(known.out_degree(page)));
                let whole = Explanation::given("what it passed on", share * degree.value);
                let equal = Explanation::of("from a page", Op::Quotient, vec![whole, degree]);
                parts.push(part(page, equal.valued(share).with(Evidence::Fetched(page))));
            }
        }
        Explanation::sum(label, parts).valued(value)
    }

    /// What a page passed on when it was fetched.
    pub(super) fn handed_out(&self, url: UrlId, known: &Known<'_>) -> Option<f64> {
        let share = self.passed.get(known.fetch_number(url)? as usize - 1)?;
        Some(share * f64::from(known.out_degree(url)))
    }

    pub(super) fn bytes(&self) -> usize {
        self.passed.capacity() * 8
    }
}
