//! What a server answered, as an archive keeps it.

use super::record::{fields, header_len};
use crate::html;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// How far into a page one looks whether it is HTML where its server does not say so.
const LOOK_BYTES: usize = 1024;

/// An answer.
#[derive(Debug, Default)]
pub(super) struct Response<'b> {
    /// From 100 to 599.
    pub(super) status: u16,
    content_type: String,
    pub(super) content_encoding: String,
    chunked: bool,
    /// Where a redirect leads.
    pub(super) location: String,
    /// `X-Robots-Tag`.
    pub(super) robots: String,
    /// As it was sent.
    pub(super) stored_body: &'b [u8],
}

impl<'b> Response<'b> {
    /// Reads status, headers and body; nothing where the block is no answer by HTTP.
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

    /// Content that came without HTTP.
    pub(super) fn resource(content_type: &str, block: &'b [u8]) -> Self {
        let content_type = content_type.to_owned();
        Self { status: 200, content_type, stored_body: block, ..Self::default() }
    }

    /// True for pages, also for those whose server took them for plain text.
    pub(super) fn is_html(&self) -> bool {
        let kind = self.content_type.split(';').next().unwrap_or_default().trim();
        match kind.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "" | "text/plain" => self.body().is_some_and(|body| looks_like_html(&body)),
            _ => false,
        }
    }

    /// The charset that the header names.
    pub(super) fn charset(&self) -> Option<&str> {
        self.content_type.split(';').skip(1).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then_some(value.trim())
        })
    }

    /// The content, up to one byte beyond what is read of a page; nothing where it is packed in a
    /// way that is not known.
    pub(super) fn body(&self) -> Option<Cow<'b, [u8]>> {
        let body = match self.chunked {
            true => unchunked(self.stored_body),
            false => Cow::Borrowed(self.stored_body),
        };
        match self.content_encoding.as_str() {
            "" | "identity" | "none" => Some(body),
            "gzip" | "x-gzip" => Some(unpacked(&body, MultiGzDecoder::new(&*body))),
            // Servers mean either by it.
            "deflate" if body.first().is_some_and(|byte| byte & 0x0f == 8) => {
                Some(unpacked(&body, ZlibDecoder::new(&*body)))
            }
            "deflate" => Some(unpacked(&body, DeflateDecoder::new(&*body))),
            _ => None,
        }
    }
}

/// Undoes gzip as far as it goes. Some archives hold content that is unpacked already, though its
/// header says otherwise.
fn unpacked<'b>(body: &[u8], packed: impl Read) -> Cow<'b, [u8]> {
    let mut content = Vec::new();
    let read = packed.take(html::MAX_BYTES as u64 + 1).read_to_end(&mut content);
    if read.is_err() && content.is_empty() { body.to_vec().into() } else { content.into() }
}

/// Joins chunks as far as they go; what has none is left as it is.
fn unchunked(body: &[u8]) -> Cow<'_, [u8]> {
    let mut content = Vec::new();
    let mut rest = body;
    while let Some(end) = memchr::memchr(b'\n', &rest[..rest.len().min(1024)]) {
        let size = str::from_utf8(&rest[..end]).unwrap_or_default();
        let size = size.split(';').next().unwrap_or_default().trim();
        let Ok(size) = usize::from_str_radix(size, 16) else { break };
        rest = &rest[end + 1..];
        if size == 0 {
            return content.into();
        }
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        content.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").or(after.strip_prefix(b"\n")).unwrap_or(after);
    }
    if content.is_empty() { Cow::Borrowed(body) } else { content.into() }
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
        response.body().map(Cow::into_owned)
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
    fn pages_are_told_by_their_type_or_their_start() {
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
