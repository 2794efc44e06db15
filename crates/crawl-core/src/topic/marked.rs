//! Topics by pages that the user marks.

use super::label::sample;
use super::{Topic, TopicEntry, TopicError, TopicInputs, TrainingSet};
use crawl_catalogue::{Entry, EntryTexts, Param, Params, TextOf};
use crawl_world::{PageId, Rng};

const PARAMS: &[Param] = &[
    Param::naming(TextOf::Pages, "on", "", 20_000, "URLs of sample targets, separated by spaces."),
    Param::naming(
        TextOf::Pages,
        "off",
        "",
        20_000,
        "URLs of sample pages off the topic, separated by spaces; if empty, random pages are used.",
    ),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "marked",
        "Marked pages",
        EntryTexts {
            family: "Made by hand",
            source: "(ours), after Zhang, Li, Yu & Zhang 2010, section 3",
            summary: "Pages like those that you mark",
            description: "The marked pages are the samples. They belong to the crawled web, so the \
                topic is learnt from pages that are then crawled. There are no true labels, so \
                metrics that need them are undefined.",
            formula: "",
            params: PARAMS,
        },
    ),
    learn,
    truth: |_, _| None,
};

/// Number of pages off the topic that are drawn per marked page, and their minimum.
const OTHERS_EACH: usize = 5;
const OTHERS_LEAST: usize = 50;

fn learn(params: &Params, inputs: &TopicInputs<'_>) -> Result<Topic, TopicError> {
    let world = inputs.world;
    let pages = |key: &str| -> Result<Vec<PageId>, TopicError> {
        let find = |url: &str| world.find(url).ok_or_else(|| TopicError::NoPage(url.to_owned()));
        params.text(key).split_whitespace().map(find).collect()
    };
    let (targets, mut others) = (pages("on")?, pages("off")?);
    if targets.is_empty() {
        return Err(TopicError::Empty("mark at least one target page"));
    }
    let mut notes = vec![format!(
        "Learnt from {} marked pages of the crawled web.",
        targets.len() + others.len()
    )];
    if others.is_empty() {
        let is_other = |page: &PageId| world.status(*page) < 300 && !targets.contains(page);
        let most = (OTHERS_EACH * targets.len()).max(OTHERS_LEAST);
        let mut rng = Rng::new(inputs.rng, "pages about other things");
        others = sample(world.pages().filter(is_other).collect(), most, &mut rng);
        notes.push(format!("{} random pages serve as examples off the topic.", others.len()));
    }
    let lesson = TrainingSet { world, targets, related: Vec::new(), others, is_seen: &|_| true };
    Ok(lesson.learn("marked pages".to_owned(), notes))
}
