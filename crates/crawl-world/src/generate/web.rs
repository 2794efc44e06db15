//! A web of many hosts, grown by copying (Kumar et al. 2000).
//!
//! Each new page takes an older page of the same host as a model: each link is, with probability c,
//! the model's link in the same position, and otherwise a new one. So popular pages gain more
//! links, and the number of pages with in-degree k falls as k^(−γ) with γ = 1 + 1/c. Copied links
//! make up the navigation of a host. We add what a crawl needs beyond pure copying; then γ is 2.1
//! for c = 0.8, and depends less on c than in the formula:
//!
//! - Host sizes follow a power law, and so do the lengths of their navigation. A host's first pages
//!   open its sections; directories nest.
//! - A new page is linked from the first page of its directory, from the previous page or from its
//!   model, and mostly links back. So all pages are reachable from the first home page, although
//!   copied and new links lead only to older pages.
//! - A share of the pages also links to other hosts. The targets of those links are set at the end,
//!   in random order and again by copying, so that old hosts link to new ones too.
//! - A share of the pages are documents without links.
//!
//! Stores only the graph and the URLs; time and memory are O(links).

use super::{RNG, WorldEntry};
use crate::{BuildError, Lists, PageId, Rng, World, WorldBuilder};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use std::ops::Range;

const PARAMS: &[Param] = &[
    Param::integer("pages", 2_000, 1_000, 1_000_000, "Number of pages."),
    Param::number("links", 10.0, 3.0, 30.0, "Approximate mean number of links per page."),
    Param::number(
        "copy",
        0.8,
        0.3,
        0.95,
        "Probability that a link is copied from the page's model.",
    ),
    Param::number("leave", 0.2, 0.0, 0.6, "Approximate share of links that lead to another host."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "web",
        "Web",
        EntryTexts {
            family: "Generated",
            source: "(ours), after Kumar et al. 2000",
            summary: "A graph with URLs: many hosts, power-law in-degrees, any size",
            description: "Grown by copying: each new page takes an older page of its host as a model \
                and copies most of its links. Host sizes vary widely, directories nest, most links \
                stay within their host, and more than a fifth of the pages are documents without \
                links. All pages are reachable from the seed, the home page of an ordinary host. \
                Pages have no texts.",
            formula: "P(in-degree = k) ∝ k^(−γ),  γ ≈ 2.1  (copying alone: γ = 1 + 1/copy)",
            params: PARAMS,
        },
    ),
    n_links: |params| params.number("pages") * params.number("links"),
    build: |params| {
        let mut web = Web::new(params);
        while web.builder.n_pages() < web.n_pages {
            web.grow_host()?;
        }
        web.finish()
    },
};

/// Host sizes: a power law from the minimum to a fraction of all pages.
const HOST_SIZE_EXPONENT: f64 = 1.8;
const SMALLEST_HOST: f64 = 8.0;
const LARGEST_HOST_PART: f64 = 8.0;
/// Share of pages that open a directory; of the others, share of documents.
const DIRECTORIES: f64 = 0.12;
const DOCUMENTS: f64 = 0.27;
const DEEPEST_DIRECTORY: u32 = 6;
/// Share of directories whose pages form a series, each linked from the previous one.
const SERIES: f64 = 0.3;
const IN_SERIES: f64 = 0.93;
/// Otherwise, probability that the directory's first page lists a page, and the length of the list.
const LISTED: f64 = 0.6;
const LONGEST_LIST: u32 = 120;
/// Probability that a page links back to where it is linked from.
const LINKS_BACK: f64 = 0.85;
/// A new link leads to the same directory, else to some directory's first page, else anywhere in
/// the host; with the last probability its target gets a link back.
const NEAR: f64 = 0.5;
const TO_DIRECTORY: f64 = 0.5;
const ANSWERED: f64 = 0.25;
/// Power law of the length of navigation (by host) and of lists of links to other hosts (by page).
const LENGTH_EXPONENT: f64 = 2.5;
const LENGTH_SPREAD: f64 = 40.0;
/// Share of pages that link to other hosts, and of such links, share that leads to other than home
/// pages.
const LINK_PAGES: f64 = 0.15;
const DEEP_LINKS: f64 = 0.2;
/// Number of such links, and the share of hosts they lead to, before copying starts.
const FIRST_LEAVING: usize = 100;
const FIRST_HOSTS: f64 = 0.1;

/// A web that grows host by host; the pages of a host have consecutive numbers.
struct Web {
    rng: Rng,
    builder: WorldBuilder,
    n_pages: u32,
    links: f64,
    copy: f64,
    leave: f64,
    /// Home page of each host.
    homes: Vec<u32>,
    /// Initial links of all pages, concatenated, and the end of each page's links.
    made_with: Vec<u32>,
    ends: Vec<u32>,
    /// Links that older pages got later, as (page, target).
    given_later: Vec<(u32, u32)>,
    /// Source pages of links to other hosts, in order, once per link.
    leaving: Vec<u32>,
}

/// A growing host; pages are numbered from its home page.
struct Host {
    home: u32,
    url: String,
    n_sections: u32,
    /// Relative length of its navigation.
    length: f64,
    directories: Vec<Directory>,
    /// Of each page: its directory, and whether it is a document.
    pages: Vec<(u32, bool)>,
}

struct Directory {
    path: String,
    depth: u32,
    is_series: bool,
    first_page: u32,
    /// The last page that is not a document.
    last_page: u32,
    pages: Vec<u32>,
    n_listed: u32,
    n_inside: u32,
}

/// Location of a new page.
struct Place {
    page: u32,
    directory: usize,
    model: u32,
    parent: u32,
}

impl Web {
    fn new(params: &Params) -> Self {
        let n_pages = params.integer("pages");
        let mut builder = WorldBuilder::new("Web");
        builder.reserve(n_pages as usize, 0);
        Self {
            rng: Rng::new(params.integer("rng").into(), "web"),
            builder,
            n_pages,
            links: params.number("links"),
            copy: params.number("copy"),
            leave: params.number("leave"),
            homes: Vec::new(),
            made_with: Vec::new(),
            ends: Vec::with_capacity(n_pages as usize),
            given_later: Vec::new(),
            leaving: Vec::new(),
        }
    }

    /// Adds a host of random size.
    fn grow_host(&mut self) -> Result<(), BuildError> {
        let home = self.builder.n_pages();
        let largest = f64::from(self.n_pages) / LARGEST_HOST_PART / SMALLEST_HOST;
        let size = SMALLEST_HOST * self.rng.power_law(HOST_SIZE_EXPONENT, largest);
        let size = (size as u32).min(self.n_pages - home);
        if home > 0 {
            // A link from an older host makes the new one reachable.
            let from = self.rng.below(home);
            self.given_later.push((self.with_links(from), home));
        }
        let mut host = Host {
            home,
            url: host_url(self.homes.len() as u32),
            n_sections: self.rng.between(2, 6).min(size / 4),
            length: self.length(),
            directories: vec![Directory::new("/".to_owned(), 0, 0)],
            pages: vec![(0, false)],
        };
        self.homes.push(home);
        self.builder.page(&format!("{}/", host.url))?;
        self.ends.push(self.made_with.len() as u32);
        for _ in 1..size {
            self.grow_page(&mut host)?;
        }
        Ok(())
    }

    fn grow_page(&mut self, host: &mut Host) -> Result<(), BuildError> {
        let page = host.pages.len() as u32;
        let is_section = page <= host.n_sections;
        let model = if is_section { 0 } else { self.rng.below(page) };
        let (within, copies_document) = host.pages[model as usize];
        let directory = &mut host.directories[within as usize];
        let model = if copies_document { directory.first_page } else { model };
        let may_open = directory.depth < DEEPEST_DIRECTORY;
        let opens = is_section || may_open && self.rng.chance(DIRECTORIES);
        let is_document = !opens && self.rng.chance(DOCUMENTS);
        let follows = !opens && directory.is_series && self.rng.chance(IN_SERIES);
        let has_room = directory.n_listed < LONGEST_LIST;
        let parent = if follows {
            directory.last_page
        } else if opens || has_room && self.rng.chance(LISTED) {
            directory.n_listed += 1;
            directory.first_page
        } else {
            model
        };
        self.given_later.push((host.home + parent, host.home + page));
        if opens {
            let path = directory.inner_path(host.home);
            self.builder.page(&format!("{}{path}", host.url))?;
            let mut inner = Directory::new(path, directory.depth + 1, page);
            inner.is_series = self.rng.chance(SERIES);
            host.pages.push((host.directories.len() as u32, false));
            host.directories.push(inner);
        } else {
            let ending = if is_document { "pdf" } else { "html" };
            let url = format!("{}{}{page}.{ending}", host.url, directory.path);
            self.builder.page(&url)?;
            host.pages.push((within, is_document));
        }
        if !is_document {
            let directory = within as usize;
            self.make_links(host, &Place { page, directory, model, parent });
        }
        self.ends.push(self.made_with.len() as u32);
        let directory = &mut host.directories[within as usize];
        directory.pages.push(page);
        if !opens && !is_document {
            directory.last_page = page;
        }
        Ok(())
    }

    /// Adds the initial links of a page: back to its parent, then copied or new ones.
    fn make_links(&mut self, host: &Host, place: &Place) {
        let home = host.home;
        let start = self.made_with.len();
        if self.rng.chance(LINKS_BACK) {
            self.made_with.push(home + place.parent);
        }
        let spread = 0.5 + self.rng.fraction();
        let n_links = self.links * self.behind() * host.length * spread;
        for i in 0..n_links as usize {
            let copies = self.rng.chance(self.copy);
            let copied = if copies { self.copied(home, place, i) } else { None };
            let link = copied.unwrap_or_else(|| home + self.fresh(host, place));
            if self.made_with[start..].contains(&link) {
                continue;
            }
            self.made_with.push(link);
            let (_, is_document) = host.pages[(link - home) as usize];
            if copied.is_none() && !is_document && self.rng.chance(ANSWERED) {
                self.given_later.push((link, home + place.page));
            }
        }
        if self.rng.chance(LINK_PAGES) {
            let with_links = 1.0 - DOCUMENTS * (1.0 - DIRECTORIES);
            let mean = self.links * self.leave / LINK_PAGES / with_links;
            let n_leaving = mean * self.length() + self.rng.fraction();
            self.leaving.extend((0..n_leaving as usize).map(|_| home + place.page));
        }
    }

    /// Factor by which the number of links must grow to reach the requested mean: documents have
    /// none, and in small hosts many copied links are duplicates.
    fn behind(&self) -> f64 {
        let wanted = self.links * self.ends.len() as f64;
        let so_far = self.made_with.len() + self.given_later.len() + self.leaving.len();
        let ratio = wanted / so_far as f64;
        (ratio * ratio * ratio).min(30.0)
    }

    /// A draw from a power law with mean 1.
    fn length(&mut self) -> f64 {
        let upper = |moment: f64| 1.0 - libm::pow(LENGTH_SPREAD, moment - LENGTH_EXPONENT);
        let mean = (LENGTH_EXPONENT - 1.0) / (LENGTH_EXPONENT - 2.0) * upper(2.0) / upper(1.0);
        self.rng.power_law(LENGTH_EXPONENT, LENGTH_SPREAD) / mean
    }

    /// The model's link at position i; beyond its last, some link of another page of the host.
    fn copied(&mut self, home: u32, place: &Place, i: usize) -> Option<u32> {
        let links = self.range(home + place.model);
        if i < links.len() {
            return Some(self.made_with[links][i]);
        }
        let other = home + self.rng.below(place.page);
        let links = self.range(other);
        (!links.is_empty()).then(|| *self.rng.pick(&self.made_with[links]))
    }

    fn fresh(&mut self, host: &Host, place: &Place) -> u32 {
        let near = &host.directories[place.directory].pages;
        if !near.is_empty() && self.rng.chance(NEAR) {
            *self.rng.pick(near)
        } else if self.rng.chance(TO_DIRECTORY) {
            // The page itself may open the last directory; self-links are dropped.
            self.rng.pick(&host.directories).first_page
        } else {
            self.rng.below(place.page)
        }
    }

    fn range(&self, page: u32) -> Range<usize> {
        let start = page.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        start as usize..self.ends[page as usize] as usize
    }

    /// The page itself, or its host's home page if it has no initial links.
    fn with_links(&self, page: u32) -> u32 {
        if !self.range(page).is_empty() {
            return page;
        }
        let host = self.homes.partition_point(|home| *home <= page);
        self.homes[host - 1]
    }

    /// Draws the targets of links to other hosts, in random order: each copies an earlier one or
    /// leads to a host added by then; hosts are added in random order.
    fn settle(&mut self) -> Vec<u32> {
        const OPEN: u32 = u32::MAX;
        let n = self.leaving.len();
        let mut hosts: Vec<u32> = (0..self.homes.len() as u32).collect();
        self.rng.shuffle(&mut hosts);
        let first_hosts = (hosts.len() as f64 * FIRST_HOSTS) as usize;
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.rng.shuffle(&mut order);
        let mut targets = vec![OPEN; n];
        let mut settled: Vec<u32> = Vec::with_capacity(n);
        // Start of each page's links among all; they are adjacent.
        let mut starts = vec![0_u32; self.n_pages as usize + 1];
        self.leaving.iter().for_each(|page| starts[*page as usize + 1] += 1);
        (1..starts.len()).for_each(|page| starts[page] += starts[page - 1]);
        for (i, link) in order.iter().map(|link| *link as usize).enumerate() {
            let page = self.leaving[link] as usize;
            let (start, end) = (starts[page] as usize, starts[page + 1] as usize);
            // Three attempts to copy a link that the page does not have yet.
            let copied = (0..3).find_map(|_| {
                let copies = i >= FIRST_LEAVING && self.rng.chance(self.copy);
                let target = copies.then(|| *self.rng.pick(&settled))?;
                (!targets[start..end].contains(&target)).then_some(target)
            });
            let target = copied.unwrap_or_else(|| {
                let n_there = hosts.len() as u64 * i as u64 / n as u64;
                let n_there = (n_there as usize).max(first_hosts).max(1);
                let host = hosts[self.rng.below(n_there as u32) as usize] as usize;
                let home = self.homes[host];
                let next = self.homes.get(host + 1).copied().unwrap_or(self.n_pages);
                let is_deep = self.rng.chance(DEEP_LINKS);
                home + if is_deep { self.rng.below(next - home) } else { 0 }
            });
            targets[link] = target;
            settled.push(target);
        }
        targets
    }

    fn finish(mut self) -> Result<World, BuildError> {
        let targets = self.settle();
        let mut leaving = self.leaving.iter().zip(&targets).peekable();
        let given_later = Lists::group(self.n_pages as usize, &self.given_later);
        let n_links = self.made_with.len() + self.given_later.len() + targets.len();
        self.given_later = Vec::new();
        self.builder.reserve(0, n_links);
        for page in 0..self.n_pages {
            let made_with = &self.made_with[self.range(page)];
            for target in made_with.iter().chain(given_later.get(page as usize)) {
                self.builder.link(PageId(page), PageId(*target));
            }
            while let Some((_, target)) = leaving.next_if(|(from, _)| **from == page) {
                self.builder.link(PageId(page), PageId(*target));
            }
        }
        self.builder.seed(PageId(0));
        self.builder.finish()
    }
}

impl Directory {
    fn new(path: String, depth: u32, first_page: u32) -> Self {
        Self {
            path,
            depth,
            is_series: false,
            first_page,
            last_page: first_page,
            pages: Vec::new(),
            n_listed: 0,
            n_inside: 0,
        }
    }

    /// The path of the next subdirectory; `turn` varies the names between hosts.
    fn inner_path(&mut self, turn: u32) -> String {
        const NAMES: [&str; 20] = [
            "about", "archive", "articles", "data", "docs", "events", "forum", "gallery", "guide",
            "help", "library", "members", "news", "pages", "people", "projects", "reports",
            "reviews", "services", "topics",
        ];
        let n_names = NAMES.len() as u32;
        let number = self.n_inside;
        self.n_inside += 1;
        let turned = turn % n_names + self.depth + self.first_page % n_names + number * 7;
        let name = NAMES[(turned % n_names) as usize];
        match number / n_names {
            0 => format!("{}{name}/", self.path),
            round => format!("{}{name}-{}/", self.path, round + 1),
        }
    }
}

/// A pronounceable name, unique for the first 2^18 hosts.
fn host_url(host: u32) -> String {
    // The factor is odd, so different hosts get different numbers.
    let number = host.wrapping_mul(0x9e37_79b1).wrapping_add(0x2f35);
    let mut url = "http://www.".to_owned();
    for syllable in 0..3 {
        let bits = (number >> (6 * syllable)) as usize;
        url.push(char::from(b"bdfghklmnprstvwz"[bits & 15]));
        url.push(char::from(b"aeio"[bits >> 4 & 3]));
    }
    url.push_str(".example");
    url
}
