//! ATA, the anchor text algorithm: JLSE without the Web link graph (Zhang, Li, Yu & Zhang 2010,
//! section 4).
//!
//! priority(u) = sim_anchor(u) ÷ √(Σ over the page's links of sim_anchor²) · P(topic | page).

use super::joint::JointLinks;
use super::{Needs, StrategyEntry};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "anchor-text",
        "Anchor text",
        EntryTexts {
            family: "Focused",
            source: "Zhang, Li, Yu & Zhang 2010, Algorithm 1 and section 4",
            summary: "The link whose anchor text is most about the topic",
            description: "A naive Bayes classifier, trained on anchors that lead to sample pages, \
                estimates the probability that a link leads to the topic; an anchor off the topic \
                counts 0.01. This is JLSE without its Web link graph, all else equal. Pages behind \
                links that do not name the topic come late.",
            formula: "score(u) = sim_anchor ÷ √(Σ over the page's links of sim_anchor²) · \
                P(topic | page)",
            params: &[],
        },
    ),
    needs: |_| Needs { topic: true, ..Needs::default() },
    build: |_, context| Box::new(JointLinks::new(context.topic(), None)),
};
