//! Mean freshness of the pages that change fast, slowly, or never.

use super::MetricEntry;
use super::copied::group;
use super::mean_freshness::MeanFreshness;
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const OF_CLASS: Param = Param::choice(
    "of",
    "fast",
    &[Cow::Borrowed("fast"), Cow::Borrowed("slow"), Cow::Borrowed("still")],
    "Class of pages: fast, slow (above or below the mean rate of all that change), or still (never change).",
);

const PARAMS: &[Param] = &[OF_CLASS];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "class-freshness",
        "Freshness by class",
        EntryTexts {
            family: "Freshness",
            source: "Wen & Lu 2004; the classes are (ours)",
            summary: "Mean freshness of the pages that change fast, slowly, or never",
            description: "Fast: pages that change more often than the mean of all that change. Slow: less often. Still: never. Classes use true rates.",
            formula: "F̄ over the pages of a class",
            params: PARAMS,
        },
    ),
    shown: &["class-freshness", "class-freshness(of:slow)", "class-freshness(of:still)"],
    build: |params, _| Box::new(MeanFreshness { group: group(params) }),
};
