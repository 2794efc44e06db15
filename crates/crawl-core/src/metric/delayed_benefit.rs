//! Targets found through links whose text does not name the topic.
//!
//! With x(t) the anchor text of the link through which t was first found (redirects in between are
//! skipped), and F the targets found:
//!
//! delayed benefit = |{t ∈ F : x(t) off the topic}| ÷ |T|
//!
//! Divided by |T| it is a part of target recall; the rest of recall comes from links that name the
//! topic, so strategies can be compared by it. Divided by |F| (`of:found`) it tells the kind of the
//! finds but not their number: a strategy with a single such find would have 100 %.

use super::targets::Targets;
use super::{Metric, MetricEntry, Observation};
use crate::UrlId;
use crawl_catalogue::{Entry, EntryTexts, Param};
use std::borrow::Cow;

const PARAMS: &[Param] = &[Param::choice(
    "of",
    "all",
    &[Cow::Borrowed("all"), Cow::Borrowed("found")],
    "Denominator: all targets, so that it is a part of target recall; or found targets.",
)];

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "delayed-benefit",
        "Delayed benefit",
        EntryTexts {
            family: "Focus",
            source: "Zhang, Li, Yu & Zhang 2010, sections 1 and 4",
            summary: "Share of the targets found through links whose text is off the topic",
            description: "Counts found targets whose link has an anchor text that is off the topic \
                (Algorithm 1). Anchor text alone gives such links no value; experience with similar \
                links does. It is the part of target recall that comes from them.",
            formula: "|{t ∈ T ∩ results : its link's text off the topic}| ÷ |T|",
            params: PARAMS,
        },
    ),
    shown: &["delayed-benefit"],
    build: |params, _| {
        let is_of_found = params.text("of") == "found";
        Box::new(DelayedBenefit { is_of_found, ..DelayedBenefit::default() })
    },
};

#[derive(Default)]
struct DelayedBenefit {
    is_of_found: bool,
    targets: Option<Targets>,
    n_found: u32,
    n_delayed: u32,
}

impl Metric for DelayedBenefit {
    fn observe(&mut self, at: &Observation<'_>) -> Option<f64> {
        if at.step.number == 1 {
            self.targets = Targets::new(at);
        }
        let targets = self.targets.as_ref()?;
        if targets.is_found(at) {
            self.n_found += 1;
            self.n_delayed += u32::from(is_silent(at, at.step.url));
        }
        let of = if self.is_of_found { f64::from(self.n_found) } else { targets.n() };
        (of > 0.0).then(|| f64::from(self.n_delayed) / of)
    }
}

/// True if a URL was found through a link whose text is off the topic; false for seeds.
fn is_silent(at: &Observation<'_>, url: UrlId) -> bool {
    let (world, session) = (at.setting.world, at.run.session());
    let known = session.known(world);
    let mut to = url;
    // A redirect has no text: use the link to it.
    while let Some(from) = known.parent(to) {
        if !(300..400).contains(&world.status(session.book().page(from))) {
            let place = known.links(from).position(|link| link == to);
            let anchor = place.map_or("", |place| known.anchor(from, place));
            return session.names_topic(anchor) == Some(false);
        }
        to = from;
    }
    false
}
