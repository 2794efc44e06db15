//! What each of a lane's fetchers is at: a line each, time across, up to now.

use super::Props;
use crate::model::{Lane, count_text, seconds_text};
use crate::text::{fill, text};
use crawl_protocol::Axis;
use std::fmt::Write;
use yew::prelude::*;

/// Lines drawn, at most.
const MOST_LINES: u32 = 16;
/// How many fetches of usual length fit into the time shown.
const FETCHES_SHOWN: f64 = 12.0;
/// Size of the drawing, and of a line in it.
const WIDTH: f64 = 150.0;
const LINE: f64 = 5.0;

/// The fetchers of a lane; nothing where there is one.
pub fn fetchers(props: &Props, lane: Option<&Lane>) -> Html {
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
    // Between the time of a fetch and that between two of a fetcher, which may be far apart: so both
    // bars and pauses can be seen.
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
        // A gap between two that follow each other at once.
        let end = (x(flight.to) - 0.8).max(x(flight.from) + 0.4);
        // Writing to a string does not fail.
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
