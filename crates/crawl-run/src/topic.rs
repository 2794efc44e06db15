//! The topic of focused crawls: learnt, and its true labels.

use crate::{Run, RunError, STRATEGIES, TOPICS};
use crawl_catalogue::{Chosen, ParamValue};
use crawl_core::topic::{Topic, TopicInputs, TopicTruth};
use crawl_core::{Rules, SessionInputs};
use crawl_protocol::{Experiment, WorldSource};
use crawl_world::{PageId, World};
use std::sync::Arc;

/// A topic learnt for a world.
#[derive(Clone, Debug)]
pub struct LearntTopic {
    /// The learnt topic.
    pub topic: Arc<Topic>,
    /// True labels of the pages that may be crawled.
    pub truth: Option<TopicTruth>,
}

/// Offset of the random seed of the world that topics are learnt from; far from seeds that users
/// type.
const ANOTHER: u32 = 1_000_003;

impl LearntTopic {
    /// Learns a topic for an experiment's world.
    ///
    /// # Errors
    /// If there is no such topic, or it cannot be learnt from this world.
    pub fn new(
        chosen: &Chosen,
        experiment: &Experiment,
        world: &World,
        seeds: &[PageId],
    ) -> Result<Self, RunError> {
        let entry = TOPICS.iter().find(|entry| entry.entry.id == chosen.id);
        let entry = entry.ok_or_else(|| RunError::NotBuilt(chosen.id.clone()))?;
        let another = || another(&experiment.world);
        let inputs = TopicInputs { world, seeds, rng: experiment.rng, another: &another };
        let topic = (entry.learn)(&chosen.params, &inputs)
            .map_err(|error| RunError::Topic { name: chosen.to_string(), error })?;
        let mut truth = (entry.truth)(&chosen.params, world);
        if let (Some(truth), Some(training_sites)) = (&mut truth, topic.training_sites()) {
            let site = |page| world.host_of(page).map(|host| world.host(host).site.index());
            truth.retain(|page| !site(page).is_some_and(|site| training_sites[site]));
        }
        Ok(Self { topic: Arc::new(topic), truth })
    }

    /// Adds the topic to the inputs of a session.
    pub(crate) fn add_to(&self, inputs: &mut SessionInputs, is_focused: bool) {
        inputs.judge = Some(self.topic.clone());
        inputs.is_focused = is_focused;
        inputs.training_sites = self.topic.training_sites();
    }
}

/// True if a strategy of an experiment needs the topic, or runs as a focused crawl.
pub fn needs_topic(experiment: &Experiment, lane: usize) -> bool {
    let chosen = experiment.strategies.get(lane);
    let entry = |chosen: &&Chosen| STRATEGIES.iter().find(|entry| entry.entry.id == chosen.id);
    let needs = chosen.and_then(|chosen| Some((entry(&chosen)?.needs)(&chosen.params).topic));
    let needs = needs.unwrap_or(false);
    needs || Rules::from(&experiment.rules).focus.holds(needs)
}

/// Another world of the same kind: the same parameters with another random seed.
fn another(source: &WorldSource) -> Option<World> {
    let WorldSource::Made(chosen) = source else { return None };
    let mut other = chosen.clone();
    // Worlds of figures are not random, so there is no other one.
    let Some(ParamValue::Number(rng)) = other.params.get("rng") else { return None };
    let rng = (*rng as u32).wrapping_add(ANOTHER);
    other.params.set_number("rng", rng.into());
    Run::generate(&other).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    /// Runs an experiment to its end.
    fn run(link: &str) -> Run {
        let catalogue = crate::catalogue();
        let experiment = Experiment::from_link(link, &catalogue).expect("a good link");
        assert_eq!(experiment.to_link(), link, "what is written is what was read");
        let world = Run::make_world(&experiment.world).expect("a world");
        let mut run = Run::new(experiment, Arc::new(world), &catalogue).expect("a good experiment");
        for at in 0..run.lanes.len() {
            let (lane, setting) = run.lane(at).expect("a lane");
            let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        }
        run
    }

    #[test]
    fn pages_of_a_shop_are_judged_as_they_are_labelled() {
        for goods in ["phones", "cameras", "laptops"] {
            let link = format!("#v=1&world=shop&topic=label(of:'{goods}')&run=breadth-first");
            let run = run(&link.replace("(of:'phones')", ""));
            let truth = run.topic.as_ref().and_then(|s| s.truth.clone()).expect("labels");
            let book = run.lanes[0].travel().now().session().book();
            let (mut right, mut n, mut found, mut n_targets) = (0, 0, 0, 0);
            for url in book.order() {
                let page = book.page(*url);
                let Some(judgement) =
                    book.judgement(*url).filter(|_| run.world.status(page) == 200)
                else {
                    continue;
                };
                let (is_relevant, is_target) =
                    (truth.is_relevant[page.index()], truth.is_target[page.index()]);
                n += 1;
                right += u32::from(judgement.is_on_topic == is_relevant);
                n_targets += u32::from(is_target);
                found += u32::from(is_target && judgement.is_result);
            }
            assert!(f64::from(right) > 0.95 * f64::from(n), "{right} of {n}");
            assert!(f64::from(found) > 0.9 * f64::from(n_targets), "{found} of {n_targets}");
        }
    }

    #[test]
    fn the_focused_loop_follows_only_pages_on_the_topic() {
        let run = run("#v=1&world=shop&topic=label&run=breadth-first&focus=all");
        let session = run.lanes[0].travel().now().session();
        let known = session.known(&*run.world);
        for url in known.order() {
            let Some(parent) = known.parent(*url) else { continue };
            let judgement = known.judgement(parent).expect("every page is judged");
            let is_followed = judgement.is_on_topic && !judgement.is_result;
            assert!(is_followed || known.is_seed(parent), "{}", known.url(*url));
        }
        let refused = session.counters().refused;
        let unfollowed = refused[crawl_core::Refusal::Focus as usize];
        assert!(unfollowed > 100 && known.n_fetched() > 100, "{unfollowed}, {}", known.n_fetched());
        assert_eq!(refused.iter().sum::<u32>() + known.n_fetched(), known.n_discovered());
    }
}
