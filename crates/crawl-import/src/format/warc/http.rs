//! Parses HTTP responses stored in an archive.

use super::record::{fields, header_len};
use crate::html;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// Number of bytes searched for HTML if the content type does not tell.
const LOOK_BYTES: usize = 1024;

/// An HTTP response.
#[derive(Debug, Default)]
pub(super) struct Response<'b> {
    /// Status, 100 to 599.
    pub(super) status: u16,
    content_type: String,
    pub(super) content_encoding: String,
    chunked: bool,
    /// `Location` of a redirect.
    pub(super) location: String,
    /// `X-Robots-Tag`.
    pub(super) robots: String,
    /// The body as sent.
    pub(super) stored_body: &'b [u8],
}

impl<'b> Response<'b> {
    /// Parses status, headers and body; `None` if the block is not an HTTP response.
    pub(super) fn parse(block: &'b [u8]) -> Option<Self> {
        let len = header_len(block).unwrap_or(block.len());
        let header = String::from_utf8_lossy(&block[..len]);
        let rest = header.strip_prefix("HTTP/")?;
        let status = rest.split_ascii_whitespace().nth(1)?.parse().ok()?;
        if !(100..600).contains(&status) {
            return None;
        }
        let mut response = Self { status, stored_body: &block[len..], ..Self::default() };
        for (name, value) in fields(&header) {
            match name.to_ascii_lowercase().as_str() {
                "content-type" => response.content_type = value.to_owned(),
                "content-encoding" => response.content_encoding = value.to_ascii_lowercase(),
                "transfer-encoding" => response.chunked = html::has_word(value, "chunked"),
                "location" => response.location = value.to_owned(),
                "x-robots-tag" => response.robots = value.to_owned(),
                _ => {}
            }
        }
        Some(response)
    }

    /// A `resource` record, which has no HTTP headers.
    pub(super) fn resource(content_type: &str, block: &'b [u8]) -> Self {
        let content_type = content_type.to_owned();
        Self { status: 200, content_type, stored_body: block, ..Self::default() }
    }

    /// Whether it is HTML, by content type or, for plain text, by its first bytes.
    pub(super) fn is_html(&self) -> bool {
        let kind = self.content_type.split(';').next().unwrap_or_default().trim();
        match kind.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "" | "text/plain" => self.body().is_some_and(|body| looks_like_html(&body.content)),
            _ => false,
        }
    }

    /// The charset of the content type.
    pub(super) fn charset(&self) -> Option<&str> {
        self.content_type.split(';').skip(1).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then_some(value.trim())
        })
    }

    /// Decodes the body, up to one byte more than is read of a page; `None` if its encoding is unknown.
    pub(super) fn body(&self) -> Option<Body<'b>> {
        let body = match self.chunked {
            true => unchunked(self.stored_body),
            false => Body::sound(Cow::Borrowed(self.stored_body)),
        };
        match self.content_encoding.as_str() {
            "" | "identity" | "none" => {
                let is_packed = body.content.starts_with(&GZIP);
                Some(Body { is_damaged: body.is_damaged || is_packed, ..body })
            }
            "gzip" | "x-gzip" => Some(unpacked(&body, MultiGzDecoder::new(&*body.content))),
            // Servers send zlib or raw deflate.
            "deflate" if body.content.first().is_some_and(|byte| byte & 0x0f == 8) => {
                Some(unpacked(&body, ZlibDecoder::new(&*body.content)))
            }
            "deflate" => Some(unpacked(&body, DeflateDecoder::new(&*body.content))),
            _ => None,
        }
    }
}

/// Magic bytes of gzip.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// The decoded body.
#[derive(Debug)]
pub(super) struct Body<'b> {
    pub(super) content: Cow<'b, [u8]>,
    /// Whether compression or chunks are damaged.
    pub(super) is_damaged: bool,
}

impl<'b> Body<'b> {
    fn sound(content: Cow<'b, [u8]>) -> Self {
        Self { content, is_damaged: false }
    }
}

/// Decompresses up to the damage. Some archives hold decompressed content with the original headers.
fn unpacked<'b>(body: &Body<'_>, packed: impl Read) -> Body<'b> {
    let mut content = Vec::new();
    let read = packed.take(html::MAX_BYTES as u64 + 1).read_to_end(&mut content);
    if read.is_err() && content.is_empty() {
        let is_text = looks_like_text(&body.content);
        return Body { content: body.content.to_vec().into(), is_damaged: !is_text };
    }
    Body { content: content.into(), is_damaged: body.is_damaged || read.is_err() }
}

/// Joins chunks up to the damage; returns content without chunks unchanged.
fn unchunked(body: &[u8]) -> Body<'_> {
    let mut content = Vec::new();
    let mut rest = body;
    let mut is_damaged = false;
    while let Some(end) = memchr::memchr(b'\n', &rest[..rest.len().min(1024)]) {
        let size = str::from_utf8(&rest[..end]).unwrap_or_default();
        let size = size.split(';').next().unwrap_or_default().trim();
        let Ok(size) = u64::from_str_radix(size, 16) else { break };
        let line_end: &[u8] = if rest[..end].ends_with(b"\r") { b"\r\n" } else { b"\n" };
        rest = &rest[end + 1..];
        if size == 0 {
            is_damaged |= !is_trailer(rest);
            return Body { content: content.into(), is_damaged };
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
        let (chunk, after) = rest.split_at(size);
        content.extend_from_slice(chunk);
        is_damaged |= !after.starts_with(line_end);
        rest = after.strip_prefix(b"\r\n").or(after.strip_prefix(b"\n")).unwrap_or(after);
    }
    if content.is_empty() {
        // Not chunked any more, unless it ends like chunks.
        let is_damaged = body.ends_with(b"\n0\r\n\r\n") || body.ends_with(b"\n0\n\n");
        return Body { content: Cow::Borrowed(body), is_damaged };
    }
    Body { content: content.into(), is_damaged: true }
}

/// Whether the bytes may follow the last chunk: header fields, or nothing.
fn is_trailer(rest: &[u8]) -> bool {
    let mut lines = rest.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| line.is_empty() || (line.contains(&b':') && !line.contains(&b'<')))
}

/// Whether the first bytes are text.
fn looks_like_text(body: &[u8]) -> bool {
    let start = &body[..body.len().min(LOOK_BYTES)];
    start.iter().all(|byte| *byte >= b' ' || byte.is_ascii_whitespace() || *byte == 0x1b)
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = body[..body.len().min(LOOK_BYTES)].to_ascii_lowercase();
    let signs: [&[u8]; 4] = [b"<html", b"<!doctype html", b"<head", b"<title"];
    signs.iter().any(|sign| memchr::memmem::find(&start, sign).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write;

    fn body(headers: &str, content: &[u8]) -> Option<Vec<u8>> {
        let block = [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), content].concat();
        let response = Response::parse(&block).unwrap();
        response.body().map(|body| body.content.into_owned())
    }

    fn is_damaged(headers: &str, content: &[u8]) -> bool {
        let block = [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), content].concat();
        Response::parse(&block).unwrap().body().unwrap().is_damaged
    }

    fn gzipped(content: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(content).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn damage_to_packing_or_chunks_is_reported() {
        let (gzip, chunked) = ("Content-Encoding: gzip", "Transfer-Encoding: chunked");
        let packed = gzipped(&b"content of some length ".repeat(20));
        assert!(!is_damaged(gzip, &packed));
        // Decompressed and without chunks already.
        assert!(!is_damaged(gzip, "<p>unpacked, ü".as_bytes()));
        assert!(!is_damaged(chunked, b"<p>unchunked\n"));
        assert!(is_damaged("Server: x", &packed), "its header says nothing of gzip");
        // Bytes 3 to 9 are unused flags, time and system.
        for at in (0..3).chain(10..packed.len()) {
            let mut damaged = packed.clone();
            damaged[at] ^= 1;
            assert!(is_damaged(gzip, &damaged), "byte {at}");
            assert!(is_damaged(gzip, &packed[..at + 1 - usize::from(at + 1 == packed.len())]));
        }
        assert!(is_damaged(gzip, &[&packed[..], b"garbage"].concat()));
        for (sound, body) in [
            (true, "3\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n"),
            (true, "3\ncon\n4\ntent\n0\n\n"),
            (true, "3\r\ncon\r\n0\r\nExpires: never\r\n\r\n"),
            (false, "3\r\ncon\r\n4\r\ntent\r\n"),
            (false, "3\r\ncon\r\n4\r\nte"),
            (false, "3\r\ncon\r\n0\r\ntent\r\n0\r\n\r\n"),
            (false, "2\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n"),
            (false, "4\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n"),
            (false, "x\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n"),
            (false, "3\r\ncon\r\nx\r\ntent\r\n0\r\n\r\n"),
            (false, "3\r\ncon\r\nffffffffff\r\ntent\r\n0\r\n\r\n"),
        ] {
            assert_eq!(is_damaged(chunked, body.as_bytes()), !sound, "{body:?}");
        }
    }

    #[test]
    fn packed_and_chunked_content_is_undone() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(b"content").unwrap();
        let gzip = gzip.finish().unwrap();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(b"content").unwrap();
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        deflate.write_all(b"content").unwrap();
        let deflated = [zlib.finish().unwrap(), deflate.finish().unwrap()];
        let content = Some(b"content".to_vec());
        assert_eq!(body("Server: x", b"content"), content);
        assert_eq!(body("content-encoding: GZIP", &gzip), content);
        assert_eq!(body("Content-Encoding: gzip", b"content"), content);
        deflated.iter().for_each(|d| assert_eq!(body("Content-Encoding: deflate", d), content));
        assert_eq!(body("Content-Encoding: br", b"content"), None);
        let chunks = b"3;x=y\r\ncon\r\n4\r\ntent\r\n0\r\n\r\n";
        assert_eq!(body("Transfer-Encoding: chunked", chunks), content);
        assert_eq!(body("Transfer-Encoding: chunked", b"content"), content);
        assert_eq!(body("Transfer-Encoding: chunked", b"3\r\ncon\r\nffffffff\r\ntent"), content);
        let size = format!("{:x}\r\n", gzip.len());
        let both = [size.as_bytes(), &gzip, b"\r\n0\r\n\r\n"].concat();
        assert_eq!(body("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", &both), content);
    }

    #[test]
    fn content_that_grows_without_end_is_cut() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![b'a'; 4 * html::MAX_BYTES]).unwrap();
        let content = body("Content-Encoding: gzip", &bomb.finish().unwrap()).unwrap();
        assert_eq!(content.len(), html::MAX_BYTES + 1);
    }

    #[test]
    fn html_is_detected_by_type_or_content() {
        let is_html = |headers: &str, content: &str| {
            let block = format!("HTTP/1.0 200\n{headers}\n\n{content}");
            Response::parse(block.as_bytes()).unwrap().is_html()
        };
        assert!(is_html("Content-Type: Text/HTML ; charset=x", ""));
        assert!(is_html("content-type:text/plain", "\n<HTML>"));
        assert!(is_html("X: y", "<!-- c --><title>"));
        assert!(!is_html("X: y", "text"));
        assert!(!is_html("Content-Type: image/png", "<html>"));
        let block = b"HTTP/1.0 200 OK\nContent-Type: text/html; a=b; Charset=\"utf-8\"\n\n";
        assert_eq!(Response::parse(block).unwrap().charset(), Some("\"utf-8\""));
        for block in ["", "HTTP/1.0", "HTTP/1.0 twohundred", "HTTP/1.0 99\n\n", "20050101 1.2.3.4"]
        {
            assert!(Response::parse(block.as_bytes()).is_none(), "{block}");
        }
    }
}
