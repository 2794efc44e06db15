//! Suggestions for misspelt names.

/// The name most similar to what was typed, if similar enough.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let mut best: Option<(usize, &'a str)> = None;
    for name in names {
        let limit = (typed.chars().count().max(name.chars().count()) / 2).clamp(1, 6);
        let mut distance = distance_within(&typed, name, limit);
        // Prefixes count as similar too.
        if typed.len() >= 3 && (name.starts_with(&typed) || typed.starts_with(name)) {
            distance = Some(distance.unwrap_or(1).min(1));
        }
        if let Some(distance) = distance
            && best.is_none_or(|(d, _)| distance < d)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// [`distance_between`], if at most `limit`. Texts whose lengths differ by more are not compared,
/// since the table for a text of 200,000 letters would take tens of megabytes per name.
fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    Some(distance_between(a, b)).filter(|distance| *distance <= limit)
}

/// Restricted Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of
/// adjacent letters, each letter at most once. Implemented here to keep the download small.
fn distance_between(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for at in 0..table.len() {
        let (i, j) = (at / width, at % width);
        table[at] = if i == 0 || j == 0 {
            i + j
        } else {
            let replaced = table[at - width - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(table[at - width] + 1).min(table[at - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[at - 2 * width - 2] + 1);
            }
            least
        };
    }
    table.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{distance_between, nearest};

    #[test]
    fn distances_count_what_a_typist_did() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("opci", "opic", 1),
            ("ca", "abc", 3),
        ] {
            assert_eq!(distance_between(a, b), expected, "{a} {b}");
            assert_eq!(distance_between(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn finds_what_was_meant_and_nothing_else() {
        let names = ["breadth-first", "depth-first", "opic", "pagerank"];
        assert_eq!(nearest("bredth-first", names), Some("breadth-first"));
        assert_eq!(nearest("OPIC", names), Some("opic"));
        assert_eq!(nearest("page", names), Some("pagerank"));
        assert_eq!(nearest("quantum-annealing", names), None);
        assert_eq!(nearest("", names), None);
    }

    /// A table for these two would have 16,000,000,000 entries.
    #[test]
    fn texts_of_very_different_length_are_not_compared() {
        let (long, name) = ("x".repeat(4_000_000), "y".repeat(4000));
        assert_eq!(nearest(&long, [name.as_str()]), None);
        assert_eq!(nearest(&name, [long.as_str()]), None);
        let world = format!("world{long}");
        assert_eq!(nearest(&world, ["worm", "world"]), Some("world"));
    }
}
