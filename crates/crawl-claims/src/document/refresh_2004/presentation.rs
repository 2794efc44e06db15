//! Tables and figures.

use super::histories::{self, RateEstimate, YEARLY};
use super::mixes::{COUNTED, ORDERS};
use super::sessions::MOST_PAGES;
use super::{
    BUDGETS, DAILY, FRESH, OFF, Policy, RATIO, arithmetic, in_newsroom, mixes, off, on_table_1,
    policy_ranking,
};
use crate::measurement::Group;
use crate::report::{Cell, Figure, Line, Table, TableRow, Unit, places};

pub(super) fn tables(groups: &[Group<'_>]) -> Vec<Table> {
    if groups.is_empty() {
        return Vec::new();
    }
    let of = |group: &Group<'_>| match group.is_real() {
        true => vec![history(group)],
        false => vec![of_mixes(group), of_table_1(group), newsroom(group), closed_forms(group)],
    };
    let of = |group: &Group<'_>| [of(group), policy_ranking::tables(group)].concat();
    arithmetic::tables().into_iter().chain(groups.iter().flat_map(of)).collect()
}

fn heads(first: &str, rest: impl IntoIterator<Item = String>) -> Vec<String> {
    [first.to_owned()].into_iter().chain(rest).collect()
}

/// How often one policy is behind another, by closed forms.
fn of_mixes(group: &Group<'_>) -> Table {
    let row = |order: &mixes::Order| {
        let [n, behind, least, greatest] =
            COUNTED.map(|what| group.each(&mixes::name(order, what)));
        let cell = |value: f64| value.is_finite().then_some(Cell { mean: value, half_width: 0.0 });
        let all = |values: Vec<f64>| values.into_iter().sum::<f64>();
        let cells = [
            all(n),
            all(behind),
            least.into_iter().fold(f64::INFINITY, f64::min),
            greatest.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ];
        TableRow { name: order.name.to_owned(), cells: cells.map(cell).to_vec() }
    };
    Table {
        title: format!("{}, rates at random: the first against the second", group.name),
        unit: Unit::Number,
        heads: heads("policies", COUNTED.map(str::to_owned)),
        rows: ORDERS.iter().map(row).collect(),
        notes: vec![
            "Mixes of 2 to 30 pages that change 0.001 to 10 times in a unit of time, at 0.01 to 10 \
             visits a page. Static: some pages never change. Short: uniform comes to each page 0.2 \
             to 2 times, and all copies are fresh to begin with. Freshness by closed forms."
                .to_owned(),
        ],
    }
}

/// The ten pages, simulated.
fn of_table_1(group: &Group<'_>) -> Table {
    let row = |policy: Policy| {
        let cells = BUDGETS.iter().flat_map(|(_, budget)| {
            [FRESH, OFF].map(|what| Cell::of(&group.each(&on_table_1(what, policy, budget))))
        });
        TableRow { name: policy.name().to_owned(), cells: cells.collect() }
    };
    let columns = BUDGETS
        .iter()
        .flat_map(|(_, budget)| [format!("simulated, {budget} an hour"), "less exact".to_owned()]);
    Table {
        title: format!("{}, the paper's ten pages simulated", group.name),
        unit: Unit::Fine,
        heads: heads("policy", columns),
        rows: Policy::ALL.map(row).to_vec(),
        notes: Vec::new(),
    }
}

fn daily_heads() -> [String; DAILY.len()] {
    DAILY.map(|daily| format!("{daily} a day"))
}

/// Freshness of policies that know the rates.
fn newsroom(group: &Group<'_>) -> Table {
    let row = |policy: Policy| {
        let cells = DAILY.map(|daily| Cell::of(&group.each(&in_newsroom(policy, daily))));
        TableRow { name: policy.name().to_owned(), cells: cells.to_vec() }
    };
    let mut notes = vec![
        "Every policy knows how often each page changes, not when. Pages of the archive never \
         change: uniform and classified visit them all the same."
            .to_owned(),
    ];
    let n_pages = group.webs.iter().map(|web| web.n_pages).max().unwrap_or(0);
    if n_pages > MOST_PAGES {
        notes.push(format!(
            "These newsrooms have {n_pages} pages each and the sessions below {MOST_PAGES}, where \
             proportional and classified come out far lower (about 73 % and 80 % at 4 a day, by the \
             method of this table too): the fewer pages, the larger the part of all visits that follow \
             the few front pages, which no visit keeps fresh."
        ));
    }
    Table {
        title: format!("{}, newsrooms: freshness by visits a page and day", group.name),
        unit: Unit::Share,
        heads: heads("policy", daily_heads()),
        rows: Policy::ALL.map(row).to_vec(),
        notes,
    }
}

/// Deviations of simulated copies from the closed forms.
fn closed_forms(group: &Group<'_>) -> Table {
    let row = |process: &str| {
        let cells = DAILY.map(|daily| Cell::of(&group.each(&off(process, daily))));
        TableRow { name: process.to_owned(), cells: cells.to_vec() }
    };
    Table {
        title: format!("{}, newsrooms: simulated freshness less the closed form", group.name),
        unit: Unit::Fine,
        heads: heads("pages that change", daily_heads()),
        rows: ["poisson", "periodic"].map(row).to_vec(),
        notes: Vec::new(),
    }
}

/// All policies with all ways to estimate rates; uniform needs none.
fn rows() -> impl Iterator<Item = (Policy, RateEstimate, String)> {
    let uniform = (Policy::Uniform, RateEstimate::Counted, Policy::Uniform.name().to_owned());
    let others = Policy::ALL.into_iter().filter(|policy| *policy != Policy::Uniform);
    let all = others.flat_map(|policy| {
        RateEstimate::ALL
            .map(|estimate| (policy, estimate, format!("{}, {}", policy.name(), estimate.name())))
    });
    [uniform].into_iter().chain(all)
}

/// Mean over pages.
fn over_pages(
    group: &Group<'_>,
    policy: Policy,
    estimate: RateEstimate,
    yearly: u32,
) -> Option<Cell> {
    let name = histories::name(policy, estimate, yearly);
    let values = group.webs.iter().filter_map(|web| web.values(&name)).flatten().copied();
    Cell::of(&values.collect::<Vec<f64>>())
}

fn history(group: &Group<'_>) -> Table {
    let row = |(policy, estimate, name): (Policy, RateEstimate, String)| {
        let cells = YEARLY.map(|yearly| over_pages(group, policy, estimate, yearly));
        TableRow { name, cells: cells.to_vec() }
    };
    let name = histories::name(Policy::Uniform, RateEstimate::Counted, histories::JUDGED);
    let pages = group.webs.iter().filter_map(|web| web.values(&name)).map(<[f64]>::len);
    Table {
        title: format!("{}, freshness in the second half by visits a page and year", group.name),
        unit: Unit::Share,
        heads: heads("policy, rates told by", YEARLY.map(|yearly| format!("{yearly} a year"))),
        rows: rows().map(row).collect(),
        notes: vec![format!(
            "{} pages that are known at half-time, all copies fresh then. X/T counts all changes of \
             the first half, (X + ½)/T takes no page for static; X/n and bias-reduced know what \
             uniform's visits found.",
            pages.sum::<usize>()
        )],
    }
}

pub(super) fn figures(groups: &[Group<'_>]) -> Vec<Figure> {
    if groups.is_empty() {
        return Vec::new();
    }
    let generated = groups.iter().find(|group| !group.is_real());
    let simulated = |name: &str| {
        let (values, half_widths) = generated?.band(&format!("{RATIO}{name}"))?;
        let cell = |(mean, half_width)| Cell { mean, half_width };
        Some(values.into_iter().zip(half_widths).map(cell).collect())
    };
    let mut figures: Vec<Figure> =
        super::figure_of(0).map(|figure| figure.with(&simulated)).into_iter().collect();
    figures.push(arithmetic::figure());
    for group in groups {
        let id = group.name.replace(' ', "-");
        figures.push(match group.is_real() {
            true => Figure {
                id: format!("{id}-histories"),
                title: format!("{}, freshness in the second half", group.name),
                x: "visits a page and year".to_owned(),
                at: places(&YEARLY),
                y: "freshness".to_owned(),
                unit: Unit::Share,
                lines: rows()
                    .filter(|(_, estimate, _)| {
                        matches!(estimate, RateEstimate::Counted | RateEstimate::HalfMore)
                    })
                    .filter_map(|(policy, estimate, name)| {
                        line(name, &YEARLY, |yearly| over_pages(group, policy, estimate, yearly))
                    })
                    .collect(),
                ..Figure::default()
            },
            false => Figure {
                id: format!("{id}-newsroom"),
                title: format!("{}, newsrooms, rates being known", group.name),
                x: "visits a page and day".to_owned(),
                at: places(&DAILY),
                y: "freshness".to_owned(),
                unit: Unit::Share,
                lines: Policy::ALL
                    .into_iter()
                    .filter_map(|policy| {
                        let cell = |daily| Cell::of(&group.each(&in_newsroom(policy, daily)));
                        line(policy.name().to_owned(), &DAILY, cell)
                    })
                    .collect(),
                ..Figure::default()
            },
        });
    }
    figures
}

/// A curve; `None` if a point is missing.
fn line(name: String, at: &[u32], cell: impl Fn(u32) -> Option<Cell>) -> Option<Line> {
    let cells: Vec<Cell> = at.iter().map(|at| cell(*at)).collect::<Option<_>>()?;
    Some(Line {
        name,
        values: cells.iter().map(|cell| cell.mean).collect(),
        half_widths: cells.iter().map(|cell| cell.half_width).collect(),
        is_bound: false,
        points: Vec::new(),
        marks: [None; 2],
    })
}
