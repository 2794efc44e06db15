//! Small sample files, at least one per importer.

use crate::account::{self, Account};
use crawl_import::Imported;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::ops::Range;

/// A sample file and its counter.
pub struct Sample {
    /// Description.
    pub what: &'static str,
    /// The importer that reads it.
    pub importer: &'static str,
    /// The name of the main file.
    pub name: &'static str,
    /// The bytes to damage: the main file, or its companion.
    pub bytes: Vec<u8>,
    /// The main file, if the companion is damaged.
    pub beside: Option<Vec<u8>>,
    /// The records of an archive.
    pub records: Vec<Vec<u8>>,
    /// Byte ranges covered by a digest, if not gzipped.
    pub covered: Vec<Range<usize>>,
    /// Counts rows.
    pub account: fn(&[u8], &Imported) -> Account,
}

/// Compression of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    None,
    /// One gzip member.
    Unsigned,
    /// One gzip member per record.
    Records,
}

impl Packing {
    pub fn pack(self, sample: &Sample) -> Vec<u8> {
        match self {
            Self::None => sample.bytes.clone(),
            Self::Unsigned => gzip(&sample.bytes),
            Self::Records => sample.records.iter().flat_map(|record| gzip(record)).collect(),
        }
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

impl Sample {
    fn text(
        what: &'static str,
        importer: &'static str,
        text: &str,
        account: fn(&[u8], &Imported) -> Account,
    ) -> Self {
        Self {
            what,
            importer,
            name: "sample",
            bytes: text.as_bytes().to_vec(),
            beside: None,
            records: Vec::new(),
            covered: Vec::new(),
            account,
        }
    }

    fn beside(self, main: &str) -> Self {
        Self { beside: Some(main.as_bytes().to_vec()), ..self }
    }
}

/// Every sample.
pub fn samples() -> Vec<Sample> {
    const EDGES: &str =
        "# two comments\n% here\nsource target\n0 1\n0\t2\n1,10\n1 1\n10 0\n2 0\n2 0\n";
    vec![
        Sample::text("numbers", "edge-list", EDGES, account::edge_list),
        Sample::text(
            "URLs",
            "edge-list",
            "http://a.example/ http://b.example/x\nhttp://b.example/x,http://a.example/\n\
             http://b.example/x\thttp://b.example/y 0.5\n",
            account::edge_list,
        ),
        Sample::text(
            "rows of pages and links",
            "edge-list",
            "n 3 http://a.example/\nn 7 http://b.example/\ne 3 7\ne 7 3\n",
            account::edge_list,
        ),
        Sample::text(
            "a file of URLs",
            "edge-list",
            "id url\n0 http://a.example/\n1 http://b.example/ x\n2 http://c.example\n10 http://d.example/\n",
            account::urls,
        )
        .beside(EDGES),
        Sample::text(
            "rows of links",
            "adjacency-text",
            "4\n1 2\n\n0,3 3\n0 1\t3\n",
            account::adjacency_text,
        ),
        Sample::text(
            "a history",
            "change-history",
            "page\tunix_time\tstatus\tcommit\tfiles\nb.md\t70\tM\nsrc/a.md\t1000\tA\tc1\t3\n\
             src/a.md\t1600\tM\tc2\t51\nb.md\t900\tD\tc3\t1\nhttp://x.example/d\t1001\tM\tc3\n\
             b.md\t900\tM\tc4\t2\n",
            account::change_history,
        ),
        Sample::text("a world", "json-lines", WORLD, account::json_lines),
        archive("an archive without digests", false),
        archive("an archive with digests", true),
        Sample::text(
            "labels",
            "warc",
            "url\tclass\nhttp://a.example/\thome\nhttp://a.example/b\tcourse\tmore\nhttp://a.example/b other\n",
            account::labels,
        )
        .beside_archive(),
    ]
}

const WORLD: &str = r#"{"format":"crawlscope-world","version":1,"title":"w","seeds":["http://a.example/"]}
{"url":"http://a.example/","title":"A","links":["b",{"to":"/c","anchor":"c","rel":"nofollow"},"/c","http://o.example/1","http://o.example/2","mailto:a"]}
{"url":"http://a.example/b","status":301,"location":"/c"}
{"url":"http://a.example/c","bytes":52,"topics":["x","y"],"changes_s":[60,70]}
{"host":"a.example","robots":"Disallow:"}
"#;

/// A record of an archive, without its line breaks.
fn record(kind: &str, url: &str, block: &[u8], digest: bool) -> Vec<u8> {
    let mut header = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n");
    if digest {
        header.push_str(&format!("WARC-Block-Digest: sha1:{}\r\n", base32(&sha1(block))));
    }
    header.push_str(&format!("Content-Length: {}\r\n\r\n", block.len()));
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut sha1 = sha1_smol::Sha1::new();
    sha1.update(bytes);
    sha1.digest().bytes()
}

/// Base32 by RFC 4648: five bits per character.
fn base32(bytes: &[u8; 20]) -> String {
    let bit = |at: usize| usize::from(bytes[at / 8] >> (7 - at % 8) & 1);
    let letter = |n: usize| (0..5).fold(0, |value, i| value * 2 + bit(n * 5 + i));
    (0..32).map(|n| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[letter(n)])).collect()
}

fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {headers}\r\n\r\n").as_bytes(), body].concat()
}

/// A page of an archive.
pub fn page(url: &str, text: &str) -> Vec<u8> {
    let block = response("200 OK\r\nContent-Type: text/html", text.as_bytes());
    record("response", url, &block, false)
}

fn archive(what: &'static str, digest: bool) -> Sample {
    let html = "200 OK\r\nContent-Type: text/html";
    let packed = format!("{html}\r\nContent-Encoding: gzip");
    let chunked = format!("{html}\r\nTransfer-Encoding: chunked");
    let plain = response("200 OK\r\nContent-Type: text/plain", b"Disallow: /x");
    let responses = [
        ("robots.txt", plain),
        ("", response(html, b"<title>A</title><a href=b>b</a> <a href=c>c</a>")),
        ("b", response(&packed, &gzip(b"<p>unpacked <a href=/>home</a>"))),
        ("c", response(&chunked, b"7\r\n<p>some\r\n5\r\n text\r\n0\r\n\r\n")),
        ("d", response("302 Found\r\nLocation: /b", b"")),
        ("e.png", response("200 OK\r\nContent-Type: image/png", b"png")),
    ];
    let mut records = vec![
        record("warcinfo", "", b"software: ours", digest),
        record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n", digest),
    ];
    for (path, block) in &responses {
        records.push(record("response", &format!("http://a.example/{path}"), block, digest));
    }
    let mut covered = Vec::new();
    let mut at = 0;
    for record in &records {
        let header = record.windows(4).position(|w| w == b"\r\n\r\n").expect("a header") + 4;
        covered.push(at + header..at + record.len() - 4);
        at += record.len();
    }
    Sample {
        what,
        importer: "warc",
        name: "sample.warc",
        bytes: records.concat(),
        beside: None,
        records,
        covered: if digest { covered } else { Vec::new() },
        account: account::warc,
    }
}

impl Sample {
    fn beside_archive(self) -> Self {
        let pages = ["http://a.example/", "http://a.example/b"].map(|url| page(url, "text"));
        Self { beside: Some(pages.concat()), name: "sample.warc", ..self }
    }
}
