//! Slices of a kind, tested separately, so that no test takes long.

use super::files::{Kind, difference, field, read};

/// One of `of` slices: every `of`-th section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Index of the slice, from 0.
    pub part: usize,
    /// Number of slices.
    pub of: usize,
}

impl Slice {
    pub(super) const WHOLE: Self = Self { part: 0, of: 1 };

    pub(super) fn has(self, section: usize) -> bool {
        section % self.of == self.part
    }
}

/// Computes a slice and compares it with the stored values.
///
/// # Panics
/// If they differ; the message names the entries.
pub fn check(kind: Kind, part: usize, of: usize) {
    let slice = Slice { part, of };
    let sections = kind.sections();
    let mut stored = read(kind.stored());
    stored.retain(|value| slice.has(section_of(value.name, &sections)));
    let computed = kind.slice(slice);
    if let Some(difference) = difference(kind, &stored, &read(&computed)) {
        panic!("{difference}");
    }
}

/// The index of the section of a name; 0 for stored names that are no longer computed.
fn section_of(name: &str, sections: &[String]) -> usize {
    let section = field(name, "document").or_else(|| field(name, "world"));
    sections.iter().position(|known| Some(known.as_str()) == section).unwrap_or(0)
}

/// Checks that the slices cover every kind exactly once.
///
/// # Panics
/// If a part is missing or listed twice.
pub fn assert_complete(slices: &[(Kind, usize, usize)]) {
    for kind in Kind::ALL {
        let own: Vec<_> = slices.iter().filter(|(of_kind, ..)| *of_kind == kind).collect();
        let mut parts: Vec<usize> = own.iter().map(|(_, part, _)| *part).collect();
        parts.sort_unstable();
        assert_eq!(parts, (0..own.len()).collect::<Vec<_>>(), "parts of {kind:?}");
        assert!(!own.is_empty(), "{kind:?} is not checked");
        assert!(own.iter().all(|(.., of)| *of == own.len()), "{kind:?} is not checked whole");
    }
}

/// Declares the golden tests, one per slice, with the given test attribute.
#[macro_export]
macro_rules! golden_tests {
    ($test:meta) => {
        $crate::golden_tests! { $test,
            worlds Worlds 0 1,
            rankers Rankers 0 1,
            strategies_1 Strategies 0 6,
            strategies_2 Strategies 1 6,
            strategies_3 Strategies 2 6,
            strategies_4 Strategies 3 6,
            strategies_5 Strategies 4 6,
            strategies_6 Strategies 5 6,
            strategies_on_new_links NewLinks 0 1,
            policies_1 Policies 0 3,
            policies_2 Policies 1 3,
            policies_3 Policies 2 3,
            documents_1 Documents 0 3,
            documents_2 Documents 1 3,
            documents_3 Documents 2 3,
        }
    };
    ($test:meta, $($name:ident $kind:ident $part:literal $of:literal,)*) => {
        $(
            #[$test]
            fn $name() {
                $crate::golden::check($crate::golden::Kind::$kind, $part, $of);
            }
        )*

        #[$test]
        fn every_kind_is_checked_whole() {
            $crate::golden::assert_complete(&[$(($crate::golden::Kind::$kind, $part, $of)),*]);
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_in_one_slice_and_unknown_ones_in_the_first() {
        for section in 0..20 {
            let has = |part: &usize| Slice { part: *part, of: 3 }.has(section);
            assert_eq!((0..3).filter(has).count(), 1);
        }
        let sections = ["campus".to_owned(), "web(pages:1000)".to_owned()];
        assert_eq!(section_of("#v=1&world=web(pages:1000)&run=opic", &sections), 1);
        assert_eq!(section_of("world=gone", &sections), 0);
        assert_eq!(section_of("document=E", &["B".to_owned(), "E".to_owned()]), 1);
    }

    #[test]
    #[should_panic(expected = "Documents is not checked whole")]
    fn a_slice_left_out_is_noticed() {
        let mut slices: Vec<_> = Kind::ALL.into_iter().map(|kind| (kind, 0, 1)).collect();
        assert_complete(&slices);
        slices[5] = (Kind::Documents, 0, 2);
        assert_complete(&slices);
    }
}
