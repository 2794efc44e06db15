//! The registry of targets: one file each, one line in [`TARGETS`].

mod address;
mod adjacency_text;
mod change_history;
mod charset;
mod crawl;
mod edge_list;
mod experiment;
mod flat;
mod formula;
mod html;
mod import_any;
mod json_lines;
mod labels;
mod lane_worker;
mod link;
mod messages;
mod packed;
mod ranker;
mod refresh;
mod robots;
mod spec;
mod timeline;
mod warc;
mod words;
mod world_worker;

/// A target in the registry.
pub struct Target {
    /// Its name: of the libFuzzer program, the folders and the dictionary.
    pub name: &'static str,
    /// What it feeds, and what must hold.
    pub note: &'static str,
    /// Tries one input; panics where a promise is broken.
    pub run: fn(&[u8]),
    /// Seeds made by the present code, for formats that change with every build.
    pub made_seeds: fn() -> Vec<Vec<u8>>,
    /// How many mutations the test tries: about a second of work.
    pub n_mutations: u32,
}

/// Every target, by name.
pub const TARGETS: &[&Target] = &[
    &address::TARGET,
    &adjacency_text::TARGET,
    &change_history::TARGET,
    &charset::TARGET,
    &crawl::TARGET,
    &edge_list::TARGET,
    &experiment::TARGET,
    &flat::TARGET,
    &formula::TARGET,
    &html::TARGET,
    &import_any::TARGET,
    &json_lines::TARGET,
    &labels::TARGET,
    &lane_worker::TARGET,
    &link::TARGET,
    &messages::TARGET,
    &packed::TARGET,
    &ranker::TARGET,
    &refresh::TARGET,
    &robots::TARGET,
    &spec::TARGET,
    &timeline::TARGET,
    &warc::TARGET,
    &words::TARGET,
    &world_worker::TARGET,
];

/// The target of that name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// For targets whose seeds are all files.
fn no_made_seeds() -> Vec<Vec<u8>> {
    Vec::new()
}
