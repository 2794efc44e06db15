//! The golden files, as they are kept and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What a golden file holds the values of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Digests of worlds.
    Worlds,
    /// Digests of rankings of all worlds.
    Rankers,
    /// Runs of all strategies on all worlds, with their metrics.
    Strategies,
    /// Runs of all strategies where pages show new links when they are visited again.
    NewLinks,
    /// Runs of all revisit policies on all worlds, with their metrics.
    Policies,
    /// Digests of reports on documents' claims.
    Documents,
}

impl Kind {
    /// Every kind.
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

    /// The text of its file, as computed natively.
    pub fn kept(self) -> &'static str {
        match self {
            Self::Worlds => include_str!("../../tests/golden/worlds.txt"),
            Self::Rankers => include_str!("../../tests/golden/rankers.txt"),
            Self::Strategies => include_str!("../../tests/golden/strategies.txt"),
            Self::NewLinks => include_str!("../../tests/golden/new-links.txt"),
            Self::Policies => include_str!("../../tests/golden/policies.txt"),
            Self::Documents => include_str!("../../tests/golden/documents.txt"),
        }
    }

    /// The field of a name that holds the registry entry under test.
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

/// The value of a field of a name such as `#v=1&world=campus&run=opic`.
pub(super) fn field<'a>(name: &'a str, key: &str) -> Option<&'a str> {
    let mut fields = name.trim_start_matches('#').split('&').filter_map(|f| f.split_once('='));
    fields.find(|(found, _)| *found == key).map(|(_, value)| value)
}

/// A value: the name of its line, the metric if it is one, and the value itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value<'a> {
    pub(super) name: &'a str,
    metric: &'a str,
    value: &'a str,
}

/// Reads a golden file.
///
/// # Panics
/// If a line is not as [`Kind`] says.
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

/// How values computed differ from values kept, for people; nothing where they agree.
pub(super) fn difference(kind: Kind, kept: &[Value<'_>], computed: &[Value<'_>]) -> Option<String> {
    if kept == computed {
        return None;
    }
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (kept.iter().collect(), computed.iter().collect());
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
        "{} differs in {entries}; - kept, + computed now:\n{lines}after an intended change run `cargo \
         xtask golden` and look at what changed",
        kind.file()
    ))
}

/// Lines that a difference shows.
const MOST_LINES: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kept: &str, computed: &str) -> Option<String> {
        difference(Kind::Strategies, &read(kept), &read(computed))
    }

    #[test]
    fn a_difference_names_entry_and_metric_and_says_what_to_do() {
        let kept = "#v=1&run=opic(a:1) 1\n  area 2\n  regret 3\n#v=1&run=fica 4\n  area 5\n";
        assert_eq!(told(kept, kept), None);
        let other = kept.replace("regret 3", "regret 4");
        let said = told(kept, &other).expect("they differ");
        assert!(said.starts_with("strategies.txt differs in regret (2);"), "{said}");
        let lines = "- #v=1&run=opic(a:1) regret 3\n+ #v=1&run=opic(a:1) regret 4\n";
        assert!(said.contains(lines) && !said.contains("area"), "{said}");
        assert!(said.contains("cargo xtask golden"), "{said}");
        let said = told(kept, &kept.replace("fica 4", "fica 5")).expect("they differ");
        assert!(said.starts_with("strategies.txt differs in fica (2);"), "{said}");
    }

    #[test]
    fn what_is_missing_new_or_moved_is_a_difference() {
        let kept = "#run=a 1\n  m 2\n#run=b 1\n  m 2\n";
        for (other, says) in [
            ("#run=a 1\n  m 2\n", "differs in b (1), m (1);"),
            ("", "differs in a (1), b (1), m (2);"),
            ("#run=a 1\n  m 2\n  n 3\n#run=b 1\n  m 2\n", "differs in n (1);"),
            ("#run=b 1\n  m 2\n#run=a 1\n  m 2\n", "differs in the order;"),
            ("#run=a 1\n  m 2\n  m 2\n#run=b 1\n  m 2\n", "differs in the order;"),
        ] {
            let said = told(kept, other).expect("they differ");
            assert!(said.contains(says), "{said}");
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
