//! What focused crawls look for: learnt, and what is true of it.

use crate::{IS_WHOLE, Run, RunError, TOPICS};
use crawl_catalogue::{Chosen, ParamValue};
use crawl_core::Aids;
use crawl_core::topic::{Ground, Topic, TopicTruth};
use crawl_protocol::{Experiment, WorldSource};
use crawl_world::{PageId, World};
use std::sync::Arc;

/// A topic, learnt for a world.
#[derive(Clone, Debug)]
pub struct Sought {
    /// What was learnt.
    pub topic: Arc<Topic>,
    /// What the labels of the pages that may be crawled say.
    pub truth: Option<TopicTruth>,
}

/// Added to a made world's seed of chance for the other world that topics are learnt from: far from
/// the seeds that people type.
const ANOTHER: u32 = 1_000_003;

impl Sought {
    /// Learns a topic for an experiment's world.
    pub fn new(
        chosen: &Chosen,
        experiment: &Experiment,
        world: &World,
        seeds: &[PageId],
    ) -> Result<Self, RunError> {
        let entry = TOPICS.iter().find(|entry| entry.entry.id == chosen.id);
        let entry = entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))?;
        let another = || another(&experiment.world);
        let ground = Ground { world, seeds, rng: experiment.rng, another: &another };
        let topic = (entry.learn)(&chosen.params, &ground)
            .map_err(|error| RunError::Topic { name: chosen.to_string(), error })?;
        let mut truth = (entry.truth)(&chosen.params, world);
        if let (Some(truth), Some(fenced)) = (&mut truth, topic.fenced()) {
            let site = |page| world.host_of(page).map(|host| world.host(host).site.index());
            truth.retain(|page| !site(page).is_some_and(|site| fenced[site]));
        }
        Ok(Self { topic: Arc::new(topic), truth })
    }

    /// Gives a crawl what it needs to look for the topic.
    pub(crate) fn aid(&self, aids: &mut Aids, is_focused: bool) {
        // No topic is looked for on a first visit.
        if IS_WHOLE {
            aids.judge = Some(self.topic.clone());
            aids.is_focused = is_focused;
            aids.fenced = self.topic.fenced();
        }
    }
}

/// Another world of the same kind: made with the same parameters by another seed.
fn another(source: &WorldSource) -> Option<World> {
    let WorldSource::Made(chosen) = source else { return None };
    let mut other = chosen.clone();
    // The worlds of figures have no chance in them, and so no other like them.
    let Some(ParamValue::Number(rng)) = other.params.get("rng") else { return None };
    let rng = (*rng as u32).wrapping_add(ANOTHER);
    other.params.set_number("rng", rng.into());
    Run::generate(&other).ok()
}
