//! The texts and parameters of one registry entry.

use crate::fault::Fault;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A text that is static in a registry and owned once it has travelled.
type Text = Cow<'static, str>;

/// Which registry an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Something to crawl.
    World,
    /// A crawl ordering.
    Strategy,
    /// A whole-graph ranking.
    Ranker,
    /// A revisit policy.
    Policy,
    /// A measure of a run.
    Metric,
    /// A file format.
    Importer,
    /// What a focused crawl looks for.
    Topic,
    /// A figure of a document that can be changed.
    Figure,
}

impl Kind {
    /// The kind in a sentence: "unknown strategy …".
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

    /// Several of the kind.
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

/// What a registry says of one of its things. Every panel, help text and table is made from this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The name in links: lower case, hyphens; never changed once it has landed.
    pub id: Text,
    /// The name on screen.
    pub title: Text,
    /// A heading to group by, such as "Link structure".
    pub family: Text,
    /// The document it comes from, or "(ours)".
    pub source: Text,
    /// One line, no full stop.
    pub summary: Text,
    /// A paragraph: how it works, its caveats, what is our reading.
    pub description: Text,
    /// The formula, in plain Unicode.
    pub formula: Text,
    /// Its parameters, in the order they are shown and printed.
    pub params: Cow<'static, [Param]>,
    /// Whether it looks for a topic unless its parameters say otherwise; whoever joins the registries
    /// knows.
    pub wants_topic: bool,
}

impl Entry {
    /// An entry from static texts; `const`, so that a registry can be a plain slice.
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

    /// The source as a reader understands it: documents by their names, not only by their letters.
    pub fn full_source(&self) -> String {
        let mut source = self.source.replace("(ours)", "our own");
        for (letter, name) in DOCUMENTS {
            source = source.replace(letter, name);
        }
        source
    }

    /// The parameter of that name.
    pub fn param(&self, key: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.key == key)
    }
}

/// The documents most entries come from, as sources say them and as they are called.
const DOCUMENTS: [(&str, &str); 5] = [
    (" (A)", ", “Static prioritization of a crawler”"),
    (" (B)", ", “Joint link similarity evaluation”"),
    (" (C)", ", “Classified refresh policy”"),
    (" (D)", ", “Spider. Site segmentation”"),
    (" (E)", ", “Web crawling with reinforcement learning”"),
];

/// The static texts an [`Entry`] is made of, named so that an entry reads as a form.
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
    /// The name in a spec.
    pub key: Text,
    /// What values it takes, and its default.
    pub kind: ParamKind,
    /// What it does, in one or two sentences.
    pub help: Text,
    /// Another parameter of the entry, a number too, that this one must not be below.
    pub not_below: Option<Text>,
    /// Looks closer at a text. It does not travel: who was sent an entry asks whoever sent it.
    #[serde(skip)]
    pub check: Check,
}

/// Says what is wrong with a text that a parameter was given, where it takes not every text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check(pub Option<CheckText>);

/// Looks at a text.
pub type CheckText = fn(&str) -> Result<(), Fault>;

impl PartialEq for Check {
    /// The registry is one, so parameters that are the same otherwise are checked the same.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A word that formulas may use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The word.
    pub name: Text,
    /// What it stands for, in a sentence.
    pub help: Text,
}

/// What values a parameter takes, and which it has when none is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamKind {
    /// A finite number within bounds, both included.
    Number {
        /// When none is given.
        default: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
        /// Whole numbers only.
        integer: bool,
    },
    /// One of a few words.
    Choice {
        /// When none is given.
        default: Text,
        /// All allowed words.
        options: Cow<'static, [Text]>,
    },
    /// `true` or `false`.
    Flag {
        /// When none is given.
        default: bool,
    },
    /// Free text.
    Text {
        /// When none is given.
        default: Text,
        /// Longest allowed, in characters.
        max_chars: u32,
        /// What it names, so that it can be chosen as well as typed.
        of: TextOf,
    },
    /// A formula: a text that the parameter checks.
    Formula {
        /// When none is given.
        default: Text,
        /// Longest allowed, in characters.
        max_chars: u32,
        /// What may stand in it for a number.
        variables: Cow<'static, [Word]>,
        /// What may stand in it before brackets.
        functions: Cow<'static, [Word]>,
    },
    /// A fixed number of numbers, written `0.5;0.2;0.3`.
    Vector {
        /// When none is given; its length is the length required.
        default: Cow<'static, [f64]>,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// Another entry, with parameters of its own.
    Entry {
        /// Of which registry.
        kind: Kind,
        /// A spec, when none is given.
        default: Text,
    },
}

/// What a free text names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextOf {
    /// Nothing in particular.
    #[default]
    Words,
    /// A label that pages of the world have.
    Label,
    /// URLs of pages of the world, with spaces between.
    Pages,
}

impl Param {
    /// A real number.
    pub const fn number(
        key: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Number { default, min, max, integer: false }, help)
    }

    /// A real number that must not be below another parameter of the entry.
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

    /// A whole number.
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

    /// One of a few words, the first of `options` unless said otherwise.
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

    /// A switch.
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

    /// Text that names something of the world.
    pub const fn naming(
        of: TextOf,
        key: &'static str,
        default: &'static str,
        max_chars: u32,
        help: &'static str,
    ) -> Self {
        Self::new(key, ParamKind::Text { default: Cow::Borrowed(default), max_chars, of }, help)
    }

    /// A formula, from a kind that is one.
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
    /// What may be given, for a help text: `0 to 1`, `l2 | max`, `true | false`.
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

    /// The default as it would be written in a spec.
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
        assert_eq!(source("Lebedeva 2013 (A); Kleinberg 1999"), named);
    }
}
