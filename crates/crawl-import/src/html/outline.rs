//! Extracts title, text, links and link contexts from a page's tree.
//!
//! The walk records texts and links in document order, each with the depth of the lowest ancestor it
//! shares with the item before. The distance of two nodes at depths d and e is d + e − 2m, where m is
//! the depth of their lowest common ancestor: the minimum of the recorded depths between them.

use super::tree::{Element, Node, Visitor, walk};
use super::{Options, Page, PageLink, has_word};
use crate::address;
use crate::links::is_absolute;
use std::ops::Range;

/// Maximum bytes of an anchor.
const ANCHOR_BYTES: usize = 1000;
/// Maximum bytes of context on each side of a link.
const SIDE_BYTES: usize = 300;
/// Maximum bytes of context.
const CONTEXT_BYTES: usize = 2 * SIDE_BYTES + ANCHOR_BYTES;
/// Maximum items examined on each side of a link.
const SIDE_ITEMS: usize = 400;

/// Extracts the content of the tree.
pub(super) fn outline(nodes: &[Node], url: &str, options: &Options) -> Page {
    let mut reader = Reader { url, most_links: options.links, ..Reader::default() };
    walk(nodes, &mut reader);
    let base = reader.base.as_deref().unwrap_or(url);
    let links = reader.links.iter().map(|link| PageLink {
        to: target(base, link.href),
        anchor: reader.anchor(link),
        context: reader.context(link, options.context_distance),
        nofollow: link.nofollow || reader.nofollow,
    });
    let links = links.collect();
    let links_left_out = reader.links_left_out;
    Page { title: reader.title, text: reader.text, links, links_left_out, cut: false }
}

/// Keeps absolute URLs as written, because worlds match them verbatim first.
fn target(base: &str, href: &str) -> String {
    let href = href.trim();
    let resolved = if is_absolute(href) { None } else { address::resolve(base, href) };
    resolved.unwrap_or_else(|| href.to_owned())
}

/// State of the walk.
#[derive(Default)]
struct Reader<'t> {
    url: &'t str,
    most_links: usize,
    title: String,
    has_title: bool,
    base: Option<String>,
    nofollow: bool,
    text: String,
    /// Separator before the next text.
    gap: Gap,
    items: Vec<Item>,
    /// Depth of the lowest common ancestor of the last item and the current node.
    shared: u32,
    links: Vec<Link<'t>>,
    links_left_out: u64,
    /// Indexes of the open links.
    open: Vec<Option<u32>>,
    in_title: bool,
}

#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
enum Gap {
    #[default]
    None,
    Space,
    Block,
}

/// A text, or the start or end of a link.
struct Item {
    /// Range in the text; empty for links.
    range: Range<usize>,
    depth: u32,
    /// Depth of the lowest common ancestor with the item before.
    shared: u32,
}

struct Link<'t> {
    href: &'t str,
    nofollow: bool,
    depth: u32,
    /// Item indexes of its start and end.
    start: usize,
    end: usize,
    /// Alternative text of its images, or its own.
    instead: String,
}

impl<'t> Reader<'t> {
    fn item(&mut self, range: Range<usize>, depth: u32) {
        self.items.push(Item { range, depth, shared: self.shared });
    }

    fn open_link(&mut self, element: &'t Element, href: &'t str, depth: u32) {
        if self.links.len() >= self.most_links {
            self.links_left_out += 1;
            self.open.push(None);
            return;
        }
        let rel = element.attribute("rel").unwrap_or_default();
        let mut instead = String::new();
        append_words(&mut instead, element.attribute("alt").unwrap_or_default());
        let (start, end) = (self.items.len(), self.items.len() + 1);
        let nofollow = has_word(rel, "nofollow");
        self.open.push(Some(self.links.len() as u32));
        self.links.push(Link { href, nofollow, depth, start, end, instead });
        self.item(0..0, depth);
        self.shared = depth;
    }

    fn close_link(&mut self, depth: u32) {
        let Some(Some(link)) = self.open.pop() else { return };
        self.links[link as usize].end = self.items.len();
        self.item(0..0, depth);
        self.shared = depth - 1;
    }

    fn meta(&mut self, element: &Element) {
        let name = element.attribute("name").unwrap_or_default();
        let content = element.attribute("content").unwrap_or_default();
        if name.eq_ignore_ascii_case("robots") {
            self.nofollow |= has_word(content, "nofollow") || has_word(content, "none");
        }
    }

    fn anchor(&self, link: &Link<'_>) -> String {
        let mut texts = self.items[link.start..link.end].iter().filter(|i| !i.range.is_empty());
        let Some(first) = texts.next() else {
            return link.instead.clone();
        };
        let last = texts.next_back().unwrap_or(first);
        on_one_line(shortened(&self.text[first.range.start..last.range.end], ANCHOR_BYTES))
    }

    fn context(&self, link: &Link<'_>, distance: u32) -> String {
        let near = |item: &Item, shared: u32| {
            !item.range.is_empty() && link.depth + item.depth - 2 * shared <= distance
        };
        let too_far = |shared: u32| link.depth - shared >= distance;
        let (mut chosen, mut bytes) = (Vec::new(), 0);
        let mut shared = self.items[link.start].shared;
        for item in self.items[..link.start].iter().rev().take(SIDE_ITEMS) {
            if too_far(shared) || bytes >= SIDE_BYTES {
                break;
            }
            if near(item, shared) {
                let start = item.range.end - item.range.len().min(SIDE_BYTES - bytes);
                let start = self.text.ceil_char_boundary(start);
                bytes += item.range.len();
                chosen.push(start..item.range.end);
            }
            shared = shared.min(item.shared);
        }
        chosen.reverse();
        let inside = self.items[link.start..link.end].iter().take(SIDE_ITEMS);
        chosen.extend(inside.filter(|item| near(item, link.depth)).map(|i| i.range.clone()));
        (shared, bytes) = (link.depth, 0);
        for item in self.items[link.end + 1..].iter().take(SIDE_ITEMS) {
            shared = shared.min(item.shared);
            if too_far(shared) || bytes >= SIDE_BYTES {
                break;
            }
            if near(item, shared) {
                let end = item.range.start + item.range.len().min(SIDE_BYTES - bytes);
                let end = self.text.floor_char_boundary(end);
                bytes += item.range.len();
                chosen.push(item.range.start..end);
            }
        }
        self.joined(&chosen)
    }

    /// Joins pieces of text; adjacent ones keep the text between them.
    fn joined(&self, ranges: &[Range<usize>]) -> String {
        let mut joined = String::new();
        let mut before = 0..0;
        for range in ranges {
            if joined.len() > CONTEXT_BYTES {
                break;
            }
            let between = &self.text[before.end..range.start];
            if !joined.is_empty() && !between.is_empty() {
                joined.push(' ');
            }
            joined.push_str(&self.text[range.clone()]);
            before = range.clone();
        }
        on_one_line(shortened(&joined, CONTEXT_BYTES))
    }
}

impl<'t> Visitor<'t> for Reader<'t> {
    fn enter(&mut self, element: &'t Element, depth: u32) -> bool {
        let name = element.name();
        match name {
            "script" | "style" | "template" | "noembed" | "noframes" => return false,
            // Only the page's title, not that of an SVG.
            "title" => {
                self.in_title = !std::mem::replace(&mut self.has_title, true);
                return self.in_title;
            }
            "base" if self.base.is_none() => {
                let href = element.attribute("href");
                self.base = href.and_then(|href| address::resolve(self.url, href));
            }
            "meta" => self.meta(element),
            "img" => {
                if let (Some(Some(link)), Some(alt)) = (self.open.last(), element.attribute("alt"))
                {
                    append_words(&mut self.links[*link as usize].instead, alt);
                }
            }
            _ => {}
        }
        if let Some(href) = leads_to(element) {
            self.open_link(element, href, depth);
        }
        if is_block(name) {
            self.gap = Gap::Block;
        } else if matches!(name, "br" | "img") && self.gap == Gap::None {
            self.gap = Gap::Space;
        }
        name != "iframe"
    }

    fn text(&mut self, text: &'t str, depth: u32) {
        if self.in_title {
            append_words(&mut self.title, text);
            return;
        }
        let mut start = None;
        for c in text.chars() {
            if is_blank(c) {
                if self.gap == Gap::None {
                    self.gap = Gap::Space;
                }
                continue;
            }
            match std::mem::take(&mut self.gap) {
                Gap::None => {}
                _ if self.text.is_empty() => {}
                Gap::Space => self.text.push(' '),
                Gap::Block => self.text.push('\n'),
            }
            start.get_or_insert(self.text.len());
            self.text.push(c);
        }
        if let Some(start) = start {
            self.item(start..self.text.len(), depth);
            self.shared = depth - 1;
        }
    }

    fn leave(&mut self, element: &'t Element, depth: u32) {
        if element.name() == "title" {
            self.in_title = false;
        }
        if leads_to(element).is_some() {
            self.close_link(depth);
        }
        if is_block(element.name()) {
            self.gap = Gap::Block;
        }
        self.shared = self.shared.min(depth - 1);
    }
}

/// The address of an element that is a link.
fn leads_to(element: &Element) -> Option<&str> {
    match element.name() {
        "a" | "area" => element.attribute("href"),
        "frame" | "iframe" => element.attribute("src"),
        "meta" if element.attribute("http-equiv")?.eq_ignore_ascii_case("refresh") => {
            refresh_target(element.attribute("content")?)
        }
        _ => None,
    }
}

/// The URL in `5; URL='…'`; `None` if the page only reloads itself.
fn refresh_target(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let named = rest.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let value = rest.get(3..).filter(|_| named)?.trim_start().strip_prefix('=')?.trim();
    let quoted =
        ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.split(quote).next());
    Some(quoted.unwrap_or(value)).filter(|url| !url.is_empty())
}

/// Whether the element starts and ends a block of text.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "frame"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "header"
            | "hr"
            | "html"
            | "iframe"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "option"
            | "p"
            | "plaintext"
            | "pre"
            | "search"
            | "section"
            | "select"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "textarea"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "xmp"
    )
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Appends words, separated by single spaces.
fn append_words(line: &mut String, text: &str) {
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        if line.len() >= ANCHOR_BYTES {
            return;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(shortened(word, ANCHOR_BYTES));
    }
}

fn on_one_line(text: &str) -> String {
    text.replace('\n', " ")
}

fn shortened(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
