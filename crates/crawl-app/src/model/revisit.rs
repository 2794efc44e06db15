//! When pages are visited again: one policy for all lanes, or one a lane.

use super::change::{with_param, with_rule};
use super::{Change, MAX_LANES, SPEEDS, State};
use crate::text::{fill, text};
use crawl_catalogue::{Catalogue, Kind, ParamValue, Params};
use crawl_protocol::{Axis, Experiment};

/// The budget, what new pages get beside it, and for how long.
pub const BUDGET: &str = "visits";
pub const NEW: &str = "new";
pub const HOURS: &str = "hours";
/// The rule that limits fetches, 0 for none.
const FETCHES: &str = "budget";
/// What a run lasts once a policy is chosen, unless somebody said how long: in a day many policies
/// visit nothing again.
const WEEK_H: f64 = 168.0;
/// What of pages colours show once copies can go stale.
pub const STALENESS: &str = "staleness";
/// Seconds that a run takes at the speed chosen for it.
const RUN_S: f64 = 30.0;

impl State {
    /// The name of a lane: of its ordering, and of its policy where it has one. What all lanes have in
    /// common tells none apart, so it is left out.
    pub fn lane_title(&self, at: usize) -> String {
        self.experiment.as_ref().map(|e| self.title_in(e, at)).unwrap_or_default()
    }

    fn title_in(&self, experiment: &Experiment, at: usize) -> String {
        let chosen = experiment.strategies.get(at);
        let ordering = chosen.map(|chosen| self.title_of(chosen)).unwrap_or_default();
        let policy = experiment.revisit(at).filter(|_| experiment.revisits.len() > 1);
        let Some(policy) = policy.map(|policy| self.title_of(policy)) else { return ordering };
        let is_same = experiment.strategies.windows(2).all(|p| p[0] == p[1]);
        if is_same { policy } else { format!("{ordering} · {policy}") }
    }

    /// Leaves out what there are no lanes for, and says so.
    pub(super) fn keep_to_lanes(&mut self, next: &mut Experiment) {
        let n = next.strategies.len();
        if n > MAX_LANES {
            let names: Vec<String> = (MAX_LANES..n).map(|at| self.title_in(next, at)).collect();
            let (n, most) = (n.to_string(), MAX_LANES.to_string());
            let values = [("n", n.as_str()), ("most", &most), ("names", &names.join(", "))];
            self.notice = Some(fill(text().left_out, &values).into());
            next.strategies.truncate(MAX_LANES);
            next.digests.truncate(MAX_LANES);
        }
        follow_lanes(next, None);
    }

    /// True where pages are visited again, so that fetches are more than pages.
    pub fn is_again(&self) -> bool {
        self.experiment.as_ref().is_some_and(|experiment| !experiment.revisits.is_empty())
    }

    /// A rule of revisiting, as a number.
    pub fn rule_number(&self, key: &str) -> f64 {
        self.experiment.as_ref().map_or(0.0, |experiment| number(&experiment.rules, key))
    }
}

fn number(rules: &Params, key: &str) -> f64 {
    match rules.get(key) {
        Some(ParamValue::Number(number)) => *number,
        _ => 0.0,
    }
}

/// The experiment with another policy, or none.
pub(super) fn change(
    next: &mut Experiment,
    catalogue: &Catalogue,
    change: Change,
) -> Result<(), String> {
    let first = next.revisits.is_empty();
    match change {
        Change::Revisit(_, id) if id.is_empty() => next.revisits.clear(),
        Change::Revisit(at, spec) => {
            let chosen = catalogue.choose(Kind::Policy, &spec).map_err(|e| e.to_string())?;
            match next.revisits.get_mut(at) {
                Some(place) => *place = chosen,
                None => next.revisits = vec![chosen],
            }
        }
        Change::RevisitParam(at, key, value) => {
            if let Some(place) = next.revisits.get_mut(at) {
                *place = with_param(catalogue, place, &key, &value)?;
            }
        }
        Change::RevisitEach(is_each) => {
            let n = if is_each { next.strategies.len() } else { 1 };
            if let Some(first) = next.revisits.first().cloned() {
                next.revisits = vec![first; n];
            }
        }
        Change::Balance(share) => {
            let (visits, new) = (number(&next.rules, BUDGET), number(&next.rules, NEW));
            // Until new pages have a pace of their own, they get as much as the others.
            let all = if new > 0.0 { visits + new } else { 2.0 * visits };
            // All the way to the new ones there is no pace again, as it was before.
            let (old, new) = if share <= 0.0 {
                (tidy(all / 2.0), 0.0)
            } else {
                let old = tidy(all * share.clamp(0.01, 0.99));
                (old, tidy(all - old))
            };
            for (key, value) in [(BUDGET, old), (NEW, new)] {
                let value = ParamValue::Number(value);
                next.rules = with_rule(catalogue, &next.rules, key, &value)?;
            }
        }
        _ => {}
    }
    if first && !next.revisits.is_empty() {
        // The experiment of a first visit has not heard of these rules.
        let budget = match next.rules.get(BUDGET) {
            Some(known) => known.clone(),
            None => default_of(catalogue, BUDGET)?,
        };
        next.rules = with_rule(catalogue, &next.rules, BUDGET, &budget)?;
        // Hours end such a run: a limit of fetches would before anything is visited again.
        let none = ParamValue::Number(0.0);
        next.rules = with_rule(catalogue, &next.rules, FETCHES, &none)?;
        let usual = default_of(catalogue, HOURS)?;
        if next.rules.get(HOURS).is_none_or(|hours| *hours == usual) {
            next.rules = with_rule(catalogue, &next.rules, HOURS, &ParamValue::Number(WEEK_H))?;
        }
        next.view.axis = Axis::Seconds;
        let fitting = number(&next.rules, HOURS) * 3600.0 / RUN_S * 1.5;
        let speed = SPEEDS.into_iter().rev().find(|speed| f64::from(*speed) <= fitting);
        next.view.speed = speed.unwrap_or(1);
        if next.view.colour.is_empty() {
            STALENESS.clone_into(&mut next.view.colour);
        }
    }
    if next.revisits.is_empty() {
        next.view.timeline = None;
    }
    Ok(())
}

/// Lanes came or went: each keeps its policy, and a new one has that of the last.
pub(super) fn follow_lanes(next: &mut Experiment, removed: Option<usize>) {
    if next.revisits.len() < 2 {
        return;
    }
    if let Some(at) = removed.filter(|at| *at < next.revisits.len()) {
        next.revisits.remove(at);
    }
    while let Some(last) = next.revisits.last().cloned() {
        if next.revisits.len() >= next.strategies.len() {
            break;
        }
        next.revisits.push(last);
    }
    next.revisits.truncate(next.strategies.len());
}

fn default_of(catalogue: &Catalogue, key: &str) -> Result<ParamValue, String> {
    let rules = catalogue.rules(&[]).map_err(|error| error.to_string())?;
    rules.get(key).cloned().ok_or_else(String::new)
}

/// As few digits as a slider can mean.
fn tidy(number: f64) -> f64 {
    let digits = if number < 1.0 { 1000.0 } else { 10.0 };
    (number * digits).round() / digits
}
