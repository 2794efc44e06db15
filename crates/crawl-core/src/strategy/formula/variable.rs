//! Variables of formulas: what a crawler knows of a URL.

use super::memory::{AGE, CASH, DISTANCE, HOSTS, LATEST, LINKS, Memory, PARENTS};
use crate::strategy::backlink_count;
use crate::strategy::flow::AfterFetch;
use crate::strategy::random::UrlRandom;
use crate::strategy::values::Values;
use crate::{Evidence, Explanation, Known, UrlId};
use crawl_catalogue::Word;
use std::borrow::Cow;

/// A variable.
pub(super) struct Variable {
    /// When it changes.
    pub(super) changes: Changes,
    /// The parts of the memory it uses.
    pub(super) keeps: u8,
    /// Its value.
    pub(super) value: fn(&Memory, UrlId, &Known<'_>) -> f64,
    /// Explains a value.
    pub(super) explain: fn(&Memory, UrlId, &Known<'_>, f64) -> Explanation,
}

/// When a variable changes, and so which scores a fetch invalidates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changes {
    /// Never after discovery, except by a shorter path if depth is limited.
    Never,
    /// When the page on which the URL was found shows new links.
    ByGrowth,
    /// When a page that links to the URL is fetched or revisited.
    ByLink,
    /// When any page of its host is fetched.
    ByHost,
    /// When any page is fetched.
    ByAll,
}

/// All variables, in the order of the help, with the help of each.
macro_rules! variables {
    ($($name:literal $help:literal $changes:ident $keeps:expr, $value:expr, $explain:expr;)*) => {
        pub(super) const WORDS: &[Word] = &[$(Word {
            name: Cow::Borrowed($name),
            help: Cow::Borrowed($help),
        }),*];
        pub(super) const VARIABLES: &[Variable] = &[$(Variable {
            changes: Changes::$changes,
            keeps: $keeps,
            value: $value,
            explain: $explain,
        }),*];
    };
}

variables! {
    "backlinks" "Number of fetched pages that link to it."
        ByLink LINKS, |m, url, _| m.links.get(url), |_, url, known, _| {
            backlink_count::explain(url, known)
        };
    "depth" "Number of clicks from a seed; 0 for a seed."
        Never 0, |_, url, known| known.depth(url).into(), found_on;
    "cash" "Its cash in OPIC: fetched pages share theirs over their links at every visit."
        ByLink CASH, |m, url, _| m.cash.get(url), |m, url, known, value| {
            m.flow.explain(url, value, known, "cash", AfterFetch::StartsAnew)
        };
    "distance" "Its logarithmic distance in FICA, with the default β and γ."
        ByLink DISTANCE, |m, url, _| 0.0 - m.nearness.get(url), |m, url, known, value| {
            m.distances.explain_distance(url, &m.distances.paths(url, known), value, known)
        };
    "best_parent" "The best score, by this formula, of a fetched page linking to it, at that page's fetch; \
        0 if there is none."
        ByLink PARENTS, |m, url, _| m.best_parent(url).map_or(0.0, |best| best.0), best_parent;
    "parent_links" "Number of links of the page it was found on; 0 for a seed."
        ByGrowth 0, parent_links, found_on;
    "latest" "Fetch number of the latest page linking to it; 0 if there is none."
        ByLink LATEST, |m, url, _| m.latest.get(url), |_, _, known, value| {
            let page = known.order().get((value as usize).wrapping_sub(1));
            page.into_iter().fold(given(value), |node, page| node.with(Evidence::Fetched(*page)))
        };
    "host_fetched" "Number of pages fetched from its host. Every fetch rescores all waiting URLs of the \
        host."
        ByHost HOSTS, |m, url, known| m.host_fetched(url, known).into(), host_fetched;
    "age" "Number of pages fetched since it entered the frontier. Every fetch rescores all waiting URLs: \
        slow on large worlds."
        ByAll AGE, |m, url, known| f64::from(known.n_fetched()) - m.came.get(url), found_on;
    "fetched" "Number of pages fetched so far, from anywhere. Slow on large worlds, like age."
        ByAll 0, |_, _, known| known.n_fetched().into(), |_, _, _, value| given(value);
    "discovered" "Its number in the order of discovery, from 0."
        Never 0, |_, url, _| url.0.into(), found_on;
    "seed" "1 for a seed, else 0."
        Never 0, |_, url, known| f64::from(known.is_seed(url)), found_on;
    "random" "A random number from 0 to 1."
        Never 0, |m, url, known| m.lot.draw(&known.url(url)), |_, _, _, value| UrlRandom::explain(value);
    "url_length" "Number of characters of its URL."
        Never 0, |_, url, known| known.url(url).chars().count() as f64, written;
    "path_parts" "Number of path segments: 2 for /a/b.html."
        Never 0, |_, url, known| path_parts(&known.url(url)) as f64, written;
    "digits" "Number of digits in its URL."
        Never 0, |_, url, known| {
            known.url(url).bytes().filter(u8::is_ascii_digit).count() as f64
        }, written;
    "query" "1 if its URL has a question mark, else 0."
        Never 0, |_, url, known| f64::from(known.url(url).contains('?')), written;
}

fn given(value: f64) -> Explanation {
    Explanation::given("", value)
}

/// Explains a value by the page on which the URL was found.
fn found_on(_: &Memory, url: UrlId, known: &Known<'_>, value: f64) -> Explanation {
    given(value).with(match known.parent(url) {
        Some(parent) => Evidence::Fetched(parent),
        None => Evidence::Note("a seed".into()),
    })
}

/// Explains a value by the text of the URL.
fn written(_: &Memory, url: UrlId, known: &Known<'_>, value: f64) -> Explanation {
    given(value).with(Evidence::Note(known.url(url).into_owned()))
}

fn best_parent(memory: &Memory, url: UrlId, known: &Known<'_>, value: f64) -> Explanation {
    let page = memory.best_parent(url).and_then(|(_, at)| known.order().get(at));
    page.into_iter().fold(given(value), |node, page| node.with(Evidence::Fetched(*page)))
}

fn parent_links(_: &Memory, url: UrlId, known: &Known<'_>) -> f64 {
    known.parent(url).map_or(0.0, |parent| known.out_degree(parent).into())
}

fn host_fetched(_: &Memory, url: UrlId, known: &Known<'_>, value: f64) -> Explanation {
    let host = known.host(url).filter(|_| value > 0.0);
    let pages = known.order().iter().filter(|page| host.is_some() && known.host(**page) == host);
    let one = |page: &UrlId| Explanation::given("page", 1.0).with(Evidence::Fetched(*page));
    Explanation::sum("", pages.map(one).collect())
}

/// Number of non-empty path segments.
fn path_parts(url: &str) -> usize {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(1).filter(|part| !part.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::path_parts;

    #[test]
    fn parts_of_a_path_are_counted() {
        for (url, n) in [
            ("http://a.example", 0),
            ("http://a.example/", 0),
            ("http://a.example/?q=a/b", 0),
            ("http://a.example/b", 1),
            ("http://a.example//b/c/?d#e/f", 2),
            ("page:7", 0),
        ] {
            assert_eq!(path_parts(url), n, "{url}");
        }
    }
}
