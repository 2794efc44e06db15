//! Page search and seed selection.

use super::{Action, Change, Effect, State};
use crawl_protocol::{Seeds, world};
use std::rc::Rc;

/// Maximum number of search results.
const FOUND: u32 = 50;

impl State {
    pub(super) fn find(&mut self, looked_for: String) -> Vec<Effect> {
        let task = self.task();
        self.wanted.find = task;
        let find = world::Command::Find { task, text: looked_for.clone(), limit: FOUND };
        let found = Rc::make_mut(&mut self.found);
        found.text = looked_for;
        vec![Effect::World(find)]
    }

    pub(super) fn toggle_seed(&mut self, url: &str) -> Vec<Effect> {
        let Some(experiment) = &self.experiment else { return Vec::new() };
        let present = self.bounds.iter().flat_map(|bounds| &bounds.seeds);
        let mut present = present.map(|seed| seed.url.clone());
        // The first chosen seed replaces the default seeds; clicking a default seed removes it.
        let mut seeds = match &experiment.seeds {
            Seeds::Urls(urls) => urls.clone(),
            _ if present.clone().any(|seed| seed == url) => present.by_ref().collect(),
            _ => Vec::new(),
        };
        match seeds.iter().position(|seed| seed == url) {
            Some(at) => {
                seeds.remove(at);
            }
            None => seeds.push(url.to_owned()),
        }
        self.apply(Action::Change(Change::Seeds(Seeds::urls(seeds))))
    }
}
