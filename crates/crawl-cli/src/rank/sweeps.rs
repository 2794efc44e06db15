//! Convergence of a ranker, sweep by sweep.

use crate::json;
use crate::terminal::{Column, Table, counted, grouped, number, sparkline, wrap};
use crawl_core::ranker::Ranking;
use serde_json::{Map, Value, json};

/// All sweeps up to this one are shown, then 20, 50, 100, 200, …
const FIRST: usize = 10;
/// Width of the curve in characters.
const CURVE: usize = 48;

/// Convergence as text: a curve on a logarithmic scale, and a table of residuals.
pub fn text(ranker: &str, ranking: &Ranking, width: usize) -> String {
    let residuals = &ranking.residuals;
    let end = if ranking.converged { "converged" } else { "not converged: sweep limit reached" };
    let n = residuals.len() as u64;
    let title = format!("{ranker}: {}, {end}", counted(n, "sweep"));
    let mut text = format!("\n{}\n", wrap(&title, width).join("\n"));
    if residuals.is_empty() {
        return text;
    }
    let curve = curve(residuals, CURVE.min(width));
    text += &format!("{curve}\n\n");
    let mut table = Table::new([Column::number("sweep"), Column::number("residual")]);
    for (i, residual) in residuals.iter().enumerate() {
        if is_shown(i + 1) || i + 1 == residuals.len() {
            table.row([grouped(i as u64 + 1), number(*residual, 4)]);
        }
    }
    text + &table.render(width)
}

/// Convergence as JSON.
pub fn object(ranking: &Ranking) -> Map<String, Value> {
    json::object(json!({ "residuals": ranking.residuals, "converged": ranking.converged }))
}

/// Whether the table shows this sweep: 1 to 10, then 20, 50, 100, 200, …
fn is_shown(sweep: usize) -> bool {
    let mut head = sweep;
    while head >= 10 && head.is_multiple_of(10) {
        head /= 10;
    }
    sweep <= FIRST || [1, 2, 5].contains(&head)
}

/// Residuals on a logarithmic scale, from the smallest to the largest.
fn curve(residuals: &[f64], width: usize) -> String {
    let positive = || residuals.iter().copied().filter(|r| *r > 0.0);
    let (least, most) = (positive().fold(f64::MAX, f64::min), positive().fold(0.0, f64::max));
    let height = |residual: f64| libm::log(residual.max(least) / least);
    let points: Vec<(u32, f64)> = (1..).zip(residuals.iter().map(|r| height(*r))).collect();
    sparkline(&points, (residuals.len() as u32, height(most)), width.min(residuals.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_magnitude_fall_evenly_and_nothing_left_is_the_floor() {
        assert_eq!(curve(&[1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8], 8), "█▇▆▅▄▃▂▁");
        assert_eq!(curve(&[1.0, 0.1, 0.0], 8), "█▁▁");
        assert_eq!(curve(&[0.0], 8), "▁");
    }

    #[test]
    fn long_ways_are_shown_ever_more_sparsely() {
        let shown: Vec<usize> = (1..=1000).filter(|sweep| is_shown(*sweep)).collect();
        assert_eq!(shown[..10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(shown[10..], [20, 50, 100, 200, 500, 1000]);
    }
}
