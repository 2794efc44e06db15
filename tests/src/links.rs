//! Every link that the documents, the app and the tests name, and the digests that it gives.
//!
//! `tests/golden/links.txt` holds one line per link: the link, a blank, and the digests of its lanes,
//! `refused` where it cannot be opened or run, or `file` where it needs a file. Links that a test puts
//! together from parts are not found.

use crawl_protocol::{Experiment, WorldSource};
use crawl_run::Run;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// Where links are looked for, from the top of the repository.
const PLACES: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "BENCHMARKS.md",
    "docs",
    "crates",
    "e2e",
    "tests/tests",
];
const EXTENSIONS: [&str; 2] = ["md", "rs"];
/// How links start.
const START: &str = "#v=1";

/// The text of the golden file.
///
/// # Errors
/// When a file cannot be read.
pub fn computed() -> io::Result<String> {
    let mut text = String::new();
    for link in found()? {
        let _ = writeln!(text, "{link} {}", outcome(&link));
    }
    Ok(text)
}

/// All links, each once, in order.
///
/// # Errors
/// When a file cannot be read.
pub fn found() -> io::Result<BTreeSet<String>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let mut links = BTreeSet::new();
    for file in files(PLACES.map(|place| top.join(place)).to_vec())? {
        let text = fs::read_to_string(&file)?;
        links.extend(links_in(&text));
    }
    Ok(links)
}

fn files(mut left: Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        } else if path.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end == *known))
            && path.is_file()
        {
            files.push(path);
        }
    }
    Ok(files)
}

/// The links that a text holds in full. What stands before a link says what ends it.
fn links_in(text: &str) -> Vec<String> {
    let starts = text.match_indices(START).map(|(at, _)| at);
    starts.filter_map(|at| link_at(&text[..at], &text[at..])).collect()
}

fn link_at(before: &str, rest: &str) -> Option<String> {
    let is_end: fn(char) -> bool = match before.chars().next_back()? {
        '"' => |c| c == '"',
        '\'' => |c| c == '\'' || c == '"',
        '`' => |c| c == '`',
        // An address in a document.
        '/' => |c| c.is_whitespace() || c == ')' || c == '>',
        _ => return None,
    };
    // A string of a program goes on after a backslash at the end of a line.
    let joined = if is_end('"') { join_lines(rest) } else { rest.to_owned() };
    let mut depth = 0_usize;
    let end = joined.char_indices().find(|(_, c)| {
        depth += usize::from(*c == '(');
        let is_closed = *c == ')' && depth > 0;
        depth -= usize::from(is_closed);
        !is_closed && is_end(*c)
    });
    let link = &joined[..end?.0];
    let is_whole = !link.contains(['{', '\\', '\n', ' ', '…', '$', '"', '`']);
    is_whole.then(|| link.to_owned())
}

/// The text with what `\` at the ends of its lines joins.
fn join_lines(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |joined, part| joined + part.trim_start())
}

/// What opening and running a link gives.
fn outcome(link: &str) -> String {
    let catalogue = crawl_claims::figure::catalogue();
    let Ok(experiment) = Experiment::from_link(link, &catalogue) else {
        return "refused".to_owned();
    };
    if matches!(experiment.world, WorldSource::File { .. }) {
        return "file".to_owned();
    }
    let run = Run::make_world(&experiment.world)
        .and_then(|world| Run::new(experiment, Arc::new(world), &catalogue));
    let Ok(mut run) = run else { return "refused".to_owned() };
    let mut digests = Vec::new();
    for at in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(at) else { break };
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        digests.push(lane.travel().now().session().digest(setting.world).to_string());
    }
    digests.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_end_where_their_text_does() {
        let source = "a(\"#v=1&run=words(of:'x')&at=3\"); b(\"--link '#v=1&run=a' c\");\n\
                      c(\"#v=1&world=campus\\\n        &run=opic\"); d(\"#v=1&run={name}\"); #v=1&no";
        assert_eq!(
            links_in(source),
            ["#v=1&run=words(of:'x')&at=3", "#v=1&run=a", "#v=1&world=campus&run=opic"]
        );
        let document = "`#v=1&run=a(b:1)` and [b](https://host.example/#v=1&run=b(c:2)), `#v=1&…`";
        assert_eq!(links_in(document), ["#v=1&run=a(b:1)", "#v=1&run=b(c:2)"]);
    }
}
