//! Reads the records of an archive one by one.

use super::digest::BlockDigest;
use crate::input::Input;
use crate::notices::First;
use crate::source::Monitor;
use crate::{ImportError, Problem, html};

const BUFFER_BYTES: usize = 64 << 10;
/// Maximum bytes of a record's header.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Maximum bytes of a block that are kept: a page and its HTTP headers.
const MAX_BLOCK_BYTES: u64 = html::MAX_BYTES as u64 + (1 << 20);
/// Progress interval in bytes.
const PROGRESS_BYTES: u64 = 1 << 20;

/// A record's header.
pub(super) struct Record {
    /// Counted from 1.
    pub(super) number: u64,
    /// `WARC-Type`.
    pub(super) kind: String,
    /// `WARC-Target-URI`.
    pub(super) target: String,
    /// `Content-Type` of the block.
    pub(super) content_type: String,
    /// `WARC-Block-Digest`, if it can be checked.
    pub(super) digest: Option<BlockDigest>,
}

/// The content of a record.
pub(super) struct Block {
    /// Bytes, up to the maximum.
    pub(super) bytes: Vec<u8>,
    /// Whether it matches the record's digest, if any.
    pub(super) is_sound: bool,
}

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The archive is damaged here; earlier records are valid.
    Broken(Problem),
    /// Reading failed or was cancelled.
    Failed(ImportError),
}

/// A reader of records.
pub(super) struct Records<'a> {
    input: Input<'a>,
    buffer: Vec<u8>,
    /// Range of buffered bytes not yet used.
    from: usize,
    to: usize,
    ended: bool,
    /// Number of decompressed bytes before the buffer.
    before: u64,
    number: u64,
    /// Offset of the current record, and the bytes left of its block.
    start: u64,
    block_left: u64,
    /// Records that do not end where their length says.
    pub(super) odd_ends: First,
    /// Blocks that contain the start of another record, lost if the length is too large.
    pub(super) swallowed: First,
    inside: StartInside,
    untold_bytes: u64,
    told_stored: u64,
    told_records: u64,
}

impl<'a> Records<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER_BYTES],
            from: 0,
            to: 0,
            ended: false,
            before: 0,
            number: 0,
            start: 0,
            block_left: 0,
            odd_ends: First::default(),
            swallowed: First::default(),
            inside: StartInside::default(),
            untold_bytes: 0,
            told_stored: 0,
            told_records: 0,
        }
    }

    /// The file's name.
    pub(super) fn name(&self) -> &'a str {
        self.input.name()
    }

    /// Number of the current record.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the header of the next record; `None` at the end.
    pub(super) fn next(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Record>, Stop> {
        self.pass(self.block_left, monitor, &mut |_| {})?;
        self.block_left = 0;
        if std::mem::take(&mut self.inside).is_found {
            self.swallowed.count(self.number, "");
        }
        let before = self.number;
        self.number += 1;
        if !self.skip_blanks(monitor)? && before > 0 {
            self.odd_ends.count(before, "");
        }
        if self.from == self.to {
            return Ok(None);
        }
        self.start = self.offset();
        let header = self.header(monitor)?;
        let mut record = Record {
            number: self.number,
            kind: String::new(),
            target: String::new(),
            content_type: String::new(),
            digest: None,
        };
        let mut length = None;
        for (name, value) in fields(&header) {
            match name.to_ascii_lowercase().as_str() {
                "warc-type" => record.kind = value.to_ascii_lowercase(),
                // Some writers put the URL in angle brackets.
                "warc-target-uri" => record.target = value.trim_matches(['<', '>']).to_owned(),
                "content-type" => record.content_type = value.to_owned(),
                "warc-block-digest" => record.digest = BlockDigest::parse(value),
                "content-length" => length = value.parse::<u64>().ok(),
                _ => {}
            }
        }
        let Some(length) = length else {
            return Err(Stop::Broken(Problem::NoRecordLength { offset: self.start }));
        };
        self.block_left = length;
        Ok(Some(record))
    }

    /// Skips the separator of two records; returns whether it is two line breaks, as the standard requires.
    fn skip_blanks(&mut self, monitor: &mut Monitor<'_>) -> Result<bool, Stop> {
        const TWO_LINE_ENDS: &[u8] = b"\r\n\r\n";
        let (mut n, mut as_expected) = (0, true);
        loop {
            let blanks = self.buffer[self.from..self.to].iter();
            for blank in blanks.take_while(|byte| byte.is_ascii_whitespace()) {
                as_expected &= TWO_LINE_ENDS.get(n) == Some(blank);
                n = TWO_LINE_ENDS.len().min(n + 1);
                self.from += 1;
            }
            if self.from < self.to || self.ended {
                return Ok(as_expected && n == TWO_LINE_ENDS.len());
            }
            self.start = self.offset();
            self.fill(monitor)?;
        }
    }

    /// Reads the block of the current record, up to the maximum.
    pub(super) fn block(
        &mut self,
        record: &Record,
        monitor: &mut Monitor<'_>,
    ) -> Result<Block, Stop> {
        let mut block = Vec::new();
        let mut check = record.digest.as_ref().map(BlockDigest::check);
        let take = self.block_left.min(MAX_BLOCK_BYTES);
        self.pass(take, monitor, &mut |bytes| {
            block.extend_from_slice(bytes);
            check.iter_mut().for_each(|check| check.update(bytes));
        })?;
        // A record truncated after the kept part is damaged too.
        self.pass(self.block_left, monitor, &mut |bytes| {
            check.iter_mut().for_each(|check| check.update(bytes));
        })?;
        let is_met = check.map(|check| check.is_met());
        // The page itself may be an archive; a matching digest shows that the length is right.
        self.inside.is_found &= is_met != Some(true);
        Ok(Block { bytes: block, is_sound: is_met != Some(false) })
    }

    /// Takes bytes of the block.
    fn pass(
        &mut self,
        bytes: u64,
        monitor: &mut Monitor<'_>,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Stop> {
        let mut left = bytes;
        while left > 0 {
            if self.from == self.to {
                if self.ended {
                    let (offset, missing) = (self.start, self.block_left);
                    return Err(Stop::Broken(Problem::RecordCutOff { offset, missing }));
                }
                self.fill(monitor)?;
                continue;
            }
            let n = left.min((self.to - self.from) as u64);
            let bytes = &self.buffer[self.from..self.from + n as usize];
            self.inside.look(bytes);
            take(bytes);
            self.from += n as usize;
            left -= n;
            self.block_left -= n;
        }
        Ok(())
    }

    /// Reads the lines up to the first empty one.
    fn header(&mut self, monitor: &mut Monitor<'_>) -> Result<String, Stop> {
        let offset = self.start;
        loop {
            let bytes = &self.buffer[self.from..self.to];
            if bytes.len() >= 5 && !bytes.starts_with(b"WARC/") {
                return Err(Stop::Broken(Problem::NotARecord { offset }));
            }
            if let Some(len) = header_len(bytes) {
                let header = String::from_utf8_lossy(&bytes[..len]).into_owned();
                self.from += len;
                return Ok(header);
            }
            if bytes.len() > MAX_HEADER_BYTES {
                return Err(Stop::Broken(Problem::NotARecord { offset }));
            }
            if self.ended {
                return Err(Stop::Broken(Problem::HeaderCutOff { offset }));
            }
            self.fill(monitor)?;
        }
    }

    fn offset(&self) -> u64 {
        self.before + self.from as u64
    }

    /// Reads more bytes into the buffer; grows it if it is full.
    fn fill(&mut self, monitor: &mut Monitor<'_>) -> Result<(), Stop> {
        self.before += self.from as u64;
        self.buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        if self.to == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let name = self.input.name();
        let n = self.input.read(&mut self.buffer[self.to..]).map_err(|problem| match problem {
            Problem::TruncatedGzip | Problem::BadGzip(_) => {
                let (offset, why) = (self.start, problem.to_string());
                Stop::Broken(Problem::RecordUnreadable { offset, why })
            }
            problem => Stop::Failed(problem.at(name, crate::Spot::Record(self.number))),
        })?;
        self.to += n;
        self.ended = n == 0;
        self.untold_bytes += n as u64;
        if self.ended || self.untold_bytes >= PROGRESS_BYTES {
            self.untold_bytes = 0;
            let (stored, records) = (self.input.stored_bytes(), self.number);
            let told = monitor.read(stored - self.told_stored, records - self.told_records, name);
            told.map_err(Stop::Failed)?;
            (self.told_stored, self.told_records) = (stored, records);
        }
        Ok(())
    }
}

/// Searches a block, in pieces, for the start of a record.
#[derive(Default)]
struct StartInside {
    is_found: bool,
    /// The last bytes searched.
    tail: Vec<u8>,
}

impl StartInside {
    const START: &[u8] = b"\r\n\r\nWARC/1.";

    fn look(&mut self, piece: &[u8]) {
        let most = Self::START.len() - 1;
        self.tail.extend_from_slice(&piece[..piece.len().min(most)]);
        let is_in = |bytes: &[u8]| memchr::memmem::find(bytes, Self::START).is_some();
        self.is_found |= is_in(&self.tail) || is_in(piece);
        if piece.len() > most {
            self.tail.clear();
            self.tail.extend_from_slice(&piece[piece.len() - most..]);
        }
        let drop = self.tail.len().saturating_sub(most);
        self.tail.drain(..drop);
    }
}

/// Length of the header, including the empty line.
pub(super) fn header_len(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// The fields of a header, after its first line.
pub(super) fn fields(header: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = header.lines().skip(1);
    lines.filter_map(|line| line.split_once(':')).map(|(name, value)| (name.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_found_wherever_pieces_end() {
        let with = b"some page\r\n\r\nWARC/1.0\r\nWARC-Type: response";
        let without = b"some page\r\n\nWARC/1.0 WARC/1.1\r\n\r\nWARC 1.0";
        for size in 1..with.len() {
            let found = |bytes: &[u8]| {
                let mut inside = StartInside::default();
                bytes.chunks(size).for_each(|piece| inside.look(piece));
                inside.is_found
            };
            assert!(found(with) && !found(without), "{size}");
        }
    }
}
