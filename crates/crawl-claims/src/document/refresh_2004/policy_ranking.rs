//! Ranking of the crawl's own policies, and claims about them.

use super::claims::{Claims, NOT_MEASURED};
use super::histories::JUDGED;
use super::sessions::{
    CLASSIFIED, COPIED, DAILY, DAYS, FRESH, MOST_PAGES, N_PARTS, OPTIMAL, PROPORTIONAL, Place,
    RECORD, SPENT, STATIONARY, UNIFORM, WASTED, name, policies,
};
use crate::judge::{Verdict, mean_and_half_width};
use crate::measurement::Group;
use crate::report::{Cell, Table, TableRow, Unit};

/// Freshness of a policy's sessions: one value per web, or per part of a record.
fn fresh(group: &Group<'_>, spec: &str, place: &str) -> Vec<f64> {
    let name = name(FRESH, spec, place);
    match group.is_real() {
        true => group.webs.iter().filter_map(|web| web.values(&name)).flatten().copied().collect(),
        false => group.each(&name),
    }
}

/// Differences in freshness of two policies, one per web or part of a record.
fn leads(group: &Group<'_>, one: &str, other: &str, place: &str) -> Vec<f64> {
    let [one, other] = [one, other].map(|spec| fresh(group, spec, place));
    if one.len() != other.len() {
        return Vec::new();
    }
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// Name of a policy in tables; oracles have a star.
fn display_name(spec: &str) -> String {
    let honest = spec.replace("(knows:rates)", "").replace(",knows:rates", "");
    if honest == spec { honest } else { format!("{honest} *") }
}

fn place_of(group: &Group<'_>) -> &'static str {
    if group.is_real() { RECORD } else { Place::Newsroom.name() }
}

/// All policies, freshest first, and the cost of not knowing the rates.
pub(super) fn tables(group: &Group<'_>) -> Vec<Table> {
    let place = place_of(group);
    let mut ranked: Vec<(String, Vec<f64>)> = policies()
        .into_iter()
        .map(|spec| (spec.clone(), fresh(group, &spec, place)))
        .filter(|(_, fresh)| !fresh.is_empty())
        .collect();
    if ranked.is_empty() {
        return Vec::new();
    }
    // A policy that copies few pages keeps them fresh easily: pages without a copy count as stale.
    let worth = |(spec, fresh): &(String, Vec<f64>)| {
        let copied = group.mean(&name(COPIED, spec, place)).unwrap_or(0.0);
        mean_and_half_width(fresh).0 * copied
    };
    ranked.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    let row = |(spec, fresh): &(String, Vec<f64>)| {
        let lead = Cell::of(&leads(group, spec, UNIFORM, place));
        let wasted = Cell::of(&group.each(&name(WASTED, spec, place)));
        // They hardly differ between webs.
        let shares = [SPENT, COPIED].map(|what| group.mean(&name(what, spec, place)));
        let shares = shares.map(|mean| mean.map(|mean| Cell { mean, half_width: 0.0 }));
        TableRow {
            name: display_name(spec),
            cells: [Cell::of(fresh), lead, wasted].into_iter().chain(shares).collect(),
        }
    };
    let (budget, intervals) = match group.is_real() {
        true => (
            format!("{JUDGED} visits a page and year, through all of the record"),
            format!(
                "Intervals of freshness are over {N_PARTS} equal parts of the record. The true rate \
                 of a page is its mean over the record, which is a poor guide where changes come in \
                 bursts."
            ),
        ),
        false => (
            format!("{DAILY} visits a page and day, for {DAYS} days"),
            format!(
                "Newsrooms of at most {MOST_PAGES} pages; in one of {MOST_PAGES} the six that change \
                 more than twice an hour make three fifths of all changes, in one of 2000 seven make a \
                 fifth, so that here who visits in proportion to true rates follows those in vain."
            ),
        ),
    };
    let heads = ["policy", "freshness", "lead over uniform", "wasted", "budget used", "copied"];
    let ranking = Table {
        title: format!("{}, the crawl's own policies ranked: {budget}", group.name),
        unit: Unit::Share,
        heads: heads.map(str::to_owned).to_vec(),
        rows: ranked.iter().map(row).collect(),
        notes: vec![format!(
            "Sessions at the same budget, the policy with most fresh copies of all pages first. \
             Freshness is that of the copies there are; copied, the share of pages that were copied at \
             all: where new pages compete with old ones for the budget, few. Wasted visits found \
             nothing new. * knows the true rates. Classified takes a \
             quarter of a page's share of the budget for f₀, as the paper's example does. {intervals}"
        )],
    };
    let price = |spec: &String| {
        let id = spec.strip_suffix("(knows:rates)")?;
        let cells =
            [fresh(group, spec, place), fresh(group, id, place), leads(group, spec, id, place)];
        Some(TableRow {
            name: id.to_owned(),
            cells: cells.map(|values| Cell::of(&values)).to_vec(),
        })
    };
    let heads = ["policy", "rates known", "rates estimated", "price of not knowing"];
    let prices = Table {
        title: format!("{}, what it costs not to know the rates", group.name),
        unit: Unit::Share,
        heads: heads.map(str::to_owned).to_vec(),
        rows: policies().iter().filter_map(price).collect(),
        notes: vec![
            "Below 0 where true rates lead to pages that change too fast to be followed, which \
             estimates from visits cannot tell from those that change with every visit."
                .to_owned(),
        ],
    };
    let mut tables = vec![ranking, prices];
    tables.extend((!group.is_real()).then(|| stationary(group)));
    tables
}

/// Policies with fixed, known rates, for which there are theorems.
fn stationary(group: &Group<'_>) -> Table {
    let places = [Place::Newsroom, Place::LongRun, Place::Static, Place::Short];
    let row = |spec: &str| TableRow {
        name: display_name(spec),
        cells: places.map(|place| Cell::of(&fresh(group, spec, place.name()))).to_vec(),
    };
    let heads = places.map(|place| place.name().to_owned());
    Table {
        title: format!("{}, sessions with known rates: freshness", group.name),
        unit: Unit::Share,
        heads: ["policy".to_owned()].into_iter().chain(heads).collect(),
        rows: STATIONARY.map(row).to_vec(),
        notes: vec![
            "Rates by lot: 40 pages that change once an hour to once in a hundred hours, 0.5 visits \
             a page and hour, for 300 hours; half static: every second page never changes; short \
             time: for 4 hours, in which uniform comes to each page twice. In a newsroom of 250 \
             pages 37 % are static, and uniform is ahead of proportional all the same: what static \
             pages save is less than what six fast pages waste."
                .to_owned(),
        ],
    }
}

/// A comparison of two policies.
struct Pair {
    place: Place,
    one: &'static str,
    other: &'static str,
    says: &'static str,
    source: &'static str,
}

const PAIRS: [Pair; 7] = [
    Pair {
        place: Place::Printed,
        one: CLASSIFIED,
        other: UNIFORM,
        says: "In sessions classified is fresher than uniform, each spending what the paper lets it",
        source: "C, section 4",
    },
    Pair {
        place: Place::Newsroom,
        one: CLASSIFIED,
        other: UNIFORM,
        says: "In sessions of a small newsroom classified is fresher than uniform at an equal budget",
        source: "C, section 4, at an equal budget",
    },
    Pair {
        place: Place::LongRun,
        one: UNIFORM,
        other: PROPORTIONAL,
        says: "In sessions uniform is fresher than proportional: all rates above 0, in the long run",
        source: "C, section 2.2; Cho & Garcia-Molina 2000",
    },
    Pair {
        place: Place::Static,
        one: UNIFORM,
        other: PROPORTIONAL,
        says: "In sessions uniform is fresher than proportional also where half of the pages are \
               static",
        source: "C, section 2.2, to the letter",
    },
    Pair {
        place: Place::Short,
        one: UNIFORM,
        other: PROPORTIONAL,
        says: "In sessions uniform is fresher than proportional also over a short time",
        source: "C, section 2.2, to the letter",
    },
    Pair {
        place: Place::Newsroom,
        one: UNIFORM,
        other: PROPORTIONAL,
        says: "In sessions of a small newsroom uniform is fresher than proportional",
        source: "C, section 2.2, to the letter",
    },
    Pair {
        place: Place::Newsroom,
        one: "optimal",
        other: UNIFORM,
        says: "In sessions of a small newsroom optimal is fresher than uniform also where it \
               estimates the rates",
        source: "ours",
    },
];

/// Claims about sessions on generated webs.
pub(super) fn claims(group: &Group<'_>, claims: &mut Claims<'_>) {
    for Pair { place, one, other, says, source } in &PAIRS {
        claims.judged(says, source, fresher(&leads(group, one, other, place.name()), "webs"));
    }
    for place in [Place::LongRun, Place::Static, Place::Newsroom] {
        let says = format!(
            "In sessions optimal is fresher than every other fixed schedule with known rates: {}",
            place.name()
        );
        claims.judged(&says, "Cho & Garcia-Molina 2000", ahead_of_all(group, place.name(), "webs"));
    }
}

/// Claims about sessions on a record.
pub(super) fn on_record(group: &Group<'_>, claims: &mut Claims<'_>) {
    for (one, other, source) in [
        (CLASSIFIED, UNIFORM, "C, section 4, at an equal budget"),
        (UNIFORM, PROPORTIONAL, "C, section 2.2, to the letter"),
        ("optimal", UNIFORM, "ours"),
    ] {
        let says = format!("In sessions through a record {one} is fresher than {other}");
        let leads = leads(group, one, other, RECORD);
        claims.judged(&says, source, fresher(&leads, "parts of the record"));
    }
    let says = "In sessions through a record optimal is fresher than every other fixed schedule \
                with known rates";
    let judged = ahead_of_all(group, RECORD, "parts of the record");
    claims.judged(says, "ours, from Cho & Garcia-Molina 2000", judged);
}

fn fresher(leads: &[f64], over: &str) -> (Verdict, String) {
    if leads.is_empty() {
        return (Verdict::Undecided, NOT_MEASURED.to_owned());
    }
    let (mean, half) = mean_and_half_width(leads);
    let because = format!(
        "mean lead {:+.2} ± {:.2} % over {} {over}",
        100.0 * mean,
        100.0 * half,
        leads.len()
    );
    (Verdict::of_positive(leads), because)
}

/// Judges whether optimal is ahead of all other policies that know the rates.
fn ahead_of_all(group: &Group<'_>, place: &str, over: &str) -> (Verdict, String) {
    let others = STATIONARY.into_iter().filter(|other| *other != OPTIMAL);
    let judged: Vec<(&str, (Verdict, String))> =
        others.map(|other| (other, fresher(&leads(group, OPTIMAL, other, place), over))).collect();
    let is =
        |wanted: Verdict| move |(_, (verdict, _)): &(&str, (Verdict, String))| *verdict == wanted;
    let verdict =
        match (judged.iter().all(is(Verdict::Held)), judged.iter().any(is(Verdict::NotHeld))) {
            (true, _) => Verdict::Held,
            (_, true) => Verdict::NotHeld,
            _ => Verdict::Undecided,
        };
    let reasons = judged.into_iter().map(|(other, (_, because))| format!("{other}: {because}"));
    (verdict, reasons.collect::<Vec<_>>().join("; "))
}
