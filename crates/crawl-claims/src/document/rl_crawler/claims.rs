//! Claims of the paper and of others, judged by the measurements.

use super::opic::{self, CRAWL, CRAWL_LINKS, LINKS, N_STARTS, SWEEPS};
use super::{
    AREA, BREADTH, DISTANCE, DISTANCE_ALL, RANDOM, RL, RL_ALL, STARTS, STRATEGIES, Start, TAU, name,
};
use crate::judge::{Claim, Verdict, mean_and_half_width, reversals};
use crate::measurement::Group;
use crawl_core::correlation::kendall_tau;

/// Pairs of strategies: seeds, source of the claim, and its wording.
const FASTER: [(&str, &str, Start, &str, &str); 3] = [
    (
        RL_ALL,
        DISTANCE_ALL,
        Start::Own,
        "E, figures 4 to 6",
        "as in the paper: own seeds, the whole web known",
    ),
    (RL_ALL, DISTANCE_ALL, Start::Common, "E, fair seeds", "common seeds, the whole web known"),
    (RL, DISTANCE, Start::Common, "E, fair knowledge", "common seeds, only what was fetched known"),
];
/// Number of sweeps after which reading orders are compared.
const SOON: u32 = 4;
const OPIC: &str = "Abiteboul, Preda & Cobena 2003";

/// All claims on all groups of webs; the last one compares the groups.
pub(super) fn claims(groups: &[Group<'_>]) -> Vec<Claim> {
    let mut claims: Vec<Claim> = groups.iter().flat_map(of_group).collect();
    claims.push(reversed(groups, &claims));
    claims
}

fn of_group(group: &Group<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut add = |says: String, source: &str, (verdict, because): (Verdict, String)| {
        let (source, webs) = (source.to_owned(), group.name.clone());
        claims.push(Claim { says, source, webs, verdict, because });
    };
    for (a, b, start, source, says) in FASTER {
        for k in STARTS {
            let says =
                format!("RL-Crawler gathers PageRank faster than DistanceRank; {says}; k = {k}");
            add(says, source, faster(group, a, b, start, k));
        }
    }
    let says = "Breadth-first finds good pages early: faster than a random order".to_owned();
    let verdict = faster(group, BREADTH, RANDOM, Start::Common, 1);
    add(says, "Najork & Wiener 2001", verdict);
    let says = "What gathers PageRank fastest may misjudge it: another order's ranks on its \
                crawled part are truer";
    add(says.to_owned(), "Boldi, Santini & Vigna 2005", misjudged(group));
    let (first, last) = (SWEEPS[0], SWEEPS[SWEEPS.len() - 1]);
    for (says, one, other) in [
        (
            format!(
                "OPIC's history orders pages more as PageRank does than a count of links; all \
                 pages read over and over, {last} sweeps"
            ),
            opic::tau("greedy", last),
            LINKS.to_owned(),
        ),
        (
            format!(
                "OPIC's history orders pages more as PageRank does than a count of links; all \
                 pages read, {first} sweep"
            ),
            opic::tau("greedy", first),
            LINKS.to_owned(),
        ),
        (
            format!(
                "OPIC's history orders pages more as PageRank does than a count of links; a crawl \
                 from {N_STARTS} pages that fetches each page once"
            ),
            CRAWL.to_owned(),
            CRAWL_LINKS.to_owned(),
        ),
        (
            format!(
                "OPIC's history comes nearer to PageRank's order as pages are read again: {last} \
                 sweeps against {first}"
            ),
            opic::tau("greedy", last),
            opic::tau("greedy", first),
        ),
    ] {
        add(says, OPIC, truer(group, &one, &other));
    }
    let says =
        format!("OPIC settles sooner when the richest page is read first; after {SOON} sweeps");
    let [slow, fast] = ["cycle", "greedy"].map(|order| opic::error(order, SOON));
    let settled = judged(group, &slow, &fast, |slow, fast, _| {
        format!("{fast:.3} away from where it settles against {slow:.3} in turn")
    });
    add(says, OPIC, settled);
    claims
}

/// Judges whether `one` is larger; `because` formats both means and the interval of the difference.
fn judged(
    group: &Group<'_>,
    one: &str,
    other: &str,
    because: impl Fn(f64, f64, (f64, f64)) -> String,
) -> (Verdict, String) {
    let leads = group.leads(one, other);
    match (group.mean(one), group.mean(other)) {
        (Some(a), Some(b)) if !leads.is_empty() => {
            (Verdict::of_positive(&leads), because(a, b, mean_and_half_width(&leads)))
        }
        _ => (Verdict::Undecided, "one of the two orders no pages here".to_owned()),
    }
}

fn faster(group: &Group<'_>, a: &str, b: &str, start: Start, k: u32) -> (Verdict, String) {
    let [a, b] = [a, b].map(|strategy| name(AREA, strategy, start, k));
    judged(group, &a, &b, |_, _, (mean, half)| {
        if half > 0.0 {
            format!("mean lead {:+.2} ± {:.2} % of all PageRank", 100.0 * mean, 100.0 * half)
        } else {
            format!("lead {:+.2} % of all PageRank", 100.0 * mean)
        }
    })
}

fn truer(group: &Group<'_>, one: &str, other: &str) -> (Verdict, String) {
    judged(group, one, other, |one, other, _| format!("τ = {one:.3} against {other:.3}"))
}

/// Judges, among strategies without an oracle, whether the fastest also has the truest ranks.
fn misjudged(group: &Group<'_>) -> (Verdict, String) {
    let honest = STRATEGIES.iter().map(|(strategy, _)| *strategy);
    let honest = honest.filter(|o| !o.contains("knowledge:all") && *o != "omniscient");
    let named = |what, strategy| name(what, strategy, Start::Common, 1);
    let best = |what| {
        let means = honest.clone().filter_map(|o| Some((o, group.mean(&named(what, o))?)));
        means.reduce(|a, b| if b.1 > a.1 { b } else { a }).map_or("", |best| best.0)
    };
    let (fastest, truest) = (best(AREA), best(TAU));
    let (verdict, because) =
        judged(group, &named(TAU, truest), &named(TAU, fastest), |truer, tau, _| {
            format!("fastest {fastest} has τ = {tau:.3}; truest {truest} has τ = {truer:.3}")
        });
    (if fastest == truest { Verdict::NotHeld } else { verdict }, because)
}

/// Judges whether a real web contradicts the generated ones, in any claim or in the order of
/// strategies.
fn reversed(groups: &[Group<'_>], claims: &[Claim]) -> Claim {
    let (verdict, mut because) = reversals(groups, claims);
    // From one seed parts of some real webs are unreachable, and all strategies are alike.
    let most = STARTS[STARTS.len() - 1];
    let areas = |group: &Group<'_>| -> Vec<f64> {
        let area =
            |(strategy, _): &(&str, _)| group.mean(&name(AREA, strategy, Start::Common, most));
        STRATEGIES.iter().filter_map(area).collect()
    };
    if let Some(generated) = groups.iter().find(|group| !group.is_real()) {
        let real = groups.iter().filter(|group| group.is_real());
        let taus = real.filter_map(|group| {
            let tau = kendall_tau(&areas(generated), &areas(group))?;
            Some(format!("{} {tau:.2}", group.name))
        });
        let taus: Vec<String> = taus.collect();
        if !taus.is_empty() {
            because += &format!(
                "; τ between how the {} orderings stand there and on the generated webs: {}",
                STRATEGIES.len(),
                taus.join(", ")
            );
        }
    }
    Claim {
        says: "Generated webs can reverse results seen on real ones".to_owned(),
        source: "ours".to_owned(),
        webs: "all".to_owned(),
        verdict,
        because,
    }
}
