//! Mean freshness of the copies that change fast, slowly, or never.

use super::MetricEntry;
use super::copied::group;
use super::mean_freshness::MeanFreshness;
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const OF_CLASS: Param = Param::choice(
    "of",
    "fast",
    &[Cow::Borrowed("fast"), Cow::Borrowed("slow"), Cow::Borrowed("still")],
    "Which pages: those that change more often than the mean of all that change, less often, or never.",
);

const PARAMS: &[Param] = &[OF_CLASS];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "class-freshness",
        "Freshness by class",
        EntryTexts {
            family: "Freshness",
            source: "Wen & Lu 2004 (C); the classes are (ours)",
            summary: "Mean freshness of the copies that change fast, slowly, or never",
            description: "Fast are pages that change more often than the mean of those that change, slow those that change less often, still those that never do; by true rates.",
            formula: "F̄ over the pages of a class",
            params: PARAMS,
        },
    ),
    shown: &["class-freshness", "class-freshness(of:slow)", "class-freshness(of:still)"],
    build: |params, _| Box::new(MeanFreshness { group: group(params) }),
};
