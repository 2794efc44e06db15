//! Drift: an earlier version of a world (not in the papers).
//!
//! Three rates and a random seed determine what happened since:
//!
//! - **born**: each page except the seeds did not exist then, with this probability; neither did
//!   its links. A page with a birth (`born_s`) did not exist either.
//! - **died**: each page that existed had a sister then, with this probability, which no longer
//!   exists: a page on the same host with the same links, linked from every page that linked to the
//!   first.
//! - **changed**: each link between two pages that existed led elsewhere then, with this
//!   probability: to the target of another link to the same host, so that popular pages stay
//!   popular. If no such page is found, the link is missing.
//!
//! Redirects and errors are unchanged. Pages keep their numbers, and so their URLs; removed pages
//! are numbered after them. No present link leads to these, so they need no URLs.

#[cfg(test)]
mod tests;

use crate::{Csr, HostId, PageId, Rng, World};

/// Changes of a web since its earlier version: rates from 0 to 1, and a random seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Share of today's pages, without seeds, that did not exist.
    pub born: f64,
    /// Number of removed pages relative to remaining ones.
    pub died: f64,
    /// Share of the links between remaining pages that led elsewhere.
    pub changed: f64,
    /// Random seed.
    pub seed: u64,
}

/// The pages and links of an earlier version.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    links: Csr,
    /// By page of today: true if it did not exist.
    is_born: Vec<bool>,
    /// By removed page: the page whose sister it was.
    sister_of: Vec<PageId>,
}

/// Number of attempts to draw another target before a changed link is dropped.
const TRIES: u32 = 16;
/// No page.
const NONE: u32 = u32::MAX;

impl Earlier {
    /// The version before `drift`, of a world that is crawled from `seeds`. O(pages + links).
    pub fn new(world: &World, seeds: &[PageId], drift: &Drift) -> Self {
        let n_pages = world.n_pages();
        let mut is_born = drawn(n_pages, drift.born, &mut Rng::new(drift.seed, "drift: born"));
        if world.has_births() {
            world.pages().for_each(|page| is_born[page.index()] |= world.born_s(page).is_some());
        }
        seeds.iter().for_each(|seed| is_born[seed.index()] = false);

        // Sisters can double rows twice, which would exceed the range of link numbers.
        let died = if world.n_links() <= u32::MAX / 4 { drift.died } else { 0.0 };
        let died = drawn(n_pages, died, &mut Rng::new(drift.seed, "drift: died"));
        let mut sisters = vec![NONE; n_pages as usize];
        let mut sister_of = Vec::new();
        for page in world.pages().filter(|page| died[page.index()] && !is_born[page.index()]) {
            sisters[page.index()] = n_pages + sister_of.len() as u32;
            sister_of.push(page);
        }

        let mut offsets = Vec::with_capacity(n_pages as usize + sister_of.len() + 1);
        let mut targets = Vec::with_capacity(world.n_links() as usize);
        let mut changes = Changes::new(world, &is_born, drift);
        offsets.push(0);
        for page in world.pages() {
            if !is_born[page.index()] {
                let is_redirect = (300..400).contains(&world.status(page));
                let kept = world.links(page).iter().copied().filter(|to| !is_born[to.index()]);
                changes.start(page, kept.clone());
                for to in
                    kept.filter_map(|to| if is_redirect { Some(to) } else { changes.then(to) })
                {
                    targets.push(to);
                    let sister = sisters[to.index()];
                    if sister != NONE && !is_redirect {
                        targets.push(PageId(sister));
                    }
                }
            }
            offsets.push(targets.len() as u32);
        }
        for page in &sister_of {
            let row = offsets[page.index()] as usize..offsets[page.index() + 1] as usize;
            targets.extend_from_within(row);
            offsets.push(targets.len() as u32);
        }
        Self { links: Csr::new(offsets, targets), is_born, sister_of }
    }

    /// Its links; a page that did not exist has none, and no links to it.
    pub fn links(&self) -> &Csr {
        &self.links
    }

    /// True for a page of today that did not exist.
    pub fn is_born(&self, page: PageId) -> bool {
        self.is_born.get(page.index()).copied().unwrap_or(false)
    }

    /// Number of removed pages.
    pub fn n_gone(&self) -> u32 {
        self.sister_of.len() as u32
    }

    /// The page of today that equals a page, or whose sister it was.
    pub fn like(&self, page: PageId) -> PageId {
        let gone = page.index().checked_sub(self.is_born.len());
        gone.and_then(|gone| self.sister_of.get(gone)).copied().unwrap_or(page)
    }
}

/// For each page, true with probability `rate`.
fn drawn(n_pages: u32, rate: f64, rng: &mut Rng) -> Vec<bool> {
    (0..n_pages).map(|_| rng.chance(rate)).collect()
}

/// Draws the earlier targets of changed links.
struct Changes<'a> {
    world: &'a World,
    rate: f64,
    rng: Rng,
    /// Targets of all links between pages that existed, by host.
    targets: Vec<PageId>,
    /// Start of each host's targets. Pages without a host form one more group.
    starts: Vec<u32>,
    /// The current page, and for each page the last one that links to it.
    page: u32,
    linked: Vec<u32>,
}

impl<'a> Changes<'a> {
    fn new(world: &'a World, is_born: &[bool], drift: &Drift) -> Self {
        let mut changes = Self {
            world,
            rate: drift.changed,
            rng: Rng::new(drift.seed, "drift: changed"),
            targets: Vec::new(),
            starts: Vec::new(),
            page: NONE,
            linked: Vec::new(),
        };
        if changes.rate > 0.0 {
            let there = |page: &PageId| !is_born[page.index()];
            let links = || {
                let pages = world.pages().filter(there);
                pages.flat_map(|page| world.links(page)).copied().filter(there)
            };
            let mut starts = vec![0_u32; world.hosts().len() + 2];
            links().for_each(|to| starts[changes.host(to) + 1] += 1);
            for host in 1..starts.len() {
                starts[host] += starts[host - 1];
            }
            changes.targets = vec![PageId(0); starts.last().copied().unwrap_or(0) as usize];
            let mut next = starts.clone();
            for to in links() {
                let at = &mut next[changes.host(to)];
                changes.targets[*at as usize] = to;
                *at += 1;
            }
            changes.starts = starts;
            changes.linked = vec![NONE; world.n_pages() as usize];
        }
        changes
    }

    fn host(&self, page: PageId) -> usize {
        self.world.host_of(page).map_or(self.world.hosts().len(), HostId::index)
    }

    /// Sets the current page and its links: a changed link must have another target than all of
    /// them.
    fn start(&mut self, page: PageId, links: impl Iterator<Item = PageId>) {
        if self.rate > 0.0 {
            self.page = page.0;
            self.linked[page.index()] = page.0;
            links.for_each(|to| self.linked[to.index()] = page.0);
        }
    }

    /// The earlier target of a link, if it existed.
    fn then(&mut self, to: PageId) -> Option<PageId> {
        if self.rate == 0.0 || !self.rng.chance(self.rate) {
            return Some(to);
        }
        let host = self.host(to);
        let like = &self.targets[self.starts[host] as usize..self.starts[host + 1] as usize];
        for _ in 0..TRIES {
            let other = *self.rng.pick(like);
            if self.linked[other.index()] != self.page {
                self.linked[other.index()] = self.page;
                return Some(other);
            }
        }
        None
    }
}
