//! Parsing and resolving of outside URLs, hosts and sites.

use crawl_world::web_address::{self, MAX_URL_BYTES};
use crawl_world::{BuildError, PageId, WorldBuilder};
use std::net::Ipv4Addr;
use url::{Host, Url};

/// Normalises an absolute `http` or `https` URL; `None` for anything else.
///
/// The result is ASCII, percent-encoded, with the host in lower case and without a fragment.
pub fn normal(url: &str) -> Option<String> {
    absolute(url).map(finish)
}

/// Resolves a link against its page's URL and normalises it.
///
/// ```
/// # use crawl_import::address::resolve;
/// assert_eq!(resolve("http://site.ru/page/1", "../d3").unwrap(), "http://site.ru/d3");
/// ```
pub fn resolve(page: &str, href: &str) -> Option<String> {
    if href.len() > MAX_URL_BYTES {
        return None;
    }
    let joined = absolute(page)?.join(href.trim()).ok()?;
    is_web(&joined).then(|| finish(joined))
}

/// A world builder whose pages get host and site by these rules.
pub fn builder(title: &str) -> WorldBuilder {
    let mut builder = WorldBuilder::new(title);
    builder.sites(site);
    builder
}

/// Adds a page with its host and site.
///
/// # Errors
/// If the URL is not absolute http(s), is a duplicate, or there are too many pages.
pub fn add_page(builder: &mut WorldBuilder, url: &str) -> Result<PageId, BuildError> {
    match web_address::plain_host(url) {
        Some(host) => builder.page_on(url, Some(host)),
        None => builder.page_on(url, host(url).as_deref()),
    }
}

/// The host name of a URL, in lower case and ASCII.
pub fn host(url: &str) -> Option<String> {
    absolute(url)?.host_str().map(str::to_owned)
}

/// The registrable domain of a host name, by the public suffix list.
///
/// An IP address, or a name that is itself a public suffix, is returned unchanged.
pub fn site(host: &str) -> &str {
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return host;
    }
    crate::suffix::registrable(host).unwrap_or(host)
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
    use proptest::prelude::*;

    /// Relative links after Voronov's lecture (our hrefs, its results).
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

    /// Plain URLs have the same host and site by `web_address`.
    #[test]
    fn plain_urls_are_read_alike() {
        let urls = [
            "http://a.example",
            "https://a.b.example/c",
            "http://a-b.example:8080/?q",
            "http://a1.b2.example:80",
            "http://-a.example/",
            "http://a-.example/",
            "http://ab--c.example/",
            "http://a.b/",
            "http://a/",
        ];
        for url in urls {
            let plain = web_address::plain_host(url);
            assert_eq!(plain.map(str::to_owned), host(url), "{url}");
            assert_eq!(web_address::tidied(url), normal(url), "{url}");
        }
    }

    /// Generated worlds number their sites without the suffix list.
    #[test]
    fn made_worlds_have_the_sites_they_would_have_here() {
        for world in crate::testing::every_made_world() {
            let mut again = world.clone();
            again.number_sites(site);
            assert_eq!(again, world, "{}", world.title());
        }
    }

    proptest! {
        #[test]
        fn any_plain_url_is_read_alike(url in "https?://[a-z0-9.-]{1,12}(:[0-9]{0,5})?[/?#]?[a-z]{0,2}") {
            if let Some(plain) = web_address::plain_host(&url) {
                prop_assert_eq!(Some(plain.to_owned()), host(&url));
            }
        }
    }
}
