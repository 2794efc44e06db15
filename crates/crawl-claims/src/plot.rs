//! Curves as SVG: bands, lines, axes and a legend, to stand in a paper by itself.

use crate::report::{Figure, Line, Unit};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 220.0;
const BOTTOM: f64 = 48.0;
/// Okabe and Ito's colours, which most colour-blind readers tell apart, and two greys.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#a0522d", "#000000",
    "#8f7f00", "#7b5fb3", "#5f6b6d", "#9aa5a6",
];

/// Draws a figure.
pub fn draw(figure: &Figure) -> String {
    let Figure { title, x, at, y, lines, .. } = figure;
    let (first, last) = (at.first().copied().unwrap_or(0), at.last().copied().unwrap_or(0));
    let marks = |line: &Line| line.marks.into_iter().flatten().collect::<Vec<f64>>();
    let values = || lines.iter().flat_map(|line| line.values.iter().copied().chain(marks(line)));
    let tenth = |x: f64| libm::ceil(x * 10.0) / 10.0;
    let mut highest = tenth(values().fold(0.0, f64::max)).max(0.1);
    let mut lowest = -tenth(-values().fold(0.0, f64::min));
    // Over a wide range the five parts of the axis are whole numbers.
    let is_wide = highest - lowest > 2.0;
    if is_wide {
        highest = if highest > 0.5 { libm::ceil(highest) } else { 0.0 };
        lowest = highest - 5.0 * libm::ceil((highest - lowest) / 5.0);
    }
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let x_of = |at: u32| LEFT + f64::from(at - first) / f64::from((last - first).max(1)) * width;
    let y_of = |value: f64| TOP + (highest - value) / (highest - lowest) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
        escaped(title)
    );
    for i in 0..=5 {
        let value = lowest + (highest - lowest) * f64::from(i) / 5.0;
        let at = y_of(value);
        let label = match figure.unit {
            Unit::Share => format!("{:.0} %", 100.0 * value),
            Unit::Number | Unit::Fine if is_wide => format!("{value:.0}"),
            Unit::Number | Unit::Fine => format!("{value:.2}"),
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}h{width}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
            LEFT - 8.0,
            at + 4.0,
        );
    }
    for i in 0..=4 {
        let step = first + (last - first) * i / 4;
        let (x, below) = (x_of(step), TOP + height + 18.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#555\">{step}</text>"
        );
    }
    let middle = TOP + height / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>",
        LEFT + width / 2.0,
        HEIGHT - 10.0,
        escaped(x),
        middle,
        escaped(y)
    );
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let x = |i: usize| at.get(i).map_or(LEFT, |at| x_of(*at));
        draw_line(&mut svg, line, colour, &x, &y_of, (lowest, highest));
        // What was printed stands beside the axis, open, since between the two nothing is known.
        for (mark, x) in line.marks.iter().zip([LEFT, LEFT + width]) {
            if let Some(value) = mark {
                let y = y_of(*value);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"1.6\"/>"
                );
            }
        }
    }
    for (i, (line, colour)) in lines.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let (x, y) = (WIDTH - RIGHT + 16.0, TOP + 10.0 + 18.0 * i as f64);
        let dashes = if line.is_bound { " stroke-dasharray=\"4 3\"" } else { "" };
        let sample = if line.is_points {
            format!("<circle cx=\"{}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>", x + 10.0)
        } else {
            format!("<path d=\"M{x} {y}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>")
        };
        let _ = writeln!(
            svg,
            "{sample}<text x=\"{}\" y=\"{}\">{}</text>",
            x + 26.0,
            y + 4.0,
            escaped(&line.name)
        );
    }
    if lines.iter().any(|line| !marks(line).is_empty()) {
        let (x, y) = (WIDTH - RIGHT + 26.0, TOP + 10.0 + 18.0 * lines.len() as f64);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"none\" stroke=\"#555\"/>\
             <text x=\"{}\" y=\"{}\">first and last as printed</text>",
            x + 16.0,
            y + 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_line(
    svg: &mut String,
    line: &Line,
    colour: &str,
    x_of: &dyn Fn(usize) -> f64,
    y_of: &dyn Fn(f64) -> f64,
    (lowest, highest): (f64, f64),
) {
    if line.is_points {
        for (i, value) in line.values.iter().enumerate() {
            let half = line.half_widths.get(i).copied().unwrap_or(0.0);
            let [low, at, high] =
                [value - half, *value, value + half].map(|v| y_of(v.clamp(lowest, highest)));
            let x = x_of(i);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{at:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
        return;
    }
    let points = |shift: &dyn Fn(usize) -> f64, reversed: bool| {
        let mut points: Vec<String> = (0..line.values.len())
            .map(|i| {
                format!(
                    "{:.1},{:.1}",
                    x_of(i),
                    // Few webs have wide bands, which stay within the axes.
                    y_of((line.values[i] + shift(i)).clamp(lowest, highest))
                )
            })
            .collect();
        if reversed {
            points.reverse();
        }
        points.join(" ")
    };
    if line.half_widths.iter().any(|half| *half > 0.0) {
        let half = |i: usize| line.half_widths.get(i).copied().unwrap_or(0.0);
        let (upper, lower) = (points(&half, false), points(&|i| -half(i), true));
        let _ = writeln!(
            svg,
            "<polygon points=\"{upper} {lower}\" fill=\"{colour}\" opacity=\"0.15\"/>"
        );
    }
    let dashes = if line.is_bound { " stroke-dasharray=\"4 3\"" } else { "" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>",
        points(&|_| 0.0, false)
    );
}

/// A text within HTML or SVG.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_says_what_it_shows() {
        let line = |name: &str, half_widths: &[f64], is_bound| Line {
            name: name.to_owned(),
            values: vec![0.1, 0.2, 0.35],
            half_widths: half_widths.to_vec(),
            is_bound,
            is_points: false,
            marks: [None; 2],
        };
        let mut figure = Figure {
            id: String::new(),
            title: "k = 4 & more".to_owned(),
            x: "pages fetched".to_owned(),
            at: vec![1, 2, 4],
            y: "PageRank gathered".to_owned(),
            unit: Unit::Share,
            lines: vec![line("A < B", &[0.0, 0.01, 0.02], false), line("ideal", &[], true)],
        };
        let svg = draw(&figure);
        for part in ["k = 4 &amp; more", "A &lt; B", "ideal", "pages fetched", "40 %", "<polygon"] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        // Values stand where they belong, not one beside the other.
        assert!(svg.contains("points=\"56.0,289.0 204.0,206.0 500.0,81.5\""), "{svg}");
        figure.unit = Unit::Number;
        figure.lines[0].values[0] = -0.25;
        let svg = draw(&figure);
        assert!(svg.contains(">-0.30<") && svg.contains(">0.40<"), "{svg}");
        figure.lines[0].is_points = true;
        let svg = draw(&figure);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (1, 4));
        figure.lines.clear();
        figure.at.clear();
        assert!(!draw(&figure).contains("NaN"));
    }
}
