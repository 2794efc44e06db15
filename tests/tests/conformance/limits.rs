//! Rules are never violated: random rules, random worlds, every strategy, and a host that asks too
//! often and completes fetches late and out of order.

use crate::{cases, random_rules, random_world};
use crawl_core::{Fetch, Judge, PageText, Rules};
use crawl_tests::driver::{AdversarialHost, Event};
use crawl_tests::sketch::Sketch;
use crawl_tests::variants::{strategy_variants, topic};
use crawl_world::{PageId, Rng, World, web_address};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Observes a crawl and reports violated rules.
struct Referee<'a> {
    sketch: &'a Sketch,
    world: &'a World,
    rules: &'a Rules,
    /// Whether the links of each page are followed.
    is_followed: Vec<bool>,
    requested: BTreeSet<PageId>,
    /// Fetches in flight.
    open: Vec<PageId>,
    /// Minimum number of clicks to each page along known links that may be followed.
    clicks: BTreeMap<PageId, u32>,
    completed: Vec<PageId>,
    starts_by_site: BTreeMap<String, u32>,
    /// Time of each host's last response.
    answered_us: BTreeMap<String, u64>,
}

impl<'a> Referee<'a> {
    fn new(sketch: &'a Sketch, world: &'a World, rules: &'a Rules, is_topical: bool) -> Self {
        let is_focused = rules.focus.holds(is_topical);
        let follows = |page: usize| !is_focused || is_followed(sketch, world, page);
        let mut referee = Self {
            sketch,
            world,
            rules,
            is_followed: (0..sketch.pages.len()).map(follows).collect(),
            requested: BTreeSet::new(),
            open: Vec::new(),
            clicks: BTreeMap::new(),
            completed: Vec::new(),
            starts_by_site: BTreeMap::new(),
            answered_us: BTreeMap::new(),
        };
        referee.count_clicks();
        referee
    }

    fn watch(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Started(fetch, at_us) => self.started(fetch, at_us),
            Event::Completed(fetch, at_us) => {
                self.open.retain(|page| *page != fetch.page);
                self.completed.push(fetch.page);
                self.count_clicks();
                if let Some(host) = self.host(fetch.page) {
                    self.answered_us.insert(host, at_us);
                }
                Ok(())
            }
        }
    }

    fn started(&mut self, fetch: Fetch, at_us: u64) -> Result<(), String> {
        let page = fetch.page;
        let url = self.world.url(page).into_owned();
        let rules = self.rules;
        let broken = |rule: &str| Err(format!("{rule}: {url} at {at_us}"));
        if !self.requested.insert(page) {
            return broken("requested twice");
        }
        if over(rules.budget, self.requested.len()) {
            return broken("budget");
        }
        if self.open.len() >= rules.fetchers as usize {
            return broken("fetchers");
        }
        if self.clicks.get(&page).is_none_or(|n| over(rules.depth, *n as usize)) {
            return broken("depth, or a link not to be followed");
        }
        if over(rules.repeats, commonest_part(&url)) {
            return broken("repeats");
        }
        if let Some(host) = self.host(page) {
            if self.open.iter().any(|p| self.host(*p).as_ref() == Some(&host)) {
                return broken("two connections to one host");
            }
            let rest_us = at_us.saturating_sub(self.answered_us.get(&host).copied().unwrap_or(0));
            if self.answered_us.contains_key(&host) && rest_us < self.delay_us(&host) {
                return broken("delay");
            }
            if rules.robots && self.robots_refuse(&host, &url) {
                return broken("robots.txt");
            }
            let starts = self.starts_by_site.entry(site(&host)).or_default();
            *starts += 1;
            if over(rules.pages_per_site, *starts as usize) {
                return broken("pages per site");
            }
            if over(rules.sites, self.starts_by_site.len()) {
                return broken("sites");
            }
        }
        self.open.push(page);
        Ok(())
    }

    /// Minimum number of clicks from a seed to every page, over the links of completed pages.
    fn count_clicks(&mut self) {
        let mut layer: Vec<usize> = self.sketch.seeds.clone();
        let mut clicks = 0;
        self.clicks.clear();
        while !layer.is_empty() {
            let mut next = Vec::new();
            for page in layer {
                let id = PageId(page as u32);
                if self.clicks.contains_key(&id) {
                    continue;
                }
                self.clicks.insert(id, clicks);
                if !self.completed.contains(&id) || !self.is_followed[page] {
                    continue;
                }
                let mut targets = self.sketch.targets(page);
                targets.retain(|to| !(self.rules.nofollow && self.sketch.is_nofollow(page, *to)));
                next.extend(targets);
            }
            layer = next;
            clicks += 1;
        }
    }

    fn host(&self, page: PageId) -> Option<String> {
        let host = crawl_import::address::host(&self.world.url(page))?;
        (host != web_address::NO_HOST).then_some(host)
    }

    /// The longest delay required by the rules and the host.
    fn delay_us(&self, host: &str) -> u64 {
        let mut delays_s = vec![0.0];
        let asks = self.sketch.hosts.iter().find(|h| h.name == host);
        if let Some(asks) = asks.filter(|_| self.rules.robots) {
            let lines = asks.robots.iter().flat_map(|robots| robots.lines());
            let asked = lines.filter_map(|line| line.strip_prefix("Crawl-delay: "));
            delays_s.extend(asked.filter_map(|s| s.parse::<f64>().ok()));
            delays_s.extend(asks.crawl_delay_s);
        }
        let longest_s = delays_s.into_iter().fold(0.0, f64::max);
        self.rules.delay_us.max((longest_s * 1e6) as u64)
    }

    /// The longest matching line decides.
    fn robots_refuse(&self, host: &str, url: &str) -> bool {
        let asks = self.sketch.hosts.iter().find(|h| h.name == host);
        let Some(robots) = asks.and_then(|h| h.robots.as_deref()) else {
            return false;
        };
        let path = url.split_once(host).map_or("", |(_, path)| path);
        let longest = |word: &str| {
            let lines = robots.lines().filter_map(|line| line.strip_prefix(word));
            let fitting = lines.filter(|prefix| path.starts_with(prefix));
            fitting.map(str::len).max()
        };
        longest("Disallow: ") > longest("Allow: ")
    }
}

/// Whether the focused loop follows the links of a page: seeds, redirects, and on-topic pages that
/// are not targets.
fn is_followed(sketch: &Sketch, world: &World, page: usize) -> bool {
    let content = &sketch.pages[page].content;
    if sketch.seeds.contains(&page) || (300..400).contains(&content.status) {
        return true;
    }
    let links = world.link_range(PageId(page as u32));
    let anchors = links.map(|link| world.anchor(link)).collect();
    let judgement =
        topic(world).judge(&PageText { title: &content.title, text: &content.text, anchors });
    judgement.is_on_topic && !judgement.is_result
}

fn over(limit: Option<u32>, n: usize) -> bool {
    limit.is_some_and(|limit| n > limit as usize)
}

fn site(host: &str) -> String {
    let n_parts = if host.ends_with(".co.uk") { 3 } else { 2 };
    let parts: Vec<&str> = host.split('.').collect();
    parts[parts.len() - n_parts..].join(".")
}

fn commonest_part(url: &str) -> usize {
    let path = url.split('?').next().unwrap_or("");
    let parts: Vec<&str> = path.split('/').skip(3).filter(|part| !part.is_empty()).collect();
    let count = |part: &&str| parts.iter().filter(|other| *other == part).count();
    parts.iter().map(count).max().unwrap_or(0)
}

/// All pages reachable by links that may be followed, through pages that may be fetched.
fn reached(sketch: &Sketch, world: &World, rules: &Rules, is_topical: bool) -> Vec<PageId> {
    let mut everything = Referee::new(sketch, world, rules, is_topical);
    loop {
        let before = everything.completed.len();
        let found: Vec<PageId> = everything.clicks.keys().copied().collect();
        everything.completed = found
            .into_iter()
            .filter(|page| {
                let url = world.url(*page);
                let host = everything.host(*page);
                let refused = host.is_some_and(|h| everything.robots_refuse(&h, &url));
                let clicks = everything.clicks.get(page).copied().unwrap_or(0);
                let too_far = over(rules.depth, clicks as usize);
                let repeats = over(rules.repeats, commonest_part(&url));
                !(rules.robots && refused || repeats || too_far)
            })
            .collect();
        everything.count_clicks();
        if everything.completed.len() == before {
            return everything.completed;
        }
    }
}

#[test]
fn the_referee_reads_urls() {
    assert_eq!(site("www.three.co.uk"), "three.co.uk");
    assert_eq!(site("a.two.example"), "two.example");
    assert_eq!(commonest_part("http://a.example/next/next/next/4?next"), 3);
    assert_eq!(commonest_part("http://a.example/"), 0);
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn no_limit_is_ever_exceeded(n_pages in 1_usize..60, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = random_rules(seed);
        for variant in strategy_variants() {
            let mut session = variant.session(&world, &sketch.seeds(), &rules);
            let is_topical = variant.needs().topic;
            let mut referee = Referee::new(&sketch, &world, &rules, is_topical);
            let mut host = AdversarialHost::new(Rng::new(seed, "host"));
            while let Some(event) = host.event(&mut session, &world) {
                let verdict = referee.watch(event);
                prop_assert_eq!(verdict, Ok(()), "{} {:?}", variant.name(), rules);
                prop_assert_eq!(session.in_flight().len(), host.under_way());
            }
            let counters = session.counters();
            prop_assert_eq!(counters.started as usize, referee.requested.len());
            prop_assert_eq!(session.n_steps(), counters.started);
            prop_assert!(counters.robots_requests as usize <= sketch.hosts.len());
        }
    }

    /// A crawl does not stop early: without limits it fetches all allowed pages; a depth limit
    /// counts the shortest path.
    #[test]
    fn a_crawl_without_limits_fetches_all_it_may(n_pages in 1_usize..60, seed in any::<u64>()) {
        let sketch = random_world(seed, n_pages);
        let world = sketch.world();
        let rules = Rules {
            budget: None,
            sites: None,
            pages_per_site: None,
            ..random_rules(seed)
        };
        // The focused loop applies to all strategies, or to topical ones only.
        let everything = [false, true].map(|is_topical| reached(&sketch, &world, &rules, is_topical));
        for variant in strategy_variants() {
            let mut session = variant.session(&world, &sketch.seeds(), &rules);
            let mut host = AdversarialHost::new(Rng::new(seed, "host"));
            while host.event(&mut session, &world).is_some() {}
            let book = session.book();
            let mut fetched: Vec<PageId> = book.order().iter().map(|u| book.page(*u)).collect();
            fetched.sort();
            let everything = &everything[usize::from(variant.needs().topic)];
            if variant.build(&variant.given(&world, &sketch.seeds())).gives_up() {
                prop_assert!(fetched.iter().all(|page| everything.contains(page)));
            } else {
                prop_assert_eq!(&fetched, everything, "{}", variant.name());
            }
        }
    }
}
