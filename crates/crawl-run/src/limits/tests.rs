use super::*;
use crate::{Run, RunError, catalogue};
use crawl_catalogue::Kind;
use crawl_protocol::WorldSource;
use std::sync::Arc;

fn read(link: &str) -> Experiment {
    Experiment::from_link(link, &catalogue()).expect("a good link")
}

/// Sets an experiment up; says why it is refused, where it would be too much.
fn refused(experiment: &Experiment) -> Option<TooMuch> {
    let world = match Run::make_world(&experiment.world) {
        Err(RunError::TooMuch(why)) => return Some(*why),
        world => Arc::new(world.expect("a world")),
    };
    match Run::new(experiment.clone(), world, &catalogue()) {
        Ok(_) => None,
        Err(RunError::TooMuch(why)) => Some(*why),
        Err(error) => panic!("refused for another reason: {error}"),
    }
}

/// The experiment with an offer taken.
fn with(offer: &Offer, experiment: &Experiment) -> Experiment {
    let mut other = experiment.clone();
    let set = match &offer.of {
        OfferOf::Rule => other.rules.set_number(&offer.key, offer.value),
        OfferOf::Entry(id) => {
            let strategies = other.strategies.iter_mut().filter(|chosen| chosen.id == *id);
            let mut set = false;
            for chosen in strategies {
                set = chosen.params.set_number(&offer.key, offer.value);
            }
            if let WorldSource::Made(chosen) = &mut other.world
                && chosen.id == *id
            {
                set = chosen.params.set_number(&offer.key, offer.value);
            }
            set
        }
    };
    assert!(set, "{offer}");
    // What is offered can be written into a link.
    read(&other.to_link())
}

const FOUR: &str = "run=breadth-first,breadth-first,breadth-first,breadth-first\
    &revisit=uniform,uniform,uniform,uniform";

#[test]
fn what_is_too_much_is_refused_and_what_is_offered_is_accepted() {
    let links = [
        (format!("#v=1&world=campus&{FOUR}&hours=1000000&visits=1000000000"), Excess::Steps),
        (format!("#v=1&world=campus&{FOUR}&hours=8760&visits=2000"), Excess::Steps),
        // Visits that find nothing new cost a thousandth.
        (
            format!("#v=1&world=campus&{FOUR}&hours=24&visits=1000&not-modified=0.001&latency=0"),
            Excess::Steps,
        ),
        (
            "#v=1&world=newsroom&run=breadth-first&revisit=period-estimate&hours=1000&visits=1000"
                .to_owned(),
            Excess::Operations,
        ),
        ("#v=1&world=web(pages:20000)&run=pagerank(every:1)".to_owned(), Excess::Operations),
        ("#v=1&world=web&run=pagerank(every:1,damping:0.999)".to_owned(), Excess::Operations),
        // Few sweeps settle it, but every computation passes over all links a few times.
        (
            "#v=1&world=web(pages:20000)&run=pagerank(every:1,damping:0)".to_owned(),
            Excess::Operations,
        ),
        (
            "#v=1&world=web(pages:10000)&run=rl-crawler(every:1,gamma:0)".to_owned(),
            Excess::Operations,
        ),
        ("#v=1&world=web(pages:20000)&run=hits(every:1)".to_owned(), Excess::Operations),
        ("#v=1&world=web(pages:1000000,links:30)&run=opic".to_owned(), Excess::Links),
    ];
    for (link, of) in links {
        let experiment = read(&link);
        let why = refused(&experiment).unwrap_or_else(|| panic!("accepted: {link}"));
        assert_eq!(why.of, of, "{link}");
        assert!(why.amount > why.most, "{why}");
        assert!(!why.offers.is_empty(), "nothing is offered for {link}");
        for offer in &why.offers {
            assert_eq!(refused(&with(offer, &experiment)), None, "{link} with {offer}");
        }
    }
}

#[test]
fn offers_are_the_nearest_that_fit() {
    let experiment =
        read("#v=1&world=campus&run=breadth-first&revisit=uniform&hours=8760&visits=2000");
    let why = refused(&experiment).expect("too much");
    let keys: Vec<&str> = why.offers.iter().map(|offer| offer.key.as_str()).collect();
    assert_eq!(keys, ["hours", "visits", "budget"]);
    for offer in &why.offers {
        let more = Offer { value: offer.value * 1.15, ..offer.clone() };
        assert!(refused(&with(&more, &experiment)).is_some(), "{more} fits too");
    }
}

#[test]
fn a_refusal_says_the_number_and_what_fits() {
    let link = format!("#v=1&world=web&{FOUR}&hours=1000000&visits=1000000000&latency=0");
    let why = refused(&read(&link)).expect("too much").to_string();
    let said = "this run would make about 4.0 × 10^15 visits; at most 4,000,000 fit: \
        try visits=0.99 or budget=1000000";
    assert_eq!(why, said);
    assert_eq!(Number(4e6).to_string(), "4,000,000");
    assert_eq!(Number(999.0).to_string(), "999");
    assert_eq!(Number(1.25e10).to_string(), "1.2 × 10^10");
}

#[test]
fn fetchers_that_are_busy_bound_visits() {
    // 10⁹ visits an hour may be made, but a fetch takes a tenth of a second.
    let link = "#v=1&world=web&run=breadth-first&revisit=uniform&hours=1&visits=1000000000";
    assert_eq!(refused(&read(link)), None);
    assert!(refused(&read(&format!("{link}&latency=0"))).is_some());
    assert!(refused(&read(&format!("{link}&fetchers=1000"))).is_some());
    assert_eq!(refused(&read(&format!("{link}&latency=0&budget=5000"))), None);
}

#[test]
fn a_policy_that_waits_bounds_visits() {
    let link =
        "#v=1&world=campus&run=breadth-first&hours=1000&visits=1000000000&latency=0&revisit=";
    assert_eq!(refused(&read(&format!("{link}never"))), None);
    assert_eq!(refused(&read(&format!("{link}adaptive(floor:1)"))), None);
    assert!(refused(&read(&format!("{link}adaptive(floor:0.0001)"))).is_some());
}

#[test]
fn seeds_of_a_slow_ranker_are_refused_before_they_are_ranked() {
    let spec = "opic(sweeps:10000,tolerance:0.00000000000001)";
    let link = format!("#v=1&world=web(pages:20000)&run=opic&seeds=top({spec},3)");
    assert!(refused(&read(&link)).is_some());
    let catalogue = catalogue();
    let world = Run::generate(&catalogue.choose(Kind::World, "web(pages:20000)").expect("a spec"));
    let ranker = catalogue.choose(Kind::Ranker, spec).expect("a spec");
    let why = Limits::default().check_ranker(&ranker, &world.expect("a world"), &catalogue);
    let offers = why.expect_err("too much").offers;
    assert!(offers.iter().any(|offer| offer.key == "sweeps"), "{offers:?}");
}

#[test]
fn a_ranker_that_never_settles_is_bounded_by_its_sweeps() {
    let catalogue = catalogue();
    let world = Run::generate(&catalogue.choose(Kind::World, "web(pages:20000)").expect("a spec"));
    let world = world.expect("a world");
    let refused = |spec: &str| {
        let ranker = catalogue.choose(Kind::Ranker, spec).expect("a spec");
        Limits::default().check_ranker(&ranker, &world, &catalogue).err()
    };
    // Read greedily, the cash of one sweep is never the same twice, whatever the tolerance.
    let why = refused("opic(window:sweep,tolerance:0.5,sweeps:10000)").expect("too much");
    let keys: Vec<&str> = why.offers.iter().map(|offer| offer.key.as_str()).collect();
    assert_eq!(keys, ["sweeps"], "{why}");
    let fits = refused(&format!("opic(window:sweep,tolerance:0.5,{})", offered(&why.offers[0])));
    assert_eq!(fits, None);
    // Read in turn it settles long before.
    assert_eq!(
        refused("opic(order:cycle,window:sweep,tolerance:0.00000000000001,sweeps:10000)"),
        None
    );
}

fn offered(offer: &Offer) -> String {
    format!("{}:{}", offer.key, offer.value)
}

#[test]
fn callers_that_bound_their_own_runs_are_not_refused() {
    let experiment = read("#v=1&world=web&run=pagerank(every:1,damping:0.999)");
    let world = Arc::new(Run::make_world(&experiment.world).expect("a world"));
    assert!(Run::new(experiment.clone(), world.clone(), &catalogue()).is_err());
    assert!(Run::new_unlimited(experiment, world, &catalogue()).is_ok());
}

#[test]
fn a_lane_takes_no_more_steps_than_estimated() {
    for link in [
        "#v=1&world=campus&run=opic&budget=100",
        "#v=1&world=campus&run=breadth-first",
        "#v=1&world=newsroom&run=breadth-first&revisit=uniform&hours=20&visits=500",
        "#v=1&world=newsroom&run=breadth-first&revisit=uniform&hours=20&visits=50&not-modified=0.1",
        "#v=1&world=newsroom&run=breadth-first&revisit=optimal&hours=20&visits=500&sitemap=0.1",
        "#v=1&world=newsroom&run=opic&revisit=period-estimate&hours=3&visits=100&new=50&batch=9",
        "#v=1&world=newsroom&run=opic&revisit=adaptive(start:0.1)&hours=20&visits=100000000",
        "#v=1&world=campus&run=opic&revisit=uniform&hours=0.1&visits=100000000&fetchers=3",
    ] {
        let experiment = read(link);
        let world = Arc::new(Run::make_world(&experiment.world).expect("a world"));
        let mut run = Run::new(experiment, world, &catalogue()).expect("it fits");
        let size = Size::new(&run.world, &run.reach, &run.experiment);
        let most = Estimate::new(&run.experiment, &size, &catalogue()).steps;
        let (lane, setting) = run.lane(0).expect("a lane");
        let _ = lane.finish(&setting, &mut |_| std::ops::ControlFlow::Continue(()));
        let steps = f64::from(lane.travel().farthest());
        assert!(steps <= most, "{steps} steps, {most} expected: {link}");
        assert!(steps > 10.0, "{link}");
    }
}
