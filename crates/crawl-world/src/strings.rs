//! String storage and interning.

use foldhash::quality::FixedState;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;

/// String number in a [`Strings`]; 0 is the empty string.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[repr(transparent)]
pub struct StrId(pub u32);

/// Many strings in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strings {
    text: String,
    #[serde(with = "crate::stored::differences")]
    ends: Vec<u64>,
}

impl Strings {
    /// Appends a string, without deduplication.
    pub fn push(&mut self, s: &str) -> u32 {
        self.text.push_str(s);
        self.ends.push(self.text.len() as u64);
        self.ends.len() as u32 - 1
    }

    /// A string by number; empty beyond the last.
    #[inline]
    pub fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let Some(end) = self.ends.get(index) else {
            return "";
        };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..*end as usize]
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no strings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|i| self.get(i))
    }

    /// True if the offsets of a deserialised value are valid.
    pub(crate) fn is_sound(&self) -> bool {
        let at_boundary =
            |end: &u64| usize::try_from(*end).is_ok_and(|end| self.text.is_char_boundary(end));
        let whole = self.ends.last().copied().unwrap_or(0) == self.text.len() as u64;
        whole && self.ends.is_sorted() && self.ends.iter().all(at_boundary)
    }

    /// Releases unused capacity.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 8
    }
}

/// Stores each distinct string once.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    strings: Strings,
    table: HashTable<u32>,
}

impl Interner {
    /// The number of a string, and true if it is new.
    pub fn intern(&mut self, s: &str) -> (u32, bool) {
        let strings = &mut self.strings;
        let entry = self.table.entry(hash(s), |&i| strings.get(i) == s, |&i| hash(strings.get(i)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(seen) => (*seen.get(), false),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let new = strings.len() as u32;
                vacant.insert(new);
                strings.push(s);
                (new, true)
            }
        }
    }

    /// Reserves space for more distinct strings, so that a large table need not be rehashed.
    pub fn reserve(&mut self, n_more: usize) {
        let strings = &self.strings;
        self.table.reserve(n_more, |&i| hash(strings.get(i)));
        self.strings.ends.reserve(n_more);
    }

    /// The number of a known string.
    pub fn find(&self, s: &str) -> Option<u32> {
        self.table.find(hash(s), |&i| self.strings.get(i) == s).copied()
    }

    /// The strings, numbered in order of first appearance.
    pub fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Drops the lookup table and returns the strings.
    pub fn into_strings(mut self) -> Strings {
        self.strings.shrink();
        self.strings
    }
}

fn hash(s: &str) -> u64 {
    // Fixed seed: nothing iterates over the table, and this crate must be deterministic.
    FixedState::with_seed(0x5ca1ab1e).hash_one(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_distinct_string_is_stored_once() {
        let mut interner = Interner::default();
        assert_eq!(interner.intern("a"), (0, true));
        assert_eq!(interner.intern(""), (1, true));
        assert_eq!(interner.intern("a"), (0, false));
        assert_eq!(interner.intern("é"), (2, true));
        assert_eq!(interner.find("é"), Some(2));
        assert_eq!(interner.find("b"), None);
        let strings = interner.into_strings();
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["a", "", "é"]);
    }
}
