//! Revisits in time: what a lane worker tells of the pages it keeps copies of, and what the app and
//! its timeline say to each other.
//!
//! The timeline is a program of its own, loaded when it is first shown ([`Told`], [`Wish`]). It never
//! holds all rows: it asks one lane for the order of the rows in sight ([`RowsOf`]) and every lane for
//! what happened to those pages within the hours in sight ([`MarksOf`]). The app passes questions
//! and answers on without reading them ([`Packed`]), so that a first visit is not sent what reads
//! them.

use crate::{CodecError, Task, decode, encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// A message that is passed on by whoever has no need to read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Packed<T> {
    /// The message as it travels.
    pub bytes: Vec<u8>,
    of: PhantomData<fn() -> T>,
}

impl<T> Packed<T> {
    /// Of the bytes of a message.
    fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, of: PhantomData }
    }
}

impl<T: Serialize> Packed<T> {
    /// Packs a message.
    ///
    /// # Errors
    /// See [`encode`].
    pub fn pack(message: &T) -> Result<Self, CodecError> {
        Ok(Self::of(encode(message)?))
    }
}

impl<T: DeserializeOwned> Packed<T> {
    /// The message.
    ///
    /// # Errors
    /// See [`decode`].
    pub fn open(&self) -> Result<T, CodecError> {
        decode(&self.bytes)
    }
}

/// What the timeline asks of a lane. Of each kind only the latest is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Some of the pages it has copies of, in order.
    Rows {
        /// The request's number, the timeline's own.
        task: Task,
        /// Which.
        of: RowsOf,
    },
    /// What happened to some pages.
    Marks {
        /// The request's number, the timeline's own.
        task: Task,
        /// Which, and when.
        of: MarksOf,
    },
}

/// What a lane answers to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answered {
    /// Some of the pages it has copies of.
    Rows(Rows),
    /// What happened to some pages.
    Marks(Marks),
    /// It cannot be told, and why.
    Failed {
        /// Which request.
        task: Task,
        /// Why.
        error: String,
    },
}

/// By what rows are sorted; of equals the page found first comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowOrder {
    /// How often pages truly change, fastest first.
    #[default]
    Rate,
    /// How long copies have been stale, longest first; fresh ones last.
    Staleness,
    /// PageRank, highest first.
    Importance,
    /// The order in which the pages were fetched first.
    Fetched,
}

impl RowOrder {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rate, Self::Staleness, Self::Importance, Self::Fetched];

    /// Its name in a link.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Staleness => "staleness",
            Self::Importance => "importance",
            Self::Fetched => "fetched",
        }
    }
}

/// By what rows are put together before they are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowGroup {
    /// By nothing.
    #[default]
    None,
    /// By host.
    Host,
    /// By how pages change: the first label of a page that has labels, else its process.
    Class,
}

impl RowGroup {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Host, Self::Class];

    /// Its name in a link.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Host => "host",
            Self::Class => "class",
        }
    }
}

/// Asks for some of the rows of a lane, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowsOf {
    /// After which step; pages fetched by then have rows.
    pub step: u32,
    /// Sorted by what.
    pub order: RowOrder,
    /// Put together by what.
    pub group: RowGroup,
    /// The first row.
    pub first: u32,
    /// How many.
    pub n: u32,
}

/// Some of the rows of a lane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    /// Which request this answers.
    pub task: Task,
    /// What was asked.
    pub of: RowsOf,
    /// How many rows there are in all.
    pub n_rows: u32,
    /// Those asked for.
    pub rows: Vec<PageRow>,
}

/// A page of which the crawl has a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRow {
    /// The page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// The group it belongs to; empty where rows are not put together.
    pub group: String,
    /// How often it changes, in the long run; nothing where only times are recorded.
    pub per_hour: Option<f64>,
    /// Its PageRank, as a share of all.
    pub importance: f64,
}

/// Asks for what happened to some pages between two times, as far as the run has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarksOf {
    /// After which step: estimates and due times are those of then.
    pub step: u32,
    /// Which pages.
    pub pages: Vec<u32>,
    /// From this second on.
    pub from_s: f64,
    /// Until this one.
    pub to_s: f64,
    /// The curve is held until this second; what the run has done since makes it worth telling anew.
    pub curve_until_s: f64,
}

/// What happened to some pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// Which request this answers.
    pub task: Task,
    /// After which step estimates and due times are.
    pub step: u32,
    /// From this second on.
    pub from_s: f64,
    /// Until this one.
    pub to_s: f64,
    /// Until when the run has come so far, in seconds.
    pub known_until_s: f64,
    /// One for each page asked for, in that order.
    pub pages: Vec<PageMarks>,
    /// Freshness over time, where it has grown.
    pub curve: Option<Freshness>,
}

/// The freshness of all copies of a lane, at equal distances of time from the start on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Freshness {
    /// Seconds between two values; the first is as long after the start.
    pub every_s: f64,
    /// The share of copies that are fresh; below 0 before there is one.
    pub values: Vec<f32>,
    /// What a formula expects, at the same moments; below 0 where there is none, and empty where there
    /// is none at all.
    pub expected: Vec<f32>,
}

/// What happened to a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageMarks {
    /// The page.
    pub page: u32,
    /// Since when there is a copy of it, in seconds; nothing where there is none.
    pub copied_s: Option<f64>,
    /// Visits within the time asked for, in order; the first fetch is one.
    pub visits: Vec<Visit>,
    /// Changes within the time asked for, in order.
    pub changes: Vec<Changed>,
    /// Whether there are so many that of those no visit could see only some are told: as many as can
    /// be told apart from there.
    pub is_thinned: bool,
    /// When the copy was stale within the time asked for: from, until, in seconds.
    pub stale: Vec<(f64, f64)>,
    /// Where there are too many visits to be told one by one, none of the above is told and the time
    /// asked for is cut into this many equal parts: the share of each in which the copy was fresh, below 0
    /// where there was no copy or the run has not come so far.
    pub shares: Vec<f32>,
    /// Visits within the time asked for, told or not.
    pub n_visits: u32,
    /// Of them, those that found nothing new.
    pub n_wasted: u32,
    /// The change rate estimated at the step asked for, an hour.
    pub estimate: Option<f64>,
    /// The visit before the step asked for, in seconds.
    pub last_s: Option<f64>,
    /// When the next one is due, as it stood at the step asked for, in seconds.
    pub due_s: Option<f64>,
}

/// A visit to a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// When, in seconds.
    pub at_s: f64,
    /// At which step.
    pub step: u32,
    /// What it found.
    pub found: VisitFound,
}

/// What a visit found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitFound {
    /// It was the first.
    First,
    /// The page had changed.
    Changed,
    /// Nothing new: the visit was wasted.
    Same,
}

/// A change of a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// When, in seconds.
    pub at_s: f64,
    /// Whether no visit could see it, since the copy was stale already: what came before and this
    /// look like one change.
    pub is_missed: bool,
}

/// From the app to the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Told {
    /// What is shown: whenever any of it changes.
    Scene(Scene),
    /// Where the play-head is: in seconds, and the step of each lane there.
    Head {
        /// Seconds.
        at_s: f64,
        /// The step of each lane.
        steps: Vec<u32>,
        /// Whether it plays.
        is_playing: bool,
    },
}

/// What the timeline shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The lanes.
    pub lanes: Vec<SceneLane>,
    /// Until when the longest run goes, in seconds.
    pub end_s: f64,
    /// Whether all runs are complete.
    pub is_complete: bool,
    /// Sorted by what.
    pub order: RowOrder,
    /// Put together by what.
    pub group: RowGroup,
    /// The page that is shown alone, large; nothing for all.
    pub alone: Option<u32>,
    /// The page and the lane whose reasons are shown beside.
    pub chosen: Option<(u32, u32)>,
    /// What the curve is called.
    pub curve: String,
}

/// A lane of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneLane {
    /// Its name: ordering and policy.
    pub title: String,
    /// Its colour and shape, counted from 0.
    pub mark: u8,
    /// Whether it knows more than a crawler can.
    pub is_oracle: bool,
    /// Visits an hour that it may make: its budget.
    pub visits_per_hour: f64,
    /// Which run of it this is: what was told of another no longer holds.
    pub run: u32,
    /// Until when its run has come so far, in seconds.
    pub until_s: f64,
    /// Whether it visits pages again.
    pub revisits: bool,
    /// Why there is no run; empty where there is one.
    pub error: String,
}

/// From the timeline to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Wish {
    /// Asks a lane.
    Ask(u32, Packed<Ask>),
    /// To a moment, in seconds.
    Seek(f64),
    /// Why a visit happened: the lane, the page, the step of the visit.
    Why {
        /// The lane.
        lane: u32,
        /// The page.
        page: u32,
        /// The step of the visit; to just before it.
        step: u32,
        /// What it found.
        found: VisitFound,
    },
    /// Another order, or another grouping.
    Order(RowOrder, RowGroup),
    /// One page alone, or all again.
    Alone(Option<u32>),
    /// A policy is to be chosen.
    Policy,
    /// Back to the stage.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_on_unread_arrives_as_it_was() {
        let ask = Ask::Rows { task: Task(7), of: RowsOf { n: 3, ..RowsOf::default() } };
        let wish = Wish::Ask(2, Packed::pack(&ask).unwrap());
        let Wish::Ask(2, packed) = decode(&encode(&wish).unwrap()).unwrap() else { panic!() };
        assert_eq!(packed.open(), Ok(ask));
        assert!(Packed::<Ask>::of(vec![9]).open().is_err());
    }
}
