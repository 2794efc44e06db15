//! The budget's clock: how fast schedules run, so that all visits together are what may be spent.
//!
//! Every page wants a visit each `wanted` hours; all together they want R = Σ 1/wanted visits an hour.
//! A policy that *fills* the budget B says only how pages compare: its clock runs at B/R hours an hour,
//! so that B visits an hour are made whatever R is, and goes slower by itself when pages come in. Other
//! policies mean their hours: their clock runs as ours does.
//!
//! Nobody spends more than B: a visit takes a token, B tokens come an hour, and while there is none the
//! clock stands still. A few may be kept, because evenly spaced visits to many pages still come in
//! little heaps (ours: 10 + 4·√n, the scatter of n independent phases; half of them at the start).
//! Where the clock is to be filled and no more can be kept, it is set to the next visit, so that what
//! a change of plans has left unspent is spent.

pub(super) const HOUR_US: f64 = 3.6e9;

#[derive(Clone, Debug)]
pub(super) struct Pace {
    budget: f64,
    fills: bool,
    /// R.
    wanted: f64,
    now_us: u64,
    at_h: f64,
    tokens: f64,
    most: f64,
}

impl Pace {
    pub(super) fn new(budget: f64, fills: bool) -> Self {
        let most = kept_for(0);
        Self { budget, fills, wanted: 0.0, now_us: 0, at_h: 0.0, tokens: most / 2.0, most }
    }

    /// Hours on the budget's clock.
    pub(super) fn at_h(&self) -> f64 {
        self.at_h
    }

    /// The clock at a moment that is not before the last.
    pub(super) fn at(&self, now_us: u64) -> f64 {
        self.at_h + self.speed() * self.running_us(now_us) / HOUR_US
    }

    /// Its hours an hour.
    pub(super) fn speed(&self) -> f64 {
        match self.fills {
            true if self.wanted > 0.0 => self.budget / self.wanted,
            true => 0.0,
            false if self.budget > 0.0 => 1.0,
            false => 0.0,
        }
    }

    /// The same in the long run: other policies' clocks stand still where they want more than may be
    /// spent.
    pub(super) fn long_run_speed(&self) -> f64 {
        let speed = self.speed();
        if self.wanted * speed > self.budget { self.budget / self.wanted } else { speed }
    }

    /// R.
    pub(super) fn wanted(&self) -> f64 {
        self.wanted
    }

    pub(super) fn budget(&self) -> f64 {
        self.budget
    }

    /// Lets time pass.
    pub(super) fn advance(&mut self, now_us: u64) {
        self.at_h = self.at(now_us);
        let passed_h = now_us.saturating_sub(self.now_us) as f64 / HOUR_US;
        self.tokens = (self.tokens + passed_h * self.budget).min(self.most);
        self.now_us = self.now_us.max(now_us);
    }

    /// When the clock will show that; nothing where it never does.
    pub(super) fn when(&self, due_h: f64) -> Option<u64> {
        let (left_h, speed) = ((due_h - self.at_h).max(0.0), self.speed());
        if speed == 0.0 || self.rest_us().is_infinite() {
            return None;
        }
        let us = self.rest_us() + left_h / speed * HOUR_US;
        (us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// True when a visit may be made.
    pub(super) fn may_spend(&self) -> bool {
        self.budget > 0.0 && self.tokens > 1.0 - 1e-9
    }

    /// When a visit may be made, whatever the clock shows; nothing where none ever may.
    pub(super) fn when_affordable(&self) -> Option<u64> {
        let us = self.rest_us();
        (us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// When no more tokens can be kept, so that the next visit is made at once; only where the budget
    /// is to be filled.
    pub(super) fn when_full(&self) -> Option<u64> {
        let us = (self.most - self.tokens) / self.budget * HOUR_US;
        (self.fills && us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// Where no more tokens can be kept, sets the clock to the next visit.
    pub(super) fn skip_to(&mut self, due_h: f64) {
        if self.fills && self.tokens >= self.most - 1e-9 {
            self.at_h = self.at_h.max(due_h);
        }
    }

    pub(super) fn spend(&mut self) {
        self.tokens -= 1.0;
    }

    /// A visit cost less than a whole one: the rest buys others, sooner.
    pub(super) fn give_back(&mut self, part: f64) {
        self.tokens = (self.tokens + part).min(self.most);
        if self.fills && self.wanted > 0.0 {
            self.at_h += part / self.wanted;
        }
    }

    /// A page wants its visits otherwise than before; 0 for none.
    pub(super) fn want(&mut self, before: f64, after: f64) {
        self.wanted = (self.wanted - before + after).max(0.0);
    }

    /// What all pages want, summed anew.
    pub(super) fn want_all(&mut self, wanted: f64) {
        self.wanted = wanted;
    }

    /// There are so many pages.
    pub(super) fn set_pages(&mut self, n_pages: usize) {
        let most = kept_for(n_pages);
        self.tokens += (most - self.most) / 2.0;
        self.most = most;
    }

    /// Microseconds until a visit may be made.
    fn rest_us(&self) -> f64 {
        if self.may_spend() {
            return 0.0;
        }
        if self.budget == 0.0 {
            return f64::INFINITY;
        }
        (1.0 - self.tokens) / self.budget * HOUR_US
    }

    /// For how long the clock runs until a moment.
    fn running_us(&self, now_us: u64) -> f64 {
        (now_us.saturating_sub(self.now_us) as f64 - self.rest_us()).max(0.0)
    }
}

fn kept_for(n_pages: usize) -> f64 {
    10.0 + 4.0 * libm::sqrt(n_pages as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000_000;

    #[test]
    fn a_filling_clock_makes_as_many_visits_as_may_be_made() {
        let mut pace = Pace::new(6.0, true);
        pace.want(0.0, 3.0);
        assert_eq!(pace.speed(), 2.0);
        pace.advance(HOUR / 2);
        assert!((pace.at_h() - 1.0).abs() < 1e-12);
        assert_eq!(pace.when(1.5), Some(3 * HOUR / 4));
        // Twice as many pages: each is visited half as often.
        pace.want(0.0, 3.0);
        pace.advance(3 * HOUR / 4);
        assert!((pace.at_h() - 1.25).abs() < 1e-12);
        // Nothing was visited: five more tokens can be kept, then the next visit is made at once.
        assert_eq!(pace.when_full(), Some(5 * HOUR / 6));
        pace.advance(5 * HOUR / 6);
        pace.skip_to(100.0);
        assert_eq!(pace.at_h(), 100.0);
    }

    #[test]
    fn nobody_spends_more_than_the_budget() {
        let mut pace = Pace::new(2.0, false);
        let mut n = 0;
        while pace.may_spend() {
            pace.spend();
            n += 1;
        }
        assert_eq!(n, 5);
        // The clock stands until there is a token again, half an hour later.
        assert_eq!(pace.when(1.0), Some(HOUR + HOUR / 2));
        pace.advance(HOUR / 4);
        assert_eq!(pace.at_h(), 0.0);
        pace.advance(HOUR / 2);
        assert!(pace.may_spend() && pace.at_h() == 0.0);
        pace.advance(HOUR);
        assert!((pace.at_h() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn without_a_budget_no_time_comes() {
        for fills in [true, false] {
            let mut pace = Pace::new(0.0, fills);
            pace.want(0.0, 5.0);
            pace.advance(HOUR);
            assert_eq!((pace.at_h(), pace.when(1.0)), (0.0, None));
        }
    }
}
