//! Small worlds of the registry.

use crawl_catalogue::{Chosen, Entry, Kind, ParamKind};
use crawl_protocol::WorldSource;
use crawl_run::Run;
use crawl_world::World;
use crawl_world::generate::WORLDS;

/// The size parameter of worlds that have one.
const SIZE: &str = "pages";

/// Every registered world at its smallest size, with its spec, and with each choice and switch
/// changed.
pub fn small_worlds() -> Vec<(String, World)> {
    let specs = WORLDS.iter().flat_map(|world| small_specs(&world.entry));
    specs.map(|spec| (spec.clone(), world(&spec))).collect()
}

/// The specs of a world at its smallest size.
pub fn small_specs(entry: &Entry) -> Vec<String> {
    let size = match entry.param(SIZE).map(|param| &param.kind) {
        Some(ParamKind::Number { min, .. }) => Some(format!("{SIZE}:{min}")),
        _ => None,
    };
    let mut changes = vec![None];
    for param in entry.params.iter() {
        let others: Vec<String> = match &param.kind {
            ParamKind::Choice { options, .. } => options.iter().map(ToString::to_string).collect(),
            ParamKind::Flag { .. } => vec!["true".to_owned(), "false".to_owned()],
            _ => Vec::new(),
        };
        let default = param.kind.default_text();
        let others = others.into_iter().filter(|value| *value != default);
        changes.extend(others.map(|value| Some(format!("{}:{value}", param.key))));
    }
    let spec = |change: Option<String>| {
        let args: Vec<String> = size.iter().cloned().chain(change).collect();
        match args.as_slice() {
            [] => entry.id.to_string(),
            args => format!("{}({})", entry.id, args.join(",")),
        }
    };
    changes.into_iter().map(spec).collect()
}

/// The world of a spec.
///
/// # Panics
/// If the spec is invalid.
pub fn world(spec: &str) -> World {
    let chosen = crawl_run::catalogue().choose(Kind::World, spec);
    made(chosen.expect("a valid spec"))
}

/// The world of a checked spec.
///
/// # Panics
/// If it cannot be generated.
pub fn made(chosen: Chosen) -> World {
    Run::make_world(&WorldSource::Made(chosen)).expect("valid parameters make a world")
}
