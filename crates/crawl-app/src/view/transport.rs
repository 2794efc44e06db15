//! The scrubber and the playback buttons.

use super::chart::Geometry;
use super::{Props, icon};
use crate::model::{Action, BUDGET, SPEEDS, count_text, plain_text, seconds_text};
use crate::vars::use_vars;
use crawl_protocol::Axis;
use crawl_text::app::text;
use crawl_text::fill;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Metric that counts the learning rounds of a lane.
const LEARNINGS: &str = "relearnings";

/// The scrubber and the playback buttons.
pub fn transport(props: &Props) -> Html {
    let t = text();
    let playing = props.model.head.playing;
    html! {
        <>
            <Scrubber model={props.model.clone()} on={props.on.clone()} />
            <div class="transport">
                <div class="buttons">
                    <button class="quiet" aria-label={t.to_start} title={t.to_start}
                        onclick={props.emit(Action::Seek(0.0))}>{ icon::to_start() }</button>
                    <button class="quiet" aria-label={t.back} title={t.back}
                        onclick={props.emit(Action::StepBy(-1))}>{ icon::back() }</button>
                    <button class="play" aria-label={if playing { t.pause } else { t.play }}
                        title={if playing { t.pause } else { t.play }}
                        onclick={props.emit(Action::TogglePlay)}>
                        { if playing { icon::pause() } else { icon::play() } }
                    </button>
                    <button class="quiet" aria-label={t.forward} title={t.forward}
                        onclick={props.emit(Action::StepBy(1))}>{ icon::forward() }</button>
                    <button class="quiet" aria-label={t.to_end} title={t.to_end}
                        onclick={props.emit(Action::SeekEnd)}>{ icon::to_end() }</button>
                </div>
                { place(props) }
                <span class="spring" />
                { speed(props) }
                <span class="hint-keys muted">{ t.keys_hint }</span>
            </div>
        </>
    }
}

fn place(props: &Props) -> Html {
    let t = text();
    let model = &props.model;
    let has_revisits = model.has_revisits();
    let of_pages = if has_revisits { t.of_fetches } else { t.of_pages };
    let (at, end) = (model.place(), model.known_end());
    let (at, of) = match model.axis() {
        Axis::Pages => {
            let of = end.map(|end| fill(of_pages, &[("n", &count_text(end as u64))]));
            (count_text(at as u64), of)
        }
        Axis::Seconds => {
            let of = end.map(|end| fill(t.of_time, &[("time", &seconds_text(end))]));
            (seconds_text(at), of)
        }
    };
    // Show the visit budget in every view.
    let visits = plain_text(model.rule_number(BUDGET));
    html! {
        <p class="place-now number">
            <span class="at" id="step">{ at }</span><span class="muted">{ of }</span>
            if has_revisits {
                <span class="muted budget">{ fill(t.visits_per_hour, &[("visits", &visits)]) }</span>
            }
        </p>
    }
}

fn speed(props: &Props) -> Html {
    let t = text();
    let present = props.model.experiment.as_ref().map_or(20, |e| e.view.speed);
    let sentence = match props.model.axis() {
        Axis::Pages => t.steps_per_second,
        Axis::Seconds => t.seconds_per_second,
    };
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        if let Ok(speed) = select.value().parse() {
            on.emit(Action::Speed(speed));
        }
    });
    let mut speeds = SPEEDS.to_vec();
    if let Err(place) = speeds.binary_search(&present) {
        speeds.insert(place, present);
    }
    html! {
        <select class="speed" aria-label={t.speed} {onchange}>
            { for speeds.into_iter().map(|speed| html! {
                <option value={speed.to_string()} selected={speed == present}>
                    { fill(sentence, &[("n", &count_text(speed.into()))]) }
                </option>
            }) }
        </select>
    }
}

#[component]
fn Scrubber(props: &Props) -> Html {
    let t = text();
    let model = &props.model;
    let end = model.end();
    let at = model.place();
    let ready = model.reachable_end();
    let node = use_node_ref();
    let share = |x: f64| format!("{:.5}", if end > 0.0 { x / end } else { 0.0 });
    use_vars(
        &node,
        vec![
            ("--at", share(at)),
            ("--ready", share(ready)),
            ("--left", format!("{}px", Geometry::LEFT)),
            ("--right", format!("{}px", Geometry::RIGHT)),
        ],
    );
    let on = props.on.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on.emit(Action::Seek(input.value_as_number()));
    });
    let step = match model.axis() {
        Axis::Pages => "1",
        Axis::Seconds => "any",
    };
    let shown = match model.axis() {
        Axis::Pages => count_text(at as u64),
        Axis::Seconds => seconds_text(at),
    };
    let marks = marks(props, end);
    html! {
        <div class="scrubber" ref={node}>
            <div class="track" aria-hidden="true"><span class="ready" /><span class="done" /></div>
            { for marks }
            <input type="range" aria-label={t.scrubber} aria-valuetext={shown} min="0"
                max={end.to_string()} {step} value={at.to_string()} {oninput} />
        </div>
    }
}

/// Marks where lanes diverge from the first lane.
fn marks(props: &Props, end: f64) -> Vec<Html> {
    let t = text();
    let lanes = &props.model.lanes;
    let Some(first) = lanes.first() else { return Vec::new() };
    let axis = props.model.axis();
    let mark = |(at, lane): (usize, &crate::model::LaneState)| {
        let step = first.record.borrow().first_divergence(&lane.record.borrow())?;
        let place = first.place_of(axis, step);
        let names = (props.lane_title(0), props.lane_title(at));
        let title = fill(t.diverge_mark, &[("a", &names.0), ("b", &names.1)]);
        let share = if end > 0.0 { place / end } else { 0.0 };
        Some(html! {
            <Mark key={at} {share} class={props.lane_class(at)} {title}
                on_click={props.emit(Action::Diverge(at, 0))} />
        })
    };
    let parting = lanes.iter().enumerate().skip(1).filter_map(mark);
    parting.chain(learnings(props, end)).collect()
}

/// Marks where lanes learn their link graphs.
fn learnings(props: &Props, end: f64) -> Vec<Html> {
    let axis = props.model.axis();
    let mut marks = Vec::new();
    for (at, lane) in props.model.lanes.iter().enumerate() {
        let mut before = 0.0;
        let metric = lane.metric(LEARNINGS);
        let points = metric.iter().flat_map(|m| m.steps.iter().zip(&m.values));
        for (step, number) in points {
            if *number <= before {
                continue;
            }
            before = *number;
            let place = lane.place_of(axis, *step);
            let values = [("lane", props.lane_title(at)), ("n", number.to_string())];
            let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
            let title = fill(text().relearn_mark, &values);
            let share = if end > 0.0 { place / end } else { 0.0 };
            marks.push(html! {
                <Mark key={format!("{at}-{step}")} {share} {title}
                    class={format!("{} learns", props.lane_class(at))}
                    on_click={props.emit(Action::Seek(place))} />
            });
        }
    }
    marks
}

#[derive(Clone, PartialEq, Properties)]
struct MarkProps {
    share: f64,
    class: String,
    title: String,
    on_click: Callback<MouseEvent>,
}

#[component]
fn Mark(props: &MarkProps) -> Html {
    let node = use_node_ref();
    use_vars(&node, vec![("--at", format!("{:.5}", props.share))]);
    html! {
        <button ref={node} class={classes!("mark", props.class.clone())} tabindex="-1"
            title={props.title.clone()} aria-label={props.title.clone()}
            onclick={props.on_click.clone()} />
    }
}
