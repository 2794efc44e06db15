//! The server: listens on loopback, with limits on connections and requests.

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

/// Default port, tried first so that the app keeps its origin and stored data between runs.
const DEFAULT_PORT: u16 = 4780;
/// Length of the accept queue. The default of 128 overflows when many clients connect at once, and
/// dropped clients retry only after a second.
const BACKLOG: u32 = 1024;
/// Maximum bytes of a request's line and headers.
const MOST_HEADER_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// ConnectionLimits on connections.
#[derive(Clone, Copy, Debug)]
struct ConnectionLimits {
    /// Maximum open connections; beyond, the longest silent one is closed.
    connections: usize,
    /// Time limit for the head of a request, from the end of the last response; also the idle limit of a
    /// kept-alive connection.
    headers_within: Duration,
    /// Maximum time without a byte in either direction.
    silent_within: Duration,
    /// Time limit for open requests at shutdown.
    stop_within: Duration,
}

const LIMITS: ConnectionLimits = ConnectionLimits {
    connections: 1024,
    headers_within: Duration::from_secs(10),
    silent_within: Duration::from_secs(60),
    stop_within: Duration::from_secs(3),
};

/// Options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Port; any free one if `None`.
    pub port: Option<u16>,
    /// Base path of the app; starts and ends with a slash.
    pub base: String,
    /// Allowed hosts besides loopback, without ports.
    pub allowed_hosts: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: None, base: "/".to_owned(), allowed_hosts: Vec::new() }
    }
}

/// A listening server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    files: Arc<Files>,
    routes: Router,
    hosts: Hosts,
    address: SocketAddr,
    limits: ConnectionLimits,
}

impl Server {
    /// Listens on loopback.
    ///
    /// # Errors
    /// If an option is invalid or the port is not available.
    pub async fn bind(site: Site, options: &Options) -> Result<Self, ServeError> {
        let base = checked_base(&options.base)?.to_owned();
        let hosts = Hosts::new(&options.allowed_hosts)?;
        let listener = match options.port {
            Some(port) => listen(port).map_err(|error| match error.kind() {
                ErrorKind::AddrInUse => ServeError::Busy(port),
                ErrorKind::PermissionDenied => ServeError::Forbidden(port),
                _ => ServeError::Listen(error),
            })?,
            None => match listen(DEFAULT_PORT) {
                Ok(listener) => listener,
                Err(_) => listen(0).map_err(ServeError::Listen)?,
            },
        };
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        let files = Arc::new(Files { site, base });
        Ok(Self { listener, files, routes: Router::new(), hosts, address, limits: LIMITS })
    }

    /// Adds routes before the files, with the same host check, headers and limits.
    #[must_use]
    pub fn merge(self, routes: Router) -> Self {
        Self { routes: self.routes.merge(routes), ..self }
    }

    /// The URL of the app.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.files.base)
    }

    /// Serves until `stop` completes, then finishes open requests within a time limit.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, files, routes, hosts, limits, .. } = self;
        let policy = files.site.policy().cloned();
        let routes = routes.fallback_service(files::service(files));
        let service = TowerToHyperService::new(layers::add_layers(routes, hosts, policy));
        let connections = Connections::new(limits.connections, limits.silent_within);
        let graceful = GracefulShutdown::new();
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(limits.headers_within)
            .max_buf_size(MOST_HEADER_BYTES)
            .max_headers(MOST_HEADERS);
        let mut stop = std::pin::pin!(stop);
        // Nothing in this loop waits for a connection to end, so new clients are always accepted.
        loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    // Only an optimisation.
                    let _ = stream.set_nodelay(true);
                    let (stream, slot) = connections.admit(stream);
                    let served = builder.serve_connection(TokioIo::new(stream), service.clone());
                    let served = graceful.watch(served);
                    task::spawn(async move {
                        // An error on a connection concerns only its client.
                        tokio::select! {
                            _ = served => {}
                            () = slot.closes() => {}
                        }
                    });
                }
                Err(error) if is_of_one_connection(&error) => {}
                // Probably out of file descriptors: close one connection and retry.
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

/// Whether the error concerns only the connection to be accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    [ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted].contains(&error.kind())
}

/// Serves until SIGINT or SIGTERM; calls `ready` with the URL.
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

/// Completes on SIGINT or SIGTERM.
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
    // Except on Windows: makes a port available again as soon as its server has ended.
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
