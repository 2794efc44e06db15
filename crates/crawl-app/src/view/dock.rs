//! The dock: chart, scrubber and playback buttons.

use super::Props;
use super::chart::{Chart, metric_title};
use super::transport::transport;
use crate::model::Action;
use crawl_protocol::Axis;
use crawl_text::app::text;
use crawl_text::fill;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The dock.
pub fn dock(props: &Props) -> Html {
    let t = text();
    html! {
        <section class="dock" aria-label={t.playback}>
            <div class="legend">
                { metrics(props) }
                { for (0..props.model.lanes.len()).map(|at| lane(props, at)) }
                <span class="spring" />
                { axes(props) }
            </div>
            <Chart model={props.model.clone()} on={props.on.clone()} />
            { transport(props) }
        </section>
    }
}

/// The metric selector: metrics that some lane has.
fn metrics(props: &Props) -> Html {
    let present = props.model.chart();
    let mut names: Vec<String> = Vec::new();
    for metric in props.model.lanes.iter().flat_map(|lane| lane.metrics.iter()) {
        if !names.contains(&metric.name) && !metric.values.is_empty() {
            names.push(metric.name.clone());
        }
    }
    if !names.contains(&present) {
        names.insert(0, present.clone());
    }
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        on.emit(Action::Chart(select.value()));
    });
    html! {
        <select class="metric" aria-label={text().metric} {onchange}>
            { for names.into_iter().map(|name| html! {
                <option value={name.clone()} selected={name == present}>
                    { metric_title(props, &name) }
                </option>
            }) }
        </select>
    }
}

fn lane(props: &Props, at: usize) -> Html {
    let t = text();
    let Some(lane) = props.model.lanes.get(at) else { return html! {} };
    let title = props.lane_title(at);
    let sentence = if lane.muted { t.unmute } else { t.mute };
    html! {
        <button class={classes!("legend-lane", lane.muted.then_some("is-muted"))}
            aria-pressed={(!lane.muted).to_string()} onclick={props.emit(Action::ToggleMute(at))}
            title={fill(sentence, &[("lane", &title)])}>
            { props.shape(at) }<span class="name">{ title }</span>
        </button>
    }
}

fn axes(props: &Props) -> Html {
    let t = text();
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        let axis = if select.value() == "seconds" { Axis::Seconds } else { Axis::Pages };
        on.emit(Action::Axis(axis));
    });
    let is_seconds = props.model.axis() == Axis::Seconds;
    html! {
        <select class="axis" aria-label={t.axis} {onchange}>
            <option value="pages" selected={!is_seconds}>
                { if props.model.has_revisits() { t.against_fetches } else { t.against_pages } }
            </option>
            <option value="seconds" selected={is_seconds}>{ t.against_seconds }</option>
        </select>
    }
}
