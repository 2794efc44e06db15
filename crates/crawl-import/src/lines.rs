//! Reads a file line by line.

use crate::input::Input;
use crate::notice::NoticeKind;
use crate::notices::{First, Notices};
use crate::source::Monitor;
use crate::{ImportError, Limits, Problem, columns};

const BUFFER_BYTES: usize = 64 << 10;
/// Progress interval in bytes.
const PROGRESS_BYTES: u64 = 1 << 20;

/// A line of text.
pub(crate) struct Line<'l> {
    /// Counted from 1.
    pub(crate) number: u64,
    /// The text without its LF or CR LF.
    pub(crate) text: &'l str,
}

/// A reader of lines.
pub(crate) struct Lines<'a> {
    input: Input<'a>,
    buffer: Vec<u8>,
    /// Range of buffered bytes not yet returned.
    from: usize,
    to: usize,
    ended: bool,
    number: u64,
    line_bytes: usize,
    untold_bytes: u64,
    told_stored: u64,
    told_lines: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(input: Input<'a>, limits: &Limits) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER_BYTES],
            from: 0,
            to: 0,
            ended: false,
            number: 0,
            line_bytes: limits.line_bytes,
            untold_bytes: 0,
            told_stored: 0,
            told_lines: 0,
        }
    }

    /// The file's name.
    pub(crate) fn name(&self) -> &'a str {
        self.input.name()
    }

    /// The number of the last line returned.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line; `None` at the end.
    pub(crate) fn next(
        &mut self,
        monitor: &mut Monitor<'_>,
    ) -> Result<Option<Line<'_>>, ImportError> {
        let mut searched = self.from;
        let end = loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..self.to]) {
                break searched + at;
            }
            let len = self.to - self.from;
            if len > self.line_bytes {
                break self.to;
            }
            if self.ended {
                if len == 0 {
                    return Ok(None);
                }
                break self.to;
            }
            self.fill(monitor)?;
            searched = self.from + len;
        };
        self.number += 1;
        let number = self.number;
        let mut bytes = &self.buffer[self.from..end];
        self.from = self.to.min(end + 1);
        if bytes.len() > self.line_bytes {
            let limit = self.line_bytes;
            return Err(Problem::LineTooLong { limit }.at(self.input.name(), number));
        }
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        match str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Line { number, text })),
            Err(_) => Err(Problem::NotUtf8.at(self.input.name(), number)),
        }
    }

    /// Reads more bytes into the buffer; grows it if it is full.
    fn fill(&mut self, monitor: &mut Monitor<'_>) -> Result<(), ImportError> {
        if self.from > 0 {
            self.buffer.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
        }
        if self.to == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let read = self.input.read(&mut self.buffer[self.to..]);
        let n = read.map_err(|problem| problem.at(self.input.name(), self.number + 1))?;
        self.to += n;
        self.ended = n == 0;
        self.untold_bytes += n as u64;
        if self.ended || self.untold_bytes >= PROGRESS_BYTES {
            self.untold_bytes = 0;
            let (stored, lines) = (self.input.stored_bytes(), self.number);
            let name = self.input.name();
            monitor.read(stored - self.told_stored, lines - self.told_lines, name)?;
            (self.told_stored, self.told_lines) = (stored, lines);
        }
        Ok(())
    }
}

/// Calls `take` for each row of a table, with its line number.
///
/// Blank lines, comments and a header are skipped. `take` returns whether the row has unused columns,
/// which is reported once.
pub(crate) fn each_row(
    input: Input<'_>,
    limits: &Limits,
    notices: &mut Notices,
    monitor: &mut Monitor<'_>,
    take: &mut dyn FnMut(&str, u64) -> Result<bool, Problem>,
) -> Result<(), ImportError> {
    let mut lines = Lines::new(input, limits);
    let name = lines.name();
    let mut header_allowed = true;
    let mut more_columns = First::default();
    while let Some(line) = lines.next(monitor)? {
        if columns::is_blank_or_comment(line.text) {
            continue;
        }
        if std::mem::take(&mut header_allowed) && columns::is_words(line.text) {
            continue;
        }
        if take(line.text, line.number).map_err(|problem| problem.at(name, line.number))? {
            more_columns.count(line.number, "");
        }
    }
    more_columns.report_in(name, notices, |_| NoticeKind::MoreColumns);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Source, no_progress};
    use std::io::{self, Read};

    /// Returns a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(buffer.len());
            self.0.read(&mut buffer[..n])
        }
    }

    fn lines(bytes: &[u8], step: usize, line_bytes: usize) -> Result<Vec<String>, String> {
        let limits = Limits { line_bytes, ..Limits::default() };
        let source: Source<'_> = File::from_reader("w", Slow(bytes, step), None).into();
        let mut tell = no_progress;
        let mut monitor = Monitor::new(&source, &mut tell);
        let input = Input::open(source.file, &limits).unwrap();
        let mut lines = Lines::new(input, &limits);
        let mut all = Vec::new();
        while let Some(line) = lines.next(&mut monitor).map_err(|e| e.to_string())? {
            assert_eq!(line.number, all.len() as u64 + 1);
            all.push(line.text.to_owned());
        }
        Ok(all)
    }

    #[test]
    fn all_line_ends_and_a_byte_order_mark_are_taken() {
        for step in [1, 2, 1 << 20] {
            let read = |text: &str| lines(text.as_bytes(), step, 100).unwrap();
            assert_eq!(read("\u{feff}a\r\n\nb c\n"), ["a", "", "b c"]);
            assert_eq!(read("a\nb\r"), ["a", "b"]);
            assert_eq!(read("\n"), [""]);
            assert!(read("").is_empty());
        }
    }

    #[test]
    fn lines_longer_than_the_buffer_are_whole() {
        let long = "x".repeat(3 * BUFFER_BYTES + 17);
        let text = format!("a\n{long}\nb");
        assert_eq!(lines(text.as_bytes(), 1 << 20, 1 << 30).unwrap(), ["a", &long, "b"]);
    }

    #[test]
    fn long_lines_and_broken_text_are_refused_where_they_stand() {
        let error = |bytes: &[u8]| lines(bytes, 3, 5).unwrap_err();
        assert_eq!(error(b"ok\n123456\n"), "w, line 2: the line is longer than 5 bytes");
        assert_eq!(error(b"ok\n123456789"), "w, line 2: the line is longer than 5 bytes");
        assert_eq!(error(b"ok\n\xff\n"), "w, line 2: not UTF-8 text");
        assert_eq!(lines(b"12345\n", 3, 5).unwrap(), ["12345"]);
    }
}
