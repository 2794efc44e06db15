//! Rules of revisiting: budget, duration, and what visits reveal.

use super::budget_clock::HOUR_US;
use crawl_catalogue::{Param, Params};
use std::borrow::Cow;

/// Minimum cost of a visit; free visits would never end.
pub(super) const LEAST_COST: f64 = 0.001;

/// The rules of revisiting, in addition to the crawl rules. Used only with a policy.
pub const REVISIT_RULES: &[Param] = &[
    Param::number(
        "visits",
        100.0,
        0.0,
        1e9,
        "Budget of a revisit policy: total revisits per hour.",
    ),
    Param::number(
        "new",
        0.0,
        0.0,
        1e9,
        "New pages per hour in addition to revisits; 0 for no limit. If new pages and revisits compete \
         (period-estimate), both together get visits + new.",
    ),
    Param::number(
        "hours",
        24.0,
        0.001,
        1e6,
        "Duration of a crawl with a revisit policy, in simulated hours.",
    ),
    Param::choice(
        "sees",
        "clean",
        &[Cow::Borrowed("clean"), Cow::Borrowed("anything"), Cow::Borrowed("last-modified")],
        "What a visit reveals. clean: whether the content changed; anything: whether content or \
         boilerplate changed; last-modified: also when the content changed.",
    ),
    Param::number(
        "boilerplate",
        1.0,
        0.0,
        1e6,
        "Changes per hour of the text around a page's content: dates, counters, advertisements. Only \
         with sees=anything.",
    ),
    Param::number(
        "not-modified",
        1.0,
        LEAST_COST,
        1.0,
        "Cost of a visit that finds no change, in visits: 1, or less if ETag or Last-Modified let the \
         server answer 304 without sending the page.",
    ),
    Param::number(
        "sitemap",
        0.0,
        0.0,
        1e6,
        "Hours between two reads of all sitemaps or feeds, which list changed pages; those are visited \
         first. 0 for none. One read costs one visit.",
    ),
];

/// What visits reveal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sees {
    /// Whether the content changed.
    #[default]
    Clean,
    /// Whether content or boilerplate changed.
    Anything,
    /// Also when the content changed.
    LastModified,
}

/// The rules of revisiting as checked values; [`REVISIT_RULES`] describes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevisitRules {
    /// Revisits per hour.
    pub visits: f64,
    /// New pages per hour; 0 for no limit.
    pub new: f64,
    /// End of the crawl, in microseconds.
    pub end_us: u64,
    /// What visits reveal.
    pub sees: Sees,
    /// Changes of boilerplate per hour.
    pub boilerplate: f64,
    /// Cost of a visit that finds no change, in visits.
    pub not_modified: f64,
    /// Interval between sitemap reads, in microseconds.
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
