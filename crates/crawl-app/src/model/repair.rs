//! What can still be opened of a broken link: every part that is right, and defaults for the rest.

use super::FIRST;
use crawl_catalogue::{Catalogue, split_outside};
use crawl_protocol::Experiment;

/// Most parts looked at.
const MAX_PARTS: usize = 64;

/// The link without what is wrong in it; nothing when nothing of it is right.
pub fn repair(link: &str, catalogue: &Catalogue) -> Option<String> {
    let fragment = link.split_once('#').map_or(link, |(_, after)| after);
    let first = FIRST.trim_start_matches('#');
    let part = |text: &str, key: &str| {
        let parts = split_outside(text, '&').into_iter().take(MAX_PARTS);
        parts.map(str::to_owned).find(|p| p.split_once('=').is_some_and(|(k, _)| k == key))
    };
    let opens = |link: &str| Experiment::from_link(link, catalogue).is_ok();
    let default = |key: &str| part(first, key).unwrap_or_default();
    let mut any = false;
    // World and strategies, each alone with the other's default.
    let mut pick = |key: &str, with: &dyn Fn(&str) -> String| {
        let own = part(fragment, key).filter(|own| opens(&with(own)));
        any |= own.is_some();
        own.unwrap_or_else(|| default(key))
    };
    let world = pick("world", &|own| format!("#v=1&{own}&{}", default("run")));
    let run = pick("run", &|own| format!("#v=1&{world}&{own}"));
    let mut repaired = format!("#v=1&{world}&{run}");
    for other in split_outside(fragment, '&').into_iter().take(MAX_PARTS) {
        let key = other.split_once('=').map_or(other, |(key, _)| key);
        if !["v", "world", "run"].contains(&key) && !other.is_empty() {
            let longer = format!("{repaired}&{other}");
            if opens(&longer) {
                repaired = longer;
            }
        }
    }
    any.then_some(repaired)
}
