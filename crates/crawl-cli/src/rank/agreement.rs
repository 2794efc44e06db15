//! Compares the orders in which two rankers put the pages.

use super::Ranked;
use crate::json;
use crate::terminal::{Column, Table, counted, grouped, number, percent, wrap};
use crawl_core::correlation::{kendall_tau, places, top_overlap};
use crawl_world::{PageId, World};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Maximum number of pages listed for different positions.
const MOST_MOVED: usize = 10;

const NOTE: &str = "τ is 1 if both rankers order all pairs of pages alike, and −1 if they order all pairs in \
    opposite ways; a pair that one of them ties counts half. A page's position is one more than the \
    number of pages ranked higher, so tied pages share a position.";

/// Agreement of two rankers.
pub struct Agreement {
    rankers: [String; 2],
    n_pages: usize,
    /// Kendall's τ_b; `None` if one ranker gives all pages the same rank.
    tau: Option<f64>,
    overlaps: Vec<Overlap>,
    /// Pages with different positions, largest difference first, with both positions.
    moved: Vec<(PageId, [u32; 2])>,
}

/// Overlap of the top `k` pages of both rankers.
struct Overlap {
    what: String,
    k: usize,
    share: f64,
}

impl Agreement {
    /// Compares two rankings; `top` is the size of the third overlap and limits `moved`.
    pub fn new(one: &Ranked, other: &Ranked, top: usize) -> Self {
        let (a, b) = (&one.ranking.values, &other.ranking.values);
        let n = a.len();
        let of = |what: String, k: usize| Overlap { what, k, share: top_overlap(a, b, k) };
        let part = |percent: usize| (n * percent).div_ceil(100).max(1);
        let mut overlaps =
            vec![of("best 1 %".to_owned(), part(1)), of("best 10 %".to_owned(), part(10))];
        // No overlap for none or all of the pages.
        if (1..n).contains(&top) {
            overlaps.push(of(format!("best {}", grouped(top as u64)), top));
        }
        let [from, to] = [a, b].map(|values| places(values));
        let mut moved: Vec<(PageId, [u32; 2])> =
            (0..n).map(|i| (PageId(i as u32), [from[i], to[i]])).collect();
        moved.retain(|(_, [from, to])| from != to);
        moved.sort_by_key(|(_, [from, to])| std::cmp::Reverse(from.abs_diff(*to)));
        moved.truncate(top.min(MOST_MOVED));
        let rankers = [one, other].map(|ranked| ranked.ranker.clone());
        Self { rankers, n_pages: n, tau: kendall_tau(a, b), overlaps, moved }
    }

    /// The comparison as text.
    pub fn text(&self, world: &World, width: usize) -> String {
        let [one, other] = &self.rankers;
        let tau = match self.tau {
            Some(tau) => format!("Kendall's τ of {one} and {other}: {}", number(tau, 4)),
            None => {
                "Kendall's τ is undefined: one ranker gives all pages the same rank.".to_owned()
            }
        };
        let mut text = format!("\n{}\n\n", wrap(&tau, width).join("\n"));
        let mut table =
            Table::new([Column::word("of the"), Column::number("pages"), Column::number("shared")]);
        for Overlap { what, k, share } in &self.overlaps {
            table.row([what.clone(), grouped(*k as u64), percent(*share)]);
        }
        text += &table.render(width);
        if !self.moved.is_empty() {
            let title = format!(
                "Largest differences in position, of {} by {one} and {other}",
                counted(self.n_pages as u64, "page")
            );
            let _ = write!(text, "\n{}\n\n", wrap(&title, width).join("\n"));
            let mut table = Table::new([
                Column::number("position"),
                Column::number("against"),
                Column::name("page"),
            ]);
            for (page, [from, to]) in &self.moved {
                table.row([grouped(*from), grouped(*to), world.url(*page).into_owned()]);
            }
            text += &table.render(width);
        }
        let _ = write!(text, "\n{}\n", wrap(NOTE, width.min(100)).join("\n"));
        text
    }

    /// The comparison as JSON.
    pub fn object(&self, world: &World) -> Map<String, Value> {
        let overlaps = self.overlaps.iter();
        let moved = self.moved.iter();
        json::object(json!({
            "ranker": self.rankers[1],
            "tau": self.tau,
            "overlap": overlaps
                .map(|o| json!({ "of": o.what, "k": o.k, "share": o.share }))
                .collect::<Value>(),
            "moved": moved
                .map(|(page, [from, to])| {
                    json!({ "url": world.url(*page), "place": from, "against": to })
                })
                .collect::<Value>(),
        }))
    }
}
