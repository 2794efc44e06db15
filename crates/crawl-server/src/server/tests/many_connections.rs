//! Tests with many open connections to a server in another process.
//!
//! Many systems limit a process to 1024 file descriptors, too few for both ends.

use super::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Environment variable set in the serving process.
const SERVES: &str = "CRAWL_SERVER_TEST_SERVES";
const READY: &str = "serving at ";
/// Most that a new client may wait for its page.
const SOON: Duration = Duration::from_millis(500);
/// Rounds of new clients, of which one must see no longer wait: a busy machine delays some rounds, a
/// server that makes clients wait delays all.
const MOST_ROUNDS: usize = 10;

/// A server without time-outs in another process; killed on drop.
struct Other {
    process: Child,
    address: SocketAddr,
}

impl Other {
    /// Runs the named test in another process, optionally with a limit on open files; the test must call
    /// [`serve_if_asked`].
    fn start(test: &str, files: Option<u32>) -> Self {
        let limit = files.map_or(String::new(), |files| format!("ulimit -n {files} && "));
        let mut process = Command::new("sh")
            .args(["-c", &format!("{limit}exec \"$0\" \"$@\"")])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", &format!("server::tests::many_connections::{test}")])
            .env(SERVES, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut addresses = lines.map_while(Result::ok).filter_map(|line| {
            let (_, address) = line.split_once(READY)?;
            address.parse().ok()
        });
        let address = addresses.next().expect("the other process serves");
        Self { process, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Time until a new client has its page.
    fn ask_anew(&self) -> Duration {
        let start = Instant::now();
        let mut stream = self.connect();
        stream.write_all(GET_AND_CLOSE.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        start.elapsed()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// In the other process: serves until it is killed or its parent has ended.
fn serve_if_asked() {
    if std::env::var_os(SERVES).is_none() {
        return;
    }
    std::thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let never = Duration::from_secs(24 * 3600);
        let limits = ConnectionLimits { headers_within: never, silent_within: never, ..LIMITS };
        let server = Running::limited(limits).await;
        println!("{READY}{}", server.address);
        server.ended.await.unwrap();
    });
}

fn read_page(stream: &mut TcpStream) {
    let mut answer = String::new();
    while !answer.ends_with("'none'\">") {
        let mut part = [0; 512];
        let n = stream.read(&mut part).unwrap();
        assert_ne!(n, 0, "{answer}");
        answer += std::str::from_utf8(&part[..n]).unwrap();
    }
}

fn is_open(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let got = stream.peek(&mut [0]);
    got.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn eight_hundred_held_connections_keep_nobody_waiting() {
    serve_if_asked();
    let other = Other::start("eight_hundred_held_connections_keep_nobody_waiting", None);
    let mut held = Vec::new();
    for at in 0..800 {
        let mut stream = other.connect();
        match at {
            0..500 => {
                stream.write_all(GET.as_bytes()).unwrap();
                read_page(&mut stream);
            }
            500..650 => stream.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap(),
            _ => {}
        }
        held.push(stream);
    }
    let rounds: Vec<Duration> = (0..MOST_ROUNDS)
        .map(|_| (0..20).map(|_| other.ask_anew()).max().unwrap_or_default())
        .scan(false, |is_soon, longest| {
            (!std::mem::replace(is_soon, longest < SOON)).then_some(longest)
        })
        .collect();
    assert_eq!(held.iter().filter(|stream| is_open(stream)).count(), 800);
    assert!(rounds.last() < Some(&SOON), "longest wait per round of 20 clients: {rounds:?}");
}

#[test]
fn a_new_client_is_let_in_where_no_file_can_be_opened() {
    serve_if_asked();
    let other = Other::start("a_new_client_is_let_in_where_no_file_can_be_opened", Some(48));
    let held: Vec<TcpStream> = (0..200).map(|_| other.connect()).collect();
    other.ask_anew();
    let n_open = held.iter().filter(|stream| is_open(stream)).count();
    assert!(n_open < 48, "{n_open} connections with 48 files");
}
