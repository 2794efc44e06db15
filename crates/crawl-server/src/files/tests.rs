use super::*;
use crate::hosts::Hosts;
use crate::layers;
use crate::site::testing::site;
use axum::Router;
use axum::body::to_bytes;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn ask_by(method: &str, base: &str, path: &str, headers: Headers<'_>) -> Response {
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let site = site();
    let policy = site.policy().cloned();
    let files = Arc::new(Files { site, base: base.to_owned() });
    let routes = Router::new().fallback_service(service(files));
    let routes = layers::add_layers(routes, Hosts::new(&[]).unwrap(), policy);
    let request = request.body(Body::empty()).unwrap();
    TowerToHyperService::new(routes).call(request).await.unwrap()
}

async fn ask(base: &str, path: &str, headers: Headers<'_>) -> Response {
    ask_by("GET", base, path, headers).await
}

async fn body(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

const APP: &str = "/app-0123456789abcdef.js";

#[tokio::test]
async fn the_page_is_always_asked_for_anew_and_hashed_files_never() {
    for path in ["/", "/index.html", "/?embed=1"] {
        let page = ask("/", path, &[]).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&page, "cache-control"), "no-cache");
        assert_eq!(header(&page, "x-frame-options"), "");
        assert_eq!(header(&page, "cross-origin-resource-policy"), "cross-origin");
    }
    assert_eq!(header(&ask("/", "/service-worker.js", &[]).await, "cache-control"), "no-cache");
    let app = ask("/", APP, &[]).await;
    assert_eq!(header(&app, "cache-control"), CACHE_FOREVER);
    assert_eq!(header(&app, "cross-origin-resource-policy"), "same-origin");
}

#[tokio::test]
async fn the_policy_and_the_security_headers_come_with_everything() {
    let tag = header(&ask("/", APP, &[]).await, "etag").to_owned();
    let everything: &[(&str, &str, Headers<'_>, u16)] = &[
        ("GET", "/", &[], 200),
        ("HEAD", "/", &[], 200),
        ("GET", APP, &[], 200),
        ("GET", "/service-worker.js", &[], 200),
        ("GET", "/icons/i.svg", &[], 200),
        ("GET", APP, &[("if-none-match", &tag)], 304),
        ("GET", APP, &[("range", "bytes=0-1")], 206),
        ("GET", APP, &[("range", "bytes=99-")], 416),
        ("GET", "/nowhere", &[], 404),
        ("POST", "/", &[], 405),
        ("GET", "http://evil.example/", &[], 421),
    ];
    for (method, path, headers, status) in everything {
        let answer = ask_by(method, "/", path, headers).await;
        assert_eq!(answer.status().as_u16(), *status, "{method} {path}");
        assert_eq!(header(&answer, "content-security-policy"), "default-src 'none'", "{path}");
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&answer, "referrer-policy"), "no-referrer", "{path}");
        assert!(header(&answer, "permissions-policy").contains("camera=()"), "{path}");
        assert_ne!(header(&answer, "cross-origin-resource-policy"), "", "{path}");
    }
}

#[tokio::test]
async fn copies_are_sent_with_their_encoding_and_their_own_tag() {
    let plain = ask("/", APP, &[]).await;
    let small = ask("/", APP, &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(header(&plain, "content-encoding"), "");
    assert_eq!(header(&small, "content-encoding"), "br");
    assert_eq!(header(&small, "vary"), "Accept-Encoding");
    let tag = header(&small, "etag");
    assert_ne!(tag, header(&plain, "etag"));
    let headers = [("accept-encoding", "br"), ("if-none-match", tag)];
    let known = ask("/", APP, &headers).await;
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(header(&known, "content-length"), "2", "of the copy that is not sent");
    assert_eq!(header(&known, "content-encoding"), "");
    assert_eq!(ask("/", APP, &headers[1..]).await.status(), StatusCode::OK);
    let weak = format!("\"x\", W/{tag}");
    let headers = [("accept-encoding", "br"), ("if-none-match", &weak)];
    assert_eq!(ask("/", APP, &headers).await.status(), StatusCode::NOT_MODIFIED);
    // Several header lines are one list.
    let lines = [("accept-encoding", "identity;q=0.1"), ("accept-encoding", "gzip")];
    assert_eq!(header(&ask("/", APP, &lines).await, "content-encoding"), "gzip");
    assert_eq!(body(small).await, "BR");
}

#[tokio::test]
async fn a_range_is_sent_of_the_body_that_was_chosen() {
    let part = ask("/", APP, &[("range", "bytes=1-3")]).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(header(&part, "content-range"), "bytes 1-3/5");
    assert_eq!(header(&part, "accept-ranges"), "bytes");
    assert_eq!(header(&part, "content-type"), "text/javascript; charset=utf-8");
    let tag = header(&part, "etag").to_owned();
    assert_eq!(body(part).await, "ler");
    let part = ask("/", APP, &[("range", "bytes=-1"), ("accept-encoding", "gzip")]).await;
    assert_eq!(header(&part, "content-range"), "bytes 1-1/2");
    assert_eq!(header(&part, "content-encoding"), "gzip");
    assert_eq!(body(part).await, "Z");

    let behind = ask("/", APP, &[("range", "bytes=5-")]).await;
    assert_eq!(behind.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(header(&behind, "content-range"), "bytes */5");
    assert_eq!(header(&behind, "cache-control"), "no-store");
    for range in ["bytes=0-1,3-4", "lines=0-1", "bytes=4-2"] {
        let whole = ask("/", APP, &[("range", range)]).await;
        assert_eq!(whole.status(), StatusCode::OK, "{range}");
        assert_eq!(header(&whole, "content-range"), "");
        assert_eq!(body(whole).await, "alert");
    }

    // A range of an outdated body is not sent.
    for (if_range, status) in [
        (tag.as_str(), 206),
        ("\"other\"", 200),
        (&format!("W/{tag}"), 200),
        ("Sat, 29 Oct 1994 19:43:31 GMT", 200),
    ] {
        let answer = ask("/", APP, &[("range", "bytes=0-1"), ("if-range", if_range)]).await;
        assert_eq!(answer.status().as_u16(), status, "{if_range}");
    }
    let known = ask("/", APP, &[("range", "bytes=0-1"), ("if-none-match", &tag)]).await;
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn head_says_what_get_would_send() {
    for (path, accepted) in [("/", ""), (APP, ""), (APP, "br"), ("/nowhere", "")] {
        let headers = [("accept-encoding", accepted)];
        let get = ask("/", path, &headers).await;
        let head = ask_by("HEAD", "/", path, &headers).await;
        assert_eq!(get.status(), head.status());
        for (name, value) in get.headers() {
            assert_eq!(head.headers().get(name), Some(value), "{path} {name}");
        }
        let length = header(&head, "content-length").to_owned();
        assert_eq!(body(head).await, "");
        assert_eq!(body(get).await.len().to_string(), length, "{path}");
    }
    let whole = ask_by("HEAD", "/", APP, &[("range", "bytes=0-1")]).await;
    assert_eq!(whole.status(), StatusCode::OK, "ranges are for GET");
}

#[tokio::test]
async fn no_path_leads_out_of_the_table() {
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
        assert_eq!(ask("/", path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(ask("/", "/icons/i.svg", &[]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn under_a_base_the_app_is_there_and_nowhere_else() {
    let base = "/some/path/";
    assert_eq!(ask(base, "/some/path/", &[]).await.status(), StatusCode::OK);
    assert_eq!(ask(base, "/some/path/icons/i.svg", &[]).await.status(), StatusCode::OK);
    let redirect = ask(base, "/some/path?embed=1", &[]).await;
    assert_eq!(redirect.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(header(&redirect, "location"), "/some/path/?embed=1");
    for path in ["/", "/index.html", "/some/", "/some/pathology"] {
        assert_eq!(ask(base, path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn nothing_can_be_sent_to_it() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let refused = ask_by(method, "/", "/", &[]).await;
        assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(header(&refused, "allow"), "GET,HEAD");
    }
}

#[tokio::test]
async fn an_address_has_an_end() {
    let long = format!("/{}", "a".repeat(8 << 10));
    assert_eq!(ask("/", &long, &[]).await.status(), StatusCode::URI_TOO_LONG);
    let query = format!("/?{}", "a".repeat(8 << 10));
    assert_eq!(ask("/", &query, &[]).await.status(), StatusCode::URI_TOO_LONG);
    assert_eq!(ask("/", &long[..4000], &[]).await.status(), StatusCode::NOT_FOUND);
}
