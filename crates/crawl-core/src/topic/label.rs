//! Topics by label: pages with the label are the targets.

use super::{Topic, TopicEntry, TopicError, TopicInputs, TopicTruth, TrainingSet};
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
        "The label of the targets. Pages with this label plus \"-related\" are about the topic, but no targets.",
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
        "Training data. another: a world generated with another random seed; sites: the sites of this \
         world without seeds, which are then not crawled; same: the crawled pages themselves, which \
         favours all learning strategies. auto: another if the world was generated, else sites.",
    ),
    Param::integer("samples", 300, 1, 5_000, "Maximum number of sample pages of each kind."),
];

pub(super) const ENTRY: TopicEntry = TopicEntry {
    entry: Entry::new(
        "label",
        "Labelled pages",
        EntryTexts {
            family: "From labels",
            source: "Zhang, Li, Yu & Zhang 2010, section 4",
            summary: "Pages with a label, learnt from labelled pages that are not crawled",
            description: "Sample pages are drawn from another world of the same kind, or from sites of \
                this one that are then not crawled: pages with the label, pages with the label plus \
                \"-related\", and pages with neither.",
            formula: "",
            params: PARAMS,
        },
    ),
    learn,
    truth: |params, world| truth(params.text("of"), world),
};

/// Suffix of labels of pages that are about a topic but no targets.
const RELATED: &str = "-related";
/// Label of spider traps, which is no topic.
const TRAP: &str = "trap";
/// Maximum number of labels that are listed.
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

fn learn(params: &Params, inputs: &TopicInputs<'_>) -> Result<Topic, TopicError> {
    let label = params.text("of");
    let name = format!("label {label}");
    let here = inputs.world;
    let no_label = |world: &World, place| TopicError::NoLabel {
        label: label.to_owned(),
        place,
        labels: labels(world),
    };
    let another = match params.text("train") {
        "another" => Some((inputs.another)().ok_or(TopicError::NotMade)?),
        "auto" => (inputs.another)(),
        _ => None,
    };
    if let Some(another) = &another {
        let truth =
            truth(label, another).ok_or_else(|| no_label(another, "of a world like this"))?;
        let notes = vec!["Learnt from another web of the same generator.".to_owned()];
        return Ok(taught(params, name, another, &truth, &|_| true, inputs.rng, notes));
    }
    if params.text("train") == "same" {
        let truth = truth(label, here).ok_or_else(|| no_label(here, "of this world"))?;
        let notes = vec!["Learnt from the crawled pages themselves.".to_owned()];
        return Ok(taught(params, name, here, &truth, &|_| true, inputs.rng, notes));
    }
    // The sites of the seeds are crawled, all others are training data.
    let site = |page: PageId| here.host_of(page).map(|host| here.host(host).site.index());
    let mut training_sites = vec![true; here.n_sites() as usize];
    for seed in inputs.seeds {
        match site(*seed) {
            Some(site) => training_sites[site] = false,
            // Pages without a site are all crawled.
            None => return Err(TopicError::NothingElse),
        }
    }
    let is_training_site = |page: PageId| site(page).is_some_and(|site| training_sites[site]);
    let mut truth = truth(label, here).ok_or_else(|| no_label(here, "of this world"))?;
    truth.retain(is_training_site);
    if !truth.is_target.contains(&true) {
        return Err(TopicError::NothingElse);
    }
    let n_sites = training_sites.iter().filter(|training_sites| **training_sites).count();
    let notes = vec![format!(
        "Learnt from {n_sites} sites of this web without seeds; they are not crawled."
    )];
    let mut topic = taught(params, name, here, &truth, &is_training_site, inputs.rng, notes);
    topic.training_sites = Some(Arc::new(training_sites));
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
        "Samples: {} targets, {} other pages about the topic, {} pages off the topic.",
        targets.len(),
        related.len(),
        others.len()
    ));
    TrainingSet { world, targets, related, others, is_seen }.learn(name, notes)
}

/// A random sample of the pages, in their order.
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

/// The labels of a world, sorted.
fn labels(world: &World) -> Vec<String> {
    let mut labels: Vec<String> = labelled(world).into_iter().map(|(label, _)| label).collect();
    labels.sort_unstable();
    labels
}

/// The labels that can be topics and the number of pages of each, in the order of the pages; at
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
