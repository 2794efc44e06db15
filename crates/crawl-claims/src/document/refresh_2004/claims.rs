//! The claims, judged by the measurements.

use super::histories::{self, RateEstimate};
use super::mixes::{self, ORDERS};
use super::{
    BUDGETS, DAILY, ESTIMATORS, OFF, Policy, RATIO, arithmetic, in_newsroom, off, on_table_1,
    policy_ranking,
};
use crate::judge::{Claim, Verdict, mean_and_half_width, standard_error};
use crate::measurement::{Group, Measurement};

/// All claims: exact ones first, then on all groups of webs.
pub(super) fn claims(groups: &[Group<'_>]) -> Vec<Claim> {
    if groups.is_empty() {
        return Vec::new();
    }
    let of = |group: &Group<'_>| match group.is_real() {
        true => on_history(group),
        false => on_generated(group),
    };
    arithmetic::claims().into_iter().chain(groups.iter().flat_map(of)).collect()
}

/// Claims of one group of webs.
pub(super) struct Claims<'a> {
    webs: &'a str,
    pub(super) claims: Vec<Claim>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(webs: &'a str) -> Self {
        Self { webs, claims: Vec::new() }
    }

    pub(super) fn add(&mut self, says: &str, source: &str, verdict: Verdict, because: String) {
        let (says, source, webs) = (says.to_owned(), source.to_owned(), self.webs.to_owned());
        self.claims.push(Claim { says, source, webs, verdict, because });
    }

    pub(super) fn judged(
        &mut self,
        says: &str,
        source: &str,
        (verdict, because): (Verdict, String),
    ) {
        self.add(says, source, verdict, because);
    }
}

/// The verdict on an exact claim.
pub(super) fn decided(holds: bool) -> Verdict {
    if holds { Verdict::Held } else { Verdict::NotHeld }
}

pub(super) const NOT_MEASURED: &str = "this was not measured here";
const CHO: &str = "Cho & Garcia-Molina 2000";
const SECTION_2: &str = "C, section 2.2; Cho & Garcia-Molina 2000";

fn on_generated(group: &Group<'_>) -> Vec<Claim> {
    let mut claims = Claims::new(&group.name);
    for (order, says, source) in [
        (
            mixes::UNIFORM,
            "Uniform is at least as fresh as proportional: rates at random, all above 0, in the \
             long run",
            SECTION_2,
        ),
        (
            mixes::UNIFORM_STATIC,
            "Uniform is at least as fresh as proportional also where some pages are static",
            "C, section 2.2, to the letter",
        ),
        (
            mixes::UNIFORM_SHORT,
            "Uniform is at least as fresh as proportional also over a short time, with fresh \
             copies to begin with",
            "C, section 2.2, to the letter",
        ),
        (
            mixes::CLASSIFIED,
            "Classified is at least as fresh as uniform at an equal budget: rates at random",
            "ours, from C",
        ),
        (
            mixes::OPTIMAL,
            "Optimal is at least as fresh as every other stationary policy with known rates: \
             rates at random",
            CHO,
        ),
    ] {
        claims.judged(says, source, never_behind(group, &ORDERS[order]));
    }
    let [naive, reduced] = ESTIMATORS.map(|(_, name)| {
        let exact = super::figure_of(0).map(|figure| figure.exact(name)).unwrap_or_default();
        let offs = |web: &&Measurement| {
            let values = web.values(&format!("{RATIO}{name}"))?;
            Some(super::mean(values.iter().zip(&exact).map(|(value, exact)| value - exact)))
        };
        agree(&group.webs.iter().filter_map(offs).collect::<Vec<f64>>())
    });
    claims.judged("Simulated estimates X/n lie on the curve of Figure 1", "C, Figure 1", naive);
    let says = "Simulated bias-reduced estimates lie on their exact curve";
    claims.judged(says, "ours", reduced);
    let names: Vec<String> = BUDGETS
        .iter()
        .flat_map(|(_, budget)| Policy::ALL.map(|policy| on_table_1(OFF, policy, budget)))
        .collect();
    let says = "Simulated copies of the paper's ten pages are as fresh as the closed form says";
    claims.judged(says, "ours", agree(&means(group, &names)));
    for process in ["poisson", "periodic"] {
        let names = DAILY.map(|daily| off(process, daily));
        let says = format!(
            "Simulated copies of a newsroom's {process} pages are as fresh as the closed form says"
        );
        claims.judged(&says, "ours", agree(&means(group, &names)));
    }
    for (one, other, source) in [
        (Policy::Uniform, Policy::Proportional, "C, section 2.2, to the letter"),
        (Policy::Classified, Policy::Uniform, "C, section 4, at an equal budget"),
        (Policy::Optimal, Policy::Uniform, CHO),
        (Policy::Optimal, Policy::Classified, CHO),
        (Policy::Optimal, Policy::Proportional, CHO),
    ] {
        let says = format!(
            "In a newsroom {} is fresher than {} at every budget tried, rates being known",
            one.name(),
            other.name()
        );
        claims.judged(&says, source, at_every_budget(group, one, other));
    }
    policy_ranking::claims(group, &mut claims);
    claims.claims
}

/// Mean of several numbers, one per web that has all.
fn means(group: &Group<'_>, names: &[String]) -> Vec<f64> {
    let of = |web: &&Measurement| {
        let values: Option<Vec<f64>> = names.iter().map(|name| web.number(name)).collect();
        values.map(|values| super::mean(values.into_iter()))
    };
    group.webs.iter().filter_map(of).collect()
}

/// Judges whether a policy is never behind in any mix.
fn never_behind(group: &Group<'_>, order: &mixes::Order) -> (Verdict, String) {
    let [mixes, behind, least, greatest] =
        mixes::COUNTED.map(|what| group.each(&mixes::name(order, what)));
    let (n, behind) = (mixes.iter().sum::<f64>(), behind.iter().sum::<f64>());
    if n == 0.0 {
        return (Verdict::Undecided, NOT_MEASURED.to_owned());
    }
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    let greatest = greatest.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let because =
        format!("behind in {behind} of {n} mixes; leads from {least:+.4} to {greatest:+.4}");
    (decided(behind == 0.0), because)
}

/// Judges whether differences are 0: held if the 95 % interval contains 0, not held if one twice as
/// wide does not. Among many true claims some intervals miss 0 by chance.
fn agree(differences: &[f64]) -> (Verdict, String) {
    if differences.is_empty() {
        return (Verdict::Undecided, NOT_MEASURED.to_owned());
    }
    let (mean, half) = mean_and_half_width(differences);
    let Some(error) = standard_error(differences) else {
        return (Verdict::Undecided, format!("off by {mean:+.4}; one web has no interval"));
    };
    let (verdict, where_0_is) = match mean.abs() {
        off if off <= half => (Verdict::Held, ""),
        off if off > 2.0 * half => (Verdict::NotHeld, ": 0 is outside of twice the interval"),
        _ => (Verdict::Undecided, ": 0 is outside of the interval and within twice of it"),
    };
    let errors = mean / error.max(1e-300);
    (verdict, format!("off by {mean:+.5} ± {half:.5}, {errors:+.1} standard errors{where_0_is}"))
}

/// Judges whether leads have the same sign at every budget.
fn at_every_budget(group: &Group<'_>, one: Policy, other: Policy) -> (Verdict, String) {
    let mut verdicts = Vec::new();
    let mut texts = Vec::new();
    for daily in DAILY {
        let leads = group.leads(&in_newsroom(one, daily), &in_newsroom(other, daily));
        if leads.is_empty() {
            return (Verdict::Undecided, NOT_MEASURED.to_owned());
        }
        let (mean, half) = mean_and_half_width(&leads);
        verdicts.push(Verdict::of_positive(&leads));
        texts.push(format!("{:+.2} ± {:.2} % at {daily}", 100.0 * mean, 100.0 * half));
    }
    let all = |wanted: Verdict| verdicts.iter().all(|verdict| *verdict == wanted);
    let verdict = match (all(Verdict::Held), verdicts.contains(&Verdict::NotHeld)) {
        (true, _) => Verdict::Held,
        (_, true) => Verdict::NotHeld,
        _ => Verdict::Undecided,
    };
    (verdict, format!("mean leads by visits a page and day: {}", texts.join(", ")))
}

fn on_history(group: &Group<'_>) -> Vec<Claim> {
    let mut claims = Claims::new(&group.name);
    for estimate in RateEstimate::ALL {
        for (one, other, source) in [
            (Policy::Uniform, Policy::Proportional, "C, section 2.2"),
            (Policy::Classified, Policy::Uniform, "C, section 4, at an equal budget"),
            (Policy::Optimal, Policy::Uniform, "ours, from Cho & Garcia-Molina 2000"),
        ] {
            let says = format!(
                "On recorded changes {} is fresher than {}, rates told by {} on the first half, \
                 {} visits a page and year",
                one.name(),
                other.name(),
                estimate.name(),
                histories::JUDGED
            );
            claims.judged(&says, source, fresher(group, one, other, estimate));
        }
    }
    policy_ranking::on_record(group, &mut claims);
    claims.claims
}

/// Judges whether pages are fresher under one policy than under another.
fn fresher(
    group: &Group<'_>,
    one: Policy,
    other: Policy,
    estimate: RateEstimate,
) -> (Verdict, String) {
    let leads = |web: &&Measurement| {
        let [one, other] = [one, other]
            .map(|policy| web.values(&histories::name(policy, estimate, histories::JUDGED)));
        Some(one?.iter().zip(other?).map(|(one, other)| one - other).collect::<Vec<f64>>())
    };
    let leads: Vec<f64> = group.webs.iter().filter_map(leads).flatten().collect();
    if leads.is_empty() {
        return (Verdict::Undecided, NOT_MEASURED.to_owned());
    }
    let (mean, half) = mean_and_half_width(&leads);
    let because = format!(
        "mean lead {:+.2} ± {:.2} % over {} pages",
        100.0 * mean,
        100.0 * half,
        leads.len()
    );
    (Verdict::of_positive(&leads), because)
}
