//! Extracts title, text and links from the bytes of a web page.
//!
//! [`decode`] detects the charset, [`read`] parses HTML as browsers do, including malformed HTML. Time
//! and memory are bounded for any input; `parse` describes what is cut.

mod charset;
mod outline;
mod parse;
mod tree;

pub use charset::decode;

/// Maximum bytes read of a page.
pub const MAX_BYTES: usize = 8 << 20;

/// Options for reading pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// δ: maximum distance, in edges of the page's tree, of context text from its link.
    pub context_distance: u32,
    /// Maximum links per page; further ones are counted.
    pub links: usize,
}

impl Options {
    /// Default δ: the middle of 4 to 6 (Zhang et al. 2010).
    pub const CONTEXT_DISTANCE: u32 = 5;
}

impl Default for Options {
    fn default() -> Self {
        Self { context_distance: Self::CONTEXT_DISTANCE, links: 20_000 }
    }
}

/// Content of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Title, on one line.
    pub title: String,
    /// Text: one line per block (paragraph, heading, list item, table cell), whitespace collapsed.
    pub text: String,
    /// Links in document order.
    pub links: Vec<PageLink>,
    /// Number of links beyond the maximum.
    pub links_left_out: u64,
    /// Whether the end of the page was cut because it is too large.
    pub cut: bool,
}

impl Page {
    /// Blocks of text.
    pub fn blocks(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }
}

/// A link of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLink {
    /// Target: an absolute URL or a non-web address as written, otherwise resolved against the base URL
    /// and normalised.
    pub to: String,
    /// Anchor text; for images, their alternative text.
    pub anchor: String,
    /// Text within [`Options::context_distance`] of the link, including its own, in document order.
    ///
    /// At most a few lines before and after the link (our choice): on a flat page everything is near.
    pub context: String,
    /// Whether the link or its page is marked nofollow.
    pub nofollow: bool,
}

/// Parses the page at `url`.
///
/// ```
/// use crawl_import::html::{Options, read};
///
/// let page = read("<title>A</title><p>See <a href=b>B</a>.", "http://a.example/", &Options::default());
/// assert_eq!((page.title.as_str(), page.text.as_str()), ("A", "See B."));
/// assert_eq!(page.links[0].to, "http://a.example/b");
/// ```
pub fn read(html: &str, url: &str, options: &Options) -> Page {
    let start = &html[..html.floor_char_boundary(MAX_BYTES)];
    let (tree, cut) = parse::parse(start);
    let mut page = outline::outline(&tree, url, options);
    page.cut = cut || start.len() < html.len();
    page
}

/// Whether a `rel` or robots `content` list contains the word.
pub(crate) fn has_word(list: &str, word: &str) -> bool {
    let mut words = list.split(|c: char| c == ',' || c.is_ascii_whitespace());
    words.any(|given| given.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
