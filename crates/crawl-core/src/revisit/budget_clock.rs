//! Budget clock: scales time so that all visits together spend the budget.
//!
//! Every page wants a visit each `wanted` hours; all pages together want R = Σ 1/wanted visits per
//! hour. A policy that *fills* the budget B only sets ratios: its clock runs at speed B/R, so that
//! B visits per hour are made whatever R is, and it slows down when pages are added. For other
//! policies the clock runs in real time.
//!
//! No policy spends more than B: a visit takes a token, B tokens arrive per hour, and without a
//! token the clock stops. Some tokens can be saved, because evenly spaced visits to many pages
//! still cluster (our choice: 10 + 4·√n, the scatter of n independent phases; half of them at the
//! start). If a policy fills the budget and the token store is full, the clock skips to the next
//! visit, so that budget left over by a change of plans is spent.

pub(super) const HOUR_US: f64 = 3.6e9;

#[derive(Clone, Debug)]
pub(super) struct BudgetClock {
    budget: f64,
    fills: bool,
    /// R.
    wanted: f64,
    now_us: u64,
    at_h: f64,
    tokens: f64,
    most: f64,
}

impl BudgetClock {
    pub(super) fn new(budget: f64, fills: bool) -> Self {
        let most = kept_for(0);
        Self { budget, fills, wanted: 0.0, now_us: 0, at_h: 0.0, tokens: most / 2.0, most }
    }

    /// Time on the budget clock, in hours.
    pub(super) fn at_h(&self) -> f64 {
        self.at_h
    }

    /// Clock time at a real time that is not before the last update.
    pub(super) fn at(&self, now_us: u64) -> f64 {
        self.at_h + self.speed() * self.running_us(now_us) / HOUR_US
    }

    /// Speed of the clock: clock hours per real hour.
    pub(super) fn speed(&self) -> f64 {
        match self.fills {
            true if self.wanted > 0.0 => self.budget / self.wanted,
            true => 0.0,
            false if self.budget > 0.0 => 1.0,
            false => 0.0,
        }
    }

    /// Speed in the long run: clocks of policies that do not fill the budget stop if the budget is
    /// too small.
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

    /// Advances real time.
    pub(super) fn advance(&mut self, now_us: u64) {
        self.at_h = self.at(now_us);
        let passed_h = now_us.saturating_sub(self.now_us) as f64 / HOUR_US;
        self.tokens = (self.tokens + passed_h * self.budget).min(self.most);
        self.now_us = self.now_us.max(now_us);
    }

    /// Real time at which the clock reaches `due_h`; `None` if never.
    pub(super) fn when(&self, due_h: f64) -> Option<u64> {
        let (left_h, speed) = ((due_h - self.at_h).max(0.0), self.speed());
        if speed == 0.0 || self.rest_us().is_infinite() {
            return None;
        }
        let us = self.rest_us() + left_h / speed * HOUR_US;
        (us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// True if the budget allows a visit now.
    pub(super) fn may_spend(&self) -> bool {
        self.budget > 0.0 && self.tokens > 1.0 - 1e-9
    }

    /// Real time at which the budget allows a visit; `None` if never.
    pub(super) fn when_affordable(&self) -> Option<u64> {
        let us = self.rest_us();
        (us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// Real time at which the token store is full, so that the next visit is made at once. Only if
    /// the policy fills the budget.
    pub(super) fn when_full(&self) -> Option<u64> {
        let us = (self.most - self.tokens) / self.budget * HOUR_US;
        (self.fills && us < 9e18).then(|| self.now_us.saturating_add(us.ceil() as u64))
    }

    /// If the token store is full, sets the clock to the next visit.
    pub(super) fn skip_to(&mut self, due_h: f64) {
        if self.fills && self.tokens >= self.most - 1e-9 {
            self.at_h = self.at_h.max(due_h);
        }
    }

    pub(super) fn spend(&mut self) {
        self.tokens -= 1.0;
    }

    /// Refunds a part of a visit's cost and advances the clock accordingly.
    pub(super) fn give_back(&mut self, part: f64) {
        self.tokens = (self.tokens + part).min(self.most);
        if self.fills && self.wanted > 0.0 {
            self.at_h += part / self.wanted;
        }
    }

    /// Changes the rate of one page; 0 for none.
    pub(super) fn want(&mut self, before: f64, after: f64) {
        self.wanted = (self.wanted - before + after).max(0.0);
    }

    /// Sets R.
    pub(super) fn want_all(&mut self, wanted: f64) {
        self.wanted = wanted;
    }

    /// Sets the number of pages, which determines the size of the token store.
    pub(super) fn set_pages(&mut self, n_pages: usize) {
        let most = kept_for(n_pages);
        self.tokens += (most - self.most) / 2.0;
        self.most = most;
    }

    /// Microseconds until the budget allows a visit.
    fn rest_us(&self) -> f64 {
        if self.may_spend() {
            return 0.0;
        }
        if self.budget == 0.0 {
            return f64::INFINITY;
        }
        (1.0 - self.tokens) / self.budget * HOUR_US
    }

    /// Time until `now_us` during which the clock runs, in microseconds.
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
        let mut clock = BudgetClock::new(6.0, true);
        clock.want(0.0, 3.0);
        assert_eq!(clock.speed(), 2.0);
        clock.advance(HOUR / 2);
        assert!((clock.at_h() - 1.0).abs() < 1e-12);
        assert_eq!(clock.when(1.5), Some(3 * HOUR / 4));
        // Twice as many pages: each is visited half as often.
        clock.want(0.0, 3.0);
        clock.advance(3 * HOUR / 4);
        assert!((clock.at_h() - 1.25).abs() < 1e-12);
        // No visits: five more tokens can be saved, then the next visit is made at once.
        assert_eq!(clock.when_full(), Some(5 * HOUR / 6));
        clock.advance(5 * HOUR / 6);
        clock.skip_to(100.0);
        assert_eq!(clock.at_h(), 100.0);
    }

    #[test]
    fn nobody_spends_more_than_the_budget() {
        let mut clock = BudgetClock::new(2.0, false);
        let mut n = 0;
        while clock.may_spend() {
            clock.spend();
            n += 1;
        }
        assert_eq!(n, 5);
        // The clock stops until the next token, half an hour later.
        assert_eq!(clock.when(1.0), Some(HOUR + HOUR / 2));
        clock.advance(HOUR / 4);
        assert_eq!(clock.at_h(), 0.0);
        clock.advance(HOUR / 2);
        assert!(clock.may_spend() && clock.at_h() == 0.0);
        clock.advance(HOUR);
        assert!((clock.at_h() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn without_a_budget_no_time_comes() {
        for fills in [true, false] {
            let mut clock = BudgetClock::new(0.0, fills);
            clock.want(0.0, 5.0);
            clock.advance(HOUR);
            assert_eq!((clock.at_h(), clock.when(1.0)), (0.0, None));
        }
    }
}
