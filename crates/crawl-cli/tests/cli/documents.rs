//! Every `crawlscope …` command of the documents: its flags exist, and it runs where it can.

use crate::support;
use std::fs;
use std::path::Path;

/// Commands that take minutes, or end only when somebody ends them.
const LONG: [&str; 3] = ["bench", "reproduce", "serve"];

/// A command of a document, and where it stands.
struct Command {
    place: String,
    arguments: Vec<String>,
}

#[test]
fn every_command_of_the_documents_is_understood() {
    let commands = commands();
    let mut n_run = 0;
    for Command { place, arguments } in &commands {
        let (name, rest) = arguments.split_first().expect("a command has a name");
        // `bench` has commands of its own.
        let n_names = if name == "bench" { 2 } else { 1 };
        let asked = arguments.iter().take(n_names).map(String::as_str).chain(["--help"]);
        let help = support::crawlscope(asked).ok();
        for flag in rest.iter().filter(|argument| argument.starts_with("--")) {
            assert!(help.contains(flag.as_str()), "{place}: {name} has no flag {flag}");
        }
        if !LONG.contains(&name.as_str()) && !rest.iter().any(|argument| is_placeholder(argument)) {
            let ran = support::crawlscope(arguments);
            assert_eq!(ran.code, Some(0), "{place}: {arguments:?}: {}", ran.err);
            n_run += 1;
        }
    }
    assert!(n_run > 10, "only {n_run} of {} commands were run", commands.len());
}

/// True for what a reader replaces: `FILE`, or a file that is only an example.
fn is_placeholder(argument: &str) -> bool {
    let is_upper = argument.chars().all(|c| c.is_ascii_uppercase() || c == '.');
    let is_file = Path::new(argument).extension().is_some_and(|ending| {
        ["gz", "jsonl", "tsv", "txt", "warc"].iter().any(|known| ending == *known)
    });
    is_file || argument.len() > 1 && is_upper || argument.contains('…')
}

/// The Markdown documents at the top of the repository and in `docs/`, by path; the changelog names
/// commands as they were.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = Vec::new();
    for folder in [root.clone(), root.join("docs")] {
        for entry in fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("an entry of a folder").path();
            let is_history = path.file_name().is_some_and(|name| name == "CHANGELOG.md");
            if path.extension().is_some_and(|ending| ending == "md") && !is_history {
                let text = fs::read_to_string(&path).expect("a document");
                documents.push((path.display().to_string(), text));
            }
        }
    }
    documents
}

fn commands() -> Vec<Command> {
    let mut commands = Vec::new();
    for (path, text) in documents() {
        let mut fenced = false;
        for (line, number) in text.lines().zip(1..) {
            if line.starts_with("```") {
                fenced = !fenced;
                continue;
            }
            let spans: Vec<&str> =
                if fenced { vec![line] } else { line.split('`').skip(1).step_by(2).collect() };
            for span in spans {
                if let Some(rest) = span.strip_prefix("crawlscope ") {
                    let place = format!("{path}:{number}");
                    commands.push(Command { place, arguments: words(rest) });
                }
            }
        }
    }
    commands
}

/// The words as a shell splits them: quotes join, a lone `#` starts a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(words("run --of 'a b' \"c'd\" # e"), ["run", "--of", "a b", "c'd"]);
    assert_eq!(words("run --link '#v=1'  # comment"), ["run", "--link", "#v=1"]);
    assert!(is_placeholder("FILE") && is_placeholder("a.jsonl") && !is_placeholder("campus"));
}
