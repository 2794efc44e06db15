//! robots.txt: the file, and after a zero byte a URL.

use super::{Target, no_made_seeds};
use crate::check::split_at_zero;
use crawl_core::RobotsPolicy;

pub(super) const TARGET: Target = Target {
    name: "robots",
    note: "any file is read, the delay is bounded, and patterns match as letter by letter",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 20_000,
};

/// Longest pattern and path that are compared letter by letter.
const MAX_LETTERS: usize = 60;

fn run(bytes: &[u8]) {
    let (file, url) = split_at_zero(bytes);
    let file = String::from_utf8_lossy(file);
    let url = url.map(String::from_utf8_lossy).unwrap_or("http://a.example/a".into());
    let policy = RobotsPolicy::parse(&file);
    assert!((0.0..=86_400.0).contains(&policy.delay_s()), "{}", policy.delay_s());
    let allows = policy.allows(&url);
    assert_eq!(RobotsPolicy::parse(&file).allows(&url), allows, "another answer");
    assert!(RobotsPolicy::parse("").allows(&url), "nothing was refused");
    file.lines().for_each(|line| check_pattern(line, &url));
}

/// Takes a line's value for the only pattern of a file, and what follows the URL's host for a path.
fn check_pattern(line: &str, url: &str) {
    let pattern = line.split_once(':').map_or(line, |(_, value)| value).trim();
    let path = url.strip_prefix("http://a.example").unwrap_or(url);
    let is_plain = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/*$.-_=&".contains(c);
        text.len() <= MAX_LETTERS && text.chars().all(plain)
    };
    if pattern.is_empty() || !path.starts_with('/') || !is_plain(pattern) || !is_plain(path) {
        return;
    }
    let policy = RobotsPolicy::parse(&format!("User-agent: *\nDisallow: {pattern}"));
    let refuses = !policy.allows(&format!("http://a.example{path}"));
    let matches = matches(path.as_bytes(), pattern.as_bytes());
    assert_eq!(refuses, matches, "{pattern:?} on {path:?}");
}

/// Whether a pattern describes the start of a path, by all the places it can have reached.
fn matches(path: &[u8], pattern: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for (at, letter) in pattern.iter().enumerate() {
        let mut next = vec![false; path.len() + 1];
        match letter {
            b'*' => {
                let from = reached.iter().position(|is_reached| *is_reached);
                next[from.unwrap_or(path.len() + 1).min(path.len() + 1)..].fill(true);
            }
            b'$' if at + 1 == pattern.len() => next[path.len()] = reached[path.len()],
            letter => {
                for place in 0..path.len() {
                    next[place + 1] = reached[place] && path[place] == *letter;
                }
            }
        }
        reached = next;
    }
    reached.contains(&true)
}
