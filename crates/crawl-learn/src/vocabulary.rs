//! Words numbered in the order in which they were first met.

use foldhash::quality::FixedState;
use hashbrown::HashMap;

/// Words and their numbers, from 0.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    // Only looked up, never walked: its order is nobody's.
    numbers: HashMap<Box<str>, u32, FixedState>,
}

impl Vocabulary {
    /// How many different words it holds.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a word it holds.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The number of a word, which it holds from now on.
    pub fn add(&mut self, word: &str) -> u32 {
        if let Some(number) = self.number(word) {
            return number;
        }
        // 2³² different words would need more memory than a browser or 32 bits can address.
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.into(), number);
        number
    }
}
