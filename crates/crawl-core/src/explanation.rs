//! Why a score is what it is: a tree whose every node can be checked.

use crate::UrlId;
use crate::formula::{self, Function};
use crawl_world::order;

/// A number, how it comes from other numbers, and what was seen that makes it so.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What the number is, in the papers' own words.
    pub label: String,
    /// How it comes from the children.
    pub op: Op,
    /// The number.
    pub value: f64,
    /// What it is made of.
    pub children: Vec<Explanation>,
    /// What was seen.
    pub evidence: Vec<Evidence>,
}

/// How a value comes from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// It was seen, counted or set; there are no children.
    Given,
    /// The sum of all children.
    Sum,
    /// The product of all children.
    Product,
    /// The first child divided by the second.
    Quotient,
    /// The first child less all others.
    Difference,
    /// The only child with its sign turned.
    Negative,
    /// The largest child.
    Max,
    /// The smallest child.
    Min,
    /// An operator or function of a formula, applied to all children.
    Applied(Function),
    /// The only child as a score: see [`formula::bounded`].
    Bounded,
}

/// What a number rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A page that was fetched, and as which.
    Fetched(UrlId),
    /// A URL that was discovered.
    Discovered(UrlId),
    /// Anything else worth saying.
    Note(String),
}

/// How many parts of a long sum are shown one by one.
pub const MAX_PARTS: usize = 8;

impl Explanation {
    /// A number that was seen, counted or set.
    pub fn given(label: impl Into<String>, value: f64) -> Self {
        Self { label: label.into(), op: Op::Given, value, children: vec![], evidence: vec![] }
    }

    /// A number made of others.
    pub fn of(label: impl Into<String>, op: Op, children: Vec<Self>) -> Self {
        let value = op.combine(children.iter().map(|c| c.value));
        Self { label: label.into(), op, value, children, evidence: vec![] }
    }

    /// A sum over many parts: the largest are shown, the rest is one part called "others".
    pub fn sum(label: impl Into<String>, mut parts: Vec<Self>) -> Self {
        if parts.len() > MAX_PARTS {
            // Largest first, and of equals the one seen first.
            parts = order::arranged(parts, |part| order::falling(part.value.abs()));
            let rest = parts.split_off(MAX_PARTS - 1);
            let sum = rest.iter().map(|part| part.value).sum();
            parts.push(Self::given(format!("{} others", rest.len()), sum));
        }
        Self::of(label, Op::Sum, parts)
    }

    /// The same with a thing that was seen.
    #[must_use]
    pub fn with(mut self, evidence: Evidence) -> Self {
        self.evidence.push(evidence);
        self
    }

    /// The same with its value as the strategy keeps it, where summing in another order has
    /// changed the last digits.
    #[must_use]
    pub fn valued(mut self, value: f64) -> Self {
        self.value = value;
        self
    }

    /// The node that does not follow from its children to within 1e-12 of its size, if any.
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

/// Equal to 1e-12 of their size, or both no number.
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

    /// How the formula is written: between children, or before the only one.
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
