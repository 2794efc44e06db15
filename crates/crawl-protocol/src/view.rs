//! How an experiment is shown: what a link restores besides the run itself.

use crate::link::{LinkError, read_list, read_number};
use crate::timeline::{RowGroup, RowOrder};
use crawl_catalogue::{Catalogue, Kind, Value};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names of the view's parts in a link.
pub(crate) const KEYS: [&str; 13] = [
    "axis", "layout", "chart", "speed", "lane", "page", "embed", "marks", "colour", "graph",
    "timeline", "figure", "moment",
];

/// The latest moment, in seconds: longer than any run lasts.
const MAX_MOMENT: f64 = 1e12;

/// Longest URL of a chosen page, in bytes.
const MAX_URL: usize = 4096;

/// What the charts and the play-head count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Axis {
    /// Completed fetches.
    #[default]
    Pages,
    /// Simulated seconds.
    Seconds,
}

/// How an experiment is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// What the charts and the play-head count.
    pub axis: Axis,
    /// The layout's id; empty for the first there is.
    pub layout: String,
    /// The metric's spec in the chart; empty for the recall of what is looked for, or else the first
    /// there is.
    pub chart: String,
    /// Steps, or simulated seconds, a second while playing.
    pub speed: u32,
    /// The lane whose reasons are shown, counted from 0.
    pub lane: Option<u32>,
    /// The URL of the page whose reasons are shown.
    pub page: Option<String>,
    /// Stage and transport only, for a frame in another page.
    pub embed: bool,
    /// The colour and shape of each lane, counted from 0; lanes beyond take those that are free. A
    /// lane keeps its own when others come or go.
    pub marks: Vec<u8>,
    /// What of its pages a lane's colour shows, by name; empty for how long ago they were fetched.
    pub colour: String,
    /// The lane whose Web link graph is shown, counted from 0.
    pub graph: Option<u32>,
    /// Whether visits are shown in time, and how the rows are arranged.
    pub timeline: Option<(RowOrder, RowGroup)>,
    /// The spec of the figure that is shown, with what the papers claim; empty where none is.
    pub figure: String,
    /// Where the play-head stands on the axis of seconds: also where nothing is fetched.
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
    /// Steps a second when nothing is said.
    pub const DEFAULT_SPEED: u32 = 20;
    /// The fastest: months of revisiting go by within a minute.
    pub const MAX_SPEED: u32 = 100_000;
    /// How many marks there are.
    pub const N_MARKS: u8 = 4;

    /// The marks of the lanes, and after them those that are free.
    pub fn all_marks(&self) -> Vec<u8> {
        let mut marks = self.marks.clone();
        marks.extend((0..Self::N_MARKS).filter(|mark| !self.marks.contains(mark)));
        marks
    }

    /// Reads the view's parts of a link, each handed out once by `take`.
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

/// `rate`, or `rate,class`.
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

/// True for what may name something that only a worker knows.
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
    /// Its parts of a link, each with `&` before it, defaults left out.
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
