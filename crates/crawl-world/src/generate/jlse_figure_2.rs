//! Example 1 of Zhang, Li, Yu & Zhang 2010: Q-values in a link graph.
//!
//! Ten pages; the leaves 3, 6 and 10 are targets. With reward 100 and γ = 0.9 the value of a page is
//! 100·γ^(d − 1), where d is the minimum number of clicks to a target: Q(1) = Q(4) = Q(7) = Q(8) = 90 and
//! Q(2) = Q(5) = Q(9) = 100. The figure is lost; these edges give exactly those values.

use super::{WorldEntry, figure};
use crawl_catalogue::{Entry, EntryTexts};

const HOST: &str = "jlse.example";
const TARGETS: [&str; 3] = ["3", "6", "10"];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "jlse-figure-2",
        "JLSE, figure 2",
        EntryTexts {
            family: "Figures",
            source: "Zhang, Li, Yu & Zhang 2010, example 1",
            summary: "Ten pages whose leaves are targets, with Q-values",
            description: "The graph of the paper's worked example of Q-learning. Pages 3, 6 and 10 have \
                no links and carry the topic 'target'. The figure is missing in our copy of the \
                paper; the links are our choice and give exactly the printed values.",
            formula: "Q(u) = rd·γ^(d(u) − 1),  d(u) = minimum number of clicks to a target",
            params: &[],
        },
    ),
    n_links: super::few_links,
    build: |_| {
        let mut builder = figure::graph(
            "JLSE, figure 2",
            HOST,
            &[
                ("1", &["2", "4", "7"]),
                ("2", &["3", "6"]),
                ("4", &["5"]),
                ("5", &["6"]),
                ("7", &["5", "8"]),
                ("8", &["9"]),
                ("9", &["10"]),
            ],
        )?;
        for target in TARGETS {
            let page = figure::named(&mut builder, HOST, target)?;
            builder.add_topic(page, "target");
        }
        builder.finish()
    },
};

#[cfg(test)]
mod tests {
    use super::super::{figure::names, tests::made};
    use crate::PageId;

    /// Sweeps of Q-learning until nothing changes; compares with the printed values.
    #[test]
    fn q_values_of_example_1() {
        let world = made("jlse-figure-2");
        assert_eq!((world.n_pages(), world.n_links()), (10, 11));
        let leaves: Vec<PageId> = world.pages().filter(|p| world.links(*p).is_empty()).collect();
        assert!(world.pages().all(|p| world.has_topic(p, "target") == leaves.contains(&p)));
        let mut q = vec![0.0_f64; 10];
        for _ in 0..10 {
            for page in world.pages() {
                let value = |to: &PageId| {
                    let reward = if leaves.contains(to) { 100.0 } else { 0.0 };
                    reward + 0.9 * q[to.index()]
                };
                q[page.index()] = world.links(page).iter().map(value).fold(0.0, f64::max);
            }
        }
        let mut values: Vec<(u32, f64)> = names(&world, &world.pages().collect::<Vec<_>>())
            .iter()
            .map(|name| name.parse().expect("a number"))
            .zip(q)
            .collect();
        values.sort_by_key(|(name, _)| *name);
        let printed = [90, 100, 0, 90, 100, 0, 90, 90, 100, 0].map(f64::from);
        assert_eq!(values, (1..=10).zip(printed).collect::<Vec<_>>());
    }
}
