//! A world on which a greedy oracle is not optimal.
//!
//! s → b, a; a → H; H → K1, K2, K3; K1, K2 → H; K3 → H, b. The page b has a higher rank than a, so
//! a greedy oracle takes b first; but H, the page of highest rank, is behind a. Summed over the
//! seven steps, the PageRank gathered so far is 3.521 for greedy and 3.826 for s, a, H, K1, K2, K3,
//! b.

use super::{WorldEntry, figure};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "greedy-oracle",
        "Greedy oracle",
        EntryTexts {
            family: "Figures",
            source: "(ours)",
            summary: "Seven pages on which a greedy oracle is not optimal",
            description: "The strategy that always fetches the waiting page of highest true rank takes \
                b before a, and so comes late to H, the page of highest rank. The order s, a, H, K1, \
                K2, K3, b gathers more: a greedy oracle is no upper bound.",
            formula: "Σ over steps of PageRank gathered so far: greedy 3.521, better 3.826",
            params: &[],
        },
    ),
    n_links: super::few_links,
    build: |_| {
        figure::graph(
            "Greedy oracle",
            "greedy.example",
            &[
                ("s", &["b", "a"]),
                ("a", &["H"]),
                ("H", &["K1", "K2", "K3"]),
                ("K1", &["H"]),
                ("K2", &["H"]),
                ("K3", &["H", "b"]),
            ],
        )?
        .finish()
    },
};

#[cfg(test)]
mod tests {
    use super::super::{figure::names, tests::made};
    use crate::{PageId, World};

    /// PageRank by plain sweeps: damping 0.85, the rank of pages without links spread evenly.
    fn ranks(world: &World) -> Vec<f64> {
        let n = world.n_pages() as usize;
        let mut ranks = vec![1.0 / n as f64; n];
        for _ in 0..500 {
            let mut next = vec![0.15 / n as f64; n];
            for page in world.pages() {
                let links = world.links(page);
                if links.is_empty() {
                    let share = 0.85 * ranks[page.index()] / n as f64;
                    next.iter_mut().for_each(|r| *r += share);
                }
                for to in links {
                    next[to.index()] += 0.85 * ranks[page.index()] / links.len() as f64;
                }
            }
            ranks = next;
        }
        ranks
    }

    fn area(order: &[PageId], ranks: &[f64]) -> f64 {
        let mut gathered = 0.0;
        let mut sum = 0.0;
        for page in order {
            gathered += ranks[page.index()];
            sum += gathered;
        }
        sum
    }

    #[test]
    fn greedy_gathers_less_than_another_order() {
        let world = made("greedy-oracle");
        assert_eq!((world.n_pages(), world.n_links()), (7, 10));
        let ranks = ranks(&world);
        let mut waiting = world.seeds();
        let mut greedy = Vec::new();
        while !waiting.is_empty() {
            let rank = |p: &PageId| ranks[p.index()];
            let best = waiting.iter().map(rank).fold(0.0, f64::max);
            // Equal ranks differ in the last digits; ties go to the page found first.
            let found_first = waiting.iter().position(|p| rank(p) > best - 1e-9);
            let page = waiting.remove(found_first.expect("one waits"));
            greedy.push(page);
            for to in world.links(page) {
                if !greedy.contains(to) && !waiting.contains(to) {
                    waiting.push(*to);
                }
            }
        }
        assert_eq!(names(&world, &greedy).join(" "), "s b a H K1 K2 K3");
        let better: Vec<PageId> = ["s", "a", "H", "K1", "K2", "K3", "b"]
            .iter()
            .filter_map(|name| world.find(&format!("http://greedy.example/{name}")))
            .collect();
        let areas = [&greedy, &better].map(|order| (area(order, &ranks) * 1000.0).round());
        assert_eq!(areas, [3521.0, 3826.0]);
    }
}
