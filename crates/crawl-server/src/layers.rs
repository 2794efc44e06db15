//! Layers around all routes: response headers, limits and the host check.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

use crate::files::text;
use crate::hosts::{self, Hosts};

/// Maximum bytes of a request's path and query.
const MOST_URI_BYTES: usize = 8 << 10;
/// Time limit for a handler to start its response.
const RESPONSE_WITHIN: Duration = Duration::from_secs(30);

/// Headers of all responses. Framing is allowed: experiments are embedded in other pages.
const ALWAYS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Adds the layers; handlers can override the headers.
pub(crate) fn add_layers(routes: Router, hosts: Hosts, policy: Option<HeaderValue>) -> Router {
    // The last layer is the outermost.
    let mut routes = routes
        .layer(from_fn(limit_uri))
        .layer(from_fn_with_state(Arc::new(hosts), hosts::check))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, RESPONSE_WITHIN))
        .layer(CatchPanicLayer::new())
        .layer(SetResponseHeaderLayer::if_not_present(header::CONTENT_SECURITY_POLICY, policy));
    for (name, value) in ALWAYS {
        let value = HeaderValue::from_static(value);
        routes = routes.layer(SetResponseHeaderLayer::if_not_present(name, value));
    }
    routes
}

async fn limit_uri(request: Request, next: Next) -> Response {
    let target = request.uri().path_and_query();
    if target.is_some_and(|target| target.as_str().len() > MOST_URI_BYTES) {
        return text(StatusCode::URI_TOO_LONG, "the URL is too long");
    }
    next.run(request).await
}
