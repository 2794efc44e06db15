//! Listening on loopback, within bounds.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time;

use crate::answer::answer;
use crate::{ServeError, Site};

/// Tried first where no port is given, so that what a browser keeps for this address is found again
/// the next time.
const FAVOURITE_PORT: u16 = 4780;
/// A request's line and headers, together.
const MOST_HEADER_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
const MOST_CONNECTIONS: usize = 256;
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// However slowly somebody reads: nothing the app needs takes so long on loopback.
const CONNECTION_WITHIN: Duration = Duration::from_secs(600);
/// What is under way when the server is stopped may still finish.
const GRACE: Duration = Duration::from_secs(3);

/// Where to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port; without one, any that is free.
    pub port: Option<u16>,
    /// The path the app stands at, which begins and ends with a slash.
    pub base: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: None, base: "/".to_owned() }
    }
}

/// A server that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
    base: Arc<str>,
    address: SocketAddr,
}

impl Server {
    /// Listens on loopback.
    pub async fn bind(site: Site, options: &Options) -> Result<Self, ServeError> {
        let base = checked_base(&options.base)?.into();
        let listener = match options.port {
            Some(port) => listen(port).await.map_err(|error| match error.kind() {
                io::ErrorKind::AddrInUse => ServeError::Busy(port),
                io::ErrorKind::PermissionDenied => ServeError::Forbidden(port),
                _ => ServeError::Listen(error),
            })?,
            None => match listen(FAVOURITE_PORT).await {
                Ok(listener) => listener,
                Err(_) => listen(0).await.map_err(ServeError::Listen)?,
            },
        };
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        Ok(Self { listener, site: Arc::new(site), base, address })
    }

    /// The address to open.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Answers until `stop` comes, then lets what is under way finish.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut stop = std::pin::pin!(stop);
        loop {
            let accept = async {
                let place = room.clone().acquire_owned().await;
                (self.listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                () = &mut stop => break,
                accepted = accept => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let connection = self.connection(stream, &graceful);
                    tokio::spawn(async move {
                        // A connection that breaks concerns nobody but whoever broke it.
                        let _ = time::timeout(CONNECTION_WITHIN, connection).await;
                        drop(place);
                    });
                }
                // Out of file descriptors, most likely: wait for some to come back.
                Err(_) => time::sleep(Duration::from_millis(100)).await,
            }
        }
        drop(self.listener);
        let _ = time::timeout(GRACE, graceful.shutdown()).await;
    }

    /// Answers one connection, until it ends or all is to end.
    fn connection(
        &self,
        stream: TcpStream,
        graceful: &GracefulShutdown,
    ) -> impl Future<Output = hyper::Result<()>> + Send + use<> {
        let (site, base) = (Arc::clone(&self.site), Arc::clone(&self.base));
        let service = service_fn(move |request| {
            let answer = answer(&site, &base, &request);
            async move { Ok::<_, Infallible>(answer) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS_WITHIN)
            .max_buf_size(MOST_HEADER_BYTES)
            .max_headers(MOST_HEADERS)
            .serve_connection(TokioIo::new(stream), service);
        graceful.watch(connection)
    }
}

/// Serves until the terminal interrupts; `ready` is told the address.
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

async fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
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
mod tests {
    use super::*;
    use crate::site::testing::site;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::oneshot;

    async fn raw(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // A server that has heard enough may close before all is written.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    async fn started() -> (SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
        let options = Options { port: Some(0), ..Options::default() };
        let server = Server::bind(site(), &options).await.unwrap();
        let address = server.address;
        assert_eq!(server.url(), format!("http://127.0.0.1:{}/", address.port()));
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        (address, stop, running)
    }

    #[tokio::test]
    async fn it_answers_until_it_is_stopped() {
        let (address, stop, running) = started().await;
        let head = raw(address, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(!head.contains("content-length: 0"), "{head}");
        let idle = TcpStream::connect(address).await.unwrap();
        stop.send(()).unwrap();
        time::timeout(GRACE * 2, running).await.unwrap().unwrap();
        drop(idle);
        assert!(TcpStream::connect(address).await.is_err());
    }

    #[tokio::test]
    async fn endless_requests_are_cut_off() {
        let (address, stop, running) = started().await;
        let long = "a".repeat(MOST_HEADER_BYTES * 2);
        let uri = raw(address, &format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
        let header = raw(address, &format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n")).await;
        for answer in [uri, header] {
            assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
        let many = "X: y\r\n".repeat(MOST_HEADERS + 1);
        let many = raw(address, &format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n")).await;
        assert!(many.starts_with("HTTP/1.1 431"), "{many}");
        stop.send(()).unwrap();
        running.await.unwrap();
    }

    #[tokio::test]
    async fn a_taken_port_is_told_and_without_a_port_another_is_found() {
        let options = Options { port: Some(0), ..Options::default() };
        let first = Server::bind(site(), &options).await.unwrap();
        let options = Options { port: Some(first.address.port()), ..Options::default() };
        let error = Server::bind(site(), &options).await.unwrap_err().to_string();
        assert!(error.contains("is taken"), "{error}");
        let one = Server::bind(site(), &Options::default()).await.unwrap();
        let two = Server::bind(site(), &Options::default()).await.unwrap();
        assert_ne!(one.address, two.address);
    }

    #[test]
    fn a_base_is_a_plain_path() {
        for base in ["/", "/a/", "/a/b-c.d_e~f/"] {
            assert!(checked_base(base).is_ok(), "{base}");
        }
        for base in ["", "a", "/a", "a/", "//", "/a//b/", "/../", "/./", "/ä/", "/a b/", "/%41/"] {
            assert!(checked_base(base).is_err(), "{base}");
        }
    }
}
