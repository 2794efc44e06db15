//! What a crawler may do, whatever its strategy.

use crawl_catalogue::{Param, Params};
use std::borrow::Cow;

/// The crawl rules as parameters; link keys, command-line flags and the app's panel come from here.
/// The defaults let orderings compare bare: one fetcher, no delay, no limits.
pub const RULES: &[Param] = &[
    Param::integer("budget", 0, 0, 1 << 28, "Most fetches started; 0 crawls until nothing waits."),
    Param::integer("fetchers", 1, 1, 1000, "Fetches under way at the same time."),
    Param::number(
        "delay",
        0.0,
        0.0,
        86_400.0,
        "Seconds a host is left alone after a fetch from it.",
    ),
    Param::flag(
        "robots",
        true,
        "Obey robots.txt: URLs it refuses are not fetched, the delay it asks for is kept.",
    ),
    Param::flag("nofollow", false, "Do not follow links marked rel=nofollow."),
    Param::integer(
        "batch",
        1,
        1,
        1_000_000,
        "K: the best K URLs are chosen together, and scores count again when all are fetched.",
    ),
    Param::integer(
        "batch-per-site",
        0,
        0,
        1_000_000,
        "Most URLs of one site in a batch; 0 for no limit.",
    ),
    Param::integer("pages-per-site", 0, 0, 1 << 28, "Most fetches from one site; 0 for no limit."),
    Param::integer("sites", 0, 0, 1 << 28, "Most sites fetched from; 0 for no limit."),
    Param::integer(
        "depth",
        0,
        0,
        1_000_000,
        "Most clicks from a seed; 0 for no limit. Stops endless calendars.",
    ),
    Param::integer(
        "repeats",
        0,
        0,
        1000,
        "Refuse URLs in whose path one part stands more often than this; 0 to allow all. \
         Stops paths that grow for ever, such as /next/next/next.",
    ),
    Param::choice(
        "focus",
        "none",
        &[Cow::Borrowed("none"), Cow::Borrowed("topical"), Cow::Borrowed("all")],
        "Which orderings crawl in the focused loop of document B: pages off the topic are dropped \
         with their links, pages found to be what is looked for are kept and their links not \
         followed; seeds are exempt. topical: those that look for a topic.",
    ),
    Param::number(
        "latency",
        100.0,
        0.0,
        3_600_000.0,
        "Milliseconds until a host answers, for pages that do not say.",
    ),
    Param::number(
        "bandwidth",
        1_000_000.0,
        1.0,
        1e12,
        "Bytes a second: a fetch takes latency + bytes ÷ bandwidth.",
    ),
];

/// The crawl rules, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Most fetches started.
    pub budget: Option<u32>,
    /// Fetches under way at the same time.
    pub fetchers: u32,
    /// Microseconds a host is left alone after a fetch.
    pub delay_us: u64,
    /// Obey robots.txt.
    pub robots: bool,
    /// Do not follow links marked so.
    pub nofollow: bool,
    /// How many URLs are chosen together.
    pub batch: u32,
    /// Most URLs of one site in a batch.
    pub batch_per_site: Option<u32>,
    /// Most fetches from one site.
    pub pages_per_site: Option<u32>,
    /// Most sites fetched from.
    pub sites: Option<u32>,
    /// Most clicks from a seed.
    pub depth: Option<u32>,
    /// How often one part may stand in a path.
    pub repeats: Option<u32>,
    /// Which orderings crawl in the focused loop.
    pub focus: Focus,
    /// Milliseconds until a host answers, for pages that do not say.
    pub latency_ms: f64,
    /// Bytes a second.
    pub bandwidth: f64,
}

/// Which orderings crawl in the focused loop of document B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// None.
    #[default]
    None,
    /// Those that look for a topic.
    Topical,
    /// All.
    All,
}

impl Focus {
    /// Whether an ordering does that looks for a topic, or does not.
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
    /// How long a fetch takes, in microseconds.
    pub fn fetch_us(&self, latency_ms: Option<f64>, bytes: Option<u32>) -> u64 {
        let latency_s = latency_ms.unwrap_or(self.latency_ms) / 1000.0;
        microseconds(latency_s + f64::from(bytes.unwrap_or(0)) / self.bandwidth)
    }
}

/// Seconds as whole microseconds, in which the clock counts exactly.
pub(crate) fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}
