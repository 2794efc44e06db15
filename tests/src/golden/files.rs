//! The golden files and their comparison.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The kinds of golden values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Digests of worlds.
    Worlds,
    /// Digests of rankings of all worlds.
    Rankers,
    /// Runs of all strategies on all worlds, with their metrics.
    Strategies,
    /// Runs of all strategies on a world whose pages show new links on later visits.
    NewLinks,
    /// Runs of all revisit policies on all worlds, with their metrics.
    Policies,
    /// Digests of reports on documents' claims.
    Documents,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Worlds,
        Self::Rankers,
        Self::Strategies,
        Self::NewLinks,
        Self::Policies,
        Self::Documents,
    ];

    /// The name of its file in `tests/golden/`.
    pub fn file(self) -> &'static str {
        match self {
            Self::Worlds => "worlds.txt",
            Self::Rankers => "rankers.txt",
            Self::Strategies => "strategies.txt",
            Self::NewLinks => "new-links.txt",
            Self::Policies => "policies.txt",
            Self::Documents => "documents.txt",
        }
    }

    /// The stored text of its file.
    pub fn stored(self) -> &'static str {
        match self {
            Self::Worlds => include_str!("../../tests/golden/worlds.txt"),
            Self::Rankers => include_str!("../../tests/golden/rankers.txt"),
            Self::Strategies => include_str!("../../tests/golden/strategies.txt"),
            Self::NewLinks => include_str!("../../tests/golden/new-links.txt"),
            Self::Policies => include_str!("../../tests/golden/policies.txt"),
            Self::Documents => include_str!("../../tests/golden/documents.txt"),
        }
    }

    /// The name's field with the registry entry under test.
    fn field(self) -> &'static str {
        match self {
            Self::Worlds => "world",
            Self::Rankers => "rank",
            Self::Strategies | Self::NewLinks => "run",
            Self::Policies => "revisit",
            Self::Documents => "document",
        }
    }
}

/// The value of a field in a name such as `#v=1&world=campus&run=opic`.
pub(super) fn field<'a>(name: &'a str, key: &str) -> Option<&'a str> {
    let mut fields = name.trim_start_matches('#').split('&').filter_map(|f| f.split_once('='));
    fields.find(|(found, _)| *found == key).map(|(_, value)| value)
}

/// A golden value: the name of its line, the metric if it is one, and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value<'a> {
    pub(super) name: &'a str,
    metric: &'a str,
    value: &'a str,
}

/// Parses a golden file.
///
/// # Panics
/// If a line is malformed.
pub(super) fn read(text: &str) -> Vec<Value<'_>> {
    let mut name = "";
    let mut values = Vec::new();
    for line in text.lines() {
        let (before, value) = line.rsplit_once(' ').expect("a name, a blank, a value");
        let metric = before.strip_prefix("  ").unwrap_or_default();
        if metric.is_empty() {
            name = before;
        }
        values.push(Value { name, metric, value });
    }
    values
}

/// A readable report of differences between stored and computed values; `None` if they are equal.
pub(super) fn difference(
    kind: Kind,
    stored: &[Value<'_>],
    computed: &[Value<'_>],
) -> Option<String> {
    if stored == computed {
        return None;
    }
    let (old, new): (BTreeSet<_>, BTreeSet<_>) =
        (stored.iter().collect(), computed.iter().collect());
    let gone = old.difference(&new).map(|value| (**value, '-'));
    let mut values: Vec<(Value<'_>, char)> = gone.collect();
    values.extend(new.difference(&old).map(|value| (**value, '+')));
    values.sort_by_key(|(value, mark)| (value.name, value.metric, *mark == '+'));
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines = String::new();
    for (at, (value, mark)) in values.iter().enumerate() {
        let Value { name, metric, value } = value;
        let spec =
            if metric.is_empty() { field(name, kind.field()).unwrap_or(name) } else { metric };
        *entries.entry(spec.split('(').next().unwrap_or(spec)).or_default() += 1;
        if at < MOST_LINES {
            let metric = if metric.is_empty() { "" } else { &format!(" {metric}") };
            writeln!(lines, "{mark} {name}{metric} {value}").expect("a string takes all");
        }
    }
    let entries: Vec<String> = entries.iter().map(|(id, n)| format!("{id} ({n})")).collect();
    let entries = if entries.is_empty() { "the order".to_owned() } else { entries.join(", ") };
    Some(format!(
        "{} differs in {entries}; - stored, + computed now:\n{lines}after an intended change run `cargo \
         xtask golden` and look at what changed",
        kind.file()
    ))
}

/// Maximum number of lines in a report.
const MOST_LINES: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn report(stored: &str, computed: &str) -> Option<String> {
        difference(Kind::Strategies, &read(stored), &read(computed))
    }

    #[test]
    fn a_difference_names_entry_and_metric_and_says_what_to_do() {
        let stored = "#v=1&run=opic(a:1) 1\n  area 2\n  regret 3\n#v=1&run=fica 4\n  area 5\n";
        assert_eq!(report(stored, stored), None);
        let other = stored.replace("regret 3", "regret 4");
        let message = report(stored, &other).expect("they differ");
        assert!(message.starts_with("strategies.txt differs in regret (2);"), "{message}");
        let lines = "- #v=1&run=opic(a:1) regret 3\n+ #v=1&run=opic(a:1) regret 4\n";
        assert!(message.contains(lines) && !message.contains("area"), "{message}");
        assert!(message.contains("cargo xtask golden"), "{message}");
        let message = report(stored, &stored.replace("fica 4", "fica 5")).expect("they differ");
        assert!(message.starts_with("strategies.txt differs in fica (2);"), "{message}");
    }

    #[test]
    fn missing_new_and_moved_lines_are_differences() {
        let stored = "#run=a 1\n  m 2\n#run=b 1\n  m 2\n";
        for (other, says) in [
            ("#run=a 1\n  m 2\n", "differs in b (1), m (1);"),
            ("", "differs in a (1), b (1), m (2);"),
            ("#run=a 1\n  m 2\n  n 3\n#run=b 1\n  m 2\n", "differs in n (1);"),
            ("#run=b 1\n  m 2\n#run=a 1\n  m 2\n", "differs in the order;"),
            ("#run=a 1\n  m 2\n  m 2\n#run=b 1\n  m 2\n", "differs in the order;"),
        ] {
            let message = report(stored, other).expect("they differ");
            assert!(message.contains(says), "{message}");
        }
    }

    #[test]
    fn fields_of_names_are_found() {
        let name = "#v=1&world=web(pages:9)&run=opic&budget=3";
        assert_eq!(field(name, "world"), Some("web(pages:9)"));
        assert_eq!(field(name, "run"), Some("opic"));
        assert_eq!(field("document=E", "document"), Some("E"));
        assert_eq!(field(name, "rank"), None);
    }
}
