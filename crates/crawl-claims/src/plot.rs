//! Draws figures as SVG: bands, lines, points, axes and a legend.
//!
//! An SVG file has a white background. In a page the picture uses the page's text colour, which follows
//! a dark theme, and its points can be read; on a phone it is narrow, so that its text is readable.

mod axis;
mod reading;

use crate::report::{Figure, Line, Unit, Zone};
use axis::Axis;
use crawl_catalogue::visible;
use std::fmt::Write;

/// The colour-blind-safe palette of Okabe and Ito, and two greys.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#a0522d", BLACK, "#8f7f00",
    "#7b5fb3", "#5f6b6d", "#9aa5a6",
];
const BLACK: &str = "#000000";
/// Colours in a page: those of the lanes, then others visible on white and on black.
const PAGE_COLOURS: [&str; 12] = [
    "var(--lane-1,#0072b2)",
    "var(--lane-4,#d55e00)",
    "var(--lane-3,#009e73)",
    "#cc79a7",
    "var(--lane-2,#e69f00)",
    "#7d8cf0",
    "#b8683c",
    "currentColor",
    "#8f7f00",
    "#8a6cc4",
    "#6b787a",
    "#9aa5a6",
];

/// Height of the title.
const TOP: f64 = 40.0;
/// Height of the x axis with its labels.
const BOTTOM: f64 = 48.0;
/// Line height of the legend.
const LEGEND_LINE: f64 = 18.0;

/// Where a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// In an SVG file.
    File,
    /// In a page.
    Page,
    /// In a narrow page.
    Phone,
}

/// Area of the curves in a picture.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    /// Total width of the picture.
    all: f64,
}

impl Look {
    fn frame(self) -> Frame {
        let (left, all, right, height) = match self {
            Self::File | Self::Page => (56.0, 720.0, 220.0, 332.0),
            Self::Phone => (44.0, 360.0, 12.0, 230.0),
        };
        // Without room beside the axis, its label goes above it.
        let top = if self == Self::Phone { TOP + 16.0 } else { TOP };
        Frame { left, top, width: all - left - right, height, all }
    }

    /// Position of the legend, and its characters per line.
    fn legend(self, frame: &Frame) -> (f64, f64, usize) {
        match self {
            Self::File | Self::Page => (frame.left + frame.width + 16.0, TOP + 10.0, 26),
            Self::Phone => (12.0, frame.top + frame.height + BOTTOM + 14.0, 46),
        }
    }

    fn colours(self) -> [&'static str; 12] {
        if self == Self::File { COLOURS } else { PAGE_COLOURS }
    }
}

/// Draws a figure as an SVG file.
pub fn draw(figure: &Figure) -> String {
    draw_as(figure, Look::File)
}

/// Draws a figure.
pub fn draw_as(figure: &Figure, look: Look) -> String {
    let frame = look.frame();
    let Frame { left, top, width, height, all } = frame;
    let (first, last) = (figure.at.first().copied(), figure.at.last().copied());
    let ends = [left, left + width];
    let x = Axis::new(first.unwrap_or(0.0), last.unwrap_or(0.0), figure.is_log, ends);
    let (lowest, highest) = range(figure);
    let y = Axis::around(lowest, highest, [top + height, top]);
    let colours = look.colours();
    let legend = legend(figure, look, &colours);
    let (corner_x, corner_y, _) = look.legend(&frame);
    let corner = (corner_x, corner_y + legend.height + 8.0);
    let reads = look != Look::File && figure.lines.iter().any(|line| !line.points.is_empty());
    let read = if reads { reading::LINE * reading::n_lines(figure) as f64 } else { 0.0 };
    let under = top + height + BOTTOM;
    let whole = if look == Look::Phone { corner.1 + read } else { under.max(corner.1 + read) };
    let (class, ink) = match look {
        Look::File => ("", String::new()),
        Look::Page => (" class=\"wide\"", " fill=\"currentColor\"".to_owned()),
        Look::Phone => (" class=\"narrow\"", " fill=\"currentColor\"".to_owned()),
    };
    let mut svg = format!(
        "<svg{class} xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all} {whole}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\"{ink}>\n"
    );
    if look == Look::File {
        let _ = writeln!(svg, "<rect width=\"{all}\" height=\"{whole}\" fill=\"#fff\"/>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"22\" font-size=\"15\" font-weight=\"600\">{}</text>",
        if look == Look::Phone { 12.0 } else { left },
        escaped(&figure.title)
    );
    draw_axes(&mut svg, figure, (&frame, &x, &y), look);
    for zone in &figure.zones {
        draw_zone(&mut svg, zone, &x, &y);
    }
    for (line, colour) in figure.lines.iter().zip(colours.iter().cycle()) {
        draw_line(&mut svg, figure, line, colour, (&x, &y));
        // Printed values are circles at the ends, because nothing is known in between.
        for (mark, x) in line.marks.iter().zip(ends) {
            if let Some(value) = mark {
                let y = y.of(*value);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"1.6\"/>"
                );
            }
        }
    }
    svg.push_str(&legend.svg);
    if reads {
        reading::write(&mut svg, figure, (&frame, &x, &y), &colours, corner);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Minimum and maximum of all drawn values and 0.
fn range(figure: &Figure) -> (f64, f64) {
    let of = |line: &Line| -> Vec<f64> {
        let points = line.points.iter().map(|point| point.cell.mean);
        let marks = line.marks.into_iter().flatten();
        line.values.iter().copied().chain(points).chain(marks).collect()
    };
    let zones = figure.zones.iter().map(|zone| zone.y[1]);
    let most = figure.most.unwrap_or(f64::INFINITY);
    let all = figure.lines.iter().flat_map(of).chain(zones).filter(|value| *value <= most);
    let (lowest, highest) =
        all.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    (lowest, if highest - lowest > 0.1 { highest } else { lowest + 0.1 })
}

/// Draws grid lines, numbers and labels of both axes.
fn draw_axes(svg: &mut String, figure: &Figure, at: (&Frame, &Axis, &Axis), look: Look) {
    let (Frame { left, top, width, height, .. }, x, y) = at;
    let (grid, muted) = match look {
        Look::File => ("stroke=\"#ddd\"", "fill=\"#555\""),
        _ => ("stroke=\"currentColor\" stroke-opacity=\".15\"", "fill-opacity=\".8\""),
    };
    let (ticks, decimals) = y.ticks();
    for value in ticks {
        let at = y.of(value);
        let label = match figure.unit {
            Unit::Share => format!("{:.*} %", decimals.saturating_sub(2), 100.0 * value),
            // At least two decimals, so that 0.4 does not look like a count.
            _ if decimals == 0 => format!("{value:.0}"),
            _ => format!("{value:.*}", decimals.max(2)),
        };
        let label = label.replace('-', "−");
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}h{width}\" {grid}/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" {muted}>{label}</text>",
            left - 8.0,
            at + 4.0,
        );
    }
    let (ticks, decimals) = x.ticks();
    for value in ticks {
        let (at, below) = (x.of(value), top + height);
        let label = if figure.is_log { plain(value) } else { format!("{value:.decimals$}") };
        let label = label.replace('-', "−");
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {below}v4\" {grid}/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\" {muted}>{label}</text>",
            below + 18.0
        );
    }
    let middle = top + height / 2.0;
    let beside = match look {
        Look::Phone => "x=\"12\" y=\"42\"".to_owned(),
        _ => format!(
            "x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\""
        ),
    };
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text><text {beside}>{}</text>",
        left + width / 2.0,
        top + height + BOTTOM - 10.0,
        escaped(&figure.x),
        escaped(&figure.y)
    );
}

/// Draws a zone as a rectangle.
fn draw_zone(svg: &mut String, zone: &Zone, x: &Axis, y: &Axis) {
    let ([left, right], [low, high]) = (zone.x.map(|at| x.of(at)), zone.y.map(|at| y.of(at)));
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" {ZONE}/>",
        (right - left).max(1.0),
        (low - high).max(1.0)
    );
}

const ZONE: &str = "fill=\"#009e73\" fill-opacity=\".25\" stroke=\"#009e73\"";

fn draw_line(svg: &mut String, figure: &Figure, line: &Line, colour: &str, (x, y): (&Axis, &Axis)) {
    let place = |i: usize, shift: f64| {
        let at = figure.at.get(i).copied().unwrap_or_default();
        // Wide bands, from few webs, are clipped to the axes.
        format!("{:.1},{:.1}", x.of(at), y.of(line.values[i] + shift))
    };
    let half = |i: usize| line.half_widths.get(i).copied().unwrap_or(0.0);
    if line.half_widths.iter().any(|half| *half > 0.0) {
        let upper = (0..line.values.len()).map(|i| place(i, half(i)));
        let lower = (0..line.values.len()).rev().map(|i| place(i, -half(i)));
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"{colour}\" opacity=\"0.15\"/>",
            upper.chain(lower).collect::<Vec<_>>().join(" ")
        );
    }
    let dashes = if line.is_bound { " stroke-dasharray=\"4 3\"" } else { "" };
    // Parts outside the axes are not drawn.
    let places: Vec<usize> = (0..line.values.len()).collect();
    for part in places.split(|i| !y.holds(line.values[*i])).filter(|part| !part.is_empty()) {
        let points: Vec<String> = part.iter().map(|i| place(*i, 0.0)).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>",
            points.join(" ")
        );
    }
    for point in line.points.iter().filter(|point| y.holds(point.cell.mean)) {
        let (mean, half) = (point.cell.mean, point.cell.half_width);
        let [low, at, high] = [mean - half, mean, mean + half].map(|value| y.of(value));
        let x = x.of(point.at);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h6M{:.1} {high:.1}h6\" \
             stroke=\"{colour}\"/><circle cx=\"{x:.1}\" cy=\"{at:.1}\" r=\"3\" fill=\"{colour}\"/>",
            x - 3.0,
            x - 3.0
        );
    }
}

/// The legend of lines, points and zones.
struct Legend {
    svg: String,
    height: f64,
}

fn legend(figure: &Figure, look: Look, colours: &[&str]) -> Legend {
    let (x, start, most) = look.legend(&look.frame());
    let mut legend = Legend { svg: String::new(), height: 0.0 };
    let mut row = |sample: &dyn Fn(f64) -> String, words: &str| {
        let y = start + legend.height;
        legend.svg += &sample(y);
        for (i, part) in wrapped(words, most).iter().enumerate() {
            let below = y + 4.0 + 14.0 * i as f64;
            let _ = writeln!(
                legend.svg,
                "<text x=\"{}\" y=\"{below}\">{}</text>",
                x + 26.0,
                escaped(part)
            );
            legend.height += if i == 0 { LEGEND_LINE } else { 14.0 };
        }
    };
    for (line, colour) in figure.lines.iter().zip(colours.iter().cycle()) {
        let dashes = if line.is_bound { " stroke-dasharray=\"4 3\"" } else { "" };
        let sample = |y: f64| {
            format!("<path d=\"M{x} {y}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>")
        };
        row(&sample, &line.name);
    }
    let ink = if look == Look::File { "#555" } else { "currentColor" };
    if figure.lines.iter().any(|line| !line.points.is_empty()) {
        let sample = |y: f64| {
            let (middle, high, low) = (x + 10.0, y - 7.0, y + 7.0);
            format!(
                "<path d=\"M{middle} {high}V{low}\" stroke=\"{ink}\"/>\
                 <circle cx=\"{middle}\" cy=\"{y}\" r=\"3\" fill=\"{ink}\"/>"
            )
        };
        row(&sample, "simulated, 95 % interval");
    }
    if figure.lines.iter().any(|line| line.marks.iter().any(Option::is_some)) {
        let sample = |y: f64| {
            format!(
                "<circle cx=\"{}\" cy=\"{y}\" r=\"4\" fill=\"none\" stroke=\"{ink}\"/>",
                x + 10.0
            )
        };
        row(&sample, "first and last as printed");
    }
    for zone in &figure.zones {
        let sample = |y: f64| {
            format!("<rect x=\"{x}\" y=\"{}\" width=\"20\" height=\"10\" {ZONE}/>", y - 5.0)
        };
        row(&sample, &zone.says);
    }
    legend
}

/// Wraps a text to lines of `most` characters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => word.clone_into(line),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A number with no more decimals than needed.
pub(crate) fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Escapes text for HTML or SVG; hidden characters other than newlines become visible escapes.
pub fn escaped(text: &str) -> String {
    let text = text.split('\n').map(visible).collect::<Vec<_>>().join("\n");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests;
