//! The stage: one lane per strategy, all over one layout.
//!
//! One canvas under the view shows all lanes; the view renders what surrounds it and forwards
//! pointer gestures.

use super::fetchers::fetchers;
use super::frontier::{FrontierProps, frontier};
use super::graph::link_graph;
use super::{Model, Props, chart, icon};
use crate::model::{
    Action, BOUNDED, Hovered, LaneState, STALENESS, Shortener, count_text, percent_text, score_text,
};
use crate::screen::Gesture;
use crate::vars::use_vars;
use crawl_protocol::world::Nodes;
use crawl_stage::State;
use crawl_text::app::text;
use crawl_text::fill;
use crawl_text::number::hours_text;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

/// Properties of [`lanes`].
#[derive(Clone, PartialEq, Properties)]
pub struct LanesProps {
    /// State of the app.
    pub model: Model,
    /// Receives actions.
    pub on: Callback<Action>,
    /// Receives pointer gestures, which move the camera.
    pub on_gesture: Callback<Gesture>,
    /// Canvas of the stage.
    pub canvas: Option<HtmlCanvasElement>,
    /// Canvas of the labels.
    pub labels: NodeRef,
    /// Container of the timeline.
    pub timeline: NodeRef,
    /// Why the stage cannot be drawn.
    pub cannot_draw: Option<AttrValue>,
}

/// The stage.
pub fn lanes(props: &LanesProps) -> Html {
    let t = text();
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    let n = props.model.experiment.as_ref().map_or(0, |e| e.strategies.len());
    let onscroll = {
        let on_gesture = props.on_gesture.clone();
        Callback::from(move |_: Event| on_gesture.emit(Gesture::Scrolled))
    };
    let settles = props.model.layout.is_none_or(|layout| layout.done < layout.of);
    let has_timeline = props.model.has_timeline();
    let top = chart::top(&props.model);
    let is_behind = has_timeline || props.model.graph_lane().is_some();
    let behind = is_behind.then_some("is-behind");
    html! {
        <main class="lanes" {onscroll} aria-busy={settles.to_string()}>
            { for props.canvas.iter().map(|canvas| Html::VRef(canvas.clone().into())) }
            <canvas class="stage-labels" ref={props.labels.clone()} aria-hidden="true" />
            // Lanes have their own container, so that Yew keeps the canvas elements.
            <div class={classes!("lane-grid", format!("lanes-{n}"), behind)}>
                { for (0..n).map(|at| lane(props, &common, at, top)) }
            </div>
            <div class={classes!("stage-tools", behind)}>
                { tools(props, &common) }
            </div>
            { link_graph(&common) }
            // Filled by the timeline program.
            if has_timeline {
                <section class="timeline" ref={props.timeline.clone()} aria-label={t.timeline} />
            }
            if let Some(error) = &props.cannot_draw {
                <p class="stage-note">{ t.no_webgl }{ " " }{ error.clone() }</p>
            }
            if props.model.choosing_seeds {
                <p class="stage-note">
                    { t.click_for_seeds }
                    <button onclick={common.emit(Action::ToggleChoosingSeeds)}>{ t.done }</button>
                </p>
            }
        </main>
    }
}

fn lane(props: &LanesProps, common: &Props, at: usize, top: f64) -> Html {
    let t = text();
    let model = &props.model;
    let lane = model.lanes.get(at);
    let title = common.lane_title(at);
    let step = lane.map_or(0, |lane| model.step_of(lane));
    let waiting = lane.and_then(|l| l.frame.as_ref()).map_or(0, |frame| frame.n_waiting);
    let label = fill(
        t.stage_of,
        &[
            ("lane", &title),
            ("fetched", &count_text(step.into())),
            ("waiting", &count_text(waiting.into())),
        ],
    );
    let chosen = model.chosen.map(|chosen| chosen.page);
    let is_asked = model.chosen.is_some_and(|chosen| chosen.lane == at);
    let waiting = FrontierProps {
        lane: at,
        frame: lane.and_then(|l| l.frame.clone()),
        chosen,
        stop: lane.and_then(|l| l.stop),
        shortener: Shortener::of(model.picture.as_ref()),
        on: props.on.clone(),
    };
    html! {
        <section key={at} class={classes!("lane", common.lane_class(at), is_asked.then_some("is-asked"))}
            aria-label={title.clone()}>
            <h2 class="lane-title">
                { common.shape(at) }
                <span class="name">{ title }</span>
                if lane.and_then(|l| l.finished.as_ref()).is_some_and(|f| f.oracle.is_any()) {
                    <span class="tag" title={t.oracle_help}>{ t.oracle }</span>
                }
                <span class="spring" />
                if lane.and_then(|l| l.frame.as_ref()).is_some_and(|f| f.learning.is_some()) {
                    <button class="link" onclick={common.emit(Action::Graph(Some(at)))}>{ t.graph }</button>
                }
                <span class="reading number muted" title={chart::title(common)}>
                    { reading(common, lane, top) }
                </span>
            </h2>
            <div class="stage" role="img" aria-label={label} data-lane={at.to_string()}
                data-step={step.to_string()}
                onpointerdown={gesture(props, at, Gesture::down)}
                onpointermove={gesture(props, at, Gesture::moved)}
                onpointerup={gesture(props, at, Gesture::up)}
                onpointercancel={gesture(props, at, Gesture::left)}
                onpointerleave={gesture(props, at, Gesture::left)}
                onwheel={wheel(props, at)}>
            </div>
            <div class="readings">
                { legend(common, lane) }
                { fetchers(common, lane) }
            </div>
            { frontier(&waiting) }
            if let Some((hovered, lane)) = model.hovered.filter(|h| h.lane == at).zip(lane) {
                { tip(common, hovered, lane, step) }
            }
            if let Some(error) = lane.and_then(|l| l.error.clone()) {
                <p class="lane-note" role="alert">
                    { fill(t.lane_failed, &[("error", &error)]) }
                    if common.model.has_given_up(at) {
                        { " " }
                        <button onclick={common.emit(Action::TryAgain(Some(at)))}>{ t.try_again }</button>
                    }
                </p>
            } else if let Some(lane) = lane {
                { running(lane) }
            }
        </section>
    }
}

/// Legend of the colours, if they show a value.
fn legend(common: &Props, lane: Option<&LaneState>) -> Html {
    let t = text();
    let frame = lane.and_then(|l| l.frame.as_ref()).filter(|frame| !frame.value.is_empty());
    let Some(frame) = frame else { return html! {} };
    let is_by_host = common.model.picture.as_ref().is_some_and(|p| p.nodes == Nodes::Hosts);
    let value = frame.value.replace('-', " ");
    let name = &[("name", value.as_str())];
    let Some(range) = frame.range.filter(|_| !is_by_host) else {
        let words = if is_by_host { t.no_colour_by_host } else { t.keeps_none };
        return html! { <p class="value-legend muted">{ fill(words, name) }</p> };
    };
    let high = score_text(range.high);
    let (scale, high) = match range.is_log {
        _ if value == STALENESS => (t.legend_staleness, hours_text(&high)),
        true => (t.legend_log, high),
        false => (t.legend, high),
    };
    html! {
        <p class="value-legend number" aria-label={fill(scale, name)}>
            <span class="value-name">{ value.clone() }</span>
            <span>{ score_text(range.low) }</span>
            <span class="ramp" title={fill(scale, name)} />
            <span>{ high }</span>
        </p>
    }
}

/// Colour selector: fetch time, or a value that some lane has.
fn colours(props: &LanesProps) -> Html {
    let t = text();
    let model = &props.model;
    let present = model.experiment.as_ref().map(|e| e.view.colour.clone()).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    let kept = model.lanes.iter().filter_map(|l| l.frame.as_ref()).flat_map(|f| &f.keeps);
    for name in kept.chain([&present]) {
        if !name.is_empty() && !names.contains(name) {
            names.push(name.clone());
        }
    }
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
        on.emit(Action::Colour(select.value()));
    });
    html! {
        <select class="tool colour" aria-label={t.colour} title={t.colour} {onchange}>
            <option value="" selected={present.is_empty()}>{ t.colour_age }</option>
            { for names.into_iter().map(|name| html! {
                <option key={name.clone()} value={name.clone()} selected={present == name}>
                    { fill(t.colour_by, &[("name", &name.replace('-', " "))]) }
                </option>
            }) }
        </select>
    }
}

/// Tooltip of the page under the pointer.
fn tip(common: &Props, hovered: Hovered, lane: &LaneState, step: u32) -> Html {
    let t = text();
    let page = hovered.page;
    let Some(url) = common.model.url_of(page) else { return html! {} };
    let record = lane.record.borrow();
    let mut rows = lane.frame.iter().filter(|f| f.step == step).flat_map(|f| &f.next);
    let (place, score) = match record.state(page, step) {
        State::Unknown => (t.place_unknown.to_owned(), None),
        State::Waiting { .. } => {
            (t.waits.to_owned(), rows.find(|row| row.page == page).map(|row| row.score))
        }
        State::Fetched { at } => {
            let step = count_text(at.into());
            (fill(t.place_fetched, &[("step", &step)]), record.score_at(at))
        }
    };
    let score = score.map(|score| fill(t.with_score, &[("score", &score_text(score))]));
    let url = Shortener::of(common.model.picture.as_ref()).short(url, 60);
    html! { <Tip {hovered} {url} words={place + &score.unwrap_or_default()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct TipProps {
    hovered: Hovered,
    url: String,
    words: String,
}

#[component]
fn Tip(props: &TipProps) -> Html {
    let node = use_node_ref();
    let Hovered { x, y, size, .. } = props.hovered;
    // Beside the pointer, on the side with more room.
    let beside = |is_beyond: bool| if is_beyond { "calc(-100% - 10px)" } else { "10px" }.to_owned();
    let vars = vec![
        ("--x", format!("{x}px")),
        ("--y", format!("{y}px")),
        ("--beside", beside(x > size.0 / 2.0)),
        ("--under", beside(y > size.1 / 2.0)),
    ];
    use_vars(&node, vars);
    html! {
        <p ref={node} class="tip" aria-hidden="true">
            <span class="url">{ props.url.clone() }</span>
            <span class="muted number">{ props.words.clone() }</span>
        </p>
    }
}

/// Progress of a running lane.
fn running(lane: &LaneState) -> Html {
    let n = lane.n_steps();
    if !lane.is_running() || n == 0 {
        return html! {};
    }
    let (n, all) = (count_text(n.into()), count_text(lane.progress.of));
    html! {
        <p class="lane-note quiet-note number">
            { fill(text().lane_running, &[("n", &n), ("all", &all)]) }
        </p>
    }
}

/// Metric value at the play-head.
fn reading(common: &Props, lane: Option<&LaneState>, top: f64) -> String {
    let (model, chart) = (&common.model, common.model.chart());
    let value = lane.and_then(|lane| lane.value_at(&chart, model.axis(), model.head.at));
    match value.map(|(_, value)| value) {
        None => String::new(),
        Some(value) if chart == BOUNDED => {
            fill(text().of_pagerank, &[("share", &percent_text(value))])
        }
        Some(value) => chart::value_text(value, top),
    }
}

fn gesture(
    props: &LanesProps,
    lane: usize,
    make: fn(usize, &PointerEvent, &HtmlElement) -> Gesture,
) -> Callback<PointerEvent> {
    let on_gesture = props.on_gesture.clone();
    Callback::from(move |event: PointerEvent| {
        // Yew delegates events to the root: find the stage element of the target.
        let target = event.target_dyn_into::<Element>();
        let stage = target.and_then(|target| target.closest(".stage").ok().flatten());
        if let Some(stage) = stage.and_then(|stage| stage.dyn_into::<HtmlElement>().ok()) {
            on_gesture.emit(make(lane, &event, &stage));
        }
    })
}

fn wheel(props: &LanesProps, lane: usize) -> Callback<WheelEvent> {
    let on_gesture = props.on_gesture.clone();
    Callback::from(move |event: WheelEvent| {
        event.prevent_default();
        on_gesture.emit(Gesture::wheel(lane, &event));
    })
}

fn tools(props: &LanesProps, common: &Props) -> Html {
    let t = text();
    let to = |gesture: Gesture| {
        let on = props.on_gesture.clone();
        Callback::from(move |_: MouseEvent| on.emit(gesture.clone()))
    };
    let model = &props.model;
    let present = model.experiment.as_ref().map(|e| e.view.layout.clone()).unwrap_or_default();
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
        on.emit(Action::Layout(select.value()));
    });
    html! {
        <>
            { note(common) }
            <button class="tool" aria-label={t.zoom_in} title={t.zoom_in} onclick={to(Gesture::Zoom(1.5))}>{ icon::plus() }</button>
            <button class="tool" aria-label={t.zoom_out} title={t.zoom_out} onclick={to(Gesture::Zoom(1.0 / 1.5))}>{ icon::minus() }</button>
            <button class="tool" aria-label={t.fit} title={t.fit} onclick={to(Gesture::Fit)}>{ icon::fit() }</button>
            <button class="tool" aria-pressed={model.hulls.to_string()} onclick={common.emit(Action::ToggleHulls)}>{ t.hulls }</button>
            if model.has_revisits() {
                <button class="tool" onclick={common.emit(Action::Timeline(true))}>{ t.timeline }</button>
            }
            { colours(props) }
            if model.layouts.len() > 1 {
                <select class="tool" aria-label={t.layout} title={t.layout} {onchange}>
                    { for model.layouts.iter().enumerate().map(|(i, layout)| html! {
                        <option value={layout.id.clone()}
                            selected={present == layout.id || (present.is_empty() && i == 0)}>
                            { layout.title.clone() }
                        </option>
                    }) }
                </select>
            }
        </>
    }
}

/// Note on omitted pages and links, and on layout progress.
fn note(common: &Props) -> Html {
    let t = text();
    let Some(picture) = &common.model.picture else { return html! {} };
    let pages = common.model.summary().map_or(0, |summary| summary.n_pages);
    let pages = count_text(pages.into());
    let n = count_text(picture.n_nodes.into());
    let drawn = match picture.nodes {
        Nodes::Pages => String::new(),
        Nodes::Hosts => fill(t.drawn_by_host, &[("pages", &pages)]),
        Nodes::TopPages => fill(t.drawn_top_pages, &[("pages", &pages), ("n", &n)]),
    };
    let left_out = match picture.n_links_left_out {
        0 => String::new(),
        n => fill(t.links_left_out, &[("n", &count_text(n.into()))]),
    };
    let settling = common.model.layout.filter(|p| p.done < p.of).map(|p| {
        let share = percent_text(p.done as f64 / p.of.max(1) as f64);
        fill(t.laying_out, &[("share", &share)])
    });
    let note = [drawn, left_out, settling.unwrap_or_default()];
    let note: Vec<String> = note.into_iter().filter(|n| !n.is_empty()).collect();
    if note.is_empty() {
        return html! {};
    }
    html! { <span class="tool-note muted">{ note.join(" ") }</span> }
}
