//! What came out of trying a document: the same numbers for people, programs and pictures.

use crate::document::{Document, Findings};
use crate::judge::{Claim, mean_and_half_width};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Parts of a whole, in percent.
    Share,
    /// As they are.
    Number,
    /// The same to four places.
    Fine,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name, which can be part of a file's.
    pub id: String,
    /// What it shows, and of which webs.
    pub title: String,
    /// What the axis below is.
    pub x: String,
    /// Where on it the values stand.
    pub at: Vec<u32>,
    /// What the values are.
    pub y: String,
    /// How they are written.
    pub unit: Unit,
    /// The curves.
    pub lines: Vec<Line>,
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
    /// Whether it was measured at single places, which are drawn as points with their intervals.
    pub is_points: bool,
    /// What the document printed for the first and the last value, where it did.
    pub marks: [Option<f64>; 2],
}
