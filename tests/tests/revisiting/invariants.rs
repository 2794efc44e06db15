//! Invariants of all policies: explanations add up, seeking is exact, the budget is not exceeded,
//! and is spent by policies that fill it.

use crate::{HOURS, cases, random_budget, random_rules};
use crawl_core::{
    CopyStats, Counters, Evidence, Explanation, Ledger, MAX_PARTS, Op, Plan, Rules, Simulator,
    Step, Travel, UrlId, VisitKind, agree,
};
use crawl_tests::changing::{
    ChangePattern, ChangingWorld, CrawlSetup, HOUR_US, PolicyVariant, budget, policy_variants,
    unlinked_pages,
};
use crawl_world::{Digest, Rng, World};
use proptest::prelude::*;

/// The first error in the explanations of all fetched pages.
fn fault(run: &Simulator, world: &World) -> Option<String> {
    let session = run.session();
    session.book().order().iter().find_map(|url| {
        let (told, priority) = (session.explain(world, *url), session.priority(*url));
        let fault = if let Some(node) = told.fault() {
            Some(format!("{:?} does not follow from its parts", node.label))
        } else if priority.is_nan() || !agree(told.value, priority) {
            Some(format!("{} is not the priority {priority}", told.value))
        } else {
            unreadable(&told)
        };
        fault.map(|fault| format!("{url:?}: {fault}: {told:#?}"))
    })
}

fn unreadable(node: &Explanation) -> Option<String> {
    let is_note = |e: &Evidence| !matches!(e, Evidence::Note(note) if note.trim().is_empty());
    let is_sound = !node.label.trim().is_empty()
        && node.children.len() <= MAX_PARTS
        && (node.op != Op::Given || node.children.is_empty())
        && node.evidence.iter().all(is_note);
    let below = || node.children.iter().find_map(unreadable);
    if is_sound { below() } else { Some(format!("{:?} cannot be read", node.label)) }
}

fn explained(
    setup: &CrawlSetup<'_>,
    policy_variant: &PolicyVariant,
    every: usize,
) -> Result<usize, String> {
    let mut run = setup.start(policy_variant);
    let mut n_steps = 0;
    while run.step(setup.world).is_some() {
        n_steps += 1;
        if n_steps % every == 1 || every == 1 {
            let told = fault(&run, setup.world);
            told.map_or(Ok(()), |fault| Err(format!("at step {n_steps}: {fault}")))?;
        }
        if n_steps > 2000 {
            break;
        }
    }
    Ok(n_steps)
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn explanations_add_up_to_urgencies(n_pages in 1_usize..16, seed in any::<u64>()) {
        let changing = ChangingWorld::random(seed, n_pages, HOURS);
        let world = changing.world();
        let ordering = ["breadth-first", "opic", "backlink-count"][(seed % 3) as usize];
        let rules = random_rules(seed);
        let setup = CrawlSetup { rules, ordering, rng: seed, ..CrawlSetup::new(&world, random_budget(seed)) };
        for policy_variant in policy_variants() {
            let told = explained(&setup, &policy_variant, 11);
            prop_assert!(told.is_ok(), "{} {:?} {:?}: {}", policy_variant.name(), setup.rules, setup.again,
                told.unwrap_err());
        }
    }
}

/// The observable state of a run at a step.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    digest: Digest,
    counters: Counters,
    ledger: Option<Ledger>,
    now_us: u64,
    plans: Vec<Option<Plan>>,
    priorities: Vec<u64>,
    copies: (u32, u32, u32, (u64, u64)),
    standing: Option<CopyStats>,
    upcoming: Vec<UrlId>,
}

fn moment(run: &Simulator, world: &World) -> Moment {
    let session = run.session();
    let urls = || (0..session.book().n_discovered()).map(UrlId);
    let copies = run.copies().expect("pages live");
    Moment {
        digest: session.digest(world),
        counters: session.counters(),
        ledger: session.ledger(),
        now_us: run.now_us(),
        plans: urls().map(|url| session.visit_plan(url)).collect(),
        priorities: urls().map(|url| session.priority(url).to_bits()).collect(),
        copies: (copies.n_copies(), copies.n_visits(), copies.n_wasted(), copies.n_missed()),
        standing: copies.stats("all"),
        upcoming: session.upcoming(world, 12),
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn seeking_gives_the_same_state_by_any_path(n_pages in 1_usize..14, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let (rules, again) = (random_rules(seed), random_budget(seed));
        let setup = CrawlSetup { rules, rng: seed, ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants() {
            let start = setup.start(&policy_variant);
            let mut run = start.clone();
            let mut moments = vec![moment(&run, &world)];
            while moments.len() < 700 && run.step(&world).is_some() {
                moments.push(moment(&run, &world));
            }
            let last = moments.len() as u32 - 1;
            let mut travel = Travel::new(start);
            travel.seek(&world, last);
            let mut rng = Rng::new(seed, "seeks");
            for _ in 0..6 {
                let step = rng.below(last + 1);
                prop_assert_eq!(travel.seek(&world, step), step);
                let found = moment(travel.now(), &world);
                prop_assert_eq!(&found, &moments[step as usize], "{} at {}", policy_variant.name(), step);
            }
        }
    }
}

/// The maximum over all intervals of visits minus the budget of the interval.
fn most_above(starts_us: &[u64], per_hour: f64) -> f64 {
    let mut most = 0.0_f64;
    // n visits from i to j need (t_j − t_i) hours: keep the worst start.
    let mut best = f64::NEG_INFINITY;
    for (i, at_us) in starts_us.iter().enumerate() {
        let allowed = *at_us as f64 / HOUR_US * per_hour;
        best = best.max(allowed - i as f64);
        most = most.max(i as f64 + 1.0 - allowed + best);
    }
    most
}

fn visits_of(steps: &[Step]) -> Vec<u64> {
    let again = steps.iter().filter(|step| step.visit != VisitKind::First);
    let mut starts: Vec<u64> = again.map(|step| step.started_us).collect();
    starts.sort_unstable();
    starts
}

proptest! {
    #![proptest_config(cases(25))]

    #[test]
    fn no_policy_exceeds_the_budget(n_pages in 1_usize..16, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let mut again = random_budget(seed);
        again.not_modified = 1.0;
        let setup = CrawlSetup { rules: random_rules(seed), rng: seed, ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants() {
            let (run, steps) = setup.finish(&policy_variant);
            let visits = visits_of(&steps);
            let n_copies = steps.iter().filter(|step| step.visit == VisitKind::First).count();
            let (per_hour, kept) = if policy_variant.build().competes() {
                // New and old pages share one budget.
                (again.visits + again.new, 0.0)
            } else {
                (again.visits, 10.0 + 4.0 * libm::sqrt(n_copies as f64))
            };
            let most = most_above(&visits, per_hour);
            prop_assert!(most <= kept + 1.0 + 1e-6, "{}: {} more", policy_variant.name(), most);
            let ledger = run.session().ledger().expect("a policy");
            prop_assert_eq!(ledger.n_visits as usize, visits.len());
            let told = f64::from(ledger.n_sitemaps);
            prop_assert!((ledger.spent - visits.len() as f64 - told).abs() < 1e-6);
            prop_assert!(ledger.n_late <= ledger.n_visits);
        }
    }

    /// Cheap answers (304) save budget, which buys more visits.
    #[test]
    fn saved_budget_buys_visits(n_pages in 1_usize..16, seed in any::<u64>()) {
        let world = ChangingWorld::random(seed, n_pages, HOURS).world();
        let again = crawl_core::revisit::RevisitRules { not_modified: 0.25, ..random_budget(seed) };
        let setup = CrawlSetup { rng: seed, ..CrawlSetup::new(&world, again) };
        for policy_variant in policy_variants().iter().filter(|policy_variant| !policy_variant.build().competes()) {
            let (run, steps) = setup.finish(policy_variant);
            let ledger = run.session().ledger().expect("a policy");
            let n_copies = steps.iter().filter(|step| step.visit == VisitKind::First).count();
            let kept = 10.0 + 4.0 * libm::sqrt(n_copies as f64);
            let most = again.visits * HOURS + kept + 1.0 + f64::from(ledger.n_sitemaps);
            prop_assert!(ledger.spent <= most, "{}: {:?}", policy_variant.name(), ledger);
        }
    }
}

/// Policies that fill the budget spend it, as long as a page wants visits.
#[test]
fn filling_policies_spend_the_budget() {
    let patterns = [0.01, 0.2, 0.5, 1.5, 6.0, 40.0].map(ChangePattern::Poisson);
    let world = unlinked_pages(&vec![patterns.to_vec(); 2].concat());
    for visits in [0.8, 6.0, 50.0] {
        let hours = 1500.0 / visits;
        let setup = CrawlSetup::new(&world, budget(visits, hours));
        for policy_variant in policy_variants() {
            let policy = policy_variant.build();
            let id = policy_variant.chosen.id.as_str();
            // Without exploration, a page that was once seen unchanged is never visited again.
            let gives_up = id == "never" || policy_variant.name() == "optimal(explore:0)";
            if !policy.fills() || gives_up {
                continue;
            }
            let (_, steps) = setup.finish(&policy_variant);
            let n = visits_of(&steps).len() as f64;
            let share = n / (visits * hours);
            assert!(share > 0.95, "{} spends {share} of {visits} an hour", policy_variant.name());
        }
    }
}

/// The savings of cheap answers are spent too, even with a single page.
#[test]
fn saved_budget_is_spent() {
    for n in [1, 2, 12] {
        let world = unlinked_pages(&vec![ChangePattern::Poisson(0.05); n]);
        let hours = 100.0;
        let again = crawl_core::revisit::RevisitRules { not_modified: 0.2, ..budget(20.0, hours) };
        for spec in ["uniform", "proportional(knows:rates)", "optimal(knows:rates)", "classified"] {
            let (run, _) =
                CrawlSetup::new(&world, again).finish(&crawl_tests::changing::policy_variant(spec));
            let ledger = run.session().ledger().expect("a policy");
            let share = ledger.spent / (20.0 * hours);
            assert!((0.95..1.02).contains(&share), "{spec} of {n} pages spends {share}");
            assert!(f64::from(ledger.n_visits) > 3.0 * ledger.spent, "{spec}: {ledger:?}");
        }
    }
}

/// And with pages that are discovered while others are already being revisited.
#[test]
fn pages_that_come_in_later_get_their_share() {
    let world = crawl_tests::worlds::world("newsroom(pages:200)");
    let rules = Rules { budget: Some(4000), ..Rules::default() };
    let again = crawl_core::revisit::RevisitRules { new: 100.0, ..budget(600.0, 6.0) };
    let setup = CrawlSetup { rules, ..CrawlSetup::new(&world, again) };
    for spec in ["uniform", "proportional(knows:rates)", "optimal", "classified"] {
        let (_, steps) = setup.finish(&crawl_tests::changing::policy_variant(spec));
        let n = visits_of(&steps).len() as f64;
        assert!((0.9..=1.03).contains(&(n / 3600.0)), "{spec}: {n} visits");
    }
}
