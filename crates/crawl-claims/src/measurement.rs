//! Measurements on one web.

use crate::judge::mean_and_half_width;
use serde::{Deserialize, Serialize};

/// Measurements on one web; each document chooses its own names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Name of the web.
    pub web: String,
    /// Whether the web is real rather than generated.
    pub is_real: bool,
    /// Number of pages.
    pub n_pages: u32,
    /// Named numbers.
    pub numbers: Vec<Number>,
    /// Named series of numbers.
    pub series: Vec<Series>,
}

/// A named number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// Name.
    pub name: String,
    /// Value.
    pub value: f64,
}

/// A named series of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name.
    pub name: String,
    /// Values.
    pub values: Vec<f64>,
}

impl Measurement {
    /// No measurements yet.
    pub fn new(web: String, is_real: bool, n_pages: u32) -> Self {
        Self { web, is_real, n_pages, numbers: Vec::new(), series: Vec::new() }
    }

    /// Records a number.
    pub fn record(&mut self, name: String, value: f64) {
        self.numbers.push(Number { name, value });
    }

    /// A number, if it was measured.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|number| number.name == name).map(|number| number.value)
    }

    /// A series, if it was measured.
    pub fn values(&self, name: &str) -> Option<&[f64]> {
        self.series.iter().find(|series| series.name == name).map(|series| series.values.as_slice())
    }
}

/// Webs that are evaluated together.
pub(crate) struct Group<'a> {
    /// Name of the group.
    pub(crate) name: String,
    /// The webs.
    pub(crate) webs: Vec<&'a Measurement>,
}

/// Groups webs: all generated ones together, each real one alone.
pub(crate) fn groups(measured: &[Measurement]) -> Vec<Group<'_>> {
    let (real, generated): (Vec<&Measurement>, Vec<&Measurement>) =
        measured.iter().partition(|measured| measured.is_real);
    let mut groups = Vec::new();
    if !generated.is_empty() {
        let noun = if generated.len() == 1 { "web" } else { "webs" };
        groups
            .push(Group { name: format!("{} generated {noun}", generated.len()), webs: generated });
    }
    groups.extend(real.into_iter().map(|web| Group { name: web.web.clone(), webs: vec![web] }));
    groups
}

impl Group<'_> {
    /// Whether its webs are real.
    pub(crate) fn is_real(&self) -> bool {
        self.webs.iter().any(|web| web.is_real)
    }

    /// The values of a number, one per web that has it.
    pub(crate) fn each(&self, name: &str) -> Vec<f64> {
        self.webs.iter().filter_map(|web| web.number(name)).collect()
    }

    /// Mean of a number over the webs that have it.
    pub(crate) fn mean(&self, name: &str) -> Option<f64> {
        let values = self.each(name);
        (!values.is_empty()).then(|| mean_and_half_width(&values).0)
    }

    /// Differences `one` − `other`, one per web that has both.
    pub(crate) fn leads(&self, one: &str, other: &str) -> Vec<f64> {
        let lead = |web: &&Measurement| Some(web.number(one)? - web.number(other)?);
        self.webs.iter().filter_map(lead).collect()
    }

    /// Mean of a series over the webs, and half-widths of its 95 % intervals.
    pub(crate) fn band(&self, name: &str) -> Option<(Vec<f64>, Vec<f64>)> {
        let all: Vec<&[f64]> = self.webs.iter().filter_map(|web| web.values(name)).collect();
        let n = all.iter().map(|values| values.len()).min()?;
        let at = |i: usize| mean_and_half_width(&all.iter().map(|v| v[i]).collect::<Vec<_>>());
        Some((0..n).map(at).unzip())
    }
}
