//! Okapi BM25: the Web link graph's vertex most similar to a link (Zhang et al. 2010, eq. 4–8).
//!
//! A link is three texts: its anchor, its URL and its context on the page. Each is matched against
//! the same text of every vertex by Okapi BM25:
//!
//! sim(u, v) = Σ over the words t of u of idf(t) · f·(k₁ + 1) / (k₁·(b·l/l̄ + 1 − b) + f),
//! idf(t) = log((N − df(t) + 0.5) / (df(t) + 0.5)),
//!
//! with f = occurrences of t in v's text, l = its length in words, l̄ = the mean length, N = the
//! number of vertices, df(t) = the number of vertices with t. u is a set of words (Definition 1).
//! A word in more than half of the vertices has a negative idf; it is replaced by 0 (our choice).
//!
//! The three score vectors over all vertices are then normalised; the paper does not say how.
//! [`Normalise::L2`] divides by the Euclidean norm (our default), [`Normalise::Max`] by the
//! maximum. score(v) is their sum weighted by w = (0.5, 0.2, 0.3). The best vertex has the highest
//! score; the earliest wins a tie.
//!
//! **Complexity.** An inverted index: a query visits only vertices that share a word with the link.
//! Common words occur in most vertices, so only rare words (in at most 2·√N vertices) are followed.
//! The common words' part of the sum of squares comes from a table of pairwise products, and their
//! part of a visited vertex's score from a list per vertex. Vertices that share only common words
//! are visited if an upper bound says that one of them could be the best. Links of real sites share
//! rare words with some vertex; then about √N vertices are visited. A link with common words only
//! costs the length of their lists. The first query after vertices were added rebuilds lists and
//! table, so add vertices in batches.

mod field;

use libm::sqrt;
use thiserror::Error;

use field::{Field, QueryWords, each_product};

/// Number of texts of a link.
pub const N_FIELDS: usize = 3;

/// A link as three lists of words: anchor, URL and context.
#[derive(Clone, Copy, Debug)]
pub struct LinkWords<'a, W> {
    /// Words of the anchor text.
    pub anchor: &'a [W],
    /// Words of the URL.
    pub url: &'a [W],
    /// Words of the text around the link.
    pub context: &'a [W],
}

impl<'a, W> LinkWords<'a, W> {
    /// The three lists in the order of [`Settings::weights`].
    pub fn fields(&self) -> [&'a [W]; N_FIELDS] {
        [self.anchor, self.url, self.context]
    }
}

/// How a field's scores are normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalise {
    /// Divide by the Euclidean norm.
    L2,
    /// Divide by the maximum.
    Max,
}

/// BM25 parameters, field weights and normalisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// k₁: saturation of the word frequency; 0 ignores repetitions.
    pub k1: f64,
    /// b: strength of the length normalisation, 0 to 1.
    pub b: f64,
    /// w: weights of anchor, URL and context.
    pub weights: [f64; N_FIELDS],
    /// Normalisation of each field's scores.
    pub normalise: Normalise,
}

impl Default for Settings {
    fn default() -> Self {
        Self { k1: 2.0, b: 0.75, weights: [0.5, 0.2, 0.3], normalise: Normalise::L2 }
    }
}

/// Error: a setting is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// k₁ is outside 0 to 10⁶.
    #[error("k₁ must be a number from 0 to 1e6")]
    K1,
    /// b is outside 0 to 1.
    #[error("b must be a number from 0 to 1")]
    B,
    /// A weight is outside 0 to 10⁶.
    #[error("weights must be numbers from 0 to 1e6")]
    Weight,
}

/// An inverted index of the vertices of a Web link graph. Vertices are only added.
#[derive(Clone, Debug)]
pub struct LinkIndex {
    settings: Settings,
    fields: [Field; N_FIELDS],
    n_vertices: u32,
    /// A word in more than `common_above`·√N vertices is common.
    common_above: f64,
    scratch: Scratch,
}

/// The result of a query: the most similar vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The vertex's number, in the order of adding.
    pub vertex: u32,
    /// The weighted sum of the fields' normalised scores.
    pub score: f64,
    /// The score of each field.
    pub fields: [FieldScore; N_FIELDS],
}

/// Similarity of one text of a link to the same text of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldScore {
    /// sim(u, v) of eq. 5.
    pub bm25: f64,
    /// The normalisation divisor; 0 if no vertex shares a word.
    pub divisor: f64,
    /// `bm25 / divisor`, or 0 if the divisor is 0.
    pub normalised: f64,
    /// The field's weight.
    pub weight: f64,
}

/// Contribution of one word to sim(u, v).
#[derive(Clone, Debug, PartialEq)]
pub struct WordScore {
    /// The word.
    pub word: String,
    /// df: number of vertices with the word.
    pub n_vertices: usize,
    /// idf, at least 0.
    pub idf: f64,
    /// f: occurrences of the word in this vertex.
    pub frequency: u32,
    /// f·(k₁ + 1) / (k₁·(b·l/l̄ + 1 − b) + f).
    pub saturation: f64,
    /// idf · saturation.
    pub score: f64,
}

/// Buffers of the current query.
#[derive(Clone, Debug, Default)]
struct Scratch {
    sums: Vec<Sums>,
    /// Visited vertices, in the order of visiting.
    visited: Vec<u32>,
    query: u64,
    /// The query's common words.
    common: [QueryWords; N_FIELDS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    fields: [f64; N_FIELDS],
    /// The low 32 bits of the query's number, never 0; 64 bits would enlarge the struct.
    query: u32,
    /// Whether the common words are included, by field.
    complete: [bool; N_FIELDS],
}

impl Scratch {
    fn next_query(&mut self) {
        self.visited.clear();
        self.query += 1;
        if self.query as u32 == 0 {
            self.sums.fill(Sums::default());
            self.query += 1;
        }
    }

    /// The sums of a vertex; resets them on the query's first visit.
    fn visit(&mut self, vertex: u32) -> &mut Sums {
        let sum = &mut self.sums[vertex as usize];
        if sum.query != self.query as u32 {
            *sum = Sums { query: self.query as u32, ..Sums::default() };
            self.visited.push(vertex);
        }
        sum
    }
}

/// A word in more than `COMMON_ABOVE`·√N vertices is common.
const COMMON_ABOVE: f64 = 2.0;

/// Tolerance for rounding errors in upper bounds.
const ROUNDING: f64 = 1.0 + 1e-9;

impl LinkIndex {
    /// An empty index.
    ///
    /// # Errors
    /// Returns a [`SettingError`] if a setting is out of range.
    ///
    /// ```
    /// use crawl_learn::bm25::{LinkIndex, LinkWords, Settings};
    ///
    /// let mut index = LinkIndex::new(Settings::default())?;
    /// for anchor in ["nikon", "canon", "imprint"] {
    ///     index.add(&LinkWords { anchor: &[anchor], url: &[], context: &[] });
    /// }
    /// let query = LinkWords { anchor: &["canon", "lens"], url: &[], context: &[] };
    /// assert_eq!(index.best(&query).map(|found| found.vertex), Some(1));
    /// # Ok::<(), crawl_learn::bm25::SettingError>(())
    /// ```
    pub fn new(settings: Settings) -> Result<Self, SettingError> {
        let usual = |x: f64| (0.0..=1e6).contains(&x);
        if !usual(settings.k1) {
            return Err(SettingError::K1);
        }
        if !(0.0..=1.0).contains(&settings.b) {
            return Err(SettingError::B);
        }
        if !settings.weights.into_iter().all(usual) {
            return Err(SettingError::Weight);
        }
        let fields = Default::default();
        let scratch = Scratch::default();
        Ok(Self { settings, fields, n_vertices: 0, common_above: COMMON_ABOVE, scratch })
    }

    /// Number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.n_vertices
    }

    /// Adds a vertex and returns its number.
    pub fn add<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) -> u32 {
        let vertex = self.n_vertices;
        for (field, words) in self.fields.iter_mut().zip(link.fields()) {
            field.add(vertex, words);
        }
        self.scratch.sums.push(Sums::default());
        self.n_vertices += 1;
        vertex
    }

    /// The vertex most similar to a link; `None` if no score is above 0.
    pub fn best<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) -> Option<Match> {
        self.visit_by_rare_words(link);
        let (mut divisors, max_common) = self.complete_visited();
        let by_largest = self.settings.normalise == Normalise::Max;
        let divisor_open = by_largest && (0..N_FIELDS).any(|f| max_common[f] > divisors[f]);
        let mut best = if divisor_open { None } else { self.best_visited(divisors, max_common) };
        let bound = self.weigh(max_common, divisors).0 * ROUNDING;
        if best.is_none_or(|(score, _)| score <= bound) {
            self.visit_by_common_words();
            if by_largest {
                divisors = self.max_of_visited();
            }
            best = self.best_visited(divisors, max_common);
        }
        self.scratch.common.iter_mut().for_each(QueryWords::clear);
        let (score, vertex) = best?;
        let fields = self.weigh(self.scratch.sums[vertex as usize].fields, divisors).1;
        Some(Match { vertex, score, fields })
    }

    /// Contribution of each distinct word of a link to sim(u, v) of eq. 5, by field.
    ///
    /// The scores of a field's words sum to [`FieldScore::bm25`].
    pub fn words<W: AsRef<str>>(
        &self,
        link: &LinkWords<'_, W>,
        vertex: u32,
    ) -> [Vec<WordScore>; N_FIELDS] {
        self.words_as_of(link, vertex, self.n_vertices)
    }

    /// [`Self::words`] as computed when the index had only the first `n_vertices` vertices.
    pub fn words_as_of<W: AsRef<str>>(
        &self,
        link: &LinkWords<'_, W>,
        vertex: u32,
        n_vertices: u32,
    ) -> [Vec<WordScore>; N_FIELDS] {
        let texts = link.fields();
        let of =
            |f: usize| self.fields[f].word_scores(texts[f], vertex, n_vertices, &self.settings);
        std::array::from_fn(of)
    }

    /// Approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        let fields: usize = self.fields.iter().map(Field::bytes).sum();
        fields + self.scratch.sums.capacity() * size_of::<Sums>()
    }

    /// Length of a vertex's text and mean length, by field.
    pub fn lengths(&self, vertex: u32) -> [(u32, f64); N_FIELDS] {
        self.fields.each_ref().map(|field| (field.length(vertex), field.mean_length()))
    }

    /// Adds the scores of rare words to their vertices; collects the common words.
    fn visit_by_rare_words<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) {
        let limit = (self.common_above * sqrt(f64::from(self.n_vertices))) as usize;
        self.scratch.next_query();
        for (f, (field, words)) in self.fields.iter_mut().zip(link.fields()).enumerate() {
            field.rebuild_common(limit, &self.settings);
            for word in words {
                let Some(word) = field.first_in_query(word.as_ref(), self.scratch.query) else {
                    continue;
                };
                match field.common(word) {
                    Some((common, idf)) => {
                        self.scratch.common[f].add(common, idf, field.n_common());
                    }
                    None => field.each_score(word, &self.settings, |vertex, score| {
                        self.scratch.visit(vertex).fields[f] += score;
                    }),
                }
            }
        }
    }

    /// Adds the common words' scores to the visited vertices, where the divisors need them.
    ///
    /// Returns by field the divisor, as far as the visited vertices determine it, and the upper
    /// bound of the common words' score of any vertex.
    fn complete_visited(&mut self) -> ([f64; N_FIELDS], [f64; N_FIELDS]) {
        let Scratch { sums, visited, common, .. } = &mut self.scratch;
        let by_largest = self.settings.normalise == Normalise::Max;
        let mut squares = [0.0; N_FIELDS];
        let mut max_common = [0.0; N_FIELDS];
        for f in 0..N_FIELDS {
            each_product(&common[f], &self.fields[f], |product| squares[f] += product);
            max_common[f] = self.fields[f].max_common_score(&common[f]);
        }
        for &vertex in visited.iter() {
            let sum = &mut sums[vertex as usize];
            for f in 0..N_FIELDS {
                let rare = sum.fields[f];
                if rare > 0.0 || by_largest {
                    let of_common = self.fields[f].common_score(vertex, &common[f]);
                    // (r + c)² − c²: the products contain c² already.
                    squares[f] += rare * (rare + 2.0 * of_common);
                    sum.fields[f] = rare + of_common;
                    sum.complete[f] = true;
                }
            }
        }
        let divisors = if by_largest { self.max_of_visited() } else { squares.map(sqrt) };
        (divisors, max_common)
    }

    /// Adds the scores of common words to all of their vertices.
    fn visit_by_common_words(&mut self) {
        for (f, field) in self.fields.iter_mut().enumerate() {
            for at in 0..self.scratch.common[f].numbers.len() {
                let word = field.common_word(self.scratch.common[f].numbers[at]);
                field.each_score(word, &self.settings, |vertex, score| {
                    let sum = self.scratch.visit(vertex);
                    if !sum.complete[f] {
                        sum.fields[f] += score;
                    }
                });
            }
        }
        for &vertex in &self.scratch.visited {
            self.scratch.sums[vertex as usize].complete = [true; N_FIELDS];
        }
    }

    fn max_of_visited(&self) -> [f64; N_FIELDS] {
        let Scratch { sums, visited, .. } = &self.scratch;
        let mut largest = [0.0_f64; N_FIELDS];
        for &vertex in visited {
            for (largest, score) in largest.iter_mut().zip(sums[vertex as usize].fields) {
                *largest = largest.max(score);
            }
        }
        largest
    }

    /// The visited vertex with the highest score above 0, the earliest of equals.
    fn best_visited(
        &mut self,
        divisors: [f64; N_FIELDS],
        max_common: [f64; N_FIELDS],
    ) -> Option<(f64, u32)> {
        let factors: [f64; N_FIELDS] = std::array::from_fn(|f| {
            if divisors[f] > 0.0 { self.settings.weights[f] / divisors[f] } else { 0.0 }
        });
        let mut best = (0.0, u32::MAX);
        for at in 0..self.scratch.visited.len() {
            let vertex = self.scratch.visited[at];
            let sum = &mut self.scratch.sums[vertex as usize];
            let max = |f: usize| if sum.complete[f] { sum.fields[f] } else { max_common[f] };
            let bound: f64 = (0..N_FIELDS).map(|f| factors[f] * max(f)).sum();
            if bound * ROUNDING < best.0 {
                continue;
            }
            for f in 0..N_FIELDS {
                if !sum.complete[f] {
                    sum.fields[f] = self.fields[f].common_score(vertex, &self.scratch.common[f]);
                    sum.complete[f] = true;
                }
            }
            let sums = sum.fields;
            let score = self.weigh(sums, divisors).0;
            if score > best.0 || (score == best.0 && vertex < best.1) {
                best = (score, vertex);
            }
        }
        (best.0 > 0.0).then_some(best)
    }

    fn weigh(
        &self,
        sums: [f64; N_FIELDS],
        divisors: [f64; N_FIELDS],
    ) -> (f64, [FieldScore; N_FIELDS]) {
        let mut fields = [FieldScore::default(); N_FIELDS];
        let mut score = 0.0;
        for (f, field) in fields.iter_mut().enumerate() {
            let (bm25, divisor, weight) = (sums[f], divisors[f], self.settings.weights[f]);
            let normalised = if divisor > 0.0 { bm25 / divisor } else { 0.0 };
            *field = FieldScore { bm25, divisor, normalised, weight };
            score += weight * normalised;
        }
        (score, fields)
    }
}

#[cfg(test)]
mod tests;
