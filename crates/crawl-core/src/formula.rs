//! Formulas that people type, such as `backlinks / (1 + depth)`.
//!
//! A text is read once into a flat list of steps in postfix order, which is worked through with a
//! small stack: no tree is walked, nothing is allocated, and nothing that is typed can make it
//! recurse. What may be typed: numbers, variables, `+ − * / ^`, brackets, comparisons (`< <= > >= =
//! !=`, 1 where they hold and 0 elsewhere) and the functions of [`FUNCTIONS`]. Powers bind strongest
//! and are taken from the right, so that −2 ^ 2 is −4; then come sign, product, sum, comparison.
//!
//! Which variables there are is its user's to say.

mod function;
mod read;
#[cfg(test)]
mod tests;

pub use function::{FUNCTIONS, Function};

use crate::{Explanation, MAX_PARTS, Op};
use crawl_catalogue::{Fault, Word};

/// Longest formula, in characters.
pub const MAX_CHARS: usize = 2000;
/// Most brackets, signs and powers within another.
const MAX_DEPTH: usize = 32;
/// Most numbers, variables, operators and functions in a formula.
const MAX_STEPS: usize = 256;
/// Most numbers on the stack.
const ROOM: usize = 40;

/// Scores lie between −`LIMIT` and `LIMIT`.
pub const LIMIT: f64 = 1e300;

/// A formula, read and ready.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    steps: Vec<Step>,
}

/// A step, and which bytes of the text it and what it is made of stand in.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    code: Code,
    from: u16,
    to: u16,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    Number(f64),
    /// A variable, by its place in the list.
    Name(u8),
    Apply(Function),
}

impl Code {
    const fn takes(self) -> usize {
        match self {
            Self::Apply(function) => function.takes(),
            _ => 0,
        }
    }
}

impl Default for Formula {
    /// Nothing: 0 for every URL.
    fn default() -> Self {
        let step = Step { code: Code::Number(0.0), from: 0, to: 1 };
        Self { text: "0".to_owned(), steps: vec![step] }
    }
}

impl Formula {
    /// How many numbers, variables, operators and functions it has.
    #[expect(clippy::len_without_is_empty, reason = "none is empty")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Reads a formula with these variables.
    ///
    /// # Errors
    /// What is wrong with the text, and at which character.
    pub fn read(text: &str, variables: &[Word]) -> Result<Self, Fault> {
        let text = text.to_owned();
        match read::Reader::read(&text, variables) {
            Ok(steps) => Ok(Self { text, steps }),
            Err((at, message)) => {
                let at = text[..at].chars().count();
                Err(Fault { text, at, message })
            }
        }
    }

    /// The variables it has, by their place in the list.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|step| match step.code {
            Code::Name(at) => Some(at.into()),
            _ => None,
        })
    }

    /// Its value, as a score: see [`bounded`].
    #[inline]
    pub fn score(&self, variable: impl FnMut(usize) -> f64) -> f64 {
        bounded(self.value(variable))
    }

    fn value(&self, mut variable: impl FnMut(usize) -> f64) -> f64 {
        // Room for what the last operator does not take.
        let mut stack = [0.0; ROOM + 3];
        let mut n = 0;
        for step in &self.steps {
            let value = match step.code {
                Code::Number(number) => number,
                Code::Name(at) => variable(at.into()),
                Code::Apply(function) => {
                    n -= function.takes();
                    function.of([stack[n], stack[n + 1], stack[n + 2]])
                }
            };
            stack[n] = value;
            n += 1;
        }
        stack[0]
    }

    /// Its value as a tree: every operator with what it is applied to, called by its own text.
    pub fn explain(&self, mut variable: impl FnMut(usize) -> Explanation) -> Explanation {
        let mut stack: Vec<(Code, Explanation)> = Vec::new();
        for Step { code, from, to } in self.steps.iter().copied() {
            let label = self.text.get(from.into()..to.into()).unwrap_or_default();
            let node = match code {
                Code::Number(number) => Explanation::given(label, number),
                Code::Name(at) => Explanation { label: label.to_owned(), ..variable(at.into()) },
                Code::Apply(function) => {
                    let parts = stack.split_off(stack.len() - function.takes());
                    let goes_on = parts.first().is_some_and(|(before, _)| *before == code);
                    applied(function, label, goes_on, parts.into_iter().map(|part| part.1))
                }
            };
            stack.push((code, node));
        }
        let root = stack.pop().map_or_else(|| Explanation::given("nothing", 0.0), |root| root.1);
        if root.value.abs() <= LIMIT {
            return root;
        }
        let label = if root.value.is_nan() { "no number, so it comes last" } else { "beyond all" };
        Explanation::of(label, Op::Bounded, vec![root])
    }
}

/// A number as a score: what is no number counts as the lowest score, and what is infinite or beyond
/// ±1e300 as the lowest or highest, so that scores can be compared, written and drawn.
pub fn bounded(value: f64) -> f64 {
    if value.is_nan() { -LIMIT } else { value.clamp(-LIMIT, LIMIT) }
}

/// An operator and what it is applied to; a long sum is one node and not a stair of them.
fn applied(
    function: Function,
    label: &str,
    goes_on: bool,
    parts: impl Iterator<Item = Explanation>,
) -> Explanation {
    let op = match function {
        Function::Negative => Op::Negative,
        Function::Add => Op::Sum,
        Function::Subtract => Op::Difference,
        Function::Multiply => Op::Product,
        Function::Divide => Op::Quotient,
        Function::Min => Op::Min,
        Function::Max => Op::Max,
        other => Op::Applied(other),
    };
    let mut parts: Vec<Explanation> = parts.collect();
    let value = function.of_all(parts.iter().map(|part| part.value));
    let many = matches!(op, Op::Sum | Op::Difference | Op::Product | Op::Min | Op::Max);
    if goes_on && many && parts[0].children.len() < MAX_PARTS {
        let before = std::mem::take(&mut parts[0].children);
        parts.splice(..1, before);
    }
    // To the last digit what the steps come to: an empty sum has a sign, which a quotient shows.
    Explanation::of(label, op, parts).valued(value)
}
