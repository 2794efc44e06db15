//! Links in drawing order, and an index of links by node.
//!
//! A million links take too long for one task of the main thread, so they are indexed in slices.

use crate::texture_rows::TextureRows;

/// Builds the drawing order and the index, in slices.
#[derive(Debug, Default)]
pub(crate) struct LinkIndexer {
    pairs: Vec<u32>,
    spread: Spread,
    out: Sorting,
    back: Sorting,
}

impl LinkIndexer {
    /// Starts with links between `n_nodes` nodes, as pairs.
    pub fn new(n_nodes: usize, pairs: Vec<u32>) -> Self {
        let n_links = pairs.len() / 2;
        let sorting = || Sorting::new(n_nodes, n_links);
        Self { pairs, spread: Spread::new(n_links), out: sorting(), back: sorting() }
    }

    /// Processes about `n` links; returns the index when complete.
    pub fn work(&mut self, mut n: usize, order: &mut TextureRows<u32, 2>) -> Option<Links> {
        let pairs = self.pairs.as_chunks::<2>().0;
        while let Some(at) = self.spread.next().filter(|_| n > 0) {
            order.push(pairs[at]);
            self.spread.advance();
            n -= 1;
        }
        n = self.out.work(pairs, |&[from, to]| (from, to), n);
        n = self.back.work(pairs, |&[from, to]| (to, from), n);
        let is_done = n > 0 || pairs.is_empty();
        is_done.then(|| Links {
            out: std::mem::take(&mut self.out).table,
            back: std::mem::take(&mut self.back).table,
        })
    }
}

/// A permutation of the links: every prefix is an even sample.
#[derive(Debug, Default)]
struct Spread {
    n: usize,
    n_left: usize,
    stride: usize,
    next: usize,
}

impl Spread {
    fn new(n: usize) -> Self {
        // A stride near n / golden ratio that is coprime to n visits every link once.
        let mut stride = ((n as f64) * 0.618_034) as usize;
        while n > 1 && common_divisor(n, stride) != 1 {
            stride += 1;
        }
        Self { n, n_left: n, stride, next: 0 }
    }

    fn next(&self) -> Option<usize> {
        (self.n_left > 0).then_some(self.next)
    }

    fn advance(&mut self) {
        self.n_left -= 1;
        self.next += self.stride;
        self.next -= if self.next >= self.n { self.n } else { 0 };
    }
}

fn common_divisor(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Links by node.
#[derive(Debug, Default)]
pub(crate) struct Links {
    out: Table,
    back: Table,
}

impl Links {
    /// The nodes a node links to.
    pub fn from(&self, node: u32) -> &[u32] {
        self.out.row(node)
    }

    /// The nodes that link to a node.
    pub fn to(&self, node: u32) -> &[u32] {
        self.back.row(node)
    }
}

#[derive(Debug, Default)]
struct Table {
    /// Start of each node's row, plus the end of the last.
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Table {
    fn row(&self, node: u32) -> &[u32] {
        match self.starts.get(node as usize..) {
            Some(&[start, end, ..]) => &self.others[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// A table under construction: counts rows, then fills them (counting sort).
#[derive(Debug, Default)]
struct Sorting {
    table: Table,
    n_counted: usize,
    n_filled: usize,
}

impl Sorting {
    fn new(n_nodes: usize, n_links: usize) -> Self {
        let table = Table { starts: vec![0; n_nodes + 1], others: vec![0; n_links] };
        Self { table, n_counted: 0, n_filled: 0 }
    }

    /// Processes at most `n` links, given as (node, other node); returns the unused rest of `n`.
    fn work(
        &mut self,
        pairs: &[[u32; 2]],
        ends: impl Fn(&[u32; 2]) -> (u32, u32),
        mut n: usize,
    ) -> usize {
        let Table { starts, others } = &mut self.table;
        let slice = &pairs[self.n_counted..][..n.min(pairs.len() - self.n_counted)];
        for pair in slice {
            starts[ends(pair).0 as usize] += 1;
        }
        self.n_counted += slice.len();
        n -= slice.len();
        if self.n_counted < pairs.len() {
            return n;
        }
        if !slice.is_empty() {
            let mut n_before = 0;
            for start in starts.iter_mut() {
                n_before += *start;
                *start = n_before;
            }
        }
        let slice = &pairs[self.n_filled..][..n.min(pairs.len() - self.n_filled)];
        for pair in slice {
            let (node, other) = ends(pair);
            let start = &mut starts[node as usize];
            *start -= 1;
            others[*start as usize] = other;
        }
        self.n_filled += slice.len();
        n - slice.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indexes links in slices of `n`.
    fn indexed(n_nodes: usize, pairs: &[u32], n: usize) -> (Vec<u32>, Links) {
        let (mut indexer, mut order) =
            (LinkIndexer::new(n_nodes, pairs.to_vec()), TextureRows::default());
        loop {
            if let Some(links) = indexer.work(n, &mut order) {
                return (order.values().to_vec(), links);
            }
        }
    }

    fn sorted(nodes: &[u32]) -> Vec<u32> {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        nodes
    }

    #[test]
    fn links_are_known_from_both_ends_however_they_are_sliced() {
        let pairs = [0, 1, 2, 1, 0, 3, 1, 1];
        let (whole, _) = indexed(4, &pairs, usize::MAX);
        for n in [1, 2, 3, 4, 5, 7, 19, 20, 21, usize::MAX] {
            let (order, links) = indexed(4, &pairs, n);
            assert_eq!(order, whole);
            assert_eq!(sorted(links.from(0)), [1, 3]);
            assert_eq!(sorted(links.to(1)), [0, 1, 2]);
            assert!(links.from(3).is_empty() && links.from(9).is_empty());
            assert!(links.to(u32::MAX).is_empty());
        }
        assert!(indexed(3, &[], 1).1.from(0).is_empty());
    }

    #[test]
    fn spreading_keeps_every_link() {
        for n in [0u32, 1, 2, 3, 10, 610, 1000] {
            let pairs: Vec<u32> = (0..n).flat_map(|i| [i, i]).collect();
            let (order, _) = indexed(n as usize, &pairs, 100);
            let mut spread: Vec<u32> = order.iter().copied().step_by(2).collect();
            if n == 1000 {
                let halves = spread[..100].iter().filter(|&&i| i < 500).count();
                assert!((40..=60).contains(&halves), "{halves} of 100 from the first half");
            }
            spread.sort_unstable();
            assert!(spread.iter().copied().eq(0..n));
        }
    }
}
