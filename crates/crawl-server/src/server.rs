//! Listening on loopback, within bounds.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::{task, time};

use crate::connections::Connections;
use crate::files::{self, Files};
use crate::hosts::Hosts;
use crate::{ServeError, Site, layers};

/// Tried first where no port is given, so that what a browser keeps for this address is found again
/// the next time.
const FAVOURITE_PORT: u16 = 4780;
/// Connections that wait to be accepted. The default of 128 overflows when a crowd comes while the
/// process does not run, and whoever is dropped tries again only after a second.
const BACKLOG: u32 = 1024;
/// A request's line and headers, together.
const MOST_HEADER_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// Bounds on connections.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Open at the same time; beyond that the longest silent one is closed.
    connections: usize,
    /// For the head of a request, counted from the end of the response before it: also how long a
    /// kept-alive connection may be idle.
    headers_within: Duration,
    /// Without a byte in either direction, whatever the connection waits for.
    silent_within: Duration,
    /// For what is under way when the server stops.
    stop_within: Duration,
}

const LIMITS: Limits = Limits {
    connections: 1024,
    headers_within: Duration::from_secs(10),
    silent_within: Duration::from_secs(60),
    stop_within: Duration::from_secs(3),
};

/// Where and what to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port; without one, any that is free.
    pub port: Option<u16>,
    /// The path the app stands at, which begins and ends with a slash.
    pub base: String,
    /// Hosts that requests may name besides those of loopback, without ports.
    pub allowed_hosts: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: None, base: "/".to_owned(), allowed_hosts: Vec::new() }
    }
}

/// A server that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    files: Arc<Files>,
    routes: Router,
    hosts: Hosts,
    address: SocketAddr,
    limits: Limits,
}

impl Server {
    /// Listens on loopback.
    ///
    /// # Errors
    /// A [`ServeError`] if an option is invalid or the port cannot be had.
    pub async fn bind(site: Site, options: &Options) -> Result<Self, ServeError> {
        let base = checked_base(&options.base)?.to_owned();
        let hosts = Hosts::new(&options.allowed_hosts)?;
        let listener = match options.port {
            Some(port) => listen(port).map_err(|error| match error.kind() {
                ErrorKind::AddrInUse => ServeError::Busy(port),
                ErrorKind::PermissionDenied => ServeError::Forbidden(port),
                _ => ServeError::Listen(error),
            })?,
            None => match listen(FAVOURITE_PORT) {
                Ok(listener) => listener,
                Err(_) => listen(0).map_err(ServeError::Listen)?,
            },
        };
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        let files = Arc::new(Files { site, base });
        Ok(Self { listener, files, routes: Router::new(), hosts, address, limits: LIMITS })
    }

    /// Adds routes, which come before the files. Host check, headers and limits hold for them too.
    #[must_use]
    pub fn merge(self, routes: Router) -> Self {
        Self { routes: self.routes.merge(routes), ..self }
    }

    /// The address to open.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.files.base)
    }

    /// Serves until `stop` completes, then lets requests under way finish, within a bound.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, files, routes, hosts, limits, .. } = self;
        let policy = files.site.policy().cloned();
        let routes = routes.fallback_service(files::service(files));
        let service = TowerToHyperService::new(layers::surround(routes, hosts, policy));
        let connections = Connections::new(limits.connections, limits.silent_within);
        let graceful = GracefulShutdown::new();
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(limits.headers_within)
            .max_buf_size(MOST_HEADER_BYTES)
            .max_headers(MOST_HEADERS);
        let mut stop = std::pin::pin!(stop);
        // Nothing here waits for a connection to end: a new client is always let in.
        loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    // Only a matter of speed.
                    let _ = stream.set_nodelay(true);
                    let (stream, place) = connections.admit(stream);
                    let served = builder.serve_connection(TokioIo::new(stream), service.clone());
                    let served = graceful.watch(served);
                    task::spawn(async move {
                        // A connection that breaks concerns only its client.
                        tokio::select! {
                            _ = served => {}
                            () = place.closes() => {}
                        }
                    });
                }
                Err(error) if is_of_one_connection(&error) => {}
                // Out of file descriptors, most likely: have one back, then try again.
                Err(_) if connections.close_longest_silent() => task::yield_now().await,
                Err(_) => time::sleep(Duration::from_millis(10)).await,
            }
        }
        drop(listener);
        connections.close_unused();
        let _ = time::timeout(limits.stop_within, graceful.shutdown()).await;
        connections.close_all();
    }
}

/// Whether only the connection that was about to be accepted failed.
fn is_of_one_connection(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    [ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted].contains(&error.kind())
}

/// Serves until the terminal interrupts or the process is told to end; `ready` gets the address.
///
/// # Errors
/// As [`Server::bind`].
pub fn serve_until_interrupted(
    site: Site,
    options: &Options,
    ready: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(ServeError::Listen)?.block_on(async {
        let server = Server::bind(site, options).await?;
        ready(&server.url());
        server.run(interrupted()).await;
        Ok(())
    })
}

/// Comes when this program is asked to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // Elsewhere than on Windows: a port is free again as soon as its server has ended.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    socket.listen(BACKLOG)
}

fn checked_base(base: &str) -> Result<&str, ServeError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let is_path = base.starts_with('/')
        && base.ends_with('/')
        && base.bytes().all(plain)
        && base.len() <= 1000
        && !base.contains("//")
        && !base.split('/').any(|part| part == "." || part == "..");
    if is_path { Ok(base) } else { Err(ServeError::Base(base.to_owned())) }
}

#[cfg(test)]
mod tests;
