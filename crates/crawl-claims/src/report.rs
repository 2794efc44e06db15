//! The report on an experiment: claims, tables, figures and measurements.

use crate::document::{Document, Findings};
use crate::judge::{Claim, mean_and_half_width};
use crate::measurement::Measurement;
use crate::plot::plain;
use serde::{Deserialize, Serialize};

/// The report on an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Id of the document.
    pub document: String,
    /// Authors.
    pub title: String,
    /// What the numbers in its tables mean.
    pub caption: String,
    /// Claims with their verdicts.
    pub claims: Vec<Claim>,
    /// Tables of numbers.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// Measurements on each web, from which everything else follows.
    pub webs: Vec<Measurement>,
}

impl Report {
    /// Evaluates the measurements.
    pub(crate) fn new(document: &Document, measured: &[Measurement]) -> Self {
        let Findings { claims, tables, figures } = (document.findings)(measured);
        Self {
            document: document.id.to_owned(),
            title: document.title.to_owned(),
            caption: document.caption.to_owned(),
            claims,
            tables,
            figures,
            webs: measured.to_vec(),
        }
    }
}

/// Number formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A share, in percent.
    Share,
    /// A number.
    #[default]
    Number,
    /// A number with four decimals.
    Fine,
    /// A ratio to the true value.
    Ratio,
}

/// A table of means over webs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows, and on which webs.
    pub title: String,
    /// Number format.
    pub unit: Unit,
    /// Column headings, the first for the row names.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// Notes below the table.
    pub notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// Its name.
    pub name: String,
    /// One number per column, if measured.
    pub cells: Vec<Option<Cell>>,
}

/// A number of a table with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Mean over the webs.
    pub mean: f64,
    /// Half-width of the 95 % interval; 0 for a single web.
    pub half_width: f64,
}

impl Cell {
    /// The mean of the values; `None` if there are none.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let (mean, half_width) = mean_and_half_width(values);
        (!values.is_empty()).then_some(Self { mean, half_width })
    }
}

/// Curves over a common axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Id, usable in file names.
    pub id: String,
    /// What it shows, and on which webs.
    pub title: String,
    /// Label of the x axis.
    pub x: String,
    /// Symbol of the x axis in readings.
    pub symbol: String,
    /// Whether the x axis is logarithmic.
    pub is_log: bool,
    /// x values in ascending order.
    pub at: Vec<f64>,
    /// Label of the y axis.
    pub y: String,
    /// Number format of the y axis.
    pub unit: Unit,
    /// Values above this are not drawn.
    pub most: Option<f64>,
    /// The curves.
    pub lines: Vec<Line>,
    /// Areas about which something is claimed.
    pub zones: Vec<Zone>,
    /// Notes below the figure.
    pub notes: Vec<String>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
    /// Half-widths of the intervals; empty for none.
    pub half_widths: Vec<f64>,
    /// Whether it is a bound, drawn as a dashed line.
    pub is_bound: bool,
    /// Measured points of the curve.
    pub points: Vec<Point>,
    /// The paper's printed values at the first and last x.
    pub marks: [Option<f64>; 2],
}

/// A measured point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// x value, one of the figure's.
    pub at: f64,
    /// Measured value.
    pub cell: Cell,
}

/// A rectangle in which curves are claimed to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// Range on the x axis.
    pub x: [f64; 2],
    /// Range on the y axis.
    pub y: [f64; 2],
    /// The claim and its verdict.
    pub says: String,
}

/// Integers as x values.
pub(crate) fn places(at: &[u32]) -> Vec<f64> {
    at.iter().copied().map(f64::from).collect()
}

impl Figure {
    /// x values with measured points, in ascending order.
    pub fn measured(&self) -> Vec<f64> {
        let mut at: Vec<f64> =
            self.lines.iter().flat_map(|line| &line.points).map(|point| point.at).collect();
        at.sort_by(f64::total_cmp);
        at.dedup();
        at
    }

    /// At x value `at`: each curve with its value and its measured point.
    pub fn reading(&self, at: f64) -> impl Iterator<Item = (&Line, Option<f64>, Option<Cell>)> {
        let place = self.at.iter().position(|place| *place == at);
        self.lines.iter().map(move |line| {
            let point = line.points.iter().find(|point| point.at == at);
            let value = place.and_then(|place| line.values.get(place).copied());
            (line, value, point.map(|point| point.cell))
        })
    }

    /// All measured points as a table, one row per x value, with the values of the curves.
    pub fn numbers(&self) -> Table {
        let heads = self.lines.iter().flat_map(|line| {
            [format!("{}, exact", line.name), format!("{}, simulated", line.name)]
        });
        let row = |at: f64| TableRow {
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
