//! Explanation of a priority in JLSE, with every intermediate number.

use super::{Basis, JointLinks, Predicted, SEED, Words};
use crate::{Evidence, Explanation, Known, Op, UrlId};
use crawl_learn::bm25::{FieldScore, WordScore};

/// Names of a link's texts, in the order of the weights.
const FIELDS: [&str; 3] = ["anchor", "URL", "context"];

fn note(text: impl Into<String>) -> Evidence {
    Evidence::Note(text.into())
}

impl JointLinks {
    pub(super) fn explained(&self, url: UrlId, score: f64, known: &Known<'_>) -> Explanation {
        if known.is_seed(url) {
            return Explanation::given("priority", SEED)
                .with(note("a seed; all seeds have the same priority"));
        }
        let Some(basis) = self.basis(url) else {
            return Explanation::given("priority", score)
                .with(note("no link from a page whose links are followed"));
        };
        let norm = Explanation::given("similarities of the page's links", basis.norm)
            .with(note(format!("root of the sum of squares over its {} links", basis.n_links)));
        let similarity = self.similarity(url, basis, known);
        let share = Explanation::of("its share", Op::Quotient, vec![similarity, norm]);
        let mut relevance = Explanation::given("P(topic | page)", basis.relevance);
        relevance.evidence.push(Evidence::Fetched(basis.from));
        if known.judgement(basis.from).is_none() {
            relevance.evidence.push(note("there is no topic"));
        }
        Explanation::of("priority", Op::Product, vec![share, relevance])
            .valued(score)
            .with(Evidence::Fetched(basis.from))
            .with(note("of the pages linking to it, the one that gives the highest priority"))
    }

    fn similarity(&self, url: UrlId, basis: &Basis, known: &Known<'_>) -> Explanation {
        let anchor = known.anchor(basis.from, basis.place as usize);
        let own = basis.own;
        let why = match (own.n_words, own.value == own.p) {
            (0, _) => format!("\"{anchor}\" has no words that count"),
            (_, true) => format!("\"{anchor}\" is on the topic"),
            (_, false) => {
                format!("\"{anchor}\" is off the topic: P(topic | anchor) = {:.4}", own.p)
            }
        };
        let mut parts = vec![Explanation::given("anchor's own", own.value).with(note(why))];
        if self.learner.is_some() {
            parts.push(self.predicted(url, basis, known));
        }
        Explanation::of("similarity of the link", Op::Max, parts).valued(basis.similarity())
    }

    fn predicted(&self, url: UrlId, basis: &Basis, known: &Known<'_>) -> Explanation {
        let parts = basis.predicted.as_ref().zip(self.learner.as_ref());
        let Some((predicted, learner)) = parts else {
            return Explanation::given("predicted", 0.0).with(note(self.why_nothing()));
        };
        let words = Words::of_link(basis.from, basis.place as usize, url, known);
        let vertex = predicted.matched.vertex;
        let shared = learner.words(&words, vertex, predicted.n_vertices).unwrap_or_default();
        let fields = FIELDS.iter().zip(&predicted.matched.fields).zip(shared);
        let fields = fields.map(|((label, score), shared)| field(label, score, shared)).collect();
        let mut matched = Explanation::of("match", Op::Sum, fields).valued(predicted.matched.score);
        let mut q = Explanation::given("Q of the vertex", predicted.q);
        q.evidence.push(note(learning(predicted)));
        if let Some(like) = learner.vertex(vertex) {
            matched.evidence.push(Evidence::Discovered(like.url));
            matched.evidence.push(match like.found {
                Some((from, place)) => {
                    note(format!("found by the link \"{}\"", known.anchor(from, place as usize)))
                }
                None => note("a seed, which has only a URL"),
            });
            q.evidence.push(Evidence::Discovered(like.url));
        }
        Explanation::of("predicted", Op::Product, vec![matched, q]).valued(predicted.value())
    }

    /// Reason why a link has no prediction.
    fn why_nothing(&self) -> String {
        let Some(learner) = &self.learner else { return "nothing is learnt".to_owned() };
        match learner.learnt() {
            Some(_) => "when it was evaluated, nothing was learnt yet, or no vertex shared an \
                        informative word with it"
                .to_owned(),
            None => format!(
                "nothing is learnt yet: {} of the first {} results are found",
                learner.n_results(),
                learner.settings.every
            ),
        }
    }
}

fn learning(predicted: &Predicted) -> String {
    let Predicted { number, n_vertices, .. } = predicted;
    format!("learning {number}, with {n_vertices} vertices")
}

/// Explains the contribution of one text: weight × BM25 ÷ divisor.
fn field(label: &str, score: &FieldScore, shared: Vec<WordScore>) -> Explanation {
    let weight = Explanation::given("weight", score.weight);
    let normalised = if score.divisor > 0.0 {
        let word = |word: &WordScore| {
            let why = format!(
                "idf {:.4} (in {} vertices) × {:.4} ({} times here)",
                word.idf, word.n_vertices, word.saturation, word.frequency
            );
            Explanation::given(format!("\"{}\"", word.word), word.score).with(note(why))
        };
        let telling = shared.iter().filter(|word| word.score > 0.0).map(word).collect();
        let bm25 = Explanation::sum("BM25", telling).valued(score.bm25);
        let divisor = Explanation::given("divisor", score.divisor);
        Explanation::of("normalised", Op::Quotient, vec![bm25, divisor])
    } else {
        Explanation::given("normalised", 0.0).with(note("no vertex shares an informative word"))
    };
    let normalised = normalised.valued(score.normalised);
    Explanation::of(label, Op::Product, vec![weight, normalised])
}
