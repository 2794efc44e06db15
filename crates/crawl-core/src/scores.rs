//! Where a strategy writes scores, and the notes taken of one URL's.

use crate::{Frontier, UrlId};

/// A change of the watched URL's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// At which step.
    pub step: u32,
    /// The page whose fetch changed it.
    pub by: UrlId,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
}

/// A URL whose changes of score are noted.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) url: UrlId,
    pub(crate) score: f64,
    pub(crate) moves: Vec<Move>,
}

/// Where a strategy writes scores: of waiting URLs, which move at once, and of all others.
pub struct Scores<'a> {
    pub(crate) frontier: &'a mut Frontier,
    pub(crate) watch: &'a mut Option<Watch>,
    pub(crate) step: u32,
    pub(crate) by: UrlId,
}

impl Scores<'_> {
    /// A URL's score now; 0 when it was never set.
    pub fn get(&self, url: UrlId) -> f64 {
        self.frontier.score(url)
    }

    /// True when a URL waits in the frontier.
    pub fn waits(&self, url: UrlId) -> bool {
        self.frontier.contains(url)
    }

    /// A URL's new score.
    #[inline]
    pub fn set(&mut self, url: UrlId, score: f64) {
        self.frontier.set(url, score);
        self.note();
    }

    /// Adds the same amount to many scores; each URL once.
    #[inline]
    pub fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64) {
        self.frontier.add_each(urls, amount);
        self.note();
    }

    /// The same new score for many URLs.
    #[inline]
    pub fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, score: f64) {
        self.frontier.set_each(urls, score);
        self.note();
    }

    /// New scores for many URLs; each URL once.
    #[inline]
    pub fn change_each(
        &mut self,
        urls: impl Iterator<Item = UrlId>,
        score_of: impl Fn(UrlId) -> f64,
    ) {
        self.frontier.change_each(urls, |url, _| score_of(url));
        self.note();
    }

    /// New scores for all waiting URLs at once: cheaper than one by one.
    pub fn set_all(&mut self, score_of: impl FnMut(UrlId) -> f64) {
        self.frontier.set_all(score_of);
        self.note();
    }

    #[inline]
    fn note(&mut self) {
        if self.watch.is_some() {
            self.note_move();
        }
    }

    #[cold]
    fn note_move(&mut self) {
        let Some(watch) = self.watch.as_mut() else { return };
        let after = self.frontier.score(watch.url);
        let before = std::mem::replace(&mut watch.score, after);
        if before == after || !self.frontier.contains(watch.url) {
            return;
        }
        match watch.moves.last_mut().filter(|last| last.step == self.step) {
            // Back where it was before the step: nothing has changed.
            Some(last) if last.before == after => {
                watch.moves.pop();
            }
            Some(last) => last.after = after,
            None => watch.moves.push(Move { step: self.step, by: self.by, before, after }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_one_step_that_cancel_are_none() {
        let (url, by) = (UrlId(0), UrlId(1));
        let mut frontier = Frontier::default();
        frontier.make_room(2);
        frontier.push(url, 1.0, None);
        let mut watch = Some(Watch { url, score: 1.0, moves: Vec::new() });
        let mut write = |step, score| {
            Scores { frontier: &mut frontier, watch: &mut watch, step, by }.set(url, score);
        };
        write(1, 2.0);
        write(2, 3.0);
        write(2, 2.0);
        write(3, 5.0);
        write(3, 4.0);
        let moves = watch.map(|watch| watch.moves).unwrap_or_default();
        let told: Vec<(u32, f64, f64)> =
            moves.iter().map(|m| (m.step, m.before, m.after)).collect();
        assert_eq!(told, [(1, 1.0, 2.0), (3, 2.0, 4.0)]);
    }
}
