//! Which vertex of the Web link graph a link resembles most (document B, eq. 4–8).
//!
//! A link is three texts: its anchor, its URL and its context on the page. Each is matched against
//! the same text of every vertex by Okapi BM25:
//!
//! sim(u, v) = Σ over the words t of u of idf(t) · f·(k₁ + 1) / (k₁·(b·l/l̄ + 1 − b) + f),
//! idf(t) = log((N − df(t) + 0.5) / (df(t) + 0.5)),
//!
//! with f = how often t stands in v's text, l = its length in words, l̄ = the mean length, N = the
//! number of vertices, df(t) = in how many of them t stands. u counts as a set of words
//! (Definition 1). A word in more than half of the vertices would have a negative idf; it counts
//! as 0 (ours).
//!
//! The three vectors of scores over all vertices are normalised, how is not said:
//! [`Normalise::L2`] divides by the root of the sum of squares (ours by default),
//! [`Normalise::Max`] by the largest. score(v) is their sum weighted by w = (0.5, 0.2, 0.3); the
//! best vertex is the one with the highest score, the earliest of equals.
//!
//! **Cost.** An inverted index: a question looks only at vertices that share a word with the link,
//! and not at those that share only words of idf 0. What depends on l̄ is kept with every word and
//! worked out anew when it is asked for after vertices were added.

use libm::{log, sqrt};
use thiserror::Error;

use crate::vocabulary::Vocabulary;

/// How many texts a link has.
pub const N_FIELDS: usize = 3;

/// A link as three lists of words.
#[derive(Clone, Copy, Debug)]
pub struct LinkWords<'a, W> {
    /// Of its anchor.
    pub anchor: &'a [W],
    /// Of its URL.
    pub url: &'a [W],
    /// Of the text around it.
    pub context: &'a [W],
}

impl<'a, W> LinkWords<'a, W> {
    /// The three in the order of the weights.
    pub fn fields(&self) -> [&'a [W]; N_FIELDS] {
        [self.anchor, self.url, self.context]
    }
}

/// What a field's scores are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalise {
    /// The root of the sum of their squares.
    L2,
    /// The largest of them.
    Max,
}

/// The constants of matching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// k₁: how soon more of the same word adds nothing.
    pub k1: f64,
    /// b: how much long texts are held back.
    pub b: f64,
    /// w: what anchor, URL and context count for.
    pub weights: [f64; N_FIELDS],
    /// What scores are divided by.
    pub normalise: Normalise,
}

impl Default for Settings {
    fn default() -> Self {
        Self { k1: 2.0, b: 0.75, weights: [0.5, 0.2, 0.3], normalise: Normalise::L2 }
    }
}

/// A setting with which nothing can be matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// k₁ is negative, or no usual number.
    #[error("k₁ must be a number from 0 to 1e6")]
    K1,
    /// b is not in 0…1.
    #[error("b must be a number from 0 to 1")]
    B,
    /// A weight is negative, or no usual number.
    #[error("weights must be numbers from 0 to 1e6")]
    Weight,
}

/// The vertices of a Web link graph by their words. It only grows.
#[derive(Clone, Debug)]
pub struct LinkIndex {
    settings: Settings,
    fields: [Field; N_FIELDS],
    n_vertices: u32,
    scratch: Scratch,
}

/// The vertex a link resembles most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Its number, in the order of adding.
    pub vertex: u32,
    /// Its score: the fields' weighted sum.
    pub score: f64,
    /// What each field adds.
    pub fields: [FieldScore; N_FIELDS],
}

/// How one text of a link matched that of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldScore {
    /// sim(u, v) of eq. 5.
    pub bm25: f64,
    /// What it was divided by; 0 if no vertex shares a word.
    pub divisor: f64,
    /// The quotient, 0 where the divisor is 0.
    pub normalised: f64,
    /// The field's part of w.
    pub weight: f64,
}

/// What one word adds to sim(u, v).
#[derive(Clone, Debug, PartialEq)]
pub struct WordScore {
    /// The word, as the link has it.
    pub word: String,
    /// df: in how many vertices it stands.
    pub n_vertices: usize,
    /// idf, not below 0.
    pub idf: f64,
    /// f: how often it stands in this vertex.
    pub frequency: u32,
    /// What f and the length make of it.
    pub saturation: f64,
    /// idf · saturation.
    pub score: f64,
}

#[derive(Clone, Debug, Default)]
struct Field {
    vocabulary: Vocabulary,
    words: Vec<Word>,
    /// Length of every vertex's text, in words.
    lengths: Vec<u32>,
    total_length: u64,
}

/// Where a word stands, by vertex.
#[derive(Clone, Debug, Default)]
struct Word {
    vertices: Vec<u32>,
    frequencies: Vec<u32>,
    /// f·(k₁ + 1) / (…) for each, as of so many vertices.
    saturations: Vec<f64>,
    as_of: u32,
    /// The question that asked for it last.
    asked: u64,
}

/// Sums of the question under way.
#[derive(Clone, Debug, Default)]
struct Scratch {
    sums: Vec<Sums>,
    /// Vertices that share a word, in the order of meeting.
    met: Vec<u32>,
    question: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    fields: [f64; N_FIELDS],
    question: u64,
}

impl LinkIndex {
    /// An index without vertices.
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
        Ok(Self { settings, fields, n_vertices: 0, scratch: Scratch::default() })
    }

    /// How many vertices it holds.
    pub fn n_vertices(&self) -> u32 {
        self.n_vertices
    }

    /// Adds a vertex; answers its number.
    pub fn add<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) -> u32 {
        let vertex = self.n_vertices;
        for (field, words) in self.fields.iter_mut().zip(link.fields()) {
            field.add(vertex, words);
        }
        self.scratch.sums.push(Sums::default());
        self.n_vertices += 1;
        vertex
    }

    /// The vertex a link resembles most; none if no vertex scores above 0.
    pub fn best<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) -> Option<Match> {
        self.add_up(link);
        let Scratch { sums, met, .. } = &self.scratch;
        let mut divisors = [0.0; N_FIELDS];
        for &vertex in met {
            for (divisor, score) in divisors.iter_mut().zip(sums[vertex as usize].fields) {
                match self.settings.normalise {
                    Normalise::L2 => *divisor += score * score,
                    Normalise::Max => *divisor = score.max(*divisor),
                }
            }
        }
        if self.settings.normalise == Normalise::L2 {
            divisors = divisors.map(sqrt);
        }
        let mut best = (0.0, u32::MAX);
        for &vertex in met {
            let score = self.weigh(sums[vertex as usize].fields, divisors).0;
            if score > best.0 || (score == best.0 && score > 0.0 && vertex < best.1) {
                best = (score, vertex);
            }
        }
        let (score, vertex) = best;
        let fields = self.weigh(sums.get(vertex as usize)?.fields, divisors).1;
        Some(Match { vertex, score, fields })
    }

    /// What each distinct word of a link adds to the eq. 5 score of one vertex, by field: the sum
    /// of a field's words is [`FieldScore::bm25`].
    pub fn words<W: AsRef<str>>(
        &self,
        link: &LinkWords<'_, W>,
        vertex: u32,
    ) -> [Vec<WordScore>; N_FIELDS] {
        let texts = link.fields();
        let of = |f: usize| self.fields[f].word_scores(texts[f], vertex, &self.settings);
        std::array::from_fn(of)
    }

    /// Length of a vertex's text and mean length, by field.
    pub fn lengths(&self, vertex: u32) -> [(u32, f64); N_FIELDS] {
        self.fields.each_ref().map(|field| {
            (field.lengths.get(vertex as usize).copied().unwrap_or(0), field.mean_length())
        })
    }

    /// Leaves eq. 5 of every vertex that shares a word, by field, in the scratch.
    fn add_up<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) {
        let Scratch { sums, met, question } = &mut self.scratch;
        met.clear();
        *question += 1;
        for (f, (field, words)) in self.fields.iter_mut().zip(link.fields()).enumerate() {
            let mean_length = field.mean_length();
            for word in words {
                let Some(number) = field.vocabulary.number(word.as_ref()) else { continue };
                let word = &mut field.words[number as usize];
                let idf = idf(self.n_vertices, word.vertices.len());
                if std::mem::replace(&mut word.asked, *question) == *question || idf == 0.0 {
                    continue;
                }
                if word.as_of != self.n_vertices {
                    word.renew(&field.lengths, mean_length, &self.settings);
                    word.as_of = self.n_vertices;
                }
                for (&vertex, saturation) in word.vertices.iter().zip(&word.saturations) {
                    let sum = &mut sums[vertex as usize];
                    if sum.question != *question {
                        *sum = Sums { fields: [0.0; N_FIELDS], question: *question };
                        met.push(vertex);
                    }
                    sum.fields[f] += idf * saturation;
                }
            }
        }
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

impl Field {
    fn add<W: AsRef<str>>(&mut self, vertex: u32, words: &[W]) {
        for word in words {
            let number = self.vocabulary.add(word.as_ref()) as usize;
            if number == self.words.len() {
                self.words.push(Word::default());
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

    fn mean_length(&self) -> f64 {
        self.total_length as f64 / self.lengths.len().max(1) as f64
    }

    fn word_scores<W: AsRef<str>>(
        &self,
        words: &[W],
        vertex: u32,
        settings: &Settings,
    ) -> Vec<WordScore> {
        let length = self.lengths.get(vertex as usize).copied().unwrap_or(0);
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
            let idf = idf(self.lengths.len() as u32, word.vertices.len());
            let saturation = saturation(frequency, length, self.mean_length(), settings);
            scores.push(WordScore {
                word: text.to_owned(),
                n_vertices: word.vertices.len(),
                idf,
                frequency,
                saturation,
                score: idf * saturation,
            });
        }
        scores
    }
}

impl Word {
    fn renew(&mut self, lengths: &[u32], mean_length: f64, settings: &Settings) {
        let of = |(&vertex, &frequency): (&u32, &u32)| {
            saturation(frequency, lengths[vertex as usize], mean_length, settings)
        };
        self.saturations.clear();
        self.saturations.extend(self.vertices.iter().zip(&self.frequencies).map(of));
    }
}

/// Eq. 6, not below 0.
fn idf(n_vertices: u32, n_with_word: usize) -> f64 {
    let (n, df) = (f64::from(n_vertices), n_with_word as f64);
    log((n - df + 0.5) / (df + 0.5)).max(0.0)
}

/// f·(k₁ + 1) / (k₁·(b·l/l̄ + 1 − b) + f). Where a word stands, l and l̄ are above 0.
fn saturation(frequency: u32, length: u32, mean_length: f64, settings: &Settings) -> f64 {
    let Settings { k1, b, .. } = *settings;
    let f = f64::from(frequency);
    f * (k1 + 1.0) / (k1 * (b * f64::from(length) / mean_length + 1.0 - b) + f)
}

#[cfg(test)]
mod tests;
