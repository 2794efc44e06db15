//! Curves as SVG: bands, lines, axes and a legend, to stand in a paper by itself.

use std::fmt::Write;

/// A curve: a value a step, and how far it may be off.
pub struct Line<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// The values, after step 1, 2, …
    pub values: &'a [f64],
    /// Half the width of the interval around each; empty for none.
    pub half_widths: &'a [f64],
    /// Whether it is a bound, drawn thin and dashed.
    pub is_bound: bool,
}

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

/// Draws curves over the same steps; `y` names the values, which are shares.
pub fn draw(title: &str, y: &str, lines: &[Line<'_>]) -> String {
    let n_steps = lines.iter().map(|line| line.values.len()).max().unwrap_or(1).max(2);
    let highest = lines.iter().flat_map(|line| line.values).copied().fold(0.0, f64::max);
    let highest = (libm::ceil(highest * 10.0) / 10.0).max(0.1);
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let x_of = |step: usize| LEFT + (step - 1) as f64 / (n_steps - 1) as f64 * width;
    let y_of = |value: f64| TOP + (1.0 - value / highest) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
        escaped(title)
    );
    for i in 0..=5 {
        let value = highest * f64::from(i) / 5.0;
        let at = y_of(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}h{width}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{:.0} %</text>",
            LEFT - 8.0,
            at + 4.0,
            100.0 * value
        );
    }
    for i in 0..=4 {
        let step = 1 + (n_steps - 1) * i / 4;
        let (x, below) = (x_of(step), TOP + height + 18.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#555\">{step}</text>"
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">pages fetched</text>\
         <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {1:.1})\">{}</text>",
        LEFT + width / 2.0,
        HEIGHT - 10.0,
        TOP + height / 2.0,
        escaped(y)
    );
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        draw_line(&mut svg, line, colour, &x_of, &y_of);
    }
    for (i, (line, colour)) in lines.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let (x, y) = (WIDTH - RIGHT + 16.0, TOP + 10.0 + 18.0 * i as f64);
        let dashes = if line.is_bound { " stroke-dasharray=\"4 3\"" } else { "" };
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + 26.0,
            y + 4.0,
            escaped(line.name)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_line(
    svg: &mut String,
    line: &Line<'_>,
    colour: &str,
    x_of: &dyn Fn(usize) -> f64,
    y_of: &dyn Fn(f64) -> f64,
) {
    let points = |shift: &dyn Fn(usize) -> f64, reversed: bool| {
        let mut points: Vec<String> = (0..line.values.len())
            .map(|i| format!("{:.1},{:.1}", x_of(i + 1), y_of(line.values[i] + shift(i))))
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_says_what_it_shows() {
        let values = [0.1, 0.2, 0.35];
        let half_widths = [0.0, 0.01, 0.02];
        let line =
            Line { name: "A < B", values: &values, half_widths: &half_widths, is_bound: false };
        let bound = Line { name: "ideal", values: &values, half_widths: &[], is_bound: true };
        let svg = draw("k = 4 & more", "PageRank gathered", &[line, bound]);
        for part in ["k = 4 &amp; more", "A &lt; B", "ideal", "pages fetched", "40 %", "<polygon"] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert!(!draw("", "", &[]).contains("NaN"));
    }
}
