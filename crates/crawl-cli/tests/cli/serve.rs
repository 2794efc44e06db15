//! `crawlscope serve`: prints its address, checks the host, and stops on a signal.

use crate::bad_input::refused;
use crate::support::{Folder, PROGRAM};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running server, killed on drop.
struct Served {
    process: Child,
    lines: BufReader<ChildStdout>,
    address: String,
}

impl Served {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut process = Command::new(PROGRAM)
            .args(["serve", "--port", "0", "--dir", &folder.path("")])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("Crawlscope is at http://").expect("an address");
        let address = address.trim_end_matches('/').to_owned();
        Self { process, lines, address }
    }

    fn ask(&self, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn it_serves_the_hosts_it_was_given_until_a_signal() {
    let folder = Folder::new("serve");
    folder.write("index.html", "the page");
    for signal in ["-TERM", "-INT"] {
        let mut served = Served::start(&folder, &["--allow-host", "box.example"]);
        for host in ["localhost", "box.example"] {
            let answer = served.ask(host);
            assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("the page"), "{answer}");
        }
        let answer = served.ask("evil.example");
        assert!(answer.starts_with("HTTP/1.1 421") && answer.contains("localhost"), "{answer}");
        // An open connection does not delay the exit.
        let _held = TcpStream::connect(&served.address).expect("it listens");
        let id = served.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("a signal is sent");
        assert!(sent.success());
        let status = served.process.wait().expect("it ends");
        assert!(status.success(), "{signal}: {status}");
        let mut rest = String::new();
        served.lines.read_to_string(&mut rest).expect("its output");
        assert_eq!(rest, "Press Ctrl-C to stop.\n");
    }
}

#[test]
fn invalid_options_are_refused() {
    let folder = Folder::new("serve-wrong");
    let here = folder.path("");
    refused(&["serve", "--dir", &here], &["no index.html in this folder"]);
    folder.write("index.html", "");
    let serve = ["serve", "--port", "0", "--dir", &here];
    refused(&[&serve[..], &["--allow-host", "box:80"]].concat(), &["`box:80` is not a host"]);
    refused(&[&serve[..], &["--base", "/a//b/"]].concat(), &["`/a//b/` is not a base path"]);
}
