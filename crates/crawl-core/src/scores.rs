//! Score updates by strategies, and a log of one URL's score changes.

use crate::{Frontier, UrlId};

/// A change of the watched URL's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Step at which it changed.
    pub step: u32,
    /// Page whose fetch changed it.
    pub by: UrlId,
    /// The score before.
    pub before: f64,
    /// The score after.
    pub after: f64,
}

/// Logs the score changes of one URL.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) url: UrlId,
    pub(crate) score: f64,
    pub(crate) moves: Vec<Move>,
}

/// Write access to scores: waiting URLs move in the frontier at once, others only store the score.
pub struct Scores<'a> {
    pub(crate) frontier: &'a mut Frontier,
    pub(crate) watch: &'a mut Option<Watch>,
    pub(crate) step: u32,
    pub(crate) by: UrlId,
}

impl Scores<'_> {
    /// A URL's score; 0 if it was never set.
    pub fn get(&self, url: UrlId) -> f64 {
        self.frontier.score(url)
    }

    /// True if the URL waits in the frontier.
    pub fn waits(&self, url: UrlId) -> bool {
        self.frontier.contains(url)
    }

    /// Sets a URL's score.
    #[inline]
    pub fn set(&mut self, url: UrlId, score: f64) {
        self.frontier.set(url, score);
        self.note();
    }

    /// Adds the same amount to the scores of many URLs; each URL once.
    #[inline]
    pub fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64) {
        self.frontier.add_each(urls, amount);
        self.note();
    }

    /// Sets many URLs to the same score.
    #[inline]
    pub fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, score: f64) {
        self.frontier.set_each(urls, score);
        self.note();
    }

    /// Sets the scores of many URLs; each URL once.
    #[inline]
    pub fn change_each(
        &mut self,
        urls: impl Iterator<Item = UrlId>,
        score_of: impl Fn(UrlId) -> f64,
    ) {
        self.frontier.change_each(urls, |url, _| score_of(url));
        self.note();
    }

    /// Sets the scores of all waiting URLs, in O(n).
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
            // Back to the score before the step: no change.
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
