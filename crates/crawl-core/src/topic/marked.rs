//! A topic of pages that were marked by hand.

use super::label::sample;
use super::{Ground, Lesson, Topic, TopicEntry, TopicError};
use crawl_catalogue::{Entry, EntryTexts, Param, Params, TextOf};
use crawl_world::{PageId, Rng};

const PARAMS: &[Param] = &[
    Param::naming(
        TextOf::Pages,
        "on",
        "",
        20_000,
        "URLs of pages like those looked for, with spaces between.",
    ),
    Param::naming(
        TextOf::Pages,
        "off",
        "",
        20_000,
        "URLs of pages about other things, with spaces between; where there are none, some are \
         drawn by lot.",
    ),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "marked",
        "Marked pages",
        EntryTexts {
            family: "Made by hand",
            source: "(ours), after Zhang, Li, Yu & Zhang 2010 (B), section 3",
            summary: "Pages like those that you mark",
            description: "The marked pages are the samples. They belong to the web that is crawled, \
                so this topic is learnt from what is then crawled, and says so. No labels say what \
                is true, so measures that need them have no values.",
            formula: "",
            params: PARAMS,
        },
    ),
    learn,
    truth: |_, _| None,
};

/// Pages about other things that are drawn for each page marked, and at least.
const OTHERS_EACH: usize = 5;
const OTHERS_LEAST: usize = 50;

fn learn(params: &Params, ground: &Ground<'_>) -> Result<Topic, TopicError> {
    let world = ground.world;
    let pages = |key: &str| -> Result<Vec<PageId>, TopicError> {
        let find = |url: &str| world.find(url).ok_or_else(|| TopicError::NoPage(url.to_owned()));
        params.text(key).split_whitespace().map(find).collect()
    };
    let (targets, mut others) = (pages("on")?, pages("off")?);
    if targets.is_empty() {
        return Err(TopicError::Empty("mark at least one page that is looked for"));
    }
    let mut notes = vec![format!(
        "Learnt from {} pages of this web that were marked, which is crawled as well.",
        targets.len() + others.len()
    )];
    if others.is_empty() {
        let is_other = |page: &PageId| world.status(*page) < 300 && !targets.contains(page);
        let most = (OTHERS_EACH * targets.len()).max(OTHERS_LEAST);
        let mut rng = Rng::new(ground.rng, "pages about other things");
        others = sample(world.pages().filter(is_other).collect(), most, &mut rng);
        notes.push(format!("Against them stand {} pages drawn by lot.", others.len()));
    }
    let lesson = Lesson { world, targets, related: Vec::new(), others, is_seen: &|_| true };
    Ok(lesson.learn("marked pages".to_owned(), notes))
}
