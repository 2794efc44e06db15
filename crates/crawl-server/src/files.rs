//! Serves the files of a site, with caching, compressed copies and ranges.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::range::Selection;
use crate::site::{File, PAGE, Site};

/// A site and its base path, which starts and ends with a slash.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) site: Site,
    pub(crate) base: String,
}

/// Routes GET and HEAD requests to the files of a site; request bodies are refused.
pub(crate) fn service(files: Arc<Files>) -> MethodRouter {
    get(respond).layer(from_fn(refuse_body)).with_state(files)
}

/// Refuses a request with a body before reading it; the connection then closes.
async fn refuse_body(request: Request, next: Next) -> Response {
    if !request.body().is_end_stream() {
        let mut response = text(StatusCode::PAYLOAD_TOO_LARGE, "request bodies are not accepted");
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
    // Names are looked up verbatim, without decoding.
    match path.strip_prefix(base.as_str()) {
        Some(name) => {
            let name = if name.is_empty() { PAGE } else { name };
            match site.file(name) {
                Some(file) => send(name, file, &method, &headers),
                None => text(StatusCode::NOT_FOUND, "file not found"),
            }
        }
        None if path == base.trim_end_matches('/') => {
            let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            redirect(&format!("{base}{query}"))
        }
        None => text(StatusCode::NOT_FOUND, &format!("the app is at {base}")),
    }
}

const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";

fn send(name: &str, file: &File, method: &Method, asked: &HeaderMap) -> Response {
    let (encoding, body) = file.body(&list(asked, header::ACCEPT_ENCODING));
    let tag = file.tag(encoding);
    let len = body.len();
    let selection = match list(asked, header::RANGE) {
        range if *method == Method::GET && range_applies(asked, &tag) => {
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
    set(header::CACHE_CONTROL, if file.is_immutable { CACHE_FOREVER } else { "no-cache" });
    set(header::ACCEPT_RANGES, "bytes");
    if name == PAGE {
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        // Other sites may embed the page, also with Cross-Origin-Embedder-Policy.
        set(HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    }
    let (status, body) = if has_tag(&list(asked, header::IF_NONE_MATCH), &tag) {
        // The length that GET would send.
        set(header::CONTENT_LENGTH, &len.to_string());
        (StatusCode::NOT_MODIFIED, Body::empty())
    } else {
        match selection {
            Selection::Unsatisfiable => {
                let mut response =
                    text(StatusCode::RANGE_NOT_SATISFIABLE, "the range is outside the file");
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

/// All values of a header, joined; values that are not text are skipped.
fn list(headers: &HeaderMap, name: HeaderName) -> String {
    let values: Vec<&str> =
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(", ")
}

fn has_tag(tags: &str, tag: &str) -> bool {
    let plain = |one: &str| one.trim().trim_start_matches("W/") == tag;
    tags.trim() == "*" || tags.split(',').any(plain)
}

/// Whether a range applies: without If-Range, or if its tag matches. Dates never match.
fn range_applies(asked: &HeaderMap, tag: &str) -> bool {
    asked.get(header::IF_RANGE).is_none_or(|value| value == tag)
}

fn redirect(to: &str) -> Response {
    let mut response = text(StatusCode::PERMANENT_REDIRECT, to);
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

/// A plain-text response that is not cached.
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
