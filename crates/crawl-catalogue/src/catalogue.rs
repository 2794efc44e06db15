//! The catalogue: all registries joined, and the check of specs.

use crate::entry::{Entry, Kind, Param, ParamKind};
use crate::fault::Fault;
use crate::nearest::nearest;
use crate::params::{Chosen, Param as Filled, ParamValue, Params};
use crate::spec::{Arg, Spec, SpecError, Value};
use crate::visible::quoted;
use serde::{Deserialize, Serialize};

/// Maximum nesting of entries in parameters.
const MAX_NESTING: usize = 4;

/// The entries of all registries, and the crawl rules; the app shows it, and links are checked
/// against it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalogue {
    /// Every entry with its registry, in registry order.
    pub entries: Vec<(Kind, Entry)>,
    /// The crawl rules, parameters of every run.
    pub rules: Vec<Param>,
}

/// Reason why a spec is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CatalogueError {
    /// A syntax error.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is no such entry.
    #[error("unknown {kind} '{}'{}", quoted(.id), meant(.nearest))]
    Unknown {
        /// The registry.
        kind: Kind,
        /// The id asked for.
        id: String,
        /// The most similar id.
        nearest: Option<String>,
    },
    /// The entry has no such parameter.
    #[error("{owner} has no parameter '{}'{}", quoted(.key), meant(.nearest))]
    UnknownParam {
        /// The entry, or "the crawl".
        owner: String,
        /// The key asked for.
        key: String,
        /// The most similar key.
        nearest: Option<String>,
    },
    /// More positional arguments than parameters.
    #[error("{owner} takes at most {takes} parameters")]
    TooMany {
        /// The entry.
        owner: String,
        /// Number of parameters.
        takes: usize,
    },
    /// A parameter is given twice.
    #[error("{owner} was given '{key}' twice")]
    Twice {
        /// The entry.
        owner: String,
        /// The parameter.
        key: String,
    },
    /// The value is out of range.
    #[error("{owner}: {key} must be {expected}, not {}", quoted(.given))]
    Value {
        /// The entry, or "the crawl".
        owner: String,
        /// The parameter.
        key: String,
        /// The allowed values.
        expected: String,
        /// The given value.
        given: String,
    },
    /// A text, such as a formula, is invalid.
    #[error("{owner}: {key}: {fault}")]
    Fault {
        /// The entry.
        owner: String,
        /// The parameter.
        key: String,
        /// The fault and its position.
        fault: Box<Fault>,
    },
    /// Entries are nested too deeply.
    #[error("{owner}: parameters nest more than {MAX_NESTING} entries deep")]
    TooDeep {
        /// The entry.
        owner: String,
    },
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

impl Catalogue {
    /// The entries of one registry.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |(k, _)| *k == kind).map(|(_, e)| e)
    }

    /// Finds an entry by id.
    pub fn entry(&self, kind: Kind, id: &str) -> Option<&Entry> {
        self.of(kind).find(|e| e.id == id)
    }

    /// Parses and checks a spec in the form of links or of the command line.
    ///
    /// # Errors
    /// If the text is not a spec, or see [`Catalogue::resolve`].
    pub fn choose(&self, kind: Kind, text: &str) -> Result<Chosen, CatalogueError> {
        self.resolve(kind, &Spec::parse_query(text)?)
    }

    /// Checks a spec and fills in defaults.
    ///
    /// # Errors
    /// If there is no such entry or parameter, a parameter is given twice, or a value is out of
    /// range.
    pub fn resolve(&self, kind: Kind, spec: &Spec) -> Result<Chosen, CatalogueError> {
        self.resolve_at(kind, spec, 0)
    }

    /// Checks values of crawl rules and fills in defaults.
    ///
    /// # Errors
    /// If there is no such rule, one is given twice, or a value is out of range.
    pub fn rules(&self, args: &[Arg]) -> Result<Params, CatalogueError> {
        self.fill_at("the crawl", &self.rules, args, 0)
    }

    /// Checks the texts of an entry that was resolved by a catalogue without check functions.
    ///
    /// # Errors
    /// The first invalid text.
    pub fn check(&self, chosen: &Chosen) -> Result<(), CatalogueError> {
        let Some(entry) = self.entry(chosen.kind, &chosen.id) else { return Ok(()) };
        for param in entry.params.iter() {
            match chosen.params.get(&param.key) {
                Some(ParamValue::Text(text)) => check_text(&chosen.id, param, text)?,
                Some(ParamValue::Entry(inner)) => self.check(inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn resolve_at(&self, kind: Kind, spec: &Spec, depth: usize) -> Result<Chosen, CatalogueError> {
        let Some(entry) = self.entry(kind, &spec.id) else {
            let nearest = nearest(&spec.id, self.of(kind).map(|e| e.id.as_ref()));
            let nearest = nearest.map(str::to_owned);
            return Err(CatalogueError::Unknown { kind, id: spec.id.clone(), nearest });
        };
        if depth > MAX_NESTING {
            return Err(CatalogueError::TooDeep { owner: entry.id.to_string() });
        }
        let params = self.fill_at(&entry.id, &entry.params, &spec.args, depth)?;
        Ok(Chosen { kind, id: entry.id.to_string(), params })
    }

    fn fill_at(
        &self,
        owner: &str,
        params: &[Param],
        args: &[Arg],
        depth: usize,
    ) -> Result<Params, CatalogueError> {
        let mut given: Vec<Option<&Value>> = vec![None; params.len()];
        for (position, arg) in args.iter().enumerate() {
            let index = match &arg.key {
                Some(key) => params.iter().position(|p| p.key == *key).ok_or_else(|| {
                    let names = params.iter().map(|p| p.key.as_ref());
                    CatalogueError::UnknownParam {
                        owner: owner.to_owned(),
                        key: key.clone(),
                        nearest: nearest(key, names).map(str::to_owned),
                    }
                })?,
                None if position < given.len() => position,
                None => {
                    let takes = params.len();
                    return Err(CatalogueError::TooMany { owner: owner.to_owned(), takes });
                }
            };
            if given[index].replace(&arg.value).is_some() {
                let key = params[index].key.to_string();
                return Err(CatalogueError::Twice { owner: owner.to_owned(), key });
            }
        }
        let mut values = Vec::with_capacity(given.len());
        for (param, value) in params.iter().zip(given) {
            let default = self.default_at(owner, param, depth)?;
            let value = match value {
                Some(value) => self.check_at(owner, param, value, depth)?,
                None => default.clone(),
            };
            let is_default = value == default;
            values.push(Filled { key: param.key.to_string(), value, is_default });
        }
        let filled = Params { values };
        params.iter().try_for_each(|param| check_order(owner, param, &filled))?;
        Ok(filled)
    }

    fn default_at(
        &self,
        owner: &str,
        param: &Param,
        depth: usize,
    ) -> Result<ParamValue, CatalogueError> {
        Ok(match &param.kind {
            ParamKind::Number { default, .. } => ParamValue::Number(*default),
            ParamKind::Choice { default, .. } => ParamValue::Choice(default.to_string()),
            ParamKind::Flag { default } => ParamValue::Flag(*default),
            ParamKind::Text { default, .. } | ParamKind::Formula { default, .. } => {
                ParamValue::Text(default.to_string())
            }
            ParamKind::Vector { default, .. } => ParamValue::Vector(default.to_vec()),
            ParamKind::Entry { default, .. } => {
                let spec: Spec = default.parse()?;
                self.check_at(owner, param, &Value::Spec(spec), depth)?
            }
        })
    }

    fn check_at(
        &self,
        owner: &str,
        param: &Param,
        value: &Value,
        depth: usize,
    ) -> Result<ParamValue, CatalogueError> {
        let wrong = || CatalogueError::Value {
            owner: owner.to_owned(),
            key: param.key.to_string(),
            expected: param.kind.range_text(),
            given: value.to_string(),
        };
        let word = match value {
            Value::Spec(spec) if spec.args.is_empty() => Some(spec.id.as_str()),
            _ => None,
        };
        let number = |word: &str, min: f64, max: f64| {
            let x: f64 = word.parse().ok()?;
            // Adding 0 turns −0 into 0, so that equal values print alike.
            (min..=max).contains(&x).then_some(x + 0.0)
        };
        match &param.kind {
            ParamKind::Number { min, max, integer, .. } => word
                .and_then(|w| number(w, *min, *max))
                .filter(|x| !integer || x.fract() == 0.0)
                .map(ParamValue::Number),
            ParamKind::Choice { options, .. } => word
                .filter(|w| options.iter().any(|o| o == w))
                .map(|w| ParamValue::Choice(w.to_owned())),
            ParamKind::Flag { .. } => word.and_then(|w| w.parse().ok()).map(ParamValue::Flag),
            ParamKind::Text { max_chars, .. } => {
                let text = match value {
                    Value::Quoted(text) => Some(text.clone()),
                    Value::Spec(_) => word.map(str::to_owned),
                };
                text.filter(|t| t.chars().count() <= *max_chars as usize).map(ParamValue::Text)
            }
            ParamKind::Formula { .. } => {
                let text = match value {
                    Value::Quoted(text) => text.clone(),
                    // Most formulas without blanks also parse as a spec, and print unchanged.
                    Value::Spec(spec) => spec.to_string(),
                };
                check_text(owner, param, &text)?;
                Some(ParamValue::Text(text))
            }
            ParamKind::Vector { default, min, max } => word
                .and_then(|w| w.split(';').map(|x| number(x, *min, *max)).collect())
                .filter(|xs: &Vec<f64>| xs.len() == default.len())
                .map(ParamValue::Vector),
            ParamKind::Entry { kind, .. } => match value {
                Value::Spec(spec) => {
                    let chosen = self.resolve_at(*kind, spec, depth + 1)?;
                    Some(ParamValue::Entry(Box::new(chosen)))
                }
                Value::Quoted(_) => None,
            },
        }
        .ok_or_else(wrong)
    }
}

/// Checks `not_below`. The parameter that was given is reported, not the default.
fn check_order(owner: &str, param: &Param, filled: &Params) -> Result<(), CatalogueError> {
    let Some(other) = &param.not_below else { return Ok(()) };
    let (low, high) = (filled.number(other), filled.number(&param.key));
    if high >= low {
        return Ok(());
    }
    let is_given = filled.changed().any(|(key, _)| key == param.key);
    let (key, expected, given) = match is_given {
        true => (&param.key, format!("at least {other}, which is {low}"), high),
        false => (other, format!("at most {}, which is {high}", param.key), low),
    };
    Err(CatalogueError::Value {
        owner: owner.to_owned(),
        key: key.to_string(),
        expected,
        given: given.to_string(),
    })
}

fn check_text(owner: &str, param: &Param, text: &str) -> Result<(), CatalogueError> {
    let Some(check) = param.check.0 else { return Ok(()) };
    check(text).map_err(|fault| CatalogueError::Fault {
        owner: owner.to_owned(),
        key: param.key.to_string(),
        fault: Box::new(fault),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::EntryTexts;
    use std::borrow::Cow;

    fn catalogue() -> Catalogue {
        const WORDS: &[Cow<'static, str>] = &[Cow::Borrowed("l2"), Cow::Borrowed("max")];
        const PARAMS: &[Param] = &[
            Param::number("damping", 0.85, 0.0, 1.0, ""),
            Param::integer("every", 100, 1, 1_000_000, ""),
            Param::flag("keep", false, ""),
            Param::choice("normalise", "l2", WORDS, ""),
            Param::text("say", "", 5, ""),
            Param::vector("w", &[0.5, 0.2, 0.3], 0.0, 1.0, ""),
            Param::entry("of", Kind::Ranker, "pagerank", ""),
            Param::number("floor", 1.0, 0.0, 100.0, ""),
            Param::number_not_below("floor", "ceiling", 9.0, 0.0, 100.0, ""),
        ];
        let texts = EntryTexts { params: PARAMS, ..EntryTexts::default() };
        Catalogue {
            entries: vec![
                (Kind::Strategy, Entry::new("mix", "Mix", texts)),
                (Kind::Ranker, Entry::new("pagerank", "PageRank", EntryTexts::default())),
                (Kind::Ranker, Entry::new("hits", "HITS", EntryTexts::default())),
            ],
            rules: Vec::new(),
        }
    }

    fn canonical(text: &str) -> Result<String, String> {
        let chosen = catalogue().choose(Kind::Strategy, text);
        chosen.map(|c| c.to_string()).map_err(|e| e.to_string())
    }

    #[test]
    fn prints_canonically_with_defaults_left_out() {
        assert_eq!(canonical("mix").unwrap(), "mix");
        assert_eq!(canonical("mix(every:100,damping:0.850)").unwrap(), "mix");
        assert_eq!(canonical("mix?keep=true&damping=.5").unwrap(), "mix(damping:0.5,keep:true)");
        assert_eq!(canonical("mix(0.5,7)").unwrap(), "mix(damping:0.5,every:7)");
        assert_eq!(canonical("mix(say:'it''s')").unwrap(), "mix(say:'it''s')");
        assert_eq!(canonical("mix(ceiling:5,floor:5)").unwrap(), "mix(floor:5,ceiling:5)");
        assert_eq!(canonical("mix(w:1;0;0,of:hits)").unwrap(), "mix(w:1;0;0,of:hits)");
    }

    #[test]
    fn every_wrong_value_is_named_with_what_would_fit() {
        let cases = [
            ("mixx", "unknown strategy 'mixx'; did you mean 'mix'?"),
            ("zzzzzz", "unknown strategy 'zzzzzz'"),
            ("mix(damp:1)", "mix has no parameter 'damp'; did you mean 'damping'?"),
            ("mix(damping:2)", "mix: damping must be 0 to 1, not 2"),
            ("mix(damping:NaN)", "mix: damping must be 0 to 1, not NaN"),
            ("mix(damping:inf)", "mix: damping must be 0 to 1, not inf"),
            ("mix(every:1.5)", "mix: every must be a whole number, 1 to 1000000, not 1.5"),
            ("mix(keep:yes)", "mix: keep must be true | false, not yes"),
            ("mix(normalise:l3)", "mix: normalise must be l2 | max, not l3"),
            ("mix(w:1;2;3)", "mix: w must be 3 numbers 0 to 1, separated by ;, not 1;2;3"),
            ("mix(say:'too long')", "mix: say must be text, at most 5 characters, not 'too long'"),
            ("mix(of:hit)", "unknown ranker 'hit'; did you mean 'hits'?"),
            ("mix(keep:true,keep:true)", "mix was given 'keep' twice"),
            ("mix(1,1,true,l2,a,1;1;1,hits,8,9,0)", "mix takes at most 9 parameters"),
            ("mix(floor:5,ceiling:2)", "mix: ceiling must be at least floor, which is 5, not 2"),
            ("mix(ceiling:0)", "mix: ceiling must be at least floor, which is 1, not 0"),
            ("mix(floor:50)", "mix: floor must be at most ceiling, which is 9, not 50"),
        ];
        for (text, error) in cases {
            assert_eq!(canonical(text).unwrap_err(), error, "{text}");
        }
    }
}
