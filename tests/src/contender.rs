//! Every registry entry, with its default parameters and with others.

use crawl_catalogue::{Catalogue, Chosen, Entry, Kind, Param, ParamKind};
use crawl_core::ranker::{self, Graph};
use crawl_core::strategy::{self, Given, Needs, Strategy, StrategyEntry};
use crawl_core::{Past, Rules, Session, Truth};
use crawl_world::{PageId, World};
use std::sync::Arc;

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

    /// Made for a run with that seed of chance, by a crawler that kept this of earlier crawls.
    pub fn build(&self, rng: u64, pasts: Vec<Arc<Past>>) -> Box<dyn Strategy> {
        (self.entry.build)(&self.chosen.params, &Given { rng, pasts, ..Given::default() })
    }

    /// The earlier crawls it asks for, of a world from these seeds.
    pub fn pasts(&self, world: &World, seeds: &[PageId]) -> Vec<Arc<Past>> {
        let past = |spec| Arc::new(Past::new(spec, world, seeds));
        self.needs().pasts.into_iter().map(past).collect()
    }

    /// The truth it asks for, on a world.
    pub fn truth(&self, world: &World) -> Option<Arc<Truth>> {
        let catalogue = crawl_run::catalogue();
        let choose = |spec: String| catalogue.choose(Kind::Ranker, &spec).expect("a ranker");
        self.needs().truth.map(|spec| Arc::new(truth(world, &choose(spec))))
    }

    /// A session with what it needs, about to start.
    pub fn session(&self, world: &World, seeds: &[PageId], rules: &Rules) -> Session {
        let (truth, pasts) = (self.truth(world), self.pasts(world, seeds));
        Session::new(world, seeds, self.build(7, pasts), rules.clone(), truth)
    }
}

/// True ranks by a ranker.
///
/// # Panics
/// If it is not registered.
pub fn truth(world: &World, chosen: &Chosen) -> Truth {
    let ranker = ranker::ranker(chosen).expect("a registered ranker");
    Truth { ranker: chosen.to_string(), ranks: ranker.rank(&Graph::of(world)).values }
}

/// An entry with its defaults, then with one parameter after the other changed: a switch turned, a
/// choice to each other word, a number to both ends of its range, an entry to each other entry.
///
/// # Panics
/// If the catalogue refuses what its own entry declares.
pub fn variants(catalogue: &Catalogue, kind: Kind, entry: &Entry) -> Vec<Chosen> {
    let mut specs = vec![entry.id.to_string()];
    for param in entry.params.iter() {
        let others = other_values(catalogue, param).into_iter();
        specs.extend(others.map(|value| format!("{}({}:{value})", entry.id, param.key)));
    }
    let choose = |spec: &String| match catalogue.choose(kind, spec) {
        Ok(chosen) => chosen,
        Err(error) => panic!("{spec}: {error}"),
    };
    specs.iter().map(choose).collect()
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
