//! Batches: the K pages with the highest scores at that time, within the limits per site.

use crate::{cases, random_rules, random_world};
use crawl_core::{Rules, Session, UrlId, rounded};
use crawl_tests::driver::{AdversarialHost, Event};
use crawl_tests::variants::strategy_variants;
use crawl_world::{Rng, SiteId, World};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The expected batch: by decreasing score, skipping pages beyond the limits.
fn expected(
    session: &Session,
    world: &World,
    starts_by_site: &BTreeMap<SiteId, u32>,
) -> Vec<(UrlId, f64)> {
    let rules = session.rules();
    let known = session.known(world);
    let mut waiting: Vec<(UrlId, f64)> =
        session.frontier().waiting().map(|url| (url, session.score(url))).collect();
    waiting.sort_by(|a, b| rounded(b.1).total_cmp(&rounded(a.1)).then(a.0.cmp(&b.0)));
    let left = rules.budget.map_or(u32::MAX, |b| b - session.counters().started);
    let mut starts = starts_by_site.clone();
    let mut in_batch: BTreeMap<SiteId, u32> = BTreeMap::new();
    let mut chosen = Vec::new();
    for (url, score) in waiting {
        if chosen.len() as u32 == rules.batch.min(left) {
            break;
        }
        if let Some(site) = known.site(url) {
            let is_new = !starts.contains_key(&site);
            let of_site = starts.get(&site).copied().unwrap_or(0);
            let of_batch = in_batch.get(&site).copied().unwrap_or(0);
            if rules.pages_per_site.is_some_and(|most| of_site >= most)
                || rules.batch_per_site.is_some_and(|most| of_batch >= most)
                || is_new && rules.sites.is_some_and(|most| starts.len() as u32 >= most)
            {
                continue;
            }
            starts.insert(site, of_site + 1);
            in_batch.insert(site, of_batch + 1);
        }
        chosen.push((url, score));
    }
    chosen
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_batch_is_the_best_at_its_time(
        n_pages in 1_usize..60,
        seed in any::<u64>(),
        batch in 2_u32..9,
    ) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = Rules { batch, ..random_rules(seed) };
        for variant in strategy_variants() {
            let mut session = variant.session(&world, &sketch.seeds(), &rules);
            let mut host = AdversarialHost::new(Rng::new(seed, "host"));
            let mut starts_by_site = BTreeMap::new();
            let mut batch = Vec::new();
            loop {
                if batch.is_empty() && host.under_way() == 0 {
                    batch = expected(&session, &world, &starts_by_site);
                }
                let Some(event) = host.event(&mut session, &world) else { break };
                let Event::Started(fetch, _) = event else { continue };
                let place = batch.iter().position(|(url, _)| *url == fetch.url);
                prop_assert!(
                    place.is_some(),
                    "{}: {:?} is not of the batch {:?}", variant.name(), fetch.url, batch
                );
                batch.remove(place.unwrap_or_default());
                if let Some(site) = session.known(&world).site(fetch.url) {
                    *starts_by_site.entry(site).or_default() += 1;
                }
            }
            prop_assert!(batch.is_empty(), "{}: {:?} were left", variant.name(), batch);
        }
    }

    /// With one fetcher and no delay, a batch is fetched by decreasing score, and each page has the
    /// score it was chosen with.
    #[test]
    fn a_batch_is_fetched_best_first(n_pages in 1_usize..60, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = Rules { batch: 5, robots: false, ..Rules::default() };
        for variant in strategy_variants() {
            let mut session = variant.session(&world, &sketch.seeds(), &rules);
            let mut now_us = 0;
            loop {
                let batch = expected(&session, &world, &BTreeMap::new());
                if batch.is_empty() {
                    break;
                }
                for (url, score) in batch {
                    let step = crawl_tests::driver::step(&mut session, &world, &mut now_us);
                    let fetched = step.map(|s| (s.fetch.url, s.score.to_bits()));
                    prop_assert_eq!(fetched, Some((url, score.to_bits())), "{}", variant.name());
                }
            }
        }
    }
}
