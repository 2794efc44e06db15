//! Parses HTML to a tree with html5ever, the parser of Servo.
//!
//! The HTML standard sets no limits, and some of its steps scan all open elements or all attributes of
//! a tag. To bound the time per byte:
//! - tags are skipped while [`MAX_OPEN`] elements are open, their text is kept (as in Chromium);
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

/// Maximum open elements; formatting elements that are reopened in each block count twice.
pub(super) const MAX_OPEN: usize = 600;
/// Maximum elements, texts and comments of a page.
pub(super) const MAX_NODES: usize = 1 << 20;
const MAX_ATTRIBUTES: usize = 100;
/// Bytes passed to the parser at a time.
const CHUNK_BYTES: usize = 4 << 10;
/// Maximum separator bytes in a tag before it is ended.
const MAX_SEPARATORS: usize = 2000;
/// Number of skipped tags searched for the start of a closing tag.
const LOOK_BACK: usize = 16;

/// Parses a page; returns whether its end was cut.
pub(super) fn parse(html: &str) -> (Vec<Node>, bool) {
    // Without scripts, `noscript` content is parsed, as a crawler sees it.
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
        // The tokenizer pauses for scripts and charsets, which do not matter here.
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
            // Inside a comment or a value this is an ordinary character.
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

/// Limits the tokens that reach the tree builder.
struct Guard {
    builder: TreeBuilder<Handle, Tree>,
    tokens: Cell<u64>,
    /// Open elements and nodes at the last count.
    open: Cell<usize>,
    nodes: Cell<usize>,
    /// Skipped tags that are still open.
    passed_over: RefCell<Vec<LocalName>>,
    full: Cell<bool>,
}

impl Guard {
    /// Whether the maximum of open elements is reached. Recounts only after enough nodes were added.
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

    /// Whether the tree builder should skip this tag.
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

/// Counts the nodes that the tree builder holds.
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

/// Whether the element contains no other elements.
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
