//! Which URLs may enter the frontier, and which sites may still be fetched from.

use crate::robots::RobotsFiles;
use crate::{Book, Rules, UrlId, Web};
use crawl_world::web_address;

/// Why a URL is not fetched although it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// robots.txt refuses it.
    Robots,
    /// It was found only through links marked rel=nofollow.
    Nofollow,
    /// It lies deeper than allowed.
    Depth,
    /// Its path repeats one part too often.
    Repeats,
    /// Its site has had its share.
    Site,
    /// It was found only on pages that a focused crawl does not follow.
    Focus,
    /// Its ordering has given it up.
    GivenUp,
    /// Its site was learnt from, so that it cannot be crawled as well.
    Trained,
}

impl Refusal {
    /// All reasons.
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

    /// The reason in a word.
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

/// Decides on discovery. Exists only when some rule could refuse something.
#[derive(Clone, Default)]
pub(crate) struct Admission {
    standing: Vec<Standing>,
    pub(crate) refused: [u32; Refusal::ALL.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Standing {
    #[default]
    Unseen,
    Admitted,
    Refused(Refusal),
}

impl Admission {
    /// `is_choosy` where the session itself refuses URLs, by what their pages or its ordering say.
    pub(crate) fn new(rules: &Rules, web: &dyn Web, is_choosy: bool) -> Option<Self> {
        let refuses = is_choosy
            || rules.robots && web.has_robots()
            || rules.nofollow && web.has_nofollow()
            || rules.depth.is_some()
            || rules.repeats.is_some();
        refuses.then(Self::default)
    }

    /// Decides on a URL each time a link to it is found; true when it is admitted just now.
    pub(crate) fn decide(
        &mut self,
        url: UrlId,
        found: Found,
        book: &Book,
        rules: &Rules,
        web: &dyn Web,
        robots: &mut RobotsFiles,
    ) -> bool {
        if url.index() >= self.standing.len() {
            self.standing.resize(url.index() + 1, Standing::Unseen);
        }
        let before = self.standing[url.index()];
        match before {
            Standing::Admitted => return false,
            // A shorter way, a link without nofollow or a page on the topic can still be found; the
            // rest is final.
            Standing::Refused(
                Refusal::Robots | Refusal::Repeats | Refusal::Site | Refusal::Trained,
            ) => return false,
            Standing::Unseen
            | Standing::Refused(
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
        if let Standing::Refused(reason) = before {
            self.refused[reason as usize] -= 1;
        }
        if let Some(reason) = verdict {
            self.refused[reason as usize] += 1;
        }
        self.standing[url.index()] = verdict.map_or(Standing::Admitted, Standing::Refused);
        verdict.is_none()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.standing.capacity() * size_of::<Standing>()
    }
}

/// How a URL was found.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) depth: u32,
    pub(crate) nofollow: bool,
    /// Why the session itself refuses it.
    pub(crate) refusal: Option<Refusal>,
}

/// How often the commonest part of a URL's path stands in it.
fn repeats(url: &str) -> u32 {
    let Some(path) = web_address::path_and_query(url) else {
        return 0;
    };
    let path = path.split('?').next().unwrap_or_default();
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    parts.chunk_by(|a, b| a == b).map(|same| same.len() as u32).max().unwrap_or(0)
}

/// Counts fetches by site. Exists only when a rule limits them.
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
