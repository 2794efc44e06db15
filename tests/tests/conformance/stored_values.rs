//! Values that a strategy stores per URL, for display: each has a name, and numbers.

use crawl_core::{Known, Rules, Session, Simulator, UrlId};
use crawl_tests::variants::{strategy_variant, strategy_variants};
use crawl_tests::worlds::small_worlds;
use crawl_world::World;
use std::collections::BTreeSet;

/// Number of steps checked.
const N_STEPS: usize = 40;

/// Expected names by strategy; every crawl also has `score` and `depth`.
const NAMES: [(&str, &[&str]); 14] = [
    ("backlink-count", &["backlinks"]),
    ("best-first", &["relevance"]),
    ("context-graph", &["layer"]),
    ("distance-rank", &["distance", "shortest-way"]),
    ("fica", &["distance"]),
    ("fish-search", &["depth-left"]),
    ("fractional-pagerank", &["probability"]),
    ("historical", &["earlier-rank"]),
    ("hits", &["authority", "hub"]),
    ("opic", &["cash", "cash-handed-out"]),
    ("opie", &["cash", "cash-handed-out"]),
    ("pagerank", &["rank"]),
    ("rl-crawler", &["rank", "surfer"]),
    ("shark-search", &["inherited", "depth-left"]),
];

#[test]
fn every_name_has_numbers() {
    let mut expected_of = BTreeSet::new();
    for (_, world) in small_worlds() {
        let rules = Rules::default();
        for variant in strategy_variants() {
            let mut run = Simulator::new(variant.session(&world, &world.seeds(), &rules));
            for step in 0..N_STEPS {
                let session = run.session();
                let names = session.keeps();
                let name = variant.name();
                assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name}");
                assert_eq!(names[..2], ["score", "depth"], "{name}");
                // With other parameters some strategies store nothing.
                if let Some((_, expected)) = NAMES.iter().find(|(id, _)| *id == name) {
                    assert_eq!(names[2..], **expected, "{name}");
                    expected_of.insert(name.clone());
                }
                for kept in &names {
                    let n_values = urls(session)
                        .filter(|url| session.kept(&world, kept, *url).is_some())
                        .count();
                    // Values of fetched pages exist after the first fetch.
                    assert!(step == 0 || n_values > 0, "{name}: no {kept} at step {step}");
                }
                if run.step(&world).is_none() {
                    break;
                }
            }
        }
    }
    assert_eq!(expected_of.len(), NAMES.len(), "only {expected_of:?} are registered");
}

fn urls(session: &Session) -> impl Iterator<Item = UrlId> + use<> {
    (0..session.book().n_discovered()).map(UrlId)
}

/// Depth, links seen and cash of every URL, updated from each fetch.
#[derive(Default)]
struct Ledger {
    depth: Vec<f64>,
    backlinks: Vec<f64>,
    cash: Vec<f64>,
    handed_out: Vec<Option<f64>>,
}

impl Ledger {
    /// The seeds share one unit of cash.
    fn new(known: &Known<'_>) -> Self {
        let mut ledger = Self::default();
        ledger.grow(known, 0.0);
        ledger.cash.fill(1.0 / f64::from(known.n_seeds()));
        ledger
    }

    fn grow(&mut self, known: &Known<'_>, depth: f64) {
        let n = known.n_discovered() as usize;
        self.depth.resize(n, depth);
        self.backlinks.resize(n, 0.0);
        self.cash.resize(n, 0.0);
        self.handed_out.resize(n, None);
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>) {
        let at = url.0 as usize;
        self.grow(known, self.depth[at] + 1.0);
        let cash = std::mem::take(&mut self.cash[at]);
        let n_links = known.out_degree(url);
        self.handed_out[at] = Some(if n_links > 0 { cash } else { 0.0 });
        for link in known.links(url) {
            self.backlinks[link.0 as usize] += 1.0;
            self.cash[link.0 as usize] += cash / f64::from(n_links);
        }
    }
}

/// Compares stored values with expected ones; returns their number.
fn agree(
    session: &Session,
    world: &World,
    name: &str,
    expected: impl Fn(UrlId) -> Option<f64>,
) -> usize {
    let mut n = 0;
    for url in urls(session) {
        let (found, expected) = (session.kept(world, name, url), expected(url));
        match (found, expected) {
            (Some(a), Some(b)) => {
                assert!((a - b).abs() <= 1e-12, "{name} of {url:?}: {a}, not {b}");
            }
            _ => assert_eq!(found, expected, "{name} of {url:?}"),
        }
        n += usize::from(expected.is_some());
    }
    n
}

#[test]
fn depth_links_and_cash_are_those_of_a_ledger() {
    let mut n = [0; 4];
    for (_, world) in small_worlds() {
        for spec in ["backlink-count", "opic", "fica"] {
            let session = strategy_variant(spec).session(&world, &world.seeds(), &Rules::default());
            let mut run = Simulator::new(session);
            let mut ledger = Ledger::new(&run.session().known(&world));
            for _ in 0..N_STEPS {
                let Some(step) = run.step(&world) else { break };
                let session = run.session();
                ledger.fetched(step.url, &session.known(&world));
                let Ledger { depth, backlinks, cash, handed_out } = &ledger;
                let at = |url: UrlId| url.0 as usize;
                n[0] += agree(session, &world, "depth", |url| Some(depth[at(url)]));
                if spec == "backlink-count" {
                    n[1] += agree(session, &world, "backlinks", |url| Some(backlinks[at(url)]));
                }
                if spec == "opic" {
                    n[2] += agree(session, &world, "cash", |url| Some(cash[at(url)]));
                    n[3] += agree(session, &world, "cash-handed-out", |url| handed_out[at(url)]);
                }
            }
        }
    }
    assert!(n.iter().all(|n| *n > 1000), "only {n:?} numbers were compared");
}

/// A waiting URL's distance is its negated score; a fetched page keeps the distance at its fetch.
#[test]
fn distances_are_what_urls_are_chosen_by() {
    let world = crawl_tests::worlds::world("fica-figure-1");
    let session = strategy_variant("fica").session(&world, &world.seeds(), &Rules::default());
    let mut run = Simulator::new(session);
    let (mut n_waiting, mut n_fetched, mut distances) = (0, 0, BTreeSet::new());
    for _ in 0..world.n_pages() {
        let step = run.step(&world).expect("all pages can be reached");
        let session = run.session();
        for url in session.frontier().waiting() {
            let distance = session.kept(&world, "distance", url);
            assert_eq!(distance, Some(0.0 - session.score(url)));
            distances.insert(distance.unwrap_or(0.0).to_bits());
            n_waiting += 1;
        }
        assert_eq!(session.kept(&world, "distance", step.url), Some(0.0 - step.score));
        n_fetched += 1;
    }
    assert!(n_waiting > 3 && n_fetched == world.n_pages() && distances.len() > 1);
}
