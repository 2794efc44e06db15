//! URLs: resolving links, hosts, sites.

use std::net::Ipv4Addr;
use url::{Host, Url};

/// The host of pages that have no URL of their own; host rules do not apply to it.
pub const NO_HOST: &str = "graph.invalid";

/// Longest URL taken from outside.
pub const MAX_URL_BYTES: usize = 8192;

/// The URL of page `i` of a graph without URLs.
pub fn numbered(i: u32) -> String {
    format!("http://{NO_HOST}/{i}")
}

/// The page number in a URL made by [`numbered`].
pub fn number_of(url: &str) -> Option<u32> {
    let digits = url.strip_prefix("http://")?.strip_prefix(NO_HOST)?.strip_prefix('/')?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| canonical && plain)
}

/// Reads an absolute `http` or `https` URL and writes it in normal form (ASCII, percent-encoded,
/// host in lower case), without its fragment.
pub fn normal(url: &str) -> Option<String> {
    absolute(url).map(finish)
}

/// The URL that a link on a page leads to, in normal form.
///
/// ```
/// # use crawl_world::web_address::resolve;
/// assert_eq!(resolve("http://site.ru/page/1", "../d3").unwrap(), "http://site.ru/d3");
/// ```
pub fn resolve(page: &str, href: &str) -> Option<String> {
    if href.len() > MAX_URL_BYTES {
        return None;
    }
    let joined = absolute(page)?.join(href.trim()).ok()?;
    is_web(&joined).then(|| finish(joined))
}

/// The host name in a URL, in lower case and ASCII.
pub fn host(url: &str) -> Option<String> {
    absolute(url)?.host_str().map(str::to_owned)
}

/// The path of a URL with its query, percent-encoded.
pub fn path_and_query(url: &str) -> Option<String> {
    let url = absolute(url)?;
    Some(match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    })
}

/// The registrable domain of a host name: the part one can buy, by the public suffix list.
/// An address, or a name that is itself a suffix, stands for itself.
pub fn site(host: &str) -> &str {
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

fn absolute(url: &str) -> Option<Url> {
    if url.len() > MAX_URL_BYTES {
        return None;
    }
    Url::parse(url.trim()).ok().filter(is_web)
}

fn is_web(url: &Url) -> bool {
    let named = match url.host() {
        Some(Host::Domain(name)) => !name.is_empty(),
        Some(_) => true,
        None => false,
    };
    matches!(url.scheme(), "http" | "https") && named
}

fn finish(mut url: Url) -> String {
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative links of Voronov's lecture (document D; the hrefs are ours, its results kept).
    #[test]
    fn relative_links_of_the_lecture() {
        let cases = [
            ("2", "http://site.ru/page/2"),
            ("/2", "http://site.ru/2"),
            ("../d3", "http://site.ru/d3"),
            ("//site.com/page", "http://site.com/page"),
            ("http://abc.org/g", "http://abc.org/g"),
        ];
        for (href, result) in cases {
            assert_eq!(resolve("http://site.ru/page/1", href).as_deref(), Some(result));
        }
    }

    #[test]
    fn only_the_web_is_followed() {
        assert_eq!(resolve("http://a.example/", "mailto:x@y"), None);
        assert_eq!(resolve("http://a.example/", "javascript:void(0)"), None);
        assert_eq!(normal("/relative"), None);
        assert_eq!(
            normal("HTTP://Bücher.Example/ä?q=1#top").as_deref(),
            Some("http://xn--bcher-kva.example/%C3%A4?q=1")
        );
    }

    #[test]
    fn sites_are_registrable_domains() {
        assert_eq!(site("www.music.yandex.ru"), "yandex.ru");
        assert_eq!(site("a.b.co.uk"), "b.co.uk");
        assert_eq!(site("cs.campus.example"), "campus.example");
        assert_eq!(site("10.1.2.3"), "10.1.2.3");
        assert_eq!(site("com"), "com");
    }

    #[test]
    fn numbers_and_their_urls_are_inverse() {
        assert_eq!(number_of(&numbered(0)), Some(0));
        assert_eq!(number_of(&numbered(u32::MAX)), Some(u32::MAX));
        for odd in ["http://graph.invalid/01", "http://graph.invalid/", "http://graph.invalid/+1"] {
            assert_eq!(number_of(odd), None, "{odd}");
        }
    }
}
