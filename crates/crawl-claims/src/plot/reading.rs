//! Readable points of a figure in a page, by pointer or keyboard.
//!
//! Each x value with a measured point has a vertical strip. CSS shows the numbers of the strip that is
//! hovered or focused; SVG files have no CSS, so they have no strips.

use super::axis::Axis;
use super::{Frame, escaped, plain};
use crate::report::{Cell, Figure, Unit};
use std::fmt::Write;

/// Line height.
pub(super) const LINE: f64 = 15.0;

/// Number of lines of a reading.
pub(super) fn n_lines(figure: &Figure) -> usize {
    1 + 2 * figure.lines.len()
}

/// Writes one strip per x value; its numbers are shown at `corner`.
pub(super) fn write(
    svg: &mut String,
    figure: &Figure,
    (frame, x, y): (&Frame, &Axis, &Axis),
    colours: &[&str],
    corner: (f64, f64),
) {
    let places = figure.measured();
    let middle = |a: f64, b: f64| (x.of(a) + x.of(b)) / 2.0;
    for (i, at) in places.iter().copied().enumerate() {
        let before = i.checked_sub(1).and_then(|i| places.get(i));
        let start = before.map_or(frame.left, |before| middle(*before, at));
        let end = places.get(i + 1).map_or(frame.left + frame.width, |after| middle(at, *after));
        // One tab stop; arrow keys move between strips.
        let stop = if i == 0 { 0 } else { -1 };
        let _ = writeln!(
            svg,
            "<g class=\"strip\" tabindex=\"{stop}\" role=\"img\" aria-label=\"{}\">\
             <rect x=\"{start:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"#000\" \
             fill-opacity=\"0\"/><g visibility=\"hidden\">\
             <path d=\"M{:.1} {}v{}\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>",
            escaped(&description(figure, at)),
            frame.top,
            end - start,
            frame.height,
            x.of(at),
            frame.top,
            frame.height,
        );
        let (left, mut below) = corner;
        let mut line = |svg: &mut String, words: &str, attributes: &str| {
            let _ = write!(
                svg,
                "<text x=\"{left}\" y=\"{below:.1}\"{attributes}>{}</text>",
                escaped(words)
            );
            below += LINE;
        };
        line(svg, &place(figure, at), " font-weight=\"600\"");
        for ((curve, exact, cell), colour) in figure.reading(at).zip(colours.iter().cycle()) {
            if let Some(cell) = cell.filter(|cell| y.holds(cell.mean)) {
                let _ = write!(
                    svg,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"6\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"2\"/>",
                    x.of(at),
                    y.of(cell.mean)
                );
            }
            let exact = exact.map_or_else(String::new, |exact| value(figure, exact));
            line(svg, &format!("{}: {exact}", curve.name), "");
            let measured = cell.map_or_else(|| "simulating…".to_owned(), simulated);
            line(svg, &format!("   {measured}"), " fill-opacity=\".8\" xml:space=\"preserve\"");
        }
        svg.push_str("</g></g>\n");
    }
}

/// All values at `at`, as a sentence for screen readers.
fn description(figure: &Figure, at: f64) -> String {
    let mut description = place(figure, at);
    for (line, exact, cell) in figure.reading(at) {
        let _ = write!(description, "; {}", line.name);
        if let Some(exact) = exact {
            let _ = write!(description, " exact {}", value(figure, exact));
        }
        if let Some(cell) = cell {
            let _ = write!(description, ", {}", simulated(cell));
        }
    }
    description
}

fn place(figure: &Figure, at: f64) -> String {
    format!("{} = {}", figure.symbol, plain(at))
}

/// A value; for a ratio also its deviation from 1.
fn value(figure: &Figure, value: f64) -> String {
    let percent = 100.0 * (value - 1.0);
    let word = if percent < 0.0 { "low" } else { "high" };
    match figure.unit {
        Unit::Ratio => format!("{value:.3}, {:.1} % {word}", percent.abs()),
        _ => format!("{value:.3}"),
    }
}

fn simulated(cell: Cell) -> String {
    format!("simulated {:.3} ± {:.3}", cell.mean, cell.half_width)
}
