//! The Range header (RFC 9110, section 14).

use std::ops::Range;

/// The part of a body that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of it: no range, several ranges, another unit, or an invalid header.
    Whole,
    /// One non-empty range within the body.
    Part(Range<usize>),
    /// A range that starts after the end.
    Unsatisfiable,
}

impl Selection {
    /// Parses a Range header for a body of `len` bytes.
    pub fn parse(header: &str, len: usize) -> Self {
        Self::parse_single(header, len).unwrap_or(Self::Whole)
    }

    fn parse_single(header: &str, len: usize) -> Option<Self> {
        let (unit, range) = header.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        let part = if first.is_empty() {
            len.saturating_sub(number(last)?)..len
        } else {
            let first = number(first)?;
            let last = if last.is_empty() { usize::MAX } else { number(last)? };
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(len)
        };
        Some(if part.is_empty() { Self::Unsatisfiable } else { Self::Part(part) })
    }
}

/// Parses digits; saturates on overflow.
fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_a_part() {
        for (header, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=2-5", 2..6),
            ("bytes=2-", 2..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
            ("bytes=9-99", 9..10),
            ("BYTES = 0-99999999999999999999999999", 0..10),
        ] {
            assert_eq!(Selection::parse(header, 10), Selection::Part(part), "{header}");
        }
    }

    #[test]
    fn what_lies_behind_the_end_cannot_be_sent() {
        for header in ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(Selection::parse(header, 10), Selection::Unsatisfiable, "{header}");
        }
        for header in ["bytes=0-", "bytes=-1"] {
            assert_eq!(Selection::parse(header, 0), Selection::Unsatisfiable, "{header}");
        }
    }

    #[test]
    fn anything_else_is_the_whole() {
        for header in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=1",
            "bytes=a-b",
            "bytes=5-2",
            "items=0-1",
            "bytes=0-1,3-4",
            "bytes=0-1, -2",
            "bytes=+1-2",
            "bytes=1--2",
        ] {
            assert_eq!(Selection::parse(header, 10), Selection::Whole, "{header}");
        }
    }
}
