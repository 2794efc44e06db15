//! What the Markdown documents of the repository hold: experiment links and fenced blocks.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A Markdown document.
pub struct Document {
    /// The path from the top of the repository.
    pub path: String,
    /// The content.
    pub text: String,
}

/// A fenced block of a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The text after the opening fence.
    pub info: &'a str,
    /// The lines between the fences.
    pub body: String,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
}

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Markdown documents at the top of the repository and in `docs/`, by path.
///
/// # Errors
/// A folder or a document cannot be read.
pub fn all() -> io::Result<Vec<Document>> {
    let mut documents = Vec::new();
    for folder in ["", "docs/"] {
        for entry in fs::read_dir(root().join(folder))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                let path = format!("{folder}{name}");
                documents.push(Document { text: fs::read_to_string(root().join(&path))?, path });
            }
        }
    }
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(documents)
}

impl Document {
    /// Every experiment link, `#v=1&…`, in order, with its line counted from 1.
    ///
    /// A link ends at the character that closes what it stands in: a backtick, a quote, or the
    /// bracket of a Markdown link.
    pub fn links(&self) -> Vec<(usize, &str)> {
        let mut links = Vec::new();
        for (line, number) in self.text.lines().zip(1..) {
            for (at, _) in line.match_indices("#v=") {
                let link = &line[at..];
                let link = &link[..end_of_link(line[..at].chars().next_back(), link)];
                // `#v=1` alone is a part of the grammar.
                if link.contains('&') {
                    links.push((number, link));
                }
            }
        }
        links
    }

    /// Every fenced block, in order.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut is_open = false;
        for (line, number) in self.text.lines().zip(1..) {
            match (line.trim_start().strip_prefix("```"), is_open) {
                (Some(info), false) => {
                    let (info, body) = (info.trim(), String::new());
                    blocks.push(Block { info, body, line: number });
                    is_open = true;
                }
                (Some(_), true) => is_open = false,
                (None, true) => {
                    if let Some(block) = blocks.last_mut() {
                        block.body += line;
                        block.body.push('\n');
                    }
                }
                (None, false) => {}
            }
        }
        blocks
    }
}

/// Bytes of the link that `text` starts with, by the character before it.
fn end_of_link(before: Option<char>, text: &str) -> usize {
    let closing = match before {
        Some(quote @ ('`' | '\'' | '"')) => return text.find(quote).unwrap_or(text.len()),
        // `](#…)` or `](http://127.0.0.1:8080/#…)`: brackets within the link are balanced.
        Some('(' | '/') => ')',
        _ => ' ',
    };
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            ')' if closing == ')' && depth == 0 => return at,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '`' => return at,
            c if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document { path: "a.md".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn links_end_where_their_quotes_or_brackets_do() {
        let text = "`#v=1&seeds='a'` and [b](http://x/#v=1&run=opic(keep:true)), '#v=1&world=c'\n\
                    \"#v=1&seeds='d'\" #v=1&run=e(f:1) `http://x/#v=1&world=g`";
        let links: Vec<_> =
            document(text).links().iter().map(|(n, l)| (*n, (*l).to_owned())).collect();
        let expected = [
            (1, "#v=1&seeds='a'"),
            (1, "#v=1&run=opic(keep:true)"),
            (1, "#v=1&world=c"),
            (2, "#v=1&seeds='d'"),
            (2, "#v=1&run=e(f:1)"),
            (2, "#v=1&world=g"),
        ];
        assert_eq!(links, expected.map(|(line, link)| (line, link.to_owned())));
    }

    #[test]
    fn blocks_have_their_info_and_lines() {
        let document = document("a\n```text b\nc\nd\n```\ne\n```\nf\n```\n");
        let blocks = document.blocks();
        assert_eq!(blocks[0], Block { info: "text b", body: "c\nd\n".to_owned(), line: 2 });
        assert_eq!(blocks[1], Block { info: "", body: "f\n".to_owned(), line: 7 });
        assert_eq!(blocks.len(), 2);
    }
}
