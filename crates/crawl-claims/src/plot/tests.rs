//! Tests of the SVG output.

use super::*;
use crate::report::{Cell, Point};

fn line(name: &str, half_widths: &[f64], is_bound: bool) -> Line {
    Line {
        name: name.to_owned(),
        values: vec![0.1, 0.2, 0.35],
        half_widths: half_widths.to_vec(),
        is_bound,
        points: Vec::new(),
        marks: [None; 2],
    }
}

fn figure() -> Figure {
    Figure {
        title: "k = 4 & more".to_owned(),
        x: "pages fetched".to_owned(),
        at: vec![1.0, 2.0, 4.0],
        y: "PageRank gathered".to_owned(),
        unit: Unit::Share,
        lines: vec![line("A < B", &[0.0, 0.01, 0.02], false), line("ideal", &[], true)],
        ..Figure::default()
    }
}

#[test]
fn nothing_hidden_is_written() {
    assert_eq!(escaped("a\u{202e}<b>\nc\u{1b}"), "a\\u{202e}&lt;b&gt;\nc\\u{1b}");
}

#[test]
fn a_plot_says_what_it_shows() {
    let mut figure = figure();
    let svg = draw(&figure);
    for part in ["k = 4 &amp; more", "A &lt; B", "ideal", "pages fetched", "40 %", "<polygon"] {
        assert!(svg.contains(part), "{part}");
    }
    assert_eq!(svg.matches("<polyline").count(), 2);
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    // Points are placed by their x value, not evenly.
    assert!(svg.contains("points=\"56.0,289.0 204.0,206.0 500.0,81.5\""), "{svg}");
    figure.unit = Unit::Number;
    figure.lines[0].values[0] = -0.25;
    let svg = draw(&figure);
    assert!(svg.contains(">−0.30<") && svg.contains(">0.40<"), "{svg}");
    figure.lines.clear();
    figure.at.clear();
    assert!(!draw(&figure).contains("NaN"));
}

#[test]
fn points_can_be_read_in_a_page_and_stand_in_a_file() {
    let mut figure = figure();
    let cell = Cell { mean: 0.19, half_width: 0.02 };
    (figure.symbol, figure.unit) = ("b".to_owned(), Unit::Ratio);
    figure.lines[0].points = vec![Point { at: 2.0, cell }, Point { at: 4.0, cell }];
    let file = draw(&figure);
    // Two points and the sample in the legend; no strips.
    assert_eq!(file.matches("<circle").count(), 3);
    assert!(!file.contains("hidden") && !file.contains("currentColor"));
    for look in [Look::Page, Look::Phone] {
        let page = draw_as(&figure, look);
        assert_eq!(page.matches("class=\"strip\"").count(), 2);
        assert_eq!(page.matches("tabindex=\"0\"").count(), 1, "one stop for the keyboard");
        assert!(page.contains("b = 2; A &lt; B exact 0.200, 80.0 % low, simulated 0.190 ± 0.020"));
        assert!(!page.contains("#fff") && !page.contains(BLACK));
    }
}

#[test]
fn what_is_beyond_the_axis_is_not_drawn() {
    let mut figure = figure();
    figure.most = Some(0.3);
    figure.lines[0].values = vec![0.1, 50.0, 0.2];
    figure.lines.truncate(1);
    let svg = draw(&figure);
    assert_eq!(svg.matches("<polyline").count(), 2, "one on each side of the gap");
    assert!(svg.contains("20 %") && !svg.contains("50 %"), "{svg}");
}

#[test]
fn long_words_of_a_legend_go_on_in_the_next_line() {
    assert_eq!(wrapped("less than 10 % low", 9), ["less than", "10 % low"]);
    assert_eq!(wrapped("", 9), [""]);
}
