//! Strategies that score a URL by its best link.
//!
//! score(u) = max over fetched p → u whose links are followed of worth(p → u). A redirect has no text:
//! its target gets the redirect's own score (our choice). Seeds count as on the topic and score 1 (our
//! choice).

use super::Strategy;
use super::fish::RemainingDepth;
use crate::{Evidence, Explanation, Known, MAX_PARTS, Op, Scores, UrlId};
use crawl_world::order;
use std::ops::Range;

/// Score of a seed.
const SEED: f64 = 1.0;

/// The worth of links.
pub(super) trait LinkWorth: Clone + Send + Sync + 'static {
    /// Names of the values it stores per URL.
    const STORED: &'static [&'static str];

    /// The worth of a page's link, by position and target.
    fn worth(&self, page: UrlId, place: usize, link: UrlId, known: &Known<'_>) -> f64;

    /// Explains the worth.
    fn explain(&self, page: UrlId, place: usize, link: UrlId, known: &Known<'_>) -> Explanation;

    /// Called after a fetch, before its links are processed.
    fn fetched(&mut self, _url: UrlId, _known: &Known<'_>) {}

    /// Called before links are processed that a page shows for the first time, by position.
    fn shown(&mut self, _url: UrlId, _places: Range<usize>, _known: &Known<'_>) {}

    /// Remaining depths of URLs, if it gives URLs up.
    fn depths(&self) -> Option<&RemainingDepth> {
        None
    }

    /// A stored value of a URL by name, or `None`.
    fn stored(&self, _name: &str, _url: UrlId, _known: &Known<'_>) -> Option<f64> {
        None
    }

    /// Memory in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// A strategy by the best link.
#[derive(Clone)]
pub(super) struct BestLink<W> {
    links: W,
    /// Scores of redirects when they were fetched.
    redirects: Vec<(UrlId, f64)>,
}

impl<W: LinkWorth> BestLink<W> {
    pub(super) fn new(links: W) -> Self {
        Self { links, redirects: Vec::new() }
    }

    /// The score of a redirect when it was fetched.
    fn redirect(&self, url: UrlId) -> Option<f64> {
        self.redirects.iter().rev().find(|(from, _)| *from == url).map(|(_, own)| *own)
    }

    fn explain_best(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let mut parts = Vec::new();
        if known.is_seed(url) {
            let note = Evidence::Note("seeds count as on the topic".to_owned());
            parts.push(Explanation::given("as a seed", SEED).with(note));
        }
        for page in known.linked_from(url).into_iter().filter(|page| known.follows(*page)) {
            if let Some(own) = self.redirect(page) {
                let redirect = Explanation::given("the score of the redirect to it", own);
                parts.push(redirect.with(Evidence::Fetched(page)));
            } else if let Some(place) = known.links(page).position(|link| link == url) {
                parts.push(self.links.explain(page, place, url, known));
            }
        }
        if parts.is_empty() {
            let note = Evidence::Note("no link from a page whose links are followed".to_owned());
            return Explanation::given("no evidence", score).with(note);
        }
        let n_parts = parts.len();
        let mut best = order::arranged(parts, |part| order::falling(part.value));
        best.truncate(MAX_PARTS);
        let label = match n_parts {
            1 => "evidence".to_owned(),
            n if n > MAX_PARTS => format!("the best of {n} pieces of evidence"),
            _ => "the best evidence".to_owned(),
        };
        Explanation::of(label, Op::Max, best).valued(score)
    }
}

impl<W: LinkWorth> Strategy for BestLink<W> {
    fn discovered(&mut self, url: UrlId, so_far: f64, known: &Known<'_>) -> f64 {
        if known.is_seed(url) { so_far.max(SEED) } else { so_far }
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        if known.follows(url) && known.is_redirect(url) {
            self.redirects.push((url, scores.get(url)));
        }
        self.links.fetched(url, known);
        self.revisited(url, 0..known.links(url).len(), known, scores);
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        self.links.shown(url, places.clone(), known);
        if !known.follows(url) {
            return;
        }
        let own = known.is_redirect(url).then(|| self.redirect(url)).flatten();
        for (place, link) in (places.start..).zip(known.links_at(url, places)) {
            let worth = own.unwrap_or_else(|| self.links.worth(url, place, link, known));
            if worth > scores.get(link) {
                scores.set(link, worth);
            }
        }
    }

    fn explain(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        let best = self.explain_best(url, score, known);
        match self.links.depths() {
            Some(depths) => best.with(depths.explain(url, known)),
            None => best,
        }
    }

    fn gives_up(&self) -> bool {
        self.links.depths().is_some()
    }

    fn wants(&self, url: UrlId, known: &Known<'_>) -> bool {
        self.links.depths().is_none_or(|depths| depths.left(url, known) > 0)
    }

    fn keeps(&self) -> Vec<&'static str> {
        W::STORED.to_vec()
    }

    fn kept(&self, name: &str, url: UrlId, _: f64, known: &Known<'_>) -> Option<f64> {
        self.links.stored(name, url, known)
    }

    fn bytes(&self) -> usize {
        self.redirects.capacity() * size_of::<(UrlId, f64)>() + self.links.bytes()
    }
}
