//! Shortened URLs: without the shared domain, cut in the middle.
//!
//! Host and last path segment identify a page, so they stay.

use crawl_catalogue::visible;
use crawl_protocol::world::Picture;
use std::rc::Rc;

/// With more hosts than this, `www.` stays: the check for ambiguity is linear in the hosts.
const MAX_HOSTS: usize = 2000;

/// Shortens the URLs of a world.
#[derive(Clone, Debug, Default)]
pub struct Shortener {
    picture: Option<Rc<Picture>>,
}

impl PartialEq for Shortener {
    fn eq(&self, other: &Self) -> bool {
        self.picture.as_ref().map(Rc::as_ptr) == other.picture.as_ref().map(Rc::as_ptr)
    }
}

impl Shortener {
    /// A shortener for the world of a picture.
    pub fn of(picture: Option<&Rc<Picture>>) -> Self {
        Self { picture: picture.cloned() }
    }

    /// The host without the shared domain and without a redundant `www.`.
    fn host<'a>(&self, host: &'a str) -> &'a str {
        let Some(picture) = &self.picture else { return host };
        let own = host.strip_suffix(picture.domain.as_str()).and_then(|own| own.strip_suffix('.'));
        let own = own.filter(|own| !own.is_empty()).unwrap_or(host);
        let is_alone = |bare: &&str| {
            picture.hosts.len() <= MAX_HOSTS && !picture.hosts.iter().any(|other| other == bare)
        };
        own.strip_prefix("www.").filter(is_alone).unwrap_or(own)
    }

    /// The URL without scheme, shared domain and hidden characters.
    pub fn plain(&self, url: &str) -> String {
        let url = &*visible(url);
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        if let Some(number) = rest.strip_prefix("graph.invalid/") {
            return format!("page {number}");
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        format!("{}{path}", self.host(host))
    }

    /// [`Shortener::plain`], cut to at most `most` characters.
    pub fn short(&self, url: &str, most: usize) -> String {
        shorten(&self.plain(url), most)
    }
}

/// Byte index of the last path segment, including its slash and a trailing slash.
pub fn last_part(url: &str) -> usize {
    url.trim_end_matches('/').rfind('/').unwrap_or(url.len())
}

/// Cuts a text in the middle to at most `most` characters.
///
/// Keeps host and last path segment of a URL if both fit, otherwise more of the end than the start.
pub fn shorten(text: &str, most: usize) -> String {
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let tail = text[last_part(text)..].chars().count();
    let host = text.chars().position(|letter| letter == '/').unwrap_or(n);
    let start = if host + tail <= kept { kept - tail } else { kept * 2 / 5 };
    let head: String = text.chars().take(start).collect();
    let tail: String = text.chars().skip(n - (kept - start)).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_protocol::world::Nodes;

    #[test]
    fn the_shared_domain_goes_and_the_ends_stay() {
        let with = |domain: &str, hosts: &[&str]| {
            let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
            let picture = Picture {
                nodes: Nodes::Pages,
                n_nodes: 0,
                hosts,
                domain: domain.to_owned(),
                labels: Vec::new(),
                n_links_left_out: 0,
                n_pages: Vec::new(),
            };
            Shortener::of(Some(&Rc::new(picture)))
        };
        let campus = with("campus.example", &["cs"]);
        assert_eq!(campus.plain("http://cs.campus.example/staff/"), "cs/staff/");
        let long = campus.short("http://cs.campus.example/courses/algorithms/notes-36", 20);
        assert_eq!(long, "cs/courses…/notes-36");
        assert_eq!(campus.plain("http://campus.example/x"), "campus.example/x");
        let none = with("", &["www.a.test", "www.b.test", "b.test"]);
        assert_eq!(none.plain("http://www.a.test/x"), "a.test/x");
        assert_eq!(none.plain("http://www.b.test/x"), "www.b.test/x", "b.test is another host");
        assert_eq!(none.plain("https://b.test/x"), "b.test/x");
        assert_eq!(none.plain("http://graph.invalid/17"), "page 17");
    }

    #[test]
    fn short_texts_stay_and_others_fit() {
        assert_eq!(shorten("abc", 3), "abc");
        for most in 1..20 {
            assert!(shorten("äöüabcdefghijklmnopqrs", most).chars().count() <= most);
        }
    }
}
