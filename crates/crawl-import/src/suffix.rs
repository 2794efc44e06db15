//! The registrable domain of a host name, by the public suffix list.
//!
//! The suffix of a name is the longest that a rule of the list describes: `co.uk`, or any label
//! below `ck` (`*.ck`) but `www.ck` (`!www.ck`); a name that no rule describes has its last label
//! for suffix. The registrable domain is the suffix and one label more.
//!
//! The rules are one sorted text in which each is looked up by halving: 36 kB when compressed. Code
//! made from the list, as the crate psl is, is faster, and six times as much to download. The tests
//! compare the two on every rule.
//!
//! The list is Mozilla's (publicsuffix.org), under the Mozilla Public License 2.0.

/// One rule a line, sorted: labels from the last to the first, `uk.co`, `ck.*`, and `ck.www!`.
const RULES: &str = include_str!("suffix/suffixes.txt");

/// The registrable domain of a host name in lower case and ASCII; nothing for a name that is itself
/// a suffix, or no name.
pub fn registrable(host: &str) -> Option<&str> {
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.split('.').any(str::is_empty) {
        return None;
    }
    let suffix = n_suffix_labels(name);
    let (start, _) = name.rmatch_indices('.').nth(suffix.checked_sub(1)?)?;
    let start = name[..start].rfind('.').map_or(0, |dot| dot + 1);
    Some(&host[start..])
}

/// How many labels the suffix of a name has.
fn n_suffix_labels(name: &str) -> usize {
    let mut n = 1;
    // The labels seen so far, the last first.
    let mut seen = String::with_capacity(name.len() + 2);
    for (label, n_seen) in name.rsplit('.').zip(1..) {
        if n_seen > 1 {
            if is_rule(&seen, ".*") {
                n = n_seen;
            }
            seen.push('.');
        }
        seen.push_str(label);
        if is_rule(&seen, "!") {
            return n_seen - 1;
        }
        if is_rule(&seen, "") {
            n = n_seen;
        }
        if !is_begun(&seen) {
            break;
        }
    }
    n
}

/// Whether the two together are a rule.
fn is_rule(start: &str, end: &str) -> bool {
    let wanted = || start.bytes().chain(end.bytes());
    let at = first_line(|line| line.bytes().lt(wanted()));
    RULES[at..].lines().next().is_some_and(|line| line.bytes().eq(wanted()))
}

/// Whether some rule has more labels than these, beginning with them.
fn is_begun(labels: &str) -> bool {
    let wanted = || labels.bytes().chain([b'.']);
    let at = first_line(|line| line.bytes().lt(wanted()));
    let line = RULES[at..].lines().next().unwrap_or_default();
    line.strip_prefix(labels).is_some_and(|rest| rest.starts_with('.'))
}

/// Where the first line starts that is not before what is looked for.
fn first_line(is_before: impl Fn(&str) -> bool) -> usize {
    let (mut low, mut high) = (0, RULES.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = RULES[..middle].rfind('\n').map_or(0, |end| end + 1).max(low);
        let end = RULES[middle..].find('\n').map_or(RULES.len(), |end| middle + end);
        if is_before(&RULES[start..end]) {
            low = (end + 1).min(high);
        } else {
            high = start;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_sorted_and_each_stands_once() {
        let lines: Vec<&str> = RULES.lines().collect();
        assert!(lines.len() > 9000);
        assert!(lines.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(lines.iter().all(|line| line.is_ascii() && !line.is_empty()));
    }

    #[test]
    fn every_kind_of_rule_holds() {
        let cases = [
            ("com", None),
            ("example.com", Some("example.com")),
            ("a.b.example.com", Some("example.com")),
            ("co.uk", None),
            ("a.b.co.uk", Some("b.co.uk")),
            ("ck", None),
            ("www.ck", Some("www.ck")),
            ("other.ck", None),
            ("a.other.ck", Some("a.other.ck")),
            ("somebody.github.io", Some("somebody.github.io")),
            ("campus.example", Some("campus.example")),
            ("cs.campus.example", Some("campus.example")),
            ("example", None),
            ("www.xn--fiqs8s", Some("www.xn--fiqs8s")),
            ("", None),
            (".", None),
            ("a..com", None),
            (".com", None),
        ];
        for (host, domain) in cases {
            assert_eq!(registrable(host), domain, "{host}");
        }
    }
}
