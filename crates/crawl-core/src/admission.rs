//! Admission of discovered URLs to the frontier, and fetch limits per site.

use crate::robots::RobotsFiles;
use crate::{Book, Rules, UrlId, Web};
use crawl_world::web_address;

/// Why a discovered URL is not fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// Disallowed by robots.txt.
    Robots,
    /// Linked only by rel=nofollow links.
    Nofollow,
    /// Deeper than the `depth` rule allows.
    Depth,
    /// One path segment occurs more often than the `repeats` rule allows.
    Repeats,
    /// The site has reached its fetch limit.
    Site,
    /// Linked only from pages that a focused crawl does not follow.
    Focus,
    /// The strategy has given it up.
    GivenUp,
    /// On a site of the training data, which must not be crawled.
    Trained,
}

impl Refusal {
    /// All reasons, in the order of [`crate::Counters::refused`].
    pub const ALL: [Self; 8] = [
        Self::Robots,
        Self::Nofollow,
        Self::Depth,
        Self::Repeats,
        Self::Site,
        Self::Focus,
        Self::GivenUp,
        Self::Trained,
    ];

    /// The reason as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Robots => "robots",
            Self::Nofollow => "nofollow",
            Self::Depth => "depth",
            Self::Repeats => "repeats",
            Self::Site => "site",
            Self::Focus => "focus",
            Self::GivenUp => "given-up",
            Self::Trained => "trained",
        }
    }
}

/// Decides which discovered URLs enter the frontier. Built only if some rule can refuse a URL.
#[derive(Clone, Default)]
pub(crate) struct Admission {
    decisions: Vec<Decision>,
    pub(crate) refused: [u32; Refusal::ALL.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Decision {
    #[default]
    Unseen,
    Admitted,
    Refused(Refusal),
}

impl Admission {
    /// `None` if nothing can be refused. `is_choosy`: the topic or the strategy can refuse URLs
    /// too.
    pub(crate) fn new(rules: &Rules, web: &dyn Web, is_choosy: bool) -> Option<Self> {
        let refuses = is_choosy
            || rules.robots && web.has_robots()
            || rules.nofollow && web.has_nofollow()
            || rules.depth.is_some()
            || rules.repeats.is_some();
        refuses.then(Self::default)
    }

    /// Decides on a URL each time a link to it is found. Returns true if it is newly admitted.
    pub(crate) fn decide(
        &mut self,
        url: UrlId,
        found: Discovery,
        book: &Book,
        rules: &Rules,
        web: &dyn Web,
        robots: &mut RobotsFiles,
    ) -> bool {
        if url.index() >= self.decisions.len() {
            self.decisions.resize(url.index() + 1, Decision::Unseen);
        }
        let before = self.decisions[url.index()];
        match before {
            Decision::Admitted => return false,
            // Final reasons. The others can change: a shorter path, a link without nofollow or a
            // page on the topic may still be found.
            Decision::Refused(
                Refusal::Robots | Refusal::Repeats | Refusal::Site | Refusal::Trained,
            ) => return false,
            Decision::Unseen
            | Decision::Refused(
                Refusal::Depth | Refusal::Nofollow | Refusal::Focus | Refusal::GivenUp,
            ) => {}
        }
        let page = book.page(url);
        let verdict = if found.refusal.is_some() {
            found.refusal
        } else if found.nofollow && rules.nofollow {
            Some(Refusal::Nofollow)
        } else if rules.depth.is_some_and(|most| found.depth > most) {
            Some(Refusal::Depth)
        } else if rules.repeats.is_some_and(|most| repeats(&web.url(page)) > most) {
            Some(Refusal::Repeats)
        } else {
            let host = web.host_of(page).filter(|_| rules.robots);
            let refuses =
                host.is_some_and(|host| !robots.of(host, web.host(host)).allows(&web.url(page)));
            refuses.then_some(Refusal::Robots)
        };
        if let Decision::Refused(reason) = before {
            self.refused[reason as usize] -= 1;
        }
        if let Some(reason) = verdict {
            self.refused[reason as usize] += 1;
        }
        self.decisions[url.index()] = verdict.map_or(Decision::Admitted, Decision::Refused);
        verdict.is_none()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.decisions.capacity() * size_of::<Decision>()
    }
}

/// How a URL was found.
#[derive(Clone, Copy)]
pub(crate) struct Discovery {
    pub(crate) depth: u32,
    pub(crate) nofollow: bool,
    /// Reason for which the topic or the strategy refuses it.
    pub(crate) refusal: Option<Refusal>,
}

/// Number of occurrences of the most frequent path segment.
fn repeats(url: &str) -> u32 {
    let Some(path) = web_address::path_and_query(url) else {
        return 0;
    };
    let path = path.split('?').next().unwrap_or_default();
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    parts.chunk_by(|a, b| a == b).map(|same| same.len() as u32).max().unwrap_or(0)
}

/// Counts fetches per site. Built only if a rule limits them.
#[derive(Clone, Debug)]
pub(crate) struct SiteLimits {
    per_site: u32,
    sites: u32,
    started: Vec<u32>,
    n_sites: u32,
}

impl SiteLimits {
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        let limits = rules.pages_per_site.is_some() || rules.sites.is_some();
        limits.then(|| Self {
            per_site: rules.pages_per_site.unwrap_or(u32::MAX),
            sites: rules.sites.unwrap_or(u32::MAX),
            started: Vec::new(),
            n_sites: 0,
        })
    }

    pub(crate) fn allows(&self, site: Option<usize>) -> bool {
        let Some(site) = site else { return true };
        match self.started.get(site).copied().unwrap_or(0) {
            0 => self.n_sites < self.sites,
            started => started < self.per_site,
        }
    }

    pub(crate) fn start(&mut self, site: Option<usize>) {
        let Some(site) = site else { return };
        if site >= self.started.len() {
            self.started.resize(site + 1, 0);
        }
        self.n_sites += u32::from(self.started[site] == 0);
        self.started[site] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::repeats;

    #[test]
    fn counts_the_commonest_part_of_a_path() {
        assert_eq!(repeats("http://a.example/"), 0);
        assert_eq!(repeats("http://a.example/a/b/c?a/a/a"), 1);
        assert_eq!(repeats("http://a.example/archive/next/next/next/"), 3);
        assert_eq!(repeats("http://a.example/a/b/a/b/a/"), 3);
        assert_eq!(repeats("not a url"), 0);
    }
}
