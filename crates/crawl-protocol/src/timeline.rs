//! Messages between the app, the timeline and the lane workers.
//!
//! The timeline is a separate program ([`Message`], [`Request`]). It requests the order of the
//! visible rows from one lane ([`RowsOf`]) and the visits and changes of those pages from every
//! lane ([`MarksOf`]). The app forwards both without decoding them ([`Packed`]), which keeps it
//! small.

use crate::{CodecError, Task, decode, encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// An encoded message that is forwarded without decoding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Packed<T> {
    /// The encoded message.
    pub bytes: Vec<u8>,
    of: PhantomData<fn() -> T>,
}

impl<T> Packed<T> {
    /// Wraps encoded bytes.
    fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, of: PhantomData }
    }
}

impl<T: Serialize> Packed<T> {
    /// Encodes a message.
    ///
    /// # Errors
    /// See [`encode`].
    pub fn pack(message: &T) -> Result<Self, CodecError> {
        Ok(Self::of(encode(message)?))
    }
}

impl<T: DeserializeOwned> Packed<T> {
    /// Decodes the message.
    ///
    /// # Errors
    /// See [`decode`].
    pub fn open(&self) -> Result<T, CodecError> {
        decode(&self.bytes)
    }
}

/// A request of the timeline to a lane. Of each kind only the latest is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Some rows, in order.
    Rows {
        /// Request number of the timeline.
        task: Task,
        /// The rows.
        of: RowsOf,
    },
    /// Visits and changes of some pages.
    Marks {
        /// Request number of the timeline.
        task: Task,
        /// Pages and time span.
        of: MarksOf,
    },
}

/// An answer of a lane to the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answered {
    /// Some rows.
    Rows(Rows),
    /// Visits and changes of some pages.
    Marks(Marks),
    /// The request failed.
    Failed {
        /// The request.
        task: Task,
        /// The reason.
        error: String,
    },
}

/// Order of the rows; ties by discovery order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowOrder {
    /// True change rate, fastest first.
    #[default]
    Rate,
    /// Staleness, longest first; fresh copies last.
    Staleness,
    /// PageRank, highest first.
    Importance,
    /// First fetch, earliest first.
    Fetched,
}

impl RowOrder {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Rate, Self::Staleness, Self::Importance, Self::Fetched];

    /// Name in a link.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Staleness => "staleness",
            Self::Importance => "importance",
            Self::Fetched => "fetched",
        }
    }
}

/// Grouping of the rows; each group is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowGroup {
    /// No groups.
    #[default]
    None,
    /// By host.
    Host,
    /// By first label, else by change process.
    Class,
}

impl RowGroup {
    /// All values.
    pub const ALL: [Self; 3] = [Self::None, Self::Host, Self::Class];

    /// Name in a link.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Host => "host",
            Self::Class => "class",
        }
    }
}

/// A request for rows of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowsOf {
    /// Step; pages fetched by then have rows.
    pub step: u32,
    /// Order.
    pub order: RowOrder,
    /// Grouping.
    pub group: RowGroup,
    /// The first row.
    pub first: u32,
    /// Number of rows.
    pub n: u32,
}

/// Rows of a lane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    /// The request it answers.
    pub task: Task,
    /// The request.
    pub of: RowsOf,
    /// Total number of rows.
    pub n_rows: u32,
    /// The requested rows.
    pub rows: Vec<PageRow>,
}

/// A row: a page with a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRow {
    /// The page.
    pub page: u32,
    /// Its URL.
    pub url: String,
    /// Its group; empty without grouping.
    pub group: String,
    /// True change rate per hour; `None` if only change times are recorded.
    pub per_hour: Option<f64>,
    /// PageRank, as a share of all.
    pub importance: f64,
}

/// A request for visits and changes of pages in a time span.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarksOf {
    /// Step of the estimates and due times.
    pub step: u32,
    /// The pages.
    pub pages: Vec<u32>,
    /// Start of the span, in seconds.
    pub from_s: f64,
    /// End of the span, in seconds.
    pub to_s: f64,
    /// The timeline has the curve until this time, in seconds.
    pub curve_until_s: f64,
}

/// Visits and changes of pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// The request it answers.
    pub task: Task,
    /// Step of the estimates and due times.
    pub step: u32,
    /// Start of the span, in seconds.
    pub from_s: f64,
    /// End of the span, in seconds.
    pub to_s: f64,
    /// Progress of the run, in seconds.
    pub known_until_s: f64,
    /// One per page, in the order of the request.
    pub pages: Vec<PageMarks>,
    /// Freshness over time, if it has grown.
    pub curve: Option<Freshness>,
}

/// Freshness of all copies of a lane, sampled at equal intervals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Freshness {
    /// Seconds between two samples; the first is at `every_s`.
    pub every_s: f64,
    /// Share of fresh copies; negative if there is no copy.
    pub values: Vec<f32>,
    /// Expected values at the same times; negative or empty for none.
    pub expected: Vec<f32>,
}

/// Visits, changes and estimates of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageMarks {
    /// The page.
    pub page: u32,
    /// Time of the first copy, in seconds.
    pub copied_s: Option<f64>,
    /// Visits in the span, in order, including the first fetch.
    pub visits: Vec<Visit>,
    /// Changes in the span, in order.
    pub changes: Vec<Changed>,
    /// Whether some missed changes are omitted because they are too dense.
    pub is_thinned: bool,
    /// Stale intervals in the span: start and end, in seconds.
    pub stale: Vec<(f64, f64)>,
    /// Fresh share of equal intervals, if there are too many visits to list.
    ///
    /// Then visits, changes and stale intervals are empty. Negative without a copy or beyond the
    /// run's progress.
    pub shares: Vec<f32>,
    /// Number of visits in the span, listed or not.
    pub n_visits: u32,
    /// Number of visits that found no change.
    pub n_wasted: u32,
    /// Estimated change rate per hour, at the step.
    pub estimate: Option<f64>,
    /// Time of the last visit before the step, in seconds.
    pub last_s: Option<f64>,
    /// Due time of the next visit in seconds, at the step.
    pub due_s: Option<f64>,
}

/// A visit to a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Time, in seconds.
    pub at_s: f64,
    /// The step.
    pub step: u32,
    /// What it found.
    pub found: VisitFound,
}

/// What a visit found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitFound {
    /// First fetch.
    First,
    /// The page changed since the last visit.
    Changed,
    /// No change: a wasted visit.
    Same,
}

/// A change of a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// Time, in seconds.
    pub at_s: f64,
    /// Whether it is missed: the copy was already stale, so visits see one change only.
    pub is_missed: bool,
}

/// A message from the app to the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// Lanes and settings, whenever they change.
    Scene(Scene),
    /// The play-head.
    Head {
        /// Position in seconds.
        at_s: f64,
        /// Step of each lane.
        steps: Vec<u32>,
        /// Whether it plays.
        is_playing: bool,
    },
}

/// Lanes and settings of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The lanes.
    pub lanes: Vec<SceneLane>,
    /// End of the longest run, in seconds.
    pub end_s: f64,
    /// Whether all runs are complete.
    pub is_complete: bool,
    /// Order.
    pub order: RowOrder,
    /// Grouping.
    pub group: RowGroup,
    /// The only page shown; `None` for all.
    pub alone: Option<u32>,
    /// Page and lane of the inspector.
    pub chosen: Option<(u32, u32)>,
    /// Title of the curve's metric.
    pub curve: String,
}

/// A lane of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneLane {
    /// Title: strategy and policy.
    pub title: String,
    /// Index of its colour and shape.
    pub mark: u8,
    /// Whether it is an oracle.
    pub is_oracle: bool,
    /// Visit budget per hour.
    pub visits_per_hour: f64,
    /// Number of its run; data of other runs is outdated.
    pub run: u32,
    /// Progress of its run, in seconds.
    pub until_s: f64,
    /// Whether it has a revisit policy.
    pub revisits: bool,
    /// Why the run failed; empty if it did not.
    pub error: String,
}

/// A request from the timeline to the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Forward a request to a lane.
    Ask(u32, Packed<Ask>),
    /// Move the play-head, in seconds.
    Seek(f64),
    /// Explain a visit.
    Why {
        /// The lane.
        lane: u32,
        /// The page.
        page: u32,
        /// Step of the visit.
        step: u32,
        /// What it found.
        found: VisitFound,
    },
    /// Set order and grouping.
    Order(RowOrder, RowGroup),
    /// Show one page, or all.
    Alone(Option<u32>),
    /// Open the policy dialog.
    Policy,
    /// Close the timeline.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_on_unread_arrives_as_it_was() {
        let ask = Ask::Rows { task: Task(7), of: RowsOf { n: 3, ..RowsOf::default() } };
        let wish = Request::Ask(2, Packed::pack(&ask).unwrap());
        let Request::Ask(2, packed) = decode(&encode(&wish).unwrap()).unwrap() else { panic!() };
        assert_eq!(packed.open(), Ok(ask));
        assert!(Packed::<Ask>::of(vec![9]).open().is_err());
    }
}
