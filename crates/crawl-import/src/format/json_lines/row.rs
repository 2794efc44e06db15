//! Parses one line of a JSON Lines world.
//!
//! Strings without escapes are borrowed from the line, lists stop at their limit, and unknown fields
//! are skipped and reported.

use crate::html::has_word;
use crate::notice::Place;
use crate::notices::Notices;
use crate::{Limits, Problem};
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// Maximum seeds of a world.
const MOST_SEEDS: usize = 50_000;

/// The fields of a line.
#[derive(Default)]
pub(super) struct WorldLine<'l> {
    pub(super) format: Option<Text<'l>>,
    pub(super) version: Option<Unsigned>,
    pub(super) title: Option<Text<'l>>,
    pub(super) seeds: Vec<Text<'l>>,
    pub(super) license: Option<Text<'l>>,
    pub(super) url: Option<Text<'l>>,
    pub(super) text: Option<Text<'l>>,
    pub(super) html: Option<Text<'l>>,
    pub(super) status: Option<Unsigned>,
    pub(super) location: Option<Text<'l>>,
    pub(super) bytes: Option<Unsigned>,
    pub(super) latency_ms: Option<Real>,
    pub(super) links: Option<Vec<LinkValue<'l>>>,
    pub(super) topics: Vec<Text<'l>>,
    pub(super) clicks: Option<Unsigned>,
    pub(super) change_rate_per_hour: Option<Real>,
    pub(super) changes_s: Vec<Real>,
    pub(super) change_period_s: Option<Real>,
    pub(super) change_phase_s: Option<Real>,
    pub(super) change_bursts_per_hour: Option<Real>,
    pub(super) change_rate_in_burst_per_hour: Option<Real>,
    pub(super) change_burst_s: Option<Real>,
    pub(super) born_s: Option<Real>,
    pub(super) gone_s: Option<Real>,
    pub(super) host: Option<Text<'l>>,
    pub(super) robots: Option<Text<'l>>,
    pub(super) crawl_delay_s: Option<Real>,
    seen: u32,
    unknown: Vec<String>,
}

/// A link of a page.
#[derive(Default)]
pub(super) struct LinkValue<'l> {
    pub(super) to: Cow<'l, str>,
    pub(super) anchor: Cow<'l, str>,
    pub(super) context: Cow<'l, str>,
    pub(super) nofollow: bool,
}

/// Declares the fields, each with the objects it may appear in.
macro_rules! fields {
    ($($variant:ident $name:literal: $($place:ident)|+;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Field { $($variant),* }

        #[cfg(test)]
        pub(super) const FIELD_NAMES: &[&str] = &[$($name),*];

        impl Field {
            const ALL: &[Self] = &[$(Self::$variant),*];

            fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            fn may_stand_in(self, place: Place) -> bool {
                match self { $(Self::$variant => matches!(place, $(Place::$place)|+)),* }
            }
        }
    };
}

fields! {
    Format "format": Header;
    Version "version": Header;
    Title "title": Header | Page;
    Seeds "seeds": Header;
    License "license": Header;
    Url "url": Page;
    Text "text": Page;
    Html "html": Page;
    Status "status": Page;
    Location "location": Page;
    Bytes "bytes": Page;
    LatencyMs "latency_ms": Page;
    Links "links": Page;
    Topics "topics": Page;
    Clicks "clicks": Page;
    ChangeRatePerHour "change_rate_per_hour": Page;
    ChangesS "changes_s": Page;
    ChangePeriodS "change_period_s": Page;
    ChangePhaseS "change_phase_s": Page;
    ChangeBurstsPerHour "change_bursts_per_hour": Page;
    ChangeRateInBurstPerHour "change_rate_in_burst_per_hour": Page;
    ChangeBurstS "change_burst_s": Page;
    BornS "born_s": Page;
    GoneS "gone_s": Page;
    Host "host": Host;
    Robots "robots": Host;
    CrawlDelayS "crawl_delay_s": Host;
}

impl<'l> WorldLine<'l> {
    /// Parses a line; unknown fields of links are reported at once.
    pub(super) fn parse(
        text: &'l str,
        line: u64,
        limits: &Limits,
        notices: &mut Notices,
    ) -> Result<Self, Problem> {
        let scene = LineState {
            line,
            list_items: limits.list_items,
            field: Cell::new(""),
            problem: Cell::new(None),
            notices: RefCell::new(notices),
        };
        let mut json = serde_json::Deserializer::from_str(text);
        let row =
            WorldLineSeed(&scene).deserialize(&mut json).and_then(|row| json.end().map(|()| row));
        row.map_err(|error| scene.explain(&error))
    }

    /// Reports fields that are unknown in this kind of object.
    pub(super) fn report_unknown(&self, place: Place, line: u64, notices: &mut Notices) {
        for field in Field::ALL {
            if self.seen & (1 << *field as u32) != 0 && !field.may_stand_in(place) {
                notices.unknown_field(place, field.name(), line);
            }
        }
        for name in &self.unknown {
            notices.unknown_field(place, name, line);
        }
    }
}

/// State shared by the deserialisers of one line.
struct LineState<'n> {
    line: u64,
    list_items: usize,
    /// The field being read.
    field: Cell<&'static str>,
    /// Why parsing stopped, if not because of invalid JSON.
    problem: Cell<Option<Problem>>,
    notices: RefCell<&'n mut Notices>,
}

impl LineState<'_> {
    fn stop<E: de::Error>(&self, problem: Problem) -> E {
        self.problem.set(Some(problem));
        E::custom("")
    }

    fn explain(&self, error: &serde_json::Error) -> Problem {
        if let Some(problem) = self.problem.take() {
            return problem;
        }
        let mut message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        if let Some(end) = message.strip_suffix(&place).map(str::len) {
            message.truncate(end);
        }
        let (field, column) = (self.field.get(), error.column());
        Problem::Json { field, column, message }
    }
}

struct WorldLineSeed<'s, 'n>(&'s LineState<'n>);

impl<'de> DeserializeSeed<'de> for WorldLineSeed<'_, '_> {
    type Value = WorldLine<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<WorldLine<'de>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for WorldLineSeed<'_, '_> {
    type Value = WorldLine<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object: header, page or host")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WorldLine<'de>, A::Error> {
        let scene = self.0;
        let mut row = WorldLine::default();
        while let Some(Text(name)) = map.next_key()? {
            let Some(field) = Field::named(&name) else {
                row.unknown.push(name.into_owned());
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            scene.field.set(field.name());
            let bit = 1 << field as u32;
            if row.seen & bit != 0 {
                return Err(de::Error::custom("given twice"));
            }
            row.seen |= bit;
            let most = scene.list_items;
            match field {
                Field::Format => row.format = map.next_value()?,
                Field::Version => row.version = map.next_value()?,
                Field::Title => row.title = map.next_value()?,
                Field::Seeds => {
                    let list = List::of(scene, "seeds", most.min(MOST_SEEDS));
                    row.seeds = map.next_value_seed(list)?.unwrap_or_default();
                }
                Field::License => row.license = map.next_value()?,
                Field::Url => row.url = map.next_value()?,
                Field::Text => row.text = map.next_value()?,
                Field::Html => row.html = map.next_value()?,
                Field::Status => row.status = map.next_value()?,
                Field::Location => row.location = map.next_value()?,
                Field::Bytes => row.bytes = map.next_value()?,
                Field::LatencyMs => row.latency_ms = map.next_value()?,
                Field::Links => {
                    let item = LinkSeed(scene);
                    let what = "links on one page";
                    row.links = map.next_value_seed(List { scene, what, most, item })?;
                }
                Field::Topics => {
                    let list = List::of(scene, "topics on one page", most);
                    row.topics = map.next_value_seed(list)?.unwrap_or_default();
                }
                Field::Clicks => row.clicks = map.next_value()?,
                Field::ChangeRatePerHour => row.change_rate_per_hour = map.next_value()?,
                Field::ChangesS => {
                    let list = List::of(scene, "changes of one page", most);
                    row.changes_s = map.next_value_seed(list)?.unwrap_or_default();
                }
                Field::ChangePeriodS => row.change_period_s = map.next_value()?,
                Field::ChangePhaseS => row.change_phase_s = map.next_value()?,
                Field::ChangeBurstsPerHour => row.change_bursts_per_hour = map.next_value()?,
                Field::ChangeRateInBurstPerHour => {
                    row.change_rate_in_burst_per_hour = map.next_value()?;
                }
                Field::ChangeBurstS => row.change_burst_s = map.next_value()?,
                Field::BornS => row.born_s = map.next_value()?,
                Field::GoneS => row.gone_s = map.next_value()?,
                Field::Host => row.host = map.next_value()?,
                Field::Robots => row.robots = map.next_value()?,
                Field::CrawlDelayS => row.crawl_delay_s = map.next_value()?,
            }
            scene.field.set("");
        }
        Ok(row)
    }
}

/// A list of bounded length, or null.
struct List<'s, 'n, S> {
    scene: &'s LineState<'n>,
    what: &'static str,
    most: usize,
    item: S,
}

impl<'s, 'n, T> List<'s, 'n, PhantomData<T>> {
    fn of(scene: &'s LineState<'n>, what: &'static str, most: usize) -> Self {
        let item = PhantomData;
        Self { scene, what, most, item }
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for List<'_, '_, S> {
    type Value = Option<Vec<S::Value>>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for List<'_, '_, S> {
    type Value = Option<Vec<S::Value>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.item)? {
            if items.len() == self.most {
                let (what, limit) = (self.what, self.most);
                return Err(self.scene.stop(Problem::ListTooLong { what, limit }));
            }
            items.push(item);
        }
        Ok(Some(items))
    }
}

#[derive(Clone, Copy)]
struct LinkSeed<'s, 'n>(&'s LineState<'n>);

impl<'de> DeserializeSeed<'de> for LinkSeed<'_, '_> {
    type Value = LinkValue<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<LinkValue<'de>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for LinkSeed<'_, '_> {
    type Value = LinkValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URL, or an object with \"to\"")
    }

    fn visit_borrowed_str<E: de::Error>(self, to: &'de str) -> Result<LinkValue<'de>, E> {
        let to = Cow::Borrowed(to);
        Ok(LinkValue { to, ..LinkValue::default() })
    }

    fn visit_str<E: de::Error>(self, to: &str) -> Result<LinkValue<'de>, E> {
        let to = Cow::Owned(to.to_owned());
        Ok(LinkValue { to, ..LinkValue::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LinkValue<'de>, A::Error> {
        let Self(scene) = self;
        let (mut to, mut anchor, mut context, mut rel) = (None, None, None, None);
        while let Some(Text(name)) = map.next_key()? {
            let value: &mut Option<Text<'de>> = match &*name {
                "to" => &mut to,
                "anchor" => &mut anchor,
                "context" => &mut context,
                "rel" => &mut rel,
                name => {
                    let mut notices = scene.notices.borrow_mut();
                    notices.unknown_field(Place::Link, name, scene.line);
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if value.is_some() {
                let message = format!("{name} given twice");
                return Err(de::Error::custom(message));
            }
            *value = map.next_value()?;
        }
        let Some(Text(to)) = to else {
            return Err(scene.stop(Problem::LinkWithoutTarget));
        };
        let text = |text: Option<Text<'de>>| text.map(|text| text.0).unwrap_or_default();
        Ok(LinkValue {
            to,
            anchor: text(anchor),
            context: text(context),
            nofollow: has_word(&text(rel), "nofollow"),
        })
    }
}

/// A string, borrowed from the line if it has no escapes.
pub(super) struct Text<'l>(pub(super) Cow<'l, str>);

impl<'de: 'l, 'l> Deserialize<'de> for Text<'l> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_str(TextVisitor(PhantomData))
    }
}

struct TextVisitor<'l>(PhantomData<&'l str>);

impl<'de: 'l, 'l> Visitor<'de> for TextVisitor<'l> {
    type Value = Text<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'l>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'l>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

/// A non-negative integer.
pub(super) struct Unsigned(pub(super) u64);

impl<'de> Deserialize<'de> for Unsigned {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_u64(UnsignedVisitor)
    }
}

struct UnsignedVisitor;

impl Visitor<'_> for UnsignedVisitor {
    type Value = Unsigned;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer of at least 0")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Unsigned, E> {
        Ok(Unsigned(number))
    }
}

/// Any number.
pub(super) struct Real(pub(super) f64);

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_f64(RealVisitor)
    }
}

struct RealVisitor;

impl Visitor<'_> for RealVisitor {
    type Value = Real;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Real, E> {
        Ok(Real(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Real, E> {
        Ok(Real(number as f64))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Real, E> {
        Ok(Real(number as f64))
    }
}
