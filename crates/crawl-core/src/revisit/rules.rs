//! What a crawl may spend on visits, and what visits tell it.

use super::pace::HOUR_US;
use crawl_catalogue::{Param, Params};
use std::borrow::Cow;

/// Visits that cost nothing would have no end.
pub(super) const LEAST_COST: f64 = 0.001;

/// The rules of revisiting, beside those of every crawl. They count only where there is a policy.
pub const REVISIT_RULES: &[Param] = &[
    Param::number(
        "visits",
        100.0,
        0.0,
        1e9,
        "The budget of a revisit policy: visits an hour to pages fetched before, all pages together.",
    ),
    Param::number(
        "new",
        0.0,
        0.0,
        1e9,
        "New pages an hour beside the visits; 0 for as many as the fetchers can take. Where new and \
         old pages compete (period-estimate), visits + new is what both together get.",
    ),
    Param::number(
        "hours",
        24.0,
        0.001,
        1e6,
        "Simulated hours for which a crawl with a revisit policy goes on.",
    ),
    Param::choice(
        "sees",
        "clean",
        &[Cow::Borrowed("clean"), Cow::Borrowed("anything"), Cow::Borrowed("last-modified")],
        "What a visit tells: clean, whether the content changed; anything, whether content or \
         boilerplate did; last-modified, also when the content did.",
    ),
    Param::number(
        "boilerplate",
        1.0,
        0.0,
        1e6,
        "How often an hour what stands around a page's content changes: dates, counters, \
         advertisements. It counts only with sees=anything.",
    ),
    Param::number(
        "not-modified",
        1.0,
        LEAST_COST,
        1.0,
        "What a visit that finds nothing new costs of the budget: 1, or less where ETag or \
         Last-Modified let the server answer 304 without the page, which is then not transferred.",
    ),
    Param::number(
        "sitemap",
        0.0,
        0.0,
        1e6,
        "Hours between two readings of all sitemaps or feeds, which tell which pages have changed; \
         those are visited before all others. 0 for none. One reading costs one visit.",
    ),
];

/// What visits tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sees {
    /// Whether the content changed.
    #[default]
    Clean,
    /// Whether content or boilerplate did.
    Anything,
    /// Also when the content did.
    LastModified,
}

/// The rules of revisiting, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevisitRules {
    /// Visits an hour.
    pub visits: f64,
    /// New pages an hour; 0 for no limit.
    pub new: f64,
    /// When the crawl ends.
    pub end_us: u64,
    /// What visits tell.
    pub sees: Sees,
    /// Changes of boilerplate an hour.
    pub boilerplate: f64,
    /// What a visit costs that finds nothing new.
    pub not_modified: f64,
    /// Microseconds between two readings of sitemaps.
    pub sitemap_us: Option<u64>,
}

impl From<&Params> for RevisitRules {
    /// From parameters checked against [`REVISIT_RULES`].
    fn from(params: &Params) -> Self {
        let hours_us = |key| (params.number(key) * HOUR_US).round() as u64;
        Self {
            visits: params.number("visits"),
            new: params.number("new"),
            end_us: hours_us("hours"),
            sees: match params.text("sees") {
                "anything" => Sees::Anything,
                "last-modified" => Sees::LastModified,
                _ => Sees::Clean,
            },
            boilerplate: params.number("boilerplate"),
            not_modified: params.number("not-modified"),
            sitemap_us: Some(hours_us("sitemap")).filter(|us| *us > 0),
        }
    }
}
