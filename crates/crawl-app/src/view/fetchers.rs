//! Busy times of a lane's fetchers: one line each, up to now.

use super::Props;
use crate::model::{LaneState, count_text, seconds_text};
use crawl_protocol::Axis;
use crawl_text::app::text;
use crawl_text::fill;
use std::fmt::Write;
use yew::prelude::*;

/// Maximum number of lines.
const MOST_LINES: u32 = 16;
/// Visible time, in fetches of typical length.
const FETCHES_SHOWN: f64 = 12.0;
/// Width of the drawing, in pixels.
const WIDTH: f64 = 150.0;
/// Height of a line, in pixels.
const LINE: f64 = 5.0;

/// The fetchers of a lane; empty with one fetcher.
pub fn fetchers(props: &Props, lane: Option<&LaneState>) -> Html {
    let Some(lane) = lane.filter(|lane| !lane.flights.borrow().is_empty()) else {
        return html! {};
    };
    let state = &props.model;
    let n = state.experiment.as_ref().map_or(1, |e| e.rules.integer("fetchers"));
    let n_lines = n.min(MOST_LINES);
    let (record, step) = (lane.record.borrow(), state.step_of(lane));
    let now = match state.axis() {
        Axis::Pages => record.seconds_at(step),
        Axis::Seconds => state.head.at,
    };
    // Geometric mean of fetch time and interval between fetches, so that bars and gaps are visible.
    let n_steps = f64::from(record.n_steps().max(1));
    let apart = record.seconds_at(record.n_steps()) * f64::from(n) / n_steps;
    let takes = lane.flights.borrow().mean_seconds(record.seconds());
    let shown = ((apart * takes).sqrt() * FETCHES_SHOWN).max(1e-3);
    let flights = lane.flights.borrow().between(record.seconds(), (now - shown, now), (n_lines, n));
    let n_busy = flights.iter().filter(|flight| flight.is_now).count() as u64;
    let x = |at: f64| (at - now + shown) / shown * WIDTH;
    let mut paths = [String::new(), String::new()];
    for flight in &flights {
        let y = (f64::from(flight.fetcher) + 0.5) * LINE;
        // Leave a gap between adjacent fetches.
        let end = (x(flight.to) - 0.8).max(x(flight.from) + 0.4);
        // Writing to a string cannot fail.
        let _ = write!(paths[usize::from(flight.is_now)], "M{:.1} {y:.1}H{end:.1}", x(flight.from));
    }
    let height = f64::from(n_lines) * LINE;
    let words = fill(
        text().fetchers_busy,
        &[
            ("n", &count_text(n.into())),
            ("busy", &count_text(n_busy)),
            ("time", &seconds_text(shown)),
        ],
    );
    let mut tracks = String::new();
    for line in 0..n_lines {
        let _ = write!(tracks, "M0 {:.1}H{WIDTH}", (f64::from(line) + 0.5) * LINE);
    }
    let [past, present] = paths;
    html! {
        <svg class="fetchers" role="img" aria-label={words.clone()}
            viewBox={format!("0 0 {WIDTH} {height}")} width={WIDTH.to_string()} height={height.to_string()}>
            <title>{ words }</title>
            <path class="track" d={tracks} />
            <path class="past" d={past} />
            <path class="present" d={present} />
        </svg>
    }
}
