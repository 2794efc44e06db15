//! Exports: CSV and JSON of the state, and saving files.

use crate::model::{BOUNDED, State};
use crawl_post::said;
use js_sys::{Array, Uint8Array};
use std::fmt::Write;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url, window};

/// A file that can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// Stage as PNG.
    StagePng,
    /// Stage as SVG.
    StageSvg,
    /// Chart as PNG.
    ChartPng,
    /// Chart as SVG.
    ChartSvg,
    /// All metrics at all sampled steps, as CSV.
    SeriesCsv,
    /// All metrics as JSON.
    SeriesJson,
    /// Fetch orders as CSV.
    OrderCsv,
    /// Fetch orders as JSON.
    OrderJson,
    /// The world as JSON Lines.
    World,
    /// Claim report as JSON.
    Claims,
    /// Starts recording a video.
    Animation,
    /// Stops recording.
    StopAnimation,
}

/// Saves bytes as a file.
///
/// # Errors
/// If the browser refuses.
pub fn save(name: &str, kind: &str, bytes: &Uint8Array) -> Result<(), String> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(bytes);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options);
    save_blob(name, &blob.map_err(|e| said(&e))?)
}

/// Saves text as a file.
///
/// # Errors
/// If the browser refuses.
pub fn save_text(name: &str, kind: &str, text: &str) -> Result<(), String> {
    save(name, kind, &Uint8Array::from(text.as_bytes()))
}

/// Saves a blob as a file.
///
/// # Errors
/// If the browser refuses.
pub fn save_blob(name: &str, blob: &Blob) -> Result<(), String> {
    let failed = |error: JsValue| said(&error);
    let document = window().and_then(|w| w.document()).ok_or_else(String::new)?;
    let url = Url::create_object_url_with_blob(blob).map_err(failed)?;
    let anchor: HtmlAnchorElement =
        document.create_element("a").map_err(failed)?.dyn_into().map_err(|_| String::new())?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // Revoke the URL later: some browsers read it after the click.
    let later = gloo_timers::callback::Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&url);
    });
    later.forget();
    Ok(())
}

/// A CSV cell, quoted if needed.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn line(out: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    let written = writeln!(out, "{}", cells.join(","));
    debug_assert!(written.is_ok());
}

/// All metrics as CSV: strategy, measure, step, seconds, value, ideal, random.
pub fn series_csv(state: &State) -> String {
    let mut out = "strategy,measure,step,seconds,value,ideal,random\n".to_owned();
    let bounds = state.bounds.clone().unwrap_or_default();
    for lane in &state.lanes {
        let strategy = lane.strategy.to_string();
        let record = lane.record.borrow();
        for metric in lane.metrics.iter() {
            for (step, value) in metric.steps.iter().zip(&metric.values) {
                let seconds = record.seconds_at(*step).to_string();
                let bound = |curve: &[f64]| {
                    let at = (*step as usize).checked_sub(1).filter(|_| metric.name == BOUNDED);
                    let value = at.and_then(|at| curve.get(at));
                    value.map(f64::to_string).unwrap_or_default()
                };
                let cells = [
                    &strategy,
                    &metric.name,
                    &step.to_string(),
                    &seconds,
                    &value.to_string(),
                    &bound(&bounds.ideal),
                    &bound(&bounds.random),
                ];
                line(&mut out, &cells.map(String::as_str));
            }
        }
    }
    out
}

/// Fetch orders as CSV: strategy, step, seconds, score, page, URL.
pub fn order_csv(state: &State, urls: &[String]) -> String {
    let mut out = "strategy,step,seconds,score,page,url\n".to_owned();
    for lane in &state.lanes {
        let strategy = lane.strategy.to_string();
        let record = lane.record.borrow();
        let steps = record.pages().iter().zip(record.seconds()).zip(record.scores());
        for (i, ((page, seconds), score)) in steps.enumerate() {
            let url = urls.get(*page as usize).map_or("", String::as_str);
            let cells = [
                &strategy,
                &(i + 1).to_string(),
                &seconds.to_string(),
                &score.to_string(),
                &page.to_string(),
            ];
            let mut cells: Vec<&str> = cells.iter().map(|c| c.as_str()).collect();
            cells.push(url);
            line(&mut out, &cells);
        }
    }
    out
}

fn json_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                let written = write!(out, "\\u{:04x}", c as u32);
                debug_assert!(written.is_ok());
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn json_number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "null".to_owned() }
}

/// Steps and values as pairs.
fn points(points: &mut dyn Iterator<Item = (u32, f64)>) -> String {
    let points = points.map(|(step, value)| format!("[{step},{}]", json_number(value)));
    format!("[{}]", points.collect::<Vec<_>>().join(","))
}

/// All metrics as JSON, in the format of the command line.
pub fn series_json(state: &State) -> String {
    let runs = state.lanes.iter().map(|lane| {
        let metrics = lane.metrics.iter().map(|metric| {
            let steps = metric.steps.iter().copied().zip(metric.values.iter().copied());
            format!("{}:{}", json_text(&metric.name), points(&mut { steps }))
        });
        let metrics: Vec<String> = metrics.collect();
        let digest = lane.finished.as_ref().map_or("", |finished| &finished.digest);
        format!(
            "{{\"strategy\":{},\"fetched\":{},\"digest\":{},\"metrics\":{{{}}}}}",
            json_text(&lane.strategy.to_string()),
            lane.n_steps(),
            json_text(digest),
            metrics.join(","),
        )
    });
    let runs = runs.collect();
    let bounds = state.bounds.clone().unwrap_or_default();
    let curve = |values: &[f64]| points(&mut (1..).zip(values.iter().copied()));
    let bounds = format!(
        ",\"bounds\":{{\"ideal\":{},\"random\":{},\"random_deviation\":{}}}",
        curve(&bounds.ideal),
        curve(&bounds.random),
        curve(&bounds.deviation),
    );
    wrapped(state, runs, &bounds)
}

/// Fetch orders as JSON, in the format of the command line.
pub fn order_json(state: &State, urls: &[String]) -> String {
    let runs = state.lanes.iter().map(|lane| {
        let record = lane.record.borrow();
        let url = |page: &u32| urls.get(*page as usize).map_or("", String::as_str);
        let order: Vec<String> = record.pages().iter().map(|page| json_text(url(page))).collect();
        let scores: Vec<String> = record.scores().iter().map(|s| json_number(*s)).collect();
        format!(
            "{{\"strategy\":{},\"order\":[{}],\"scores\":[{}]}}",
            json_text(&lane.strategy.to_string()),
            order.join(","),
            scores.join(","),
        )
    });
    wrapped(state, runs.collect(), "")
}

fn wrapped(state: &State, runs: Vec<String>, more: &str) -> String {
    let link = state.shared().map(|shared| shared.to_link()).unwrap_or_default();
    let summary = state.summary().cloned().unwrap_or_default();
    format!(
        "{{\"link\":{},\"world\":{{\"title\":{},\"pages\":{},\"links\":{},\"digest\":{}}},\"runs\":[{}]{more}}}\n",
        json_text(&link),
        json_text(&summary.title),
        summary.n_pages,
        summary.n_links,
        json_text(&summary.digest),
        runs.join(",\n"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_texts_are_quoted() {
        assert_eq!(cell("a,b\"c"), "\"a,b\"\"c\"");
        assert_eq!(json_text("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
        assert_eq!(json_number(f64::NAN), "null");
    }
}
