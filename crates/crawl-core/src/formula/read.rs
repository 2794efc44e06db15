//! Formula parser: operator precedence, directly into postfix order.

use super::function::{COMPARES, NAMED, OPERATORS, POWER};
use super::{Code, Function, MAX_CHARS, MAX_DEPTH, MAX_STEPS, ROOM, Step};
use crawl_catalogue::{Word, nearest, quoted};

/// Message if an operand is missing.
const OPERAND: &str = "expected a number, a name or an opening bracket";

/// True for characters of names: letters of any script, digits and `_`, but no operators.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !(c.is_ascii() || "≤≥≠−×÷\u{a0}".contains(c))
}

/// Byte offset and message of a syntax error.
pub(super) type Wrong = (usize, String);

pub(super) struct Reader<'a> {
    text: &'a str,
    /// Byte offset of the parser.
    at: usize,
    variables: &'a [Word],
    steps: Vec<Step>,
    /// Stack height after the steps so far.
    held: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn read(text: &'a str, variables: &'a [Word]) -> Result<Vec<Step>, Wrong> {
        let mut reader = Self { text, at: 0, variables, steps: Vec::new(), held: 0 };
        if let Some((at, _)) = text.char_indices().nth(MAX_CHARS) {
            return Err((at, format!("longer than {MAX_CHARS} characters")));
        }
        reader.expression(0, 0)?;
        if reader.at < text.len() {
            return reader.fail(if reader.rest().starts_with(')') {
                "unmatched closing bracket"
            } else {
                "expected an operator, such as + or *, or the end"
            });
        }
        Ok(reader.steps)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fail<T>(&self, message: &str) -> Result<T, Wrong> {
        Err((self.at, message.to_owned()))
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Consumes a character and the blanks after it, if it comes next.
    fn eat(&mut self, sign: char) -> bool {
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.at += sign.len_utf8();
            self.blanks();
        }
        is_there
    }

    /// Parses an operand and all following operators of at least this precedence.
    fn expression(&mut self, least: u8, depth: usize) -> Result<(), Wrong> {
        self.blanks();
        let start = self.at;
        self.operand(depth)?;
        let mut has_compared = false;
        while let Some((sign, function, strength)) =
            OPERATORS.iter().find(|operator| self.rest().starts_with(operator.0))
        {
            if *strength < least {
                break;
            }
            if *strength == COMPARES && std::mem::replace(&mut has_compared, true) {
                return self.fail(
                    "comparisons cannot be chained: use brackets, such as (a < b) * (b < c)",
                );
            }
            self.at += sign.len();
            // Powers are right-associative, all others left-associative.
            if *strength == POWER {
                self.expression(POWER, depth + 1)?;
            } else {
                self.expression(strength + 1, depth)?;
            }
            self.push(Code::Apply(*function), start)?;
        }
        Ok(())
    }

    /// Parses a number, a variable, a function call or a parenthesised expression.
    fn operand(&mut self, depth: usize) -> Result<(), Wrong> {
        if depth > MAX_DEPTH {
            return Err((self.at, format!("more than {MAX_DEPTH} nested brackets")));
        }
        let start = self.at;
        match self.rest().chars().next() {
            Some('-' | '−') => {
                self.at += if self.rest().starts_with('-') { 1 } else { '−'.len_utf8() };
                self.expression(POWER, depth + 1)?;
                self.push(Code::Apply(Function::Negative), start)
            }
            Some('(') => {
                self.eat('(');
                self.expression(0, depth + 1)?;
                self.close(start)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if is_word(c) => {
                let word = self.rest().split(|c| !is_word(c)).next().unwrap_or_default();
                self.at += word.len();
                let end = self.at;
                self.blanks();
                let is_called = self.eat('(');
                let function = NAMED.iter().find(|(name, _)| *name == word);
                let variable = self.variables.iter().position(|known| known.name == word);
                match (function, variable) {
                    (Some((_, function)), _) if is_called => self.call(*function, start, depth),
                    (None, Some(at)) if !is_called => {
                        self.push_to(Code::Name(at as u8), start, end)
                    }
                    (Some(_), _) => Err((end, format!("{word} needs brackets: {word}(…)"))),
                    (_, Some(_)) => Err((end, format!("{word} is not a function"))),
                    (None, None) => Err((start, self.unknown(word))),
                }
            }
            Some(_) => self.fail(OPERAND),
            None => Err((start, format!("unexpected end: {OPERAND}"))),
        }
    }

    fn unknown(&self, word: &str) -> String {
        let variables = self.variables.iter().map(|known| known.name.as_ref());
        let names = variables.chain(NAMED.iter().map(|(name, _)| *name));
        match nearest(word, names) {
            Some(name) => format!("unknown name '{}'; did you mean '{name}'?", quoted(word)),
            None => format!("unknown name '{}'", quoted(word)),
        }
    }

    fn number(&mut self) -> Result<(), Wrong> {
        let (start, bytes) = (self.at, self.rest().as_bytes());
        let digits = |from: usize| {
            from + bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count()
        };
        let mut end = digits(0);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if bytes.get(signed).is_some_and(u8::is_ascii_digit) {
                end = digits(signed);
            }
        }
        let number = self.rest()[..end].parse().ok().filter(|x: &f64| x.is_finite());
        let Some(number) = number else { return self.fail("not a valid number") };
        self.at += end;
        self.push_to(Code::Number(number), start, start + end)?;
        self.blanks();
        Ok(())
    }

    /// Parses the arguments of a function and the closing parenthesis.
    fn call(&mut self, function: Function, start: usize, depth: usize) -> Result<(), Wrong> {
        let takes = function.takes();
        let is_fold = matches!(function, Function::Min | Function::Max);
        let mut given = 0;
        loop {
            let argument = self.at;
            if given == takes && !is_fold {
                return Err((
                    argument,
                    format!("too many arguments: {} takes {takes}", function.symbol()),
                ));
            }
            self.expression(0, depth + 1)?;
            given += 1;
            if is_fold && given > 1 {
                self.push(Code::Apply(function), start)?;
            }
            if !self.eat(',') {
                break;
            }
        }
        if given < takes && self.rest().starts_with(')') {
            return Err((self.at, format!("too few arguments: expected {takes}, found {given}")));
        }
        self.close(start)?;
        if is_fold {
            // Its text ends at the parenthesis.
            if let Some(last) = self.steps.last_mut() {
                last.to = self.text[..self.at].trim_end().len() as u16;
            }
            return Ok(());
        }
        self.push(Code::Apply(function), start)
    }

    fn close(&mut self, open: usize) -> Result<(), Wrong> {
        if self.eat(')') {
            Ok(())
        } else if self.rest().is_empty() {
            let open = open + self.text[open..].find('(').unwrap_or(0);
            Err((open, "this bracket is not closed".to_owned()))
        } else {
            self.fail("expected an operator, such as + or *, or a closing bracket")
        }
    }

    /// Adds a step whose text ends at the current position.
    fn push(&mut self, code: Code, from: usize) -> Result<(), Wrong> {
        self.push_to(code, from, self.text[..self.at].trim_end().len())
    }

    fn push_to(&mut self, code: Code, from: usize, to: usize) -> Result<(), Wrong> {
        self.held = self.held + 1 - code.takes();
        if self.steps.len() == MAX_STEPS || self.held > ROOM {
            return Err((from, format!("more than {MAX_STEPS} parts, or nested too deeply")));
        }
        self.steps.push(Step { code, from: from as u16, to: to as u16 });
        Ok(())
    }
}
