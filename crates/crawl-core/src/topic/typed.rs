//! A topic that was typed as words.

use super::{Classifier, Dictionary, Ground, PIPELINE, Topic, TopicEntry, TopicError};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::text("of", "phone battery screen", 1_000, "The words, with spaces between."),
    Param::number(
        "least",
        0.3,
        0.0,
        1.0,
        "The share of the words that a page must have to be on the topic; at least one.",
    ),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "words",
        "Words",
        EntryTexts {
            family: "Made by hand",
            source: "(ours), after the structure-based orderings of Voronov, Mail.Ru (D)",
            summary: "Pages with the words that you type",
            description: "There are no sample pages, so nothing is learnt: the share of the words \
                that stand on a page takes the place of P(topic | page), and the share of a link's \
                words that are among them that of P(topic | anchor). Every page on the topic is a \
                result. No labels say what is true, so measures that need them have no values.",
            formula: "relevance(page) = words of the topic on the page ÷ words of the topic",
            params: PARAMS,
        },
    ),
    learn,
    truth: |_, _| None,
};

fn learn(params: &Params, _: &Ground<'_>) -> Result<Topic, TopicError> {
    let words = PIPELINE.words(params.text("of"));
    if words.is_empty() {
        return Err(TopicError::Empty("type words that are not stop words"));
    }
    let dictionary = Dictionary::new(words.into_iter().map(|word| (word, 1.0)));
    let least = params.number("least");
    Ok(Topic {
        name: "typed words".to_owned(),
        notes: vec!["Nothing was learnt: the words that were typed are counted.".to_owned()],
        pages: Classifier::Typed { least },
        anchors: Classifier::Typed { least },
        dictionary,
        ..Topic::default()
    })
}
