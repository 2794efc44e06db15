//! What the crawler knows so far.

use crate::{Judgement, PageText, Past, Truth, Web};
use crawl_world::{HostId, PageId, SiteId};
use std::borrow::Cow;
use std::ops::Range;

/// A URL, numbered in order of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct UrlId(pub u32);

impl UrlId {
    /// Index into arrays over URLs.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const NONE: u32 = u32::MAX;
/// Number of shown links of a page that was gone when it was fetched.
const GONE: u32 = u32::MAX - 1;

/// Record of the crawl: discovered URLs, where they were found, and which were fetched.
#[derive(Clone, Debug, Default)]
pub struct Book {
    records: Vec<Record>,
    /// URL number of each page of the web, or `NONE`.
    url_of: Vec<u32>,
    /// One bit per page: discovered. Most links lead to known pages, and the bits fit into the
    /// processor's cache where `url_of` does not.
    seen: Vec<u64>,
    order: Vec<UrlId>,
    /// Judgement of each fetched page, in order of fetching; empty without a topic.
    judged: Vec<Judged>,
    /// Step at which each page was first fetched, in order of fetching. Empty without revisits:
    /// then the step is the fetch number.
    steps: Vec<u32>,
    /// Number of links each page showed at its last visit, [`NONE`] for all, [`GONE`] if it was
    /// gone. Empty if links do not change.
    shown: Vec<u32>,
    n_seeds: u32,
}

#[derive(Clone, Copy, Debug)]
struct Judged {
    judgement: Judgement,
    follows: bool,
    is_redirect: bool,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    page: PageId,
    parent: u32,
    depth: u32,
    /// Fetch number, from 1; 0 if not fetched.
    fetched: u32,
}

impl Book {
    pub(crate) fn new(web: &dyn Web, seeds: &[PageId]) -> Self {
        let mut book = Self::default();
        book.make_room(web);
        for seed in seeds {
            book.discover(*seed, NONE, 0);
        }
        book.n_seeds = book.records.len() as u32;
        book
    }

    #[inline]
    fn discover(&mut self, page: PageId, parent: u32, depth: u32) {
        let (word, bit) = (&mut self.seen[page.index() / 64], 1_u64 << (page.index() % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.url_of[page.index()] = self.records.len() as u32;
            self.records.push(Record { page, parent, depth, fetched: 0 });
        }
    }

    fn make_room(&mut self, web: &dyn Web) {
        let n = web.n_pages() as usize;
        if self.url_of.len() < n {
            self.url_of.resize(n, NONE);
            self.seen.resize(n.div_ceil(64), 0);
        }
    }

    /// Records a fetch and discovers the page's links.
    pub(crate) fn fetched(&mut self, web: &dyn Web, url: UrlId, now_us: u64, is_gone: bool) {
        self.order.push(url);
        let record = &mut self.records[url.index()];
        record.fetched = self.order.len() as u32;
        if is_gone {
            // The links of a page that is gone are unknown.
            self.show(url, GONE);
            return;
        }
        if web.has_births() {
            self.look(web, url, now_us);
            return;
        }
        let (page, depth) = (record.page, record.depth + 1);
        self.make_room(web);
        for target in web.links(page) {
            self.discover(*target, url.0, depth);
        }
    }

    /// Discovers links that are new since the last visit; returns their positions among the page's
    /// links.
    pub(crate) fn look(&mut self, web: &dyn Web, url: UrlId, now_us: u64) -> Range<usize> {
        let Record { page, depth, .. } = self.records[url.index()];
        self.make_room(web);
        let n = web.n_links_by(page, now_us);
        let before = self.show(url, n as u32).unwrap_or(0) as usize;
        let new = before.min(n)..n;
        for target in &web.links(page)[new.clone()] {
            self.discover(*target, url.0, depth + 1);
        }
        new
    }

    /// How many of its links a page showed; `None` where pages always have the same.
    #[inline(always)]
    fn shown_of(&self, url: UrlId) -> Option<u32> {
        self.shown.get(url.index()).copied()
    }

    /// Sets the number of links a page shows; returns the previous number, if any.
    fn show(&mut self, url: UrlId, n: u32) -> Option<u32> {
        if url.index() >= self.shown.len() {
            self.shown.resize(self.records.len(), NONE);
        }
        Some(std::mem::replace(&mut self.shown[url.index()], n)).filter(|before| *before != NONE)
    }

    /// The links that a page showed at its last visit.
    #[inline]
    pub(crate) fn links<'w>(&self, web: &'w dyn Web, url: UrlId) -> &'w [PageId] {
        let links = web.links(self.page(url));
        match self.shown_of(url) {
            None => links,
            Some(GONE) => &[],
            Some(shown) => &links[..links.len().min(shown as usize)],
        }
    }

    /// True if the page was gone when it was fetched.
    fn was_gone(&self, url: UrlId) -> bool {
        self.shown_of(url) == Some(GONE)
    }

    /// Records the step of the latest fetch.
    pub(crate) fn fetched_at(&mut self, step: u32) {
        self.steps.push(step);
    }

    /// The step at which a page was first fetched, from 1.
    pub fn step_of(&self, url: UrlId) -> Option<u32> {
        let number = self.records.get(url.index())?.fetched;
        let place = (number as usize).checked_sub(1)?;
        Some(self.steps.get(place).copied().unwrap_or(number))
    }

    /// True if the page was fetched.
    #[inline]
    pub fn is_fetched(&self, url: UrlId) -> bool {
        self.records.get(url.index()).is_some_and(|record| record.fetched > 0)
    }

    /// Records the judgement of the latest fetched page, and whether its links are followed.
    pub(crate) fn judged(&mut self, judgement: Judgement, follows: bool, is_redirect: bool) {
        self.judged.push(Judged { judgement, follows, is_redirect });
    }

    fn judged_of(&self, url: UrlId) -> Option<Judged> {
        let number = self.records[url.index()].fetched as usize;
        self.judged.get(number.checked_sub(1)?).copied()
    }

    /// Judgement of a fetched page.
    pub fn judgement(&self, url: UrlId) -> Option<Judgement> {
        self.judged_of(url).map(|judged| judged.judgement)
    }

    /// Records a shorter path from the seeds to a URL.
    pub(crate) fn found_nearer(&mut self, url: UrlId, parent: UrlId) {
        let depth = self.records[parent.index()].depth + 1;
        let record = &mut self.records[url.index()];
        (record.parent, record.depth) = (parent.0, depth);
    }

    /// Number of URLs discovered.
    #[inline]
    pub fn n_discovered(&self) -> u32 {
        self.records.len() as u32
    }

    /// Fetched URLs, in order of fetching.
    pub fn order(&self) -> &[UrlId] {
        &self.order
    }

    /// The page of a URL. For hosts; strategies must not use it.
    #[inline]
    pub fn page(&self, url: UrlId) -> PageId {
        self.records[url.index()].page
    }

    /// The URL of a page, if discovered.
    #[inline]
    pub fn url_of(&self, page: PageId) -> Option<UrlId> {
        self.url_of.get(page.index()).filter(|u| **u != NONE).map(|u| UrlId(*u))
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + (self.url_of.capacity() + self.order.capacity()) * 4
            + self.seen.capacity() * 8
            + (self.steps.capacity() + self.shown.capacity()) * 4
            + self.judged.capacity() * size_of::<Judged>()
    }
}

/// Everything a crawler can know now: the only view of the web that strategies have.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    web: &'a dyn Web,
    book: &'a Book,
    truth: Option<&'a Truth>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(web: &'a dyn Web, book: &'a Book, truth: Option<&'a Truth>) -> Self {
        Self { web, book, truth }
    }

    /// Number of URLs discovered.
    #[inline]
    pub fn n_discovered(&self) -> u32 {
        self.book.n_discovered()
    }

    /// Number of pages fetched.
    #[inline]
    pub fn n_fetched(&self) -> u32 {
        self.book.order.len() as u32
    }

    /// Number of seeds.
    pub fn n_seeds(&self) -> u32 {
        self.book.n_seeds
    }

    /// True if the URL is a seed.
    pub fn is_seed(&self, url: UrlId) -> bool {
        url.0 < self.book.n_seeds
    }

    /// Fetched URLs, in order of fetching.
    pub fn order(&self) -> &'a [UrlId] {
        &self.book.order
    }

    /// The URL as text.
    pub fn url(&self, url: UrlId) -> Cow<'a, str> {
        self.web.url(self.book.page(url))
    }

    /// Its number among the fetched pages, from 1.
    #[inline]
    pub fn fetch_number(&self, url: UrlId) -> Option<u32> {
        Some(self.book.records[url.index()].fetched).filter(|n| *n > 0)
    }

    /// The step at which it was first fetched, from 1. Differs from [`Self::fetch_number`] if pages
    /// are revisited.
    pub fn fetch_step(&self, url: UrlId) -> Option<u32> {
        self.book.step_of(url)
    }

    pub(crate) fn page_of(&self, url: UrlId) -> PageId {
        self.book.page(url)
    }

    /// The page on which the URL was first found; `None` for a seed.
    pub fn parent(&self, url: UrlId) -> Option<UrlId> {
        Some(self.book.records[url.index()].parent).filter(|p| *p != NONE).map(UrlId)
    }

    /// Clicks from a seed, along first discoveries.
    pub fn depth(&self, url: UrlId) -> u32 {
        self.book.records[url.index()].depth
    }

    /// The links of a fetched page, in order; empty if it is not fetched.
    #[inline]
    pub fn links(&self, url: UrlId) -> impl ExactSizeIterator<Item = UrlId> + use<'a> {
        let book = self.book;
        self.pages_linked(url).iter().map(move |page| UrlId(book.url_of[page.index()]))
    }

    /// The links of a fetched page at the given positions.
    #[inline]
    pub fn links_at(
        &self,
        url: UrlId,
        places: Range<usize>,
    ) -> impl ExactSizeIterator<Item = UrlId> + use<'a> {
        let (book, links) = (self.book, self.pages_linked(url));
        let end = places.end.min(links.len());
        links[places.start.min(end)..end].iter().map(move |page| UrlId(book.url_of[page.index()]))
    }

    #[inline]
    fn pages_linked(&self, url: UrlId) -> &'a [PageId] {
        let record = &self.book.records[url.index()];
        if record.fetched == 0 { &[] } else { self.book.links(self.web, url) }
    }

    /// O(i): out-degree of a fetched page, including links that leave the snapshot.
    #[inline]
    pub fn out_degree(&self, url: UrlId) -> u32 {
        let record = &self.book.records[url.index()];
        if record.fetched == 0 {
            return 0;
        }
        match self.book.shown_of(url) {
            None => self.web.out_degree(record.page),
            Some(GONE) => 0,
            Some(shown) => {
                let unseen = (self.web.links(record.page).len() as u32).saturating_sub(shown);
                self.web.out_degree(record.page) - unseen
            }
        }
    }

    /// The fetched pages that link to a URL, in order of fetching. Scans all known links, O(links):
    /// for explanations, not for scoring.
    pub fn linked_from(&self, url: UrlId) -> Vec<UrlId> {
        let page = self.book.page(url);
        let links_here = |from: &&UrlId| self.pages_linked(**from).contains(&page);
        self.book.order.iter().filter(links_here).copied().collect()
    }

    /// True if the page was fetched and showed a link at that position.
    fn shows(&self, from: UrlId, place: usize) -> bool {
        let shown = self.book.shown_of(from).unwrap_or(NONE);
        self.shows_itself(from) && place < shown as usize
    }

    /// True if the page was fetched and existed.
    fn shows_itself(&self, url: UrlId) -> bool {
        self.fetch_number(url).is_some() && !self.book.was_gone(url)
    }

    /// Anchor text of a link of a fetched page, by position.
    pub fn anchor(&self, from: UrlId, place: usize) -> &'a str {
        if !self.shows(from, place) {
            return "";
        }
        self.web.anchor(self.book.page(from), place)
    }

    /// Text around a link of a fetched page, by position.
    pub fn context(&self, from: UrlId, place: usize) -> &'a str {
        if !self.shows(from, place) {
            return "";
        }
        self.web.context(self.book.page(from), place)
    }

    /// Title of a fetched page.
    pub fn title(&self, url: UrlId) -> &'a str {
        if !self.shows_itself(url) {
            return "";
        }
        self.web.title(self.book.page(url))
    }

    /// Text of a fetched page.
    pub fn text(&self, url: UrlId) -> &'a str {
        if !self.shows_itself(url) {
            return "";
        }
        self.web.text(self.book.page(url))
    }

    /// Judgement of a fetched page; `None` without a topic.
    pub fn judgement(&self, url: UrlId) -> Option<Judgement> {
        self.book.judgement(url)
    }

    /// True if the page's links are followed. A focused crawl does not follow links of pages off
    /// the topic or of results.
    pub fn follows(&self, url: UrlId) -> bool {
        self.book.judged_of(url).is_none_or(|judged| judged.follows)
    }

    /// True if the fetched URL answered with a redirect.
    pub fn is_redirect(&self, url: UrlId) -> bool {
        self.book.judged_of(url).is_some_and(|judged| judged.is_redirect)
    }

    /// Text of a fetched page, for classification.
    pub fn page_text(&self, url: UrlId) -> PageText<'a> {
        let n_links = self.pages_linked(url).len();
        let anchors = (0..n_links).map(|place| self.anchor(url, place)).collect();
        PageText { title: self.title(url), text: self.text(url), anchors }
    }

    /// The host of a URL; `None` if host rules do not apply.
    pub fn host(&self, url: UrlId) -> Option<HostId> {
        self.web.host_of(self.book.page(url))
    }

    /// The site of a URL.
    pub fn site(&self, url: UrlId) -> Option<SiteId> {
        self.host(url).map(|host| self.web.host(host).site)
    }

    /// The rank of a URL in an earlier crawl, if it was known then.
    #[inline]
    pub fn past_rank(&self, past: &Past, url: UrlId) -> Option<f64> {
        past.rank(self.book.page(url))
    }

    /// The true rank of a URL, if the strategy declared that it needs it.
    pub fn true_rank(&self, url: UrlId) -> Option<f64> {
        self.truth.map(|truth| truth.rank(self.book.page(url)))
    }

    /// The ranker that computed the true ranks.
    pub fn true_ranker(&self) -> Option<&'a str> {
        self.truth.map(|truth| truth.ranker.as_str())
    }
}
