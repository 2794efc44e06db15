//! HTML to a tree, by the parser of the Servo browser, which follows the standard on what broken
//! pages mean.
//!
//! The standard has no bounds, and some of its steps look through all open elements or all
//! attributes of a tag. So that no page takes more than a bounded time for each of its bytes,
//! - tags are passed over where [`MAX_OPEN`] are open, their text is kept (as Chromium does);
//! - a tag ends after some thousand attributes, of which the first hundred are kept;
//! - the page ends after [`MAX_NODES`] nodes.

use super::tree::{Handle, Node, Tree};
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{Tracer, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, TokenizerResult};
use std::cell::{Cell, RefCell};

/// Most open elements, those that are opened again in every block counted twice.
pub(super) const MAX_OPEN: usize = 600;
/// Most elements, texts and comments of a page.
pub(super) const MAX_NODES: usize = 1 << 20;
const MAX_ATTRIBUTES: usize = 100;
/// Bytes handed to the parser at once.
const CHUNK_BYTES: usize = 4 << 10;
/// Most bytes that can separate attributes before a tag is ended.
const MAX_SEPARATORS: usize = 2000;
/// How far back a closing tag looks for its opening one among those passed over.
const LOOK_BACK: usize = 16;

/// Parses a page; true when a part of it was left out at the end.
pub(super) fn parse(html: &str) -> (Vec<Node>, bool) {
    // No script runs, so that what stands for scripts is what a crawler sees.
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let guard = Guard {
        builder: TreeBuilder::new(Tree::new(), options),
        tokens: Cell::new(0),
        open: Cell::new(0),
        nodes: Cell::new(0),
        passed_over: RefCell::default(),
        full: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let queue = BufferQueue::default();
    let feed = |text: &str| {
        queue.push_back(StrTendril::from_slice(text));
        // It pauses for scripts and charsets, neither of which matter here.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    };
    let mut rest = html;
    let mut separators = 0;
    while !rest.is_empty() && !tokenizer.sink.full.get() {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        let before = tokenizer.sink.tokens.get();
        feed(chunk);
        let inside_one = before == tokenizer.sink.tokens.get();
        separators = if inside_one { separators } else { 0 } + count_separators(chunk);
        if inside_one && separators > MAX_SEPARATORS {
            // Inside a comment or a value this is a character like any other.
            feed(">");
            separators = 0;
        }
        rest = after;
    }
    tokenizer.end();
    let cut = tokenizer.sink.full.get();
    (tokenizer.sink.builder.sink.finish(), cut)
}

fn count_separators(chunk: &str) -> usize {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'".contains(byte);
    chunk.bytes().filter(separates).count()
}

/// Stands between the tokens and the tree.
struct Guard {
    builder: TreeBuilder<Handle, Tree>,
    tokens: Cell<u64>,
    /// How many elements were open when they were counted last, and how many nodes there were.
    open: Cell<usize>,
    nodes: Cell<usize>,
    /// Tags too deep to be kept that are still open.
    passed_over: RefCell<Vec<LocalName>>,
    full: Cell<bool>,
}

impl Guard {
    /// True when no more elements should be opened. They are counted only when so many nodes were
    /// added since the last time that there could be too many.
    fn is_deep(&self) -> bool {
        let nodes = self.builder.sink.len();
        if self.open.get() + (nodes - self.nodes.get()) >= MAX_OPEN {
            let count = Count(Cell::new(0));
            self.builder.trace_handles(&count);
            self.open.set(count.0.get());
            self.nodes.set(nodes);
        }
        self.open.get() >= MAX_OPEN
    }

    /// True for a tag that the tree should not see.
    fn passes_over(&self, kind: TagKind, name: &LocalName) -> bool {
        let mut open = self.passed_over.borrow_mut();
        match kind {
            TagKind::StartTag if is_never_nested(name) => false,
            TagKind::StartTag if self.is_deep() => {
                open.push(name.clone());
                true
            }
            TagKind::StartTag => {
                open.clear();
                false
            }
            TagKind::EndTag => {
                let near = open.len().saturating_sub(LOOK_BACK);
                let found = open[near..].iter().rposition(|tag| tag == name);
                found.inspect(|at| open.truncate(near + at)).is_some()
            }
        }
    }
}

/// Counts what the tree builder has in hand.
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::ParseError(_) = token {
            return TokenSinkResult::Continue;
        }
        self.tokens.set(self.tokens.get() + 1);
        if self.builder.sink.len() > MAX_NODES && token != Token::EOFToken {
            self.full.set(true);
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &mut token {
            tag.attrs.truncate(MAX_ATTRIBUTES);
            if self.passes_over(tag.kind, &tag.name) {
                return TokenSinkResult::Continue;
            }
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Elements that hold no others: without content, or with text alone.
fn is_never_nested(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "iframe"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "noembed"
            | "noframes"
            | "param"
            | "plaintext"
            | "script"
            | "source"
            | "style"
            | "textarea"
            | "title"
            | "track"
            | "wbr"
            | "xmp"
    )
}
