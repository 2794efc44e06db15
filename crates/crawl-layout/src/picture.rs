//! The graph that is drawn of a world.
//!
//! Up to a limit every page is a node. Beyond it the nodes are the hosts, if there are several, or
//! else the highest-ranked pages and the seeds. If there are too many links, each page keeps its
//! first k, k as large as possible. Of too many links between hosts, the heaviest are kept.

use crate::UNREACHED;
use crate::labels::{domain, labels};
use crawl_world::{PageId, World, order};

/// Maximum numbers of nodes and links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of nodes.
    pub nodes: usize,
    /// Number of highest-ranked pages to draw if there are too many pages and hosts do not help.
    pub top_pages: usize,
    /// Maximum number of links.
    pub edges: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: 150_000, top_pages: 50_000, edges: 1_000_000 }
    }
}

/// The kind of a picture's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// All pages, in the order of their ids.
    #[default]
    Pages,
    /// Hosts, because there are too many pages.
    Hosts,
    /// The highest-ranked pages, because there are too many pages and hosts do not help.
    TopPages,
}

/// The graph that is drawn of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The kind of the nodes.
    pub nodes: Nodes,
    /// Host names by host number, without the shared domain.
    pub hosts: Vec<String>,
    /// The domain shared by all hosts; empty if there is none.
    pub domain: String,
    /// Size of each node, 0 to 1: √(rank / highest rank), so that areas are proportional to ranks.
    pub sizes: Vec<f32>,
    /// Host of each node, `u32::MAX` for none.
    pub host_of: Vec<u32>,
    /// Links as pairs of nodes.
    pub edges: Vec<u32>,
    /// Number of links not drawn because there are too many.
    pub n_links_left_out: u32,
    /// Node of each page, `u32::MAX` for pages not drawn; empty if nodes are pages.
    pub node_of: Vec<u32>,
    /// Number of pages of each node; empty unless nodes are hosts.
    pub n_pages: Vec<u32>,
    /// Labelled nodes, most important first, with their texts.
    pub labels: Vec<(u32, String)>,
}

/// Marks a page without node or a node without host.
const NONE: u32 = u32::MAX;

impl Picture {
    /// Selects nodes and links of a world, given its pages' ranks.
    pub fn new(world: &World, ranks: &[f64], limits: &Limits) -> Self {
        let (n_pages, n_hosts) = (world.n_pages() as usize, world.hosts().len());
        let mut picture = if n_pages <= limits.nodes {
            Self::of_pages(world, ranks, limits)
        } else if n_hosts > 1 && n_hosts <= limits.nodes {
            Self::of_hosts(world, ranks, limits)
        } else {
            Self::of_top_pages(world, ranks, limits)
        };
        (picture.hosts, picture.labels) = labels(world, &picture);
        picture.domain = domain(world);
        picture
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.sizes.len()
    }

    /// Number of clicks from the seeds to each node; for a host, to its nearest page.
    pub fn depths(&self, world: &World, seeds: &[PageId]) -> Vec<u32> {
        let reach = world.reach(seeds);
        let mut depths = vec![UNREACHED; self.n_nodes()];
        for page in reach.pages() {
            let node = self.node_of.get(page.index()).copied().unwrap_or(page.0);
            if let (Some(depth), Some(found)) = (depths.get_mut(node as usize), reach.depth(*page))
            {
                *depth = (*depth).min(found);
            }
        }
        depths
    }

    /// A representative page of each node: itself, or the first page of a host.
    pub(crate) fn representatives(&self, world: &World) -> Vec<PageId> {
        if self.node_of.is_empty() {
            return world.pages().collect();
        }
        let mut representatives = vec![PageId(NONE); self.n_nodes()];
        for (page, node) in world.pages().zip(&self.node_of) {
            if let Some(face) =
                representatives.get_mut(*node as usize).filter(|face| face.0 == NONE)
            {
                *face = page;
            }
        }
        representatives
    }

    fn of_pages(world: &World, ranks: &[f64], limits: &Limits) -> Self {
        let pages: Vec<PageId> = world.pages().collect();
        let mut picture = Self { nodes: Nodes::Pages, ..Self::default() };
        picture.add_pages(world, ranks, &pages, limits);
        picture
    }

    fn of_top_pages(world: &World, ranks: &[f64], limits: &Limits) -> Self {
        let n_pages = world.n_pages() as usize;
        let mut is_drawn = vec![false; n_pages];
        let seeds = world.seeds();
        let some = seeds.iter().take(limits.top_pages / 10);
        some.for_each(|seed| is_drawn[seed.index()] = true);
        // Seeds first: ranks are not negative, so no other page precedes them.
        let key = |page: usize| if is_drawn[page] { 0 } else { order::falling(ranks[page]) };
        let best = order::by_key(n_pages, key);
        is_drawn.fill(false);
        best.iter().take(limits.top_pages).for_each(|page| is_drawn[*page as usize] = true);
        let pages: Vec<PageId> = world.pages().filter(|page| is_drawn[page.index()]).collect();
        let mut node_of = vec![NONE; n_pages];
        for (node, page) in pages.iter().enumerate() {
            node_of[page.index()] = node as u32;
        }
        let mut picture = Self { nodes: Nodes::TopPages, node_of, ..Self::default() };
        picture.add_pages(world, ranks, &pages, limits);
        picture
    }

    fn add_pages(&mut self, world: &World, ranks: &[f64], pages: &[PageId], limits: &Limits) {
        self.sizes = sizes(pages.iter().map(|page| ranks[page.index()]));
        let host = |page: &PageId| world.host_of(*page).map_or(NONE, |host| host.0);
        self.host_of = pages.iter().map(host).collect();
        let node_of = std::mem::take(&mut self.node_of);
        let node = |page: PageId| node_of.get(page.index()).copied().unwrap_or(page.0);
        let drawn = |page: PageId| {
            world.links(page).iter().map(move |to| node(*to)).filter(|node| *node != NONE)
        };
        let degrees: Vec<usize> = match self.nodes {
            Nodes::Pages => pages.iter().map(|page| world.links(*page).len()).collect(),
            _ => pages.iter().map(|page| drawn(*page).count()).collect(),
        };
        let most = max_links_per_page(&degrees, limits.edges);
        for (from, page) in pages.iter().enumerate() {
            self.edges.extend(drawn(*page).take(most).flat_map(|to| [from as u32, to]));
        }
        let n_links: usize = degrees.iter().sum();
        self.n_links_left_out = (n_links - self.edges.len() / 2) as u32;
        self.node_of = node_of;
    }

    fn of_hosts(world: &World, ranks: &[f64], limits: &Limits) -> Self {
        let n_hosts = world.hosts().len();
        let node_of: Vec<u32> =
            world.pages().map(|page| world.host_of(page).map_or(NONE, |host| host.0)).collect();
        let mut n_pages = vec![0; n_hosts];
        let mut rank = vec![0.0; n_hosts];
        let mut pages: Vec<u32> = (0..world.n_pages()).collect();
        pages.retain(|page| node_of[*page as usize] != NONE);
        for page in &pages {
            let host = node_of[*page as usize] as usize;
            n_pages[host] += 1;
            rank[host] += ranks[*page as usize];
        }
        pages = order::arranged(pages, |page| node_of[*page as usize].into());
        // Number of links from the current host to each other host, and the hosts with any.
        let mut counts = vec![0_u32; n_hosts];
        let mut linked: Vec<u32> = Vec::new();
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for of_host in pages.chunk_by(|a, b| node_of[*a as usize] == node_of[*b as usize]) {
            let from = node_of[of_host[0] as usize];
            for target in of_host.iter().flat_map(|page| world.links(PageId(*page))) {
                let to = node_of[target.index()];
                if to != NONE && to != from {
                    if counts[to as usize] == 0 {
                        linked.push(to);
                    }
                    counts[to as usize] += 1;
                }
            }
            for to in linked.drain(..) {
                all.push((std::mem::take(&mut counts[to as usize]), from, to));
            }
        }
        let mut left_out = 0;
        if all.len() > limits.edges {
            all = order::arranged(all, |(_, from, to)| u64::from(*from) << 32 | u64::from(*to));
            all = order::arranged(all, |(count, ..)| !u64::from(*count));
            left_out = all[limits.edges..].iter().map(|(count, ..)| count).sum();
            all.truncate(limits.edges);
        }
        Self {
            nodes: Nodes::Hosts,
            sizes: sizes(rank.into_iter()),
            host_of: (0..n_hosts as u32).collect(),
            edges: all.iter().flat_map(|(_, from, to)| [*from, *to]).collect(),
            n_links_left_out: left_out,
            node_of,
            n_pages,
            ..Self::default()
        }
    }
}

/// The largest k with at most `limit` links in total if every page keeps at most k.
fn max_links_per_page(degrees: &[usize], limit: usize) -> usize {
    let kept = |most: usize| degrees.iter().map(|degree| *degree.min(&most)).sum::<usize>();
    let (mut fits, mut too_many) = (0, degrees.iter().max().map_or(0, |most| most + 1));
    if kept(too_many) <= limit {
        return usize::MAX;
    }
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if kept(middle) <= limit { fits = middle } else { too_many = middle }
    }
    fits
}

fn sizes(ranks: impl Iterator<Item = f64> + Clone) -> Vec<f32> {
    let highest = ranks.clone().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    ranks.map(|rank| (rank.max(0.0) / highest).sqrt() as f32).collect()
}
