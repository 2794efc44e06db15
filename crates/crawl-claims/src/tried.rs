//! What was measured on one web.

use crate::judge::mean_and_half_width;
use serde::{Deserialize, Serialize};

/// What was measured on one web. Names are the document's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The web's name.
    pub web: String,
    /// Whether it was crawled, not generated.
    pub is_real: bool,
    /// How many pages it has.
    pub n_pages: u32,
    /// Single numbers.
    pub numbers: Vec<Number>,
    /// Numbers that follow each other.
    pub series: Vec<Series>,
}

/// A number and what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// What it is.
    pub name: String,
    /// The number.
    pub value: f64,
}

/// Numbers that follow each other, and what they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// The numbers.
    pub values: Vec<f64>,
}

impl Tried {
    /// Nothing yet.
    pub fn new(web: String, is_real: bool, n_pages: u32) -> Self {
        Self { web, is_real, n_pages, numbers: Vec::new(), series: Vec::new() }
    }

    /// Writes a number down.
    pub fn note(&mut self, name: String, value: f64) {
        self.numbers.push(Number { name, value });
    }

    /// A number, where it was measured.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|number| number.name == name).map(|number| number.value)
    }

    /// A series, where it was measured.
    pub fn values(&self, name: &str) -> Option<&[f64]> {
        self.series.iter().find(|series| series.name == name).map(|series| series.values.as_slice())
    }
}

/// Webs that are judged together.
pub(crate) struct Group<'a> {
    /// What they are called.
    pub(crate) name: String,
    /// The webs.
    pub(crate) webs: Vec<&'a Tried>,
}

/// The generated webs together, and each real one.
pub(crate) fn groups(tried: &[Tried]) -> Vec<Group<'_>> {
    let (real, generated): (Vec<&Tried>, Vec<&Tried>) =
        tried.iter().partition(|tried| tried.is_real);
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

    /// A number on each web that has it.
    pub(crate) fn each(&self, name: &str) -> Vec<f64> {
        self.webs.iter().filter_map(|web| web.number(name)).collect()
    }

    /// The mean of a number over the webs that have it.
    pub(crate) fn mean(&self, name: &str) -> Option<f64> {
        let values = self.each(name);
        (!values.is_empty()).then(|| mean_and_half_width(&values).0)
    }

    /// How much larger one number is than another, on each web that has both.
    pub(crate) fn leads(&self, one: &str, other: &str) -> Vec<f64> {
        let lead = |web: &&Tried| Some(web.number(one)? - web.number(other)?);
        self.webs.iter().filter_map(lead).collect()
    }

    /// The mean of a series over the webs, and half the widths of its intervals.
    pub(crate) fn band(&self, name: &str) -> Option<(Vec<f64>, Vec<f64>)> {
        let all: Vec<&[f64]> = self.webs.iter().filter_map(|web| web.values(name)).collect();
        let n = all.iter().map(|values| values.len()).min()?;
        let at = |i: usize| mean_and_half_width(&all.iter().map(|v| v[i]).collect::<Vec<_>>());
        Some((0..n).map(at).unzip())
    }
}
