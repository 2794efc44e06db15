//! Explanations of scores: a tree whose every node can be checked.

use crate::UrlId;
use crate::formula::{self, Function};
use crawl_world::order;

/// A number, how it is computed from its children, and the evidence for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Name of the number, in the words of the paper.
    pub label: String,
    /// How it is computed from the children.
    pub op: Op,
    /// The number.
    pub value: f64,
    /// The operands.
    pub children: Vec<Explanation>,
    /// What the crawler saw.
    pub evidence: Vec<Evidence>,
}

/// How a value is computed from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Observed, counted or set; no children.
    Given,
    /// The sum of all children.
    Sum,
    /// The product of all children.
    Product,
    /// The first child divided by the second.
    Quotient,
    /// The first child minus all others.
    Difference,
    /// The only child, negated.
    Negative,
    /// The largest child.
    Max,
    /// The smallest child.
    Min,
    /// An operator or function of a formula, applied to all children.
    Applied(Function),
    /// The only child clamped to the range of scores: see [`formula::bounded`].
    Bounded,
}

/// What the crawler saw that a number is based on.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A fetched page, shown with its fetch number.
    Fetched(UrlId),
    /// A discovered URL.
    Discovered(UrlId),
    /// Free text.
    Note(String),
}

/// Number of parts of a long sum that are shown one by one.
pub const MAX_PARTS: usize = 8;

impl Explanation {
    /// A number that was observed, counted or set.
    pub fn given(label: impl Into<String>, value: f64) -> Self {
        Self { label: label.into(), op: Op::Given, value, children: vec![], evidence: vec![] }
    }

    /// A number computed from children.
    pub fn of(label: impl Into<String>, op: Op, children: Vec<Self>) -> Self {
        let value = op.combine(children.iter().map(|c| c.value));
        Self { label: label.into(), op, value, children, evidence: vec![] }
    }

    /// A sum over many parts: the largest are shown, the rest is one part called "others".
    pub fn sum(label: impl Into<String>, mut parts: Vec<Self>) -> Self {
        if parts.len() > MAX_PARTS {
            // Largest first; ties keep their order.
            parts = order::arranged(parts, |part| order::falling(part.value.abs()));
            let rest = parts.split_off(MAX_PARTS - 1);
            let sum = rest.iter().map(|part| part.value).sum();
            parts.push(Self::given(format!("{} others", rest.len()), sum));
        }
        Self::of(label, Op::Sum, parts)
    }

    /// Adds evidence.
    #[must_use]
    pub fn with(mut self, evidence: Evidence) -> Self {
        self.evidence.push(evidence);
        self
    }

    /// Sets the value that the strategy stores, which may differ in the last digits because of
    /// another order of summation.
    #[must_use]
    pub fn valued(mut self, value: f64) -> Self {
        self.value = value;
        self
    }

    /// Finds a node whose value differs from that of its children by more than 1e-12, relative.
    pub fn fault(&self) -> Option<&Self> {
        let combined = match self.op {
            Op::Given if self.children.is_empty() => self.value,
            op => op.combine(self.children.iter().map(|c| c.value)),
        };
        if !agree(combined, self.value) {
            return Some(self);
        }
        self.children.iter().find_map(Self::fault)
    }
}

/// True if both are equal to a relative 1e-12, or both NaN.
pub fn agree(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

impl Op {
    fn combine(self, mut values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Given => f64::NAN,
            Self::Sum => values.sum::<f64>() + 0.0,
            Self::Product => values.product(),
            Self::Quotient => match (values.next(), values.next()) {
                (Some(a), Some(b)) => a / b,
                _ => f64::NAN,
            },
            Self::Difference => {
                let first = values.next().unwrap_or(f64::NAN);
                values.fold(first, |a, b| a - b)
            }
            Self::Negative => values.next().map_or(f64::NAN, |a| 0.0 - a),
            Self::Max => values.fold(f64::NEG_INFINITY, |a, b| Function::Max.of([a, b, 0.0])),
            Self::Min => values.fold(f64::INFINITY, |a, b| Function::Min.of([a, b, 0.0])),
            Self::Applied(function) => function.of_all(values),
            Self::Bounded => formula::bounded(values.next().unwrap_or(f64::NAN)),
        }
    }

    /// The operator's symbol: infix, or prefix for one child.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Given => "",
            Self::Sum => "+",
            Self::Product => "×",
            Self::Quotient => "÷",
            Self::Difference | Self::Negative => "−",
            Self::Max => "max",
            Self::Min => "min",
            Self::Applied(function) => function.symbol(),
            Self::Bounded => "→",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sum_ends_in_others_and_still_adds_up() {
        let parts = (1..=20).map(|i| Explanation::given(format!("part {i}"), f64::from(i)));
        let sum = Explanation::sum("all", parts.collect());
        assert_eq!(sum.children.len(), MAX_PARTS);
        assert_eq!(sum.children[MAX_PARTS - 1].label, "13 others");
        assert_eq!(sum.value, 210.0);
        assert_eq!(sum.fault(), None);
    }

    #[test]
    fn a_wrong_number_anywhere_is_found() {
        let half = |a, b| {
            let parts = vec![Explanation::given("a", a), Explanation::given("b", b)];
            Explanation::of("half", Op::Quotient, parts)
        };
        let mut tree = Explanation::of("sum", Op::Sum, vec![half(1.0, 2.0), half(3.0, 2.0)]);
        assert_eq!(tree.value, 2.0);
        assert_eq!(tree.fault(), None);
        tree.children[1].children[0].value = 4.0;
        assert_eq!(tree.fault().map(|f| f.label.as_str()), Some("half"));
    }
}
