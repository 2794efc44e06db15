//! OPIC of a graph (Abiteboul, Preda & Cobena 2003).
//!
//! Every page starts with the same cash, with sum 1. Reading a page adds its cash to its history
//! and passes it on in equal parts over its links and one more, to a virtual page that links to all
//! pages. So every page can be reached from every other and no cash is lost. Pages are read
//! repeatedly, and important pages receive more cash:
//!
//! ```text
//! value(u) = (H(u) + C(u)) ÷ (G + 1),   H(u) = cash read on u so far,  C(u) = its current cash,  G = Σ H
//! ```
//!
//! All cash that reached a page was there at the start or was passed on to it, so C₀ + H·L = H + C,
//! where L is the matrix of shares and C₀ the initial cash. So a step of a surfer who walks like
//! the cash changes the values x by
//!
//! ```text
//! ‖x·L − x‖ = ‖C·L − C₀‖ ÷ (G + 1) ≤ 2 ÷ (G + 1)
//! ```
//!
//! which is the residual reported here: it decreases as more cash is read, in any order, but only
//! as 1 ÷ G. The paper's adaptive OPIC uses the history of a time window, for webs that change.
//! With H(u) ÷ G of such a window the residual is ‖C − C₀‖ ÷ G, with C₀ the cash at its start. If
//! pages are read in turn the cash converges, and a window of one sweep becomes arbitrarily exact.
//!
//! The virtual page is never read by a crawler, so its reads do not count. Its share is the same
//! for all pages and is stored as one number.
//!
//! The link to the virtual page makes x similar to PageRank with a surfer who jumps more often on
//! pages with few links. With `root:jump` (our choice) each page passes a fixed part to the virtual
//! page, and x is PageRank.

use super::{Graph, Ranker, RankerEntry, Ranking};
use crate::heap::{Heap, Item};
use crate::work::plain_sweeps;
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use crawl_world::{PageId, order};
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::choice(
        "order",
        "greedy",
        &[Cow::Borrowed("greedy"), Cow::Borrowed("cycle")],
        "Which page is read next: the one with most cash, or all in turn.",
    ),
    Param::choice(
        "root",
        "link",
        &[Cow::Borrowed("link"), Cow::Borrowed("jump")],
        "Share of the virtual page that links to all: link, as much as one link (the paper); jump, the \
         part 1 − d (our choice), as in PageRank.",
    ),
    Param::number("damping", 0.85, 0.0, 0.999, "d: share of the links with root:jump."),
    Param::choice(
        "window",
        "all",
        &[Cow::Borrowed("all"), Cow::Borrowed("sweep")],
        "Which history counts: all of it plus current cash, or that of the last sweep alone, which \
         converges fully if pages are read in turn.",
    ),
    Param::number(
        "tolerance",
        0.01,
        1e-14,
        0.5,
        "Convergence threshold: change by a step of a surfer, summed over all pages. With all history \
         it decreases only as 1 ÷ cash read.",
    ),
    Param::integer(
        "sweeps",
        200,
        1,
        10_000,
        "Maximum number of sweeps, each of as many reads as pages.",
    ),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "opic",
        "OPIC",
        EntryTexts {
            family: "Link structure",
            source: "Salari, Derhami & Paksima; Abiteboul, Preda & Cobena 2003",
            summary: "Total cash that a page receives when pages are read repeatedly",
            description: "Every page starts with the same cash. Reading a page adds its cash to its \
                history and shares it equally over its links and a virtual page, which shares over \
                all pages. No equations are solved and no graph is stored: a crawler that revisits \
                pages could compute it on the way. The histories converge to the share of time that \
                a surfer spends on each page. The share of links that leave the graph goes to the \
                virtual page (our choice).",
            formula: "value(u) ∝ H(u) + C(u),  H(u) = cash read on u so far, C(u) = its current cash",
            params: PARAMS,
        },
    ),
    sweeps,
    build: |params| {
        let damping = (params.text("root") == "jump").then(|| params.number("damping"));
        Box::new(Opic {
            is_greedy: params.text("order") == "greedy",
            damping,
            is_windowed: params.text("window") == "sweep",
            tolerance: params.number("tolerance"),
            sweeps: params.integer("sweeps"),
        })
    },
};

/// Sweeps over all links, about. With all history, values settle as 1 ÷ sweeps. With that of the last
/// sweep, they settle by a factor where pages are read in turn, and never where the richest is read.
fn sweeps(params: &Params) -> f64 {
    let (tolerance, most) = (params.number("tolerance"), params.number("sweeps"));
    let is_greedy = params.text("order") == "greedy";
    let settled = match (params.text("window"), params.text("root")) {
        ("sweep", _) if is_greedy => most,
        ("sweep", "jump") => plain_sweeps(tolerance, params.number("damping")),
        ("sweep", _) => plain_sweeps(tolerance, LINK_FACTOR),
        _ => 2.0 / tolerance,
    };
    settled.min(most) * if is_greedy { GREEDY_READ } else { READ_IN_TURN }
}

/// By how much a sweep brings values nearer with `root:link` (measured on generated webs).
const LINK_FACTOR: f64 = 0.9;
/// What reading every page costs, in sweeps over all links; greedily, for a heap that is kept in order.
const GREEDY_READ: f64 = 32.0;
const READ_IN_TURN: f64 = 4.0;

struct Opic {
    is_greedy: bool,
    /// Share of the links; `None` if the virtual page gets as much as one link.
    damping: Option<f64>,
    is_windowed: bool,
    tolerance: f64,
    sweeps: u32,
}

impl Ranker for Opic {
    fn rank(&self, graph: &Graph<'_>) -> Ranking {
        let n = graph.n_pages();
        let mut reading = Reading::new(graph, self.damping, self.is_greedy);
        let mut start = reading.cash();
        let mut residuals = Vec::new();
        let mut converged = n == 0;
        while !converged && residuals.len() < self.sweeps as usize {
            if self.is_windowed && !residuals.is_empty() {
                start = reading.cash();
                reading.history.fill(0.0);
            }
            let mut n_read = 0;
            while n_read < n {
                n_read += u32::from(reading.read_next() < n);
            }
            let residual = reading.residual(&start, self.is_windowed);
            residuals.push(residual);
            converged = residual < self.tolerance;
        }
        let mut values = reading.estimate(self.is_windowed);
        values.pop();
        super::scale(&mut values);
        Ranking { values, residuals, converged }
    }
}

/// State of repeated reading; the virtual page comes last.
struct Reading<'a> {
    graph: &'a Graph<'a>,
    damping: Option<f64>,
    /// Cash by page, minus `alike`.
    beyond: Vec<f64>,
    /// Cash given to all pages equally.
    alike: f64,
    /// Cash of the virtual page.
    root: f64,
    /// History by page, the virtual one last.
    history: Vec<f64>,
    /// The next page if they are read in turn.
    turn: u32,
    richest: Option<Richest>,
}

impl<'a> Reading<'a> {
    fn new(graph: &'a Graph<'a>, damping: Option<f64>, is_greedy: bool) -> Self {
        let n = graph.n_pages();
        Self {
            graph,
            damping,
            beyond: vec![0.0; n as usize],
            alike: 1.0 / f64::from(n),
            root: 0.0,
            history: vec![0.0; n as usize + 1],
            turn: 0,
            richest: is_greedy.then(|| Richest::new(n)),
        }
    }

    /// The cash of every page, the virtual one last.
    fn cash(&self) -> Vec<f64> {
        let pages = self.beyond.iter().map(|beyond| beyond + self.alike);
        pages.chain([self.root]).collect()
    }

    /// Unscaled importance of each page, the virtual one last.
    fn estimate(&self, is_windowed: bool) -> Vec<f64> {
        if is_windowed {
            return self.history.clone();
        }
        self.history.iter().zip(self.cash()).map(|(read, waits)| read + waits).collect()
    }

    /// Relative change of the estimate by a surfer's step, for a history that began with the cash
    /// `start`.
    fn residual(&self, start: &[f64], is_windowed: bool) -> f64 {
        let now = if is_windowed { self.cash() } else { self.passed_on() };
        let change: f64 = start.iter().zip(now).map(|(then, now)| (then - now).abs()).sum();
        change / self.estimate(is_windowed).iter().sum::<f64>()
    }

    /// All cash, passed on at once.
    fn passed_on(&self) -> Vec<f64> {
        let mut next = vec![self.root / f64::from(self.graph.n_pages()); self.beyond.len()];
        next.push(0.0);
        for (page, beyond) in (0..).map(PageId).zip(&self.beyond) {
            let cash = beyond + self.alike;
            let links = self.graph.links.links(page);
            let passed = cash * self.share(page);
            links.iter().for_each(|to| next[to.index()] += passed);
            next[self.beyond.len()] += cash - passed * links.len() as f64;
        }
        next
    }

    /// Share of its cash that a page passes along each link.
    fn share(&self, page: PageId) -> f64 {
        let degree = f64::from(self.graph.out_degree(page));
        match self.damping {
            Some(damping) => damping / degree.max(1.0),
            None => 1.0 / (degree + 1.0),
        }
    }

    /// Reads the next page and returns its number.
    fn read_next(&mut self) -> u32 {
        let n = self.graph.n_pages();
        let page = match &self.richest {
            Some(richest) => {
                let best = richest.heap.best().map_or(n, |item| item.id);
                // The virtual page is read when it has most cash.
                let cash = self.beyond.get(best as usize).map_or(0.0, |x| x + self.alike);
                if self.root > cash { n } else { best }
            }
            None => self.turn,
        };
        self.turn = if page >= n { 0 } else { page + 1 };
        if page >= n {
            self.history[n as usize] += self.root;
            self.alike += self.root / f64::from(n);
            self.root = 0.0;
        } else {
            self.read(PageId(page));
        }
        page
    }

    fn read(&mut self, page: PageId) {
        let cash = self.beyond[page.index()] + self.alike;
        self.history[page.index()] += cash;
        self.set(page, -self.alike);
        let passed = cash * self.share(page);
        let links = self.graph.links.links(page);
        for to in links {
            self.set(*to, self.beyond[to.index()] + passed);
        }
        self.root += cash - passed * links.len() as f64;
    }

    fn set(&mut self, page: PageId, beyond: f64) {
        self.beyond[page.index()] = beyond;
        if let Some(richest) = &mut self.richest {
            richest.set(page.0, beyond);
        }
    }
}

/// The page with most cash; ties go to the earlier one.
struct Richest {
    heap: Heap,
    places: Vec<u32>,
}

impl Richest {
    fn new(n_pages: u32) -> Self {
        let mut richest = Self { heap: Heap::default(), places: vec![0; n_pages as usize] };
        for page in 0..n_pages {
            let item = Item { key: order::rising(0.0), tie: page, id: page };
            richest.heap.push(item, &mut richest.places);
        }
        richest
    }

    fn set(&mut self, page: u32, beyond: f64) {
        // Adding 0 turns −0 into 0.
        let key = order::rising(beyond + 0.0);
        self.heap.update(self.places[page as usize], key, page, &mut self.places);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crawl_world::Csr;
    use proptest::prelude::*;

    /// Shares that each page passes to each other, the virtual page last, as a matrix.
    fn shares(graph: &Csr, damping: Option<f64>) -> Vec<Vec<f64>> {
        let n = graph.n_pages() as usize;
        let mut shares = vec![vec![0.0; n + 1]; n + 1];
        for (from, row) in shares.iter_mut().enumerate().take(n) {
            let links = graph.links(PageId(from as u32));
            let degree = links.len() as f64;
            let each = damping.map_or(1.0 / (degree + 1.0), |damping| damping / degree);
            links.iter().for_each(|to| row[to.index()] = each);
            row[n] = 1.0 - row.iter().sum::<f64>();
        }
        shares[n][..n].fill(1.0 / n as f64);
        shares
    }

    /// One step of a surfer who walks like the cash.
    fn step(shares: &[Vec<f64>], from: &[f64]) -> Vec<f64> {
        let to = |j: usize| shares.iter().zip(from).map(|(row, x)| row[j] * x).sum();
        (0..from.len()).map(to).collect()
    }

    /// Stationary distribution of that surfer; half of the steps are rests, to avoid periodicity.
    fn stationary(shares: &[Vec<f64>]) -> Vec<f64> {
        let n = shares.len();
        let mut x = vec![1.0 / n as f64; n];
        for _ in 0..4_000 {
            let next = step(shares, &x);
            x = x.iter().zip(next).map(|(x, next)| (x + next) / 2.0).collect();
        }
        x.pop();
        super::super::scale(&mut x);
        x
    }

    fn ranker(order: &str, damping: Option<f64>, is_windowed: bool, tolerance: f64) -> Opic {
        Opic { is_greedy: order == "greedy", damping, is_windowed, tolerance, sweeps: 10_000 }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn read_in_turn_it_comes_to_where_a_surfer_is_found(
            csr in random_graph(14), jump in prop::option::of(0.0..0.95),
        ) {
            let graph = Graph::new(&csr);
            let ranking = ranker("cycle", jump, true, 1e-12).rank(&graph);
            prop_assert!(ranking.converged);
            if csr.n_pages() > 0 {
                let wanted = stationary(&shares(&csr, jump));
                prop_assert!(distance(&ranking.values, &wanted) < 1e-9);
            }
            if let Some(damping) = jump {
                let wanted = power_iteration(&graph, damping, 700);
                prop_assert!(distance(&ranking.values, &wanted) < 1e-9, "it is PageRank");
            }
        }

        #[test]
        fn all_history_comes_as_near_as_it_says(csr in random_graph(14), greedy: bool, jump: bool) {
            let damping = jump.then_some(0.85);
            let order = if greedy { "greedy" } else { "cycle" };
            let ranking = ranker(order, damping, false, 0.002).rank(&Graph::new(&csr));
            prop_assert!(ranking.converged);
            if csr.n_pages() > 0 {
                // The walk forgets at least the part that is read on the virtual page.
                let wanted = stationary(&shares(&csr, damping));
                prop_assert!(distance(&ranking.values, &wanted) < 0.05);
            }
        }

        #[test]
        fn each_read_does_what_the_book_says(
            csr in random_graph(12), greedy: bool, jump: bool, n_reads in 1_usize..80,
        ) {
            let n = csr.n_pages() as usize;
            if n == 0 {
                return Ok(());
            }
            let damping = jump.then_some(0.85);
            let shares = shares(&csr, damping);
            let graph = Graph::new(&csr);
            let mut reading = Reading::new(&graph, damping, greedy);
            let start = reading.cash();
            let mut cash = start.clone();
            let mut history = vec![0.0; n + 1];
            for i in 0..n_reads {
                let page = reading.read_next() as usize;
                let most = cash.iter().copied().fold(0.0, f64::max);
                prop_assert!(!greedy || cash[page] > most - 1e-12, "the richest");
                prop_assert!(greedy || page == i % (n + 1), "in turn");
                let amount = std::mem::take(&mut cash[page]);
                history[page] += amount;
                cash.iter_mut().zip(&shares[page]).for_each(|(cash, share)| *cash += amount * share);
                prop_assert!(distance(&reading.cash(), &cash) < 1e-12);
                prop_assert!(distance(&reading.history, &history) < 1e-12);
            }
            // Change by a surfer's step.
            for is_windowed in [false, true] {
                let estimate = reading.estimate(is_windowed);
                let total: f64 = estimate.iter().sum();
                let x: Vec<f64> = estimate.iter().map(|part| part / total).collect();
                let residual = reading.residual(&start, is_windowed);
                prop_assert!((distance(&step(&shares, &x), &x) - residual).abs() < 1e-9);
                prop_assert!(residual <= 2.0 / total + 1e-12);
            }
        }
    }

    #[test]
    fn the_first_reads_of_a_star_by_hand() {
        // 0 and 1 link to 2. All have 1/3; the earliest goes first and gives half to 2, half to the
        // virtual page.
        let star = graph_of(&[vec![2], vec![2], vec![]]);
        let graph = Graph::new(&star);
        let mut reading = Reading::new(&graph, None, true);
        let order: Vec<u32> = (0..4).map(|_| reading.read_next()).collect();
        // Then 2 has 1/2 and gives all of it to the virtual page, which has 2/3 and is next; that
        // gives 2/9 to each, so that 1 has 5/9.
        assert_eq!(order, [0, 2, 3, 1]);
        let wanted = [1.0 / 3.0, 5.0 / 9.0, 1.0 / 2.0, 2.0 / 3.0];
        assert!(distance(&reading.history, &wanted) < 1e-12, "{:?}", reading.history);
    }

    #[test]
    fn no_pages_no_links_and_links_that_leave() {
        assert_eq!(
            ranker("greedy", None, false, 0.1).rank(&Graph::new(&Csr::default())).values,
            []
        );
        for order in ["greedy", "cycle"] {
            let ranking = ranker(order, None, false, 0.01).rank(&Graph::new(&graph_of(&[[]; 4])));
            assert!(ranking.converged, "{order}");
            // In greedy order, the virtual page comes in between and leaves them unequal for a
            // while.
            assert!(distance(&ranking.values, &[0.25; 4]) < 0.02, "{order} {ranking:?}");
        }
        // The other page gets a third of what the first one reads; it would be a half without the
        // link that leaves.
        let pair = graph_of(&[vec![1], vec![]]);
        let mut graph = Graph::new(&pair);
        graph.outside = vec![1, 0];
        let values = ranker("cycle", None, true, 1e-13).rank(&graph).values;
        assert!((values[1] / values[0] - 4.0 / 3.0).abs() < 1e-9, "{values:?}");
    }

    #[test]
    fn on_a_web_both_orders_come_to_the_same_and_jumps_make_it_pagerank() {
        assert_both_orders(&fixture_graph("town.edges.tsv", 120));
    }

    #[test]
    fn on_a_real_web_both_orders_come_to_the_same_and_jumps_make_it_pagerank() {
        let test = "on_a_real_web_both_orders_come_to_the_same_and_jumps_make_it_pagerank";
        if let Some(links) = real_graph(test, "harvard500/edges.tsv", 500) {
            assert_both_orders(&links);
        }
    }

    fn assert_both_orders(links: &Csr) {
        let graph = Graph::new(links);
        let limit = ranker("cycle", None, true, 1e-12).rank(&graph).values;
        for order in ["greedy", "cycle"] {
            let ranking = ranker(order, None, false, 0.002).rank(&graph);
            let error = distance(&ranking.values, &limit);
            assert!(ranking.converged && error < 0.02, "{order} {error}");
        }
        let values = ranker("cycle", Some(0.85), true, 1e-12).rank(&graph).values;
        assert!(distance(&values, &power_iteration(&graph, 0.85, 300)) < 1e-9);
    }
}
