//! The inverted index of one field: one of a link's three texts, over all vertices.

use libm::log;

use super::{Settings, WordScore};
use crate::vocabulary::Vocabulary;

/// Maximum number of common words; the table of products has its square.
const MAX_COMMON: usize = 512;

/// Marks a word that is not common.
const RARE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    vocabulary: Vocabulary,
    words: Vec<Word>,
    /// Length of every vertex's text, in words.
    lengths: Vec<u32>,
    total_length: u64,
    common: CommonWords,
}

/// Postings of a word: the vertices it occurs in.
#[derive(Clone, Debug, Default)]
struct Word {
    vertices: Vec<u32>,
    frequencies: Vec<u32>,
    /// f·(k₁ + 1) / (…) for each vertex, valid while the index has `as_of` vertices.
    saturations: Vec<f64>,
    as_of: usize,
    idf: f64,
    /// Index among the common words, or [`RARE`].
    common: u32,
    /// Number of the last query with this word.
    last_query: u64,
}

/// The common words with idf above 0, valid while the index has `as_of` vertices.
#[derive(Clone, Debug, Default)]
struct CommonWords {
    as_of: usize,
    words: Vec<u32>,
    /// Maximum saturation of each word.
    max_saturations: Vec<f64>,
    /// Start of each vertex's row in `entries`, plus the end of the last row.
    starts: Vec<usize>,
    /// Common words of each vertex, sorted. Separate from the saturations: most entries do not
    /// match the query, and a row of `u16` fits in one cache line.
    entries: Vec<u16>,
    saturations: Vec<f64>,
    /// Σ over the vertices of the product of two words' saturations, in the row of the lower index.
    products: Vec<f64>,
}

/// The common words of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryWords {
    pub numbers: Vec<u32>,
    /// idf of each common word in the query, 0 for the others.
    idfs: Vec<f64>,
}

impl QueryWords {
    pub fn add(&mut self, number: u32, idf: f64, n_common: usize) {
        self.idfs.resize(n_common, 0.0);
        self.idfs[number as usize] = idf;
        self.numbers.push(number);
    }

    pub fn clear(&mut self) {
        for number in self.numbers.drain(..) {
            self.idfs[number as usize] = 0.0;
        }
    }
}

impl Field {
    pub fn add<W: AsRef<str>>(&mut self, vertex: u32, words: &[W]) {
        for word in words {
            let number = self.vocabulary.add(word.as_ref()) as usize;
            if number == self.words.len() {
                self.words.push(Word { common: RARE, ..Word::default() });
            }
            let word = &mut self.words[number];
            if word.vertices.last() == Some(&vertex) {
                if let Some(frequency) = word.frequencies.last_mut() {
                    *frequency = frequency.saturating_add(1);
                }
            } else {
                word.vertices.push(vertex);
                word.frequencies.push(1);
            }
        }
        let length = u32::try_from(words.len()).unwrap_or(u32::MAX);
        self.lengths.push(length);
        self.total_length += u64::from(length);
    }

    pub fn length(&self, vertex: u32) -> u32 {
        self.lengths.get(vertex as usize).copied().unwrap_or(0)
    }

    pub fn mean_length(&self) -> f64 {
        self.total_length as f64 / self.lengths.len().max(1) as f64
    }

    /// The number of a word with idf above 0, on its first occurrence in a query.
    pub fn first_in_query(&mut self, word: &str, query: u64) -> Option<u32> {
        let number = self.vocabulary.number(word)?;
        let n_vertices = self.lengths.len();
        let word = &mut self.words[number as usize];
        let again = std::mem::replace(&mut word.last_query, query) == query;
        if word.as_of != n_vertices {
            word.as_of = n_vertices;
            word.idf = idf(n_vertices, word.vertices.len());
            word.saturations.clear();
        }
        (!again && word.idf > 0.0).then_some(number)
    }

    /// A word's index among the common words, and its idf.
    pub fn common(&self, word: u32) -> Option<(u32, f64)> {
        let word = &self.words[word as usize];
        (word.common != RARE).then_some((word.common, word.idf))
    }

    pub fn n_common(&self) -> usize {
        self.common.words.len()
    }

    pub fn common_word(&self, common: u32) -> u32 {
        self.common.words[common as usize]
    }

    /// Calls `take` with each vertex of a query word and the word's score there.
    pub fn each_score(&mut self, word: u32, settings: &Settings, mut take: impl FnMut(u32, f64)) {
        let mean_length = self.mean_length();
        let word = &mut self.words[word as usize];
        if word.saturations.is_empty() {
            word.saturations.extend(saturations(
                &word.vertices,
                &word.frequencies,
                &self.lengths,
                mean_length,
                settings,
            ));
        }
        for (&vertex, saturation) in word.vertices.iter().zip(&word.saturations) {
            take(vertex, word.idf * saturation);
        }
    }

    /// Score of a vertex from the query's common words.
    pub fn common_score(&self, vertex: u32, query: &QueryWords) -> f64 {
        if query.numbers.is_empty() {
            return 0.0;
        }
        let starts = &self.common.starts[vertex as usize..];
        let mut sum = 0.0;
        for (at, &common) in (starts[0]..).zip(&self.common.entries[starts[0]..starts[1]]) {
            let idf = query.idfs[usize::from(common)];
            if idf > 0.0 {
                sum += idf * self.common.saturations[at];
            }
        }
        sum
    }

    /// Upper bound of the query's common words' score of any vertex.
    pub fn max_common_score(&self, query: &QueryWords) -> f64 {
        let max = |&common: &u32| {
            query.idfs[common as usize] * self.common.max_saturations[common as usize]
        };
        query.numbers.iter().map(max).sum()
    }

    /// Rebuilds the common words: those in more than `limit` vertices.
    ///
    /// Keeps the [`MAX_COMMON`] words with the highest df.
    pub fn rebuild_common(&mut self, limit: usize, settings: &Settings) {
        let n_vertices = self.lengths.len();
        if self.common.as_of == n_vertices {
            return;
        }
        let mut common = CommonWords { as_of: n_vertices, ..CommonWords::default() };
        for &word in &self.common.words {
            self.words[word as usize].common = RARE;
        }
        let df = |word: &u32| self.words[*word as usize].vertices.len();
        let is_common = |word: &u32| df(word) > limit && idf(n_vertices, df(word)) > 0.0;
        common.words = (0..self.words.len() as u32).filter(is_common).collect();
        common.words.sort_by_key(|word| std::cmp::Reverse(df(word)));
        common.words.truncate(MAX_COMMON);
        for (&word, number) in common.words.iter().zip(0..) {
            self.words[word as usize].common = number;
        }
        self.fill_common(&mut common, settings);
        self.common = common;
    }

    fn fill_common(&self, common: &mut CommonWords, settings: &Settings) {
        let n_vertices = self.lengths.len();
        common.starts = vec![0; n_vertices + 1];
        for &word in &common.words {
            for &vertex in &self.words[word as usize].vertices {
                common.starts[vertex as usize + 1] += 1;
            }
        }
        for vertex in 0..n_vertices {
            common.starts[vertex + 1] += common.starts[vertex];
        }
        let mut ends = common.starts.clone();
        common.entries = vec![0; common.starts[n_vertices]];
        common.saturations = vec![0.0; common.starts[n_vertices]];
        for (&word, number) in common.words.iter().zip(0_u16..) {
            let Word { vertices, frequencies, .. } = &self.words[word as usize];
            let of_it =
                saturations(vertices, frequencies, &self.lengths, self.mean_length(), settings);
            let mut max = 0.0_f64;
            for (&vertex, saturation) in vertices.iter().zip(of_it) {
                let end = &mut ends[vertex as usize];
                common.entries[*end] = number;
                common.saturations[*end] = saturation;
                *end += 1;
                max = max.max(saturation);
            }
            common.max_saturations.push(max);
        }
        let n = common.words.len();
        common.products = vec![0.0; n * n];
        for row in common.starts.windows(2) {
            let numbers = &common.entries[row[0]..row[1]];
            let saturations = &common.saturations[row[0]..row[1]];
            for (at, (&a, of_a)) in numbers.iter().zip(saturations).enumerate() {
                let products = &mut common.products[usize::from(a) * n..][..n];
                for (&b, of_b) in numbers[at..].iter().zip(&saturations[at..]) {
                    products[usize::from(b)] += of_a * of_b;
                }
            }
        }
    }

    pub fn word_scores<W: AsRef<str>>(
        &self,
        words: &[W],
        vertex: u32,
        n_vertices: u32,
        settings: &Settings,
    ) -> Vec<WordScore> {
        let n = self.lengths.len().min(n_vertices as usize);
        let total_length: u64 = self.lengths[..n].iter().map(|length| u64::from(*length)).sum();
        let mean_length = total_length as f64 / n.max(1) as f64;
        let mut distinct = Vocabulary::default();
        let mut scores = Vec::new();
        for text in words {
            let text = text.as_ref();
            let n_before = distinct.len();
            distinct.add(text);
            let number = self.vocabulary.number(text).filter(|_| distinct.len() > n_before);
            let Some(number) = number else { continue };
            let word = &self.words[number as usize];
            let Ok(at) = word.vertices.binary_search(&vertex) else { continue };
            let frequency = word.frequencies[at];
            let n_with_word = word.vertices.partition_point(|v| *v < n_vertices);
            let idf = idf(n, n_with_word);
            let length = self.length(vertex);
            let saturation = saturation(frequency, length, mean_length, settings);
            scores.push(WordScore {
                word: text.to_owned(),
                n_vertices: n_with_word,
                idf,
                frequency,
                saturation,
                score: idf * saturation,
            });
        }
        scores
    }
}

/// Estimated bytes of a vocabulary word: text and number.
const WORD_BYTES: usize = 48;

impl Field {
    pub fn bytes(&self) -> usize {
        let of_word = |word: &Word| {
            (word.vertices.capacity() + word.frequencies.capacity()) * 4
                + word.saturations.capacity() * 8
                + size_of::<Word>()
                + WORD_BYTES
        };
        let CommonWords { starts, entries, saturations, products, .. } = &self.common;
        let common = (starts.capacity() + saturations.capacity() + products.capacity()) * 8
            + entries.capacity() * 2;
        self.words.iter().map(of_word).sum::<usize>() + self.lengths.capacity() * 4 + common
    }
}

/// Calls `take` with the terms of Σ over all vertices of (score from common words)².
pub(super) fn each_product(query: &QueryWords, field: &Field, mut take: impl FnMut(f64)) {
    let n = field.n_common();
    for (at, &a) in query.numbers.iter().enumerate() {
        let idf_a = query.idfs[a as usize];
        take(idf_a * idf_a * field.common.products[a as usize * n + a as usize]);
        for &b in &query.numbers[at + 1..] {
            let (low, high) = (a.min(b) as usize, a.max(b) as usize);
            take(2.0 * idf_a * query.idfs[b as usize] * field.common.products[low * n + high]);
        }
    }
}

/// Eq. 6, at least 0.
fn idf(n_vertices: usize, n_with_word: usize) -> f64 {
    let (n, df) = (n_vertices as f64, n_with_word as f64);
    log((n - df + 0.5) / (df + 0.5)).max(0.0)
}

fn saturations(
    vertices: &[u32],
    frequencies: &[u32],
    lengths: &[u32],
    mean_length: f64,
    settings: &Settings,
) -> impl Iterator<Item = f64> {
    vertices.iter().zip(frequencies).map(move |(&vertex, &frequency)| {
        saturation(frequency, lengths[vertex as usize], mean_length, settings)
    })
}

/// f·(k₁ + 1) / (k₁·(b·l/l̄ + 1 − b) + f). If a vertex has the word, l and l̄ are above 0.
fn saturation(frequency: u32, length: u32, mean_length: f64, settings: &Settings) -> f64 {
    let Settings { k1, b, .. } = *settings;
    let f = f64::from(frequency);
    f * (k1 + 1.0) / (k1 * (b * f64::from(length) / mean_length + 1.0 - b) + f)
}
