//! Texts and parameters of a registry entry.

use crate::fault::Fault;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A text that is static in a registry and owned after deserialisation.
type Text = Cow<'static, str>;

/// The registry of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A generated world.
    World,
    /// A crawl strategy.
    Strategy,
    /// A ranking of complete graphs.
    Ranker,
    /// A revisit policy.
    Policy,
    /// A metric of a run.
    Metric,
    /// A file format.
    Importer,
    /// A topic of focused crawls.
    Topic,
    /// An interactive figure of a paper.
    Figure,
}

impl Kind {
    /// The kind as a noun: "unknown strategy …".
    pub const fn noun(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Strategy => "strategy",
            Self::Ranker => "ranker",
            Self::Policy => "policy",
            Self::Metric => "metric",
            Self::Importer => "importer",
            Self::Topic => "topic",
            Self::Figure => "figure",
        }
    }

    /// The kind as a plural noun.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::World => "worlds",
            Self::Strategy => "strategies",
            Self::Ranker => "rankers",
            Self::Policy => "policies",
            Self::Metric => "metrics",
            Self::Importer => "importers",
            Self::Topic => "topics",
            Self::Figure => "figures",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}

/// Name, texts and parameters of a registry entry; panels, help and tables are made from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The id in links: lower case, hyphens; must never change.
    pub id: Text,
    /// The name for display.
    pub title: Text,
    /// The heading of its group, such as "Link structure".
    pub family: Text,
    /// The papers it comes from, by author and year, or "(ours)".
    pub source: Text,
    /// One line, without full stop.
    pub summary: Text,
    /// A paragraph: how it works, caveats, and our readings of the paper.
    pub description: Text,
    /// The formula, in plain Unicode.
    pub formula: Text,
    /// Its parameters, in display order.
    pub params: Cow<'static, [Param]>,
    /// True if it needs a topic with default parameters; set when the registries are joined.
    pub wants_topic: bool,
}

impl Entry {
    /// An entry from static texts; `const`, so that registries can be static.
    pub const fn new(id: &'static str, title: &'static str, texts: EntryTexts) -> Self {
        Self {
            id: Cow::Borrowed(id),
            title: Cow::Borrowed(title),
            family: Cow::Borrowed(texts.family),
            source: Cow::Borrowed(texts.source),
            summary: Cow::Borrowed(texts.summary),
            description: Cow::Borrowed(texts.description),
            formula: Cow::Borrowed(texts.formula),
            params: Cow::Borrowed(texts.params),
            wants_topic: false,
        }
    }

    /// The source for display, with the titles of papers.
    pub fn full_source(&self) -> String {
        let mut source = self.source.replace("(ours)", "our own");
        for (authors, title) in PAPERS {
            if let Some(at) = source.find(authors) {
                source.insert_str(at + authors.len(), &format!(", “{title}”"));
            }
        }
        source
    }

    /// Finds a parameter by key.
    pub fn param(&self, key: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.key == key)
    }
}

/// The papers that most entries come from: authors and year as sources name them, and the title.
const PAPERS: [(&str, &str); 5] = [
    ("Lebedeva 2013", "Static prioritization of a crawler"),
    ("Zhang, Li, Yu & Zhang 2010", "Joint link similarity evaluation"),
    ("Wen & Lu 2004", "Classified refresh policy"),
    ("Voronov, Mail.Ru", "Spider. Site segmentation"),
    ("Salari, Derhami & Paksima", "Web crawling with reinforcement learning"),
];

/// The static texts of an [`Entry`], as named fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntryTexts {
    /// See [`Entry::family`].
    pub family: &'static str,
    /// See [`Entry::source`].
    pub source: &'static str,
    /// See [`Entry::summary`].
    pub summary: &'static str,
    /// See [`Entry::description`].
    pub description: &'static str,
    /// See [`Entry::formula`].
    pub formula: &'static str,
    /// See [`Entry::params`].
    pub params: &'static [Param],
}

/// One parameter of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// The key in a spec.
    pub key: Text,
    /// The allowed values, and the default.
    pub kind: ParamKind,
    /// Help in one or two sentences.
    pub help: Text,
    /// Key of a parameter that this number must not be below.
    pub not_below: Option<Text>,
    /// Check function of a text. Not serialised: a deserialised entry cannot check its texts.
    #[serde(skip)]
    pub check: Check,
}

/// An optional check function of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check(pub Option<CheckText>);

/// Checks a text.
pub type CheckText = fn(&str) -> Result<(), Fault>;

impl PartialEq for Check {
    /// Always equal: parameters that are equal otherwise have the same check.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A variable or function of formulas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The word.
    pub name: Text,
    /// Help in one sentence.
    pub help: Text,
}

/// Type, range and default of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamKind {
    /// A finite number within inclusive bounds.
    Number {
        /// Default.
        default: f64,
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
        /// True for integers.
        integer: bool,
    },
    /// One of several words.
    Choice {
        /// Default.
        default: Text,
        /// The allowed words.
        options: Cow<'static, [Text]>,
    },
    /// `true` or `false`.
    Flag {
        /// Default.
        default: bool,
    },
    /// Free text.
    Text {
        /// Default.
        default: Text,
        /// Maximum length, in characters.
        max_chars: u32,
        /// What it names, for selection in the app.
        of: TextOf,
    },
    /// A formula.
    Formula {
        /// Default.
        default: Text,
        /// Maximum length, in characters.
        max_chars: u32,
        /// Variables.
        variables: Cow<'static, [Word]>,
        /// Functions.
        functions: Cow<'static, [Word]>,
    },
    /// A fixed number of numbers, written `0.5;0.2;0.3`.
    Vector {
        /// Default; its length is the required length.
        default: Cow<'static, [f64]>,
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
    },
    /// Another entry with its parameters.
    Entry {
        /// The registry.
        kind: Kind,
        /// Default, as a spec.
        default: Text,
    },
}

/// What a text parameter names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextOf {
    /// Nothing in particular.
    #[default]
    Words,
    /// A label of pages of the world.
    Label,
    /// URLs of pages of the world, separated by spaces.
    Pages,
}

impl Param {
    /// A number.
    pub const fn number(
        key: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Number { default, min, max, integer: false }, help)
    }

    /// A number that must not be below another parameter.
    pub const fn number_not_below(
        other: &'static str,
        key: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        let kind = ParamKind::Number { default, min, max, integer: false };
        let (key, help) = (Cow::Borrowed(key), Cow::Borrowed(help));
        Self { key, kind, help, not_below: Some(Cow::Borrowed(other)), check: Check(None) }
    }

    /// An integer.
    pub const fn integer(
        key: &'static str,
        default: u32,
        min: u32,
        max: u32,
        help: &'static str,
    ) -> Self {
        let (default, min, max) = (default as f64, min as f64, max as f64);
        Self::new(key, ParamKind::Number { default, min, max, integer: true }, help)
    }

    /// One of several words.
    pub const fn choice(
        key: &'static str,
        default: &'static str,
        options: &'static [Text],
        help: &'static str,
    ) -> Self {
        let kind =
            ParamKind::Choice { default: Cow::Borrowed(default), options: Cow::Borrowed(options) };
        Self::new(key, kind, help)
    }

    /// `true` or `false`.
    pub const fn flag(key: &'static str, default: bool, help: &'static str) -> Self {
        Self::new(key, ParamKind::Flag { default }, help)
    }

    /// Free text.
    pub const fn text(
        key: &'static str,
        default: &'static str,
        max_chars: u32,
        help: &'static str,
    ) -> Self {
        Self::naming(TextOf::Words, key, default, max_chars, help)
    }

    /// Text that names something in the world.
    pub const fn naming(
        of: TextOf,
        key: &'static str,
        default: &'static str,
        max_chars: u32,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Text { default: Cow::Borrowed(default), max_chars, of }, help)
    }

    /// A formula; `kind` must be [`ParamKind::Formula`].
    pub const fn formula(
        key: &'static str,
        kind: ParamKind,
        check: CheckText,
        help: &'static str,
    ) -> Self {
        let (key, help) = (Cow::Borrowed(key), Cow::Borrowed(help));
        Self { key, kind, help, not_below: None, check: Check(Some(check)) }
    }

    /// A fixed number of numbers.
    pub const fn vector(
        key: &'static str,
        default: &'static [f64],
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Vector { default: Cow::Borrowed(default), min, max }, help)
    }

    /// Another registry entry.
    pub const fn entry(
        key: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Entry { kind, default: Cow::Borrowed(default) }, help)
    }

    const fn new(key: &'static str, kind: ParamKind, help: &'static str) -> Self {
        let (key, help) = (Cow::Borrowed(key), Cow::Borrowed(help));
        Self { key, kind, help, not_below: None, check: Check(None) }
    }
}

impl ParamKind {
    /// The allowed values, for help: `0 to 1`, `l2 | max`, `true | false`.
    pub fn range_text(&self) -> String {
        match self {
            Self::Number { min, max, integer, .. } => {
                let noun = if *integer { "a whole number, " } else { "" };
                format!("{noun}{min} to {max}")
            }
            Self::Choice { options, .. } => options.join(" | "),
            Self::Flag { .. } => "true | false".to_owned(),
            Self::Text { max_chars, .. } => format!("text, at most {max_chars} characters"),
            Self::Formula { max_chars, .. } => {
                format!("a formula, at most {max_chars} characters")
            }
            Self::Vector { default, min, max } => {
                format!("{} numbers {min} to {max}, separated by ;", default.len())
            }
            Self::Entry { kind, .. } => format!("a {kind}"),
        }
    }

    /// The default as written in a spec.
    pub fn default_text(&self) -> String {
        match self {
            Self::Number { default, .. } => default.to_string(),
            Self::Choice { default, .. } | Self::Entry { default, .. } => default.to_string(),
            Self::Flag { default } => default.to_string(),
            Self::Text { default, .. } | Self::Formula { default, .. } => format!("'{default}'"),
            Self::Vector { default, .. } => {
                default.iter().map(f64::to_string).collect::<Vec<_>>().join(";")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_said_in_full() {
        let source = |source| {
            Entry::new("id", "Title", EntryTexts { source, ..EntryTexts::default() }).full_source()
        };
        assert_eq!(source("(ours), after Kumar et al. 2000"), "our own, after Kumar et al. 2000");
        let named = "Lebedeva 2013, “Static prioritization of a crawler”; Kleinberg 1999";
        assert_eq!(source("Lebedeva 2013; Kleinberg 1999"), named);
    }
}
