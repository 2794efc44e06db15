//! Figure 1 of Salari, Derhami & Paksima: why FICA adds logarithms of out-degrees.
//!
//! The figure itself is lost; this graph has the distances that its text describes. From p, both t
//! (behind q, with three links) and v (behind r, with two) are two clicks away, but log 2 + log 3 >
//! log 2 + log 2, so FICA fetches v first and breadth-first cannot distinguish them.

use super::{WorldEntry, figure};
use crawl_catalogue::{Entry, EntryTexts};

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "fica-figure-1",
        "FICA, figure 1",
        EntryTexts {
            family: "Figures",
            source: "Salari, Derhami & Paksima, figure 1",
            summary: "Two pages two clicks away, at different logarithmic distances",
            description: "Twelve pages. t and v are both two clicks from p, but v is behind pages with \
                fewer links, so its logarithmic distance is smaller. The figure is missing in our \
                copy of the paper; the links are our choice and agree with its text.",
            formula: "d(t) = log 2 + log 3,  d(v) = log 2 + log 2  (γ = 1)",
            params: &[],
        },
    ),
    n_links: super::few_links,
    build: |_| {
        figure::graph(
            "FICA, figure 1",
            "fica.example",
            &[
                ("p", &["q", "r"]),
                ("q", &["t", "a", "b"]),
                ("r", &["v", "s"]),
                ("s", &["c", "d", "e", "f"]),
            ],
        )?
        .finish()
    },
};

#[cfg(test)]
mod tests {
    use super::super::{figure::names, tests::made};

    #[test]
    fn breadth_first_order_and_distances() {
        let world = made("fica-figure-1");
        assert_eq!((world.n_pages(), world.n_links()), (12, 11));
        let reach = world.reach(&world.seeds());
        let order = names(&world, reach.pages());
        assert_eq!(order.concat(), "pqrtabvscdef");
        // Logarithmic distance along the only path to a page, as a product of out-degrees.
        let product = |path: &str| -> usize {
            let degree = |name: char| {
                let url = format!("http://fica.example/{name}");
                world.links(world.find(&url).expect("a page")).len()
            };
            path.chars().map(degree).product()
        };
        assert_eq!((product("pq"), product("pr")), (6, 4));
        let depth = |name| {
            let page = world.find(&format!("http://fica.example/{name}"));
            reach.depth(page.expect("a page"))
        };
        assert_eq!((depth("t"), depth("v")), (Some(2), Some(2)));
    }
}
