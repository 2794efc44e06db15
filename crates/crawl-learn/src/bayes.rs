//! Multinomial naive Bayes classification of documents (Zhang et al. 2010, eq. 1–2).
//!
//! P(c | d) = P(c) · Π over the words w of d of P(w | c) / P(d), with P(c) the share of c among
//! the training documents and
//!
//! P(w | c) = (1 + N(w, c)) / (|V| + Σ over v ∈ V of N(v, c)), N(w, c) = number of occurrences of w
//! in documents of c.
//!
//! V is the vocabulary of **all** classes, as in other libraries. Eq. 2 uses the class's own
//! vocabulary; then the P(w | c) of a class would not sum to 1 over all words. Words outside V are
//! ignored. Products are computed as sums of logarithms, and P(d) from the sum over the classes
//! relative to the largest, to avoid underflow and overflow.
//!
//! Any number of classes is possible: two for a topic, five for a context graph.
//!
//! If the formula is undefined, [`Posterior::basis`] names the fallback.

use libm::{exp, log};
use thiserror::Error;

use crate::vocabulary::Vocabulary;

/// An incrementally trained multinomial naive Bayes classifier.
#[derive(Clone, Debug)]
pub struct NaiveBayes {
    vocabulary: Vocabulary,
    /// N(w, c): for each word a row with one count per class.
    counts: Vec<u64>,
    /// Number of words in each class's documents.
    n_words: Vec<u64>,
    n_documents: Vec<u64>,
}

/// What a posterior is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The document's words and the class priors, by the formula.
    Words,
    /// The class priors only: the document has no known word.
    PriorsOnly,
    /// A single class: training had documents of no other.
    OneClass(usize),
    /// Nothing: without training, all classes are equally likely.
    Untrained,
}

/// The probability of each class, given a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// P(c | d) for each class; they sum to 1.
    pub probabilities: Vec<f64>,
    /// What the probabilities are computed from.
    pub basis: Basis,
    /// Number of the document's words that are in the vocabulary.
    pub n_known: usize,
    /// Number of the document's words.
    pub n_words: usize,
}

impl Posterior {
    /// The most likely class, the first of equals; `None` if there are no classes.
    pub fn class(&self) -> Option<usize> {
        let better = |best: usize, c: usize| {
            if self.probabilities[c] > self.probabilities[best] { c } else { best }
        };
        (0..self.probabilities.len()).reduce(better)
    }
}

/// Error: the class number is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("class {class} does not exist; there are {n_classes}")]
pub struct NoSuchClass {
    /// The requested class, counted from 0.
    pub class: usize,
    /// Number of classes.
    pub n_classes: usize,
}

impl NaiveBayes {
    /// An untrained classifier with `n_classes` classes.
    ///
    /// ```
    /// use crawl_learn::bayes::NaiveBayes;
    ///
    /// let mut bayes = NaiveBayes::new(2);
    /// bayes.learn(0, ["camera", "lens"])?;
    /// bayes.learn(1, ["football", "goal"])?;
    /// assert_eq!(bayes.classify(["lens"]).class(), Some(0));
    /// # Ok::<(), crawl_learn::bayes::NoSuchClass>(())
    /// ```
    pub fn new(n_classes: usize) -> Self {
        Self {
            vocabulary: Vocabulary::default(),
            counts: Vec::new(),
            n_words: vec![0; n_classes],
            n_documents: vec![0; n_classes],
        }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_documents.len()
    }

    /// Number of training documents of each class.
    pub fn n_documents(&self) -> &[u64] {
        &self.n_documents
    }

    /// |V|, the number of distinct words.
    pub fn n_vocabulary(&self) -> usize {
        self.vocabulary.len()
    }

    /// Adds a training document to a class. An empty document changes P(c) only.
    ///
    /// # Errors
    /// Returns [`NoSuchClass`] if `class` is out of range.
    pub fn learn<W: AsRef<str>>(
        &mut self,
        class: usize,
        document: impl IntoIterator<Item = W>,
    ) -> Result<(), NoSuchClass> {
        let n_classes = self.n_classes();
        if class >= n_classes {
            return Err(NoSuchClass { class, n_classes });
        }
        self.n_documents[class] += 1;
        for word in document {
            let word = self.vocabulary.add(word.as_ref()) as usize;
            if self.counts.len() <= word * n_classes {
                self.counts.resize((word + 1) * n_classes, 0);
            }
            self.counts[word * n_classes + class] += 1;
            self.n_words[class] += 1;
        }
        Ok(())
    }

    /// P(w | c) for each class (eq. 2); `None` for a word outside the vocabulary.
    pub fn likelihoods(&self, word: &str) -> Option<Vec<f64>> {
        let row = self.row(self.vocabulary.number(word)?);
        let likelihood = |(n, c)| (1 + n) as f64 / self.n_smoothed(c);
        Some(row.iter().copied().zip(0..).map(likelihood).collect())
    }

    /// P(c | d) for each class (eq. 1).
    pub fn classify<W: AsRef<str>>(&self, document: impl IntoIterator<Item = W>) -> Posterior {
        let n_classes = self.n_classes();
        let mut sums = vec![0.0; n_classes];
        let (mut n_known, mut n_words) = (0, 0);
        for word in document {
            n_words += 1;
            if let Some(word) = self.vocabulary.number(word.as_ref()) {
                n_known += 1;
                for (sum, n) in sums.iter_mut().zip(self.row(word)) {
                    *sum += log((1 + n) as f64);
                }
            }
        }
        let answer = |probabilities, basis| Posterior { probabilities, basis, n_known, n_words };

        let mut seen = (0..n_classes).filter(|&c| self.n_documents[c] > 0);
        let (Some(first), second) = (seen.next(), seen.next()) else {
            let all_alike = 1.0 / n_classes as f64;
            return answer(vec![all_alike; n_classes], Basis::Untrained);
        };
        if second.is_none() {
            let probabilities = (0..n_classes).map(|c| f64::from(u8::from(c == first))).collect();
            return answer(probabilities, Basis::OneClass(first));
        }

        // If all training documents were empty, the vocabulary is empty and no word is known.
        for (c, sum) in sums.iter_mut().enumerate() {
            // A class without documents has P(c) = 0; its logarithm is −∞.
            *sum = match self.n_documents[c] {
                0 => f64::NEG_INFINITY,
                n if n_known == 0 => log(n as f64),
                n => log(n as f64) + *sum - n_known as f64 * log(self.n_smoothed(c)),
            };
        }
        let largest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut probabilities: Vec<f64> = sums.iter().map(|sum| exp(sum - largest)).collect();
        let total: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|p| *p /= total);
        answer(probabilities, if n_known == 0 { Basis::PriorsOnly } else { Basis::Words })
    }

    fn row(&self, word: u32) -> &[u64] {
        let n_classes = self.n_classes();
        &self.counts[word as usize * n_classes..][..n_classes]
    }

    /// Denominator of eq. 2.
    fn n_smoothed(&self, class: usize) -> f64 {
        (self.vocabulary.len() as u64 + self.n_words[class]) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Manning, Raghavan & Schütze, "Introduction to Information Retrieval", example 13.1.
    fn china() -> NaiveBayes {
        let mut bayes = NaiveBayes::new(2);
        for (class, text) in [
            (1, "chinese beijing chinese"),
            (1, "chinese chinese shanghai"),
            (1, "chinese macao"),
            (0, "tokyo japan chinese"),
        ] {
            bayes.learn(class, text.split(' ')).unwrap();
        }
        bayes
    }

    #[test]
    fn the_textbook_example() {
        let bayes = china();
        assert_eq!(bayes.likelihoods("chinese").unwrap(), [2.0 / 9.0, 6.0 / 14.0]);
        assert_eq!(bayes.likelihoods("tokyo").unwrap(), [2.0 / 9.0, 1.0 / 14.0]);
        assert_eq!(bayes.likelihoods("paris"), None);
        let posterior = bayes.classify("chinese chinese chinese tokyo japan paris".split(' '));
        let of_china = 0.75 * (3.0_f64 / 7.0) * (9.0 / 49.0) / 14.0 / 14.0;
        let of_other = 0.25 * (2.0_f64 / 9.0) * (4.0 / 81.0) * (4.0 / 81.0);
        let expected = of_china / (of_china + of_other);
        assert!((posterior.probabilities[1] - expected).abs() < 1e-14, "{posterior:?}");
        assert_eq!(posterior.class(), Some(1));
        assert_eq!((posterior.n_known, posterior.n_words), (5, 6));
        assert_eq!(posterior.basis, Basis::Words);
    }

    #[test]
    fn long_documents_neither_under_nor_overflow() {
        let bayes = china();
        let surely = bayes.classify(std::iter::repeat_n("chinese", 1_000_000));
        assert_eq!(surely.probabilities, [0.0, 1.0]);
        let surely_not = bayes.classify(std::iter::repeat_n("tokyo", 1_000_000));
        assert_eq!(surely_not.probabilities, [1.0, 0.0]);
    }

    #[test]
    fn posteriors_without_evidence_name_their_basis() {
        let none = Vec::<&str>::new;
        let mut bayes = NaiveBayes::new(2);
        let untrained = bayes.classify(["word"]);
        assert_eq!((untrained.probabilities, untrained.basis), (vec![0.5; 2], Basis::Untrained));

        bayes.learn(1, ["phone"]).unwrap();
        let one = bayes.classify(["camera"]);
        assert_eq!((one.probabilities, one.basis), (vec![0.0, 1.0], Basis::OneClass(1)));

        for _ in 0..3 {
            bayes.learn(0, none()).unwrap();
        }
        for document in [none(), vec!["unheard", "of"]] {
            let posterior = bayes.classify(document);
            assert_eq!(posterior.basis, Basis::PriorsOnly);
            assert!((posterior.probabilities[0] - 0.75).abs() < 1e-15);
        }

        let mut wordless = NaiveBayes::new(2);
        wordless.learn(0, none()).unwrap();
        wordless.learn(1, none()).unwrap();
        assert_eq!(wordless.classify(["word"]).probabilities, [0.5, 0.5]);

        let nothing = NaiveBayes::new(0).classify(["word"]);
        assert_eq!((nothing.class(), nothing.probabilities.len()), (None, 0));
    }

    #[test]
    fn an_unseen_class_is_impossible_and_no_class_is_an_error() {
        let mut bayes = NaiveBayes::new(3);
        bayes.learn(0, ["a"]).unwrap();
        bayes.learn(2, ["b"]).unwrap();
        let posterior = bayes.classify(["a"]);
        assert_eq!(posterior.probabilities[1], 0.0);
        assert!((posterior.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(bayes.learn(3, ["c"]), Err(NoSuchClass { class: 3, n_classes: 3 }));
        assert_eq!(bayes.n_vocabulary(), 2);
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one(
            training in proptest::collection::vec((0_usize..4, "[a-e ]{0,12}"), 0..12),
            text in "[a-g ]{0,20}",
        ) {
            let mut bayes = NaiveBayes::new(4);
            for (class, text) in &training {
                bayes.learn(*class, text.split_whitespace()).unwrap();
            }
            let posterior = bayes.classify(text.split_whitespace());
            prop_assert!(posterior.probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
            prop_assert!((posterior.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            // P(w | c) of each class sums to 1 over the vocabulary.
            let words = ["a", "b", "c", "d", "e"];
            let every: Vec<String> = training
                .iter()
                .flat_map(|(_, text)| text.split_whitespace().map(str::to_owned))
                .chain(words.map(str::to_owned))
                .collect();
            let distinct: std::collections::BTreeSet<&String> = every.iter().collect();
            let rows: Vec<_> = distinct.iter().filter_map(|w| bayes.likelihoods(w)).collect();
            for class in 0..4 {
                let sum: f64 = rows.iter().map(|row| row[class]).sum();
                prop_assert!(rows.is_empty() || (sum - 1.0).abs() < 1e-12);
            }
        }
    }
}
