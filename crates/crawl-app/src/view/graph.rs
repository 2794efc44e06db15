//! The Web link graph of a lane: Q-values by sweep, and waiting links with matched vertices.

mod drawing;

use super::frontier::{FrontierProps, frontier};
use super::why::{TreeProps, formula};
use super::{Props, icon};
use crate::model::{
    Action, EXAMPLE, LaneState, Learnt, Shortener, count_text, last_part, plain_text,
};
use crawl_protocol::lane::{Graph, Vertex, Why};
use crawl_text::app::text;
use crawl_text::fill;
use crawl_text::number::superscript;
use drawing::Drawing;
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlInputElement};
use yew::prelude::*;

/// Depth of the explanation tree: down to the scores of anchor, URL and context.
const DEPTH: usize = 7;
/// Number of click values listed.
const WORTHS: usize = 4;

/// The graph of the chosen lane, in place of the stage.
pub fn link_graph(props: &Props) -> Html {
    let t = text();
    let model = &props.model;
    let Some(at) = model.graph_lane() else { return html! {} };
    let Some(lane) = model.lanes.get(at) else { return html! {} };
    let short = Shortener::of(model.picture.as_ref());
    let close = props.emit(Action::Graph(None));
    html! {
        <section class={classes!("link-graph", props.lane_class(at))} aria-label={t.graph_title}>
            <header class="graph-head">
                { props.shape(at) }
                <h2>{ t.graph_title }{ " G" }<sub>{ "w" }</sub></h2>
                <p class="muted number">{ heading(model.learnt()) }</p>
                <span class="spring" />
                <a class="graph-example" href={EXAMPLE}>{ t.graph_example }</a>
                <button class="quiet" aria-label={t.close} onclick={close}>{ icon::close() }</button>
            </header>
            if let Some(learnt) = model.learnt() {
                <Drawing model={model.clone()} on={props.on.clone()} lane={at} />
                { sweeps(props, learnt) }
            } else {
                <div class="graph-empty" role="status">{ empty(props, lane) }</div>
            }
            <div class="graph-side">
                { compared(props, at, lane, &short) }
                if let Some(learnt) = model.learnt() {
                    { vertex_details(props, learnt, &short) }
                }
            </div>
        </section>
    }
}

/// Learning round and counts.
fn heading(learnt: Option<Learnt<'_>>) -> String {
    let t = text();
    let Some(Learnt { graph, .. }) = learnt else { return String::new() };
    let n = |n: u32| count_text(n.into());
    let learning =
        [("n", n(graph.n_results)), ("step", n(graph.step)), ("number", n(graph.number))];
    let learning = learning.each_ref().map(|(key, value)| (*key, value.as_str()));
    let counts = [("vertices", n(graph.n_vertices)), ("edges", n(graph.n_edges))];
    let counts = counts.each_ref().map(|(key, value)| (*key, value.as_str()));
    format!("{} · {}", fill(t.graph_after, &learning), fill(t.graph_counts, &counts))
}

/// Message before the first graph is learnt.
fn empty(props: &Props, lane: &LaneState) -> Html {
    let t = text();
    let Some(frame) = &lane.frame else { return html! { <p class="muted">{ t.asking }</p> } };
    let Some(learning) = frame.learning else { return html! { <p>{ t.graph_none }</p> } };
    if learning.number > 0 {
        return html! { <p class="muted">{ t.asking }</p> };
    }
    let is_over = !lane.is_running() && props.model.step_of(lane) >= lane.n_steps();
    let sentence = if is_over { t.graph_never } else { t.graph_waits };
    let (n, next) = (learning.n_results.to_string(), learning.next_at.to_string());
    html! {
        <>
            <p><b>{ t.graph_nothing }</b></p>
            <p>{ fill(sentence, &[("n", &n), ("next", &next)]) }</p>
        </>
    }
}

/// Playback of the sweeps, and what the current sweep changed.
fn sweeps(props: &Props, learnt: Learnt<'_>) -> Html {
    let t = text();
    let (sweep, all) = (learnt.sweep, Learnt::n_sweeps(learnt.graph));
    let playing = props.model.sweeps.playing;
    let on = props.on.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on.emit(Action::Sweep(input.value_as_number() as u32));
    });
    // The play-head uses these keys, too.
    let onkeydown = Callback::from(|event: KeyboardEvent| event.stop_propagation());
    let shown = fill(t.sweep_of, &[("n", &sweep.to_string()), ("all", &all.to_string())]);
    let button = |name: &'static str, to: u32, sign: Html| {
        html! {
            <button class="quiet" aria-label={name} title={name} disabled={to == sweep}
                onclick={props.emit(Action::Sweep(to))}>{ sign }</button>
        }
    };
    let play = if playing { t.sweep_pause } else { t.sweep_play };
    html! {
        <div class="sweeps">
            <div class="buttons">
                { button(t.sweep_start, 0, icon::to_start()) }
                { button(t.sweep_back, sweep.saturating_sub(1), icon::back()) }
                <button class="quiet sweep-play" aria-label={play} title={play}
                    onclick={props.emit(Action::PlaySweeps)}>
                    { if playing { icon::pause() } else { icon::play() } }
                </button>
                { button(t.sweep_forward, (sweep + 1).min(all), icon::forward()) }
            </div>
            <input type="range" aria-label={t.sweep} aria-valuetext={shown.clone()} min="0"
                max={all.to_string()} step="1" value={sweep.to_string()} {oninput} {onkeydown} />
            <p class="sweep-said number" role="status">
                <b>{ shown }</b>{ " " }{ sweep_text(learnt) }
            </p>
            <p class="muted number">{ click_worth(learnt.graph) }</p>
            <p class="muted">
                if (learnt.graph.vertices.len() as u32) < learnt.graph.n_vertices {
                    { left_out(learnt.graph) }{ " " }
                }
                { t.graph_vertex_is }
            </p>
        </div>
    }
}

fn left_out(graph: &Graph) -> String {
    let n = count_text(graph.vertices.len() as u64);
    fill(text().graph_left_out, &[("n", &n), ("all", &count_text(graph.n_vertices.into()))])
}

/// What a sweep changed.
fn sweep_text(learnt: Learnt<'_>) -> String {
    let t = text();
    let Learnt { graph, sweep } = learnt;
    if sweep == 0 {
        return fill(t.sweep_none, &[("reward", &plain_text(graph.reward))]);
    }
    let vertices = graph.vertices.iter().filter(|v| learnt.is_lit(v.changed_in)).count();
    let edges = graph.edges.iter().filter(|e| learnt.is_lit(e.changed_in)).count();
    if edges == 0 {
        let is_last = sweep == Learnt::n_sweeps(graph) && graph.settled;
        return if is_last { t.sweep_settled } else { t.sweep_cut }.to_owned();
    }
    let worth = graph.worth.get(sweep as usize).copied().unwrap_or(0.0);
    let values = [
        ("vertices", vertices.to_string()),
        ("edges", edges.to_string()),
        ("worth", plain_text(worth)),
    ];
    fill(t.sweep_changed, &values.each_ref().map(|(key, value)| (*key, value.as_str())))
}

/// Values after one, two, … clicks: γⁿ · reward.
fn click_worth(graph: &Graph) -> String {
    let t = text();
    let worths = graph.worth.iter().skip(1).take(WORTHS).map(|worth| plain_text(*worth));
    let worths = worths.collect::<Vec<_>>().join(" → ");
    fill(t.click_worth, &[("discount", &plain_text(graph.discount)), ("worths", &worths)])
}

/// Name of a vertex: its anchor, else the last path segment of its URL.
fn name(vertex: &Vertex, short: &Shortener, most: usize) -> String {
    let plain = short.plain(&vertex.url);
    let whole = match vertex.anchor.trim() {
        "" => {
            let end = plain[last_part(&plain)..].trim_matches('/');
            if end.is_empty() { &plain } else { end }
        }
        anchor => anchor,
    };
    let mut name: String = whole.chars().take(most).collect();
    if name.len() < whole.len() {
        name.pop();
        name.push('…');
    }
    name
}

/// The explained vertex: texts, and how its Q is computed.
fn vertex_details(props: &Props, learnt: Learnt<'_>, short: &Shortener) -> Html {
    let t = text();
    let graph = learnt.graph;
    let at = vertex_shown(props, learnt);
    let Some(vertex) = graph.vertices.get(at as usize) else { return html! {} };
    let mut edges = graph.edges.iter().filter(|edge| edge.from == at).peekable();
    let q = learnt.of(vertex);
    let reached = vertex.changed_in.filter(|clicks| *clicks <= learnt.sweep && *clicks > 0);
    let sum = if vertex.is_result {
        fill(t.q_result, &[("q", &plain_text(q))])
    } else if reached == Some(1) {
        t.q_click.to_owned()
    } else if let Some(clicks) = reached {
        let values = [
            ("n", clicks.to_string()),
            ("reward", plain_text(graph.reward)),
            ("discount", plain_text(graph.discount)),
            ("power", if clicks == 2 { String::new() } else { superscript(clicks as i32 - 1) }),
            ("q", plain_text(q)),
        ];
        fill(t.q_clicks, &values.each_ref().map(|(key, value)| (*key, value.as_str())))
    } else if vertex.changed_in.is_none() {
        t.q_none.to_owned()
    } else {
        String::new()
    };
    html! {
        <section class="vertex-said">
            <h3>{ "Q(" }{ name(vertex, short, 28) }{ ") = " }<span class="number">{ plain_text(q) }</span></h3>
            if !vertex.is_result && edges.peek().is_some() {
                <p class="muted">{ t.q_max }</p>
                <ul class="edge-sums number">
                    { for edges.map(|edge| {
                        let Some(to) = graph.vertices.get(edge.to as usize) else { return html! {} };
                        let reward = if to.is_result && learnt.sweep > 0 { graph.reward } else { 0.0 };
                        let sum = format!("{} + {} · {} = {}", plain_text(reward),
                            plain_text(graph.discount), plain_text(if to.is_result { 0.0 } else { learnt.before(to) }),
                            plain_text(learnt.of_edge(edge)));
                        html! {
                            <li class={classes!(learnt.is_picked(edge).then_some("is-picked"))}>
                                <span class="edge-name">{ name(to, short, 18) }</span>{ " " }<span>{ sum }</span>
                            </li>
                        }
                    }) }
                </ul>
            }
            <p class="number">{ sum }</p>
            <dl>
                <dt>{ t.vertex_anchor }</dt>
                <dd>{ if vertex.anchor.is_empty() { t.q_seed.to_owned() } else { vertex.anchor.clone() } }</dd>
                <dt>{ t.vertex_url }</dt><dd class="url">{ vertex.url.clone() }</dd>
                if !vertex.context.is_empty() {
                    <dt>{ t.vertex_context }</dt><dd>{ vertex.context.clone() }</dd>
                }
            </dl>
        </section>
    }
}

/// Index of the explained vertex, else the matched one, else the first that changes.
fn vertex_shown(props: &Props, learnt: Learnt<'_>) -> u32 {
    let vertices = &learnt.graph.vertices;
    let lit = || vertices.iter().position(|vertex| learnt.is_lit(vertex.changed_in));
    let n = vertices.len() as u32;
    let chosen = props.model.sweeps.vertex.filter(|at| *at < n);
    chosen.or_else(|| matched_vertex(props)).or_else(|| lit().map(|at| at as u32)).unwrap_or(0)
}

/// Index of the matched vertex, if it is drawn.
fn matched_vertex(props: &Props) -> Option<u32> {
    let lane = props.model.lanes.get(props.model.graph_lane()?)?;
    let compared = lane.matched.as_ref().filter(|m| Some(m.page) == props.model.sweeps.page)?;
    let page = compared.matched?;
    let vertices = &lane.graph.as_ref()?.vertices;
    vertices.iter().position(|vertex| vertex.page == page).map(|at| at as u32)
}

/// The lane's queue, and the match of the selected row.
fn compared(props: &Props, at: usize, lane: &LaneState, short: &Shortener) -> Html {
    let t = text();
    let model = &props.model;
    let waiting = FrontierProps {
        lane: at,
        frame: lane.frame.clone(),
        chosen: model.chosen.map(|chosen| chosen.page),
        stop: lane.stop,
        shortener: short.clone(),
        on: props.on.clone(),
    };
    let to_row = |on: &Callback<Action>| {
        let on = on.clone();
        move |target: Option<EventTarget>| {
            let page = value_of(target, "button[value]", "value");
            if let Some(page) = page {
                on.emit(Action::Match(page));
            }
        }
    };
    let (pointed, focused) = (to_row(&props.on), to_row(&props.on));
    let matched = lane.matched.as_ref().filter(|m| Some(m.page) == model.sweeps.page);
    html! {
        <section class="compared">
            <h3>{ t.match_title }</h3>
            <div onpointerover={Callback::from(move |event: PointerEvent| pointed(event.target()))}
                onfocusin={Callback::from(move |event: FocusEvent| focused(event.target()))}>
                { frontier(&waiting) }
            </div>
            <div class="match-said" aria-live="polite">
                if let Some((reasons, why)) = matched.and_then(|m| Some((m, m.why.as_ref()?))) {
                    <p class="url">{ short.short(&reasons.url, 44) }</p>
                    { steps(props, at, why, short) }
                    if let Some(url) = reasons.matched.and_then(|page| not_drawn(lane, page, why)) {
                        <p class="muted">{ fill(t.match_not_shown, &[("url", &short.short(&url, 40))]) }</p>
                    }
                } else {
                    <p class="muted">{ t.match_help }</p>
                }
            </div>
        </section>
    }
}

/// A numeric attribute of the closest ancestor that matches a selector.
fn value_of(target: Option<EventTarget>, css: &str, attribute: &str) -> Option<u32> {
    let target = target?.dyn_into::<Element>().ok()?;
    target.closest(css).ok()??.get_attribute(attribute)?.parse().ok()
}

/// URL of the matched page, if its vertex is not drawn.
fn not_drawn(lane: &LaneState, page: u32, why: &Why) -> Option<String> {
    let graph = lane.graph.as_ref()?;
    if graph.vertices.iter().any(|vertex| vertex.page == page) {
        return None;
    }
    url_of_page(why, page)
}

fn url_of_page(why: &Why, wanted: u32) -> Option<String> {
    let here = why.seen.iter().find_map(|seen| match seen {
        crawl_protocol::lane::Seen::Page { page, url, .. } if *page == wanted => Some(url.clone()),
        _ => None,
    });
    here.or_else(|| why.parts.iter().find_map(|part| url_of_page(part, wanted)))
}

/// The explanation of a priority, one line per number.
fn steps(props: &Props, lane: usize, why: &Why, short: &Shortener) -> Html {
    fn walk<'a>(why: &'a Why, depth: usize, into: &mut Vec<(usize, &'a Why)>) {
        if depth < DEPTH && why.parts.len() > 1 {
            into.push((depth, why));
            why.parts.iter().for_each(|part| walk(part, depth + 1, into));
        }
    }
    let mut lines = Vec::new();
    walk(why, 0, &mut lines);
    html! {
        <ol class="match-steps">
            { for lines.into_iter().map(|(depth, why)| {
                let won = why.parts.iter().max_by(|a, b| a.value.total_cmp(&b.value));
                let won = won.filter(|_| why.sign == "max").map(|part| part.label.clone());
                let tree = TreeProps {
                    why: why.clone(),
                    lane,
                    shortener: short.clone(),
                    on: props.on.clone(),
                };
                html! {
                    <li class={format!("deep-{depth}")}>
                        { formula(&tree) }
                        if let Some(won) = won {
                            <span class="won">{ won }</span>
                        }
                    </li>
                }
            }) }
        </ol>
    }
}
