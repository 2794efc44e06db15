//! The chart: one metric of all lanes, with the ideal curve, the random band and the play-head.

use super::{Model, Props, icon};
use crate::model::{
    Action, BOUNDED, Bounds, CEILING, LaneState, MetricSeries, REVISITED, SOUGHT, count_text,
    percent_text, score_text, seconds_text,
};
use crate::size::use_size;
use crate::vars::use_vars;
use crawl_protocol::Axis;
use crawl_text::app::text;
use crawl_text::number::whole_percent_text;
use std::fmt::Write;
use std::rc::Rc;
use yew::prelude::*;

/// Maximum number of points per curve.
const MAX_POINTS: usize = 1200;

/// Geometry of the chart, in pixels; the scrubber shares its x scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// Total width.
    pub width: f64,
    /// Total height.
    pub height: f64,
    /// End of the x axis, in steps or seconds.
    pub end: f64,
    /// The largest value.
    pub top: f64,
    /// The smallest value.
    pub bottom: f64,
}

impl Geometry {
    /// Space for the y labels.
    pub const LEFT: f64 = 52.0;
    /// Space at the right.
    pub const RIGHT: f64 = 16.0;
    const ABOVE: f64 = 8.0;
    /// Space for the x labels.
    const BELOW: f64 = 19.0;
    /// Space for the name of the x axis.
    const NAME: f64 = 110.0;

    /// x coordinate of a position.
    pub fn x(&self, place: f64) -> f64 {
        let share = if self.end > 0.0 { place / self.end } else { 0.0 };
        Self::LEFT + share * (self.width - Self::LEFT - Self::RIGHT)
    }

    /// Position at an x coordinate.
    pub fn place(&self, x: f64) -> f64 {
        let width = (self.width - Self::LEFT - Self::RIGHT).max(1.0);
        ((x - Self::LEFT) / width).clamp(0.0, 1.0) * self.end
    }

    /// y coordinate of a value.
    pub fn y(&self, value: f64) -> f64 {
        let share = (value - self.bottom) / (self.top - self.bottom).max(f64::MIN_POSITIVE);
        self.height - Self::BELOW - share * (self.height - Self::ABOVE - Self::BELOW)
    }
}

/// The chart.
#[component]
pub fn Chart(props: &Props) -> Html {
    let node = use_node_ref();
    let (width, height) = use_size(&node);
    let hovered = use_state_eq(|| None::<f64>);
    let model = &props.model;
    let name = model.chart();
    let axis = model.axis();
    let (shown, bounds, geometry) = content(model, width, height);
    // Curves depend only on their data: do not rebuild them while the play-head moves.
    let key: Vec<(u8, *const Vec<MetricSeries>)> =
        shown.iter().map(|(mark, lane)| (*mark, Rc::as_ptr(&lane.metrics))).collect();
    let bounds_key = bounds.as_ref().map(Rc::as_ptr);
    let lines = use_memo((key, bounds_key, geometry.to_bits(), name.clone(), axis), |_| {
        lines(&shown, &name, bounds.as_deref(), geometry, axis)
    });
    let hover = hovered.map_or(0.0, |place| geometry.x(place));
    use_vars(&node, vec![("--hover", format!("{hover}px"))]);
    let onpointermove = {
        let hovered = hovered.clone();
        Callback::from(move |event: PointerEvent| {
            hovered.set(Some(geometry.place(f64::from(event.offset_x()))));
        })
    };
    let onpointerleave = {
        let hovered = hovered.clone();
        Callback::from(move |_: PointerEvent| hovered.set(None))
    };
    let onclick = {
        let on = props.on.clone();
        Callback::from(move |event: MouseEvent| {
            on.emit(Action::Seek(geometry.place(f64::from(event.offset_x())).round()));
        })
    };
    html! {
        <div class="chart" ref={node} {onpointermove} {onpointerleave} {onclick}>
            if width > 0.0 {
                <svg id="chart" width={width.to_string()} height={height.to_string()}
                    viewBox={format!("0 0 {width} {height}")} role="img" aria-label={title(props)}>
                    { (*lines).clone() }
                    { head(props, geometry, &name) }
                    if hovered.is_some() {
                        <line class="hover-line" x1={px(hover)} x2={px(hover)}
                            y1="4" y2={px(height - Geometry::BELOW)} />
                    }
                </svg>
            }
            if let Some(place) = *hovered {
                { readout(props, &name, geometry, place) }
            }
            if model.lanes.iter().all(|lane| lane.finished.is_some() && lane.metric(&name).is_none_or(|m| m.values.is_empty())) && !model.lanes.is_empty() {
                <p class="chart-note muted">{ text().no_values }</p>
            }
        </div>
    }
}

impl Geometry {
    fn to_bits(self) -> [u64; 5] {
        [self.width, self.height, self.end, self.top, self.bottom].map(f64::to_bits)
    }
}

/// Lanes to draw with their marks, bounds for comparison, and geometry.
pub fn content(
    model: &Model,
    width: f64,
    height: f64,
) -> (Vec<(u8, LaneState)>, Option<Rc<Bounds>>, Geometry) {
    let name = model.chart();
    let bounds = model.bounds.clone().filter(|_| name == BOUNDED);
    let lanes = model.lanes.iter().enumerate().filter(|(_, lane)| !lane.muted);
    let lanes: Vec<(u8, LaneState)> =
        lanes.map(|(at, lane)| (model.mark(at), lane.clone())).collect();
    let (bottom, top) = range(&lanes, &name, bounds.as_deref());
    (lanes, bounds, Geometry { width, height, end: model.end(), top, bottom })
}

/// Title of the chart's metric.
pub fn title(props: &Props) -> String {
    let name = props.model.chart();
    metric_title(props, &name)
}

/// Title of a metric.
pub fn metric_title(props: &Props, name: &str) -> String {
    let catalogue = props.model.catalogue.as_ref();
    let chosen = catalogue.and_then(|c| c.choose(crawl_catalogue::Kind::Metric, name).ok());
    chosen.map_or_else(|| name.to_owned(), |chosen| props.title(&chosen))
}

/// A length in pixels.
pub fn px(x: f64) -> String {
    format!("{x:.1}")
}

/// Smallest and largest value to show.
fn range(lanes: &[(u8, LaneState)], name: &str, bounds: Option<&Bounds>) -> (f64, f64) {
    let measured = lanes.iter().filter_map(|(_, lane)| lane.metric(name));
    let values = measured.flat_map(|metric| {
        let in_time = metric.in_time.iter().map(|value| f64::from(value.max(0.0)));
        metric.values.iter().copied().chain(in_time)
    });
    let values = values.chain(ceiling(lanes, name));
    let ideal = bounds.and_then(|bounds| bounds.ideal.last().copied());
    let (low, high) = values
        .chain(ideal)
        .filter(|value| value.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    if high > low { (low, high) } else { (low, low + 1.0) }
}

/// The reachable maximum, if the chart shows target recall.
fn ceiling(lanes: &[(u8, LaneState)], name: &str) -> Option<f64> {
    let of = |(_, lane): &(u8, LaneState)| lane.metric(CEILING)?.values.last().copied();
    lanes.iter().filter(|_| name == SOUGHT).filter_map(of).reduce(f64::min)
}

/// Three to six round tick values.
fn ticks(bottom: f64, top: f64) -> Vec<f64> {
    let span = top - bottom;
    let rough = span / 5.0;
    let mut power = 1.0;
    while power > rough && power > f64::MIN_POSITIVE {
        power /= 10.0;
    }
    while power * 10.0 <= rough {
        power *= 10.0;
    }
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    let first = libm::ceil(bottom / step) as i64;
    let last = libm::floor(top / step) as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// The largest value shown; it decides the number format.
pub fn top(model: &Model) -> f64 {
    content(model, 0.0, 0.0).2.top
}

/// A value in the number format of the chart.
pub fn value_text(value: f64, top: f64) -> String {
    if top <= 1.0001 && top > 0.05 { percent_text(value) } else { score_text(value) }
}

fn tick_text(value: f64, top: f64) -> String {
    if top <= 1.0001 && top > 0.05 { whole_percent_text(value) } else { score_text(value) }
}

/// The axes and all curves.
pub fn lines(
    lanes: &[(u8, LaneState)],
    name: &str,
    bounds: Option<&Bounds>,
    geometry: Geometry,
    axis: Axis,
) -> Html {
    let t = text();
    let has_values = |metric: &MetricSeries| !metric.values.is_empty();
    let has_revisits = lanes.iter().any(|(_, lane)| lane.metric(REVISITED).is_some_and(has_values));
    let grid = ticks(geometry.bottom, geometry.top).into_iter().map(|value| {
        let y = geometry.y(value);
        html! {
            <>
                <line class="grid" x1={px(Geometry::LEFT)} x2={px(geometry.width - Geometry::RIGHT)}
                    y1={px(y)} y2={px(y)} />
                <text class="tick" x={px(Geometry::LEFT - 8.0)} y={px(y + 4.0)} text-anchor="end">
                    { tick_text(value, geometry.top) }
                </text>
            </>
        }
    });
    // Bounds are known per step only.
    let bounds = bounds.filter(|_| axis == Axis::Pages);
    let band = bounds.map(|bounds| {
        let steps = || bounds.random.iter().zip(&bounds.deviation).enumerate();
        let above = steps().map(|(i, (mean, d))| (i as f64 + 1.0, mean + d));
        let below = steps().map(|(i, (mean, d))| (i as f64 + 1.0, mean - d));
        let mut outline: Vec<(f64, f64)> = thinned(above.collect());
        outline.extend(thinned(below.collect()).into_iter().rev());
        let mean = bounds.random.iter().enumerate().map(|(i, v)| (i as f64 + 1.0, *v)).collect();
        let ideal = bounds.ideal.iter().enumerate().map(|(i, v)| (i as f64 + 1.0, *v)).collect();
        let name_at = |curve: &[f64], words: &'static str, above: f64| {
            let i = curve.len() * 3 / 5;
            let value = curve.get(i).copied();
            value.map(|value| {
                html! {
                    <text class="curve-name" x={px(geometry.x(i as f64 + 1.0))}
                        y={px(geometry.y(value) + above)} text-anchor="end">{ words }</text>
                }
            })
        };
        html! {
            <>
                <path class="random-band" d={path(&outline, geometry) + "Z"} />
                <path class="random-line" d={path(&thinned(mean), geometry)} />
                <path class="ideal-line" d={path(&thinned(ideal), geometry)} />
                { for name_at(&bounds.ideal, t.ideal, -7.0) }
                { for name_at(&bounds.random, t.random, 15.0) }
            </>
        }
    });
    let curves = lanes.iter().filter_map(|(mark, lane)| {
        let metric = lane.metric(name)?;
        let d = path(&thinned(lane.points(metric, axis)), geometry);
        Some(html! { <path class={classes!("curve", icon::class(*mark))} {d} /> })
    });
    let ceiling = ceiling(lanes, name).map(|value| {
        let (y, end) = (geometry.y(value), geometry.width - Geometry::RIGHT);
        html! {
            <>
                <path class="ideal-line" d={format!("M{} {}H{end}", Geometry::LEFT, px(y))} />
                <text class="curve-name" x={px(end)} y={px(y + 15.0)} text-anchor="end">
                    { t.ceiling }
                </text>
            </>
        }
    });
    html! { <>{ for grid }{ places(geometry, (axis, has_revisits)) }{ for band }{ for ceiling }{ for curves }</> }
}

/// Unit of the x axis in steps or seconds, and its name.
fn unit((axis, has_revisits): (Axis, bool), end: f64) -> (f64, &'static str) {
    let t = text();
    match axis {
        Axis::Pages if has_revisits => (1.0, t.fetches),
        Axis::Pages => (1.0, t.pages_fetched),
        Axis::Seconds if end >= 3.0 * 86_400.0 => (86_400.0, t.simulated_days),
        Axis::Seconds if end >= 2.0 * 3600.0 => (3600.0, t.simulated_hours),
        Axis::Seconds => (1.0, t.simulated_seconds),
    }
}

/// The x axis: labels and name.
fn places(geometry: Geometry, axis: (Axis, bool)) -> Html {
    let base = geometry.height - Geometry::BELOW;
    let end = geometry.width - Geometry::RIGHT;
    let (unit, name) = unit(axis, geometry.end);
    let ticks = if geometry.end > 0.0 { ticks(0.0, geometry.end / unit) } else { Vec::new() };
    let place = |tick: f64| geometry.x(tick * unit);
    let mut d = format!("M{} {base}H{end}", Geometry::LEFT);
    ticks.iter().for_each(|tick| d += &format!("M{} {base}v4", px(place(*tick))));
    let y = px(geometry.height - 4.0);
    let numbers = ticks.into_iter().map(|tick| (place(tick), tick));
    let numbers = numbers.filter(|(x, _)| *x < end - Geometry::NAME);
    html! {
        <>
            <path class="grid" {d} />
            { for numbers.map(|(x, tick)| html! {
                <text class="tick" x={px(x)} y={y.clone()} text-anchor="middle">{ score_text(tick) }</text>
            }) }
            <text class="tick" x={px(end)} {y} text-anchor="end">{ name }</text>
        </>
    }
}

/// Every n-th point and the last.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let every = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let keep = |(i, _): &(usize, (f64, f64))| i.is_multiple_of(every) || *i == last;
    points.into_iter().enumerate().filter(keep).map(|(_, point)| point).collect()
}

fn path(points: &[(f64, f64)], geometry: Geometry) -> String {
    let mut d = String::with_capacity(points.len() * 14);
    for (i, (place, value)) in points.iter().enumerate() {
        let sign = if i == 0 { 'M' } else { 'L' };
        let written = write!(d, "{sign}{:.1} {:.1}", geometry.x(*place), geometry.y(*value));
        debug_assert!(written.is_ok());
    }
    d
}

/// The play-head and each lane's value there.
fn head(props: &Props, geometry: Geometry, name: &str) -> Html {
    let model = &props.model;
    let x = geometry.x(model.place());
    let dots = model.lanes.iter().enumerate().filter(|(_, lane)| !lane.muted);
    let dots = dots.filter_map(|(at, lane)| {
        let (place, value) = lane.value_at(name, model.axis(), model.head.at)?;
        Some(html! {
            <circle class={classes!("head-dot", props.lane_class(at))} r="3.6"
                cx={px(geometry.x(place))} cy={px(geometry.y(value))} />
        })
    });
    html! {
        <>
            <line class="head-line" x1={px(x)} x2={px(x)} y1="2" y2={px(geometry.height)} />
            { for dots }
        </>
    }
}

/// Values at the pointer.
fn readout(props: &Props, name: &str, geometry: Geometry, place: f64) -> Html {
    let model = &props.model;
    let axis = model.axis();
    let at = match axis {
        Axis::Pages => count_text(place.round() as u64),
        Axis::Seconds => seconds_text(place),
    };
    let values = model.lanes.iter().enumerate().filter(|(_, lane)| !lane.muted);
    let values = values.filter_map(|(i, lane)| {
        let place = if axis == Axis::Pages { place.round() } else { place };
        let (_, value) = lane.value_at(name, axis, place)?;
        Some(html! {
            <li>{ props.shape(i) }<span>{ props.lane_title(i) }</span>
                <span class="number">{ value_text(value, geometry.top) }</span></li>
        })
    });
    let step = place.round() as usize;
    let bound = |curve: &[f64], words: &'static str| {
        let value = step.checked_sub(1).and_then(|i| curve.get(i))?;
        let shown = axis == Axis::Pages && name == BOUNDED;
        shown.then(|| {
            html! {
                <li><span class="shape" /><span class="muted">{ words }</span>
                    <span class="number muted">{ value_text(*value, geometry.top) }</span></li>
            }
        })
    };
    let bounds = model.bounds.clone().unwrap_or_default();
    let side = if geometry.x(place) > geometry.width * 0.7 { "at-start" } else { "at-end" };
    html! {
        <div class={classes!("readout", side)} aria-hidden="true">
            <p class="number">{ at }</p>
            <ul>
                { for values }
                { for bound(&bounds.ideal, text().ideal) }
                { for bound(&bounds.random, text().random) }
            </ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_pixels_are_inverse() {
        let geometry = Geometry { width: 800.0, height: 120.0, end: 400.0, top: 1.0, bottom: 0.0 };
        for place in [0.0, 1.0, 123.0, 400.0] {
            assert!((geometry.place(geometry.x(place)) - place).abs() < 1e-9);
        }
        assert_eq!(geometry.place(-10.0), 0.0);
        assert!(geometry.y(1.0) < geometry.y(0.0));
    }

    #[test]
    fn ticks_are_round_and_few() {
        let shares = ticks(0.0, 0.87);
        assert_eq!(
            shares.iter().map(|t| (t * 100.0).round()).collect::<Vec<_>>(),
            [0.0, 20.0, 40.0, 60.0, 80.0]
        );
        for top in [1e-6, 0.3, 1.0, 7.0, 12_345.0] {
            let n = ticks(0.0, top).len();
            assert!((2..=6).contains(&n), "{top}: {n}");
        }
    }

    #[test]
    fn long_lines_are_thinned_and_keep_their_end() {
        let points: Vec<(f64, f64)> = (0..5000).map(|i| (f64::from(i), 0.0)).collect();
        let thin = thinned(points);
        assert!(thin.len() <= MAX_POINTS + 1);
        assert_eq!(thin.last().map(|p| p.0), Some(4999.0));
    }
}
