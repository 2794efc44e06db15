//! Relevance of pages and words of the topic: shared code of strategies that need a topic.

use crate::topic::{PIPELINE, Topic};
use crate::{Evidence, Explanation, Known, UrlId};
use crawl_world::order;

/// P(topic | page) of a fetched page; 0.5 without a topic.
pub(super) fn relevance(page: UrlId, known: &Known<'_>) -> f64 {
    known.judgement(page).map_or(0.5, |judgement| judgement.relevance)
}

/// True if a fetched page is about the topic; always true without a topic.
pub(super) fn is_relevant(page: UrlId, known: &Known<'_>) -> bool {
    known.judgement(page).is_none_or(|judgement| judgement.is_on_topic)
}

/// The words of a fetched page.
pub(super) fn page_words(page: UrlId, known: &Known<'_>) -> Vec<String> {
    let mut words = PIPELINE.words(known.title(page));
    PIPELINE.each_word(known.text(page), |word| words.push(word.to_owned()));
    words
}

/// Maximum number of words named as evidence.
const MAX_WORDS: usize = 6;

/// Evidence: the words of the topic among some words, by weight.
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

/// Explains P(topic | page) by the words of the page.
pub(super) fn explain_relevance(topic: &Topic, page: UrlId, known: &Known<'_>) -> Explanation {
    Explanation::given("P(topic | page)", relevance(page, known))
        .with(Evidence::Fetched(page))
        .with(spoken(topic, &page_words(page, known)))
}
