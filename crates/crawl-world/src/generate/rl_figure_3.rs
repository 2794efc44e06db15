//! Figure 3 of Salari, Derhami & Paksima: a greedy crawl by given ranks.
//!
//! A → B, C, D; C → D, F; B → E, with ranks A > C > B > the rest. Ranks computed on this graph by
//! any formula differ from the given ones, so the world stores the given order as `clicks`: 3 for
//! A, 2 for C, 1 for B and 0 for D, E and F. Greedy by clicks, the order is A, C, B and the waiting
//! lists are {B, C, D}, {B, D, F}, {D, E, F}.

use super::{WorldEntry, figure};
use crawl_catalogue::{Entry, EntryTexts};

const HOST: &str = "rl.example";
/// The given order of ranks, as clicks; other pages have none.
const GIVEN: [(&str, u32); 3] = [("A", 3), ("C", 2), ("B", 1)];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "rl-figure-3",
        "RL-Crawler, figure 3",
        EntryTexts {
            family: "Figures",
            source: "Salari, Derhami & Paksima, figure 3",
            summary: "Six pages crawled greedily by given ranks",
            description: "The paper's example of a greedy crawl. Its ranks are given, not computed: \
                A > C > B > the rest. They are stored as clicks: 3 for A, 2 for C, 1 for B, none for \
                D, E and F. Computed ranks differ.",
            formula: "R(A) > R(C) > R(B) > R(D) = R(E) = R(F)",
            params: &[],
        },
    ),
    n_links: super::few_links,
    build: |_| {
        let mut builder = figure::graph(
            "RL-Crawler, figure 3",
            HOST,
            &[("A", &["B", "C", "D"]), ("C", &["D", "F"]), ("B", &["E"])],
        )?;
        for (name, clicks) in GIVEN {
            let page = figure::named(&mut builder, HOST, name)?;
            builder.set_clicks(page, clicks);
        }
        builder.finish()
    },
};

#[cfg(test)]
mod tests {
    use super::super::{figure::names, tests::made};
    use crate::PageId;

    #[test]
    fn greedy_by_the_given_ranks() {
        let world = made("rl-figure-3");
        assert_eq!((world.n_pages(), world.n_links()), (6, 6));
        let mut waiting: Vec<PageId> = world.seeds();
        let mut fetched: Vec<PageId> = Vec::new();
        let mut lists = Vec::new();
        for _ in 0..3 {
            let next = *waiting.iter().max_by_key(|p| world.clicks(**p)).expect("one waits");
            waiting.retain(|p| *p != next);
            fetched.push(next);
            for link in world.links(next) {
                if !waiting.contains(link) && !fetched.contains(link) {
                    waiting.push(*link);
                }
            }
            let mut list = names(&world, &waiting);
            list.sort();
            lists.push(list.concat());
        }
        assert_eq!(names(&world, &fetched).concat(), "ACB");
        assert_eq!(lists, ["BCD", "BDF", "DEF"]);
    }
}
