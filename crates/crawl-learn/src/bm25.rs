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
//! **Cost.** An inverted index: a question looks only at vertices that share a word with the link.
//! Most of those share only common words, of which every vertex has some, so only words in at most
//! 2·√N vertices lead to vertices. What common words add to the sum of squares follows from a table
//! of their products two by two, and what they add to a vertex met from a list of its own. Vertices
//! that share common words alone are looked at only if they could still be the best by an upper
//! bound. Links of real sites share rare words with some vertex, and then about √N vertices are
//! looked at; a link that has only common words still costs as much as their lists are long. The
//! first question after vertices were added renews lists and table: add vertices in batches.

mod field;

use libm::sqrt;
use thiserror::Error;

use field::{Asked, Field, each_product};

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
    /// A word in more than this times √N vertices is common.
    common_above: f64,
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

/// Sums of the question under way.
#[derive(Clone, Debug, Default)]
struct Scratch {
    sums: Vec<Sums>,
    /// Vertices looked at, in the order of meeting.
    met: Vec<u32>,
    question: u64,
    /// The common words of the question.
    common: [Asked; N_FIELDS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    fields: [f64; N_FIELDS],
    /// The last bits of the question's number, not 0: they fit beside the rest.
    question: u32,
    /// Whether the common words are in it, by field.
    complete: [bool; N_FIELDS],
}

impl Scratch {
    fn next_question(&mut self) {
        self.met.clear();
        self.question += 1;
        if self.question as u32 == 0 {
            self.sums.fill(Sums::default());
            self.question += 1;
        }
    }

    /// The sums of a vertex, from 0 where the question meets it first.
    fn meet(&mut self, vertex: u32) -> &mut Sums {
        let sum = &mut self.sums[vertex as usize];
        if sum.question != self.question as u32 {
            *sum = Sums { question: self.question as u32, ..Sums::default() };
            self.met.push(vertex);
        }
        sum
    }
}

/// A word in more than this times √N vertices is common.
const COMMON_ABOVE: f64 = 2.0;

/// What rounding may do to a bound.
const SLACK: f64 = 1.0 + 1e-9;

impl LinkIndex {
    /// An index without vertices.
    ///
    /// # Errors
    /// A setting is out of its range.
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
        self.meet_by_rare_words(link);
        let (mut divisors, most_left) = self.complete_met();
        let by_largest = self.settings.normalise == Normalise::Max;
        let divisor_open = by_largest && (0..N_FIELDS).any(|f| most_left[f] > divisors[f]);
        let mut best = if divisor_open { None } else { self.best_met(divisors, most_left) };
        let bound = self.weigh(most_left, divisors).0 * SLACK;
        if best.is_none_or(|(score, _)| score <= bound) {
            self.meet_by_common_words();
            if by_largest {
                divisors = self.largest_met();
            }
            best = self.best_met(divisors, most_left);
        }
        self.scratch.common.iter_mut().for_each(Asked::clear);
        let (score, vertex) = best?;
        let fields = self.weigh(self.scratch.sums[vertex as usize].fields, divisors).1;
        Some(Match { vertex, score, fields })
    }

    /// What each distinct word of a link adds to the eq. 5 score of one vertex, by field: the sum
    /// of a field's words is [`FieldScore::bm25`].
    pub fn words<W: AsRef<str>>(
        &self,
        link: &LinkWords<'_, W>,
        vertex: u32,
    ) -> [Vec<WordScore>; N_FIELDS] {
        self.words_as_of(link, vertex, self.n_vertices)
    }

    /// The same as it was when there were only the first `n_vertices` vertices.
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

    /// Bytes of memory held, about.
    pub fn bytes(&self) -> usize {
        let fields: usize = self.fields.iter().map(Field::bytes).sum();
        fields + self.scratch.sums.capacity() * size_of::<Sums>()
    }

    /// Length of a vertex's text and mean length, by field.
    pub fn lengths(&self, vertex: u32) -> [(u32, f64); N_FIELDS] {
        self.fields.each_ref().map(|field| (field.length(vertex), field.mean_length()))
    }

    /// Sums up what rare words add to the vertices they stand in; notes the common ones.
    fn meet_by_rare_words<W: AsRef<str>>(&mut self, link: &LinkWords<'_, W>) {
        let limit = (self.common_above * sqrt(f64::from(self.n_vertices))) as usize;
        self.scratch.next_question();
        for (f, (field, words)) in self.fields.iter_mut().zip(link.fields()).enumerate() {
            field.renew(limit, &self.settings);
            for word in words {
                let Some(word) = field.asked_first(word.as_ref(), self.scratch.question) else {
                    continue;
                };
                match field.common(word) {
                    Some((common, idf)) => {
                        self.scratch.common[f].add(common, idf, field.n_common());
                    }
                    None => field.each_score(word, &self.settings, |vertex, score| {
                        self.scratch.meet(vertex).fields[f] += score;
                    }),
                }
            }
        }
    }

    /// Adds the common words to the vertices met, where the divisors depend on it. Answers what to
    /// divide by, as far as the vertices met tell it, and the most that a vertex can get from
    /// common words, by field.
    fn complete_met(&mut self) -> ([f64; N_FIELDS], [f64; N_FIELDS]) {
        let Scratch { sums, met, common, .. } = &mut self.scratch;
        let by_largest = self.settings.normalise == Normalise::Max;
        let mut squares = [0.0; N_FIELDS];
        let mut most_left = [0.0; N_FIELDS];
        for f in 0..N_FIELDS {
            each_product(&common[f], &self.fields[f], |product| squares[f] += product);
            most_left[f] = self.fields[f].most_common_score(&common[f]);
        }
        for &vertex in met.iter() {
            let sum = &mut sums[vertex as usize];
            for f in 0..N_FIELDS {
                let rare = sum.fields[f];
                if rare > 0.0 || by_largest {
                    let of_common = self.fields[f].common_score(vertex, &common[f]);
                    // (r + c)² less the c² that the products have already.
                    squares[f] += rare * (rare + 2.0 * of_common);
                    sum.fields[f] = rare + of_common;
                    sum.complete[f] = true;
                }
            }
        }
        let divisors = if by_largest { self.largest_met() } else { squares.map(sqrt) };
        (divisors, most_left)
    }

    /// Sums up what common words add to all vertices they stand in.
    fn meet_by_common_words(&mut self) {
        for (f, field) in self.fields.iter_mut().enumerate() {
            for at in 0..self.scratch.common[f].numbers.len() {
                let word = field.common_word(self.scratch.common[f].numbers[at]);
                field.each_score(word, &self.settings, |vertex, score| {
                    let sum = self.scratch.meet(vertex);
                    if !sum.complete[f] {
                        sum.fields[f] += score;
                    }
                });
            }
        }
        for &vertex in &self.scratch.met {
            self.scratch.sums[vertex as usize].complete = [true; N_FIELDS];
        }
    }

    fn largest_met(&self) -> [f64; N_FIELDS] {
        let Scratch { sums, met, .. } = &self.scratch;
        let mut largest = [0.0_f64; N_FIELDS];
        for &vertex in met {
            for (largest, score) in largest.iter_mut().zip(sums[vertex as usize].fields) {
                *largest = largest.max(score);
            }
        }
        largest
    }

    /// The vertex met of highest score above 0, the earliest of equals.
    fn best_met(
        &mut self,
        divisors: [f64; N_FIELDS],
        most_left: [f64; N_FIELDS],
    ) -> Option<(f64, u32)> {
        let factors: [f64; N_FIELDS] = std::array::from_fn(|f| {
            if divisors[f] > 0.0 { self.settings.weights[f] / divisors[f] } else { 0.0 }
        });
        let mut best = (0.0, u32::MAX);
        for at in 0..self.scratch.met.len() {
            let vertex = self.scratch.met[at];
            let sum = &mut self.scratch.sums[vertex as usize];
            let most = |f: usize| if sum.complete[f] { sum.fields[f] } else { most_left[f] };
            let bound: f64 = (0..N_FIELDS).map(|f| factors[f] * most(f)).sum();
            if bound * SLACK < best.0 {
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
