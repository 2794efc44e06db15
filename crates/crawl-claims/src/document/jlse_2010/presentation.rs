//! Tables and figures.

use super::samples::{Place, curves, values};
use super::{
    Benefit, CEILING, CF, CFS, DELAYED, DELAYED_AREA, FETCHED, FIRST, HARVEST, HARVEST_AREA,
    READINGS, RECALL, RECALL_AREA, STRATEGIES, jlse, n_fetches, points, universities,
};
use crate::judge::mean_and_half_width;
use crate::measurement::Group;
use crate::report::{Cell, Figure, Line, Table, TableRow, Unit, places};

const SHOP: Place = Place::Shops(Benefit::Delayed);

/// Columns of most tables: heading and measurement.
const COLUMNS: [(&str, &str); 5] = [
    ("mean recall", RECALL_AREA),
    ("recall at the end", RECALL),
    ("mean harvest", HARVEST_AREA),
    ("harvest at the end", HARVEST),
    ("mean delayed", DELAYED_AREA),
];

pub(super) fn tables(group: &Group<'_>) -> Vec<Table> {
    if group.is_real() {
        return vec![at_universities(group)];
    }
    let named = |spec: &'static str, name: &str| (spec.to_owned(), format!("{name}, {spec}"));
    let strategies: Vec<_> = STRATEGIES.iter().map(|o| named(o.spec, o.name)).collect();
    let mut tables = Vec::new();
    for benefit in Benefit::BOTH {
        let (place, about) = (Place::Shops(benefit), about(benefit));
        let mut table = by_strategy(group, place, format!("{}, {about}", group.name), &strategies);
        let mean = |what: &str, spec: &str| {
            let values = values(group, place, what, spec);
            (!values.is_empty()).then(|| mean_and_half_width(&values).0)
        };
        if let Some(ceiling) = mean(CEILING, STRATEGIES[0].spec) {
            table.notes.push(format!(
                "In the focused loop {:.1} % of the targets can be found by any ordering.",
                100.0 * ceiling
            ));
        }
        let each = |what: &str| -> Vec<String> {
            let of =
                |o: &super::PaperStrategy| Some(format!("{} {:.0}", o.name, mean(what, o.spec)?));
            STRATEGIES.iter().filter_map(of).collect()
        };
        table.notes.push(format!("Fetches until the first target: {}.", each(FIRST).join(", ")));
        table.notes.push(format!("Pages fetched: {}.", each(FETCHED).join(", ")));
        tables.push(table);
    }
    let cfs: Vec<_> = CFS.iter().map(|cf| (jlse(*cf), format!("cf = {cf}"))).collect();
    let title = format!("{}, JLSE learning anew every cf targets", group.name);
    let mut table = by_strategy(group, SHOP, title, &cfs);
    table.notes.push(format!(
        "The paper tries 50 to 200 and finds 150 best, of classes whose size it does not say. Here a \
         topic has some 150 targets, so a tenth of its values is tried, and more on both sides; {CF} \
         stands for its 150."
    ));
    tables.push(table);
    let readings: Vec<_> =
        READINGS.iter().map(|(spec, _)| ((*spec).to_owned(), (*spec).to_owned())).collect();
    let title = format!("{}, readings of what the paper leaves open", group.name);
    let mut table = by_strategy(group, SHOP, title, &readings);
    table.notes.push(
        "leaf:zero: a target's own Q is 0, to the letter, not rd; normalise:max: scores of matches \
         are divided by the largest, not by the root of their sum of squares; rescore:true: links \
         that wait are scored anew after learning, which the paper does not say."
            .to_owned(),
    );
    tables.push(table);
    tables
}

fn about(benefit: Benefit) -> &'static str {
    match benefit {
        Benefit::Delayed => "shops whose links keep silent",
        Benefit::Direct => "the control: the same shops with links that say what they lead to",
    }
}

/// A table with one row per strategy.
fn by_strategy(group: &Group<'_>, place: Place, title: String, rows: &[(String, String)]) -> Table {
    let heads = COLUMNS.iter().map(|(head, _)| (*head).to_owned());
    let row = |(spec, name): &(String, String)| TableRow {
        name: name.clone(),
        cells: COLUMNS
            .iter()
            .map(|(_, what)| Cell::of(&values(group, place, what, spec)))
            .collect(),
    };
    Table {
        title,
        unit: Unit::Share,
        heads: ["ordering".to_owned()].into_iter().chain(heads).collect(),
        rows: rows.iter().map(row).collect(),
        notes: Vec::new(),
    }
}

/// A table with one row per strategy, one column per topic, and the mean of all.
fn at_universities(group: &Group<'_>) -> Table {
    let topics = universities::TOPICS;
    let heads = ["ordering".to_owned(), "all".to_owned()];
    let row = |spec: &&str| {
        let all = values(group, Place::Universities, HARVEST, spec);
        let of_topic = |topic: &str| {
            let named = universities::PLACES.iter();
            let names = named.map(|at| super::name(HARVEST, spec, topic, at));
            Cell::of(&names.flat_map(|name| group.each(&name)).collect::<Vec<_>>())
        };
        let cells = [Cell::of(&all)].into_iter().chain(topics.iter().map(|t| of_topic(t)));
        TableRow { name: (*spec).to_owned(), cells: cells.collect() }
    };
    let pairs = topics.len() * universities::PLACES.len();
    Table {
        title: format!(
            "{}, harvest rate after {} fetches, each university crawled with what was learnt from \
             the others",
            group.name,
            universities::N_FETCHES
        ),
        unit: Unit::Share,
        heads: heads.into_iter().chain(topics.map(str::to_owned)).collect(),
        rows: universities::STRATEGIES.iter().map(row).collect(),
        notes: vec![format!(
            "Intervals are over {pairs} pairs of topic and university, and over the universities \
             within a topic. Every page about a topic is looked for, so the focused loop, which \
             follows no links of results, would end at once: all links are followed."
        )],
    }
}

pub(super) fn figures(group: &Group<'_>) -> Vec<Figure> {
    let id = |what: &str| format!("{}-{what}", group.name.replace(' ', "-"));
    if group.is_real() {
        let specs: Vec<_> = universities::STRATEGIES.iter().map(|s| (*s, *s, [None; 2])).collect();
        return vec![Figure {
            id: id("harvest"),
            title: format!("{}, harvest rate", group.name),
            x: "pages fetched".to_owned(),
            at: places(&points(universities::N_FETCHES)),
            y: "harvest rate".to_owned(),
            unit: Unit::Share,
            lines: lines(group, Place::Universities, HARVEST, &specs),
            ..Figure::default()
        }];
    }
    let n = group.webs.iter().map(|web| n_fetches(web.n_pages)).min().unwrap_or(0);
    let figure = |benefit: Benefit, what: &str, noun: &str, marks: &Marks| {
        let place = Place::Shops(benefit);
        let specs: Vec<_> = STRATEGIES.iter().map(|o| (o.spec, o.name, marks(o))).collect();
        let mut lines = lines(group, place, what, &specs);
        if what == RECALL {
            lines.extend(ceiling(group, place));
        }
        Figure {
            id: id(&format!("{}-{}", benefit.word(), noun.replace(' ', "-"))),
            title: format!("{noun}, {}", about(benefit)),
            x: "pages fetched".to_owned(),
            at: places(&points(n)),
            y: noun.to_owned(),
            unit: Unit::Share,
            lines,
            ..Figure::default()
        }
    };
    let none: &Marks = &|_| [None; 2];
    vec![
        figure(Benefit::Delayed, HARVEST, "harvest rate", &|o| o.harvest.map(Some)),
        figure(Benefit::Delayed, RECALL, "target recall", &|o| [None, Some(o.recall)]),
        figure(Benefit::Delayed, DELAYED, "delayed benefit", none),
        figure(Benefit::Direct, HARVEST, "harvest rate", none),
        figure(Benefit::Direct, RECALL, "target recall", none),
        of_cf(group, id("cf")),
    ]
}

/// The paper's printed values of a strategy at the first and the last N.
type Marks = dyn Fn(&super::PaperStrategy) -> [Option<f64>; 2];

fn lines(
    group: &Group<'_>,
    place: Place,
    what: &str,
    specs: &[(&str, &str, [Option<f64>; 2])],
) -> Vec<Line> {
    let line = |(spec, name, marks): &(&str, &str, [Option<f64>; 2])| {
        let curves = curves(group, place, what, spec);
        let n = curves.iter().map(Vec::len).min()?;
        let at = |i: usize| mean_and_half_width(&curves.iter().map(|c| c[i]).collect::<Vec<_>>());
        let (values, half_widths) = (0..n).map(at).unzip();
        Some(Line {
            name: (*name).to_owned(),
            values,
            half_widths,
            is_bound: false,
            points: Vec::new(),
            marks: *marks,
        })
    };
    specs.iter().filter_map(line).collect()
}

/// Maximum recall in the focused loop.
fn ceiling(group: &Group<'_>, place: Place) -> Option<Line> {
    let cell = Cell::of(&values(group, place, CEILING, STRATEGIES[0].spec))?;
    Some(Line {
        name: "ceiling in the loop".to_owned(),
        values: vec![cell.mean; super::N_POINTS as usize],
        half_widths: Vec::new(),
        is_bound: true,
        points: Vec::new(),
        marks: [None; 2],
    })
}

/// Figure 5: the effect of cf.
fn of_cf(group: &Group<'_>, id: String) -> Figure {
    let line = |name: &str, what: &str| {
        let cells: Option<Vec<Cell>> =
            CFS.iter().map(|cf| Cell::of(&values(group, SHOP, what, &jlse(*cf)))).collect();
        let cells = cells?;
        Some(Line {
            name: name.to_owned(),
            values: cells.iter().map(|cell| cell.mean).collect(),
            half_widths: cells.iter().map(|cell| cell.half_width).collect(),
            is_bound: false,
            points: Vec::new(),
            marks: [None; 2],
        })
    };
    Figure {
        id,
        title: format!("{}, JLSE learning anew every cf targets", group.name),
        x: "cf (a tenth of the paper's)".to_owned(),
        at: places(&CFS),
        y: "mean over a crawl".to_owned(),
        unit: Unit::Share,
        lines: [line("target recall", RECALL_AREA), line("harvest rate", HARVEST_AREA)]
            .into_iter()
            .flatten()
            .collect(),
        ..Figure::default()
    }
}
