//! Parsing and writing links.
//!
//! The fragment is percent-decoded once, split at `&` outside brackets and quotes, and each part at
//! its first `=`. The version fixes ids, defaults and behaviour.

use crate::experiment::{Experiment, MAX_STRATEGIES, Seeds, WorldSource};
use crate::percent;
use crate::view::{self, View};
use crawl_catalogue::{
    Arg, Catalogue, CatalogueError, Chosen, Kind, Spec, SpecError, Value, nearest, quoted,
    split_outside,
};
use std::fmt;

/// The version that is written, and the newest that can be parsed.
pub const VERSION: u32 = 1;

/// Maximum length of a link, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of file names in a link.
const MAX_NAMES: usize = 8;
/// Maximum number of seed URLs in a link.
const MAX_SEEDS: usize = 10_000;
/// Maximum number of parts; more than there are keys, so that one must be unknown.
const MAX_PARTS: usize = 256;
/// Keys of parts, without rules.
const KEYS: [&str; 10] =
    ["v", "world", "data", "seeds", "topic", "run", "revisit", "rng", "at", "digest"];

/// Why a link cannot be opened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LinkError {
    /// Too long.
    #[error("the link is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// A percent sign without two hex digits, or invalid UTF-8.
    #[error("bad percent-encoding at character {} of the link", .0 + 1)]
    Percent(usize),
    /// A newer version.
    #[error("the link has version {0}, newer than the {VERSION} this program reads; update it")]
    Newer(u64),
    /// Version missing or invalid.
    #[error("the link must say its version, v={VERSION}{}", given(.0))]
    Version(Option<String>),
    /// An unknown part.
    #[error("the link has an unknown part '{}'{}", quoted(.key), nearest.as_ref().map(|n| format!("; did you mean '{n}'?")).unwrap_or_default())]
    UnknownKey {
        /// Its key.
        key: String,
        /// The nearest known key.
        nearest: Option<String>,
    },
    /// A duplicate part.
    #[error("the link has the part '{}' twice", quoted(.0))]
    Twice(String),
    /// A missing required part.
    #[error("the link has no part '{0}'")]
    Missing(&'static str),
    /// A part with invalid spec syntax.
    #[error("in {key}: {error}")]
    Spec {
        /// Its key.
        key: String,
        /// The syntax error.
        error: SpecError,
    },
    /// An unknown entry or invalid parameter.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// An invalid value.
    #[error("{key} must be {expected}, not {}", quoted(.given))]
    Value {
        /// Key of the part.
        key: &'static str,
        /// Allowed values.
        expected: String,
        /// The value.
        given: String,
    },
}

fn given(version: &Option<String>) -> String {
    version.as_ref().map(|v| format!(", not v={}", quoted(v))).unwrap_or_default()
}

impl Experiment {
    /// Parses a link: a fragment, or a URL with a fragment.
    ///
    /// # Errors
    /// The first part that is missing, unknown, duplicate or invalid.
    pub fn from_link(link: &str, catalogue: &Catalogue) -> Result<Self, LinkError> {
        if link.len() > MAX_BYTES {
            return Err(LinkError::TooLong);
        }
        let fragment = link.split_once('#').map_or(link, |(_, after)| after);
        let text = percent::decode(fragment).map_err(LinkError::Percent)?;
        let mut parts = Parts::read(&text)?;
        parts.check_version()?;
        parts.check_keys(catalogue)?;

        let world = parts.take("world").ok_or(LinkError::Missing("world"))?;
        let world = read_world(world, parts.take("data"), catalogue)?;
        let seeds = parts.take("seeds").map(|seeds| read_seeds(seeds, catalogue));
        let seeds = seeds.transpose()?.unwrap_or_default();
        let topic = parts.take("topic").map(|topic| read_topic(topic, catalogue)).transpose()?;
        let run = parts.take("run").ok_or(LinkError::Missing("run"))?;
        let mut strategies = read_entries("run", Kind::Strategy, run, catalogue)?;
        let revisits =
            parts.take("revisit").map(|text| read_revisits(text, &mut strategies, catalogue));
        let revisits = revisits.transpose()?.unwrap_or_default();
        let rng = match parts.take("rng") {
            None => Self::DEFAULT_RNG,
            Some(text) => read_number("rng", text, Self::MAX_RNG)?,
        };
        let at =
            parts.take("at").map(|text| read_number("at", text, u32::MAX.into())).transpose()?;
        let digests = parts.take("digest").map(read_digests).transpose()?.unwrap_or_default();
        if digests.len() > strategies.len() {
            return Err(LinkError::Value {
                key: "digest",
                expected: format!("at most {} digests, one a strategy", strategies.len()),
                given: digests.len().to_string(),
            });
        }
        let view = View::read(&mut |key| parts.take(key), strategies.len(), catalogue)?;
        let rules = catalogue.rules(&parts.rules()?)?;
        let at = at.map(|at| at as u32);
        Ok(Self { world, seeds, topic, strategies, revisits, rules, rng, at, digests, view })
    }

    /// The link, starting with `#`.
    pub fn to_link(&self) -> String {
        format!("#{}", percent::encode(&self.to_string()))
    }
}

impl fmt::Display for Experiment {
    /// The link before percent-encoding, without `#`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v={VERSION}&world={}", self.world)?;
        match &self.seeds {
            Seeds::Own => {}
            Seeds::Urls(urls) => {
                list(f, "&seeds=", urls.iter().map(|seed| Value::Quoted(seed.clone())))?;
            }
            Seeds::Top { ranker, k } => write!(f, "&seeds=top({ranker},{k})")?,
            Seeds::TopOwn { k } => write!(f, "&seeds=top({},{k})", Seeds::OWN)?,
        }
        if let Some(topic) = &self.topic {
            write!(f, "&topic={topic}")?;
        }
        list(f, "&run=", &self.strategies)?;
        list(f, "&revisit=", &self.revisits)?;
        for (key, value) in self.rules.changed() {
            write!(f, "&{key}={value}")?;
        }
        if self.rng != Self::DEFAULT_RNG {
            write!(f, "&rng={}", self.rng)?;
        }
        if let Some(at) = self.at {
            write!(f, "&at={at}")?;
        }
        list(f, "&digest=", &self.digests)?;
        write!(f, "{}", self.view)?;
        match &self.world {
            // Last, so that the readable parts come first.
            WorldSource::File { data: Some(data), .. } => write!(f, "&data={data}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for WorldSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made(chosen) => write!(f, "{chosen}"),
            Self::File { digest, names, .. } => {
                write!(f, "file({digest}")?;
                for name in names {
                    write!(f, ",{}", Value::Quoted(name.clone()))?;
                }
                f.write_str(")")
            }
        }
    }
}

fn list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    before: &str,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { before } else { "," })?;
    }
    Ok(())
}

/// Parts of a link; each is taken once.
struct Parts<'a> {
    parts: Vec<(&'a str, &'a str)>,
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Result<Self, LinkError> {
        let mut parts: Vec<(&str, &str)> = Vec::new();
        for part in split_outside(text, '&').into_iter().filter(|part| !part.is_empty()) {
            // The duplicate check is quadratic.
            if parts.len() > MAX_PARTS {
                break;
            }
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if parts.iter().any(|(k, _)| *k == key) {
                return Err(LinkError::Twice(key.to_owned()));
            }
            parts.push((key, value));
        }
        Ok(Self { parts })
    }

    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.parts.iter().position(|(k, _)| *k == key)?;
        Some(self.parts.remove(at).1)
    }

    fn check_version(&mut self) -> Result<(), LinkError> {
        let version = self.take("v").ok_or(LinkError::Version(None))?;
        match version.parse::<u64>() {
            Ok(v) if v == u64::from(VERSION) => Ok(()),
            Ok(v) if v > u64::from(VERSION) => Err(LinkError::Newer(v)),
            _ => Err(LinkError::Version(Some(version.to_owned()))),
        }
    }

    fn check_keys(&self, catalogue: &Catalogue) -> Result<(), LinkError> {
        let rules = catalogue.rules.iter().map(|rule| rule.key.as_ref());
        let names: Vec<&str> = KEYS.into_iter().chain(view::KEYS).chain(rules).collect();
        match self.parts.iter().find(|(key, _)| !names.contains(key)) {
            None => Ok(()),
            Some((key, _)) => Err(LinkError::UnknownKey {
                key: (*key).to_owned(),
                nearest: nearest(key, names).map(str::to_owned),
            }),
        }
    }

    /// The remaining parts, as rules.
    fn rules(&self) -> Result<Vec<Arg>, LinkError> {
        let read = |(key, text): &(&str, &str)| {
            let mut values = read_list(key, text)?;
            let value = values.pop().filter(|_| values.is_empty());
            // No rule takes a list: as one text, the rule reports the error.
            let value = value.unwrap_or_else(|| Value::Quoted((*text).to_owned()));
            Ok(Arg { key: Some((*key).to_owned()), value })
        };
        self.parts.iter().map(read).collect()
    }
}

pub(crate) fn read_list(key: &str, text: &str) -> Result<Vec<Value>, LinkError> {
    Spec::parse_list(text).map_err(|error| LinkError::Spec { key: key.to_owned(), error })
}

fn read_world(
    text: &str,
    data: Option<&str>,
    catalogue: &Catalogue,
) -> Result<WorldSource, LinkError> {
    let spec: Spec =
        text.parse().map_err(|error| LinkError::Spec { key: "world".to_owned(), error })?;
    if let Some(data) = data {
        let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        if spec.id != "file" || data.is_empty() || !data.bytes().all(is_base64) {
            return Err(LinkError::Value {
                key: "data",
                expected: "the content of a file as base64url, beside world=file(…)".to_owned(),
                given: data.to_owned(),
            });
        }
    }
    if spec.id != "file" {
        return Ok(WorldSource::Made(catalogue.resolve(Kind::World, &spec)?));
    }
    let wrong = || LinkError::Value {
        key: "world",
        expected: format!(
            "file(digest,'name',…) with a digest of 32 hexadecimal digits and at most {MAX_NAMES} \
             names"
        ),
        given: text.to_owned(),
    };
    let (digest, names) = spec.args.split_first().ok_or_else(wrong)?;
    let name = |arg: &Arg| match &arg.value {
        Value::Quoted(name) => Ok(name.clone()),
        Value::Spec(_) => Err(wrong()),
    };
    let names = names.iter().map(name).collect::<Result<Vec<String>, LinkError>>()?;
    if names.len() > MAX_NAMES {
        return Err(wrong());
    }
    // Drop empty names.
    let names = names.into_iter().filter(|name| !name.is_empty()).collect();
    match &digest.value {
        Value::Spec(spec) if is_digest(&spec.id) && spec.args.is_empty() => {
            let data = data.map(str::to_owned);
            Ok(WorldSource::File { digest: spec.id.clone(), names, data })
        }
        _ => Err(wrong()),
    }
}

fn read_seeds(text: &str, catalogue: &Catalogue) -> Result<Seeds, LinkError> {
    let seeds = read_list("seeds", text)?;
    if let [Value::Spec(spec)] = seeds.as_slice()
        && spec.id == "top"
    {
        return read_top(spec, catalogue);
    }
    if seeds.len() > MAX_SEEDS {
        return Err(LinkError::Value {
            key: "seeds",
            expected: format!("at most {MAX_SEEDS} URLs"),
            given: seeds.len().to_string(),
        });
    }
    let quoted = |value| match value {
        Value::Quoted(url) => Ok(url),
        Value::Spec(spec) => Err(LinkError::Value {
            key: "seeds",
            expected: "URLs in quotes, such as seeds='http://a.example/', or top(pagerank,4)"
                .to_owned(),
            given: spec.to_string(),
        }),
    };
    seeds.into_iter().map(quoted).collect::<Result<_, _>>().map(Seeds::urls)
}

/// Parses `top(ranker,k)`, or `top(own,k)` for each strategy's own ranker.
fn read_top(spec: &Spec, catalogue: &Catalogue) -> Result<Seeds, LinkError> {
    let wrong = || LinkError::Value {
        key: "seeds",
        expected: format!(
            "top(ranker,k) or top({},k) with k from 1 to {}",
            Seeds::OWN,
            Seeds::MAX_TOP
        ),
        given: spec.to_string(),
    };
    let [ranker, k] = spec.args.as_slice() else { return Err(wrong()) };
    let (Value::Spec(ranker), Value::Spec(k)) = (&ranker.value, &k.value) else {
        return Err(wrong());
    };
    let k = k.id.parse().ok().filter(|k| (1..=Seeds::MAX_TOP).contains(k)).ok_or_else(wrong)?;
    if ranker.id == Seeds::OWN && ranker.args.is_empty() {
        return Ok(Seeds::TopOwn { k });
    }
    Ok(Seeds::Top { ranker: catalogue.resolve(Kind::Ranker, ranker)?, k })
}

fn read_topic(text: &str, catalogue: &Catalogue) -> Result<Chosen, LinkError> {
    let spec: Spec =
        text.parse().map_err(|error| LinkError::Spec { key: "topic".to_owned(), error })?;
    Ok(catalogue.resolve(Kind::Topic, &spec)?)
}

/// Parses a list of registry entries.
fn read_entries(
    key: &'static str,
    kind: Kind,
    text: &str,
    catalogue: &Catalogue,
) -> Result<Vec<Chosen>, LinkError> {
    let values = read_list(key, text)?;
    if values.len() > MAX_STRATEGIES {
        return Err(LinkError::Value {
            key,
            expected: format!("at most {MAX_STRATEGIES} {}", kind.plural()),
            given: values.len().to_string(),
        });
    }
    let chosen = |value| match value {
        Value::Spec(spec) => Ok(catalogue.resolve(kind, &spec)?),
        Value::Quoted(text) => Err(LinkError::Value {
            key,
            expected: format!("names of {} without quotes", kind.plural()),
            given: format!("'{text}'"),
        }),
    };
    values.into_iter().map(chosen).collect()
}

/// Parses policies: one for all lanes, or one per lane; a single strategy runs once with each.
fn read_revisits(
    text: &str,
    strategies: &mut Vec<Chosen>,
    catalogue: &Catalogue,
) -> Result<Vec<Chosen>, LinkError> {
    let policies = read_entries("revisit", Kind::Policy, text, catalogue)?;
    if let [only] = strategies.as_slice() {
        *strategies = vec![only.clone(); policies.len().max(1)];
    }
    if policies.len() > 1 && policies.len() != strategies.len() {
        let n = strategies.len();
        return Err(LinkError::Value {
            key: "revisit",
            expected: format!(
                "one policy for all {n} strategies, or {n} policies, one for each (repeat a \
                 strategy to run it with several)"
            ),
            given: format!("{} policies", policies.len()),
        });
    }
    Ok(policies)
}

pub(crate) fn read_number(key: &'static str, text: &str, most: u64) -> Result<u64, LinkError> {
    let number = text.parse().ok().filter(|n| *n <= most);
    number.ok_or_else(|| LinkError::Value {
        key,
        expected: format!("a whole number from 0 to {most}"),
        given: text.to_owned(),
    })
}

fn read_digests(text: &str) -> Result<Vec<String>, LinkError> {
    let read = |digest: &str| {
        is_digest(digest).then(|| digest.to_owned()).ok_or_else(|| LinkError::Value {
            key: "digest",
            expected: "32 hexadecimal digits".to_owned(),
            given: digest.to_owned(),
        })
    };
    text.split(',').map(read).collect()
}

fn is_digest(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests;
