//! robots.txt: parsing and matching by RFC 9309.

use crawl_world::{Host, HostId};
use robotstxt::parser::escape_pattern;
use robotstxt::{RobotsParseHandler, get_path_params_query, parse_robotstxt};
use std::sync::Arc;

/// Name of this crawler in robots.txt files.
pub(crate) const AGENT: &str = "crawlscope";

/// Maximum size that is read; RFC 9309 requires at least this.
const MAX_BYTES: usize = 500 * 1024;

/// Maximum line length. The parser cuts too, but possibly inside a character.
const MAX_LINE_BYTES: usize = 8192;

/// robots.txt policies by host; each file is parsed once.
#[derive(Clone, Default)]
pub(crate) struct RobotsFiles {
    hosts: Vec<Option<Arc<RobotsPolicy>>>,
    pub(crate) n_requests: u32,
}

/// The rules of one robots.txt that apply to this crawler.
pub struct RobotsPolicy {
    rules: Vec<Rule>,
    delay_s: f64,
}

struct Rule {
    pattern: Box<str>,
    allows: bool,
}

impl RobotsPolicy {
    /// Parses a robots.txt. Never fails: invalid lines are ignored.
    pub fn parse(text: &str) -> Self {
        let mut groups = Groups::default();
        parse_robotstxt(&readable(text), &mut groups);
        let ours = groups.ours();
        Self { rules: ours.rules, delay_s: bounded_delay_s(ours.delay_s.unwrap_or(0.0)) }
    }

    /// The Crawl-delay, in seconds: 0 to 86,400.
    pub fn delay_s(&self) -> f64 {
        self.delay_s
    }

    /// True if a URL may be fetched. The longest pattern that matches its path decides; of equally
    /// long ones, Allow wins.
    pub fn allows(&self, url: &str) -> bool {
        if self.rules.is_empty() {
            return true;
        }
        let path = escape_pattern(&get_path_params_query(url));
        let matching = self.rules.iter().filter(|rule| is_match(&path, &rule.pattern));
        let strongest = matching.max_by_key(|rule| (rule.pattern.len(), rule.allows));
        strongest.is_none_or(|rule| rule.allows)
    }
}

/// True if a pattern matches the start of a path. `*` matches anything, a final `$` the end of the
/// path.
fn is_match(path: &str, pattern: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for part in parts {
        // The earliest match leaves most of the path for the rest.
        if let Some(part) = last.replace(part) {
            let Some((_, after)) = rest.split_once(part) else { return false };
            rest = after;
        }
    }
    match (last, to_the_end) {
        (None, false) => true,
        (None, true) => rest.is_empty(),
        (Some(last), false) => rest.contains(last),
        (Some(last), true) => rest.ends_with(last),
    }
}

impl RobotsFiles {
    /// The policy of a host. The first call per host counts as a request for its robots.txt.
    pub(crate) fn of(&mut self, id: HostId, host: &Host) -> &RobotsPolicy {
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

fn read(host: &Host) -> RobotsPolicy {
    let mut policy = RobotsPolicy::parse(host.robots.as_deref().unwrap_or_default());
    policy.delay_s = policy.delay_s.max(bounded_delay_s(host.crawl_delay_s.unwrap_or(0.0)));
    policy
}

fn bounded_delay_s(delay_s: f64) -> f64 {
    if delay_s.is_finite() { delay_s.clamp(0.0, 86_400.0) } else { 0.0 }
}

/// Strips the byte-order mark and limits file and line length.
fn readable(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let lines =
        text.split(['\n', '\r']).map(|line| &line[..line.floor_char_boundary(MAX_LINE_BYTES)]);
    lines.collect::<Vec<_>>().join("\n")
}

/// The groups for `*` and for this crawler.
#[derive(Default)]
struct Groups {
    everybody: Group,
    us: Option<Group>,
    /// The groups to which the current lines belong.
    to_everybody: bool,
    to_us: bool,
    /// True if a rule was read since the last User-agent line; the next one starts another group.
    has_rules: bool,
}

#[derive(Default)]
struct Group {
    rules: Vec<Rule>,
    delay_s: Option<f64>,
}

impl Groups {
    /// The group to obey: the one that names us, else that for `*`.
    fn ours(self) -> Group {
        self.us.unwrap_or(self.everybody)
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Group> {
        self.has_rules = true;
        let us = self.us.as_mut().filter(|_| self.to_us);
        us.into_iter().chain(self.to_everybody.then_some(&mut self.everybody))
    }

    fn rule(&mut self, pattern: &str, allows: bool) {
        for group in self.each() {
            // A rule without a path is ignored: `Disallow:` refuses nothing.
            if !pattern.is_empty() {
                group.rules.push(Rule { pattern: pattern.into(), allows });
            }
        }
    }
}

impl RobotsParseHandler for Groups {
    fn handle_robots_start(&mut self) {}

    fn handle_robots_end(&mut self) {}

    fn handle_user_agent(&mut self, _line: u32, agent: &str) {
        if std::mem::take(&mut self.has_rules) {
            (self.to_everybody, self.to_us) = (false, false);
        }
        let name = agent.split(|c: char| !(c.is_ascii_alphabetic() || "_-".contains(c))).next();
        if agent.split_whitespace().next() == Some("*") {
            self.to_everybody = true;
        } else if name.is_some_and(|name| name.eq_ignore_ascii_case(AGENT)) {
            self.to_us = true;
            self.us.get_or_insert_default();
        }
    }

    fn handle_allow(&mut self, _line: u32, pattern: &str) {
        self.rule(pattern, true);
    }

    fn handle_disallow(&mut self, _line: u32, pattern: &str) {
        self.rule(pattern, false);
    }

    fn handle_sitemap(&mut self, _line: u32, _address: &str) {}

    fn handle_unknown_action(&mut self, _line: u32, key: &str, value: &str) {
        let delay_s = value.parse().ok().filter(|delay_s: &f64| delay_s.is_finite());
        if key.eq_ignore_ascii_case("crawl-delay") {
            for group in self.each() {
                group.delay_s = group.delay_s.or(delay_s);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_world::SiteId;
    use proptest::prelude::*;

    fn policy(robots: &str) -> RobotsPolicy {
        let robots = Some(robots.into());
        read(&Host { name: "site.ru".into(), site: SiteId(0), robots, crawl_delay_s: None })
    }

    fn refused<'a>(policy: &RobotsPolicy, paths: &[&'a str]) -> Vec<&'a str> {
        let allows = |path: &str| policy.allows(&format!("http://site.ru{path}"));
        paths.iter().copied().filter(|path| !allows(path)).collect()
    }

    /// The robots.txt of Voronov's lecture (Mail.Ru); which URLs are refused is our reading.
    #[test]
    fn robots_txt_of_the_lecture() {
        let policy = policy("User-agent: *\nCrawl-delay: 50\nDisallow: /admin\nAllow: /article\n");
        assert_eq!(policy.delay_s, 50.0);
        let paths = ["/", "/admin", "/admin/article", "/article/admin", "/post"];
        assert_eq!(refused(&policy, &paths), ["/admin", "/admin/article"]);
    }

    /// Matching examples of RFC 9309, sections 2.2.2, 2.2.3 and 5.2.
    #[test]
    fn patterns_match_as_in_the_standard() {
        let cases = [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", true),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84", true),
            ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", true),
            ("/path/file-with-a-%2A.html", "/path/file-with-a-%2A.html", true),
            ("/*.gif$", "/a/b.gif", true),
            ("/*.gif$", "/a/b.gif?x", false),
            ("/*.gif$", "/.gif/b.gif", true),
            ("/a$b", "/a$b", true),
            ("*", "/", true),
            ("/a*b*c", "/axxbyyc-and-more", true),
            ("/a*b*c", "/axxcyyb", false),
            ("/a*b$", "/ab-b", true),
            ("/example/page$", "/example/page", true),
            ("/example/page$", "/example/page/", false),
        ];
        for (pattern, path, refuses) in cases {
            let policy = policy(&format!("User-agent: *\nDisallow: {pattern}"));
            assert_eq!(refused(&policy, &[path]).len() == 1, refuses, "{pattern} {path}");
        }
        let longest = policy(
            "User-agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n\
             Disallow: /same\nAllow: /same\n",
        );
        let paths = ["/example/page/", "/example/page/disallowed.gif", "/same", "/other"];
        assert_eq!(refused(&longest, &paths), ["/example/page/disallowed.gif"]);
    }

    #[test]
    fn who_is_named_obeys_only_what_is_said_to_him() {
        let named = policy(
            "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-Agent: Crawlscope/2.0\n\
             Disallow: /a\nCrawl-delay: 3\n\nUser-agent: other\nDisallow: /b\n\n\
             User-agent: crawlscope\nDisallow: /c\nCrawl-delay: 9\n",
        );
        assert_eq!(refused(&named, &["/", "/a", "/b", "/c"]), ["/a", "/c"]);
        assert_eq!(named.delay_s, 3.0);
        let silent = policy("User-agent: *\nDisallow: /\n\nUser-agent: crawlscope\nDisallow:\n");
        assert!(refused(&silent, &["/", "/a"]).is_empty());
        let delayed = policy("User-agent: other\nCrawl-delay: 7\nUser-agent: *\nDisallow: /a\n");
        assert_eq!((refused(&delayed, &["/", "/a"]), delayed.delay_s), (vec!["/a"], 0.0));
    }

    #[test]
    fn odd_files_are_read_as_far_as_they_go() {
        assert_eq!(refused(&policy("\u{feff}user-agent:*\rdisallow:/a"), &["/a", "/b"]), ["/a"]);
        for delay in ["-5", "nan", "inf", "1e400", "soon", ""] {
            let policy = policy(&format!("User-agent: *\nCrawl-delay: {delay}\nDisallow: /a"));
            assert_eq!(policy.delay_s, 0.0, "{delay}");
            assert_eq!(refused(&policy, &["/a"]), ["/a"]);
        }
        let long = format!("User-agent: *\nDisallow: /{}\nDisallow: /a\n", "ツ".repeat(20_000));
        assert_eq!(refused(&policy(&long), &["/a", "/b"]), ["/a"]);
        let huge = format!("User-agent: *\n{}Disallow: /a\n", "# nothing\n".repeat(60_000));
        assert!(refused(&policy(&huge), &["/a"]).is_empty());
    }

    /// A robots.txt of lines that the reference matcher reads as we do: it ends groups at
    /// Crawl-delay, and misses some matches after `*`.
    fn file() -> impl Strategy<Value = String> {
        let agent = prop_oneof![Just("*"), Just("crawlscope"), Just("other"), Just("CRAWLscope/1")];
        let pattern = "(/[ab]{0,2}){0,2}[$]?[ab]{0,2}[$]?";
        let line = prop_oneof![
            2 => agent.prop_map(|agent| format!("User-agent: {agent}")),
            3 => pattern.prop_map(|pattern| format!("Disallow: {pattern}")),
            3 => pattern.prop_map(|pattern| format!("Allow: {pattern}")),
            1 => Just("# nothing".to_owned()),
        ];
        prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
    }

    /// Reference implementation of the pattern match, character by character.
    fn slow_match(path: &[u8], pattern: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) | ([b'$'], []) => true,
            ([b'*', rest @ ..], _) => (0..=path.len()).any(|at| slow_match(&path[at..], rest)),
            ([b'$'], _) | (_, []) => false,
            ([a, pattern @ ..], [b, path @ ..]) => a == b && slow_match(path, pattern),
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_letter_by_letter(path in "/[ab$]{0,8}", pattern in "/?[ab*$]{0,6}") {
            let slow = slow_match(path.as_bytes(), pattern.as_bytes());
            prop_assert_eq!(is_match(&path, &pattern), slow);
        }

        /// Compares with the matcher of the parser's crate, which parses the file at every call.
        #[test]
        fn decides_as_the_reference_does(file in file(), path in "(/[ab]{0,3}){1,3}[$]?") {
            let url = format!("http://site.ru{path}");
            let allowed =
                robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&file, AGENT, &url);
            prop_assert_eq!(policy(&file).allows(&url), allowed);
        }

        #[test]
        fn any_text_is_read(text in "\\PC*", url in "\\PC*") {
            policy(&text).allows(&url);
        }
    }
}
