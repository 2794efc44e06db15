//! The bytes of a file, with gzip decompressed while reading.
//!
//! Gzip is detected by its first two bytes, not by the file name; several members are concatenated.
//! A gzip bomb is an error as soon as it exceeds the limits. Memory use is one buffer.

use crate::{File, ImportError, Limits, Problem};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, ErrorKind, Read};

const BUFFER_BYTES: usize = 32 << 10;
/// Number of bytes an importer sees to detect its format.
const HEAD_BYTES: usize = 16 << 10;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file being read.
pub(crate) struct Input<'a> {
    name: &'a str,
    stream: Stream<'a>,
    head: Vec<u8>,
    /// Number of head bytes already returned by `read`.
    head_at: usize,
    bytes: u64,
    limits: Limits,
    /// The first error of the stream, returned by every later read: after an error a decoder would
    /// report the end of the file.
    failed: Option<Problem>,
}

enum Stream<'a> {
    Plain(Stored<'a>),
    Gzip(Box<MultiGzDecoder<Stored<'a>>>),
}

impl<'a> Input<'a> {
    /// Opens the file and detects gzip.
    pub(crate) fn open(file: File<'a>, limits: &Limits) -> Result<Self, ImportError> {
        let mut stored = Stored::new(file.content);
        let gzipped = stored
            .starts_with(&GZIP)
            .map_err(|error| Problem::CannotRead(error.to_string()).in_file(file.name))?;
        let stream = if gzipped {
            Stream::Gzip(Box::new(MultiGzDecoder::new(stored)))
        } else {
            Stream::Plain(stored)
        };
        Ok(Self {
            name: file.name,
            stream,
            head: Vec::new(),
            head_at: 0,
            bytes: 0,
            limits: limits.clone(),
            failed: None,
        })
    }

    /// The file's name.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    /// Number of bytes read from the file, before decompression.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.stored().consumed
    }

    /// The first bytes, without consuming them.
    pub(crate) fn head(&mut self) -> Result<&[u8], ImportError> {
        let mut head = vec![0; HEAD_BYTES];
        let mut len = 0;
        while len < HEAD_BYTES {
            match self.read_stream(&mut head[len..]) {
                Ok(0) => break,
                Ok(n) => len += n,
                // `read` returns the error after the valid bytes.
                Err(_) if len > 0 => break,
                Err(problem) => return Err(problem.in_file(self.name)),
            }
        }
        head.truncate(len);
        self.head = head;
        Ok(&self.head)
    }

    /// Reads bytes; returns 0 at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Problem> {
        if self.head_at < self.head.len() {
            let n = buffer.len().min(self.head.len() - self.head_at);
            buffer[..n].copy_from_slice(&self.head[self.head_at..self.head_at + n]);
            self.head_at += n;
            return Ok(n);
        }
        self.head = Vec::new();
        self.head_at = 0;
        self.read_stream(buffer)
    }

    fn read_stream(&mut self, buffer: &mut [u8]) -> Result<usize, Problem> {
        if let Some(problem) = &self.failed {
            return Err(problem.clone());
        }
        self.read_on(buffer).inspect_err(|problem| self.failed = Some(problem.clone()))
    }

    fn read_on(&mut self, buffer: &mut [u8]) -> Result<usize, Problem> {
        let read = loop {
            let read = match &mut self.stream {
                Stream::Plain(stored) => stored.read(buffer),
                Stream::Gzip(decoder) => decoder.read(buffer),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let n = read.map_err(|error| self.explain(&error))?;
        self.bytes += n as u64;
        if self.bytes > self.limits.file_bytes {
            let limit = self.limits.file_bytes;
            return Err(Problem::FileTooLong { limit });
        }
        let ratio = self.limits.gzip_ratio;
        let most = self.stored_bytes().saturating_mul(ratio);
        if self.bytes > self.limits.free_gzip_bytes.max(most) {
            return Err(Problem::GzipBomb { ratio });
        }
        Ok(n)
    }

    fn stored(&self) -> &Stored<'a> {
        match &self.stream {
            Stream::Plain(stored) => stored,
            Stream::Gzip(decoder) => decoder.get_ref(),
        }
    }

    fn explain(&self, error: &io::Error) -> Problem {
        if self.stored().failed {
            return Problem::CannotRead(error.to_string());
        }
        match error.kind() {
            ErrorKind::UnexpectedEof => Problem::TruncatedGzip,
            _ => Problem::BadGzip(error.to_string()),
        }
    }
}

/// The stored bytes of the file, counted.
struct Stored<'a> {
    content: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    at: usize,
    consumed: u64,
    /// Whether the reader failed, rather than the gzip data.
    failed: bool,
}

impl<'a> Stored<'a> {
    fn new(content: Box<dyn Read + 'a>) -> Self {
        Self { content, buffer: Vec::new(), at: 0, consumed: 0, failed: false }
    }

    fn starts_with(&mut self, start: &[u8]) -> io::Result<bool> {
        // A reader may return its bytes one by one.
        while self.buffer.len() < start.len() {
            if self.take_more()? == 0 {
                break;
            }
        }
        Ok(self.buffer.starts_with(start))
    }

    /// Reads more bytes into the buffer.
    fn take_more(&mut self) -> io::Result<usize> {
        let len = self.buffer.len();
        self.buffer.resize(len + BUFFER_BYTES, 0);
        let read = loop {
            match self.content.read(&mut self.buffer[len..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.failed |= read.is_err();
        let n = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(len + n);
        read
    }
}

impl BufRead for Stored<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            self.take_more()?;
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at = self.buffer.len().min(self.at + n);
        self.consumed += n as u64;
    }
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(buffer.len());
        buffer[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read_all(file: File<'_>, limits: &Limits) -> Result<Vec<u8>, String> {
        let mut input = Input::open(file, limits).map_err(|e| e.to_string())?;
        input.head().map_err(|e| e.to_string())?;
        let (mut all, mut buffer) = (Vec::new(), [0; 1000]);
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return Ok(all),
                Ok(n) => all.extend_from_slice(&buffer[..n]),
                Err(problem) => return Err(problem.to_string()),
            }
        }
    }

    /// Returns one byte at a time, then fails.
    struct Failing<'a>(&'a [u8]);

    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let (first, rest) =
                self.0.split_first().ok_or_else(|| io::Error::other("the disk is gone"))?;
            self.0 = rest;
            buffer[0] = *first;
            Ok(1)
        }
    }

    #[test]
    fn gzip_is_recognised_by_content_and_members_join() {
        let limits = Limits::default();
        let text: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut members = gzip(&text[..300_000]);
        members.extend(gzip(b""));
        members.extend(gzip(&text[300_000..]));
        for bytes in [&text, &members] {
            let read = read_all(File::from_bytes("w.txt", bytes), &limits).unwrap();
            assert!(read == text);
        }
    }

    #[test]
    fn broken_gzip_is_distinguished_from_a_broken_reader() {
        let limits = Limits::default();
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let good = gzip(&text);
        let error = |bytes: &[u8]| read_all(File::from_bytes("w", bytes), &limits).unwrap_err();
        for cut in [5, 12, good.len() / 2, good.len() - 1] {
            let message = error(&good[..cut]);
            assert!(message.ends_with("the gzip data is truncated (incomplete file?)"));
        }
        let mut wrong_sum = good.clone();
        let at = wrong_sum.len() - 6;
        wrong_sum[at] ^= 1;
        let checksum = "broken gzip data: corrupt gzip stream does not have a matching checksum";
        assert_eq!(error(&wrong_sum), checksum);
        let mut garbage_after = good.clone();
        garbage_after.extend(b"garbage that is no member");
        assert!(error(&garbage_after).starts_with("broken gzip data: "));
        let failing = File::from_reader("w", Failing(&good[..5000]), None);
        let message = read_all(failing, &limits).unwrap_err();
        assert_eq!(message, "cannot be read: the disk is gone");
    }

    /// Regression: damage within the head was taken for the end of the file.
    #[test]
    fn an_error_within_the_head_is_returned_by_read() {
        let limits = Limits::default();
        let sound = gzip(b"first member ");
        let mut damaged = gzip(b"second member");
        let at = damaged.len() - 6;
        damaged[at] ^= 1;
        let members = [sound.clone(), sound.clone(), damaged, sound.clone()].concat();
        let mut input = Input::open(File::from_bytes("w", &members), &limits).unwrap();
        let head = input.head().unwrap().to_vec();
        assert!(head.starts_with(b"first member first member "));
        let mut buffer = [0; 100];
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        while errors.len() < 3 {
            match input.read(&mut buffer) {
                Ok(n) => {
                    assert!(n > 0 && errors.is_empty(), "the end was reached");
                    all.extend_from_slice(&buffer[..n]);
                }
                Err(problem) => errors.push(problem),
            }
        }
        assert_eq!(all, head);
        assert!(matches!(errors[0], Problem::BadGzip(_)));
        assert!(errors.iter().all(|error| *error == errors[0]));
        let failing = File::from_reader("w", Failing(b"0 1\n1 2\n"), None);
        assert_eq!(read_all(failing, &limits).unwrap_err(), "cannot be read: the disk is gone");
    }

    #[test]
    fn gzip_bombs_end_early() {
        let limits = Limits { free_gzip_bytes: 1 << 20, ..Limits::default() };
        let bomb = gzip(&vec![b'\n'; 50 << 20]);
        let mut input = Input::open(File::from_bytes("bomb", &bomb), &limits).unwrap();
        let mut buffer = vec![0; 1 << 16];
        let problem = loop {
            match input.read(&mut buffer) {
                Ok(n) => assert!(n > 0),
                Err(problem) => break problem,
            }
        };
        assert_eq!(problem, Problem::GzipBomb { ratio: 250 });
        assert!(input.bytes < 30 << 20);
        // A long file is not a bomb and has its own limit.
        let limits = Limits { file_bytes: 1 << 20, free_gzip_bytes: 0, ..limits };
        let bytes = vec![b'\n'; (1 << 20) + 1];
        let read = |bytes| read_all(File::from_bytes("w", bytes), &limits);
        assert!(read(&bytes[1..]).is_ok());
        assert_eq!(read(&bytes).unwrap_err(), "more than 1048576 bytes");
    }
}
