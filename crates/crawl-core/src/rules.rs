//! Crawl rules: limits, politeness and timing, independent of the strategy.

use crawl_catalogue::{Param, Params};
use std::borrow::Cow;

/// The crawl rules as parameters; link keys, command-line flags and the app's panel come from here.
/// Defaults: one fetcher, no delay, no limits, so that strategies compare without side effects.
pub const RULES: &[Param] = &[
    Param::integer("budget", 0, 0, 1 << 28, "Maximum number of fetches; 0 for no limit."),
    Param::integer("fetchers", 1, 1, 1000, "Number of parallel fetches."),
    Param::number(
        "delay",
        0.0,
        0.0,
        86_400.0,
        "Politeness delay in seconds after each fetch from a host.",
    ),
    Param::flag(
        "robots",
        true,
        "Obey robots.txt: do not fetch disallowed URLs, and keep its Crawl-delay.",
    ),
    Param::flag("nofollow", false, "Do not follow links marked rel=nofollow."),
    Param::integer(
        "batch",
        1,
        1,
        1_000_000,
        "K: the best K URLs are chosen together; scores count again when all are fetched.",
    ),
    Param::integer(
        "batch-per-site",
        0,
        0,
        1_000_000,
        "Maximum number of URLs per site in a batch; 0 for no limit.",
    ),
    Param::integer("pages-per-site", 0, 0, 1 << 28, "Maximum fetches per site; 0 for no limit."),
    Param::integer("sites", 0, 0, 1 << 28, "Maximum number of sites; 0 for no limit."),
    Param::integer(
        "depth",
        0,
        0,
        1_000_000,
        "Maximum number of clicks from a seed; 0 for no limit. Stops endless calendars.",
    ),
    Param::integer(
        "repeats",
        0,
        0,
        1000,
        "Refuse URLs with more than this many equal path segments; 0 for no limit. Stops endless \
         paths such as /next/next/next.",
    ),
    Param::choice(
        "focus",
        "none",
        &[Cow::Borrowed("none"), Cow::Borrowed("topical"), Cow::Borrowed("all")],
        "Which strategies run the focused crawl of Zhang, Li, Yu & Zhang 2010: pages off the topic \
         are dropped with their links, result pages are kept and their links not followed; seeds \
         are exempt. topical: strategies that need a topic.",
    ),
    Param::number(
        "latency",
        100.0,
        0.0,
        3_600_000.0,
        "Response time in milliseconds, for pages without their own.",
    ),
    Param::number(
        "bandwidth",
        1_000_000.0,
        1.0,
        1e12,
        "Bandwidth in bytes per second: a fetch takes latency + bytes ÷ bandwidth.",
    ),
];

/// The crawl rules as checked values; [`RULES`] describes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Maximum number of fetches.
    pub budget: Option<u32>,
    /// Number of parallel fetches.
    pub fetchers: u32,
    /// Politeness delay after a fetch from a host, in microseconds.
    pub delay_us: u64,
    /// Obey robots.txt.
    pub robots: bool,
    /// Do not follow rel=nofollow links.
    pub nofollow: bool,
    /// Number of URLs chosen together.
    pub batch: u32,
    /// Maximum number of URLs per site in a batch.
    pub batch_per_site: Option<u32>,
    /// Maximum number of fetches per site.
    pub pages_per_site: Option<u32>,
    /// Maximum number of sites.
    pub sites: Option<u32>,
    /// Maximum number of clicks from a seed.
    pub depth: Option<u32>,
    /// Maximum number of equal path segments.
    pub repeats: Option<u32>,
    /// Which strategies run the focused crawl.
    pub focus: Focus,
    /// Response time in milliseconds, for pages without their own.
    pub latency_ms: f64,
    /// Bandwidth in bytes per second.
    pub bandwidth: f64,
}

/// Which strategies run the focused crawl (Zhang, Li, Yu & Zhang 2010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// None.
    #[default]
    None,
    /// Strategies that need a topic.
    Topical,
    /// All.
    All,
}

impl Focus {
    /// True if a strategy runs the focused crawl; `is_topical` if it needs a topic.
    pub fn holds(self, is_topical: bool) -> bool {
        self == Self::All || self == Self::Topical && is_topical
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            budget: None,
            fetchers: 1,
            delay_us: 0,
            robots: true,
            nofollow: false,
            batch: 1,
            batch_per_site: None,
            pages_per_site: None,
            sites: None,
            depth: None,
            repeats: None,
            focus: Focus::None,
            latency_ms: 100.0,
            bandwidth: 1e6,
        }
    }
}

impl From<&Params> for Rules {
    /// From parameters checked against [`RULES`].
    fn from(params: &Params) -> Self {
        let limit = |key| Some(params.integer(key)).filter(|n| *n > 0);
        Self {
            budget: limit("budget"),
            fetchers: params.integer("fetchers"),
            delay_us: microseconds(params.number("delay")),
            robots: params.flag("robots"),
            nofollow: params.flag("nofollow"),
            batch: params.integer("batch"),
            batch_per_site: limit("batch-per-site"),
            pages_per_site: limit("pages-per-site"),
            sites: limit("sites"),
            depth: limit("depth"),
            repeats: limit("repeats"),
            focus: match params.text("focus") {
                "topical" => Focus::Topical,
                "all" => Focus::All,
                _ => Focus::None,
            },
            latency_ms: params.number("latency"),
            bandwidth: params.number("bandwidth"),
        }
    }
}

impl Rules {
    /// Duration of a fetch, in microseconds.
    pub fn fetch_us(&self, latency_ms: Option<f64>, bytes: Option<u32>) -> u64 {
        let latency_s = latency_ms.unwrap_or(self.latency_ms) / 1000.0;
        microseconds(latency_s + f64::from(bytes.unwrap_or(0)) / self.bandwidth)
    }
}

/// Converts seconds to integer microseconds.
pub(crate) fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}
