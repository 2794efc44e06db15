//! Lumping: pages with the same links are treated as one node.
//!
//! Pages with the same links pass rank on to the same pages in the same way, so only the sum of
//! their ranks matters: a *group* of them can stand for one page, exactly (Langville & Meyer 2006
//! do this for pages without links). Sites are made from templates, so this halves the links of a
//! real web.
//!
//! A page does not link to itself, so pages that carry the same menu differ: each lacks itself.
//! Their links are the same once every page is added to its own links. Such a group is *closed*:
//! its members link to each other.

use super::{Graph, NONE};
use crawl_world::PageId;

/// Minimum number of links of a page in a closed group; below, the lookup does not pay.
const CLOSED_LINKS: usize = 4;

/// Groups of pages with the same links.
pub(super) struct Groups {
    /// Group of each page; [`NONE`] for a page without links within the graph.
    pub(super) of: Vec<u32>,
    /// The groups, by their first page.
    pub(super) groups: Vec<Group>,
}

/// Pages with the same links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// Its first page.
    pub(super) first: PageId,
    /// Number of pages.
    pub(super) size: u32,
    /// True if the members link to each other, and otherwise to the same pages.
    pub(super) closed: bool,
}

/// Finds the groups. Each page joins the first match, an open group before a closed one.
pub(super) fn groups(graph: &Graph<'_>) -> Groups {
    let mut of = vec![NONE; graph.n_pages() as usize];
    let mut finder = Finder { graph, groups: Vec::new(), table: Table::new() };
    // Pages of one template are mostly adjacent.
    let mut last = NONE;
    for (page, of) in (0..graph.n_pages()).map(PageId).zip(&mut of) {
        if !graph.links.links(page).is_empty() {
            last = finder.join(page, last);
            *of = last;
        }
    }
    Groups { of, groups: finder.groups }
}

struct Finder<'a> {
    graph: &'a Graph<'a>,
    groups: Vec<Group>,
    table: Table,
}

impl Finder<'_> {
    /// The group of a page, new if none matches. `likely` is tried first.
    fn join(&mut self, page: PageId, likely: u32) -> u32 {
        if likely != NONE && self.fits_open(page, likely) {
            self.groups[likely as usize].size += 1;
            return likely;
        }
        let links = self.graph.links.links(page);
        let degree = spread(!self.graph.out_degree(page));
        let open_key = links.iter().fold(degree, |sum, to| sum.wrapping_add(spread(to.0)));
        if let Some(id) = self.table.find(open_key, |id| self.fits_open(page, id)) {
            self.groups[id as usize].size += 1;
            return id;
        }
        let closed_key = open_key.wrapping_add(spread(page.0));
        let may_close = links.len() >= CLOSED_LINKS;
        let found = may_close.then(|| self.table.find(closed_key, |id| self.fits_closed(page, id)));
        if let Some(id) = found.flatten() {
            let group = &mut self.groups[id as usize];
            group.size += 1;
            group.closed = true;
            return id;
        }
        let id = self.groups.len() as u32;
        self.groups.push(Group { first: page, size: 1, closed: false });
        self.table.insert(open_key, id);
        if may_close {
            self.table.insert(closed_key, id);
        }
        id
    }

    /// True if the page has the same links as an open group.
    fn fits_open(&self, page: PageId, id: u32) -> bool {
        let group = &self.groups[id as usize];
        let graph = self.graph;
        !group.closed
            && graph.links.links(page) == graph.links.links(group.first)
            && graph.out_degree(page) == graph.out_degree(group.first)
    }

    /// True if page and group have the same links except for links to each other.
    fn fits_closed(&self, page: PageId, id: u32) -> bool {
        let group = &self.groups[id as usize];
        let graph = self.graph;
        let (links, others) = (graph.links.links(page), graph.links.links(group.first));
        (group.closed || group.size == 1)
            && links.len() == others.len()
            && graph.out_degree(page) == graph.out_degree(group.first)
            && links.contains(&group.first)
            && (links.iter().filter(|to| **to != group.first))
                .eq(others.iter().filter(|to| **to != page))
    }
}

/// Hash of a number. Sums of hashes identify sets independent of order; collisions are resolved by
/// comparison.
#[inline]
fn spread(number: u32) -> u64 {
    let bits = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Hash table of group numbers, with duplicate keys. Open addressing by the upper half of the key,
/// which is stored to reject most mismatches without reading the group.
struct Table {
    /// Upper half of the key, then the group; all ones if free.
    slots: Vec<u64>,
    n_used: usize,
}

impl Table {
    fn new() -> Self {
        Self { slots: vec![u64::MAX; 1024], n_used: 0 }
    }

    fn find(&self, key: u64, fits: impl Fn(u32) -> bool) -> Option<u32> {
        for at in self.places(key) {
            let slot = self.slots[at];
            if slot == u64::MAX {
                return None;
            }
            if slot >> 32 == key >> 32 && fits(slot as u32) {
                return Some(slot as u32);
            }
        }
        None
    }

    fn insert(&mut self, key: u64, group: u32) {
        if self.n_used * 2 >= self.slots.len() {
            let larger = vec![u64::MAX; self.slots.len() * 2];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot != u64::MAX {
                    self.place(slot);
                }
            }
        }
        self.n_used += 1;
        self.place(key >> 32 << 32 | u64::from(group));
    }

    fn place(&mut self, slot: u64) {
        if let Some(free) = self.places(slot).find(|at| self.slots[*at] == u64::MAX) {
            self.slots[free] = slot;
        }
    }

    /// Probe sequence of a key: all slots.
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        (0..=mask).map(move |step| ((key >> 32) as usize + step) & mask)
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
