//! Revisits: one policy for all lanes, or one per lane.

use super::change::{with_param, with_rule};
use super::{Change, MAX_LANES, SPEEDS, State};
use crawl_catalogue::{Catalogue, Kind, ParamValue, Params};
use crawl_protocol::{Axis, Experiment};
use crawl_text::app::text;
use crawl_text::fill;

/// Rule: visits per hour.
pub const BUDGET: &str = "visits";
/// Rule: new pages per hour, 0 for unlimited.
pub const NEW: &str = "new";
/// Rule: simulated hours of the run.
pub const HOURS: &str = "hours";
/// Rule: maximum number of fetches, 0 for unlimited.
const FETCHES: &str = "budget";
/// Default hours after the first policy is chosen: in a day many policies revisit nothing.
const WEEK_H: f64 = 168.0;
/// Default colour value with revisits.
pub const STALENESS: &str = "staleness";
/// Target duration of a run at the automatically chosen speed, in seconds.
const RUN_S: f64 = 30.0;

impl State {
    /// The name of a lane: its strategy, and its revisit policy where lanes differ in it. Lanes that
    /// would have the same name are numbered.
    pub fn lane_title(&self, at: usize) -> String {
        let Some(experiment) = &self.experiment else { return String::new() };
        let title = self.title_in(experiment, at);
        let others = (0..experiment.strategies.len()).filter(|other| *other != at);
        if others.map(|other| self.title_in(experiment, other)).any(|other| other == title) {
            let lane = (at + 1).to_string();
            return fill(text().same_title, &[("title", &title), ("lane", &lane)]);
        }
        title
    }

    fn title_in(&self, experiment: &Experiment, at: usize) -> String {
        let chosen = experiment.strategies.get(at);
        let ordering = chosen.map(|chosen| self.title_of(chosen)).unwrap_or_default();
        let policy = experiment.revisit(at).filter(|_| experiment.revisits.len() > 1);
        let Some(policy) = policy.map(|policy| self.title_of(policy)) else { return ordering };
        let is_same = experiment.strategies.windows(2).all(|p| p[0] == p[1]);
        if is_same { policy } else { format!("{ordering} · {policy}") }
    }

    /// Drops strategies beyond [`MAX_LANES`], with a notice.
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

    /// True if the experiment has revisits.
    pub fn has_revisits(&self) -> bool {
        self.experiment.as_ref().is_some_and(|experiment| !experiment.revisits.is_empty())
    }

    /// Value of a numeric rule; 0 if it is absent.
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

/// Applies a change of policies or of the visit budget.
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
            // Without a rate for new pages, assume the same as for visits.
            let all = if new > 0.0 { visits + new } else { 2.0 * visits };
            // A share of 0 makes new pages unlimited again.
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
        // The hours end the run; a limit of fetches would end it before any revisit.
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

/// Adapts per-lane policies to the lanes: a new lane gets the policy of the last.
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

/// Rounds to the precision of the slider.
fn tidy(number: f64) -> f64 {
    let digits = if number < 1.0 { 1000.0 } else { 10.0 };
    (number * digits).round() / digits
}
