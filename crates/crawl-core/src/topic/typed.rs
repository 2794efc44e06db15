//! Topics by words that the user types.

use super::{Classifier, Dictionary, PIPELINE, Topic, TopicEntry, TopicError, TopicInputs};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::text("of", "phone battery screen", 1_000, "The words, separated by spaces."),
    Param::number(
        "least",
        0.3,
        0.0,
        1.0,
        "Minimum share of the words on a page on the topic; at least one word.",
    ),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "words",
        "Words",
        EntryTexts {
            family: "Made by hand",
            source: "(ours), after the structure-based orderings of Voronov, Mail.Ru",
            summary: "Pages with the words that you type",
            description: "There are no sample pages, so nothing is learnt. The share of the typed words \
                that occur on a page replaces P(topic | page), and the share of a link's words that \
                are among them replaces P(topic | anchor). Every page on the topic is a result. \
                There are no true labels, so metrics that need them are undefined.",
            formula: "relevance(page) = words of the topic on the page ÷ words of the topic",
            params: PARAMS,
        },
    ),
    learn,
    truth: |_, _| None,
};

fn learn(params: &Params, _: &TopicInputs<'_>) -> Result<Topic, TopicError> {
    let words = PIPELINE.words(params.text("of"));
    if words.is_empty() {
        return Err(TopicError::Empty("type at least one word that is not a stop word"));
    }
    let dictionary = Dictionary::new(words.into_iter().map(|word| (word, 1.0)));
    let least = params.number("least");
    Ok(Topic {
        name: "typed words".to_owned(),
        notes: vec!["Nothing is learnt: the typed words are counted.".to_owned()],
        pages: Classifier::Typed { least },
        anchors: Classifier::Typed { least },
        dictionary,
        ..Topic::default()
    })
}
