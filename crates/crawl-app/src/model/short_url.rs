//! URLs that fit: the domain all hosts share is dropped, and what is too long is cut in the middle,
//! because hosts and last parts tell pages apart.

use std::rc::Rc;

/// Knows what all URLs of a world have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortener {
    /// The domain all hosts share, with its leading dot.
    common: Rc<str>,
}

impl Shortener {
    /// For a world whose hosts share this domain; empty where they share none.
    pub fn new(domain: &str) -> Self {
        if domain.is_empty() {
            Self::default()
        } else {
            Self { common: format!(".{domain}").into() }
        }
    }

    /// The URL without scheme and shared domain.
    pub fn plain(&self, url: &str) -> String {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        if let Some(number) = rest.strip_prefix("graph.invalid/") {
            return format!("page {number}");
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let host = host.strip_suffix(&*self.common).filter(|h| !h.is_empty()).unwrap_or(host);
        format!("{host}{path}")
    }

    /// The same in at most `most` characters.
    pub fn short(&self, url: &str, most: usize) -> String {
        shorten(&self.plain(url), most)
    }
}

/// A text in at most `most` characters, cut in the middle, with more of the end than of the start.
pub fn shorten(text: &str, most: usize) -> String {
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let start = kept * 2 / 5;
    let head: String = text.chars().take(start).collect();
    let tail: String = text.chars().skip(n - (kept - start)).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_domain_goes_and_the_ends_stay() {
        let campus = Shortener::new("campus.example");
        assert_eq!(campus.plain("http://cs.campus.example/staff/"), "cs/staff/");
        let long = campus.short("http://cs.campus.example/courses/algorithms/notes-36", 20);
        assert_eq!(long, "cs/cour…hms/notes-36");
        assert_eq!(campus.plain("http://campus.example/x"), "campus.example/x");
        let none = Shortener::new("");
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
