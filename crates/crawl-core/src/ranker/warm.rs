//! PageRank of a growing graph, with warm starts.
//!
//! In the form y(u) = 1 + d·Σ over p → u of y(p)/O(p) (see `pagerank`), a discovered page changes
//! no other value, and a fetched page only adds what it passes on. So the previous values are
//! correct except for what newly fetched pages pass on; that is added to the waiting amounts and
//! solved from there (`relax`). Pages not yet fetched pass on nothing: they are left out and get
//! their values at the end.
//!
//! The normalised rank of every known page is then *defined* as
//!
//! ```text
//! score(u) = base + Σ over fetched p → u, in order of fetching, of share(p)
//! ```
//!
//! so that an explanation that adds up the same numbers gives the same score, to the last bit.

use super::NONE;
use super::relax::{Flow, Node, Rule};
use crate::work::sweeps_to_settle;

/// Relative accuracy; ranks equal in theory are equal after rounding.
const TOLERANCE: f64 = 5e-13;

/// Passes over all links that every refresh makes besides (measured on generated webs).
const PASSES: f64 = 5.0;

/// PageRank of a growing graph. A clone is a checkpoint.
#[derive(Clone, Debug)]
pub struct Warm {
    damping: f64,
    // By page.
    /// Row of each page, [`NONE`] before it is fetched.
    row_of: Vec<u32>,
    scores: Vec<f64>,
    base: f64,
    // By row, in the order pages were fetched.
    pages: Vec<u32>,
    /// `end` is the start of a row's links to pages not yet fetched.
    nodes: Vec<Node>,
    waiting: Vec<f64>,
    /// End of all links of each row.
    ends: Vec<u32>,
    /// Links of all rows. Links to fetched pages come first in a row and are stored as row numbers.
    targets: Vec<u32>,
    /// Rows with links to pages not yet fetched.
    open_rows: Vec<u32>,
    /// Number of rows at the last refresh.
    n_fresh: usize,
    settled: bool,
}

impl Warm {
    /// Approximate number of sweeps of a refresh.
    pub fn sweeps(damping: f64) -> f64 {
        PASSES + sweeps_to_settle(TOLERANCE, damping)
    }

    /// For a crawl before its first fetch.
    pub fn new(damping: f64) -> Self {
        Self {
            damping,
            row_of: Vec::new(),
            scores: Vec::new(),
            base: 0.0,
            pages: Vec::new(),
            nodes: Vec::new(),
            waiting: Vec::new(),
            ends: Vec::new(),
            targets: Vec::new(),
            open_rows: Vec::new(),
            n_fresh: 0,
            settled: true,
        }
    }

    /// Adds a fetched page with O(page) and its links, which may be fewer. A page added before is
    /// ignored.
    pub fn fetched(&mut self, page: u32, out_degree: u32, links: impl IntoIterator<Item = u32>) {
        if self.row_of(page) != NONE {
            return;
        }
        if self.row_of.len() <= page as usize {
            self.row_of.resize(page as usize + 1, NONE);
        }
        let row = self.pages.len() as u32;
        self.row_of[page as usize] = row;
        self.pages.push(page);
        let start = self.targets.len() as u32;
        self.targets.extend(links);
        self.ends.push(self.targets.len() as u32);
        let n_links = self.targets.len() as u32 - start;
        let degree = out_degree.max(n_links);
        let passes = if degree == 0 { 0.0 } else { self.damping / f64::from(degree) };
        let known = self.scores.get(page as usize);
        let value = known.map_or(1.0, |score| score / self.base);
        self.nodes.push(Node { value, passes, start, end: start });
        self.waiting.push(0.0);
        if n_links > 0 {
            self.open_rows.push(row);
        }
    }

    /// Ranks the first `n_pages` pages, which must include all fetched pages and link targets.
    pub fn refresh(&mut self, n_pages: u32) {
        let n_pages = n_pages.max(self.scores.len() as u32);
        if n_pages == 0 {
            return;
        }
        self.row_of.resize(self.row_of.len().max(n_pages as usize), NONE);
        self.close_links();
        self.pass_on(self.n_fresh);
        self.n_fresh = self.pages.len();
        let rule = Rule::new(self.damping, TOLERANCE);
        let (nodes, waiting) = (&mut self.nodes, &mut self.waiting);
        let mut flow = Flow { nodes, waiting, targets: &self.targets };
        self.settled = flow.settle(0..self.n_fresh, rule, &mut Vec::new());
        // Recompute the values, each as a sum in the order its parents were fetched, so that pages
        // with the same parents have bitwise equal values.
        self.waiting.fill(1.0);
        self.pass_on(0);
        for (node, value) in self.nodes.iter_mut().zip(&self.waiting) {
            node.value = *value;
        }
        self.score(n_pages as usize);
    }

    /// Rank of a page without links to it: from jumps and from pages without links.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// Share that a fetched page passes along each of its links; 0 before the next refresh.
    #[inline]
    pub fn share(&self, page: u32) -> f64 {
        let row = self.row_of(page) as usize;
        if row < self.n_fresh { self.share_of(&self.nodes[row]) } else { 0.0 }
    }

    /// Rank of every page at the last refresh.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// False if the last refresh did not converge.
    pub fn converged(&self) -> bool {
        self.settled
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        let by_page = self.row_of.capacity() * 4 + self.scores.capacity() * 8;
        let by_row = (self.pages.capacity() + self.ends.capacity() + self.open_rows.capacity()) * 4
            + self.waiting.capacity() * 8
            + self.nodes.capacity() * size_of::<Node>();
        by_page + by_row + self.targets.capacity() * 4
    }

    fn row_of(&self, page: u32) -> u32 {
        self.row_of.get(page as usize).copied().unwrap_or(NONE)
    }

    fn share_of(&self, node: &Node) -> f64 {
        node.value * node.passes * self.base
    }

    /// Turns links to newly fetched pages into links to rows.
    fn close_links(&mut self) {
        let Self { open_rows, nodes, ends, targets, row_of, .. } = self;
        open_rows.retain(|row| {
            let open = &mut nodes[*row as usize].end;
            let end = ends[*row as usize];
            for at in *open..end {
                let target = row_of[targets[at as usize] as usize];
                if target != NONE {
                    targets.swap(at as usize, *open as usize);
                    targets[*open as usize] = target;
                    *open += 1;
                }
            }
            *open < end
        });
    }

    /// Adds what the rows from `first` on pass on to the waiting amounts of the targets.
    fn pass_on(&mut self, first: usize) {
        for node in &self.nodes[first..] {
            let passed = node.value * node.passes;
            for to in &self.targets[node.start as usize..node.end as usize] {
                self.waiting[*to as usize] += passed;
            }
        }
    }

    /// Computes base, shares and scores from the values.
    fn score(&mut self, n_pages: usize) {
        let flow = self.nodes.iter().zip(&self.ends);
        let passed: f64 =
            flow.map(|(node, end)| node.value * node.passes * f64::from(end - node.start)).sum();
        self.base = 1.0 / (n_pages as f64 + passed);
        self.scores.clear();
        self.scores.resize(n_pages, self.base);
        self.waiting.fill(self.base);
        for (node, end) in self.nodes.iter().zip(&self.ends) {
            let share = self.share_of(node);
            for to in &self.targets[node.start as usize..node.end as usize] {
                self.waiting[*to as usize] += share;
            }
            for to in &self.targets[node.end as usize..*end as usize] {
                self.scores[*to as usize] += share;
            }
        }
        for ((page, waiting), node) in self.pages.iter().zip(&mut self.waiting).zip(&self.nodes) {
            self.scores[*page as usize] = *waiting;
            // The remaining error, close to 0.
            *waiting = *waiting / self.base - node.value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::Graph;
    use crate::ranker::testing::*;
    use crawl_world::{Csr, PageId, Rng};
    use proptest::prelude::*;

    /// A crawl in random order, with the number of known pages at each step. Pages are numbered by
    /// discovery.
    struct Crawl<'a> {
        web: &'a Csr,
        numbers: Vec<u32>,
        known: Vec<u32>,
        waiting: Vec<u32>,
        /// Page number, O, links.
        fetched: Vec<(u32, u32, Vec<u32>)>,
        rng: Rng,
    }

    impl<'a> Crawl<'a> {
        fn new(web: &'a Csr, seeds: u32, rng: u64) -> Self {
            let mut crawl = Self {
                web,
                numbers: vec![NONE; web.n_pages() as usize],
                known: vec![],
                waiting: vec![],
                fetched: vec![],
                rng: Rng::new(rng, "crawl"),
            };
            (0..seeds.min(web.n_pages())).for_each(|page| crawl.discover(page));
            crawl
        }

        fn discover(&mut self, page: u32) {
            if self.numbers[page as usize] == NONE {
                self.numbers[page as usize] = self.known.len() as u32;
                self.known.push(page);
                self.waiting.push(page);
            }
        }

        /// Fetches a page; some of its links leave the web.
        fn step(&mut self) -> bool {
            if self.waiting.is_empty() {
                return false;
            }
            let which = self.rng.below(self.waiting.len() as u32);
            let page = self.waiting.remove(which as usize);
            let links: Vec<u32> = self.web.links(PageId(page)).iter().map(|to| to.0).collect();
            links.iter().for_each(|to| self.discover(*to));
            let links: Vec<u32> = links.iter().map(|to| self.numbers[*to as usize]).collect();
            let degree = links.len() as u32 + page % 3;
            self.fetched.push((self.numbers[page as usize], degree, links));
            true
        }

        fn ranks(&self, damping: f64) -> Vec<f64> {
            let mut rows = vec![vec![]; self.known.len()];
            let mut outside = vec![0; self.known.len()];
            for (page, degree, links) in &self.fetched {
                rows[*page as usize].clone_from(links);
                outside[*page as usize] = degree - links.len() as u32;
            }
            power_iteration(&Graph { links: &graph_of(&rows), outside }, damping, 500)
        }
    }

    fn check(warm: &Warm, crawl: &Crawl<'_>, damping: f64) {
        assert!(warm.converged());
        let expected = crawl.ranks(damping);
        assert_eq!(warm.scores().len(), expected.len());
        for (page, (score, expected)) in warm.scores().iter().zip(&expected).enumerate() {
            assert!((score - expected).abs() < 1e-12 * expected, "{page}: {score} {expected}");
            let parents = crawl.fetched.iter().filter(|(.., links)| links.contains(&(page as u32)));
            let sum = parents.fold(warm.base(), |sum, (parent, ..)| sum + warm.share(*parent));
            assert_eq!(*score, sum, "the score is the sum of its parts");
        }
    }

    #[test]
    fn before_anything_is_fetched_all_known_pages_are_equal() {
        let mut warm = Warm::new(0.85);
        warm.refresh(0);
        assert!(warm.scores().is_empty());
        warm.refresh(4);
        assert_eq!(warm.scores(), [0.25; 4]);
        assert_eq!((warm.base(), warm.share(0), warm.share(9)), (0.25, 0.0, 0.0));
        warm.fetched(2, 0, []);
        warm.refresh(4);
        assert_eq!(warm.scores(), [0.25; 4]);
    }

    #[test]
    fn a_page_fetched_again_keeps_its_links() {
        let mut warm = Warm::new(0.85);
        warm.fetched(0, 2, [1, 2]);
        warm.refresh(3);
        let scores = warm.scores().to_vec();
        warm.fetched(0, 1, [1]);
        warm.refresh(3);
        assert_eq!(warm.scores(), scores);
    }

    proptest! {
        #[test]
        fn agrees_with_a_cold_start_at_every_refresh(
            web in random_graph(40), seeds in 1_u32..4, rng: u64, every in 1_usize..6, damping in 0.0..0.9,
        ) {
            let mut crawl = Crawl::new(&web, seeds, rng);
            let mut warm = Warm::new(damping);
            let mut n_added = 0;
            while crawl.step() {
                if crawl.fetched.len().is_multiple_of(every) {
                    for (page, degree, links) in &crawl.fetched[n_added..] {
                        warm.fetched(*page, *degree, links.iter().copied());
                    }
                    n_added = crawl.fetched.len();
                    warm.refresh(crawl.known.len() as u32);
                    check(&warm, &crawl, damping);
                }
            }
        }

        #[test]
        fn a_checkpoint_goes_on_as_the_original_did(web in random_graph(30), rng: u64) {
            let mut crawl = Crawl::new(&web, 1, rng);
            let mut warm = Warm::new(0.85);
            let mut checkpoints = vec![];
            let mut scores = vec![];
            while crawl.step() {
                checkpoints.push(warm.clone());
                let (page, degree, links) = &crawl.fetched[crawl.fetched.len() - 1];
                warm.fetched(*page, *degree, links.iter().copied());
                warm.refresh(crawl.known.len() as u32);
                scores.push(warm.scores().to_vec());
            }
            for (i, mut warm) in checkpoints.into_iter().enumerate() {
                let (page, degree, links) = &crawl.fetched[i];
                warm.fetched(*page, *degree, links.iter().copied());
                warm.refresh(scores[i].len() as u32);
                prop_assert_eq!(warm.scores(), &scores[i]);
            }
        }
    }
}
