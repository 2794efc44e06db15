//! Table 1 of Wen & Lu 2004: ten pages and their change rates.
//!
//! P1 to P5 are news and change 1, 0.8, 0.9, 1.1 and 1.2 times per hour; P6 to P10 are weather and
//! change every 12, 10, 9, 11 and 8 hours. Changes are Poisson processes. A home page (our choice)
//! links to all pages, so that a crawl finds them; it never changes.

use super::{WorldEntry, figure};
use crawl_catalogue::{Entry, EntryTexts};

const HOST: &str = "refresh.example";
const PAGES: [&str; 10] = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10"];
const NEWS: [f64; 5] = [1.0, 0.8, 0.9, 1.1, 1.2];
const WEATHER: [f64; 5] = [1.0 / 12.0, 1.0 / 10.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 8.0];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "refresh-table-1",
        "Classified refresh, table 1",
        EntryTexts {
            family: "Figures",
            source: "Wen & Lu 2004, table 1",
            summary: "Ten pages: five of news that change hourly, five of weather that change slowly",
            description: "The pages of the paper's example, with the printed change rates. P1 to P5 are \
                labelled 'news', P6 to P10 'weather'. The home page is our choice: it links to all \
                ten and never changes.",
            formula: "λ = 1, 0.8, 0.9, 1.1, 1.2 and 1/12, 1/10, 1/9, 1/11, 1/8 per hour",
            params: &[],
        },
    ),
    n_links: super::few_links,
    build: |_| {
        let mut builder = figure::graph("Refresh, table 1", HOST, &[("home", &PAGES)])?;
        let rates = NEWS.map(|rate| ("news", rate)).into_iter();
        let rates = rates.chain(WEATHER.map(|rate| ("weather", rate)));
        for (name, (label, rate)) in PAGES.iter().zip(rates) {
            let page = figure::named(&mut builder, HOST, name)?;
            builder.set_change_rate(page, rate)?;
            builder.add_topic(page, label);
        }
        builder.finish()
    },
};

#[cfg(test)]
mod tests {
    use super::super::{figure::names, tests::made};
    use crate::{ChangeProcess, PageId};

    /// The printed rates, and the sums of table 2 that follow from them: f₀/λ for news and λ·f₀ for
    /// weather give 0.9356 at f₀ = 1/6, not the printed 0.7875.
    #[test]
    fn rates_are_those_of_the_table() {
        let world = made("refresh-table-1");
        assert_eq!((world.n_pages(), world.n_links()), (11, 10));
        assert_eq!(world.reach(&world.seeds()).n_pages(), 11);
        assert_eq!(world.change_process(PageId(0)), ChangeProcess::Never);
        let pages: Vec<PageId> = world.pages().skip(1).collect();
        let expected: Vec<String> = (1..=10).map(|i| format!("P{i}")).collect();
        assert_eq!(names(&world, &pages), expected);
        let rates: Vec<f64> = pages.iter().map(|p| world.change_rate_per_hour(*p)).collect();
        let (news, weather) = rates.split_at(5);
        assert_eq!(news, [1.0, 0.8, 0.9, 1.1, 1.2]);
        assert_eq!(weather.iter().map(|rate| (1.0 / rate).round()).sum::<f64>(), 50.0);
        let f0 = 1.0 / 6.0;
        let sum: f64 =
            news.iter().map(|rate| f0 / rate).chain(weather.iter().map(|r| r * f0)).sum();
        assert!((sum - 0.9356).abs() < 5e-5, "{sum}");
        for (i, page) in pages.iter().enumerate() {
            assert_eq!(world.has_topic(*page, "news"), i < 5);
            assert_eq!(world.has_topic(*page, "weather"), i >= 5);
        }
    }
}
