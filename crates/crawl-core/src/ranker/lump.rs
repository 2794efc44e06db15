//! Pages with the same links, lumped together.
//!
//! Pages whose links are the same pass rank on to the same pages in the same way, so what they pass
//! on depends only on the sum of their ranks: a *group* of them can stand for one page, exactly
//! (Langville & Meyer 2006 do this for pages without links). Sites are made from templates, so this
//! halves a real web's links.
//!
//! A page does not link to itself, so the pages of a menu that all carry it differ: each lacks
//! itself. Their links are the same once every page is added to its own: such a group is *closed*,
//! and its members link to each other.

use super::{Graph, NONE};
use crawl_world::PageId;

/// Below this many links a page is not worth looking up among closed groups.
const CLOSED_LINKS: usize = 4;

/// Pages in groups with the same links.
pub(super) struct Groups {
    /// The group of each page; [`NONE`] for a page without links within the graph.
    pub(super) of: Vec<u32>,
    /// The groups, in order of their first page.
    pub(super) groups: Vec<Group>,
}

/// Pages with the same links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// Its first page.
    pub(super) first: PageId,
    /// How many pages.
    pub(super) size: u32,
    /// The members link to each other, and otherwise to the same pages.
    pub(super) closed: bool,
}

/// Finds the groups. Each page joins the first group it fits, an open one before a closed one.
pub(super) fn groups(graph: &Graph<'_>) -> Groups {
    let n = graph.n_pages();
    let mut of = vec![NONE; n as usize];
    let mut groups: Vec<Group> = Vec::new();
    let mut table = Table::new(n as usize);
    for page in (0..n).map(PageId) {
        let links = graph.links.links(page);
        if links.is_empty() {
            continue;
        }
        let degree = graph.out_degree(page);
        let open_key = links.iter().fold(spread(!degree), |sum, to| sum.wrapping_add(spread(to.0)));
        let closed_key = open_key.wrapping_add(spread(page.0));
        let same = |group: &Group| {
            !group.closed
                && graph.links.links(group.first) == links
                && graph.out_degree(group.first) == degree
        };
        let same_but_themselves = |group: &Group| {
            let first = group.first;
            let others = graph.links.links(first);
            (group.closed || group.size == 1)
                && others.len() == links.len()
                && graph.out_degree(first) == degree
                && links
                    .iter()
                    .filter(|to| **to != first)
                    .eq(others.iter().filter(|to| **to != page))
        };
        let may_close = links.len() >= CLOSED_LINKS;
        let found = table.find(open_key, |id| same(&groups[id as usize]));
        let found = found.map(|id| (id, false)).or_else(|| {
            let closed = may_close
                .then(|| table.find(closed_key, |id| same_but_themselves(&groups[id as usize])));
            closed.flatten().map(|id| (id, true))
        });
        let id = match found {
            Some((id, closed)) => {
                let group = &mut groups[id as usize];
                group.size += 1;
                group.closed = closed;
                id
            }
            None => {
                let id = groups.len() as u32;
                groups.push(Group { first: page, size: 1, closed: false });
                table.insert(open_key, id);
                if may_close {
                    table.insert(closed_key, id);
                }
                id
            }
        };
        of[page.index()] = id;
    }
    Groups { of, groups }
}

/// Bits that look random, the same for the same number; their sum tells sets of numbers apart
/// whatever the order. Sets that share a sum are told apart by looking.
#[inline]
fn spread(number: u32) -> u64 {
    let bits = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Group numbers by key, several under one key if need be: open addressing, never more than half
/// full.
struct Table {
    /// The upper half of the key, then the group; all ones when free.
    slots: Vec<u64>,
    mask: usize,
}

impl Table {
    /// With room for two keys for each of `n` groups.
    fn new(n: usize) -> Self {
        let n_slots = (n * 4).next_power_of_two().max(4);
        Self { slots: vec![u64::MAX; n_slots], mask: n_slots - 1 }
    }

    fn find(&self, key: u64, fits: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = key as usize & self.mask;
        loop {
            let slot = self.slots[at];
            if slot == u64::MAX {
                return None;
            }
            if slot >> 32 == key >> 32 && fits(slot as u32) {
                return Some(slot as u32);
            }
            at = (at + 1) & self.mask;
        }
    }

    fn insert(&mut self, key: u64, group: u32) {
        let mut at = key as usize & self.mask;
        while self.slots[at] != u64::MAX {
            at = (at + 1) & self.mask;
        }
        self.slots[at] = key >> 32 << 32 | u64::from(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranker::testing::{graph_of, random_graph};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_menu_is_one_closed_group_and_its_leaves_are_open_ones() {
        // 0–4 are a menu that all carry; 5 and 6 carry it too; 7 has no links; 8, 9 link to 7.
        let menu = |page: u32| (0..5).filter(|to| *to != page).collect::<Vec<u32>>();
        let mut rows: Vec<Vec<u32>> = (0..7).map(menu).collect();
        rows.extend([vec![], vec![7], vec![7]]);
        let graph = graph_of(&rows);
        let Groups { of, groups } = groups(&Graph::new(&graph));
        assert_eq!(of, [0, 0, 0, 0, 0, 1, 1, NONE, 2, 2]);
        assert!(groups[0].closed && !groups[1].closed && !groups[2].closed);
        assert_eq!(groups.iter().map(|g| g.size).collect::<Vec<_>>(), [5, 2, 2]);
    }

    #[test]
    fn links_that_leave_the_graph_tell_pages_apart() {
        let links = graph_of(&[vec![2], vec![2], vec![]]);
        let graph = Graph { links: &links, outside: vec![0, 1, 0] };
        assert_eq!(groups(&graph).of, [0, 1, NONE]);
    }

    proptest! {
        #[test]
        fn members_have_the_same_links(graph in random_graph(9)) {
            let Groups { of, groups } = groups(&Graph::new(&graph));
            for (page, id) in of.iter().enumerate() {
                let page = PageId(page as u32);
                prop_assert_eq!(*id == NONE, graph.links(page).is_empty());
                if *id == NONE {
                    continue;
                }
                let group = groups[*id as usize];
                let with = |page: PageId| {
                    let own = group.closed.then_some(page);
                    graph.links(page).iter().copied().chain(own).collect::<BTreeSet<_>>()
                };
                prop_assert_eq!(with(page), with(group.first));
            }
            for (id, group) in groups.iter().enumerate() {
                let size = of.iter().filter(|of| **of == id as u32).count();
                prop_assert_eq!(size, group.size as usize);
            }
        }
    }
}
