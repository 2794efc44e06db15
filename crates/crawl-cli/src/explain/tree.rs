//! An explanation as a tree: each value, its terms, and the evidence for it.

use super::score;
use crate::json::number;
use crate::terminal::{Output, plain, width_of, wrap};
use crawl_core::{Evidence, Explanation, Known, Op};
use crawl_run::Lane;
use crawl_world::World;
use serde_json::{Value, json};

/// More terms than this are only counted.
const MOST_TERMS: usize = 4;
/// Minimum columns of a shortened URL, and of a sentence.
const LEAST_URL: usize = 20;
const LEAST_PROSE: usize = 30;

/// The tree as indented text.
pub fn text(root: &Explanation, lane: &Lane, world: &World, output: Output) -> String {
    let mut lines =
        Lines { known: lane.travel().now().session().known(world), output, text: String::new() };
    lines.node(root, "   ", "   ");
    lines.text
}

/// The tree as JSON.
pub fn object(node: &Explanation, lane: &Lane, world: &World) -> Value {
    let known = lane.travel().now().session().known(world);
    let seen = |evidence: &Evidence| match evidence {
        Evidence::Fetched(url) => {
            json!({ "fetched": known.url(*url), "step": known.fetch_step(*url) })
        }
        Evidence::Discovered(url) => json!({ "discovered": known.url(*url) }),
        Evidence::Note(note) => json!({ "note": note }),
    };
    let children = node.children.iter().map(|child| object(child, lane, world));
    json!({
        "label": node.label,
        "op": name(node.op),
        "value": number(node.value),
        "children": children.collect::<Vec<_>>(),
        "evidence": node.evidence.iter().map(seen).collect::<Vec<_>>(),
    })
}

struct Lines<'a> {
    known: Known<'a>,
    output: Output,
    text: String,
}

impl Lines<'_> {
    /// Writes a node; `first` is the prefix of its own line, `rest` that of the lines below.
    fn node(&mut self, node: &Explanation, first: &str, rest: &str) {
        let mut line = format!("{first}{} {}", node.label, score(node.value));
        if let Some(terms) = terms(node) {
            line = format!("{line} = {terms}");
        }
        let mut evidence = node.evidence.iter();
        let seen = evidence.next().map(|e| self.seen(e));
        let room = self.output.width.saturating_sub(width_of(&line) + 2);
        match seen {
            Some((words, url)) if width_of(&words) + width_of(&url) <= room => {
                self.line(&format!("{line}  {words}{url}"));
            }
            Some(seen) => {
                self.line(&line);
                self.evidence(seen, node, rest);
            }
            None => self.line(&line),
        }
        for more in evidence {
            let seen = self.seen(more);
            self.evidence(seen, node, rest);
        }
        for (i, child) in node.children.iter().enumerate() {
            let is_last = i + 1 == node.children.len();
            let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.node(child, &format!("{rest}{branch}"), &format!("{rest}{below}"));
        }
    }

    /// Writes evidence below its node: URLs are shortened, sentences wrapped.
    fn evidence(&mut self, (words, url): (String, String), node: &Explanation, rest: &str) {
        let bar = if node.children.is_empty() { "   " } else { "│  " };
        let before = format!("{rest}{bar}");
        let room = self.output.width.saturating_sub(width_of(&before));
        if url.is_empty() {
            let longest = || words.split_whitespace().map(width_of).max().unwrap_or(0);
            let whole = if self.output.shortens { 0 } else { longest() };
            for line in wrap(&words, room.max(LEAST_PROSE).max(whole)) {
                self.line(&format!("{before}{line}"));
            }
            return;
        }
        let room = room.saturating_sub(width_of(&words)).max(LEAST_URL);
        self.line(&format!("{before}{words}{}", self.output.fit(&url, room)));
    }

    /// The evidence in words, and its URL.
    fn seen(&self, evidence: &Evidence) -> (String, String) {
        match evidence {
            Evidence::Fetched(url) => {
                let number = self.known.fetch_step(*url).unwrap_or(0);
                (format!("step {number}: "), plain(&self.known.url(*url)))
            }
            Evidence::Discovered(url) => ("found: ".to_owned(), plain(&self.known.url(*url))),
            Evidence::Note(note) => (plain(note), String::new()),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// The terms of a value, written as in its formula.
fn terms(node: &Explanation) -> Option<String> {
    let values: Vec<String> = node.children.iter().map(|c| score(c.value)).collect();
    let symbol = node.op.symbol();
    Some(match (node.op, values.as_slice()) {
        (Op::Given, _) => return None,
        (_, []) => "nothing".to_owned(),
        (Op::Sum | Op::Product | Op::Max | Op::Min, [_]) => return None,
        (Op::Negative, [value]) => format!("{symbol}({value})"),
        (_, values) if values.len() > MOST_TERMS => {
            format!("{} of {} parts", name(node.op), values.len())
        }
        (Op::Bounded, _) => format!("{symbol} {}", score(node.value)),
        (Op::Max | Op::Min, values) => format!("{symbol}({})", values.join(", ")),
        (Op::Applied(_), values) if symbol.starts_with(|c: char| c.is_alphabetic()) => {
            format!("{symbol}({})", values.join(", "))
        }
        (_, values) => values.join(&format!(" {symbol} ")),
    })
}

fn name(op: Op) -> &'static str {
    match op {
        Op::Given => "given",
        Op::Sum => "sum",
        Op::Product => "product",
        Op::Quotient => "quotient",
        Op::Difference => "difference",
        Op::Negative => "negative",
        Op::Max => "maximum",
        Op::Min => "minimum",
        Op::Applied(function) => function.symbol(),
        Op::Bounded => "bounded",
    }
}
