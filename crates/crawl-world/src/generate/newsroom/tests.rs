//! Tests of the properties of the newsroom.

use super::super::tests::made;
use crate::{ChangeProcess, Changes, PageId, World};

fn labelled(world: &World, label: &str) -> Vec<PageId> {
    world.pages().filter(|page| world.has_topic(*page, label)).collect()
}

const CLASSES: [&str; 7] = ["front", "news", "bulletin", "live", "weather", "archive", "static"];

#[test]
fn every_page_has_one_class_and_changes_as_it_says() {
    for spec in ["newsroom", "newsroom(pages:200,rng:7)", "newsroom(pages:20000,rng:2)"] {
        let world = made(spec);
        for page in world.pages() {
            let classes: Vec<&str> =
                CLASSES.into_iter().filter(|class| world.has_topic(page, class)).collect();
            let [class] = classes[..] else { panic!("{}: {classes:?}", world.url(page)) };
            let process = world.change_process(page);
            let expected = match class {
                "front" | "news" | "weather" => "poisson",
                "bulletin" => "periodic",
                "live" => "bursty",
                _ => "never",
            };
            assert_eq!(process.name(), expected, "{}", world.url(page));
            // The stored rate is that of the process.
            assert_eq!(process.per_hour(), Some(world.change_rate_per_hour(page)));
        }
    }
}

#[test]
fn news_is_fast_and_weather_is_slow() {
    let world = made("newsroom");
    let rates = |label: &str| -> Vec<f64> {
        let pages = labelled(&world, label);
        let mut rates: Vec<f64> =
            pages.iter().map(|page| world.change_rate_per_hour(*page)).collect();
        rates.sort_unstable_by(f64::total_cmp);
        rates
    };
    let (news, weather) = (rates("news"), rates("weather"));
    assert!(news.len() > 500 && weather.len() > 200);
    // Within the rates of table 1; a tenth of the stories are of the current day.
    assert!(weather[0] >= 1.0 / 12.0 && weather[weather.len() - 1] <= 1.0 / 8.0);
    assert!(news[news.len() - 1] > 0.8 && news[news.len() - 1] <= 1.2);
    assert!(news.iter().filter(|rate| **rate > 1.0 / 3.0).count() * 15 > news.len());
    assert!(news[0] > 1.0 / 100.0 && news[0] < 1.0 / 40.0, "{}", news[0]);
    assert!(rates("archive").len() > 500);
    // Fronts change at the rate of stories, the home page at the sum of all sections.
    let fronts = world.links(PageId(0)).iter().filter(|page| world.has_topic(**page, "front"));
    let sum: f64 = fronts.map(|page| world.change_rate_per_hour(*page)).sum();
    assert!((world.change_rate_per_hour(PageId(0)) - sum).abs() < 1e-12 * sum);
    assert_eq!(world.n_sites(), 1);
    assert_eq!(world.hosts().len(), 3);
}

#[test]
fn bulletins_come_at_eight_and_tickers_rest() {
    let world = made("newsroom");
    let eight = 8 * 3_600_000_000_u64;
    let bulletins = labelled(&world, "bulletin");
    let at_eight = bulletins
        .iter()
        .filter(|page| Changes::new(&world, **page, 1).into_iter().next() == Some(eight));
    assert_eq!((bulletins.len(), at_eight.count()), (7, 6));
    for page in labelled(&world, "live") {
        let process = world.change_process(page);
        assert!(matches!(process, ChangeProcess::Rhythm(_)));
        let changes = Changes::new(&world, page, 1);
        let hours = 0..10_000_u64;
        let hour = 3_600_000_000;
        let count = |h: u64| changes.n_changes_between(h * hour, (h + 1) * hour);
        let (mut quiet, mut busy) = (0, 0);
        for n in hours.map(count) {
            quiet += u32::from(n == 0);
            busy += u32::from(n > 15);
        }
        // A burst begins every 8 to 16 hours and lasts one to two.
        assert!(quiet > 6_500 && busy > 500, "{quiet} quiet hours, {busy} busy ones");
    }
}

#[test]
fn everything_can_be_reached() {
    for rng in 1..=5 {
        let world = made(&format!("newsroom(rng:{rng})"));
        assert_eq!(world.n_pages(), 1_500);
        let reach = world.reach(&world.seeds());
        assert_eq!(reach.n_pages(), 1_500);
        assert!((4..=12).contains(&reach.max_depth()), "{}", reach.max_depth());
        let same_host = |from: PageId| {
            let host = world.host_of(from);
            world.links(from).iter().filter(|to| world.host_of(**to) == host).count()
        };
        let within = world.pages().map(same_host).sum::<usize>() as f64;
        let share = within / f64::from(world.n_links());
        assert!((0.6..=0.85).contains(&share), "{share} of links within their host");
        // No links to the future: the archive does not mention news.
        for page in labelled(&world, "archive") {
            assert!(!world.links(page).iter().any(|to| world.has_topic(*to, "news")));
        }
    }
}

/// Pages that exist at the start do not depend on coming stories.
#[test]
fn without_coming_stories_it_is_what_it_was() {
    for (spec, digest) in [
        ("newsroom", "a6e5b85adbf3a9d1078247a6f8b6a88c"),
        ("newsroom(pages:200)", "fb543b4d0348020af51bf91020166038"),
        ("newsroom(pages:2000,rng:7)", "f0900d5f455f57d50d6a19c57084846a"),
    ] {
        let world = made(spec);
        assert_eq!(world.digest().to_string(), digest, "{spec}");
        assert!(!world.has_births());
    }
    let (plain, more) = (made("newsroom(coming:0)"), made("newsroom(coming:200)"));
    assert_eq!(plain.digest(), made("newsroom").digest());
    for page in plain.pages() {
        assert_eq!(plain.url(page), more.url(page));
        assert_eq!(plain.links(page), &more.links(page)[..more.n_links_by(page, 0)]);
        assert_eq!(plain.page_text(page), more.page_text(page));
        assert_eq!(plain.change_process(page), more.change_process(page));
    }
}

#[test]
fn stories_come_to_their_sections_as_often_as_stories_do() {
    for (spec, n_pages, n_coming) in [
        ("newsroom(coming:200)", 1_500, 200),
        ("newsroom(coming:1,pages:200)", 200, 1),
        ("newsroom(coming:5000,rng:3)", 1_500, 5_000),
    ] {
        let world = made(spec);
        assert_eq!(world.n_pages(), n_pages + n_coming);
        let coming: Vec<PageId> =
            world.pages().filter(|page| world.born_s(*page).is_some()).collect();
        assert!(coming.iter().map(|page| page.0).eq(n_pages..n_pages + n_coming));
        let births: Vec<f64> = coming.iter().filter_map(|page| world.born_s(*page)).collect();
        assert!(births.is_sorted_by(|a, b| a < b));
        for page in &coming {
            assert!(world.has_topic(*page, "news"));
            let rate = world.change_rate_per_hour(*page);
            assert!((0.8..1.2).contains(&rate), "{rate}");
            // It links only to pages that exist at its birth.
            assert_eq!(world.n_links_by(*page, world.born_us(*page)), world.links(*page).len());
        }
        // Each front links to its own coming stories; coming stories may link to earlier ones.
        let fronts = labelled(&world, "front");
        for page in &coming {
            let naming = |front: &&PageId| world.links(**front).contains(page);
            let named: Vec<&PageId> = fronts.iter().filter(naming).collect();
            let [front] = named[..] else { panic!("{}: {named:?}", world.url(*page)) };
            assert!(world.url(*page).starts_with(&*world.url(*front)));
        }
        let home = world.links(PageId(0));
        assert!(home.iter().all(|page| world.born_s(*page).is_none()));
        assert_eq!(world.reach(&world.seeds()).n_pages(), world.n_pages());
    }
    // The rates of six sections add up; four standard deviations of 5000 exponential gaps are 6 %.
    let world = made("newsroom(coming:5000)");
    let rate = world.change_rate_per_hour(PageId(0));
    let births: Vec<f64> = world.pages().filter_map(|page| world.born_s(page)).collect();
    let last_h = births[births.len() - 1] / 3600.0;
    let ratio = 5_000.0 / last_h / rate;
    assert!((0.94..1.06).contains(&ratio), "{ratio}");
    // Gaps of a Poisson process exceed their mean with probability 1/e.
    let mean_s = 3600.0 / rate;
    let long = births.windows(2).filter(|pair| pair[1] - pair[0] > mean_s).count();
    assert!((1_700..1_980).contains(&long), "{long}");
    for front in world.links(PageId(0)).iter().filter(|page| world.has_topic(**page, "front")) {
        let row = world.links(*front);
        let n = row.iter().filter(|page| world.born_s(**page).is_some()).count();
        assert!((730..940).contains(&n), "{}: {n}", world.url(*front));
    }
}
