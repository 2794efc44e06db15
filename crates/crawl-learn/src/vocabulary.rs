//! A vocabulary: words numbered in the order they were added.

use foldhash::quality::FixedState;
use hashbrown::HashMap;

/// Maps words to numbers, from 0.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    // Lookups only: the iteration order of a hash map must not affect results.
    numbers: HashMap<Box<str>, u32, FixedState>,
}

impl Vocabulary {
    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a known word.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The number of a word; an unknown word is added.
    pub fn add(&mut self, word: &str) -> u32 {
        if let Some(number) = self.number(word) {
            return number;
        }
        // 2³² distinct words exceed the memory of a browser tab.
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.into(), number);
        number
    }
}
