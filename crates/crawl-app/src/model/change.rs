//! Changes of the experiment, and the runs they restart.

use super::{Change, Effect, History, LaneState, MAX_LANES, State, World, revisit};
use crawl_catalogue::{Catalogue, Chosen, Kind, ParamValue, Params, Spec};
use crawl_protocol::{Axis, Experiment, Seeds, WorldSource, lane, world};
use crawl_text::app::text;
use crawl_text::fill;
use std::rc::Rc;

impl State {
    /// Applies a change, or returns why it is invalid.
    pub(super) fn change(&mut self, change: Change) -> Result<Vec<Effect>, String> {
        let is_strategy = matches!(change, Change::AddStrategy(_) | Change::SetStrategy(..));
        let is_topic =
            matches!(change, Change::Topic(_) | Change::TopicParam(..) | Change::Mark(..));
        let mut next = self.changed(change)?;
        if is_strategy {
            self.choose_topic(&mut next);
        } else if is_topic {
            self.topic_for = None;
        }
        Ok(self.open_checked(next, History::Push, None))
    }

    /// The experiment after a change.
    pub(super) fn changed(&self, change: Change) -> Result<Experiment, String> {
        let catalogue = self.catalogue.clone().ok_or_else(String::new)?;
        let mut next = Experiment::clone(self.experiment.as_ref().ok_or_else(String::new)?);
        let strategy =
            |spec: &str| catalogue.choose(Kind::Strategy, spec).map_err(|error| error.to_string());
        match change {
            Change::World(source) => set_world(&mut next, source),
            Change::Made(spec) => {
                let chosen = catalogue.choose(Kind::World, &spec).map_err(|e| e.to_string())?;
                set_world(&mut next, WorldSource::Made(chosen));
            }
            Change::WorldParam(key, value) => {
                let WorldSource::Made(chosen) = &next.world else { return Err(String::new()) };
                let chosen = with_param(&catalogue, chosen, &key, &value)?;
                set_world(&mut next, WorldSource::Made(chosen));
            }
            Change::AddStrategy(spec) if next.strategies.len() < MAX_LANES => {
                next.strategies.push(strategy(&spec)?);
                revisit::follow_lanes(&mut next, None);
            }
            Change::AddStrategy(_) => {}
            Change::SetStrategy(at, spec) => {
                if let Some(place) = next.strategies.get_mut(at) {
                    *place = strategy(&spec)?;
                }
            }
            Change::StrategyParam(at, key, value) => {
                if let Some(place) = next.strategies.get_mut(at) {
                    *place = with_param(&catalogue, place, &key, &value)?;
                }
            }
            Change::RemoveStrategy(at) => {
                if at < next.strategies.len() && next.strategies.len() > 1 {
                    next.strategies.remove(at);
                    revisit::follow_lanes(&mut next, Some(at));
                    next.view.marks = next.view.all_marks();
                    next.view.marks.remove(at);
                    next.view.marks.truncate(next.strategies.len());
                    next.view.graph = match next.view.graph {
                        Some(lane) if lane as usize == at => None,
                        Some(lane) if lane as usize > at => Some(lane - 1),
                        other => other,
                    };
                }
            }
            Change::Rule(key, value) => {
                next.rules = with_rule(&catalogue, &next.rules, &key, &value)?;
            }
            Change::Revisit(..)
            | Change::RevisitParam(..)
            | Change::RevisitEach(_)
            | Change::Balance(_) => revisit::change(&mut next, &catalogue, change)?,
            Change::Seeds(seeds) => next.seeds = seeds,
            Change::Top(ranker, k) => {
                let n_pages = self.summary().map_or(Seeds::MAX_TOP, |summary| summary.n_pages);
                let most = n_pages.min(Seeds::MAX_TOP);
                if k > most {
                    return Err(fill(text().too_many_starts, &[("most", &most.to_string())]));
                }
                let k = k.max(1);
                next.seeds = if ranker == Seeds::OWN {
                    Seeds::TopOwn { k }
                } else {
                    let ranker = catalogue.choose(Kind::Ranker, &ranker);
                    Seeds::Top { ranker: ranker.map_err(|e| e.to_string())?, k }
                };
            }
            Change::Rng(rng) => next.rng = rng.min(Experiment::MAX_RNG),
            Change::Topic(id) if id.is_empty() => next.topic = None,
            Change::Topic(id) => next.topic = Some(self.topic_called(&catalogue, &id)?),
            Change::TopicParam(key, value) => {
                let topic = next.topic.as_ref().ok_or_else(String::new)?;
                next.topic = Some(with_param(&catalogue, topic, &key, &value)?);
            }
            Change::Mark(key, url) => {
                let topic = next.topic.as_ref().ok_or_else(String::new)?;
                next.topic = Some(super::topic::marked(&catalogue, topic, &key, &url)?);
            }
        }
        next.digests.clear();
        next.at = None;
        Ok(next)
    }

    /// Makes an experiment the open one and starts the runs that differ.
    pub(super) fn install(&mut self, mut next: Experiment, history: History) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.keep_to_lanes(&mut next);
        let old = self.experiment.take();
        let same_world = old.as_ref().is_some_and(|old| same_source(&old.world, &next.world))
            && matches!(self.world, World::Ready(_));
        let same_topic = old.as_ref().is_some_and(|old| old.topic == next.topic);
        let same_setting = same_world
            && old.as_ref().is_some_and(|old| {
                old.seeds == next.seeds && old.rules == next.rules && old.rng == next.rng
            });
        if let Some(at) = next.at {
            // On the axis of seconds its position is known once the step has run.
            self.head.at = if next.view.axis == Axis::Pages { f64::from(at) } else { 0.0 };
            self.pending_step = Some(at);
        }
        let layout_changed =
            old.as_ref().is_some_and(|old| old.view.layout != next.view.layout) && same_world;
        effects.push(Effect::Address(next.to_link(), history));
        if let Some(moment) = next.view.moment.take().filter(|_| next.view.axis == Axis::Seconds) {
            (self.head.at, self.pending_step) = (moment, None);
        }
        effects.push(Effect::Lanes(next.strategies.len()));
        let next = Rc::new(next);
        self.experiment = Some(next.clone());
        self.broken = None;
        self.typed = None;
        self.unchecked = None;
        self.lanes.truncate(next.strategies.len());
        if same_world {
            for (at, strategy) in next.strategies.iter().enumerate() {
                let kept = self.lanes.get(at).is_some_and(|lane| lane.strategy == *strategy);
                let kept = kept && old.as_ref().is_some_and(|o| o.revisit(at) == next.revisit(at));
                if !(kept && same_setting && same_topic) {
                    effects.extend(self.start_lane(at));
                }
            }
            if !same_setting {
                effects.extend(self.ask_bounds());
            }
            if layout_changed {
                effects.extend(self.ask_layout());
            }
        } else {
            self.forget_world();
            let task = self.task();
            (self.wanted.open, self.wanted.picture, self.wanted.layout) = (task, task, task);
            self.world = World::Loading(None);
            let (source, layout) = (next.world.clone(), next.view.layout.clone());
            effects.push(Effect::World(world::Command::Open { task, source, layout }));
        }
        effects
    }

    fn forget_world(&mut self) {
        self.lanes.clear();
        self.picture = None;
        self.layout = None;
        self.bounds = None;
        self.chosen = None;
        self.parted = None;
        self.hovered = None;
        self.urls.clear();
        self.nameless.clear();
        self.packed = super::Packed::Unknown;
        self.found = Rc::default();
        self.choosing_seeds = false;
        self.given = super::GivenFiles::default();
    }

    /// Starts a lane's run.
    pub(super) fn start_lane(&mut self, at: usize) -> Vec<Effect> {
        let task = self.task();
        let (Some(experiment), Some(summary)) = (&self.experiment, self.summary()) else {
            return Vec::new();
        };
        let Some(strategy) = experiment.strategies.get(at) else { return Vec::new() };
        let mut lane = LaneState::new(strategy.clone(), summary.n_pages, task);
        if let Some(old) = self.lanes.get(at) {
            lane.restarts = old.restarts;
            lane.muted = old.muted;
        }
        let run = lane::Command::Run {
            task,
            experiment: Box::new(Experiment::clone(experiment)),
            lane: at as u32,
            opened: self.wanted.open,
        };
        match self.lanes.get_mut(at) {
            Some(place) => *place = lane,
            None => self.lanes.push(lane),
        }
        vec![Effect::ClearLane(at), Effect::Lane(at, run)]
    }

    /// Requests the ideal and random crawls.
    pub(super) fn ask_bounds(&mut self) -> Vec<Effect> {
        let Some(experiment) = self.experiment.clone() else { return Vec::new() };
        let task = self.task();
        self.wanted.bounds = task;
        self.bounds = None;
        vec![Effect::World(world::Command::Bounds {
            task,
            seeds: experiment.seeds.clone(),
            rules: experiment.rules.clone(),
            rng: experiment.rng,
        })]
    }

    /// Requests the layout that the view names.
    pub(super) fn ask_layout(&mut self) -> Vec<Effect> {
        let Some(experiment) = self.experiment.clone() else { return Vec::new() };
        let task = self.task();
        self.wanted.layout = task;
        let layout = experiment.view.layout.clone();
        vec![Effect::World(world::Command::Layout { task, layout })]
    }
}

/// True if two sources are the same world, whether or not the link contains it.
fn same_source(a: &WorldSource, b: &WorldSource) -> bool {
    match (a, b) {
        (WorldSource::File { digest: a, .. }, WorldSource::File { digest: b, .. }) => a == b,
        _ => a == b,
    }
}

/// Sets the world; resets the seeds if it is another world.
fn set_world(experiment: &mut Experiment, source: WorldSource) {
    if !same_source(&experiment.world, &source) {
        experiment.seeds = Seeds::Own;
    }
    experiment.world = source;
}

/// An entry with one parameter changed.
///
/// # Errors
/// If the entry has no such parameter or the value is out of range.
pub fn with_param(
    catalogue: &Catalogue,
    chosen: &Chosen,
    key: &str,
    value: &ParamValue,
) -> Result<Chosen, String> {
    let spec = spec_with(&chosen.id, &chosen.params, key, value)?;
    catalogue.resolve(chosen.kind, &spec).map_err(|error| error.to_string())
}

pub(super) fn with_rule(
    catalogue: &Catalogue,
    rules: &Params,
    key: &str,
    value: &ParamValue,
) -> Result<Params, String> {
    let spec = spec_with("rules", rules, key, value)?;
    catalogue.rules(&spec.args).map_err(|error| error.to_string())
}

fn spec_with(id: &str, params: &Params, key: &str, value: &ParamValue) -> Result<Spec, String> {
    let others = params.iter().filter(|(other, _)| *other != key);
    let parts: Vec<String> =
        others.chain([(key, value)]).map(|(key, value)| format!("{key}:{value}")).collect();
    let spec: Result<Spec, _> = format!("{id}({})", parts.join(",")).parse();
    spec.map_err(|error| error.to_string())
}
