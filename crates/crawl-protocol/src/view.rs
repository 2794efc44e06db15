//! View settings that a link restores, without influence on runs.

use crate::link::{LinkError, read_list, read_number};
use crate::timeline::{RowGroup, RowOrder};
use crawl_catalogue::{Catalogue, Kind, Value};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Keys of the view in a link.
pub(crate) const KEYS: [&str; 13] = [
    "axis", "layout", "chart", "speed", "lane", "page", "embed", "marks", "colour", "graph",
    "timeline", "figure", "moment",
];

/// Largest position of the play-head, in seconds.
const MAX_MOMENT: f64 = 1e12;

/// Maximum length of the chosen page's URL, in bytes.
const MAX_URL: usize = 4096;

/// Unit of the chart's x axis and of the play-head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Axis {
    /// Completed fetches.
    #[default]
    Pages,
    /// Simulated seconds.
    Seconds,
}

/// View settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Unit of the chart's x axis and of the play-head.
    pub axis: Axis,
    /// Layout id; empty for the first.
    pub layout: String,
    /// Spec of the chart's metric; empty for the default.
    pub chart: String,
    /// Speed: steps or simulated seconds per second.
    pub speed: u32,
    /// Lane of the inspector, by index.
    pub lane: Option<u32>,
    /// URL of the page in the inspector.
    pub page: Option<String>,
    /// Whether to show only stage and playback, for embedding.
    pub embed: bool,
    /// Colour and shape of each lane, by index; further lanes take free ones.
    ///
    /// A lane keeps its mark when other lanes are added or removed.
    pub marks: Vec<u8>,
    /// Page value that colours show, by name; empty for the fetch time.
    pub colour: String,
    /// Lane whose Web link graph is shown, by index.
    pub graph: Option<u32>,
    /// Order and grouping of the timeline, if it is shown.
    pub timeline: Option<(RowOrder, RowGroup)>,
    /// Spec of the figure in the claims dialog; empty for none.
    pub figure: String,
    /// Position of the play-head on the axis of seconds.
    pub moment: Option<f64>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            axis: Axis::Pages,
            layout: String::new(),
            chart: String::new(),
            speed: Self::DEFAULT_SPEED,
            lane: None,
            page: None,
            embed: false,
            marks: Vec::new(),
            colour: String::new(),
            graph: None,
            timeline: None,
            figure: String::new(),
            moment: None,
        }
    }
}

impl View {
    /// Default speed, in steps per second.
    pub const DEFAULT_SPEED: u32 = 20;
    /// Maximum speed.
    pub const MAX_SPEED: u32 = 100_000;
    /// Number of marks.
    pub const N_MARKS: u8 = 4;

    /// Marks of the lanes, followed by the free ones.
    pub fn all_marks(&self) -> Vec<u8> {
        let mut marks = self.marks.clone();
        marks.extend((0..Self::N_MARKS).filter(|mark| !self.marks.contains(mark)));
        marks
    }

    /// Parses the view's parts of a link, taken by `take`.
    pub(crate) fn read<'a>(
        take: &mut dyn FnMut(&str) -> Option<&'a str>,
        n_lanes: usize,
        catalogue: &Catalogue,
    ) -> Result<Self, LinkError> {
        let mut view = Self::default();
        match take("axis") {
            None | Some("pages") => {}
            Some("seconds") => view.axis = Axis::Seconds,
            Some(other) => return Err(wrong("axis", "pages or seconds", other)),
        }
        if let Some(layout) = take("layout") {
            if !is_name(layout) {
                return Err(wrong("layout", "the name of a layout", layout));
            }
            layout.clone_into(&mut view.layout);
        }
        if let Some(chart) = take("chart") {
            view.chart = catalogue.choose(Kind::Metric, chart)?.to_string();
        }
        if let Some(speed) = take("speed") {
            view.speed = from_one("speed", speed, Self::MAX_SPEED)?;
        }
        let most = u32::try_from(n_lanes).unwrap_or(u32::MAX);
        for (key, lane) in [("lane", &mut view.lane), ("graph", &mut view.graph)] {
            if let Some(text) = take(key) {
                *lane = Some(from_one(key, text, most)? - 1);
            }
        }
        if let Some(text) = take("page") {
            match read_list("page", text)?.as_slice() {
                [Value::Quoted(url)] if url.len() <= MAX_URL => view.page = Some(url.clone()),
                _ => return Err(wrong("page", "one URL in quotes", text)),
            }
        }
        match take("embed") {
            None | Some("0") => {}
            Some("1") => view.embed = true,
            Some(other) => return Err(wrong("embed", "0 or 1", other)),
        }
        for digit in take("marks").unwrap_or_default().bytes() {
            let mark = digit.wrapping_sub(b'1');
            if mark >= Self::N_MARKS || view.marks.contains(&mark) {
                let given = (digit as char).to_string();
                return Err(wrong("marks", "different digits from 1 to 4", &given));
            }
            view.marks.push(mark);
        }
        if let Some(text) = take("colour") {
            if !is_name(text) {
                return Err(wrong("colour", "the name of a value", text));
            }
            text.clone_into(&mut view.colour);
        }
        view.timeline = take("timeline").map(read_timeline).transpose()?;
        if let Some(figure) = take("figure") {
            view.figure = catalogue.choose(Kind::Figure, figure)?.to_string();
        }
        if let Some(text) = take("moment") {
            let moment = text.parse().ok().filter(|moment| (0.0..=MAX_MOMENT).contains(moment));
            view.moment = Some(moment.ok_or_else(|| wrong("moment", "seconds from 0 on", text))?);
        }
        Ok(view)
    }
}

/// Parses `rate` or `rate,class`.
fn read_timeline(text: &str) -> Result<(RowOrder, RowGroup), LinkError> {
    let (order, group) = text.split_once(',').unwrap_or((text, RowGroup::None.name()));
    let order = RowOrder::ALL.into_iter().find(|known| known.name() == order);
    let group = RowGroup::ALL.into_iter().find(|known| known.name() == group);
    order.zip(group).ok_or_else(|| {
        let orders = RowOrder::ALL.map(RowOrder::name).join(", ");
        let groups = RowGroup::ALL.map(RowGroup::name).join(", ");
        wrong("timeline", &format!("one of {orders}, and after a comma one of {groups}"), text)
    })
}

/// True for a well-formed name that only a worker can resolve.
fn is_name(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

fn from_one(key: &'static str, text: &str, most: u32) -> Result<u32, LinkError> {
    let number = read_number(key, text, most.into()).ok().filter(|n| *n > 0);
    let expected = || format!("a whole number from 1 to {most}");
    number.map(|n| n as u32).ok_or_else(|| wrong(key, &expected(), text))
}

fn wrong(key: &'static str, expected: &str, given: &str) -> LinkError {
    LinkError::Value { key, expected: expected.to_owned(), given: given.to_owned() }
}

impl fmt::Display for View {
    /// Its parts of a link, each with a leading `&`, without defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.axis == Axis::Seconds {
            f.write_str("&axis=seconds")?;
        }
        if !self.layout.is_empty() {
            write!(f, "&layout={}", self.layout)?;
        }
        if !self.chart.is_empty() {
            write!(f, "&chart={}", self.chart)?;
        }
        if self.speed != Self::DEFAULT_SPEED {
            write!(f, "&speed={}", self.speed)?;
        }
        if let Some(lane) = self.lane {
            write!(f, "&lane={}", lane + 1)?;
        }
        if let Some(page) = &self.page {
            write!(f, "&page={}", Value::Quoted(page.clone()))?;
        }
        if self.embed {
            f.write_str("&embed=1")?;
        }
        if (0..).zip(&self.marks).any(|(usual, mark)| usual != *mark) {
            f.write_str("&marks=")?;
            for mark in &self.marks {
                write!(f, "{}", mark + 1)?;
            }
        }
        if !self.colour.is_empty() {
            write!(f, "&colour={}", self.colour)?;
        }
        if let Some(lane) = self.graph {
            write!(f, "&graph={}", lane + 1)?;
        }
        match self.timeline {
            None => {}
            Some((order, RowGroup::None)) => write!(f, "&timeline={}", order.name())?,
            Some((order, group)) => write!(f, "&timeline={},{}", order.name(), group.name())?,
        }
        if !self.figure.is_empty() {
            write!(f, "&figure={}", self.figure)?;
        }
        if let Some(moment) = self.moment {
            write!(f, "&moment={moment}")?;
        }
        Ok(())
    }
}
