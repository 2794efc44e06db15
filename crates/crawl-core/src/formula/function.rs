//! Operators and functions of formulas.

use crawl_catalogue::Word;
use std::borrow::Cow;

/// An operator or function of one, two or three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the signs and helps below say what each is")]
pub enum Function {
    Negative,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
    Min,
    Max,
    If,
    Abs,
    Sqrt,
    Exp,
    Log,
    Log2,
    Log10,
}

/// Infix operators and their precedence; longer ones first.
pub(super) const OPERATORS: &[(&str, Function, u8)] = &[
    ("<=", Function::AtMost, COMPARES),
    (">=", Function::AtLeast, COMPARES),
    ("!=", Function::Unequal, COMPARES),
    ("==", Function::Equal, COMPARES),
    ("=", Function::Equal, COMPARES),
    ("<", Function::Less, COMPARES),
    (">", Function::Greater, COMPARES),
    ("≤", Function::AtMost, COMPARES),
    ("≥", Function::AtLeast, COMPARES),
    ("≠", Function::Unequal, COMPARES),
    ("+", Function::Add, 2),
    ("-", Function::Subtract, 2),
    ("−", Function::Subtract, 2),
    ("*", Function::Multiply, 3),
    ("×", Function::Multiply, 3),
    ("/", Function::Divide, 3),
    ("÷", Function::Divide, 3),
    ("^", Function::Power, POWER),
];
pub(super) const COMPARES: u8 = 1;
pub(super) const POWER: u8 = 4;

/// The named functions, in the order of the help, with the help of each.
macro_rules! functions {
    ($($name:literal $function:ident $help:literal;)*) => {
        /// Names and help texts of the functions.
        pub const FUNCTIONS: &[Word] = &[$(Word {
            name: Cow::Borrowed($name),
            help: Cow::Borrowed($help),
        }),*];
        pub(super) const NAMED: &[(&str, Function)] = &[$(($name, Function::$function)),*];
    };
}

functions! {
    "min" Min "min(a, b, …): the smallest.";
    "max" Max "max(a, b, …): the largest.";
    "if" If "if(c, a, b): a where c holds (is not 0), b elsewhere.";
    "abs" Abs "abs(a): a without its sign.";
    "sqrt" Sqrt "sqrt(a): the square root.";
    "pow" Power "pow(a, b): a to the power of b, as a ^ b.";
    "exp" Exp "exp(a): e to the power of a.";
    "log" Log "log(a): the natural logarithm.";
    "log2" Log2 "log2(a): the logarithm to base 2.";
    "log10" Log10 "log10(a): the logarithm to base 10.";
}

impl Function {
    /// Number of operands; min and max take two at a time.
    pub const fn takes(self) -> usize {
        match self {
            Self::If => 3,
            Self::Negative | Self::Abs | Self::Sqrt => 1,
            Self::Exp | Self::Log | Self::Log2 | Self::Log10 => 1,
            _ => 2,
        }
    }

    /// Evaluates the function; surplus operands are ignored. Uses `libm`, so that all machines give
    /// the same last digit.
    #[inline]
    pub fn of(self, [a, b, c]: [f64; 3]) -> f64 {
        match self {
            Self::Negative => 0.0 - a,
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => libm::pow(a, b),
            Self::Less => f64::from(a < b),
            Self::AtMost => f64::from(a <= b),
            Self::Greater => f64::from(a > b),
            Self::AtLeast => f64::from(a >= b),
            Self::Equal => f64::from(a == b),
            Self::Unequal => f64::from(a != b),
            // NaN on either side gives NaN; of 0 and −0 the first wins. `f64::min` leaves that
            // open.
            Self::Min if b < a || b.is_nan() => b,
            Self::Max if b > a || b.is_nan() => b,
            Self::Min | Self::Max => a,
            Self::If if a != 0.0 && !a.is_nan() => b,
            Self::If => c,
            Self::Abs => a.abs(),
            Self::Sqrt => libm::sqrt(a),
            Self::Exp => libm::exp(a),
            Self::Log => libm::log(a),
            Self::Log2 => libm::log2(a),
            Self::Log10 => libm::log10(a),
        }
    }

    /// Evaluates the function on the first numbers of a list.
    pub fn of_all(self, values: impl Iterator<Item = f64>) -> f64 {
        let mut taken = [0.0; 3];
        taken.iter_mut().zip(values).for_each(|(to, value)| *to = value);
        self.of(taken)
    }

    /// The infix operator, or the function's name.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Negative | Self::Subtract => "−",
            Self::Multiply => "×",
            Self::Divide => "÷",
            Self::Power => "^",
            _ => {
                let sign = OPERATORS.iter().find(|(_, function, _)| *function == self);
                let name = NAMED.iter().find(|(_, function)| *function == self);
                sign.map(|sign| sign.0).or(name.map(|name| name.0)).unwrap_or_default()
            }
        }
    }
}
