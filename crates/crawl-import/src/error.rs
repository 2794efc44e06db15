//! Import errors with their position in the file.

use crate::format::json_lines::{FORMAT, VERSION};
use crate::format::{IMPORTERS, ImporterEntry};
use crate::notice::{Counted, Notice};
use crawl_catalogue::{excerpt, quoted};
use crawl_world::BuildError;
use std::fmt;

/// Why a file could not be imported; its message is one line with the position.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportError {
    /// The name of the file.
    pub file: String,
    /// Position in the file, if the error has one.
    pub spot: Option<Spot>,
    /// Kind of error.
    pub problem: Problem,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Shown(&self.file))?;
        if let Some(spot) = self.spot {
            write!(f, ", {spot}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for ImportError {}

/// A position in a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A line of text.
    Line(u64),
    /// A record of a web archive.
    Record(u64),
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Record(number) => write!(f, "record {number}"),
        }
    }
}

impl From<u64> for Spot {
    fn from(line: u64) -> Self {
        Self::Line(line)
    }
}

/// Kinds of import errors.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// An empty file.
    #[error("empty; {}", KnownFormats)]
    Empty,
    /// No importer recognises the file.
    #[error("not a known world format; {}", KnownFormats)]
    NotRecognised,
    /// An unknown importer id.
    #[error("unknown format {:?}{}; {}", Shown(.id), DidYouMean(.nearest), KnownFormats)]
    UnknownFormat {
        /// The requested id.
        id: String,
        /// The most similar id.
        nearest: Option<String>,
    },
    /// Cancelled by the progress callback.
    #[error("cancelled")]
    Cancelled,
    /// The reader failed.
    #[error("cannot be read: {}", Message(.0))]
    CannotRead(String),
    /// A truncated gzip stream.
    #[error("the gzip data is truncated (incomplete file?)")]
    TruncatedGzip,
    /// Invalid gzip data.
    #[error("broken gzip data: {}", Message(.0))]
    BadGzip(String),
    /// A gzip file that expands too much.
    #[error("the gzip data expands to more than {ratio} times its size")]
    GzipBomb {
        /// The limit.
        ratio: u64,
    },
    /// Too many bytes.
    #[error("more than {limit} bytes")]
    FileTooLong {
        /// The limit.
        limit: u64,
    },
    /// A line that is too long.
    #[error("the line is longer than {limit} bytes")]
    LineTooLong {
        /// The limit.
        limit: usize,
    },
    /// Bytes that are not UTF-8.
    #[error("not UTF-8 text")]
    NotUtf8,
    /// Too many pages.
    #[error("more than {limit} pages")]
    TooManyPages {
        /// The limit.
        limit: u32,
    },
    /// Too many links.
    #[error("more than {limit} links")]
    TooManyLinks {
        /// The limit.
        limit: u32,
    },
    /// A list with too many links, seeds, topics or change times.
    #[error("more than {limit} {what}")]
    ListTooLong {
        /// The kind of items.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Too much text.
    #[error("more than {limit} bytes of text")]
    TooMuchText {
        /// The limit.
        limit: u64,
    },
    /// A world without pages.
    #[error("no pages: a world needs at least one")]
    NoPages,
    /// An archive without pages.
    #[error("no pages: the archive holds {0}")]
    ArchiveWithoutPages(Box<ArchiveContents>),

    /// Invalid JSON, or a value of the wrong type.
    #[error("{}{} (column {column})", Field(.field), Message(.message))]
    Json {
        /// The field, or an empty string.
        field: &'static str,
        /// Byte column in the line, counted from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// A first line that is not a header.
    #[error("the first line must be a header: {{\"format\":\"{FORMAT}\",\"version\":{VERSION}}}")]
    NoHeader,
    /// A header with another `format`.
    #[error("format must be \"{FORMAT}\", not {:?}", Shown(.0))]
    WrongFormat(String),
    /// A header with an unknown version.
    #[error("version {0} is not known; this program reads version {VERSION}")]
    UnknownVersion(u64),
    /// A second header.
    #[error("duplicate header")]
    SecondHeader,
    /// A line that is neither a page nor a host.
    #[error("a line needs \"url\" (a page) or \"host\"")]
    NeitherPageNorHost,
    /// A line that is both a page and a host.
    #[error("a line has either \"url\" or \"host\", not both")]
    PageAndHost,
    /// A link without a target.
    #[error("links: a link needs \"to\"")]
    LinkWithoutTarget,
    /// An integer that exceeds the range of its field.
    #[error("{field} must be at most {most}, not {given}")]
    TooLarge {
        /// The field.
        field: &'static str,
        /// The largest allowed.
        most: u64,
        /// What was given.
        given: u64,
    },
    /// A field that another field requires.
    #[error("{field} is missing: {given} requires it")]
    Missing {
        /// The missing field.
        field: &'static str,
        /// The field that requires it.
        given: &'static str,
    },
    /// Two fields that exclude each other.
    #[error("a page has either {one} or {other}, not both")]
    Conflict {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// An invalid host name.
    #[error("not a host name: {:?}", Shown(.0))]
    BadHost(String),
    /// A duplicate host.
    #[error("duplicate host {:?}, first on line {first_line}", Shown(.host))]
    DuplicateHost {
        /// Its name.
        host: String,
        /// The line of its first occurrence.
        first_line: u64,
    },
    /// A seed that is not a page.
    #[error("the seed {:?} is not a page of this world{}", Shown(.url), DidYouMean(.nearest))]
    UnknownSeed {
        /// The seed.
        url: String,
        /// The most similar page.
        nearest: Option<String>,
    },
    /// A duplicate URL.
    #[error("duplicate URL {:?}, first on line {first_line}", Shown(.url))]
    DuplicateUrl {
        /// The URL.
        url: String,
        /// The line of its first occurrence.
        first_line: u64,
    },
    /// A URL that is not absolute http(s).
    #[error("not an absolute http(s) URL: {:?}", Shown(.0))]
    BadUrl(String),
    /// An error of the world builder.
    #[error(transparent)]
    Build(BuildError),

    /// A line with one column.
    #[error("expected two columns, found only {:?}", Shown(.0))]
    OneColumn(String),
    /// An invalid page number.
    #[error("{:?} is not a page number (0 to {})", Shown(.0), u32::MAX)]
    NotANumber(String),
    /// A column that is neither a page number nor a URL.
    #[error("{:?} is neither a page number nor a URL", Shown(.0))]
    NeitherNumberNorUrl(String),
    /// Page numbers and URLs in one file.
    #[error("page numbers and URLs are mixed: this line has {here}, earlier lines have {before}")]
    Mixed {
        /// Kind of this line.
        here: &'static str,
        /// Kind of the earlier lines.
        before: &'static str,
    },
    /// A duplicate page number in a list of URLs.
    #[error("duplicate page {id}, first on line {first_line}")]
    DuplicateId {
        /// The number.
        id: u32,
        /// The line of its first occurrence.
        first_line: u64,
    },
    /// A file of URLs for a format with URLs of its own.
    #[error("this format contains its own URLs; remove the file of URLs")]
    UrlsNotNeeded,
    /// `n` lines together with a file of URLs.
    #[error("`n` lines and a file of URLs cannot be combined")]
    UrlsTwice,
    /// A line `id url` in a file of links.
    #[error("a link is two numbers or two URLs; put lines `id url` into a file of URLs")]
    UrlRowAmongLinks,
    /// A link from or to a page without a URL.
    #[error("page {id} has no URL; {pages} pages have one ({first} to {last})")]
    PageWithoutUrl {
        /// The page number.
        id: u32,
        /// Number of pages.
        pages: u32,
        /// The smallest number.
        first: u32,
        /// The largest number.
        last: u32,
    },
    /// Bytes that are not a record of an archive.
    #[error("no record at byte {offset}")]
    NotARecord {
        /// Byte offset in the decompressed file.
        offset: u64,
    },
    /// A record without a length.
    #[error("the record at byte {offset} has no Content-Length")]
    NoRecordLength {
        /// Byte offset of the record.
        offset: u64,
    },
    /// An archive that ends inside a record's header.
    #[error("the record at byte {offset} is cut off in its header")]
    HeaderCutOff {
        /// Byte offset of the record.
        offset: u64,
    },
    /// An archive that ends inside a record.
    #[error("the record at byte {offset} is cut off: {missing} bytes are missing")]
    RecordCutOff {
        /// Byte offset of the record.
        offset: u64,
        /// Number of missing bytes.
        missing: u64,
    },
    /// A record that cannot be decompressed.
    #[error("the record at byte {offset} cannot be read: {}", Message(.why))]
    RecordUnreadable {
        /// Byte offset of the record.
        offset: u64,
        /// The reason.
        why: String,
    },
    /// A row of a change history with too few columns.
    #[error("a row needs page, unix_time and status, separated by tabs")]
    TooFewColumns,
    /// An invalid time, or one in other units.
    #[error("{:?} is not a time in whole seconds since 1970", Shown(.0))]
    NotATime(String),
    /// An invalid status in a change history.
    #[error("status must be A (added), M (modified) or D (deleted), not {:?}", Shown(.0))]
    NotAStatus(String),
    /// An invalid number of files in a change history.
    #[error("{:?} is not a number of files", Shown(.0))]
    NotANumberOfFiles(String),
    /// Adjacency text that does not start with a number of pages.
    #[error("the first line must be the number of pages, not {:?}", Shown(.0))]
    NotACount(String),
    /// Fewer lines than pages.
    #[error("{pages} pages expected, but only {found} lines of links follow")]
    TooFewLines {
        /// Number of pages according to the first line.
        pages: u32,
        /// Number of lines found.
        found: u32,
    },
    /// More lines than pages.
    #[error("{pages} pages expected, but more lines of links follow")]
    TooManyLines {
        /// Number of pages according to the first line.
        pages: u32,
    },
    /// A link to a page that does not exist.
    #[error("page {id} does not exist: the file has {pages} pages, 0 to {}", .pages.saturating_sub(1))]
    OutOfRange {
        /// The page number.
        id: u32,
        /// Number of pages.
        pages: u32,
    },
    /// A file of URLs of the wrong length.
    #[error("{urls} URLs for {pages} pages")]
    UrlCount {
        /// Number of URLs.
        urls: u32,
        /// Number of pages.
        pages: u32,
    },
}

impl Problem {
    /// The error for a file without a position.
    pub(crate) fn in_file(self, file: &str) -> ImportError {
        let (file, spot) = (file.to_owned(), None);
        let problem = self;
        ImportError { file, spot, problem }
    }

    /// The error for a line or record.
    pub(crate) fn at(self, file: &str, spot: impl Into<Spot>) -> ImportError {
        let spot = Some(spot.into());
        ImportError { spot, ..self.in_file(file) }
    }
}

/// The contents of an archive without pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArchiveContents {
    /// Number of records by type, in order of first appearance; types beyond the eighth are one.
    pub kinds: Vec<(String, u64)>,
    /// Number of robots.txt records.
    pub robots: u64,
    /// Why the other records are not pages.
    pub notices: Vec<Notice>,
}

impl ArchiveContents {
    /// Counts a record.
    pub(crate) fn count(&mut self, kind: &str) {
        const MOST_KINDS: usize = 8;
        let kind = if kind.is_empty() { "no type" } else { kind };
        let known = self.kinds.iter().position(|(known, _)| known == kind);
        let at = known.unwrap_or(self.kinds.len()).min(MOST_KINDS);
        match self.kinds.get_mut(at) {
            Some((_, n)) => *n += 1,
            None if at == MOST_KINDS => self.kinds.push(("other types".to_owned(), 1)),
            None => self.kinds.push((kind.to_owned(), 1)),
        }
    }
}

impl fmt::Display for ArchiveContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n: u64 = self.kinds.iter().map(|(_, n)| n).sum();
        write!(f, "{n} record{}", if n == 1 { "" } else { "s" })?;
        for (i, (kind, n)) in self.kinds.iter().enumerate() {
            write!(f, "{}{n} {}", if i == 0 { " (" } else { ", " }, Shown(kind))?;
        }
        write!(f, "{}, none of which is a page", if n == 0 { "" } else { ")" })?;
        if self.robots > 0 {
            write!(f, "; {} robots.txt", self.robots)?;
        }
        self.notices.iter().try_for_each(|notice| write!(f, "; {}", Counted(notice)))
    }
}

/// Formats outside text for a message: short, on one line, without hidden characters.
///
/// It keeps the end of the text, which tells file names and URLs apart.
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(self.0))
    }
}

/// The same, in quotes.
impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", quoted(self.0).replace('"', "\\\""))
    }
}

/// Formats a message of another library, which may quote outside text: bounded, on one line.
pub(crate) struct Message<'a>(pub(crate) &'a str);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&excerpt(self.0, MOST_CHARS))
    }
}

/// Maximum characters of such a message.
const MOST_CHARS: usize = 250;

struct DidYouMean<'a>(&'a Option<String>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "; did you mean {:?}?", Shown(name)),
            None => Ok(()),
        }
    }
}

struct Field<'a>(&'a str);

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            field => write!(f, "{field}: "),
        }
    }
}

struct KnownFormats;

impl fmt::Display for KnownFormats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = IMPORTERS.iter().copied().map(ImporterEntry::id).collect();
        write!(f, "known formats, also gzipped: {}", ids.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_and_on_one_line() {
        let error = Problem::BadUrl("x\n".repeat(1000)).at("a\nb.txt", 3);
        let message = error.to_string();
        assert!(message.starts_with(r#"a\nb.txt, line 3: not an absolute http(s) URL: "x\nx"#));
        assert!(!message.contains('\n') && message.len() < 400, "{message}");
    }
}
