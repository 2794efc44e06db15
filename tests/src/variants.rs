//! Strategies for tests: every registry entry, with default and with other parameters.

use crate::sketch::{Richness, Sketch};
use crate::worlds;
use crawl_catalogue::{Catalogue, Chosen, Entry, Kind, Param, ParamKind};
use crawl_core::ranker::{self, Graph};
use crawl_core::strategy::{self, Needs, Strategy, StrategyContext, StrategyEntry};
use crawl_core::topic::{self, Topic, TopicInputs, TopicTruth};
use crawl_core::{Focus, Past, Rules, Session, SessionInputs, Truth};
use crawl_world::{PageId, Rng, World};
use std::sync::{Arc, OnceLock};

/// A strategy with parameters.
#[derive(Clone)]
pub struct StrategyVariant {
    /// Its registry entry.
    pub entry: &'static StrategyEntry,
    /// Its id and parameters.
    pub chosen: Chosen,
}

/// Every strategy with its defaults, and with each parameter changed.
pub fn strategy_variants() -> Vec<StrategyVariant> {
    let catalogue = crawl_run::catalogue();
    let mut strategy_variants = Vec::new();
    for entry in strategy::STRATEGIES.iter().copied() {
        for chosen in variants(&catalogue, Kind::Strategy, &entry.entry) {
            strategy_variants.push(StrategyVariant { entry, chosen });
        }
    }
    strategy_variants
}

/// The strategy of a spec.
///
/// # Panics
/// If the spec is invalid.
pub fn strategy_variant(spec: &str) -> StrategyVariant {
    let chosen = crawl_run::catalogue().choose(Kind::Strategy, spec).expect("a valid spec");
    let entry = strategy::find(&chosen.id).expect("a registered strategy");
    StrategyVariant { entry, chosen }
}

impl StrategyVariant {
    /// Its name in messages.
    pub fn name(&self) -> String {
        self.chosen.to_string()
    }

    /// The inputs it needs.
    pub fn needs(&self) -> Needs {
        (self.entry.needs)(&self.chosen.params)
    }

    /// Its context for a crawl of a world from these seeds: data of earlier crawls, and a topic
    /// learned from another world.
    pub fn given(&self, world: &World, seeds: &[PageId]) -> StrategyContext {
        let past = |spec| Arc::new(Past::new(spec, world, seeds));
        StrategyContext {
            rng: 7,
            budget: None,
            pasts: self.needs().pasts.into_iter().map(past).collect(),
            topic: Some(topic(world)),
        }
    }

    /// Builds the strategy for a run.
    pub fn build(&self, given: &StrategyContext) -> Box<dyn Strategy> {
        (self.entry.build)(&self.chosen.params, given)
    }

    /// The inputs of its session: true ranks, and a topic if the strategy or a rule needs one.
    pub fn inputs(&self, world: &World, rules: &Rules, given: &StrategyContext) -> SessionInputs {
        let needs = self.needs();
        let is_judged = needs.topic || rules.focus == Focus::All;
        let judge = given.topic.clone().filter(|_| is_judged);
        SessionInputs {
            truth: self.truth(world),
            is_focused: judge.is_some() && rules.focus.holds(needs.topic),
            judge: judge.map(|topic| topic as Arc<_>),
            ..SessionInputs::default()
        }
    }

    /// The true values it needs, for a world.
    pub fn truth(&self, world: &World) -> Option<Arc<Truth>> {
        let catalogue = crawl_run::catalogue();
        let choose = |spec: String| catalogue.choose(Kind::Ranker, &spec).expect("a ranker");
        self.needs().truth.map(|spec| Arc::new(truth(world, &choose(spec))))
    }

    /// A session of this strategy, before its first step.
    pub fn session(&self, world: &World, seeds: &[PageId], rules: &Rules) -> Session {
        let given = self.given(world, seeds);
        let inputs = self.inputs(world, rules, &given);
        Session::new(world, seeds, self.build(&given), rules.clone(), inputs)
    }
}

/// Topic labels of tests: of shops, and of random worlds.
const LABELS: [&str; 2] = ["phones", "phone"];

fn has_label(world: &World, label: &str) -> bool {
    world.pages().any(|page| world.has_topic(page, label))
}

/// The topic label for crawls of a world.
fn label(world: &World) -> &'static str {
    if has_label(world, LABELS[0]) { LABELS[0] } else { LABELS[1] }
}

/// The topic for crawls of a world.
///
/// Learned from another world that no test crawls, so it contains nothing of `world` but its kind.
pub fn topic(world: &World) -> Arc<Topic> {
    static OF_SHOPS: OnceLock<Arc<Topic>> = OnceLock::new();
    static OF_SKETCHES: OnceLock<Arc<Topic>> = OnceLock::new();
    if label(world) == LABELS[0] {
        let shop = || worlds::world("shop(pages:600,rng:90001)");
        return OF_SHOPS.get_or_init(|| Arc::new(learnt(LABELS[0], &shop()))).clone();
    }
    let sketch =
        || Sketch::random(&mut Rng::new(90_001, "samples"), 300, Richness::Everything).world();
    OF_SKETCHES.get_or_init(|| Arc::new(learnt(LABELS[1], &sketch()))).clone()
}

/// Learns the topic of a label from a world.
fn learnt(label: &str, world: &World) -> Topic {
    let (entry, chosen) = topic_of(&format!("label(of:{label},train:same)"));
    let ground = TopicInputs { world, seeds: &[], rng: 1, another: &|| None };
    (entry.learn)(&chosen.params, &ground).expect("pages with that label")
}

fn topic_of(spec: &str) -> (&'static topic::TopicEntry, Chosen) {
    let chosen = crawl_run::catalogue().choose(Kind::Topic, spec).expect("a valid spec");
    (topic::find(&chosen.id).expect("a registered kind of topic"), chosen)
}

/// The true topic labels of a world; `None` if it has none.
pub fn topic_truth(world: &World) -> Option<TopicTruth> {
    let (entry, chosen) = topic_of(&format!("label(of:{})", label(world)));
    (entry.truth)(&chosen.params, world)
}

/// True values by a ranker or by topic labels; all 0 if the world has no such label.
///
/// # Panics
/// If the ranker is not registered.
pub fn truth(world: &World, chosen: &Chosen) -> Truth {
    if chosen.id == ranker::TOPIC.id {
        let nothing = || vec![0.0; world.n_pages() as usize];
        let ranks = topic_truth(world).map_or_else(nothing, |truth| truth.ranks());
        return Truth { ranker: chosen.to_string(), ranks };
    }
    let ranker = ranker::ranker(chosen).expect("a registered ranker");
    Truth { ranker: chosen.to_string(), ranks: ranker.rank(&Graph::of(world)).values }
}

/// An entry with its defaults, then with each parameter changed.
///
/// A switch is toggled, a choice takes each other value, a number both ends of its range, an entry
/// each other entry. If two numbers must not cross, the other one is changed too.
///
/// # Panics
/// If the catalogue rejects values that its own entry declares.
pub fn variants(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> Vec<Chosen> {
    let mut specs = vec![entry.id.to_string()];
    for param in entry.params.iter() {
        let others = other_values(catalogue, param).into_iter();
        specs.extend(others.map(|value| {
            let mut pairs = vec![format!("{}:{value}", param.key)];
            pairs.extend(crossed(entry, param, &value).map(|key| format!("{key}:{value}")));
            format!("{}({})", entry.id, pairs.join(","))
        }));
    }
    let choose = |spec: &String| match catalogue.choose(kind, spec) {
        Ok(chosen) => chosen,
        Err(error) => panic!("{spec}: {error}"),
    };
    specs.iter().map(choose).collect()
}

/// The parameter whose default would be crossed by `value`, if they must not cross.
fn crossed<'a>(entry: &'a Entry, param: &Param, value: &str) -> Option<&'a str> {
    let value: f64 = value.parse().ok()?;
    let default = |param: &Param| match param.kind {
        ParamKind::Number { default, .. } => Some(default),
        _ => None,
    };
    let is_crossed = |other: &&Param| {
        let below = param.not_below.as_ref() == Some(&other.key);
        let above = other.not_below.as_ref() == Some(&param.key);
        default(other).is_some_and(|other| below && value < other || above && value > other)
    };
    entry.params.iter().find(is_crossed).map(|other| other.key.as_ref())
}

/// Values of a parameter besides its default.
fn other_values(catalogue: &Catalogue, param: &Param) -> Vec<String> {
    let values: Vec<String> = match &param.kind {
        ParamKind::Number { min, max, .. } => vec![min.to_string(), max.to_string()],
        ParamKind::Choice { options, .. } => options.iter().map(ToString::to_string).collect(),
        ParamKind::Flag { .. } => vec!["true".to_owned(), "false".to_owned()],
        ParamKind::Vector { default, min, max } => {
            [min, max].map(|end| vec![end.to_string(); default.len()].join(";")).to_vec()
        }
        ParamKind::Text { .. } => vec!["'a text'".to_owned()],
        // Uses all variables at once.
        ParamKind::Formula { variables, .. } => {
            let names: Vec<&str> = variables.iter().map(|word| word.name.as_ref()).collect();
            vec![format!("'{}'", names.join(" + "))]
        }
        ParamKind::Entry { kind, .. } => catalogue.of(*kind).map(|e| e.id.to_string()).collect(),
    };
    let default = param.kind.default_text();
    values.into_iter().filter(|v| *v != default).collect()
}
