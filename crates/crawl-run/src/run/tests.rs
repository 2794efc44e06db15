use super::*;
use crawl_core::{Explanation, UrlId};

fn run(link: &str) -> Result<Run, String> {
    let catalogue = crate::catalogue();
    let experiment = Experiment::from_link(link, &catalogue).map_err(|e| e.to_string())?;
    // Writing and parsing are inverse.
    assert_eq!(Experiment::from_link(&experiment.to_link(), &catalogue), Ok(experiment.clone()));
    let world = Run::make_world(&experiment.world).map_err(|e| e.to_string())?;
    Run::new(experiment, Arc::new(world), &catalogue).map_err(|e| e.to_string())
}

#[test]
fn crawls_start_at_the_best_pages_and_are_oracles_then() {
    let link = "#v=1&world=greedy-oracle&seeds=top(pagerank(damping:0.5),2)&run=breadth-first";
    let run = run(link).expect("a good link");
    let names: Vec<String> = run.seeds.iter().map(|s| run.world.url(*s).into_owned()).collect();
    assert!(names[0].ends_with('H'), "{names:?}");
    assert_eq!(names.len(), 2);
    assert!(run.lanes[0].is_oracle());
}

#[test]
fn each_ordering_starts_at_its_own_best_pages() {
    let link = "#v=1&world=campus&seeds=top(own,3)&run=rl-crawler,distance-rank(knowledge:all),\
        fica(gamma:0.7),breadth-first,combined(b:hits)&budget=40";
    let own = run(link).expect("a good link");
    let rankers = ["rl-rank", "distance-rank", "distance-rank(gamma:0.7)", "pagerank", "opic"];
    for (lane, ranker) in own.lanes.iter().zip(rankers) {
        let book = lane.travel().now().session().book();
        let seeds: Vec<PageId> = (0..3).map(|url| book.page(UrlId(url))).collect();
        let link = format!("#v=1&world=campus&seeds=top({ranker},3)&run=breadth-first");
        assert_eq!(seeds, run(&link).expect("a good link").seeds, "{}", lane.strategy);
        assert!(lane.is_oracle());
    }
    let too_many = run("#v=1&world=greedy-oracle&seeds=top(own,9)&run=opic").err();
    assert!(too_many.is_some_and(|error| error.contains("the world has 7")));
}

#[test]
fn a_memory_makes_no_oracle_and_each_ordering_has_its_own() {
    let link = "#v=1&world=campus&budget=60&run=historical,historical(new:oracle),\
        historical(new:zero,drift:2),combined(a:historical,b:historical(new:zero,drift:2))";
    let mut run = run(link).expect("a good link");
    let oracles: Vec<bool> = run.lanes.iter().map(Lane::is_oracle).collect();
    assert_eq!(oracles, [false, true, false, false]);
    let mut go_on = |_| ControlFlow::Continue(());
    for at in 0..4 {
        let (lane, setting) = run.lane(at).expect("a lane a strategy");
        let _ = lane.finish(&setting, &mut go_on);
    }
    let world = run.world.clone();
    let seed = UrlId(0);
    let explained = |at: usize| {
        let session = run.lanes[at].travel().now().session();
        session.explain(&*world, seed)
    };
    let (first, second) = (explained(0).value, explained(2).value);
    assert_ne!(first, second, "two pasts");
    // Both strategies of the mixture get their own earlier crawls.
    let parts = explained(3).children;
    let own = |part: &Explanation| part.children[1].children[0].value;
    assert_eq!([own(&parts[0]), own(&parts[1])], [first, second]);
}

#[test]
fn starts_that_cannot_be_are_said() {
    for (seeds, said) in [
        ("top(pagerank,8)", "the 8 best pages cannot be seeds: the world has 7"),
        (
            "top(pagerank,0)",
            "seeds must be top(ranker,k) or top(own,k) with k from 1 to 1000, not \
             top(pagerank,0)",
        ),
        (
            "top(pagerank)",
            "seeds must be top(ranker,k) or top(own,k) with k from 1 to 1000, not \
             top(pagerank)",
        ),
        (
            "top(topic,2)",
            "topic ranks no links; only the strategy omniscient can use it. Choose a ranker such as \
             pagerank",
        ),
        ("top(pagernk,2)", "unknown ranker 'pagernk'; did you mean 'pagerank'?"),
    ] {
        let link = format!("#v=1&world=greedy-oracle&seeds={seeds}&run=breadth-first");
        assert_eq!(run(&link).err().as_deref(), Some(said));
    }
}

#[test]
fn ordering_and_policy_are_oracles_each_for_itself() {
    let link = "#v=1&world=refresh-table-1&run=opic,opic,opic,omniscient,omniscient\
        &revisit=uniform,optimal(knows:rates),optimal(weights:importance),uniform,proportional(knows:rates)";
    let run = run(link).expect("a good link");
    let oracles: Vec<_> = run.lanes.iter().map(|l| (l.oracle.ordering, l.oracle.policy)).collect();
    let expected = [(false, false), (false, true), (false, true), (true, false), (true, true)];
    assert_eq!(oracles, expected);
}

/// An oracle of a topic knows the labels, and fails without them.
#[test]
fn the_omniscient_knows_the_topic() {
    let link = "#v=1&world=shop(pages:600)&topic=label&run=omniscient(of:topic)";
    let mut known = run(link).expect("a good link");
    assert!(known.lanes[0].is_oracle());
    let truth = known.topic.as_ref().and_then(|s| s.truth.clone()).expect("labels");
    let (lane, setting) = known.lane(0).expect("a lane a strategy");
    let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    let book = lane.travel().now().session().book();
    let targets = |n: usize| {
        let pages = book.order()[..n].iter().map(|url| book.page(*url));
        pages.filter(|page| truth.is_target[page.index()]).count()
    };
    let all = truth.is_target.iter().filter(|is_target| **is_target).count();
    let found = targets(2 * all);
    assert!(3 * found > 2 * all, "{found} of {all} in twice as many steps");

    for (link, said) in [
        (
            "#v=1&world=shop(pages:600)&run=omniscient(of:topic)",
            "omniscient(of:topic) needs a topic, such as topic=label(of:phones)",
        ),
        (
            "#v=1&world=shop(pages:600)&topic=words&run=omniscient(of:topic)",
            "omniscient(of:topic): this world has no labels for topic words",
        ),
    ] {
        assert_eq!(run(link).err().as_deref(), Some(said));
    }
}
