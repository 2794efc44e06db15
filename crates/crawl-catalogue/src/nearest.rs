//! "Did you mean …?"

/// The name closest to what was typed, if any is close enough to be meant.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let mut best: Option<(usize, &'a str)> = None;
    for name in names {
        let mut distance = strsim::damerau_levenshtein(&typed, name);
        // A name typed in part, or with something added, is meant as well.
        if typed.len() >= 3 && (name.starts_with(&typed) || typed.starts_with(name)) {
            distance = distance.min(1);
        }
        let limit = (typed.chars().count().max(name.chars().count()) / 2).clamp(1, 6);
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_else() {
        let names = ["breadth-first", "depth-first", "opic", "pagerank"];
        assert_eq!(nearest("bredth-first", names), Some("breadth-first"));
        assert_eq!(nearest("OPIC", names), Some("opic"));
        assert_eq!(nearest("page", names), Some("pagerank"));
        assert_eq!(nearest("quantum-annealing", names), None);
        assert_eq!(nearest("", names), None);
    }
}
