//! What came out of trying a document: the same numbers for people, programs and pictures.

use crate::document::{Document, Findings};
use crate::judge::{Claim, mean_and_half_width};
use crate::plot::plain;
use crate::tried::Tried;
use serde::{Deserialize, Serialize};

/// Everything that came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The document's letter.
    pub document: String,
    /// Whose it is.
    pub title: String,
    /// What the numbers in its tables are.
    pub caption: String,
    /// Every claim, held or not.
    pub claims: Vec<Claim>,
    /// The numbers behind them.
    pub tables: Vec<Table>,
    /// The same as curves.
    pub figures: Vec<Figure>,
    /// What was measured on each web, from which all of the above follows.
    pub webs: Vec<Tried>,
}

impl Report {
    /// What follows from everything that was tried.
    pub(crate) fn new(document: &Document, tried: &[Tried]) -> Self {
        let Findings { claims, tables, figures } = (document.findings)(tried);
        Self {
            document: document.id.to_owned(),
            title: document.title.to_owned(),
            caption: document.caption.to_owned(),
            claims,
            tables,
            figures,
            webs: tried.to_vec(),
        }
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Parts of a whole, in percent.
    Share,
    /// As they are.
    #[default]
    Number,
    /// The same to four places.
    Fine,
    /// Parts of what is true: 1 is all of it.
    Ratio,
}

/// Means over webs taken together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows, and of which webs.
    pub title: String,
    /// How its numbers are written.
    pub unit: Unit,
    /// The heads: of the names, and of each column.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What must be known to read it.
    pub notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// A number a column, where there is one.
    pub cells: Vec<Option<Cell>>,
}

/// A number of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The mean over the webs.
    pub mean: f64,
    /// Half the width of its 95 % interval; 0 for a single web.
    pub half_width: f64,
}

impl Cell {
    /// The mean of numbers, where there are any.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let (mean, half_width) = mean_and_half_width(values);
        (!values.is_empty()).then_some(Self { mean, half_width })
    }
}

/// Curves over the same axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name, which can be part of a file's.
    pub id: String,
    /// What it shows, and of which webs.
    pub title: String,
    /// What the axis below is.
    pub x: String,
    /// How a place on it is called where it is read.
    pub symbol: String,
    /// Whether that axis is logarithmic.
    pub is_log: bool,
    /// Where on it the values stand, rising.
    pub at: Vec<f64>,
    /// What the values are.
    pub y: String,
    /// How they are written.
    pub unit: Unit,
    /// Values above this are not drawn.
    pub most: Option<f64>,
    /// The curves.
    pub lines: Vec<Line>,
    /// What is claimed of a part of it.
    pub zones: Vec<Zone>,
    /// What must be known to read it.
    pub notes: Vec<String>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
    /// Half the width of the interval around each; empty for none.
    pub half_widths: Vec<f64>,
    /// Whether it is a bound, drawn thin and dashed.
    pub is_bound: bool,
    /// What was measured where the curve should run.
    pub points: Vec<Point>,
    /// What the document printed for the first and the last value, where it did.
    pub marks: [Option<f64>; 2],
}

/// What was measured at one place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Where: one of the figure's places.
    pub at: f64,
    /// What was measured.
    pub cell: Cell,
}

/// A part of a figure within which curves are claimed to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// From where to where, along the axis below.
    pub x: [f64; 2],
    /// The same of the values.
    pub y: [f64; 2],
    /// What is claimed, and what became of it.
    pub says: String,
}

/// Whole numbers as places on an axis.
pub(crate) fn places(at: &[u32]) -> Vec<f64> {
    at.iter().copied().map(f64::from).collect()
}

impl Figure {
    /// Where something was measured, rising.
    pub fn measured(&self) -> Vec<f64> {
        let mut at: Vec<f64> =
            self.lines.iter().flat_map(|line| &line.points).map(|point| point.at).collect();
        at.sort_by(f64::total_cmp);
        at.dedup();
        at
    }

    /// Each curve where something was measured: its value there, and what was measured.
    pub fn reading(&self, at: f64) -> impl Iterator<Item = (&Line, Option<f64>, Option<Cell>)> {
        let place = self.at.iter().position(|place| *place == at);
        self.lines.iter().map(move |line| {
            let point = line.points.iter().find(|point| point.at == at);
            let value = place.and_then(|place| line.values.get(place).copied());
            (line, value, point.map(|point| point.cell))
        })
    }

    /// All that was measured, a row a place, beside the curves.
    pub fn numbers(&self) -> Table {
        let heads = self.lines.iter().flat_map(|line| {
            [format!("{}, exact", line.name), format!("{}, simulated", line.name)]
        });
        let row = |at: f64| Row {
            name: plain(at),
            cells: self
                .reading(at)
                .flat_map(|(_, value, cell)| {
                    [value.map(|mean| Cell { mean, half_width: 0.0 }), cell]
                })
                .collect(),
        };
        Table {
            title: self.title.clone(),
            unit: self.unit,
            heads: [self.x.clone()].into_iter().chain(heads).collect(),
            rows: self.measured().into_iter().map(row).collect(),
            notes: self.notes.clone(),
        }
    }
}
