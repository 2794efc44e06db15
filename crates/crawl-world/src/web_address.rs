//! URLs as text. Full URL parsing is in the importers.

/// Host of pages without URLs; host rules do not apply to it.
pub const NO_HOST: &str = "graph.invalid";

/// Maximum length of a URL from outside.
pub const MAX_URL_BYTES: usize = 8192;

/// The URL of page `i` of a numbered graph.
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

/// The host name of a plain URL: `http` or `https`, a name of lower-case letters, digits, hyphens
/// and dots, and optionally a port. `None` for any other URL.
///
/// ```
/// # use crawl_world::web_address::plain_host;
/// assert_eq!(plain_host("http://www.site.example:8080/a?b"), Some("www.site.example"));
/// assert_eq!(plain_host("http://somebody@site.example/"), None);
/// ```
pub fn plain_host(url: &str) -> Option<&str> {
    if url.len() > MAX_URL_BYTES {
        return None;
    }
    let (authority, _) = parts(url)?;
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let in_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
    // A name that ends in digits is an IP address, which has many spellings.
    let is_name = host.bytes().all(in_name) && host.ends_with(|c: char| c.is_ascii_lowercase());
    let is_plain = is_name && !host.split('.').any(is_odd_label);
    (is_plain && port.len() <= 4 && port.bytes().all(|b| b.is_ascii_digit())).then_some(host)
}

/// True for empty labels, punycode, and numbers: `http://0x/` is `0.0.0.0`.
fn is_odd_label(label: &str) -> bool {
    label.is_empty() || label.starts_with("xn--") || label.starts_with("0x")
}

/// Path and query of a URL, as written.
///
/// ```
/// # use crawl_world::web_address::path_and_query;
/// assert_eq!(path_and_query("http://a.example/b?c#d"), Some("/b?c"));
/// ```
pub fn path_and_query(url: &str) -> Option<&str> {
    let (_, rest) = parts(url)?;
    rest.split('#').next()
}

/// Normalises a URL: scheme and host in lower case, no default port, no fragment, and a path. The
/// target stays the same.
///
/// ```
/// # use crawl_world::web_address::tidied;
/// assert_eq!(tidied(" HTTP://A.example:80#top").unwrap(), "http://a.example/");
/// ```
pub fn tidied(url: &str) -> Option<String> {
    let url = url.trim();
    let (scheme, _) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let (authority, rest) = parts(url)?;
    let host = authority.strip_suffix(usual).unwrap_or(authority).to_ascii_lowercase();
    let path = rest.split('#').next().unwrap_or_default();
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(format!("{scheme}://{host}{slash}{path}"))
}

/// The registrable domain of a host name without public suffix rules: its last two labels. Right
/// for names reserved for examples, which generated worlds use.
pub fn plain_site(host: &str) -> &str {
    host.rmatch_indices('.').nth(1).map_or(host, |(dot, _)| &host[dot + 1..])
}

/// Authority, and the rest of the URL.
fn parts(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    is_web.then(|| rest.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_urls_have_a_plain_host() {
        let odd = [
            "http://A.example/",
            "http://b\u{fc}cher.example/",
            "http://xn--bcher-kva.example/",
            "http://10.1.2.3/",
            "http://0x7f.1/",
            "http://0x/",
            "http://1.0xff/",
            "http://[::1]/",
            "http://a..example/",
            "http://.example/",
            "http://a.example./",
            "http://a_b.example/",
            "http://a.example:99999/",
            "http://a.example:x/",
            "http:///a",
            "http://",
            "ftp://a.example/",
            "a.example",
            " http://a.example/",
        ];
        for url in odd {
            assert_eq!(plain_host(url), None, "{url}");
        }
        for url in ["http://a.example", "https://a.example?q", "http://a.example:80/#x"] {
            assert_eq!(plain_host(url), Some("a.example"), "{url}");
        }
        assert_eq!(plain_host(&format!("http://a.example/{}", "a".repeat(9000))), None);
    }

    #[test]
    fn sites_are_the_last_two_labels() {
        assert_eq!(plain_site("cs.campus.example"), "campus.example");
        assert_eq!(plain_site("campus.example"), "campus.example");
        assert_eq!(plain_site("example"), "example");
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
