//! Checked parameter values.

use crate::entry::Kind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A chosen registry entry with all its parameters, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The registry.
    pub kind: Kind,
    /// Id of the entry.
    pub id: String,
    /// All its parameters, given or default.
    pub params: Params,
}

/// All parameters of an entry, in the entry's order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Params {
    pub(crate) values: Vec<Param>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Param {
    pub(crate) key: String,
    pub(crate) value: ParamValue,
    pub(crate) is_default: bool,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// A finite number.
    Number(f64),
    /// A switch.
    Flag(bool),
    /// One of the allowed words.
    Choice(String),
    /// Free text.
    Text(String),
    /// Numbers.
    Vector(Vec<f64>),
    /// Another entry.
    Entry(Box<Chosen>),
}

impl Params {
    /// The value of a parameter.
    pub fn get(&self, key: &str) -> Option<&ParamValue> {
        self.values.iter().find(|p| p.key == key).map(|p| &p.value)
    }

    /// Sets a number parameter; returns false if there is none of that key.
    pub fn set_number(&mut self, key: &str, value: f64) -> bool {
        match self.values.iter_mut().find(|p| p.key == key) {
            Some(param @ Param { value: ParamValue::Number(_), .. }) => {
                (param.value, param.is_default) = (ParamValue::Number(value), false);
                true
            }
            _ => false,
        }
    }

    /// All values, in the entry's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ParamValue)> {
        self.values.iter().map(|p| (p.key.as_str(), &p.value))
    }

    /// The values that differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &ParamValue)> {
        self.values.iter().filter(|p| !p.is_default).map(|p| (p.key.as_str(), &p.value))
    }

    /// A number parameter. 0 for an undeclared key, which conformance tests catch, since they build
    /// every entry.
    pub fn number(&self, key: &str) -> f64 {
        match self.get(key) {
            Some(ParamValue::Number(x)) => *x,
            other => {
                debug_assert!(false, "number parameter {key}: {other:?}");
                0.0
            }
        }
    }

    /// An integer parameter.
    pub fn integer(&self, key: &str) -> u32 {
        self.number(key) as u32
    }

    /// A flag parameter.
    pub fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Some(ParamValue::Flag(x)) => *x,
            other => {
                debug_assert!(false, "flag parameter {key}: {other:?}");
                false
            }
        }
    }

    /// A choice or text parameter.
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(ParamValue::Choice(x) | ParamValue::Text(x)) => x,
            other => {
                debug_assert!(false, "text parameter {key}: {other:?}");
                ""
            }
        }
    }

    /// An entry parameter.
    pub fn entry(&self, key: &str) -> Option<&Chosen> {
        match self.get(key) {
            Some(ParamValue::Entry(x)) => Some(x),
            _ => None,
        }
    }

    /// A vector parameter.
    pub fn vector(&self, key: &str) -> &[f64] {
        match self.get(key) {
            Some(ParamValue::Vector(x)) => x,
            other => {
                debug_assert!(false, "vector parameter {key}: {other:?}");
                &[]
            }
        }
    }
}

impl fmt::Display for Chosen {
    /// The canonical spec: parameters in the entry's order, without defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        let mut open = "(";
        for (key, value) in self.params.changed() {
            write!(f, "{open}{key}:{value}")?;
            open = ",";
        }
        if open == "," {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Flag(x) => write!(f, "{x}"),
            Self::Choice(x) => f.write_str(x),
            Self::Text(x) => write!(f, "'{}'", x.replace('\'', "''")),
            Self::Vector(xs) => {
                for (i, x) in xs.iter().enumerate() {
                    write!(f, "{}{x}", if i == 0 { "" } else { ";" })?;
                }
                Ok(())
            }
            Self::Entry(x) => write!(f, "{x}"),
        }
    }
}
