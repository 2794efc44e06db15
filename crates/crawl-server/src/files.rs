//! Sends the files of a site: caching, compressed copies, ranges.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::range::Selection;
use crate::site::{File, PAGE, Site};

/// A site and the path it stands at, which begins and ends with a slash.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) site: Site,
    pub(crate) base: String,
}

/// Answers GET and HEAD by the files of a site; takes no request bodies.
pub(crate) fn service(files: Arc<Files>) -> MethodRouter {
    get(respond).layer(from_fn(refuse_body)).with_state(files)
}

/// Refuses a request with a body before any of it is read; the connection then closes.
async fn refuse_body(request: Request, next: Next) -> Response {
    if !request.body().is_end_stream() {
        let mut response = text(StatusCode::PAYLOAD_TOO_LARGE, "requests here have no body");
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    next.run(request).await
}

async fn respond(
    State(files): State<Arc<Files>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let Files { site, base } = &*files;
    let path = uri.path();
    // Names are looked up to the letter, nothing is decoded: what is not in the table is not there.
    match path.strip_prefix(base.as_str()) {
        Some(name) => {
            let name = if name.is_empty() { PAGE } else { name };
            match site.file(name) {
                Some(file) => send(name, file, &method, &headers),
                None => text(StatusCode::NOT_FOUND, "there is no such file"),
            }
        }
        None if path == base.trim_end_matches('/') => {
            let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            redirect(&format!("{base}{query}"))
        }
        None => text(StatusCode::NOT_FOUND, &format!("the app is at {base}")),
    }
}

const FOR_EVER: &str = "public, max-age=31536000, immutable";

fn send(name: &str, file: &File, method: &Method, asked: &HeaderMap) -> Response {
    let (encoding, body) = file.body(&list(asked, header::ACCEPT_ENCODING));
    let tag = file.tag(encoding);
    let len = body.len();
    let selection = match list(asked, header::RANGE) {
        range if *method == Method::GET && is_in_range_of(asked, &tag) => {
            Selection::parse(&range, len)
        }
        _ => Selection::Whole,
    };

    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(header::ETAG, &tag);
    set(header::VARY, "Accept-Encoding");
    set(header::CACHE_CONTROL, if file.is_immutable { FOR_EVER } else { "no-cache" });
    set(header::ACCEPT_RANGES, "bytes");
    if name == PAGE {
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        // Other sites may frame the page, also those that ask leave of whatever they embed.
        set(HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    }
    let (status, body) = if has_tag(&list(asked, header::IF_NONE_MATCH), &tag) {
        // The length of the response that is not sent.
        set(header::CONTENT_LENGTH, &len.to_string());
        (StatusCode::NOT_MODIFIED, Body::empty())
    } else {
        match selection {
            Selection::Unsatisfiable => {
                let mut response =
                    text(StatusCode::RANGE_NOT_SATISFIABLE, "there are no such bytes");
                set(header::CONTENT_RANGE, &format!("bytes */{len}"));
                headers.remove(header::CACHE_CONTROL);
                response.headers_mut().extend(headers);
                return response;
            }
            Selection::Part(part) => {
                let (first, last) = (part.start, part.end - 1);
                set(header::CONTENT_RANGE, &format!("bytes {first}-{last}/{len}"));
                set(header::CONTENT_TYPE, file.media_type);
                (StatusCode::PARTIAL_CONTENT, Body::from(body.slice(part)))
            }
            Selection::Whole => {
                set(header::CONTENT_TYPE, file.media_type);
                (StatusCode::OK, Body::from(body))
            }
        }
    };
    if let (Some(encoding), true) = (encoding, status.is_success()) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    let mut response = Response::new(body);
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}

/// A header of several values, all lines of it; what is no text counts as absent.
fn list(headers: &HeaderMap, name: HeaderName) -> String {
    let values: Vec<&str> =
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(", ")
}

fn has_tag(tags: &str, tag: &str) -> bool {
    let plain = |one: &str| one.trim().trim_start_matches("W/") == tag;
    tags.trim() == "*" || tags.split(',').any(plain)
}

/// Whether a range counts: without If-Range, or if that names this very body. A date never does,
/// since files have none.
fn is_in_range_of(asked: &HeaderMap, tag: &str) -> bool {
    asked.get(header::IF_RANGE).is_none_or(|value| value == tag)
}

fn redirect(to: &str) -> Response {
    let mut response = text(StatusCode::PERMANENT_REDIRECT, to);
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

/// One sentence as a response that nobody keeps.
pub(crate) fn text(status: StatusCode, sentence: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{sentence}\n")));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests;
