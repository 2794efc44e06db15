//! What a request is answered.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};

use crate::encoding::Encoding;
use crate::site::{File, PAGE, Site};

/// An answer with its whole body.
pub(crate) type Answer = Response<Full<Bytes>>;

/// Sent with everything. Framing is not forbidden: experiments are embedded in other pages.
const ALWAYS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Answers a request for a site that stands at `base`, which begins and ends with a slash.
pub(crate) fn answer<B>(site: &Site, base: &str, request: &Request<B>) -> Answer {
    let mut answer = match *request.method() {
        Method::GET | Method::HEAD => find(site, base, request),
        _ => {
            let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            answer
        }
    };
    for (name, value) in ALWAYS {
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    // hyper leaves out the body of an answer to HEAD, and keeps its length.
    answer
}

fn find<B>(site: &Site, base: &str, request: &Request<B>) -> Answer {
    let path = request.uri().path();
    // Names are looked up to the letter, nothing is decoded: what is not in the table is not there.
    match path.strip_prefix(base) {
        Some(name) => {
            let name = if name.is_empty() { PAGE } else { name };
            match site.file(name) {
                Some(file) => send(site, name, file, request.headers()),
                None => text(StatusCode::NOT_FOUND, "there is no such file"),
            }
        }
        None if path == base.trim_end_matches('/') => {
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            redirect(&format!("{base}{query}"))
        }
        None => text(StatusCode::NOT_FOUND, &format!("the app is at {base}")),
    }
}

fn send(site: &Site, name: &str, file: &File, asked: &HeaderMap) -> Answer {
    let text_of = |name| asked.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let accepted = text_of(header::ACCEPT_ENCODING).unwrap_or_default();
    let (encoding, body) = file.body(accepted);
    let tag = file.tag(encoding);
    let known = text_of(header::IF_NONE_MATCH).is_some_and(|tags| has_tag(tags, &tag));

    let mut answer = if known {
        let mut answer = Answer::default();
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        answer
    } else {
        Answer::new(Full::new(body))
    };
    let headers = answer.headers_mut();
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(header::ETAG, &tag);
    set(header::VARY, "Accept-Encoding");
    set(header::CACHE_CONTROL, if file.is_immutable { FOR_EVER } else { "no-cache" });
    if !known {
        set(header::CONTENT_TYPE, file.media_type);
        if let Some(encoding) = encoding {
            set(header::CONTENT_ENCODING, Encoding::name(encoding));
        }
    }
    if name == PAGE {
        if let Some(policy) = site.policy() {
            set(header::CONTENT_SECURITY_POLICY, policy);
        }
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        // Other sites may frame the page, also those that ask leave of whatever they embed.
        set(HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    }
    answer
}

const FOR_EVER: &str = "public, max-age=31536000, immutable";

fn has_tag(tags: &str, tag: &str) -> bool {
    let plain = |one: &str| one.trim().trim_start_matches("W/") == tag;
    tags.trim() == "*" || tags.split(',').any(plain)
}

fn redirect(to: &str) -> Answer {
    let mut answer = text(StatusCode::PERMANENT_REDIRECT, to);
    if let Ok(to) = HeaderValue::from_str(to) {
        answer.headers_mut().insert(header::LOCATION, to);
    }
    answer
}

fn text(status: StatusCode, said: &str) -> Answer {
    let mut answer = Answer::new(Full::new(Bytes::from(format!("{said}\n"))));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::testing::site;

    fn ask(base: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(&site(), base, &request.body(()).unwrap())
    }

    fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
        answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    const APP: &str = "/app-0123456789abcdef.js";

    #[test]
    fn the_page_is_always_asked_for_anew_and_hashed_files_never() {
        for path in ["/", "/index.html", "/?embed=1"] {
            let page = ask("/", path, &[]);
            assert_eq!(page.status(), StatusCode::OK);
            assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
            assert_eq!(header(&page, "cache-control"), "no-cache");
            assert_eq!(header(&page, "content-security-policy"), "default-src 'none'");
            assert_eq!(header(&page, "x-content-type-options"), "nosniff");
            assert_eq!(header(&page, "x-frame-options"), "");
        }
        assert_eq!(header(&ask("/", "/service-worker.js", &[]), "cache-control"), "no-cache");
        assert_eq!(header(&ask("/", APP, &[]), "cache-control"), FOR_EVER);
    }

    #[test]
    fn copies_are_sent_with_their_encoding_and_their_own_tag() {
        let plain = ask("/", APP, &[]);
        let small = ask("/", APP, &[("accept-encoding", "gzip, br")]);
        assert_eq!(header(&plain, "content-encoding"), "");
        assert_eq!(header(&small, "content-encoding"), "br");
        assert_eq!(header(&small, "vary"), "Accept-Encoding");
        let tag = header(&small, "etag");
        assert_ne!(tag, header(&plain, "etag"));
        let headers = [("accept-encoding", "br"), ("if-none-match", tag)];
        assert_eq!(ask("/", APP, &headers).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(ask("/", APP, &headers[1..]).status(), StatusCode::OK);
    }

    #[test]
    fn no_path_leads_out_of_the_table() {
        let paths = [
            "/../Cargo.toml",
            "/..%2fCargo.toml",
            "/%69ndex.html",
            "//index.html",
            "/icons/../index.html",
            "/icons/",
            "/icons",
            "/etc/passwd",
            "/app-0123456789abcdef.js.br",
            "/index.html%00",
        ];
        for path in paths {
            assert_eq!(ask("/", path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(ask("/", "/icons/i.svg", &[]).status(), StatusCode::OK);
    }

    #[test]
    fn under_a_base_the_app_is_there_and_nowhere_else() {
        let base = "/some/path/";
        assert_eq!(ask(base, "/some/path/", &[]).status(), StatusCode::OK);
        assert_eq!(ask(base, "/some/path/icons/i.svg", &[]).status(), StatusCode::OK);
        let redirect = ask(base, "/some/path?embed=1", &[]);
        assert_eq!(redirect.status(), StatusCode::PERMANENT_REDIRECT);
        assert_eq!(header(&redirect, "location"), "/some/path/?embed=1");
        for path in ["/", "/index.html", "/some/", "/some/pathology"] {
            assert_eq!(ask(base, path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn nothing_can_be_sent_to_it() {
        let request = Request::builder().method("POST").uri("/").body(()).unwrap();
        let refused = answer(&site(), "/", &request);
        assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(header(&refused, "allow"), "GET, HEAD");
    }
}
