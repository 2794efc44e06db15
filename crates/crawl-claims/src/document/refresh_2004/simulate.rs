//! Freshness of a copy, from the times at which its page changes.
//!
//! A visit at v makes a copy that is fresh until the first change after v. Between visits at v and w it
//! is fresh for min(change, w) − v.

use crawl_refresh::Rate;
use crawl_world::{Changes, Rng};

/// Microseconds per hour.
pub(super) const HOUR_US: u64 = 3_600_000_000;
/// Longest interval between visits, in microseconds: about thirty years. Longer means never.
const LONGEST_US: f64 = 1e15;

/// Time during which copies are fresh until `end_us`; visits are in ascending order.
pub(super) fn fresh_us(
    changes: Changes<'_>,
    visits_us: impl Iterator<Item = u64>,
    end_us: u64,
) -> u64 {
    let mut visits = visits_us.take_while(|at| *at < end_us).peekable();
    let mut next = None;
    let mut fresh = 0;
    while let Some(at) = visits.next() {
        // A later change is still the next one.
        if next.is_none_or(|next| next <= at) {
            match changes.next_change_after(at) {
                None => return fresh + (end_us - at),
                change => next = change,
            }
        }
        let until = visits.peek().copied().unwrap_or(end_us);
        fresh += next.map_or(until, |next| next.min(until)).saturating_sub(at);
    }
    fresh
}

/// Long-run freshness under evenly spaced visits, over whole intervals within `hours`, at least one.
///
/// The first visit is at a random time in the first interval. A page that is never visited is fresh
/// only if it never changes.
pub(super) fn freshness(changes: Changes<'_>, visits: Rate, hours: f64, rng: &mut Rng) -> f64 {
    let phase = rng.fraction();
    if visits == Rate::ZERO {
        return if changes.next_change_after(0).is_none() { 1.0 } else { 0.0 };
    }
    let gap = (HOUR_US as f64 / visits.get()).clamp(1.0, LONGEST_US);
    let n = (hours * HOUR_US as f64 / gap).round().max(1.0) as u64;
    let at = |i: u64| ((phase + i as f64) * gap) as u64;
    let (start, end) = (at(0), at(n));
    fresh_us(changes, (0..n).map(at), end) as f64 / (end - start).max(1) as f64
}
