//! What orderings that look for a topic share.
//!
//! Most of them take the best evidence for a URL: score(u) = max over fetched p → u whose links are
//! followed of worth(p → u). A redirect says nothing of itself: what it leads to has its worth (ours).
//! Seeds are taken to be on the topic, since whoever gave them said so, and score 1 (ours).

use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, MAX_PARTS, Op, Scores, UrlId};
use crawl_world::order;
use std::ops::Range;

/// P(topic | page) of a fetched page; 0.5 where nobody judges.
pub(super) fn relevance(page: UrlId, known: &Known<'_>) -> f64 {
    known.judgement(page).map_or(0.5, |judgement| judgement.relevance)
}

/// Whether a fetched page is about the topic; any is where nobody judges.
pub(super) fn is_relevant(page: UrlId, known: &Known<'_>) -> bool {
    known.judgement(page).is_none_or(|judgement| judgement.is_on_topic)
}

/// The words of a fetched page.
pub(super) fn page_words(page: UrlId, known: &Known<'_>) -> Vec<String> {
    let mut words = PIPELINE.words(known.title(page));
    PIPELINE.each_word(known.text(page), |word| words.push(word.to_owned()));
    words
}

/// Most words that are named as evidence.
const MAX_WORDS: usize = 6;

/// The words of the topic among some, which weigh most first.
pub(super) fn spoken<W: AsRef<str>>(topic: &Topic, words: &[W]) -> Evidence {
    let shared = order::arranged(topic.dictionary().shared(words), |(_, n)| order::falling(*n));
    let named: Vec<&str> = shared.iter().take(MAX_WORDS).map(|(word, _)| *word).collect();
    Evidence::Note(match named.as_slice() {
        [] => "no word of the topic".to_owned(),
        _ if named.len() < shared.len() => {
            format!(
                "words of the topic: {} and {} more",
                named.join(", "),
                shared.len() - named.len()
            )
        }
        _ => format!("words of the topic: {}", named.join(", ")),
    })
}

/// P(topic | page), and what on the page speaks for it.
pub(super) fn explain_relevance(topic: &Topic, page: UrlId, known: &Known<'_>) -> Explanation {
    Explanation::given("P(topic | page)", relevance(page, known))
        .with(Evidence::Fetched(page))
        .with(spoken(topic, &page_words(page, known)))
}

/// Best worths, and what redirects were worth when they were fetched.
#[derive(Clone, Default)]
pub(super) struct Best {
    redirects: Vec<(UrlId, f64)>,
}

impl Best {
    /// The score of a URL that enters the frontier.
    pub(super) fn discovered(url: UrlId, so_far: f64, seed: f64, known: &Known<'_>) -> f64 {
        if known.is_seed(url) { so_far.max(seed) } else { so_far }
    }

    /// Takes note of a page just fetched, before its links are dealt with.
    pub(super) fn came(&mut self, url: UrlId, known: &Known<'_>, scores: &Scores<'_>) {
        if known.follows(url) && known.is_redirect(url) {
            self.redirects.push((url, scores.get(url)));
        }
    }

    /// Gives the URLs that links at some places on a page lead to what these are worth, where that is
    /// more than they have.
    pub(super) fn found(
        &self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
        mut worth: impl FnMut(usize, UrlId) -> f64,
    ) {
        if !known.follows(url) {
            return;
        }
        let own = known.is_redirect(url).then(|| self.redirect(url)).flatten();
        for (place, link) in (places.start..).zip(known.links_at(url, places)) {
            let worth = own.unwrap_or_else(|| worth(place, link));
            if worth > scores.get(link) {
                scores.set(link, worth);
            }
        }
    }

    /// What a redirect was worth when it was fetched.
    fn redirect(&self, url: UrlId) -> Option<f64> {
        self.redirects.iter().rev().find(|(from, _)| *from == url).map(|(_, own)| *own)
    }

    /// The best of what was found for a URL; `part` explains what a page's link at a place is worth.
    pub(super) fn explain(
        &self,
        url: UrlId,
        score: f64,
        seed: f64,
        known: &Known<'_>,
        part: impl Fn(UrlId, usize) -> Explanation,
    ) -> Explanation {
        let mut parts = Vec::new();
        if known.is_seed(url) {
            let note = Evidence::Note("whoever gave it took it to be on the topic".to_owned());
            parts.push(Explanation::given("as a seed", seed).with(note));
        }
        for page in known.linked_from(url).into_iter().filter(|page| known.follows(*page)) {
            if let Some(own) = self.redirect(page) {
                let redirect = Explanation::given("the score of the redirect to it", own);
                parts.push(redirect.with(Evidence::Fetched(page)));
            } else if let Some(place) = known.links(page).position(|link| link == url) {
                parts.push(part(page, place));
            }
        }
        if parts.is_empty() {
            let note = Evidence::Note("no page whose links are followed links to it".to_owned());
            return Explanation::given("nothing speaks for it", score).with(note);
        }
        let n_parts = parts.len();
        let mut best = order::arranged(parts, |part| order::falling(part.value));
        best.truncate(MAX_PARTS);
        let label = match n_parts {
            1 => "what speaks for it".to_owned(),
            n if n > MAX_PARTS => format!("the best of {n} that speak for it"),
            _ => "the best of what speaks for it".to_owned(),
        };
        Explanation::of(label, Op::Max, best).valued(score)
    }

    pub(super) fn bytes(&self) -> usize {
        self.redirects.capacity() * size_of::<(UrlId, f64)>()
    }
}
