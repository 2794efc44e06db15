//! Where the links of pages lead.
//!
//! A link may lead to a page that the file brings later, so links wait until all pages are read.
//! Then each is looked up: to the letter; else resolved against its page and in normal form, as
//! the letters of a page; else as the normal form of exactly one page. What is left leaves the
//! snapshot.

use crate::address;
use crate::tally;
use crate::{Limits, Problem};
use crawl_world::{Column, Interner, Link, PageId, StrId, Strings, WorldBuilder, web_address};

/// Links that wait, page after page.
#[derive(Default)]
pub(crate) struct WaitingLinks {
    /// For each page, where its links start.
    starts: Vec<u32>,
    /// The address each link gives.
    targets: Vec<u32>,
    anchors: Column<StrId>,
    contexts: Column<StrId>,
    nofollow: Column<bool>,
    /// Anchors and contexts; number 0 is the empty one.
    texts: Interner,
    /// The URLs of pages, and what links say, to the letter. One table for both, because looking
    /// up addresses is what reading a large world spends its time on.
    addresses: Interner,
    /// For each address, the page that has it, or [`NO_PAGE`].
    pages: Vec<u32>,
    text_bytes: u64,
}

const NO_PAGE: u32 = u32::MAX;

impl WaitingLinks {
    /// The links that follow are those of this page, the next.
    pub(crate) fn start_page(&mut self, page: PageId, url: &str) {
        self.starts.push(self.targets.len() as u32);
        let address = self.address(url);
        self.pages[address as usize] = page.0;
    }

    /// Adds a link to the present page.
    pub(crate) fn push(
        &mut self,
        to: &str,
        link: Link<'_>,
        limits: &Limits,
    ) -> Result<(), Problem> {
        let row = self.targets.len();
        tally::room_for_link(row, limits)?;
        let address = self.address(to);
        self.targets.push(address);
        if !(link.anchor.is_empty() && link.context.is_empty()) {
            let anchor = self.text(link.anchor);
            let context = self.text(link.context);
            self.anchors.set(row, anchor);
            self.contexts.set(row, context);
        }
        self.nofollow.set(row, link.nofollow);
        Ok(())
    }

    fn address(&mut self, address: &str) -> u32 {
        let (id, new) = self.addresses.intern(address);
        if new {
            self.pages.push(NO_PAGE);
            self.text_bytes += address.len() as u64;
        }
        id
    }

    fn text(&mut self, text: &str) -> StrId {
        if self.texts.strings().is_empty() {
            self.texts.intern("");
        }
        let (id, new) = self.texts.intern(text);
        self.text_bytes += if new { text.len() as u64 } else { 0 };
        StrId(id)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Bytes of distinct text and addresses.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// The links of a page, each with its texts, once all pages are known.
    pub(crate) fn of_page(&self, page: PageId) -> impl Iterator<Item = (Target, Link<'_>)> {
        let texts = self.texts.strings();
        let start = self.starts[page.index()] as usize;
        let end = self.starts.get(page.index() + 1);
        let end = end.map_or(self.targets.len(), |end| *end as usize);
        (start..end).map(move |row| {
            let address = self.targets[row];
            let target = match self.pages[address as usize] {
                NO_PAGE => Target::Address(address),
                page => Target::Page(PageId(page)),
            };
            let link = Link {
                anchor: texts.get(self.anchors.get(row).0),
                context: texts.get(self.contexts.get(row).0),
                nofollow: self.nofollow.get(row),
            };
            (target, link)
        })
    }

    /// What links say.
    pub(crate) fn addresses(&self) -> &Strings {
        self.addresses.strings()
    }
}

/// What a waiting link leads to.
pub(crate) enum Target {
    /// A page, to the letter.
    Page(PageId),
    /// An address that is no page's to the letter.
    Address(u32),
}

/// What an address turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lead {
    /// A page of this world.
    Page(PageId),
    /// A URL, in normal form, that is no page of this world.
    Outside(String),
    /// Nothing a crawler follows.
    NotWeb,
}

/// Finds pages by address, once all are known.
pub(crate) struct Matcher {
    /// Normal forms that differ from their pages' letters, and those pages.
    normal_forms: Interner,
    pages: Vec<u32>,
}

/// In place of a page where several have one normal form.
const SEVERAL: u32 = u32::MAX;

impl Matcher {
    /// Reads all pages' URLs.
    pub(crate) fn new(builder: &WorldBuilder) -> Self {
        let mut normal_forms = Interner::default();
        let mut pages = Vec::new();
        for page in (0..builder.n_pages()).map(PageId) {
            let url = builder.url(page);
            let Some(normal) = address::normal(url).filter(|normal| normal != url) else {
                continue;
            };
            match normal_forms.intern(&normal) {
                (_, true) => pages.push(page.0),
                (seen, false) => pages[seen as usize] = SEVERAL,
            }
        }
        Self { normal_forms, pages }
    }

    /// Where an address on a page leads.
    pub(crate) fn lead(&self, builder: &WorldBuilder, on: PageId, address: &str) -> Lead {
        if let Some(page) = builder.find(address) {
            return Lead::Page(page);
        }
        let normal = address::resolve(builder.url(on), address);
        // Percent-encoding may have made it longer than what is read as a URL.
        match normal.filter(|url| url.len() <= web_address::MAX_URL_BYTES) {
            None => Lead::NotWeb,
            Some(normal) => match self.find_normal(builder, &normal) {
                Some(page) => Lead::Page(page),
                None => Lead::Outside(normal),
            },
        }
    }

    fn find_normal(&self, builder: &WorldBuilder, normal: &str) -> Option<PageId> {
        builder.find(normal).or_else(|| {
            let form = self.normal_forms.find(normal)?;
            Some(self.pages[form as usize]).filter(|page| *page != SEVERAL).map(PageId)
        })
    }
}

/// A [`Matcher`] that is made only when an address is not a page's URL to the letter.
#[derive(Default)]
pub(crate) struct Finder(Option<Matcher>);

impl Finder {
    /// Where an address on a page leads.
    pub(crate) fn lead(&mut self, builder: &WorldBuilder, on: PageId, address: &str) -> Lead {
        if let Some(page) = builder.find(address) {
            return Lead::Page(page);
        }
        let matcher = self.0.get_or_insert_with(|| Matcher::new(builder));
        matcher.lead(builder, on, address)
    }
}

/// True for an address that means the same on every page.
pub(crate) fn is_absolute(address: &str) -> bool {
    let address = address.trim_start().as_bytes();
    let starts = |start: &str| {
        address.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
    };
    starts("http://") || starts("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_first_then_the_one_page_of_that_normal_form() {
        let mut builder = address::builder("");
        let mut page = |url| address::add_page(&mut builder, url).unwrap();
        let bare = page("http://www.epa.gov");
        let slash = page("http://www.epa.gov/");
        let upper = page("HTTP://B.example/ä");
        let first = page("http://c.example/#1");
        page("http://c.example/#2");
        let matcher = Matcher::new(&builder);
        let lead = |on, address| matcher.lead(&builder, on, address);
        assert_eq!(lead(upper, "http://www.epa.gov"), Lead::Page(bare));
        assert_eq!(lead(upper, "http://www.epa.gov/"), Lead::Page(slash));
        assert_eq!(lead(upper, "http://WWW.epa.gov#top"), Lead::Page(slash));
        assert_eq!(lead(bare, "."), Lead::Page(slash));
        assert_eq!(lead(bare, "//b.example/%C3%A4"), Lead::Page(upper));
        assert_eq!(lead(bare, "http://c.example/#1"), Lead::Page(first));
        assert_eq!(lead(bare, "http://c.example"), Lead::Outside("http://c.example/".to_owned()));
        assert_eq!(lead(upper, "x/../y?q#z"), Lead::Outside("http://b.example/y?q".to_owned()));
        assert_eq!(lead(bare, "mailto:me@b.example"), Lead::NotWeb);
        let long = "ä".repeat(web_address::MAX_URL_BYTES / 3);
        assert_eq!(lead(bare, &long), Lead::NotWeb);
    }

    #[test]
    fn absolute_is_what_no_page_changes() {
        for address in ["http://a/", " HTTPS://a", "http://"] {
            assert!(is_absolute(address), "{address}");
        }
        for address in ["http:a", "//a/", "a", "ftp://a/", "", "ä"] {
            assert!(!is_absolute(address), "{address}");
        }
    }
}
