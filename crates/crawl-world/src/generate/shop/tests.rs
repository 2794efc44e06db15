//! Tests of the properties of the shops.

use super::super::tests::made;
use super::*;

/// Share of target pages (phones, cameras, laptops) without a topic word in any incoming anchor or,
/// with `with_context`, in its context.
fn silent(world: &World, with_context: bool) -> f64 {
    let mut n_targets = 0;
    let mut n_silent = 0;
    for topic in &GOODS[..3] {
        let names = |text: &str| {
            let text = text.to_lowercase();
            text.split([' ', ':']).any(|word| topic.words.contains(&word))
        };
        let mut named = vec![false; world.n_pages() as usize];
        for page in world.pages() {
            for (link, to) in world.link_range(page).zip(world.links(page)) {
                let context = if with_context { world.context(link) } else { "" };
                named[to.index()] |= names(world.anchor(link)) || names(context);
            }
        }
        let targets = world.pages().filter(|page| world.has_topic(*page, topic.name));
        for page in targets {
            n_targets += 1;
            n_silent += u32::from(!named[page.index()]);
        }
    }
    assert!(n_targets > 300, "{n_targets} targets");
    f64::from(n_silent) / f64::from(n_targets)
}

#[test]
fn most_targets_lie_behind_links_that_do_not_name_the_topic_and_in_the_control_they_do_not() {
    for rng in 1..=5 {
        let delayed = made(&format!("shop(rng:{rng})"));
        let direct = made(&format!("shop(benefit:direct,rng:{rng})"));
        for with_context in [false, true] {
            let share = silent(&delayed, with_context);
            // Expected 0.88; 4 standard deviations at 300 targets are 0.08.
            assert!((0.8..=0.96).contains(&share), "delayed, rng {rng}: {share}");
            // Expected at most 0.1.
            let share = silent(&direct, with_context);
            assert!(share < 0.17, "direct, rng {rng}: {share}");
        }
    }
}

#[test]
fn the_control_differs_in_nothing_but_what_links_say() {
    let delayed = made("shop(rng:3)");
    let direct = made("shop(benefit:direct,rng:3)");
    assert_eq!(delayed.graph(), direct.graph());
    assert_ne!(delayed.digest(), direct.digest());
    for page in delayed.pages() {
        assert_eq!(delayed.url(page), direct.url(page));
        assert_eq!(delayed.page_text(page), direct.page_text(page));
        assert_eq!(delayed.title_of(page), direct.title_of(page));
        assert!(delayed.topics(page).eq(direct.topics(page)));
        assert_eq!(delayed.status(page), direct.status(page));
    }
}

#[test]
fn things_lie_behind_lists_in_pages() {
    let world = made("shop");
    assert_eq!(world.own_seeds().len(), 6);
    let reach = world.reach(&world.seeds());
    let depths: Vec<u32> = world
        .pages()
        .filter(|page| world.has_topic(*page, "phones"))
        .filter_map(|page| reach.depth(page))
        .collect();
    // Home, department, category, list: few products are nearer than four clicks.
    let far = depths.iter().filter(|depth| **depth >= 4).count();
    assert!(far * 10 > depths.len() * 8, "{far} of {}", depths.len());
}
