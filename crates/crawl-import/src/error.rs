//! What can be wrong with a file, and where.

use crate::format::json_lines::{FORMAT, VERSION};
use crate::format::{IMPORTERS, ImporterEntry};
use crate::notice::{Counted, Notice};
use crawl_catalogue::{excerpt, quoted};
use crawl_world::BuildError;
use std::fmt;

/// Why a file could not be read as a world: one line, with the place.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportError {
    /// The name of the file.
    pub file: String,
    /// The place, where one is to blame.
    pub spot: Option<Spot>,
    /// What is wrong.
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

/// A place in a file, counted from 1.
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

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// Nothing in it.
    #[error("empty; {}", Understood)]
    Empty,
    /// No importer is meant for it.
    #[error("not a world; {}", Understood)]
    NotUnderstood,
    /// No importer of that name.
    #[error("unknown format {:?}{}; {}", Shown(.id), Meant(.nearest), Understood)]
    UnknownFormat {
        /// What was asked for.
        id: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// The one who asked for the import broke it off.
    #[error("broken off")]
    Cancelled,
    /// The bytes could not be had.
    #[error("cannot be read: {}", Told(.0))]
    CannotRead(String),
    /// The gzip stream ends in its middle.
    #[error("the gzip data ends too early: the file is cut off")]
    TruncatedGzip,
    /// Not what gzip wrote.
    #[error("broken gzip data: {}", Told(.0))]
    BadGzip(String),
    /// A small file that grows without end.
    #[error("the gzip data grows to more than {ratio} times its size")]
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
    /// Too many bytes before the line ends.
    #[error("the line is longer than {limit} bytes")]
    LineTooLong {
        /// The limit.
        limit: usize,
    },
    /// Bytes that are no UTF-8 text.
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
    /// Too many links, seeds, topics or change times.
    #[error("more than {limit} {what}")]
    ListTooLong {
        /// Of what.
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
    /// A world needs a page.
    #[error("no pages: a world needs at least one")]
    NoPages,
    /// An archive of which no record is a page.
    #[error("no pages: the archive holds {0}")]
    ArchiveWithoutPages(Box<Held>),

    /// Not JSON, or not the value that a field takes.
    #[error("{}{} (column {column})", Field(.field), Told(.message))]
    Json {
        /// The field at fault, or nothing.
        field: &'static str,
        /// Where in the line, counted from 1 in bytes.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The first line is something else.
    #[error("the first line must be a header: {{\"format\":\"{FORMAT}\",\"version\":{VERSION}}}")]
    NoHeader,
    /// The header of another kind of file.
    #[error("format must be \"{FORMAT}\", not {:?}", Shown(.0))]
    WrongFormat(String),
    /// From the future, or from nowhere.
    #[error("version {0} is not known; this program reads version {VERSION}")]
    UnknownVersion(u64),
    /// Two worlds in one file.
    #[error("a second header")]
    SecondHeader,
    /// Neither a page nor a host.
    #[error("a line needs \"url\" (a page) or \"host\"")]
    NeitherPageNorHost,
    /// Both a page and a host.
    #[error("a line has either \"url\" or \"host\", not both")]
    PageAndHost,
    /// A link without a target.
    #[error("links: a link needs \"to\"")]
    LinkWithoutTarget,
    /// A whole number beyond what its field can hold.
    #[error("{field} must be at most {most}, not {given}")]
    TooLarge {
        /// The field.
        field: &'static str,
        /// The largest allowed.
        most: u64,
        /// What was given.
        given: u64,
    },
    /// A field that another needs.
    #[error("{field} is missing: {given} needs it")]
    Missing {
        /// What is not there.
        field: &'static str,
        /// What is.
        given: &'static str,
    },
    /// Two fields of which a page can have one.
    #[error("a page has either {one} or {other}, not both")]
    Conflict {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// Not a host name.
    #[error("not a host name: {:?}", Shown(.0))]
    BadHost(String),
    /// Two lines for one host.
    #[error("host {:?} again, first on line {first_line}", Shown(.host))]
    DuplicateHost {
        /// Its name.
        host: String,
        /// Where it stood before.
        first_line: u64,
    },
    /// A seed that is not a page.
    #[error("the seed {:?} is not a page of this world{}", Shown(.url), Meant(.nearest))]
    UnknownSeed {
        /// The seed.
        url: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// Two pages with one URL.
    #[error("duplicate URL {:?}, first on line {first_line}", Shown(.url))]
    DuplicateUrl {
        /// The URL.
        url: String,
        /// Where it stood before.
        first_line: u64,
    },
    /// Not an address that can be crawled.
    #[error("not an absolute http(s) URL: {:?}", Shown(.0))]
    BadUrl(String),
    /// What the world does not take.
    #[error(transparent)]
    Build(BuildError),

    /// A line that is no link.
    #[error("two columns are needed, {:?} is one", Shown(.0))]
    OneColumn(String),
    /// Not a page number, where one is needed.
    #[error("{:?} is not a page number (0 to {})", Shown(.0), u32::MAX)]
    NotANumber(String),
    /// Neither of what a column may hold.
    #[error("{:?} is neither a page number nor a URL", Shown(.0))]
    NeitherNumberNorUrl(String),
    /// Numbers on some lines, URLs on others.
    #[error("page numbers and URLs are mixed: this line has {here}, lines before have {before}")]
    Mixed {
        /// On this line.
        here: &'static str,
        /// On earlier lines.
        before: &'static str,
    },
    /// One page number, two URLs.
    #[error("page {id} again, first on line {first_line}")]
    DuplicateId {
        /// The number.
        id: u32,
        /// Where it stood before.
        first_line: u64,
    },
    /// A URL file beside a file that needs none.
    #[error("a file of URLs does not belong to this format, which has its own URLs")]
    UrlsNotNeeded,
    /// `n` lines beside a URL file.
    #[error("pages have their URLs from the file of URLs already")]
    UrlsTwice,
    /// A line of a URL file in a file of links.
    #[error("lines `id url` belong in the file of URLs; a link is two numbers or two URLs")]
    RowOfUrls,
    /// A link from or to a page that the URL list does not know.
    #[error("page {id} is not among the {pages} pages that have a URL ({first} to {last})")]
    PageWithoutUrl {
        /// The page number.
        id: u32,
        /// How many pages there are.
        pages: u32,
        /// The smallest number.
        first: u32,
        /// The largest number.
        last: u32,
    },
    /// Bytes between the records of an archive, or instead of them.
    #[error("no record starts at byte {offset}")]
    NotARecord {
        /// Where, in the unpacked file.
        offset: u64,
    },
    /// A record that does not say where it ends.
    #[error("the record at byte {offset} has no Content-Length")]
    NoRecordLength {
        /// Where it starts.
        offset: u64,
    },
    /// The archive ends inside a record's header.
    #[error("the record at byte {offset} is cut off in its header")]
    HeaderCutOff {
        /// Where it starts.
        offset: u64,
    },
    /// The archive ends inside a record.
    #[error("the record at byte {offset} is cut off: {missing} bytes are missing")]
    RecordCutOff {
        /// Where it starts.
        offset: u64,
        /// How much of it is not there.
        missing: u64,
    },
    /// A record that cannot be unpacked.
    #[error("the record at byte {offset} cannot be read: {}", Told(.why))]
    RecordUnreadable {
        /// Where it starts.
        offset: u64,
        /// Why not.
        why: String,
    },
    /// A row of a change history without a time or a status.
    #[error("a row needs page, unix_time and status, separated by tabs")]
    TooFewColumns,
    /// Not a time, or one in other units.
    #[error("{:?} is not a time in whole seconds since 1970", Shown(.0))]
    NotATime(String),
    /// Not what happens to a page.
    #[error("status must be A (added), M (modified) or D (deleted), not {:?}", Shown(.0))]
    NotAStatus(String),
    /// Not how many files a commit touches.
    #[error("{:?} is not a number of files", Shown(.0))]
    NotANumberOfFiles(String),
    /// The first line of adjacency text.
    #[error("the first line must be the number of pages, not {:?}", Shown(.0))]
    NotACount(String),
    /// Fewer lines than pages.
    #[error("{pages} pages are announced, but only {found} lines of links follow")]
    TooFewLines {
        /// Announced.
        pages: u32,
        /// Found.
        found: u32,
    },
    /// More lines than pages.
    #[error("{pages} pages are announced, but more lines of links follow")]
    TooManyLines {
        /// Announced.
        pages: u32,
    },
    /// A link to a page that does not exist.
    #[error("page {id} does not exist: {pages} pages are announced, 0 to {}", .pages.saturating_sub(1))]
    OutOfRange {
        /// The page number.
        id: u32,
        /// How many pages there are.
        pages: u32,
    },
    /// Fewer or more URLs than pages.
    #[error("{urls} URLs for {pages} pages")]
    UrlCount {
        /// How many URLs.
        urls: u32,
        /// How many pages.
        pages: u32,
    },
}

impl Problem {
    /// The error that a file as a whole is to blame for.
    pub(crate) fn in_file(self, file: &str) -> ImportError {
        let (file, spot) = (file.to_owned(), None);
        let problem = self;
        ImportError { file, spot, problem }
    }

    /// The error of one line or record.
    pub(crate) fn at(self, file: &str, spot: impl Into<Spot>) -> ImportError {
        let spot = Some(spot.into());
        ImportError { spot, ..self.in_file(file) }
    }
}

/// What an archive without pages holds instead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Held {
    /// How many records there are of each type, in order of first appearance; from the ninth type on
    /// they are counted together.
    pub kinds: Vec<(String, u64)>,
    /// How many of them are a robots.txt.
    pub robots: u64,
    /// Why the others are no pages.
    pub notices: Vec<Notice>,
}

impl Held {
    /// Counts a record of that type.
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

impl fmt::Display for Held {
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

/// Text from outside as it may stand in a message: short, on one line, without hidden characters.
/// Its end is kept: file names and URLs are told apart by it.
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(self.0))
    }
}

/// In quotes.
impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", quoted(self.0).replace('"', "\\\""))
    }
}

/// A message of another program, which may quote text from outside: on one line, bounded.
pub(crate) struct Told<'a>(pub(crate) &'a str);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&excerpt(self.0, MOST_CHARS))
    }
}

/// Most characters of such a message.
const MOST_CHARS: usize = 250;

struct Meant<'a>(&'a Option<String>);

impl fmt::Display for Meant<'_> {
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

struct Understood;

impl fmt::Display for Understood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = IMPORTERS.iter().copied().map(ImporterEntry::id).collect();
        write!(f, "formats that can be read, also gzipped: {}", ids.join(", "))
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
