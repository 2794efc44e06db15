//! Repair of broken links: keep valid parts, use defaults for the rest.

use super::FIRST;
use crawl_catalogue::{Catalogue, split_outside};
use crawl_protocol::Experiment;

/// Maximum number of parts examined.
const MAX_PARTS: usize = 64;

/// The link without its invalid parts; `None` if no part is valid.
pub fn repair(link: &str, catalogue: &Catalogue) -> Option<String> {
    let fragment = link.split_once('#').map_or(link, |(_, after)| after);
    let first = FIRST.trim_start_matches('#');
    let part = |text: &str, key: &str| {
        let parts = split_outside(text, '&').into_iter().take(MAX_PARTS);
        parts.map(str::to_owned).find(|p| p.split_once('=').is_some_and(|(k, _)| k == key))
    };
    let opens = |link: &str| Experiment::from_link(link, catalogue).is_ok();
    let default = |key: &str| part(first, key).unwrap_or_default();
    // The world alone, with the first visit's strategies.
    let own = part(fragment, "world");
    let own = own.filter(|own| opens(&format!("#v=1&{own}&{}", default("run"))));
    let mut any = own.is_some();
    let world = own.unwrap_or_else(|| default("world"));
    // Valid strategies, each tested alone.
    let run = part(fragment, "run").unwrap_or_default();
    let alone = |own: &&str| opens(&format!("#v=1&{world}&run={own}"));
    let runs = run.strip_prefix("run=").map(|runs| split_outside(runs, ',')).unwrap_or_default();
    let runs: Vec<&str> = runs.into_iter().take(MAX_PARTS).filter(alone).collect();
    any |= !runs.is_empty();
    let run = if runs.is_empty() { default("run") } else { format!("run={}", runs.join(",")) };
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
