//! The topic of a label: pages that carry it are what is looked for.

use super::{Ground, Lesson, Topic, TopicEntry, TopicError, TopicTruth};
use crawl_catalogue::{Entry, EntryTexts, Param, Params, TextOf};
use crawl_world::{PageId, Rng, World};
use std::borrow::Cow;
use std::sync::Arc;

const PARAMS: &[Param] = &[
    Param::naming(
        TextOf::Label,
        "of",
        "phones",
        200,
        "The label. Pages labelled with it and «-related» are about the topic, but not looked for.",
    ),
    Param::choice(
        "train",
        "auto",
        &[
            Cow::Borrowed("auto"),
            Cow::Borrowed("another"),
            Cow::Borrowed("sites"),
            Cow::Borrowed("same"),
        ],
        "What it is learnt from. another: a world made by another seed of the generator; sites: \
         those sites of this world on which no crawl starts, which are then not crawled; same: the \
         very pages that are crawled, which flatters every ordering that learns. auto: another \
         where the world was made, else sites.",
    ),
    Param::integer("samples", 300, 1, 5_000, "Most sample pages of each kind."),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "label",
        "Labelled pages",
        EntryTexts {
            family: "From labels",
            source: "Zhang, Li, Yu & Zhang 2010 (B), section 4",
            summary: "Pages with a label, learnt from labelled pages that are not crawled",
            description: "Sample pages are drawn from another web of the same kind, or from sites \
                of this one that are left alone then: with the label, with the label and \
                «-related», and without either, as many of each at most.",
            formula: "",
            params: PARAMS,
        },
    ),
    learn,
    truth: |params, world| truth(params.text("of"), world),
};

/// What labels end with that stand for pages about a topic which are not looked for.
const RELATED: &str = "-related";
/// The label of pages that nobody looks for.
const TRAP: &str = "trap";
/// Most labels that are told.
pub const MOST_LABELS: usize = 200;

fn truth(label: &str, world: &World) -> Option<TopicTruth> {
    let related = format!("{label}{RELATED}");
    let is_there = |page: PageId| world.status(page) < 300;
    let is_target: Vec<bool> =
        world.pages().map(|page| is_there(page) && world.has_topic(page, label)).collect();
    let is_related = |page: PageId| is_there(page) && world.has_topic(page, &related);
    let is_relevant: Vec<bool> =
        world.pages().map(|page| is_target[page.index()] || is_related(page)).collect();
    is_target.contains(&true).then_some(TopicTruth { is_relevant, is_target })
}

fn learn(params: &Params, ground: &Ground<'_>) -> Result<Topic, TopicError> {
    let label = params.text("of");
    let name = format!("label {label}");
    let here = ground.world;
    let no_label = |world: &World, place| TopicError::NoLabel {
        label: label.to_owned(),
        place,
        labels: labels(world),
    };
    let another = match params.text("train") {
        "another" => Some((ground.another)().ok_or(TopicError::NotMade)?),
        "auto" => (ground.another)(),
        _ => None,
    };
    if let Some(another) = &another {
        let truth =
            truth(label, another).ok_or_else(|| no_label(another, "of a world like this"))?;
        let notes = vec!["Learnt from another web made by the same generator.".to_owned()];
        return Ok(taught(params, name, another, &truth, &|_| true, ground.rng, notes));
    }
    if params.text("train") == "same" {
        let truth = truth(label, here).ok_or_else(|| no_label(here, "of this world"))?;
        let notes = vec!["Learnt from the very pages that are crawled.".to_owned()];
        return Ok(taught(params, name, here, &truth, &|_| true, ground.rng, notes));
    }
    // The sites where crawls start are left to them.
    let site = |page: PageId| here.host_of(page).map(|host| here.host(host).site.index());
    let mut fenced = vec![true; here.n_sites() as usize];
    for seed in ground.seeds {
        match site(*seed) {
            Some(site) => fenced[site] = false,
            // Pages without a site are all crawled together.
            None => return Err(TopicError::NothingElse),
        }
    }
    let is_fenced = |page: PageId| site(page).is_some_and(|site| fenced[site]);
    let mut truth = truth(label, here).ok_or_else(|| no_label(here, "of this world"))?;
    truth.retain(is_fenced);
    if !truth.is_target.contains(&true) {
        return Err(TopicError::NothingElse);
    }
    let n_sites = fenced.iter().filter(|fenced| **fenced).count();
    let notes = vec![format!(
        "Learnt from {n_sites} sites of this web on which no crawl starts; they are not crawled."
    )];
    let mut topic = taught(params, name, here, &truth, &is_fenced, ground.rng, notes);
    topic.fenced = Some(Arc::new(fenced));
    Ok(topic)
}

fn taught(
    params: &Params,
    name: String,
    world: &World,
    truth: &TopicTruth,
    is_seen: &dyn Fn(PageId) -> bool,
    rng: u64,
    mut notes: Vec<String>,
) -> Topic {
    let most = params.integer("samples") as usize;
    let mut rng = Rng::new(rng, "samples of a topic");
    let mut drawn = |is_wanted: &dyn Fn(PageId) -> bool| -> Vec<PageId> {
        let is_sample =
            |page: &PageId| is_seen(*page) && world.status(*page) < 300 && is_wanted(*page);
        let pages: Vec<PageId> = world.pages().filter(is_sample).collect();
        sample(pages, most, &mut rng)
    };
    let is_target = |page: PageId| truth.is_target[page.index()];
    let is_relevant = |page: PageId| truth.is_relevant[page.index()];
    let targets = drawn(&is_target);
    let related = drawn(&|page| is_relevant(page) && !is_target(page));
    let others = drawn(&|page| !is_relevant(page));
    notes.push(format!(
        "Samples: {} pages looked for, {} others about the topic, {} about other things.",
        targets.len(),
        related.len(),
        others.len()
    ));
    Lesson { world, targets, related, others, is_seen }.learn(name, notes)
}

/// So many of the pages, drawn by lot, in their order.
pub(super) fn sample(mut pages: Vec<PageId>, most: usize, rng: &mut Rng) -> Vec<PageId> {
    let n = pages.len();
    if n > most {
        for at in 0..most {
            let from = at + rng.below((n - at) as u32) as usize;
            pages.swap(at, from);
        }
        pages.truncate(most);
        pages.sort_unstable();
    }
    pages
}

/// The labels that pages of a world have, by the alphabet.
fn labels(world: &World) -> Vec<String> {
    let mut labels: Vec<String> = labelled(world).into_iter().map(|(label, _)| label).collect();
    labels.sort_unstable();
    labels
}

/// The labels that can be looked for and how many pages have each, in the order of the pages; at
/// most [`MOST_LABELS`].
pub fn labelled(world: &World) -> Vec<(String, u32)> {
    let mut labels: Vec<(String, u32)> = Vec::new();
    for page in world.pages() {
        let of_topics = |label: &&str| !label.ends_with(RELATED) && *label != TRAP;
        for label in world.topics(page).filter(of_topics) {
            match labels.iter().position(|(known, _)| known == label) {
                Some(at) => labels[at].1 += 1,
                None if labels.len() < MOST_LABELS => labels.push((label.to_owned(), 1)),
                None => {}
            }
        }
    }
    labels
}
