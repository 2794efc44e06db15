//! GPU data of one lane, updated from its [`Record`].
//!
//! Nodes are pages: a list of the nodes in discovery order, each with the step of its fetch. At
//! step s the nodes discovered so far are drawn as waiting, except those that the shader finds
//! fetched at s or earlier; these are drawn from a second list, in fetch order. Both lists are the
//! same for all steps, so seeking costs nothing.
//!
//! Nodes are hosts: the number of pages fetched and discovered per node at the current step.
//! Seeking adds or subtracts the events in between.
//!
//! In both cases the discovery tree is a list of pairs (fetched node, discovered node) in fetch
//! order, of which a prefix is drawn.

use crate::graph::{NONE, Nodes, StageGraph};
use crate::record::{NEVER, Record};
use crate::texture_rows::{TextureRows, WIDTH};

/// Maximum number of discovered, and of fetched, pages processed per call: a few milliseconds.
const PAGES_PER_SLICE: usize = 10_000;

/// The GPU data of one lane.
#[derive(Debug, Default)]
pub(crate) struct LaneBuffers {
    /// Pages: node and fetch step, in discovery order. Hosts: pages fetched and found, by node.
    pub list: TextureRows<u32, 2>,
    /// Pages: node and fetch step, in fetch order.
    pub fetched: TextureRows<u32, 2>,
    /// The discovery tree.
    pub tree: TextureRows<u32, 2>,
    /// Highlighted links: of the current node, then of the selected node.
    pub highlighted: TextureRows<u32, 2>,
    /// Normalised value of each node, 0 to 1, below 0 for none; empty if values are not shown.
    pub values: TextureRows<f32, 1>,
    n_highlighted: [usize; 2],
    highlighted_of: Option<[u32; 2]>,
    record: u64,
    n_steps: usize,
    n_found: usize,
    /// Discovery step of each list entry; for hosts, of each page.
    found_steps: Vec<u32>,
    /// Fetch step of each `fetched` entry.
    fetched_steps: Vec<u32>,
    /// Fetch step of each pair of the tree.
    tree_steps: Vec<u32>,
    /// The node fetched by each step.
    nodes: Vec<u32>,
    /// Pages: index of each node in the list.
    entries: Vec<u32>,
    hosts: Hosts,
}

/// Counts by host.
#[derive(Debug, Default)]
struct Hosts {
    /// The node of each discovered page, in discovery order.
    found: Vec<u32>,
    /// The node of each step that fetched a page for the first time, else none.
    fetched: Vec<u32>,
    /// The step of the current counts.
    step: u32,
    /// Number of pages discovered by then.
    n_found: usize,
    /// Whether any page of the node was fetched.
    is_entered: Vec<bool>,
}

impl LaneBuffers {
    /// Removes all data.
    pub fn clear(&mut self) {
        let Self { list, fetched, tree, highlighted, values, .. } = std::mem::take(self);
        (self.list, self.fetched, self.tree, self.highlighted) = (list, fetched, tree, highlighted);
        self.values = values;
        self.arrays().into_iter().for_each(TextureRows::clear);
        self.values.clear();
    }

    /// Marks all data as not uploaded.
    pub fn mark_dirty(&mut self) {
        self.arrays().into_iter().for_each(TextureRows::mark_dirty);
        self.values.mark_dirty();
    }

    /// All arrays, in the order of their texture units.
    pub fn arrays(&mut self) -> [&mut TextureRows<u32, 2>; 4] {
        [&mut self.list, &mut self.fetched, &mut self.tree, &mut self.highlighted]
    }

    /// Processes new steps of a record, or all steps of another record, in slices.
    ///
    /// Returns whether everything is processed.
    pub fn update(&mut self, record: &Record, graph: &StageGraph) -> bool {
        let is_longer =
            record.pages().len() >= self.n_steps && record.found().len() >= self.n_found;
        if self.record != record.id() || !is_longer {
            // Values are set per frame, before or after the record.
            let values = std::mem::take(&mut self.values);
            self.clear();
            (self.record, self.values) = (record.id(), values);
            self.entries.resize(graph.n_nodes(), NONE);
            if graph.nodes == Nodes::Hosts {
                self.hosts.is_entered.resize(graph.n_nodes(), false);
                for _ in 0..graph.n_nodes() {
                    self.list.push([0, 0]);
                }
            }
        }
        let found = &record.found()[self.n_found..];
        for &page in &found[..found.len().min(PAGES_PER_SLICE)] {
            let Some(node) = graph.node_of(page) else { continue };
            self.found_steps.push(record.found_at(page));
            match graph.nodes {
                Nodes::Pages => {
                    self.entries[node as usize] = self.list.len() as u32;
                    self.list.push([node, NEVER]);
                }
                Nodes::Hosts => self.hosts.found.push(node),
            }
        }
        self.n_found += found.len().min(PAGES_PER_SLICE);
        // Pages are discovered before they are fetched: finish the discoveries first.
        if self.n_found < record.found().len() {
            return false;
        }
        for (i, &page) in record.pages().iter().enumerate().skip(self.n_steps).take(PAGES_PER_SLICE)
        {
            let step = i as u32 + 1;
            let node = graph.node_of(page).unwrap_or(NONE);
            self.nodes.push(node);
            let is_first = record.fetched_at(page) == step && node != NONE;
            if graph.nodes == Nodes::Hosts {
                self.hosts.fetched.push(if is_first { node } else { NONE });
            }
            if is_first {
                self.fetch(step, node, record, page, graph);
            }
        }
        self.n_steps = record.pages().len().min(self.n_steps + PAGES_PER_SLICE);
        self.n_steps == record.pages().len()
    }

    fn fetch(&mut self, step: u32, node: u32, record: &Record, page: u32, graph: &StageGraph) {
        if let Some(entered) = self.hosts.is_entered.get_mut(node as usize) {
            if std::mem::replace(entered, true) {
                return;
            }
        } else if let Some(&entry) = self.entries.get(node as usize) {
            self.list.set(entry as usize, [node, step]);
            self.fetched.push([node, step]);
            self.fetched_steps.push(step);
        }
        let from = record.found_by(page).and_then(|by| graph.node_of(by));
        if let Some(from) = from.filter(|&from| from != node) {
            self.tree.push([from, node]);
            self.tree_steps.push(step);
        }
    }

    /// Clamps a step to the received ones.
    pub fn clamped(&self, step: u32) -> u32 {
        step.min(self.n_steps as u32)
    }

    /// Number of list entries drawn at a step, if nodes are pages.
    pub fn n_listed(&self, step: u32) -> usize {
        self.found_steps.partition_point(|&at| at <= step).min(self.list.len())
    }

    /// Number of nodes fetched by a step, if nodes are pages.
    pub fn n_fetched(&self, step: u32) -> usize {
        self.fetched_steps.partition_point(|&at| at <= step).min(self.fetched.len())
    }

    /// Number of tree pairs drawn at a step.
    pub fn n_tree(&self, step: u32) -> usize {
        self.tree_steps.partition_point(|&at| at <= step).min(self.tree.len())
    }

    /// The node fetched by a step.
    pub fn node_at(&self, step: u32) -> Option<u32> {
        let node = *self.nodes.get((step as usize).checked_sub(1)?)?;
        (node != NONE).then_some(node)
    }

    /// Updates the counts by host to a step.
    pub fn seek(&mut self, step: u32) {
        let step = step.min(self.n_steps as u32);
        let n_found = self.found_steps.partition_point(|&at| at <= step);
        let Hosts { found, fetched, step: before, n_found: n_before, .. } = &mut self.hosts;
        let mut count = |node: u32, change: [i32; 2]| {
            if let Some([n_fetched, n_found]) = self.list.get(node as usize) {
                let [by_fetch, by_find] = change;
                let counts =
                    [n_fetched.wrapping_add_signed(by_fetch), n_found.wrapping_add_signed(by_find)];
                self.list.set(node as usize, counts);
            }
        };
        let (from, to) = (*before as usize, step as usize);
        fetched.get(from..to).into_iter().flatten().for_each(|&node| count(node, [1, 0]));
        fetched.get(to..from).into_iter().flatten().for_each(|&node| count(node, [-1, 0]));
        let (from, to) = (*n_before, n_found);
        found.get(from..to).into_iter().flatten().for_each(|&node| count(node, [0, 1]));
        found.get(to..from).into_iter().flatten().for_each(|&node| count(node, [0, -1]));
        *before = step;
        *n_before = n_found;
    }

    /// The counts by host at a step, computed from the start.
    pub fn counts_at(&self, step: u32) -> Vec<[u32; 2]> {
        let mut counts = vec![[0; 2]; self.list.len()];
        let n_found = self.found_steps.partition_point(|&at| at <= step);
        let fetched = self.hosts.fetched.iter().take(step as usize).map(|&node| (node, 0));
        let found = self.hosts.found.iter().take(n_found).map(|&node| (node, 1));
        for (node, which) in fetched.chain(found) {
            if let Some(count) = counts.get_mut(node as usize) {
                count[which] += 1;
            }
        }
        counts
    }

    /// Highlights the links of the current and of the selected node, at most one texture row.
    pub fn highlight<'a, I: Iterator<Item = [u32; 2]> + 'a>(
        &mut self,
        of: [Option<u32>; 2],
        links: impl Fn(usize, u32) -> I,
    ) {
        let of = of.map(|node| node.unwrap_or(NONE));
        if self.highlighted_of != Some(of) {
            self.highlighted.clear();
            for (i, &node) in of.iter().enumerate() {
                let before = self.highlighted.len();
                if node != NONE {
                    let room = if i == 0 { WIDTH / 2 } else { WIDTH - before };
                    links(i, node).take(room).for_each(|link| self.highlighted.push(link));
                }
                self.n_highlighted[i] = self.highlighted.len() - before;
            }
            self.highlighted_of = Some(of);
        }
    }

    /// Recomputes the highlighted links on the next call.
    pub fn refresh_highlights(&mut self) {
        self.highlighted_of = None;
    }

    /// Number of highlighted links: of the current node, and of the selected node.
    pub fn n_highlighted(&self) -> [usize; 2] {
        self.n_highlighted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let mut record = Record::new(5);
        record
            .push(0, &[0, 2], &[1.0, 2.0], &[0.0; 2], &[2, 2, 1], &[0, 1, 2, 3, 4])
            .expect("fits");
        record
    }

    fn pages() -> StageGraph {
        StageGraph { sizes: vec![0.0; 5], ..StageGraph::default() }
    }

    #[test]
    fn pages_are_listed_as_they_were_found() {
        let (mut lane, mut record) = (LaneBuffers::default(), record());
        assert!(lane.update(&record, &pages()));
        assert_eq!(lane.list.values(), [0, 1, 1, NEVER, 2, 2, 3, NEVER, 4, NEVER]);
        assert_eq!([0, 1, 2, 9].map(|step| lane.n_listed(step)), [2, 4, 5, 5]);
        assert_eq!(lane.fetched.values(), [0, 1, 2, 2]);
        assert_eq!([0, 1, 2, 9].map(|step| lane.n_fetched(step)), [0, 1, 2, 2]);
        assert_eq!(lane.tree.values(), [0, 2]);
        assert_eq!([0, 1, 2].map(|step| lane.n_tree(step)), [0, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|step| lane.node_at(step)), [None, Some(0), Some(2), None]);
        lane.list.take_dirty(|_, _| {});
        lane.update(&record, &pages());
        assert!(!lane.list.is_dirty(), "nothing new");
        record.push(2, &[4, 2], &[3.0, 4.0], &[0.0; 2], &[0, 0], &[]).expect("fits");
        lane.update(&record, &pages());
        assert_eq!(lane.list.get(4), Some([4, 3]));
        assert_eq!(lane.list.get(2), Some([2, 2]), "the first time counts");
        assert_eq!((lane.tree.values(), lane.clamped(9)), (&[0, 2, 2, 4][..], 4));
    }

    #[test]
    fn values_set_before_the_run_are_kept() {
        let mut lane = LaneBuffers::default();
        lane.values.replace(&[0.5; 5]);
        assert!(lane.update(&record(), &pages()));
        assert_eq!(lane.values.values(), [0.5; 5]);
        assert!(lane.update(&record(), &pages()), "another run, whose values came first");
        assert_eq!(lane.values.len(), 5);
        lane.clear();
        assert_eq!(lane.values.len(), 0);
    }

    #[test]
    fn a_long_run_is_processed_in_slices() {
        let n = 3 * PAGES_PER_SLICE as u32 + 7;
        let order: Vec<u32> = (0..n).collect();
        let (seconds, mut counts) = (vec![0.0; n as usize], vec![0; n as usize + 1]);
        counts[0] = n;
        let mut record = Record::new(n);
        record.push(0, &order, &seconds, &seconds, &counts, &order).expect("fits");
        let graph = StageGraph { sizes: vec![0.0; n as usize], ..StageGraph::default() };
        let mut lane = LaneBuffers::default();
        let mut n_calls = 1;
        while !lane.update(&record, &graph) {
            assert!(lane.fetched.len() <= lane.clamped(n) as usize);
            n_calls += 1;
        }
        assert_eq!(n_calls, 7, "four for what was found, the last of which begins with the steps");
        assert_eq!((lane.list.len(), lane.fetched.len()), (n as usize, n as usize));
        assert_eq!((lane.list.get(n as usize - 1), lane.clamped(n)), (Some([n - 1, n]), n));
    }

    #[test]
    fn another_run_replaces_the_list() {
        let mut lane = LaneBuffers::default();
        lane.update(&record(), &pages());
        let mut other = Record::new(5);
        other.push(0, &[], &[], &[], &[1], &[3]).expect("fits");
        lane.update(&other, &pages());
        assert_eq!((lane.list.values(), lane.tree.len(), lane.clamped(9)), (&[3, NEVER][..], 0, 0));
    }

    #[test]
    fn pages_without_a_node_are_left_out() {
        let graph = StageGraph {
            sizes: vec![0.0; 2],
            node_of_page: vec![NONE, 0, 1, NONE, NONE],
            ..pages()
        };
        let mut lane = LaneBuffers::default();
        lane.update(&record(), &graph);
        assert_eq!(lane.list.values(), [0, NEVER, 1, 2]);
        assert_eq!((lane.node_at(1), lane.node_at(2)), (None, Some(1)));
        assert_eq!(lane.tree.len(), 0, "who found it has no node");
    }

    #[test]
    fn lit_links_follow_the_nodes() {
        let mut lane = LaneBuffers::default();
        let links = |i: usize, node: u32| (0..3).map(move |k| [node, k + 10 * i as u32]);
        lane.highlight([Some(7), Some(8)], links);
        assert_eq!(lane.n_highlighted(), [3, 3]);
        assert_eq!(lane.highlighted.values()[..8], [7, 0, 7, 1, 7, 2, 8, 10]);
        lane.highlight([None, Some(8)], links);
        assert_eq!(lane.n_highlighted(), [0, 3]);
        let many = |_: usize, node: u32| (0..9999).map(move |k| [node, k]);
        lane.highlight([Some(1), Some(2)], many);
        assert_eq!(lane.n_highlighted(), [WIDTH / 2; 2]);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use crate::State;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn counts_by_host_follow_the_step_both_ways(
                order in proptest::collection::vec((0..30u32, proptest::collection::vec(0..30u32, 0..5)), 0..40),
                visits in proptest::collection::vec(0..45u32, 1..20),
            ) {
                let mut node_of_page: Vec<u32> = (0..30).map(|page| page % 4).collect();
                node_of_page[7] = NONE;
                let graph = StageGraph {
                    nodes: Nodes::Hosts, sizes: vec![0.0; 4], node_of_page, ..StageGraph::default()
                };
                let mut record = Record::new(30);
                let mut lane = LaneBuffers::default();
                record.push(0, &[], &[], &[], &[1], &[5]).expect("fits");
                for (i, (page, found)) in order.iter().enumerate() {
                    record.push(i as u32, &[*page], &[0.0], &[0.0], &[found.len() as u32], found)
                        .expect("fits");
                    lane.update(&record, &graph);
                }
                lane.update(&record, &graph);
                for step in visits {
                    lane.seek(step);
                    let mut counts = [[0u32; 2]; 4];
                    for page in 0..30 {
                        let Some(node) = graph.node_of(page) else { continue };
                        let [n_fetched, n_found] = &mut counts[node as usize];
                        let state = record.state(page, step);
                        *n_fetched += u32::from(matches!(state, State::Fetched { .. }));
                        *n_found += u32::from(state != State::Unknown);
                    }
                    prop_assert_eq!(lane.list.values(), counts.as_flattened());
                    prop_assert_eq!(lane.counts_at(step), counts);
                }
            }
        }
    }
}
