#[cfg(unix)]
mod many_connections;

use super::*;
use crate::site::testing::site;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Time limit of waits, reached only on failure.
const TIMEOUT: Duration = Duration::from_secs(60);

const GET: &str = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const GET_AND_CLOSE: &str = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

impl Running {
    async fn with(change: impl FnOnce(Server) -> Server) -> Self {
        let options = Options { port: Some(0), ..Options::default() };
        let server = change(Server::bind(site(), &options).await.unwrap());
        let address = server.address;
        assert_eq!(server.url(), format!("http://127.0.0.1:{}/", address.port()));
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self { address, stop, ended }
    }

    async fn start() -> Self {
        Self::with(|server| server).await
    }

    async fn limited(limits: ConnectionLimits) -> Self {
        Self::with(|server| Server { limits, ..server }).await
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Everything received until the server closes the connection.
    async fn raw(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        // The server may close before everything is written.
        let _ = stream.write_all(request.as_bytes()).await;
        read_to_end(&mut stream).await
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        time::timeout(TIMEOUT, self.ended).await.unwrap().unwrap();
    }
}

async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Reads a complete response to [`GET`].
async fn read_page(stream: &mut TcpStream) {
    let mut answer = String::new();
    while !answer.ends_with("'none'\">") {
        let mut part = [0; 512];
        let n = time::timeout(TIMEOUT, stream.read(&mut part)).await.unwrap().unwrap();
        assert_ne!(n, 0, "{answer}");
        answer += std::str::from_utf8(&part[..n]).unwrap();
    }
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
}

#[tokio::test]
async fn it_answers_until_it_is_stopped() {
    let server = Running::start().await;
    let address = server.address;
    let head = server.raw("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    let whole = server.raw(GET_AND_CLOSE).await;
    let (headers, body) = whole.split_once("\r\n\r\n").unwrap();
    let length = format!("content-length: {}\r\n", body.len());
    assert!(head.contains(&length) && format!("{headers}\r\n").contains(&length), "{head}");
    server.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn foreign_missing_and_double_hosts_are_refused() {
    let server = Running::start().await;
    let status = async |request: String| {
        let answer = server.raw(&request).await;
        let body = answer.split_once("\r\n\r\n").unwrap().1.to_owned();
        assert!(answer.starts_with("HTTP/1.1 200") || body.lines().count() == 1, "{answer}");
        assert!(!answer.contains("evil"), "nothing of the request comes back: {answer}");
        answer[9..12].to_owned()
    };
    let ask = async |target: &str, version: &str, headers: &str| {
        status(format!("GET {target} HTTP/{version}\r\n{headers}Connection: close\r\n\r\n")).await
    };
    let port = server.address.port();
    for host in ["localhost", "LOCALHOST.", "127.0.0.1", "[::1]"] {
        for host in [host.to_owned(), format!("{host}:{port}")] {
            for version in ["1.1", "1.0"] {
                let answer = ask("/", version, &format!("Host: {host}\r\n")).await;
                assert_eq!(answer, "200", "{host} {version}");
            }
        }
    }
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", "evil@localhost"] {
        for target in ["/", "/nowhere", "http://localhost/"] {
            let answer = ask(target, "1.1", &format!("Host: {host}\r\n")).await;
            assert_eq!(answer, "421", "{host} {target}");
        }
    }
    for version in ["1.1", "1.0"] {
        assert_eq!(ask("/", version, "").await, "400", "missing");
        assert_eq!(ask("/", version, "Host:\r\n").await, "400", "empty");
        let double = "Host: localhost\r\nHost: localhost\r\n";
        assert_eq!(ask("/", version, double).await, "400", "double");
        let double = "Host: localhost\r\nhost: evil.example\r\n";
        assert_eq!(ask("/", version, double).await, "400", "double");
    }
    let own = "Host: localhost\r\n";
    assert_eq!(ask("http://localhost/", "1.1", own).await, "200");
    assert_eq!(ask("http://127.0.0.1:1/index.html", "1.1", own).await, "200");
    for target in
        ["http://evil.example/", "http://evil@localhost/", "http://127.0.0.1.evil.example/"]
    {
        assert_eq!(ask(target, "1.1", own).await, "421", "{target}");
    }
    assert_eq!(ask("http://localhost/", "1.1", "").await, "400");
    server.stop().await;
}

#[tokio::test]
async fn hosts_can_be_allowed() {
    let options = Options {
        port: Some(0),
        allowed_hosts: vec!["box.example".to_owned()],
        ..Options::default()
    };
    let allowed = Server::bind(site(), &options).await.unwrap().hosts;
    let server = Running::with(|server| Server { hosts: allowed, ..server }).await;
    let ask = async |host: &str| {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        server.raw(&request).await[9..12].to_owned()
    };
    assert_eq!(ask("Box.example:8080").await, "200");
    assert_eq!(ask("localhost").await, "200");
    assert_eq!(ask("box.example.evil").await, "421");
    server.stop().await;
    let options = Options { allowed_hosts: vec!["box:80".to_owned()], ..options };
    let error = Server::bind(site(), &options).await.unwrap_err().to_string();
    assert!(error.contains("without a port"), "{error}");
}

#[tokio::test]
async fn endless_requests_are_cut_off() {
    let server = Running::start().await;
    let long = "a".repeat(MOST_HEADER_BYTES * 2);
    let uri = server.raw(&format!("GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
    let header = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n");
    for answer in [uri, server.raw(&header).await] {
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let many = "X: y\r\n".repeat(MOST_HEADERS + 1);
    let many = server.raw(&format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n")).await;
    assert!(many.starts_with("HTTP/1.1 431"), "{many}");
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    for body in [
        "Content-Length: 1\r\n\r\nx",
        "Content-Length: 99999999\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
    ] {
        let answer = server.raw(&format!("{head}{body}")).await;
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let short = Duration::from_millis(50);
    let server = Running::limited(ConnectionLimits { headers_within: short, ..LIMITS }).await;
    // Nothing sent, half a request, and idle after a request.
    for sent in ["", "GET / HTTP/1.1\r\nHost:"] {
        assert_eq!(server.raw(sent).await, "");
    }
    assert!(server.raw(GET).await.starts_with("HTTP/1.1 200 OK\r\n"));
    server.stop().await;
    // Also a connection that waits for a handler.
    let server = Running::with(|server| Server {
        limits: ConnectionLimits { silent_within: short, ..LIMITS },
        ..server.merge(Router::new().route("/wait", get(std::future::pending::<()>)))
    });
    let server = server.await;
    assert_eq!(server.raw("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n").await, "");
    server.stop().await;
}

#[tokio::test]
async fn a_new_client_is_let_in_however_many_are_there() {
    let server = Running::limited(ConnectionLimits { connections: 4, ..LIMITS }).await;
    let mut held = Vec::new();
    for at in 0..40 {
        let mut stream = server.connect().await;
        if at % 2 == 0 {
            stream.write_all(b"GET / HTTP").await.unwrap();
        } else {
            stream.write_all(GET.as_bytes()).await.unwrap();
            read_page(&mut stream).await;
        }
        held.push(stream);
    }
    assert!(server.raw(GET_AND_CLOSE).await.starts_with("HTTP/1.1 200 OK\r\n"));
    // The first were closed; the last are still open.
    read_to_end(&mut held[0]).await;
    read_to_end(&mut held[1]).await;
    let last = held.last_mut().unwrap();
    last.write_all(GET.as_bytes()).await.unwrap();
    read_page(last).await;
    server.stop().await;
}

/// Routes whose response waits for the test.
fn waiting() -> (Router, oneshot::Receiver<()>, oneshot::Sender<()>) {
    let ((asked, is_asked), (answer, may_answer)) = (oneshot::channel(), oneshot::channel());
    let once = Arc::new(std::sync::Mutex::new(Some((asked, may_answer))));
    let handler = move || {
        let taken = once.lock().unwrap().take();
        async move {
            let (asked, may_answer) = taken.unwrap();
            asked.send(()).unwrap();
            let _ = may_answer.await;
            "finished"
        }
    };
    (Router::new().route("/slow", get(handler)), is_asked, answer)
}

const SLOW: &str = "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn what_is_under_way_is_finished_when_it_stops() {
    let (routes, is_asked, answer) = waiting();
    let server = Running::with(|server| Server {
        limits: ConnectionLimits { stop_within: TIMEOUT, ..LIMITS },
        ..server.merge(routes)
    });
    let server = server.await;
    let mut unused = server.connect().await;
    let mut idle = server.connect().await;
    idle.write_all(GET.as_bytes()).await.unwrap();
    read_page(&mut idle).await;
    let mut slow = server.connect().await;
    slow.write_all(SLOW.as_bytes()).await.unwrap();
    is_asked.await.unwrap();
    server.stop.send(()).unwrap();
    // Unused connections close at once; new ones are not accepted.
    assert_eq!(read_to_end(&mut unused).await, "");
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(TcpStream::connect(server.address).await.is_err());
    assert!(!server.ended.is_finished());
    answer.send(()).unwrap();
    assert!(read_to_end(&mut slow).await.ends_with("finished"));
    time::timeout(TIMEOUT, server.ended).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_does_not_finish_is_cut_off() {
    let (routes, is_asked, _answer) = waiting();
    let server = Running::with(|server| Server {
        limits: ConnectionLimits { stop_within: Duration::from_millis(50), ..LIMITS },
        ..server.merge(routes)
    });
    let server = server.await;
    let mut slow = server.connect().await;
    slow.write_all(SLOW.as_bytes()).await.unwrap();
    is_asked.await.unwrap();
    server.stop().await;
    assert_eq!(read_to_end(&mut slow).await, "");
}

#[tokio::test]
async fn merged_routes_are_guarded_like_files() {
    let routes = Router::new()
        .route("/live", get(|| async { "live" }))
        .route("/broken", get(|| async { panic!("broken") as &'static str }));
    let server = Running::with(|server| server.merge(routes)).await;
    let ask = async |path: &str, host: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        server.raw(&head).await
    };
    let live = ask("/live", "localhost").await;
    assert!(live.starts_with("HTTP/1.1 200") && live.ends_with("live"), "{live}");
    let foreign = ask("/live", "evil.example").await;
    assert!(foreign.starts_with("HTTP/1.1 421"), "{foreign}");
    let broken = ask("/broken", "localhost").await;
    assert!(broken.starts_with("HTTP/1.1 500"), "{broken}");
    for answer in [live, foreign, broken] {
        assert!(answer.contains("content-security-policy: default-src 'none'\r\n"), "{answer}");
    }
    assert!(ask("/", "localhost").await.starts_with("HTTP/1.1 200"));
    server.stop().await;
}

#[tokio::test]
async fn a_taken_port_is_reported_and_without_a_port_another_is_found() {
    let options = Options { port: Some(0), ..Options::default() };
    let first = Server::bind(site(), &options).await.unwrap();
    let options = Options { port: Some(first.address.port()), ..Options::default() };
    let error = Server::bind(site(), &options).await.unwrap_err().to_string();
    assert!(error.contains("is in use"), "{error}");
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
