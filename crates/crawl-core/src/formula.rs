//! Score formulas that users type, such as `backlinks / (1 + depth)`.
//!
//! A formula is parsed once into postfix order and evaluated with a small stack, without allocation
//! or recursion. Syntax: numbers, variables, `+ − * / ^`, parentheses, comparisons (`< <= > >= =
//! !=`, 1 if true, else 0) and the functions of [`FUNCTIONS`]. Precedence: power
//! (right-associative, so −2 ^ 2 is −4), sign, product, sum, comparison.
//!
//! The caller provides the variables.

mod function;
mod read;
#[cfg(test)]
mod tests;

pub use function::{FUNCTIONS, Function};

use crate::{Explanation, MAX_PARTS, Op};
use crawl_catalogue::{Fault, Word};

/// Maximum length of a formula, in characters.
pub const MAX_CHARS: usize = 2000;
/// Maximum nesting of parentheses, signs and powers.
const MAX_DEPTH: usize = 32;
/// Maximum number of numbers, variables, operators and functions.
const MAX_STEPS: usize = 256;
/// Size of the evaluation stack.
const ROOM: usize = 40;

/// Scores are clamped to ±`LIMIT`.
pub const LIMIT: f64 = 1e300;

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    steps: Vec<Step>,
}

/// A step, and the byte range of its text, operands included.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    code: Code,
    from: u16,
    to: u16,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    Number(f64),
    /// A variable, by its index.
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
    /// The formula `0`.
    fn default() -> Self {
        let step = Step { code: Code::Number(0.0), from: 0, to: 1 };
        Self { text: "0".to_owned(), steps: vec![step] }
    }
}

impl Formula {
    /// Number of numbers, variables, operators and functions.
    #[expect(clippy::len_without_is_empty, reason = "none is empty")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Parses a formula over the given variables.
    ///
    /// ```
    /// use crawl_catalogue::Word;
    /// use crawl_core::formula::Formula;
    ///
    /// let word = |name: &'static str| Word { name: name.into(), help: "".into() };
    /// let variables = [word("backlinks"), word("depth")];
    /// let formula = Formula::read("backlinks / (1 + depth)", &variables)?;
    /// assert_eq!(formula.score(|variable| [6.0, 1.0][variable]), 3.0);
    /// # Ok::<(), crawl_catalogue::Fault>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no valid formula: the fault and its position in characters.
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

    /// Indices of the variables it uses.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|step| match step.code {
            Code::Name(at) => Some(at.into()),
            _ => None,
        })
    }

    /// Evaluates the formula and clamps the result: see [`bounded`].
    #[inline]
    pub fn score(&self, variable: impl FnMut(usize) -> f64) -> f64 {
        bounded(self.value(variable))
    }

    fn value(&self, mut variable: impl FnMut(usize) -> f64) -> f64 {
        // Three more: operators with fewer operands read beyond the top.
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

    /// The evaluation as a tree; every operator is labelled with its text.
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
        let label =
            if root.value.is_nan() { "undefined, so it comes last" } else { "beyond ±1e300" };
        Explanation::of(label, Op::Bounded, vec![root])
    }
}

/// Clamps a number to the range of scores, ±1e300; NaN becomes the lowest score. So scores can be
/// compared, written and drawn.
pub fn bounded(value: f64) -> f64 {
    if value.is_nan() { -LIMIT } else { value.clamp(-LIMIT, LIMIT) }
}

/// An operator and its operands; a chain of the same operator becomes one node.
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
    // The exact value of the steps: an empty sum may be −0, which a quotient shows.
    Explanation::of(label, op, parts).valued(value)
}
