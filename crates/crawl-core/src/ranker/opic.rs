//! OPIC over a whole graph (Abiteboul, Preda & Cobena 2003).
//!
//! Every page starts with the same cash, together 1. Reading a page notes its cash in its history and
//! passes it on: in equal parts over its links and one more, to a virtual page that links to all
//! pages, so that every page can be reached from every other and no cash is lost. Pages are read
//! again and again, and the more important pages see more cash:
//!
//! ```text
//! value(u) = (H(u) + C(u)) ÷ (G + 1),   H(u) = all cash that was read on u,  C(u) = what waits,  G = Σ H
//! ```
//!
//! What came to a page was there at first or was passed on to it, so C₀ + H·L = H + C, with L the shares
//! that pages pass on and C₀ the cash at first. So a step of a surfer who walks as the cash does would
//! change the values x by
//!
//! ```text
//! ‖x·L − x‖ = ‖C·L − C₀‖ ÷ (G + 1) ≤ 2 ÷ (G + 1)
//! ```
//!
//! which is the residual told here: it falls as more cash is read, in whatever order, but only as
//! 1 ÷ G. The paper's adaptive OPIC counts the history of a window of time, for webs that change. With
//! H(u) ÷ G of such a window the residual is ‖C − C₀‖ ÷ G, with C₀ the cash when it began. When pages are
//! read in turn the cash settles, and a window of a single sweep comes as near as anyone likes.
//!
//! The virtual page is never read by a crawler, so its reads count nothing; what it shares out is the
//! same for all pages and is kept as one number.
//!
//! That virtual link makes of x something like PageRank whose surfer jumps the more often the fewer
//! links a page has. With `root:jump` (ours) each page passes a fixed part to the virtual page and x is
//! PageRank.

use super::{Graph, Ranker, RankerEntry, Ranking};
use crate::heap::{Heap, Item};
use crawl_catalogue::{Entry, EntryTexts, Param};
use crawl_world::{PageId, order};
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::choice(
        "order",
        "greedy",
        &[Cow::Borrowed("greedy"), Cow::Borrowed("cycle")],
        "Which page is read next: the one with the most cash, or all of them in turn.",
    ),
    Param::choice(
        "root",
        "link",
        &[Cow::Borrowed("link"), Cow::Borrowed("jump")],
        "What goes to the virtual page that links to all: as much as over one link (the paper), or \
         the part 1 − d (ours), which is PageRank's surfer.",
    ),
    Param::number("damping", 0.85, 0.0, 0.999, "The part d that links get with root:jump."),
    Param::choice(
        "window",
        "all",
        &[Cow::Borrowed("all"), Cow::Borrowed("sweep")],
        "Which history counts: all of it with what waits, or that of the last sweep alone, which \
         settles fully when pages are read in turn.",
    ),
    Param::number(
        "tolerance",
        0.01,
        1e-14,
        0.5,
        "The values have settled when a step of a surfer would change them by less, summed over all \
         pages. With all history this falls only as one over the cash read.",
    ),
    Param::integer("sweeps", 200, 1, 10_000, "Most sweeps, of as many reads as there are pages."),
];

pub(super) const ENTRY: RankerEntry = RankerEntry {
    entry: Entry::new(
        "opic",
        "OPIC",
        EntryTexts {
            family: "Link structure",
            source: "Salari, Derhami & Paksima (E); Abiteboul, Preda & Cobena 2003",
            summary: "All the cash that ever came to a page, when pages are read over and over",
            description: "Every page starts with the same cash. Reading a page notes its cash in \
                its history and shares it out equally over its links and a virtual page, which \
                shares out over all pages. Nothing is solved and no graph need be stored: a crawler \
                that revisits pages could do it on the way, and its histories come ever nearer to \
                the share of time a surfer would spend on each page. What links that leave the graph would get goes to the virtual \
                page (ours).",
            formula: "value(u) ∝ H(u) + C(u),  H(u) = all cash that was read on u, C(u) = what waits",
            params: PARAMS,
        },
    ),
    // Values settle as 1 ÷ sweeps; a read and its links cost more than others do, for a heap.
    sweeps: |params| 32.0 * (2.0 / params.number("tolerance")).min(params.number("sweeps")),
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

struct Opic {
    is_greedy: bool,
    /// The part that links get; nothing where the virtual page gets as much as one link.
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

/// Pages that are read over and over; the virtual one comes after all others.
struct Reading<'a> {
    graph: &'a Graph<'a>,
    damping: Option<f64>,
    /// By page, less what all were given alike.
    beyond: Vec<f64>,
    /// What all were given alike.
    alike: f64,
    /// The virtual page's.
    root: f64,
    /// By page, the virtual one last.
    history: Vec<f64>,
    /// The page to be read next when they are read in turn.
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

    /// The cash of every page, that of the virtual one last.
    fn cash(&self) -> Vec<f64> {
        let pages = self.beyond.iter().map(|beyond| beyond + self.alike);
        pages.chain([self.root]).collect()
    }

    /// What tells how important each page is, the virtual one last.
    fn estimate(&self, is_windowed: bool) -> Vec<f64> {
        if is_windowed {
            return self.history.clone();
        }
        self.history.iter().zip(self.cash()).map(|(read, waits)| read + waits).collect()
    }

    /// What a surfer's step would change in that, as a part of it all, since there was the cash of
    /// `start` and no history.
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

    /// The part of its cash that a page passes on along each link.
    fn share(&self, page: PageId) -> f64 {
        let degree = f64::from(self.graph.out_degree(page));
        match self.damping {
            Some(damping) => damping / degree.max(1.0),
            None => 1.0 / (degree + 1.0),
        }
    }

    /// Reads the page whose turn it is and says which it was.
    fn read_next(&mut self) -> u32 {
        let n = self.graph.n_pages();
        let page = match &self.richest {
            Some(richest) => {
                let best = richest.heap.best().map_or(n, |item| item.id);
                // The virtual page's cash grows when others are read, so it has its turn.
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

/// Which page has the most cash; of equals the earlier.
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
        // Adding 0 makes one zero of two.
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

    /// What each page passes on to each, the virtual page last, as a full matrix.
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

    /// One step of a surfer who walks as the cash does.
    fn step(shares: &[Vec<f64>], from: &[f64]) -> Vec<f64> {
        let to = |j: usize| shares.iter().zip(from).map(|(row, x)| row[j] * x).sum();
        (0..from.len()).map(to).collect()
    }

    /// Where that surfer is found: half of the steps are rests, so that nothing goes round.
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
            // What a surfer's step would change.
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
            // Read greedily, the virtual page comes in between and leaves them unequal for a while.
            assert!(distance(&ranking.values, &[0.25; 4]) < 0.02, "{order} {ranking:?}");
        }
        // The other page gets a third of what the first one reads, where a half would be without
        // the link that leaves.
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
