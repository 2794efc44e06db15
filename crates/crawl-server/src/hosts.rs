//! Checks the Host header against DNS rebinding.
//!
//! Another site can let its name resolve to 127.0.0.1 and then read this server as its own origin. Its
//! requests carry its name, so requests for names that are not on the list are refused before any
//! route.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::ServeError;
use crate::files::text;

/// Names of loopback, always allowed.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Allowed host names, on any port, because a port may be forwarded.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
}

/// Status and message of a refused request.
type Refusal = (StatusCode, &'static str);

const MISSING: Refusal = (StatusCode::BAD_REQUEST, "the request has no host");
const DOUBLE: Refusal = (StatusCode::BAD_REQUEST, "the request has two hosts");
const FOREIGN: Refusal = (
    StatusCode::MISDIRECTED_REQUEST,
    "this server does not accept that host; open localhost, or start it with --allow-host",
);

impl Hosts {
    /// The names of loopback plus `more`.
    ///
    /// # Errors
    /// [`ServeError::Host`] if one is not a host name or address without a port.
    pub(crate) fn new(more: &[String]) -> Result<Self, ServeError> {
        let wrong = more.iter().find(|name| !is_name(name) || name_of(name) != Some(name));
        if let Some(wrong) = wrong {
            return Err(ServeError::Host(wrong.clone()));
        }
        let more = more.iter().map(|name| without_dot(name).to_owned());
        Ok(Self { names: LOOPBACK.map(str::to_owned).into_iter().chain(more).collect() })
    }

    fn allows(&self, authority: &str) -> bool {
        name_of(authority).is_some_and(|name| {
            let name = without_dot(name);
            self.names.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
        })
    }

    /// Checks the Host header, and the host of an absolute request target.
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut named = headers.get_all(header::HOST).iter();
        let host = named.next().filter(|host| !host.is_empty()).ok_or(MISSING)?;
        if named.next().is_some() {
            return Err(DOUBLE);
        }
        let is_allowed = host.to_str().is_ok_and(|host| self.allows(host));
        let target = uri.authority().map(Authority::as_str);
        let is_allowed = is_allowed && target.is_none_or(|target| self.allows(target));
        if is_allowed { Ok(()) } else { Err(FOREIGN) }
    }
}

/// Refuses requests for other hosts.
pub(crate) async fn check(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    match hosts.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err((status, why)) => text(status, why),
    }
}

/// The host in `host`, `host:port`, `[address]` or `[address]:port`.
fn name_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(inner) => inner.find(']')? + 2,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (name, port) = authority.split_at(end);
    let is_port = |port: &str| {
        port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    let is_valid = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    (is_valid && !name.is_empty()).then_some(name)
}

/// Removes the final dot of a fully qualified name: `localhost.`.
fn without_dot(name: &str) -> &str {
    match name.strip_suffix('.') {
        Some(short) if short.parse::<Ipv4Addr>().is_err() => short,
        _ => name,
    }
}

/// Whether this is a valid host: a name, an IPv4 address, or an IPv6 address in brackets.
fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => name.len() <= 253 && without_dot(name).split('.').all(is_label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_allowed_by_its_names_on_any_port() {
        let hosts = Hosts::new(&[]).unwrap();
        for host in [
            "localhost",
            "LocalHost:4780",
            "localhost.",
            "localhost.:80",
            "127.0.0.1",
            "127.0.0.1:65535",
            "[::1]",
            "[::1]:4780",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "localhost.evil.example",
            "localhost..",
            "127.0.0.1.",
            "127.0.0.1.evil.example",
            "127.0.0.2",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "::1",
            "[::1",
            "[::1]x",
            "[::]",
            "[::ffff:127.0.0.1]",
            "localhost:",
            "localhost:0",
            "localhost:80:80",
            "localhost:65536",
            "localhost:+80",
            "user@localhost",
            "localhost/",
            "localhost ",
            "localhost,localhost",
        ] {
            assert!(!hosts.allows(host), "{host}");
        }
    }

    #[test]
    fn the_list_can_be_extended_by_names() {
        let more = ["box.example.".to_owned(), "192.168.0.7".to_owned(), "[fe80::1]".to_owned()];
        let hosts = Hosts::new(&more).unwrap();
        for host in ["BOX.example:80", "box.example.", "192.168.0.7", "[fe80::1]:1", "localhost"] {
            assert!(hosts.allows(host), "{host}");
        }
        assert!(!hosts.allows("other.example"));
        for wrong in ["", ".", "*", "a b", "box:80", "[::1]:80", "[x]", "http://box", "a..b", "é"]
        {
            let error = Hosts::new(&[wrong.to_owned()]).unwrap_err();
            assert!(matches!(error, ServeError::Host(_)), "{wrong}");
        }
    }
}
