//! A web page: from its bytes to title, text and links.
//!
//! [`decode`] finds out in which charset the bytes are written, [`read`] parses the HTML as
//! browsers do, however broken it is. Whatever the page is, reading takes bounded memory and no
//! more stack than for a small page: see `parse` for what is left out of pages that no person
//! ever wrote.

mod charset;
mod outline;
mod parse;
mod tree;

pub use charset::decode;

/// Most bytes of a page that are read; what follows is left out.
pub const MAX_BYTES: usize = 8 << 20;

/// How pages are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// δ: texts at most so many edges of the page's tree from a link belong to its context.
    pub context_distance: u32,
    /// Most links of a page; the rest are counted.
    pub links: usize,
}

impl Options {
    /// The middle of the 4 to 6 that Zhang et al. 2010 (B) give.
    pub const CONTEXT_DISTANCE: u32 = 5;
}

impl Default for Options {
    fn default() -> Self {
        Self { context_distance: Self::CONTEXT_DISTANCE, links: 20_000 }
    }
}

/// What a page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title, on one line.
    pub title: String,
    /// Its text: a line for each block (paragraph, heading, list item, table cell), blanks
    /// run together.
    pub text: String,
    /// Its links, in the order in which they stand.
    pub links: Vec<PageLink>,
    /// Links beyond those that were asked for.
    pub links_left_out: u64,
    /// True when a part of the page was not read, because it is too large.
    pub cut: bool,
}

impl Page {
    /// Its blocks of text.
    pub fn blocks(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }
}

/// A link of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLink {
    /// Where it leads: as it is written where that is an absolute URL, or no web address at all;
    /// else resolved against the page's base, in normal form.
    pub to: String,
    /// Its text; where it has none, what stands for its images.
    pub anchor: String,
    /// The text of the page's tree within [`Options::context_distance`] of the link, its own
    /// included, in reading order. At most a few lines before and behind the link (ours): on a
    /// flat page everything is near.
    pub context: String,
    /// It asks crawlers not to follow it, or the whole page does.
    pub nofollow: bool,
}

/// Reads a page that stands at that URL.
pub fn read(html: &str, url: &str, options: &Options) -> Page {
    let start = &html[..html.floor_char_boundary(MAX_BYTES)];
    let (tree, cut) = parse::parse(start);
    let mut page = outline::outline(&tree, url, options);
    page.cut = cut || start.len() < html.len();
    page
}

/// True where `rel`, or a robots `content`, has that word.
pub(crate) fn has_word(list: &str, word: &str) -> bool {
    let mut words = list.split(|c: char| c == ',' || c.is_ascii_whitespace());
    words.any(|given| given.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
