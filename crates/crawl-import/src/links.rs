//! Resolves the links of pages.
//!
//! A link may resolve to a page later in the file, so links are resolved once all pages are read. Each
//! address is looked up verbatim; else resolved against its page, normalised and looked up; else
//! compared with the normal forms of all pages, if exactly one matches. All others leave the
//! snapshot.

use crate::address;
use crate::tally;
use crate::{Limits, Problem};
use crawl_world::{Column, Interner, Link, PageId, StrId, Strings, WorldBuilder, web_address};

/// Unresolved links, page by page.
#[derive(Default)]
pub(crate) struct UnresolvedLinks {
    /// Index of each page's first link.
    starts: Vec<u32>,
    /// Address of each link.
    targets: Vec<u32>,
    anchors: Column<StrId>,
    contexts: Column<StrId>,
    nofollow: Column<bool>,
    /// Anchors and contexts; 0 is the empty text.
    texts: Interner,
    /// URLs of pages and addresses of links, verbatim. One table for both, because most of the import
    /// time of a large world is spent on these lookups.
    addresses: Interner,
    /// The page of each address, or [`NO_PAGE`].
    pages: Vec<u32>,
    text_bytes: u64,
}

const NO_PAGE: u32 = u32::MAX;

impl UnresolvedLinks {
    /// Starts the links of the next page.
    pub(crate) fn start_page(&mut self, page: PageId, url: &str) {
        self.starts.push(self.targets.len() as u32);
        let address = self.address(url);
        self.pages[address as usize] = page.0;
    }

    /// Adds a link to the current page.
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

    /// Number of links.
    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Bytes of distinct texts and addresses.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// The links of a page; call it once all pages are known.
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

    /// All addresses of links.
    pub(crate) fn addresses(&self) -> &Strings {
        self.addresses.strings()
    }
}

/// Target of an unresolved link.
pub(crate) enum Target {
    /// A page with this URL verbatim.
    Page(PageId),
    /// Another address.
    Address(u32),
}

/// Result of resolving an address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resolved {
    /// A page of this world.
    Page(PageId),
    /// A normalised URL outside this world.
    Outside(String),
    /// Not an http(s) URL.
    NotWeb,
}

/// Finds pages by address, once all pages are known.
pub(crate) struct Matcher {
    /// Normal forms that differ from their page's URL, and their pages.
    normal_forms: Interner,
    pages: Vec<u32>,
}

/// Marks a normal form shared by several pages.
const SEVERAL: u32 = u32::MAX;

impl Matcher {
    /// Indexes the URLs of all pages.
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

    /// Resolves an address on page `on`.
    pub(crate) fn resolve(&self, builder: &WorldBuilder, on: PageId, address: &str) -> Resolved {
        if let Some(page) = builder.find(address) {
            return Resolved::Page(page);
        }
        let normal = address::resolve(builder.url(on), address);
        // Percent-encoding may have made the URL too long.
        match normal.filter(|url| url.len() <= web_address::MAX_URL_BYTES) {
            None => Resolved::NotWeb,
            Some(normal) => match self.find_normal(builder, &normal) {
                Some(page) => Resolved::Page(page),
                None => Resolved::Outside(normal),
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

/// A [`Matcher`] created on first use.
#[derive(Default)]
pub(crate) struct Finder(Option<Matcher>);

impl Finder {
    /// Resolves an address on page `on`.
    pub(crate) fn resolve(
        &mut self,
        builder: &WorldBuilder,
        on: PageId,
        address: &str,
    ) -> Resolved {
        if let Some(page) = builder.find(address) {
            return Resolved::Page(page);
        }
        let matcher = self.0.get_or_insert_with(|| Matcher::new(builder));
        matcher.resolve(builder, on, address)
    }
}

/// Whether an address is independent of its page.
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
        let resolve = |on, address| matcher.resolve(&builder, on, address);
        assert_eq!(resolve(upper, "http://www.epa.gov"), Resolved::Page(bare));
        assert_eq!(resolve(upper, "http://www.epa.gov/"), Resolved::Page(slash));
        assert_eq!(resolve(upper, "http://WWW.epa.gov#top"), Resolved::Page(slash));
        assert_eq!(resolve(bare, "."), Resolved::Page(slash));
        assert_eq!(resolve(bare, "//b.example/%C3%A4"), Resolved::Page(upper));
        assert_eq!(resolve(bare, "http://c.example/#1"), Resolved::Page(first));
        assert_eq!(
            resolve(bare, "http://c.example"),
            Resolved::Outside("http://c.example/".to_owned())
        );
        assert_eq!(
            resolve(upper, "x/../y?q#z"),
            Resolved::Outside("http://b.example/y?q".to_owned())
        );
        assert_eq!(resolve(bare, "mailto:me@b.example"), Resolved::NotWeb);
        let long = "ä".repeat(web_address::MAX_URL_BYTES / 3);
        assert_eq!(resolve(bare, &long), Resolved::NotWeb);
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
