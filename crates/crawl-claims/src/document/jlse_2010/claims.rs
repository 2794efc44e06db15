//! The claims, judged by the measurements.

use super::samples::{Place, each, leads, values};
use super::{
    ANCHOR_TEXT, Benefit, CFS, DELAYED_AREA, HARVEST, HARVEST_AREA, JLSE, READINGS, RECALL_AREA,
    STRATEGIES, jlse, universities,
};
use crate::judge::{Claim, Verdict, mean_and_half_width, standard_error};
use crate::measurement::Group;

const SHOP: Place = Place::Shops(Benefit::Delayed);
const CONTROL: Place = Place::Shops(Benefit::Direct);

/// All claims on all groups of webs.
pub(super) fn claims(groups: &[Group<'_>]) -> Vec<Claim> {
    let of = |group: &Group<'_>| match group.is_real() {
        true => at_universities(group),
        false => in_shops(group),
    };
    groups.iter().flat_map(of).collect()
}

/// Claims of one group of webs.
struct Claims<'a> {
    webs: &'a str,
    claims: Vec<Claim>,
}

impl Claims<'_> {
    fn add(&mut self, says: String, source: &str, (verdict, because): (Verdict, String)) {
        let (source, webs) = (source.to_owned(), self.webs.to_owned());
        self.claims.push(Claim { says, source, webs, verdict, because });
    }
}

fn in_shops(group: &Group<'_>) -> Vec<Claim> {
    let mut claims = Claims { webs: &group.name, claims: Vec::new() };
    for (what, noun, source) in [
        (HARVEST_AREA, "harvest rate", "B, harvest rate@N"),
        (RECALL_AREA, "target recall", "B, target recall@N"),
    ] {
        for pair in STRATEGIES.windows(2) {
            let says = format!("{} has a higher {noun} than {}", pair[0].name, pair[1].name);
            claims.add(
                says,
                source,
                larger(&leads(group, SHOP, what, (pair[0].spec, pair[1].spec))),
            );
        }
    }
    let gain = leads(group, SHOP, RECALL_AREA, (JLSE, ANCHOR_TEXT));
    let says = "JLSE finds targets faster than anchor text alone (ATA)".to_owned();
    claims.add(says, "B, section 4", larger(&gain));
    let delayed = leads(group, SHOP, DELAYED_AREA, (JLSE, ANCHOR_TEXT));
    let says = "JLSE finds more targets of delayed benefit than ATA: through links whose own text \
                is off the topic";
    claims.add(says.to_owned(), "B, sections 1 and 4", larger(&delayed));
    let says =
        "JLSE's gain over ATA comes from delayed benefit: more than half of it are such targets";
    claims.add(says.to_owned(), "B, section 4", mostly(&gain, &delayed));
    let rest = leads(group, CONTROL, RECALL_AREA, (JLSE, ANCHOR_TEXT));
    let fell: Vec<f64> = gain.iter().zip(&rest).map(|(gain, rest)| gain - rest).collect();
    let says = "JLSE's gain over ATA is larger in the shops than in the control, where links say \
                what they lead to";
    claims.add(says.to_owned(), "ours, from B", larger(&fell));
    let says = "In the control JLSE's gain over ATA vanishes: it is within noise";
    claims.add(says.to_owned(), "ours, from B", within_noise(&rest));
    let (first, last) = (CFS[0], CFS[CFS.len() - 1]);
    let says = format!("cf has a best value inside the range tried, {first} to {last}");
    claims.add(says, "B, figure 5, with a tenth of its values", best_inside(group));
    for (spec, says) in &READINGS[1..] {
        let says = format!("JLSE finds targets faster as read here than with {says}");
        let verdict = larger(&leads(group, SHOP, RECALL_AREA, (JLSE, spec)));
        claims.add(says, "ours", verdict);
    }
    claims.claims
}

fn at_universities(group: &Group<'_>) -> Vec<Claim> {
    let mut claims = Claims { webs: &group.name, claims: Vec::new() };
    let rivals = universities::STRATEGIES.iter().filter(|spec| **spec != universities::BREADTH);
    for spec in rivals {
        let says = format!(
            "{spec} has a higher harvest rate than breadth-first after {} fetches of real pages",
            universities::N_FETCHES
        );
        let pair = (*spec, universities::BREADTH);
        claims.add(says, "ours", larger(&leads(group, Place::Universities, HARVEST, pair)));
    }
    claims.claims
}

const NOT_MEASURED: &str = "one of the two was not measured here";

/// Judges whether leads are positive.
fn larger(leads: &[f64]) -> (Verdict, String) {
    match leads {
        [] => (Verdict::Undecided, NOT_MEASURED.to_owned()),
        leads => (Verdict::of_positive(leads), lead(leads)),
    }
}

/// The mean lead in words.
fn lead(leads: &[f64]) -> String {
    let (mean, half) = mean_and_half_width(leads);
    let (mean, half) = (100.0 * mean, 100.0 * half);
    match standard_error(leads) {
        Some(error) if error > 0.0 => {
            format!(
                "mean lead {mean:+.2} ± {half:.2} %, {:+.1} standard errors",
                mean / 100.0 / error
            )
        }
        _ => format!("lead {mean:+.2} %"),
    }
}

/// Judges whether leads are indistinguishable from 0.
fn within_noise(leads: &[f64]) -> (Verdict, String) {
    let verdict = match (leads.len(), Verdict::of_positive(leads)) {
        (0, _) => return (Verdict::Undecided, NOT_MEASURED.to_owned()),
        // A single lead has no interval.
        (1, _) => Verdict::Undecided,
        (_, Verdict::Undecided) => Verdict::Held,
        _ => Verdict::NotHeld,
    };
    (verdict, lead(leads))
}

/// Judges whether a part is more than half of a significant gain.
fn mostly(gain: &[f64], part: &[f64]) -> (Verdict, String) {
    if gain.is_empty() || part.is_empty() {
        return (Verdict::Undecided, NOT_MEASURED.to_owned());
    }
    let (all, _) = mean_and_half_width(gain);
    let (of_it, _) = mean_and_half_width(part);
    let reason = format!("of a lead of {:+.2} % in recall {:+.2} %", 100.0 * all, 100.0 * of_it);
    match Verdict::of_positive(gain) {
        Verdict::Held => {
            let over: Vec<f64> =
                part.iter().zip(gain).map(|(part, all)| part - all / 2.0).collect();
            (Verdict::of_positive(&over), reason)
        }
        _ => (Verdict::Undecided, format!("{reason}: there is no sure gain to come from anywhere")),
    }
}

/// Judges whether some inner value is better than both ends.
fn best_inside(group: &Group<'_>) -> (Verdict, String) {
    let mean = |cf: u32| {
        let values = values(group, SHOP, RECALL_AREA, &jlse(cf));
        (!values.is_empty()).then(|| (cf, mean_and_half_width(&values).0))
    };
    let means: Vec<(u32, f64)> = CFS.iter().filter_map(|cf| mean(*cf)).collect();
    let (Some(first), Some(last), true) = (means.first(), means.last(), means.len() == CFS.len())
    else {
        return (Verdict::Undecided, "not every value was tried here".to_owned());
    };
    let best = means.iter().fold(*first, |best, now| if now.1 > best.1 { *now } else { best });
    let over = |end: u32| {
        let (inside, end) = (
            each(group, SHOP, RECALL_AREA, &jlse(best.0)),
            each(group, SHOP, RECALL_AREA, &jlse(end)),
        );
        let leads: Vec<f64> =
            inside.into_iter().zip(end).filter_map(|(a, b)| Some(a? - b?)).collect();
        Verdict::of_positive(&leads)
    };
    let is_end = best.0 == first.0 || best.0 == last.0;
    let verdict = match (is_end, over(first.0), over(last.0)) {
        (false, Verdict::Held, Verdict::Held) => Verdict::Held,
        // An end that is significantly better than all inner values.
        (true, ..) if is_surely_best(group, best.0) => Verdict::NotHeld,
        _ => Verdict::Undecided,
    };
    let all: Vec<String> =
        means.iter().map(|(cf, mean)| format!("{cf}: {:.2} %", 100.0 * mean)).collect();
    (verdict, format!("best at {}; {}", best.0, all.join(", ")))
}

fn is_surely_best(group: &Group<'_>, end: u32) -> bool {
    let inside = &CFS[1..CFS.len() - 1];
    inside.iter().all(|cf| {
        let pair = (&*jlse(end), &*jlse(*cf));
        Verdict::of_positive(&leads(group, SHOP, RECALL_AREA, pair)) == Verdict::Held
    })
}
