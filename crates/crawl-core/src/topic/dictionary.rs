//! The weighted words of a topic.

use libm::sqrt;

/// Words and weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dictionary {
    /// Sorted by word.
    words: Vec<(String, f64)>,
    /// Euclidean norm of the weights.
    length: f64,
    total: f64,
}

impl Dictionary {
    /// From words with weights above 0; weights of repeated words are added.
    pub fn new(words: impl IntoIterator<Item = (String, f64)>) -> Self {
        let mut words: Vec<(String, f64)> = words.into_iter().collect();
        words.sort_by(|a, b| a.0.cmp(&b.0));
        words.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        let length = sqrt(words.iter().map(|(_, weight)| weight * weight).sum());
        let total = words.iter().map(|(_, weight)| weight).sum();
        Self { words, length, total }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Words with weights, sorted by word.
    pub fn words(&self) -> &[(String, f64)] {
        &self.words
    }

    /// The sum of all weights.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The weight of a word; 0 if it is not in the dictionary.
    pub fn weight(&self, word: &str) -> f64 {
        self.place(word).map_or(0.0, |place| self.words[place].1)
    }

    fn place(&self, word: &str) -> Option<usize> {
        self.words.binary_search_by(|(known, _)| known.as_str().cmp(word)).ok()
    }

    /// Indices of its words that occur in a text, in order, with repetitions.
    fn places<W: AsRef<str>>(&self, text: &[W]) -> Vec<usize> {
        let mut places: Vec<usize> = text.iter().filter_map(|w| self.place(w.as_ref())).collect();
        places.sort_unstable();
        places
    }

    /// Its words that occur in a text, each once, with weights.
    pub fn shared<W: AsRef<str>>(&self, text: &[W]) -> Vec<(&str, f64)> {
        let mut places = self.places(text);
        places.dedup();
        places.into_iter().map(|at| (self.words[at].0.as_str(), self.words[at].1)).collect()
    }

    /// Number of its words that occur in a text.
    pub fn n_distinct<W: AsRef<str>>(&self, text: &[W]) -> usize {
        self.shared(text).len()
    }

    /// Cosine similarity of its weights and the word counts of a text, 0 to 1. 0 for an empty text.
    pub fn cosine<W: AsRef<str>>(&self, text: &[W]) -> f64 {
        if self.length == 0.0 {
            return 0.0;
        }
        let mut all: Vec<&str> = text.iter().map(AsRef::as_ref).collect();
        all.sort_unstable();
        let (mut product, mut squares) = (0.0, 0.0);
        for same in all.chunk_by(|a, b| a == b) {
            let n = same.len() as f64;
            squares += n * n;
            product += n * self.weight(same[0]);
        }
        if product == 0.0 { 0.0 } else { (product / (sqrt(squares) * self.length)).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_compared() {
        let words = [("b", 3.0), ("a", 4.0), ("b", 0.0)].map(|(word, n)| (word.to_owned(), n));
        let dictionary = Dictionary::new(words);
        assert_eq!((dictionary.len(), dictionary.total()), (2, 7.0));
        assert_eq!((dictionary.weight("a"), dictionary.weight("c")), (4.0, 0.0));
        assert_eq!(dictionary.shared(&["b", "c", "b"]), [("b", 3.0)]);
        assert_eq!(dictionary.cosine(&["a"]), 0.8);
        // (4·4 + 3·3) ÷ (5·5): the same direction.
        let alike = ["a", "a", "a", "a", "b", "b", "b"];
        assert!((dictionary.cosine(&alike) - 1.0).abs() < 1e-15);
        assert_eq!(dictionary.cosine(&["c"]), 0.0);
        assert_eq!(dictionary.cosine::<&str>(&[]), 0.0);
        assert_eq!(Dictionary::default().cosine(&["a"]), 0.0);
    }
}
