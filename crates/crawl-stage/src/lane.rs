//! What the graphics card is told about one lane, made from its [`Record`] as it grows.
//!
//! Pages: a list of the nodes in the order they were found, each with the step that fetched it. At
//! step s the first nodes of the list, as many as were found by then, are drawn as waiting, except those
//! whose fetching step the shader finds to be s or earlier; these are drawn over them from a second
//! list, in the order they were fetched. Both are the same at every step, so time runs both ways for
//! nothing.
//!
//! Hosts: how many pages of each node were fetched and found at the present step. Going from one step
//! to another adds or takes away what happened between the two.
//!
//! Either way the discovering tree is a list of pairs (the node whose fetch found it, the node), in the
//! order of fetches, of which the first so many are drawn.

use crate::picture::{NONE, Nodes, Picture};
use crate::record::{NEVER, Record};
use crate::rows::{Rows, WIDTH};

/// Pages found, and as many fetched, that are taken in at a time: a few milliseconds.
const N_TAKEN: usize = 10_000;

/// One lane.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    /// Pages: node and fetching step, in the order found. Hosts: pages fetched and found, by node.
    pub list: Rows<u32, 2>,
    /// Pages: node and fetching step, in the order fetched.
    pub fetched: Rows<u32, 2>,
    /// The discovering tree.
    pub tree: Rows<u32, 2>,
    /// Links that are lit: first those of the current node, then those of the selected one.
    pub lit: Rows<u32, 2>,
    /// Where the value of each node stands, 0 to 1, below 0 for none; empty where none are shown.
    pub values: Rows<f32, 1>,
    n_lit: [usize; 2],
    lit_of: Option<[u32; 2]>,
    record: u64,
    n_steps: usize,
    n_found: usize,
    /// When each entry of the list was found; for hosts, when each page was.
    found_steps: Vec<u32>,
    /// When each entry of the fetched was fetched.
    fetched_steps: Vec<u32>,
    /// When each pair of the tree was fetched.
    tree_steps: Vec<u32>,
    /// The node each step fetched.
    nodes: Vec<u32>,
    /// Pages: where each node stands in the list.
    entries: Vec<u32>,
    hosts: Hosts,
}

/// What is counted by host.
#[derive(Debug, Default)]
struct Hosts {
    /// The node of each page found, in the order found.
    found: Vec<u32>,
    /// The node of each step that fetched a page for the first time, else none.
    fetched: Vec<u32>,
    /// The counts are those of this step,
    step: u32,
    /// which had found so many pages.
    n_found: usize,
    /// Whether a page of the node was fetched yet.
    is_entered: Vec<bool>,
}

impl Lane {
    /// Forgets everything.
    pub fn clear(&mut self) {
        let Self { list, fetched, tree, lit, values, .. } = std::mem::take(self);
        (self.list, self.fetched, self.tree, self.lit) = (list, fetched, tree, lit);
        self.values = values;
        self.arrays().into_iter().for_each(Rows::clear);
        self.values.clear();
    }

    /// All of it must travel again.
    pub fn touch(&mut self) {
        self.arrays().into_iter().for_each(Rows::touch);
        self.values.touch();
    }

    /// All that travels, in the order of the units it travels to.
    pub fn arrays(&mut self) -> [&mut Rows<u32, 2>; 4] {
        [&mut self.list, &mut self.fetched, &mut self.tree, &mut self.lit]
    }

    /// Takes in what is new in a record, from its start when it is another one; so much at a time.
    /// True once everything is in.
    pub fn update(&mut self, record: &Record, picture: &Picture) -> bool {
        let is_longer =
            record.pages().len() >= self.n_steps && record.found().len() >= self.n_found;
        if self.record != record.id() || !is_longer {
            // Values are a frame's and not the record's: either may come first.
            let values = std::mem::take(&mut self.values);
            self.clear();
            (self.record, self.values) = (record.id(), values);
            self.entries.resize(picture.n_nodes(), NONE);
            if picture.nodes == Nodes::Hosts {
                self.hosts.is_entered.resize(picture.n_nodes(), false);
                for _ in 0..picture.n_nodes() {
                    self.list.push([0, 0]);
                }
            }
        }
        let found = &record.found()[self.n_found..];
        for &page in &found[..found.len().min(N_TAKEN)] {
            let Some(node) = picture.node_of(page) else { continue };
            self.found_steps.push(record.found_at(page));
            match picture.nodes {
                Nodes::Pages => {
                    self.entries[node as usize] = self.list.len() as u32;
                    self.list.push([node, NEVER]);
                }
                Nodes::Hosts => self.hosts.found.push(node),
            }
        }
        self.n_found += found.len().min(N_TAKEN);
        // Whoever is fetched was found before: these come once those are in.
        if self.n_found < record.found().len() {
            return false;
        }
        for (i, &page) in record.pages().iter().enumerate().skip(self.n_steps).take(N_TAKEN) {
            let step = i as u32 + 1;
            let node = picture.node_of(page).unwrap_or(NONE);
            self.nodes.push(node);
            let is_first = record.fetched_at(page) == step && node != NONE;
            if picture.nodes == Nodes::Hosts {
                self.hosts.fetched.push(if is_first { node } else { NONE });
            }
            if is_first {
                self.fetch(step, node, record, page, picture);
            }
        }
        self.n_steps = record.pages().len().min(self.n_steps + N_TAKEN);
        self.n_steps == record.pages().len()
    }

    fn fetch(&mut self, step: u32, node: u32, record: &Record, page: u32, picture: &Picture) {
        if let Some(entered) = self.hosts.is_entered.get_mut(node as usize) {
            if std::mem::replace(entered, true) {
                return;
            }
        } else if let Some(&entry) = self.entries.get(node as usize) {
            self.list.set(entry as usize, [node, step]);
            self.fetched.push([node, step]);
            self.fetched_steps.push(step);
        }
        let from = record.found_by(page).and_then(|by| picture.node_of(by));
        if let Some(from) = from.filter(|&from| from != node) {
            self.tree.push([from, node]);
            self.tree_steps.push(step);
        }
    }

    /// The step, or the last one that has arrived.
    pub fn clamped(&self, step: u32) -> u32 {
        step.min(self.n_steps as u32)
    }

    /// How many entries of the list are drawn at a step, where nodes are pages.
    pub fn n_listed(&self, step: u32) -> usize {
        self.found_steps.partition_point(|&at| at <= step).min(self.list.len())
    }

    /// How many nodes were fetched at a step, where nodes are pages.
    pub fn n_fetched(&self, step: u32) -> usize {
        self.fetched_steps.partition_point(|&at| at <= step).min(self.fetched.len())
    }

    /// How many pairs of the tree are drawn at a step.
    pub fn n_tree(&self, step: u32) -> usize {
        self.tree_steps.partition_point(|&at| at <= step).min(self.tree.len())
    }

    /// The node that a step fetched.
    pub fn node_at(&self, step: u32) -> Option<u32> {
        let node = *self.nodes.get((step as usize).checked_sub(1)?)?;
        (node != NONE).then_some(node)
    }

    /// Brings the counts by host to a step.
    pub fn go_to(&mut self, step: u32) {
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

    /// The counts by host at a step, counted from the start.
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

    /// Lights the links of the current and of the selected node, given by `links`. At most a row of
    /// them travels.
    pub fn light<'a, I: Iterator<Item = [u32; 2]> + 'a>(
        &mut self,
        of: [Option<u32>; 2],
        links: impl Fn(usize, u32) -> I,
    ) {
        let of = of.map(|node| node.unwrap_or(NONE));
        if self.lit_of != Some(of) {
            self.lit.clear();
            for (i, &node) in of.iter().enumerate() {
                let before = self.lit.len();
                if node != NONE {
                    let room = if i == 0 { WIDTH / 2 } else { WIDTH - before };
                    links(i, node).take(room).for_each(|link| self.lit.push(link));
                }
                self.n_lit[i] = self.lit.len() - before;
            }
            self.lit_of = Some(of);
        }
    }

    /// The links of single nodes are others now.
    pub fn relight(&mut self) {
        self.lit_of = None;
    }

    /// How many links are lit: of the current node, and of the selected one.
    pub fn n_lit(&self) -> [usize; 2] {
        self.n_lit
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

    fn pages() -> Picture {
        Picture { sizes: vec![0.0; 5], ..Picture::default() }
    }

    #[test]
    fn pages_are_listed_as_they_were_found() {
        let (mut lane, mut record) = (Lane::default(), record());
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
    fn values_that_come_before_the_run_stay() {
        let mut lane = Lane::default();
        lane.values.replace(&[0.5; 5]);
        assert!(lane.update(&record(), &pages()));
        assert_eq!(lane.values.values(), [0.5; 5]);
        assert!(lane.update(&record(), &pages()), "another run, whose values came first");
        assert_eq!(lane.values.len(), 5);
        lane.clear();
        assert_eq!(lane.values.len(), 0);
    }

    #[test]
    fn a_long_run_is_taken_in_by_and_by() {
        let n = 3 * N_TAKEN as u32 + 7;
        let order: Vec<u32> = (0..n).collect();
        let (seconds, mut counts) = (vec![0.0; n as usize], vec![0; n as usize + 1]);
        counts[0] = n;
        let mut record = Record::new(n);
        record.push(0, &order, &seconds, &seconds, &counts, &order).expect("fits");
        let picture = Picture { sizes: vec![0.0; n as usize], ..Picture::default() };
        let mut lane = Lane::default();
        let mut n_calls = 1;
        while !lane.update(&record, &picture) {
            assert!(lane.fetched.len() <= lane.clamped(n) as usize);
            n_calls += 1;
        }
        assert_eq!(n_calls, 7, "four for what was found, the last of which begins with the steps");
        assert_eq!((lane.list.len(), lane.fetched.len()), (n as usize, n as usize));
        assert_eq!((lane.list.get(n as usize - 1), lane.clamped(n)), (Some([n - 1, n]), n));
    }

    #[test]
    fn another_run_replaces_the_list() {
        let mut lane = Lane::default();
        lane.update(&record(), &pages());
        let mut other = Record::new(5);
        other.push(0, &[], &[], &[], &[1], &[3]).expect("fits");
        lane.update(&other, &pages());
        assert_eq!((lane.list.values(), lane.tree.len(), lane.clamped(9)), (&[3, NEVER][..], 0, 0));
    }

    #[test]
    fn pages_without_a_node_are_left_out() {
        let picture =
            Picture { sizes: vec![0.0; 2], node_of_page: vec![NONE, 0, 1, NONE, NONE], ..pages() };
        let mut lane = Lane::default();
        lane.update(&record(), &picture);
        assert_eq!(lane.list.values(), [0, NEVER, 1, 2]);
        assert_eq!((lane.node_at(1), lane.node_at(2)), (None, Some(1)));
        assert_eq!(lane.tree.len(), 0, "who found it has no node");
    }

    #[test]
    fn lit_links_follow_the_nodes() {
        let mut lane = Lane::default();
        let links = |i: usize, node: u32| (0..3).map(move |k| [node, k + 10 * i as u32]);
        lane.light([Some(7), Some(8)], links);
        assert_eq!(lane.n_lit(), [3, 3]);
        assert_eq!(lane.lit.values()[..8], [7, 0, 7, 1, 7, 2, 8, 10]);
        lane.light([None, Some(8)], links);
        assert_eq!(lane.n_lit(), [0, 3]);
        let many = |_: usize, node: u32| (0..9999).map(move |k| [node, k]);
        lane.light([Some(1), Some(2)], many);
        assert_eq!(lane.n_lit(), [WIDTH / 2; 2]);
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
                let picture = Picture {
                    nodes: Nodes::Hosts, sizes: vec![0.0; 4], node_of_page, ..Picture::default()
                };
                let mut record = Record::new(30);
                let mut lane = Lane::default();
                record.push(0, &[], &[], &[], &[1], &[5]).expect("fits");
                for (i, (page, found)) in order.iter().enumerate() {
                    record.push(i as u32, &[*page], &[0.0], &[0.0], &[found.len() as u32], found)
                        .expect("fits");
                    lane.update(&record, &picture);
                }
                lane.update(&record, &picture);
                for step in visits {
                    lane.go_to(step);
                    let mut counts = [[0u32; 2]; 4];
                    for page in 0..30 {
                        let Some(node) = picture.node_of(page) else { continue };
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
