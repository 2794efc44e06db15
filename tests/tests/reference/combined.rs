//! The combination of two references.

use crate::crawl::{History, Reference};

/// w·a ÷ max|a| + (1 − w)·b ÷ max|b|.
pub struct Combined {
    pub weight: f64,
    pub sides: [Box<dyn Reference>; 2],
    /// The largest score of each, and the largest among those found last.
    most: [f64; 2],
    newest: [f64; 2],
    /// Pages that were found and could be fetched before the last page was fetched.
    known: Vec<bool>,
}

impl Combined {
    pub fn new(weight: f64, a: Box<dyn Reference>, b: Box<dyn Reference>) -> Self {
        let (most, newest) = ([0.0; 2], [0.0; 2]);
        Self { weight, sides: [a, b], most, newest, known: Vec::new() }
    }
}

impl Reference for Combined {
    fn scores(&self, history: &History<'_>) -> Vec<f64> {
        let scale = |most: f64| if most > 0.0 { most } else { 1.0 };
        let [a, b] = [0, 1].map(|i| self.sides[i].scores(history));
        let mix = |(a, b): (&f64, &f64)| {
            self.weight * (a / scale(self.most[0]))
                + (1.0 - self.weight) * (b / scale(self.most[1]))
        };
        a.iter().zip(&b).map(mix).collect()
    }

    fn fetched(&mut self, page: usize, _: f64, history: &History<'_>) {
        if self.known.is_empty() {
            // Seeds: their scores before any page is fetched.
            self.known = vec![false; history.graph.n_pages()];
            for seed in &history.graph.seeds {
                self.known[*seed] = true;
            }
            let before = history.beginning();
            for i in 0..2 {
                let scores = self.sides[i].scores(&before);
                let seeds = history.graph.seeds.iter().map(|seed| scores[*seed].abs());
                self.newest[i] = seeds.fold(0.0, f64::max);
            }
        }
        // The combined references do not use the page's score.
        self.sides.iter_mut().for_each(|side| side.fetched(page, f64::NAN, history));
        self.compare(history);
    }

    fn revisited(&mut self, page: usize, from: usize, _: f64, history: &History<'_>) {
        self.sides.iter_mut().for_each(|side| side.revisited(page, from, f64::NAN, history));
        self.compare(history);
    }

    fn admitted(&mut self, page: usize, by: usize, history: &History<'_>) {
        self.known[page] = true;
        for (side, newest) in self.sides.iter_mut().zip(&mut self.newest) {
            *newest = newest.max(side.scores(history)[page].abs());
            side.admitted(page, by, history);
        }
    }

    fn wants(&self, page: usize, history: &History<'_>) -> bool {
        self.sides.iter().any(|side| side.wants(page, history))
    }

    fn tolerance(&self) -> f64 {
        self.sides.iter().map(|side| side.tolerance()).fold(1e-12, f64::max)
    }
}

impl Combined {
    /// Updates the largest scores with those of waiting pages.
    fn compare(&mut self, history: &History<'_>) {
        for i in 0..2 {
            let scores = self.sides[i].scores(history);
            let waits = |page: &usize| self.known[*page] && !history.is_fetched[*page];
            let waiting = history.discovered.iter().filter(|page| waits(page));
            let most = self.most[i].max(self.newest[i]);
            self.most[i] = waiting.map(|page| scores[*page].abs()).fold(most, f64::max);
        }
    }
}
