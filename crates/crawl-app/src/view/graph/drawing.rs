//! Drawing of the Web link graph: layers by clicks from the seeds, left to right.
//!
//! Colour and number show Q. Changes of the sweep are highlighted, best edges are strong, results
//! are squares.

use super::{matched_vertex, name, value_of, vertex_shown};
use crate::model::{Action, ChosenPage, Learnt, Shortener, plain_text};
use crate::size::use_size;
use crate::view::chart::px;
use crate::view::{Model, Props};
use crawl_protocol::lane::{Edge, Vertex};
use crawl_text::app::text;
use crawl_text::fill;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Horizontal and vertical margin, in pixels.
const SIDE: f64 = 46.0;
const END: f64 = 14.0;
/// Minimum width of a layer and height of a vertex; larger graphs scroll.
const LEAST_LAYER: f64 = 70.0;
const LEAST_PLACE: f64 = 9.0;
/// Radius of the largest and smallest vertex, and the smallest with a number.
const LARGEST: f64 = 17.0;
const SMALLEST: f64 = 3.2;
const NUMBERED: f64 = 12.0;
/// Minimum row height for names under vertices.
const NAMED: f64 = 50.0;
/// Maximum number of edges that all get a number.
const MOST_NUMBERS: usize = 28;
/// Length of an arrow's head.
const ARROW: f64 = 7.0;

/// Properties of [`Drawing`].
#[derive(Clone, PartialEq, Properties)]
pub struct DrawingProps {
    /// State of the app.
    pub model: Model,
    /// Receives actions.
    pub on: Callback<Action>,
    /// The lane.
    pub lane: usize,
}

/// Geometry of the drawing, in pixels.
struct Geometry {
    width: f64,
    height: f64,
    n_layers: u32,
}

impl Geometry {
    fn new(size: (f64, f64), n_layers: u32, n_places: u32) -> Self {
        let width = size.0.max(2.0 * SIDE + f64::from(n_layers) * LEAST_LAYER - LEAST_LAYER);
        let height = size.1.max(2.0 * END + f64::from(n_places) * LEAST_PLACE);
        Self { width, height, n_layers }
    }

    /// Row height in the layer of a vertex.
    fn row(&self, vertex: &Vertex) -> f64 {
        (self.height - 2.0 * END) / f64::from(vertex.of.max(1))
    }

    fn place(&self, vertex: &Vertex) -> (f64, f64) {
        let x = match self.n_layers {
            0 | 1 => self.width / 2.0,
            n => SIDE + f64::from(vertex.layer) * self.layer_width(n),
        };
        let row = self.row(vertex);
        // Leave room for names below.
        let raised = if row >= NAMED { 7.0 } else { 0.0 };
        (x, END + (f64::from(vertex.place) + 0.5) * row - raised)
    }

    fn layer_width(&self, n_layers: u32) -> f64 {
        (self.width - 2.0 * SIDE) / f64::from(n_layers.max(2) - 1)
    }

    fn radius(&self, vertex: &Vertex) -> f64 {
        (self.row(vertex) * 0.36).clamp(SMALLEST, LARGEST)
    }
}

/// Line, arrow head and label position of an edge.
fn drawn(geometry: &Geometry, from: &Vertex, to: &Vertex) -> (String, String, (f64, f64)) {
    let (a, b) = (geometry.place(from), geometry.place(to));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = libm::hypot(dx, dy).max(1.0);
    // Straight to the next layer; curved within a layer, back, or across layers.
    let bend = if to.layer == from.layer + 1 { 0.0 } else { (0.22 * length).clamp(24.0, 60.0) };
    // Within a layer, always curve to the same side.
    let across = if to.layer == from.layer { dy.abs() } else { dy };
    let (cx, cy) =
        ((a.0 + b.0) / 2.0 + across / length * bend, (a.1 + b.1) / 2.0 - dx / length * bend);
    let unit = |from: (f64, f64), to: (f64, f64)| {
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let length = libm::hypot(x, y).max(1e-6);
        (x / length, y / length)
    };
    let (out, into) = (unit(a, (cx, cy)), unit((cx, cy), b));
    let (ra, rb) = (geometry.radius(from) + 1.0, geometry.radius(to) + 2.0);
    let start = (a.0 + out.0 * ra, a.1 + out.1 * ra);
    let tip = (b.0 - into.0 * rb, b.1 - into.1 * rb);
    let end = (tip.0 - into.0 * ARROW, tip.1 - into.1 * ARROW);
    let line = format!("M{:.1} {:.1}Q{cx:.1} {cy:.1} {:.1} {:.1}", start.0, start.1, end.0, end.1);
    let (wx, wy) = (-into.1 * ARROW * 0.45, into.0 * ARROW * 0.45);
    let head = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        tip.0,
        tip.1,
        end.0 + wx,
        end.1 + wy,
        end.0 - wx,
        end.1 - wy
    );
    // Labels near the source, since edges meet at their target.
    let at = |from: f64, control: f64, to: f64| 0.36 * from + 0.48 * control + 0.16 * to;
    (line, head, (at(start.0, cx, end.0), at(start.1, cy, end.1)))
}

/// The graph after the sweep that is shown.
#[component]
pub fn Drawing(props: &DrawingProps) -> Html {
    let t = text();
    let node = use_node_ref();
    let size = use_size(&node);
    let Some(learnt) = props.model.learnt() else { return html! {} };
    let graph = learnt.graph;
    let geometry = Geometry::new(size, graph.n_layers, graph.n_places);
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    let short = Shortener::of(props.model.picture.as_ref());
    let (shown, matched) = (vertex_shown(&common, learnt), matched_vertex(&common));
    let show_vertex = {
        let on = props.on.clone();
        move |target| {
            if let Some(vertex) = value_of(target, "[data-vertex]", "data-vertex") {
                on.emit(Action::Vertex(vertex));
            }
        }
    };
    let focused = show_vertex.clone();
    let pages: Vec<u32> = graph.vertices.iter().map(|vertex| vertex.page).collect();
    let choose = {
        let (on, lane) = (props.on.clone(), props.lane);
        move |target| {
            let vertex = value_of(target, "[data-vertex]", "data-vertex");
            if let Some(page) = vertex.and_then(|vertex| pages.get(vertex as usize).copied()) {
                on.emit(Action::Choose(ChosenPage { lane, page }));
            }
        }
    };
    let chosen = choose.clone();
    let places: Vec<(u32, f64)> =
        graph.vertices.iter().map(|vertex| (vertex.layer, geometry.place(vertex).1)).collect();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let Some(at) = value_of(event.target(), "[data-vertex]", "data-vertex") else { return };
        match event.key().as_str() {
            "Enter" | " " => chosen(event.target()),
            key if key.starts_with("Arrow") => {
                if let Some(to) = neighbour(&places, at as usize, key) {
                    focus(&event, to);
                }
            }
            _ => return,
        }
        // The play-head uses these keys, too.
        event.prevent_default();
        event.stop_propagation();
    });
    let has_numbers = graph.edges.len() <= MOST_NUMBERS;
    // Drawing order: normal, strong, highlighted.
    let rank = |edge: &&Edge| {
        u8::from(learnt.is_lit(edge.changed_in)) * 2 + u8::from(learnt.is_picked(edge))
    };
    let edges = (0..4).flat_map(|of| graph.edges.iter().filter(move |edge| rank(edge) == of));
    html! {
        <div class="graph-drawing" ref={node}>
            if size.0 > 0.0 {
                <svg width={px(geometry.width)} height={px(geometry.height)} role="group"
                    aria-label={t.graph_of} {onkeydown}
                    onpointerover={Callback::from(move |event: PointerEvent| show_vertex(event.target()))}
                    onfocusin={Callback::from(move |event: FocusEvent| focused(event.target()))}
                    onclick={Callback::from(move |event: MouseEvent| choose(event.target()))}>
                    { for edges.map(|e| edge(&geometry, learnt, e, has_numbers || e.from == shown)) }
                    { for graph.vertices.iter().enumerate().map(|(at, v)| {
                        let at = at as u32;
                        let is = (at == shown, Some(at) == matched);
                        vertex(&geometry, learnt, (at, v), is, &short)
                    }) }
                </svg>
            }
        </div>
    }
}

fn edge(geometry: &Geometry, learnt: Learnt<'_>, edge: &Edge, has_number: bool) -> Html {
    let vertices = &learnt.graph.vertices;
    let ends = vertices.get(edge.from as usize).zip(vertices.get(edge.to as usize));
    let Some((from, to)) = ends else { return html! {} };
    let (line, head, (x, y)) = drawn(geometry, from, to);
    let q = learnt.of_edge(edge);
    let is_lit = learnt.is_lit(edge.changed_in);
    let class = classes!(
        "edge",
        is_lit.then_some("is-lit"),
        learnt.is_picked(edge).then_some("is-picked"),
        (q > 0.0).then_some("is-worth"),
    );
    html! {
        <g {class} aria-hidden="true">
            <path class="line" d={line} />
            <path class="head" d={head} />
            if q > 0.0 && (has_number || is_lit && learnt.is_picked(edge)) {
                <text x={px(x)} y={px(y + 3.5)} text-anchor="middle">{ plain_text(q) }</text>
            }
        </g>
    }
}

fn vertex(
    geometry: &Geometry,
    learnt: Learnt<'_>,
    (at, vertex): (u32, &Vertex),
    (is_shown, is_matched): (bool, bool),
    short: &Shortener,
) -> Html {
    let t = text();
    let (x, y) = geometry.place(vertex);
    let r = geometry.radius(vertex);
    let q = learnt.of(vertex);
    let share =
        if learnt.graph.reward > 0.0 { (q / learnt.graph.reward).clamp(0.0, 1.0) } else { 0.0 };
    let class = classes!(
        "vertex",
        vertex.is_result.then_some("is-result"),
        learnt.is_lit(vertex.changed_in).then_some("is-lit"),
        is_shown.then_some("is-shown"),
        is_matched.then_some("is-matched"),
    );
    let sentence = if vertex.is_result { t.graph_result } else { t.graph_vertex };
    let label = fill(sentence, &[("name", &name(vertex, short, 60)), ("q", &plain_text(q))]);
    let most = (geometry.layer_width(geometry.n_layers).min(150.0) / 6.6) as usize;
    // Names at the edges grow inwards.
    let (anchor, name_x) = match vertex.layer {
        0 if geometry.n_layers > 1 => ("start", x - r),
        last if last + 1 == geometry.n_layers && last > 0 => ("end", x + r),
        _ => ("middle", x),
    };
    let star = vertex.is_result.then_some("★").filter(|_| r >= NUMBERED);
    html! {
        <>
            <g class={class.clone()} data-vertex={at.to_string()} role="button" aria-label={label}
                tabindex={if is_shown { "0" } else { "-1" }}>
                if is_matched {
                    <circle class="match-ring" cx={px(x)} cy={px(y)} r={px(r + 6.0)} />
                }
                if vertex.is_result {
                    <rect x={px(x - r)} y={px(y - r)} width={px(2.0 * r)} height={px(2.0 * r)} rx={px((0.25 * r).min(3.0))} />
                } else {
                    <circle class="ground" cx={px(x)} cy={px(y)} r={px(r)} />
                    <circle class="fill" cx={px(x)} cy={px(y)} r={px(r)} fill-opacity={format!("{:.2}", share * 0.5)} />
                }
            </g>
            // Text on top; screen readers use the label.
            <g class={classes!(class, "written")} aria-hidden="true">
                if let Some(star) = star {
                    <text class="star" x={px(x)} y={px(y + 4.5)} text-anchor="middle">{ star }</text>
                } else if r >= NUMBERED {
                    <text class="q" x={px(x)} y={px(y + 4.0)} text-anchor="middle">{ plain_text(q) }</text>
                }
                if geometry.row(vertex) >= NAMED {
                    <text class="name" x={px(name_x)} y={px(y + r + 14.0)} text-anchor={anchor}>
                        { name(vertex, short, most.max(6)) }
                    </text>
                }
            </g>
        </>
    }
}

/// Vertex that an arrow key leads to: within the layer, or nearest in the adjacent layer.
fn neighbour(places: &[(u32, f64)], at: usize, key: &str) -> Option<usize> {
    let (layer, y) = *places.get(at)?;
    let in_layer = |wanted: u32| {
        let of = places.iter().enumerate().filter(move |(_, place)| place.0 == wanted);
        of.map(|(i, place)| (i, place.1))
    };
    let nearest = |wanted: u32| {
        let distance = |place: &(usize, f64)| (place.1 - y).abs();
        in_layer(wanted).min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|(i, _)| i)
    };
    match key {
        "ArrowUp" => in_layer(layer).rfind(|(_, other)| *other < y).map(|(i, _)| i),
        "ArrowDown" => in_layer(layer).find(|(_, other)| *other > y).map(|(i, _)| i),
        "ArrowLeft" => nearest(layer.checked_sub(1)?),
        "ArrowRight" => nearest(layer + 1),
        _ => None,
    }
}

/// Focuses a vertex.
fn focus(event: &KeyboardEvent, to: usize) {
    let svg = event.target_dyn_into::<Element>().and_then(|e| e.closest("svg").ok().flatten());
    let vertex = svg.and_then(|svg| svg.query_selector(&format!("[data-vertex='{to}']")).ok()?);
    if let Some(vertex) = vertex {
        // SVG elements have `focus`, too.
        let _ = vertex.unchecked_into::<HtmlElement>().focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(layer: u32, place: u32, of: u32) -> Vertex {
        Vertex {
            page: 0,
            url: String::new(),
            anchor: String::new(),
            context: String::new(),
            is_result: false,
            layer,
            place,
            of,
            changed_in: None,
        }
    }

    #[test]
    fn large_graphs_are_scrolled_before_vertices_touch() {
        for (layers, places) in [(1, 1), (5, 3), (12, 100)] {
            let geometry = Geometry::new((300.0, 400.0), layers, places);
            let (a, b) = (vertex(0, 0, places), vertex(layers - 1, places - 1, places));
            let (start, end) = (geometry.place(&a), geometry.place(&b));
            assert!(start.0 >= SIDE && end.0 <= geometry.width - SIDE, "{layers} layers");
            assert!(start.1 > 0.0 && end.1 + geometry.radius(&b) < geometry.height, "{places}");
            if places > 1 {
                let next = geometry.place(&vertex(0, 1, places));
                assert!(next.1 - start.1 >= 2.0 * geometry.radius(&a), "{places} touch");
            }
        }
    }

    #[test]
    fn keys_go_from_layer_to_layer() {
        let places = [(0, 50.0), (1, 10.0), (1, 60.0), (1, 90.0), (2, 50.0)];
        assert_eq!(neighbour(&places, 0, "ArrowRight"), Some(2));
        assert_eq!(neighbour(&places, 2, "ArrowUp"), Some(1));
        assert_eq!(neighbour(&places, 2, "ArrowDown"), Some(3));
        assert_eq!(neighbour(&places, 3, "ArrowLeft"), Some(0));
        assert_eq!(neighbour(&places, 0, "ArrowLeft"), None);
        assert_eq!(neighbour(&places, 4, "ArrowRight"), None);
        assert_eq!(neighbour(&places, 9, "ArrowUp"), None);
    }
}
