//! robots.txt, read by a parser made for it.

use crawl_world::{Host, HostId};
use std::sync::Arc;
use texting_robots::Robot;

/// The name robots.txt files may address.
pub(crate) const AGENT: &str = "crawlscope";

/// Longest robots.txt read, as RFC 9309 asks for at least.
const MAX_BYTES: usize = 500 * 1024;

/// What hosts allow, each host's file read once.
#[derive(Clone, Default)]
pub(crate) struct RobotsFiles {
    hosts: Vec<Option<Arc<Policy>>>,
    pub(crate) n_requests: u32,
}

pub(crate) struct Policy {
    robot: Option<Robot>,
    pub(crate) delay_s: f64,
}

impl Policy {
    pub(crate) fn allows(&self, url: &str) -> bool {
        self.robot.as_ref().is_none_or(|robot| robot.allowed(url))
    }
}

impl RobotsFiles {
    /// What a host allows; asking for the first time counts as a request for its robots.txt.
    pub(crate) fn of(&mut self, id: HostId, host: &Host) -> &Policy {
        if id.index() >= self.hosts.len() {
            self.hosts.resize_with(id.index() + 1, || None);
        }
        let n_requests = &mut self.n_requests;
        self.hosts[id.index()].get_or_insert_with(|| {
            *n_requests += 1;
            Arc::new(read(host))
        })
    }
}

fn read(host: &Host) -> Policy {
    let text = host.robots.as_deref().unwrap_or_default().as_bytes();
    // A file that cannot be read refuses nothing, as RFC 9309 says of files that are not there.
    let robot = match text {
        [] => None,
        text => Robot::new(AGENT, &text[..text.len().min(MAX_BYTES)]).ok(),
    };
    let asked = robot.as_ref().and_then(|r| r.delay).map_or(0.0, f64::from);
    let delay_s = asked.max(host.crawl_delay_s.unwrap_or(0.0));
    Policy { robot, delay_s: if delay_s.is_finite() { delay_s.clamp(0.0, 86_400.0) } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_world::SiteId;

    /// The robots.txt of Voronov's lecture (document D; which URLs are refused is our reading).
    #[test]
    fn robots_txt_of_the_lecture() {
        let robots = "User-agent: *\nCrawl-delay: 50\nDisallow: /admin\nAllow: /article\n";
        let host = Host {
            name: "site.ru".into(),
            site: SiteId(0),
            robots: Some(robots.into()),
            crawl_delay_s: None,
        };
        let policy = read(&host);
        assert_eq!(policy.delay_s, 50.0);
        let refused: Vec<&str> = ["/", "/admin", "/admin/article", "/article/admin", "/post"]
            .into_iter()
            .filter(|path| !policy.allows(&format!("http://site.ru{path}")))
            .collect();
        assert_eq!(refused, ["/admin", "/admin/article"]);
    }
}
