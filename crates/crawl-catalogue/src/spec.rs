//! Specs: `id(key:value,…)`, nestable, strings in `'…'`.
//!
//! ```
//! # use crawl_catalogue::Spec;
//! let spec: Spec = "omniscient(of:pagerank(damping:0.9))".parse().unwrap();
//! assert_eq!(spec.to_string(), "omniscient(of:pagerank(damping:0.9))");
//! assert_eq!(Spec::parse_query("opic?keep=true").unwrap().to_string(), "opic(keep:true)");
//! ```

use crate::visible::QUOTED_CHARS;
use std::fmt;
use std::str::FromStr;

/// Maximum nesting of specs.
const MAX_DEPTH: usize = 16;
/// Maximum number of arguments of a spec.
const MAX_ARGS: usize = 1024;

/// An id with arguments, parsed but not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The id.
    pub id: String,
    /// The arguments, in order.
    pub args: Vec<Arg>,
}

/// An argument of a [`Spec`]; without a key it is positional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Key of the parameter.
    pub key: Option<String>,
    /// Its value.
    pub value: Value,
}

/// Value of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word, a number, or a spec with arguments; the parameter decides.
    Spec(Spec),
    /// Quoted text.
    Quoted(String),
}

/// A syntax error in a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {} of {input:?}", at + 1)]
pub struct SpecError {
    /// What is wrong.
    pub message: String,
    /// The text, shortened around the fault if long.
    pub input: String,
    /// Position in characters.
    pub at: usize,
}

impl Spec {
    /// A spec without arguments.
    pub fn word(id: impl Into<String>) -> Self {
        Self { id: id.into(), args: Vec::new() }
    }

    /// Parses the form for shells: `opic?keep=true&x=1`.
    ///
    /// # Errors
    /// If the text is not a spec: the fault and its position.
    pub fn parse_query(text: &str) -> Result<Self, SpecError> {
        let Some((id, query)) = text.split_once('?').filter(|(id, _)| !id.contains(['(', '\'']))
        else {
            return text.parse();
        };
        let args = split_outside(query, '&')
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| part.replacen('=', ":", 1))
            .collect::<Vec<_>>()
            .join(",");
        format!("{id}({args})").parse()
    }

    /// Parses a comma-separated list of specs or quoted strings.
    ///
    /// # Errors
    /// If the text is not a list: the fault and its position.
    pub fn parse_list(text: &str) -> Result<Vec<Value>, SpecError> {
        let mut parser = Parser::new(text);
        let mut values = vec![parser.value(0)?];
        while parser.eat(',') {
            values.push(parser.value(0)?);
        }
        parser.end()?;
        Ok(values)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parser = Parser::new(text);
        let spec = parser.spec(0)?;
        parser.end()?;
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { "," })?;
            if let Some(key) = &arg.key {
                write!(f, "{key}:")?;
            }
            write!(f, "{}", arg.value)?;
        }
        if !self.args.is_empty() {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(spec) => write!(f, "{spec}"),
            Self::Quoted(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}

/// Splits at separators outside brackets and quotes.
pub fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_usize, false, 0);
    for (i, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ if c == separator && !quoted && depth == 0 => {
                parts.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SpecError> {
        self.fail_at(self.rest, message)
    }

    fn fail_at<T>(&self, rest: &str, message: impl Into<String>) -> Result<T, SpecError> {
        let at = self.text[..self.text.len() - rest.len()].chars().count();
        let from = at.saturating_sub(QUOTED_CHARS / 2);
        let mut input: String = self.text.chars().skip(from).take(QUOTED_CHARS).collect();
        if from > 0 {
            input.insert(0, '…');
        }
        if self.text.chars().nth(from + QUOTED_CHARS).is_some() {
            input.push('…');
        }
        Err(SpecError { message: message.into(), input, at })
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn end(&self) -> Result<(), SpecError> {
        match self.rest.chars().next() {
            None => Ok(()),
            Some(')') => self.fail("unmatched closing bracket"),
            Some(c) => self.fail(format!("unexpected {c:?}")),
        }
    }

    fn word(&mut self) -> Result<&'a str, SpecError> {
        let end = self
            .rest
            .find(|c: char| matches!(c, '(' | ')' | ',' | ':' | '\'') || c.is_whitespace())
            .unwrap_or(self.rest.len());
        if end == 0 {
            return self.fail("a name or value is missing");
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(word)
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let id = self.word()?.to_owned();
        self.arguments(id, depth)
    }

    fn arguments(&mut self, id: String, depth: usize) -> Result<Spec, SpecError> {
        let mut args = Vec::new();
        let open = self.rest;
        if self.eat('(') && !self.eat(')') {
            if depth == MAX_DEPTH {
                return self.fail_at(open, format!("more than {MAX_DEPTH} nested brackets"));
            }
            loop {
                args.push(self.arg(depth + 1)?);
                if args.len() > MAX_ARGS {
                    return self.fail(format!("more than {MAX_ARGS} arguments"));
                }
                if self.eat(')') {
                    break;
                }
                if self.rest.is_empty() {
                    return self.fail_at(open, "this bracket is not closed");
                }
                if !self.eat(',') {
                    return self.fail("a comma or a closing bracket is missing");
                }
            }
        }
        Ok(Spec { id, args })
    }

    fn arg(&mut self, depth: usize) -> Result<Arg, SpecError> {
        if self.rest.starts_with('\'') {
            return Ok(Arg { key: None, value: self.value(depth)? });
        }
        let word = self.word()?.to_owned();
        if self.eat(':') {
            return Ok(Arg { key: Some(word), value: self.value(depth)? });
        }
        let spec = self.arguments(word, depth)?;
        Ok(Arg { key: None, value: Value::Spec(spec) })
    }

    fn value(&mut self, depth: usize) -> Result<Value, SpecError> {
        let open = self.rest;
        if !self.eat('\'') {
            return Ok(Value::Spec(self.spec(depth)?));
        }
        let mut text = String::new();
        loop {
            let Some(end) = self.rest.find('\'') else {
                return self.fail_at(open, "this quote is not closed");
            };
            text.push_str(&self.rest[..end]);
            self.rest = &self.rest[end + 1..];
            if !self.eat('\'') {
                return Ok(Value::Quoted(text));
            }
            text.push('\'');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> (String, usize) {
        let error = text.parse::<Spec>().unwrap_err();
        (error.message, error.at)
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        assert_eq!(fault("opic(keep:true"), ("this bracket is not closed".into(), 4));
        assert_eq!(fault("opic)"), ("unmatched closing bracket".into(), 4));
        assert_eq!(fault("f(x:'abc)"), ("this quote is not closed".into(), 4));
        assert_eq!(fault("f(,)"), ("a name or value is missing".into(), 2));
        assert_eq!(fault("é(a b)"), ("a comma or a closing bracket is missing".into(), 3));
        assert_eq!(fault(&"a(".repeat(100)).0, "more than 16 nested brackets");
        assert!("".parse::<Spec>().is_err());
    }

    #[test]
    fn quotes_and_brackets_hide_separators() {
        assert_eq!(split_outside("a,b('x,y',c(d,e)),f", ','), ["a", "b('x,y',c(d,e))", "f"]);
        assert_eq!(split_outside("", '&'), [""]);
        let spec: Spec = "f(x:'it''s, (odd)')".parse().unwrap();
        assert_eq!(spec.args[0].value, Value::Quoted("it's, (odd)".into()));
        assert_eq!(spec.to_string(), "f(x:'it''s, (odd)')");
    }

    fn any_spec() -> impl Strategy<Value = Spec> {
        let id = "[a-z][a-z0-9.-]{0,6}";
        let leaf = id.prop_map(Spec::word);
        leaf.prop_recursive(3, 24, 4, move |inner| {
            let value = prop_oneof![inner.prop_map(Value::Spec), ".{0,8}".prop_map(Value::Quoted),];
            let arg = (proptest::option::of("[a-z]{1,5}"), value)
                .prop_map(|(key, value)| Arg { key, value });
            (id, proptest::collection::vec(arg, 0..4)).prop_map(|(id, args)| Spec { id, args })
        })
    }

    proptest! {
        #[test]
        fn printing_and_reading_are_inverse(spec in any_spec()) {
            prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
        }

        #[test]
        fn nothing_typed_makes_it_panic(text in ".{0,60}") {
            let _ = text.parse::<Spec>();
            let _ = Spec::parse_query(&text);
            let _ = Spec::parse_list(&text);
        }
    }
}
