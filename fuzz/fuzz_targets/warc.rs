//! Web archives: input that does not start like one is the block of a response; what follows two
//! zero bytes is the table of labels.

#![no_main]

use crawl_fuzz::check_import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let at = bytes.windows(2).position(|pair| pair == [0, 0]);
    let (archive, labels) = match at {
        Some(at) => (&bytes[..at], Some(&bytes[at + 2..])),
        None => (bytes, None),
    };
    if archive.starts_with(b"WARC/") || archive.starts_with(&[0x1f, 0x8b]) {
        return check_import(archive, labels, Some("warc"));
    }
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
         Content-Length: {}\r\n\r\n",
        archive.len()
    );
    check_import(&[header.as_bytes(), archive].concat(), labels, Some("warc"));
});
