//! The chart for export: with title, legend, and marks on the curves.

use super::chart::{Geometry, content, lines, px, title};
use super::{Props, icon};
use yew::prelude::*;

/// Width and height, in pixels.
pub const SIZE: (f64, f64) = (720.0, 420.0);
/// Height of title and legend.
const HEAD: f64 = 76.0;
/// Marks per curve; they distinguish lanes without colour.
const MARKS: usize = 4;

/// The chart for export.
pub fn print(props: &Props) -> Html {
    let model = &props.model;
    let (width, height) = SIZE;
    let (lanes, bounds, geometry) = content(model, width, height - HEAD);
    let (name, axis) = (model.chart(), model.axis());
    let drawn = lines(&lanes, &name, bounds.as_deref(), geometry, axis);
    let at = |x: f64, y: f64| format!("translate({x:.1},{y:.1})");
    let legend = lanes.iter().enumerate().map(|(i, (mark, lane))| {
        let (x, y) = (Geometry::LEFT + (i % 2) as f64 * width / 2.0, (i / 2) as f64 * 19.0);
        html! {
            <g transform={at(x, y - HEAD + 34.0)}>
                { icon::shape(*mark) }
                <text class="legend-name" x="18" y="10">{ props.title(&lane.strategy) }</text>
            </g>
        }
    });
    let marks = lanes.iter().enumerate().flat_map(|(i, (mark, lane))| {
        let metric = lane.metric(&name);
        let n_lanes = lanes.len();
        (0..MARKS).filter_map(move |k| {
            let metric = metric?;
            // Curves may overlap: shift the marks of each.
            let place = metric.values.len() * (2 * (k * n_lanes + i) + 1) / (2 * MARKS * n_lanes);
            let x = geometry.x(lane.place_of(axis, *metric.steps.get(place)?));
            let y = geometry.y(*metric.values.get(place)?);
            Some(html! { <g transform={at(x - 6.0, y - 6.0)}>{ icon::shape(*mark) }</g> })
        })
    });
    let world = props.world_title();
    html! {
        <div class="chart print">
            <svg id="print" width={width.to_string()} height={height.to_string()} role="img"
                viewBox={format!("0 {} {width} {height}", -HEAD)} aria-label={title(props)}>
                <rect class="paper" y={px(-HEAD)} width={px(width)} height={px(height)} />
                <text class="print-title" x={px(Geometry::LEFT)} y={px(20.0 - HEAD)}>
                    { title(props) }{ " · " }{ world }
                </text>
                { for legend }
                { drawn }
                { for marks }
            </svg>
        </div>
    }
}
