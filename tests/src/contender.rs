//! Every registry entry, with its default parameters and with others.

use crate::sketch::{Richness, Sketch};
use crate::worlds;
use crawl_catalogue::{Catalogue, Chosen, Entry, Kind, Param, ParamKind};
use crawl_core::ranker::{self, Graph};
use crawl_core::strategy::{self, Given, Needs, Strategy, StrategyEntry};
use crawl_core::topic::{self, Ground, Topic, TopicTruth};
use crawl_core::{Aids, Focus, Past, Rules, Session, Truth};
use crawl_world::{PageId, Rng, World};
use std::sync::{Arc, OnceLock};

/// An ordering with parameters.
#[derive(Clone)]
pub struct Contender {
    /// Its entry.
    pub entry: &'static StrategyEntry,
    /// The entry and its parameters by name.
    pub chosen: Chosen,
}

/// Every ordering with its defaults, and with each parameter changed.
pub fn contenders() -> Vec<Contender> {
    let catalogue = crawl_run::catalogue();
    let mut contenders = Vec::new();
    for entry in strategy::STRATEGIES.iter().copied() {
        for chosen in variants(&catalogue, Kind::Strategy, &entry.entry) {
            contenders.push(Contender { entry, chosen });
        }
    }
    contenders
}

/// The ordering of a spec.
///
/// # Panics
/// If there is none.
pub fn contender(spec: &str) -> Contender {
    let chosen = crawl_run::catalogue().choose(Kind::Strategy, spec).expect("a valid spec");
    let entry = strategy::find(&chosen.id).expect("a registered strategy");
    Contender { entry, chosen }
}

impl Contender {
    /// Its name in messages.
    pub fn name(&self) -> String {
        self.chosen.to_string()
    }

    /// What it must be given beyond what a crawler knows.
    pub fn needs(&self) -> Needs {
        (self.entry.needs)(&self.chosen.params)
    }

    /// What it is given before the crawl of a world from these seeds: what was kept of earlier
    /// crawls, and a topic learnt elsewhere.
    pub fn given(&self, world: &World, seeds: &[PageId]) -> Given {
        let past = |spec| Arc::new(Past::new(spec, world, seeds));
        Given {
            rng: 7,
            budget: None,
            pasts: self.needs().pasts.into_iter().map(past).collect(),
            topic: Some(topic(world)),
        }
    }

    /// Made for a run.
    pub fn build(&self, given: &Given) -> Box<dyn Strategy> {
        (self.entry.build)(&self.chosen.params, given)
    }

    /// What its crawl is given: true ranks, and who judges pages where it or a rule asks for that.
    pub fn aids(&self, world: &World, rules: &Rules, given: &Given) -> Aids {
        let needs = self.needs();
        let is_judged = needs.topic || rules.focus == Focus::All;
        let judge = given.topic.clone().filter(|_| is_judged);
        Aids {
            truth: self.truth(world),
            is_focused: judge.is_some() && rules.focus.holds(needs.topic),
            judge: judge.map(|topic| topic as Arc<_>),
            ..Aids::default()
        }
    }

    /// The truth it asks for, on a world.
    pub fn truth(&self, world: &World) -> Option<Arc<Truth>> {
        let catalogue = crawl_run::catalogue();
        let choose = |spec: String| catalogue.choose(Kind::Ranker, &spec).expect("a ranker");
        self.needs().truth.map(|spec| Arc::new(truth(world, &choose(spec))))
    }

    /// A session with what it needs, about to start.
    pub fn session(&self, world: &World, seeds: &[PageId], rules: &Rules) -> Session {
        let given = self.given(world, seeds);
        let aids = self.aids(world, rules, &given);
        Session::new(world, seeds, self.build(&given), rules.clone(), aids)
    }
}

/// The labels that topics of tests are made of: of shops, and of worlds drawn by lot.
const LABELS: [&str; 2] = ["phones", "phone"];

fn has_label(world: &World, label: &str) -> bool {
    world.pages().any(|page| world.has_topic(page, label))
}

/// The label that crawls of a world look for.
fn label(world: &World) -> &'static str {
    if has_label(world, LABELS[0]) { LABELS[0] } else { LABELS[1] }
}

/// What crawls of a world look for. It is learnt from another web, which no test crawls, so that
/// nothing of the world itself goes into it but of which kind it is.
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

/// The topic of a label, learnt from a world.
fn learnt(label: &str, world: &World) -> Topic {
    let (entry, chosen) = topic_of(&format!("label(of:{label},train:same)"));
    let ground = Ground { world, seeds: &[], rng: 1, another: &|| None };
    (entry.learn)(&chosen.params, &ground).expect("pages with that label")
}

fn topic_of(spec: &str) -> (&'static topic::TopicEntry, Chosen) {
    let chosen = crawl_run::catalogue().choose(Kind::Topic, spec).expect("a valid spec");
    (topic::find(&chosen.id).expect("a registered kind of topic"), chosen)
}

/// What the labels of a world say of what crawls look for; nothing where it has none.
pub fn topic_truth(world: &World) -> Option<TopicTruth> {
    let (entry, chosen) = topic_of(&format!("label(of:{})", label(world)));
    (entry.truth)(&chosen.params, world)
}

/// True ranks by a ranker, or what is true of the topic; where no label says so, nothing is worth
/// anything.
///
/// # Panics
/// If it is not registered.
pub fn truth(world: &World, chosen: &Chosen) -> Truth {
    if chosen.id == ranker::TOPIC.id {
        let nothing = || vec![0.0; world.n_pages() as usize];
        let ranks = topic_truth(world).map_or_else(nothing, |truth| truth.ranks());
        return Truth { ranker: chosen.to_string(), ranks };
    }
    let ranker = ranker::ranker(chosen).expect("a registered ranker");
    Truth { ranker: chosen.to_string(), ranks: ranker.rank(&Graph::of(world)).values }
}

/// An entry with its defaults, then with one parameter after the other changed: a switch turned, a
/// choice to each other word, a number to both ends of its range, an entry to each other entry. Of two
/// numbers that must not cross, the other goes along where it has to.
///
/// # Panics
/// If the catalogue refuses what its own entry declares.
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

/// The parameter whose default a value of another one crosses, where they must not.
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
        // All that can be known at once.
        ParamKind::Formula { variables, .. } => {
            let names: Vec<&str> = variables.iter().map(|word| word.name.as_ref()).collect();
            vec![format!("'{}'", names.join(" + "))]
        }
        ParamKind::Entry { kind, .. } => catalogue.of(*kind).map(|e| e.id.to_string()).collect(),
    };
    let default = param.kind.default_text();
    values.into_iter().filter(|v| *v != default).collect()
}
