//! Extreme input: no panic, no endless loop, no NaN.

use crawl_catalogue::Kind;
use crawl_core::metric::{METRICS, Observation, Setting};
use crawl_core::revisit::{RevisitRules, Sees};
use crawl_core::{Rules, Simulator, Step, Truth, UrlId};
use crawl_import::{File, Limits, import, no_progress};
use crawl_tests::changing::{
    ChangePattern, CrawlSetup, budget, policy_variant, policy_variants, unlinked_pages,
};
use crawl_tests::variants::variants;
use crawl_world::{PageId, Rhythm, World, WorldBuilder};

/// Queries everything that can be queried of a run.
fn look(run: &Simulator, world: &World, name: &str) {
    let session = run.session();
    let ledger = session.ledger().expect("a policy");
    assert!(ledger.spent.is_finite() && ledger.spent >= 0.0, "{name}: {ledger:?}");
    for url in (0..session.book().n_discovered()).map(UrlId) {
        let priority = session.priority(url);
        assert!(!priority.is_nan(), "{name}: {url:?} has no priority");
        let told = session.explain(world, url);
        assert!(told.fault().is_none(), "{name}: {told:#?}");
        if let Some(plan) = session.visit_plan(url) {
            let rate = |rate: Option<f64>| rate.is_none_or(|r| r >= 0.0 && r.is_finite());
            assert!(rate(plan.estimate) && rate(plan.per_hour), "{name}: {plan:?}");
        }
    }
    if let Some(now) = run.copies().and_then(|copies| copies.stats("all")) {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        assert!(is_share(now.freshness) && is_share(now.mean_freshness), "{name}: {now:?}");
        assert!(now.age_h >= 0.0 && now.mean_age_h >= 0.0, "{name}: {now:?}");
        assert!(now.age_h.is_finite() && now.mean_age_h.is_finite(), "{name}: {now:?}");
    }
}

/// Runs a limited number of steps, and queries everything now and then.
fn try_out(setup: &CrawlSetup<'_>, specs: &[String]) {
    for spec in specs {
        let name = format!("{spec} with {:?}", setup.again);
        let mut run = setup.start(&policy_variant(spec));
        let mut last_us = 0;
        for step in 0..600 {
            let Some(done) = run.step(setup.world) else { break };
            assert!(done.at_us >= last_us, "{name}: time goes back");
            assert!(done.score.is_finite() || done.score == f64::NEG_INFINITY, "{name}: {done:?}");
            last_us = done.at_us;
            if step % 50 < 3 {
                look(&run, setup.world, &name);
            }
        }
        run.age_until(setup.again.end_us);
        look(&run, setup.world, &name);
    }
}

fn all_specs() -> Vec<String> {
    policy_variants().iter().map(crawl_tests::changing::PolicyVariant::name).collect()
}

/// Pages with extreme values.
fn extremes() -> World {
    let late = 1e12;
    let patterns = [
        ChangePattern::Never,
        ChangePattern::Poisson(1e-12),
        ChangePattern::Poisson(3.6e6),
        ChangePattern::Poisson(1.0),
        ChangePattern::Rhythm(Rhythm::Periodic { period_s: 1e-3, phase_s: 0.0 }),
        ChangePattern::Rhythm(Rhythm::Periodic { period_s: 1e15, phase_s: 1.0 }),
        ChangePattern::Recorded(vec![5.0, 5.0, 5.000_000_1, 5.0]),
        ChangePattern::Recorded(vec![late, late + 1.0]),
        ChangePattern::Recorded(vec![0.0]),
    ];
    unlinked_pages(&patterns)
}

#[test]
fn extreme_rates_and_budgets_are_handled() {
    let world = extremes();
    let specs = all_specs();
    for visits in [0.0, 1e-9, 1.0, 1e9] {
        for hours in [0.001, 10.0, 1e6] {
            let setup = CrawlSetup {
                rules: Rules::default(),
                ..CrawlSetup::new(&world, budget(visits, hours))
            };
            if visits > 0.0 {
                try_out(&setup, &specs);
            } else {
                // If new and old pages share an empty budget, nothing is fetched.
                let others: Vec<String> =
                    specs.iter().filter(|s| !s.starts_with("period")).cloned().collect();
                try_out(&setup, &others);
            }
        }
    }
}

/// Slow pages before fast ones: the budget clock has advanced far before it needs precision.
#[test]
fn a_far_advanced_budget_clock_stays_precise() {
    let mut builder = WorldBuilder::new("far");
    let rates = [1e-12, 1e-9, 1e-3, 1.0, 3.6e6];
    let pages: Vec<PageId> = (0..rates.len())
        .map(|i| builder.page(&format!("http://far.example/{i}")).expect("a new URL"))
        .collect();
    for (i, page) in pages.iter().enumerate() {
        builder.set_change_rate(*page, rates[i]).expect("a rate");
        if let Some(next) = pages.get(i + 1) {
            builder.link(*page, *next);
        }
    }
    builder.seed(pages[0]);
    let world = builder.finish().expect("a small world");
    let again = RevisitRules { new: 2.0, ..budget(10.0, 1000.0) };
    let setup = CrawlSetup { rules: Rules::default(), ..CrawlSetup::new(&world, again) };
    try_out(&setup, &all_specs());
}

/// A single page; pages that redirect, fail, or are gone from the start.
#[test]
fn worlds_with_nothing_to_visit_are_handled() {
    let mut builder = WorldBuilder::new("nothing");
    let page = |builder: &mut WorldBuilder, i: u32| {
        builder.page(&format!("http://nothing.example/{i}")).expect("a new URL")
    };
    for i in 0..6 {
        let page = page(&mut builder, i);
        builder.seed(page);
        builder.set_change_rate(page, 2.0).expect("a rate");
    }
    builder.set_status(PageId(0), 404).expect("a status");
    builder.set_status(PageId(1), 301).expect("a status");
    builder.set_location(PageId(1), "http://nothing.example/5", Some(PageId(5)));
    builder.set_status(PageId(2), 500).expect("a status");
    builder.set_gone(PageId(3), 0.0).expect("a time");
    builder.set_gone(PageId(4), 1800.0).expect("a time");
    builder.set_gone(PageId(5), 7200.0).expect("a time");
    let nothing = builder.finish().expect("a small world");
    for world in [
        &nothing,
        &unlinked_pages(&[ChangePattern::Poisson(1.0)]),
        &unlinked_pages(&[ChangePattern::Never]),
    ] {
        for ordering in ["breadth-first", "opic", "random"] {
            let setup = CrawlSetup { ordering, ..CrawlSetup::new(world, budget(20.0, 30.0)) };
            try_out(&setup, &all_specs());
        }
    }
}

/// Sitemaps, free answers, and boilerplate that changes all the time.
#[test]
fn extreme_rules_are_handled() {
    let world = extremes();
    let plain = budget(20.0, 50.0);
    for again in [
        RevisitRules { not_modified: 0.0, ..plain },
        RevisitRules { not_modified: 0.0, visits: 1e9, ..plain },
        RevisitRules { sitemap_us: Some(1), ..plain },
        RevisitRules { sitemap_us: Some(3_600_000_000), ..plain },
        RevisitRules { sitemap_us: Some(3_600_000_000), visits: 1e-3, ..plain },
        RevisitRules { sees: Sees::Anything, boilerplate: 1e6, ..plain },
        RevisitRules { sees: Sees::LastModified, ..plain },
        RevisitRules { new: 1e-9, ..plain },
        RevisitRules { new: 1e9, visits: 0.0, ..plain },
    ] {
        for rules in [Rules::default(), Rules { latency_ms: 0.0, ..Rules::default() }] {
            try_out(&CrawlSetup { rules, ..CrawlSetup::new(&world, again) }, &all_specs());
        }
    }
}

/// Free visits must not repeat endlessly at one time.
#[test]
fn free_visits_end() {
    let world = unlinked_pages(&[ChangePattern::Never, ChangePattern::Never]);
    let again = RevisitRules { not_modified: 0.0, ..budget(10.0, 1.0) };
    for policy_variant in policy_variants() {
        let setup = CrawlSetup::new(&world, again);
        let mut run = setup.start(&policy_variant);
        let n = std::iter::from_fn(|| run.step(&world)).take(100_000).count();
        assert!(n < 100_000, "{} never ends", policy_variant.name());
    }
}

/// Files with extreme change data: every policy runs, and no metric is NaN.
#[test]
fn extreme_change_data_gives_no_nan() {
    let said = [
        r#""change_rate_per_hour":0"#,
        r#""change_rate_per_hour":5e-324"#,
        r#""change_rate_per_hour":3600000"#,
        r#""changes_s":[300,100,200,100,100]"#,
        r#""changes_s":[1e300,1e18,5]"#,
        r#""changes_s":[0]"#,
        r#""changes_s":[7200],"gone_s":3600"#,
        r#""gone_s":0"#,
        r#""born_s":1e300"#,
        r#""born_s":3600,"change_rate_per_hour":5,"gone_s":7200"#,
        r#""change_period_s":1e300,"change_phase_s":1e299"#,
        r#""change_bursts_per_hour":1e-300,"change_rate_in_burst_per_hour":3600000,"change_burst_s":1e9"#,
    ];
    let world = |said: &[&str]| {
        let header = r#"{"format":"crawlscope-world","version":1,"seeds":["http://a.example/"]}"#;
        let links = (0..said.len()).map(|i| format!("\"/{i}\"")).collect::<Vec<_>>().join(",");
        let home = format!(r#"{{"url":"http://a.example/","links":[{links}],"clicks":3}}"#);
        let page =
            |(i, said): (usize, &&str)| format!(r#"{{"url":"http://a.example/{i}",{said}}}"#);
        let pages = said.iter().enumerate().map(page);
        let text: Vec<String> = [header.to_owned(), home].into_iter().chain(pages).collect();
        let text = text.join("\n");
        let file = File::from_bytes("w.jsonl", text.as_bytes());
        import(file.into(), &Limits::default(), &mut no_progress).expect("it can be read").world
    };
    let alone = said.iter().map(|said| world(&[said]));
    for world in alone.chain([world(&said)]) {
        for again in [
            RevisitRules { new: 1.0, ..budget(0.0, 5.0) },
            RevisitRules { sees: Sees::LastModified, ..budget(6.0, 30.0) },
            RevisitRules { sitemap_us: Some(60_000_000), ..budget(900.0, 0.5) },
        ] {
            let rules = Rules { budget: Some(200), ..Rules::default() };
            let setup = CrawlSetup { ordering: "opic", rules, ..CrawlSetup::new(&world, again) };
            all_specs().iter().for_each(|policy| measure(&setup, policy));
        }
    }
}

/// Computes all metrics after every step, before NaN values could be filtered.
fn measure(setup: &CrawlSetup<'_>, policy: &str) {
    let catalogue = crawl_run::catalogue();
    let world = setup.world;
    let ranks = vec![1.0 / f64::from(world.n_pages()); world.n_pages() as usize];
    let (truth, reach) = (Truth { ranker: "same".to_owned(), ranks }, world.reach(&setup.seeds));
    let setting =
        Setting { world, truth: &truth, reach: &reach, area_pages: 2, topic: None, bounds: None };
    let all = METRICS.iter().flat_map(|entry| {
        let chosen = variants(&catalogue, Kind::Metric, &entry.entry).into_iter();
        chosen.map(|chosen| (chosen.to_string(), (entry.build)(&chosen.params, &setting)))
    });
    let mut all: Vec<_> = all.collect();
    let mut run = setup.start(&policy_variant(policy));
    let mut last = None;
    let mut look = |step: Step, run: &Simulator, is_last: bool| {
        for (name, metric) in &mut all {
            let value = metric.observe(&Observation { setting, step, run, is_last });
            let is_number = value.is_none_or(f64::is_finite);
            assert!(is_number, "{name} is {value:?} with {policy} and {:?}", setup.again);
        }
    };
    while let Some(step) = run.step(world) {
        look(step, &run, false);
        last = Some(step);
    }
    run.age_until(setup.again.end_us);
    last.into_iter().for_each(|step| look(step, &run, true));
}
