//! The paper's arithmetic recomputed, and exact results that need no web.

use super::claims::{Claims, decided};
use super::figure_1::{GOOD, GOOD_B};
use super::{BUDGETS, ESTIMATORS, N_VISITS};
use crate::judge::Claim;
use crate::report::{Cell, Figure, Line, Table, TableRow, Unit, places};
use crawl_refresh::Rate;
use crawl_refresh::estimate::{Estimator, expected};
use crawl_refresh::paper::{
    AtBudget, BASE, N_NEWS, PRINTED, THRESHOLD, at_budget, class_entry, example, table_2,
};
use std::num::NonZeroU32;

/// Name of the group of webs of these claims.
pub(super) const NAME: &str = "the paper's ten pages";

/// Numbers of visits after which pages are classified.
const VISITS: [u32; 8] = [1, 2, 3, 4, 5, 10, 100, 1000];
/// Budgets of the figure, in visits per hour to ten pages.
const FIGURE_BUDGETS: [u32; 9] = [1, 2, 3, 5, 7, 10, 14, 20, 30];

/// Result of a policy.
type Mean = fn(&AtBudget) -> f64;

/// Exact means of the ten pages at a budget.
fn at(budget: f64) -> Option<AtBudget> {
    at_budget(Rate::new(budget).ok()?).ok()
}

/// Relative bias of X/n.
fn low(b: f64) -> f64 {
    let ratio = Rate::new(b).unwrap_or_default();
    1.0 - expected(Estimator::Naive, N_VISITS, ratio) / b
}

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = Claims::new(NAME);
    let [fast, slow] = example();
    claims.add(
        "A visit a day to a page that changes once a day is worth more than one to a page that \
         changes five times",
        "C, section 2.2",
        decided(slow.paper > fast.paper && slow.exact > fast.exact),
        format!(
            "1/{:.0} day against 1/{:.0} in the paper's arithmetic; exactly the copies are fresh \
             for {:.3} and {:.3} of the time",
            1.0 / slow.paper,
            1.0 / fast.paper,
            slow.exact,
            fast.exact
        ),
    );
    let table = table_2();
    let [sum_uniform, sum_classified] = table.sums;
    let [uniform, classified] = PRINTED;
    let is_printed = |sum: f64, printed: f64| (sum - printed).abs() < 0.5e-4;
    claims.add(
        "The sums under Table 2 are those of its terms",
        "C, Table 2",
        decided(is_printed(sum_uniform, uniform) && is_printed(sum_classified, classified)),
        format!(
            "the terms sum to {sum_uniform:.4} and {sum_classified:.4}, printed are {uniform:.4} \
             and {classified:.4}"
        ),
    );
    claims.add(
        "The difference of those sums is that of the terms",
        "C, Table 2",
        decided(is_printed(sum_classified - sum_uniform, classified - uniform)),
        format!(
            "{:.4} by the terms, {:.4} by the printed sums",
            sum_classified - sum_uniform,
            classified - uniform
        ),
    );
    claims.add(
        "Classified is fresher than uniform, by the paper's own sums",
        "C, section 4",
        decided(classified > uniform && sum_classified > sum_uniform),
        format!(
            "{classified:.4} against {uniform:.4} as printed, {sum_classified:.4} against \
             {sum_uniform:.4} by the terms"
        ),
    );
    claims.add(
        "Classified is fresher than uniform by exact Poisson freshness, each spending what the \
         paper lets it",
        "C, section 4, read exactly",
        decided(table.exact[1] > table.exact[0]),
        format!(
            "{:.3} with {:.2} visits an hour against {:.3} with {:.2}",
            table.exact[1], table.spent[1], table.exact[0], table.spent[0]
        ),
    );
    equal_budgets(&mut claims);
    let (worst, passed) = (low(GOOD_B), (1..).map(|i| f64::from(i) / 1000.0));
    let passed = passed.take(1000).find(|b| low(*b) >= GOOD).unwrap_or(1.0);
    let inside = (1..200).map(|i| GOOD_B * f64::from(i) / 200.0);
    claims.add(
        "X/n is low by less than 10 % for 0 < b < 0.2",
        "C, section 3.2 and Figure 1",
        decided(inside.into_iter().all(|b| (0.0..GOOD).contains(&low(b)))),
        format!("{:.1} % at b = 0.2; 10 % are passed at b = {passed:.3}", 100.0 * worst),
    );
    starts(&mut claims);
    claims.claims
}

/// Claims at equal budgets.
fn equal_budgets(claims: &mut Claims<'_>) {
    for (budget, name) in BUDGETS {
        let Some(at) = at(budget) else { continue };
        let AtBudget { optimal, uniform, classified, classified_aligned, proportional, .. } = at;
        claims.add(
            &format!(
                "At an equal budget of {name} visits an hour classified is fresher than uniform"
            ),
            "ours, from C",
            decided(classified.max(classified_aligned) > uniform),
            format!(
                "{classified:.3} ({classified_aligned:.3} with both streams aligned) against \
                 {uniform:.3}"
            ),
        );
        claims.add(
            &format!("At {name} visits an hour uniform is at least as fresh as proportional"),
            "C, section 2.2; Cho & Garcia-Molina 2000",
            decided(uniform >= proportional),
            format!("{uniform:.3} against {proportional:.3}"),
        );
        let best = [uniform, classified, classified_aligned, proportional];
        let best = best.into_iter().fold(0.0, f64::max);
        claims.add(
            &format!("At {name} visits an hour optimal is at least as fresh as all others"),
            "Cho & Garcia-Molina 2000",
            decided(optimal >= best),
            format!("{optimal:.3} against {best:.3}"),
        );
    }
}

/// Claims about pages entering the class.
fn starts(claims: &mut Claims<'_>) {
    let counts = || VISITS.into_iter().filter_map(NonZeroU32::new);
    let naive: Vec<_> = counts().flat_map(|n| class_entry(Estimator::Naive, n)).collect();
    let most = naive.iter().map(|page| page.max).fold(0.0, f64::max);
    let chance = naive.iter().map(|page| page.probability).fold(0.0, f64::max);
    claims.add(
        "With X/n from visits at f₀ the class stays empty: classified never starts",
        "ours, from C, sections 3.1 and 3.2",
        decided(most < THRESHOLD && chance == 0.0),
        format!(
            "X/n never tells more than f₀ = {BASE:.3} an hour, the class needs {THRESHOLD:.3}; the \
             chance to enter is {chance} for every page and number of visits tried"
        ),
    );
    let least = |n: NonZeroU32| {
        let news = &class_entry(Estimator::BiasReduced, n)[..N_NEWS];
        news.iter().map(|page| page.probability).fold(1.0, f64::min)
    };
    let first = counts().find(|n| least(*n) > 0.0);
    claims.add(
        "With the bias-reduced estimator it starts: after ten visits each page of news is in the \
         class, more likely than not",
        "ours",
        decided(least(N_VISITS) > 0.5),
        format!(
            "the least chance is {:.3}; it is above 0 from {} visits on",
            least(N_VISITS),
            first.map_or(0, NonZeroU32::get)
        ),
    );
}

/// A number without an interval.
fn exact(value: f64) -> Option<Cell> {
    Some(Cell { mean: value, half_width: 0.0 })
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub(super) fn tables() -> Vec<Table> {
    vec![worked_example(), terms(), readings(), entering()]
}

fn worked_example() -> Table {
    let row = |name: &str, page: crawl_refresh::paper::Example| TableRow {
        name: name.to_owned(),
        cells: [page.changes, page.factors[0], page.factors[1], page.paper, page.exact]
            .map(exact)
            .to_vec(),
    };
    let [fast, slow] = example();
    Table {
        title: "The worked example: what a visit a day is worth, in days".to_owned(),
        unit: Unit::Number,
        heads: heads(&["page", "changes a day", "chance", "days fresh", "as printed", "exact"]),
        rows: vec![row("p₁", fast), row("p₂", slow)],
        notes: vec![
            "The paper multiplies the chance that the page changes in the first half of its time by \
             the length of that half; exact is the share of time a copy is fresh if changes are \
             Poisson."
                .to_owned(),
        ],
    }
}

/// Tables 1 and 2, term by term.
fn terms() -> Table {
    let table = table_2();
    let mut rows: Vec<TableRow> = table
        .rows
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let [more, base] = row.classified;
            let terms = [row.changes, row.uniform, more, base, more + base];
            TableRow {
                name: format!("P{}", i + 1),
                cells: terms.into_iter().chain(row.exact).map(exact).collect(),
            }
        })
        .collect();
    let sums = |name: &str, uniform: f64, classified: f64, means: [Option<Cell>; 3]| TableRow {
        name: name.to_owned(),
        cells: [None, exact(uniform), None, None, exact(classified)]
            .into_iter()
            .chain(means)
            .collect(),
    };
    let [uniform, classified] = table.sums;
    rows.push(sums("sum of the terms; mean", uniform, classified, table.exact.map(exact)));
    rows.push(sums("sum as printed", PRINTED[0], PRINTED[1], [None; 3]));
    let [least, most] = table.spent;
    rows.push(sums("visits an hour", least, most, [least, most, most].map(exact)));
    Table {
        title: "Tables 1 and 2, term by term".to_owned(),
        unit: Unit::Fine,
        heads: heads(&[
            "page",
            "changes an hour",
            "uniform",
            "classified, for f",
            "classified, for f₀",
            "classified",
            "exact: uniform",
            "exact: classified, even",
            "exact: classified, aligned",
        ]),
        rows,
        notes: vec![
            format!(
                "The terms sum to {uniform:.4} and {classified:.4}; the paper prints {:.4} and \
                 {:.4}. The difference, {:.4}, is as printed.",
                PRINTED[0],
                PRINTED[1],
                classified - uniform
            ),
            "The terms are no probabilities: for news they are f₀/λ (and 1/(2λ)), for weather λ·f₀, \
             and they are summed where the paper's equation 1 takes a mean."
                .to_owned(),
        ],
    }
}

/// The paper's arithmetic, exact Poisson freshness, and equal budgets.
fn readings() -> Table {
    let table = table_2();
    let [all, few] = BUDGETS.map(|(budget, _)| at(budget));
    let both =
        |of: fn(&AtBudget) -> f64| [&all, &few].map(|at| at.as_ref().and_then(|at| exact(of(at))));
    let row =
        |name: &str, paper: Option<f64>, own: Option<f64>, equal: [Option<Cell>; 2]| TableRow {
            name: name.to_owned(),
            cells: [paper.and_then(exact), own.and_then(exact)].into_iter().chain(equal).collect(),
        };
    let [uniform, classified] = table.sums.map(Some);
    Table {
        title: "Three readings: the paper's arithmetic, exact Poisson, equal budgets".to_owned(),
        unit: Unit::Number,
        heads: heads(&[
            "policy",
            "paper's arithmetic (a sum)",
            "exact, each its own budget",
            "exact, 20/3 visits an hour",
            "exact, 10/6 visits an hour",
        ]),
        rows: vec![
            row("optimal", None, None, both(|at| at.optimal)),
            row("uniform", uniform, Some(table.exact[0]), both(|at| at.uniform)),
            row("classified, even", classified, Some(table.exact[1]), both(|at| at.classified)),
            row(
                "classified, aligned",
                None,
                Some(table.exact[2]),
                both(|at| at.classified_aligned),
            ),
            row("proportional", None, None, both(|at| at.proportional)),
        ],
        notes: vec![
            "Classified spends 20/3 visits an hour, uniform 10/6. At equal budgets all of \
             classified's rates are multiplied alike; even: all its visits to a page are evenly \
             spaced, aligned: its two streams start together."
                .to_owned(),
        ],
    }
}

/// Probabilities of entering the class.
fn entering() -> Table {
    let row = |n: NonZeroU32| {
        let of = |(estimator, _): (Estimator, &str)| {
            let pages = class_entry(estimator, n);
            let (news, weather) = pages.split_at(N_NEWS);
            let mean = |pages: &[crawl_refresh::paper::ClassEntry]| {
                super::mean(pages.iter().map(|page| page.probability))
            };
            [pages[0].max / BASE, mean(news), mean(weather)].map(exact)
        };
        TableRow { name: n.to_string(), cells: ESTIMATORS.into_iter().flat_map(of).collect() }
    };
    Table {
        title: "Who gets into the class after n visits at f₀".to_owned(),
        unit: Unit::Number,
        heads: heads(&[
            "n",
            "X/n: most, in f₀",
            "X/n: chance of news",
            "X/n: chance of weather",
            "bias-reduced: most, in f₀",
            "bias-reduced: chance of news",
            "bias-reduced: chance of weather",
        ]),
        rows: VISITS.into_iter().filter_map(NonZeroU32::new).map(row).collect(),
        notes: vec![
            "The class needs 2·f₀. Chances are exact, and means over the five pages of a kind."
                .to_owned(),
        ],
    }
}

/// An exact curve.
fn curve(name: String, values: Vec<f64>) -> Line {
    Line {
        name,
        values,
        half_widths: Vec::new(),
        is_bound: false,
        points: Vec::new(),
        marks: [None; 2],
    }
}

/// Freshness by budget.
pub(super) fn figure() -> Figure {
    let budgets: Vec<AtBudget> =
        FIGURE_BUDGETS.iter().filter_map(|budget| at(f64::from(*budget))).collect();
    let policies: [(&str, Mean); 5] = [
        ("optimal", |at| at.optimal),
        ("uniform", |at| at.uniform),
        ("classified, even", |at| at.classified),
        ("classified, aligned", |at| at.classified_aligned),
        ("proportional", |at| at.proportional),
    ];
    Figure {
        id: "table-1-budgets".to_owned(),
        title: "The paper's ten pages at equal budgets, exact".to_owned(),
        x: "visits an hour".to_owned(),
        at: places(&FIGURE_BUDGETS),
        y: "freshness".to_owned(),
        unit: Unit::Share,
        lines: policies
            .iter()
            .map(|(name, of)| curve((*name).to_owned(), budgets.iter().map(of).collect()))
            .collect(),
        ..Figure::default()
    }
}
