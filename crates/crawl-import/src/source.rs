//! What is read, and who is told how far it is.

use crate::{ImportError, Problem, html};
use std::io::Read;
use std::ops::ControlFlow;

/// A file: a name for messages, and where its bytes come from.
pub struct File<'a> {
    /// As it is shown in messages.
    pub name: &'a str,
    /// Its bytes, gzipped or not.
    pub content: Box<dyn Read + 'a>,
    /// How many bytes there are, where that is known; only for progress.
    pub size_bytes: Option<u64>,
}

impl<'a> File<'a> {
    /// A file whose bytes are at hand.
    pub fn from_bytes(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, content: Box::new(bytes), size_bytes: Some(bytes.len() as u64) }
    }

    /// A file that is read as it is needed.
    pub fn from_reader(name: &'a str, content: impl Read + 'a, size_bytes: Option<u64>) -> Self {
        Self { name, content: Box::new(content), size_bytes }
    }
}

/// What to import.
pub struct Source<'a> {
    /// The world's file.
    pub file: File<'a>,
    /// What some formats take beside it: lines `id url` that name the pages of an edge list or
    /// adjacency text, lines `url label` for the pages of a web archive.
    pub second: Option<File<'a>>,
    /// The id of the importer to use; found out from the file where it is not given.
    pub format: Option<&'a str>,
    /// How pages that come as HTML are read.
    pub html: html::Options,
    /// Commits of a change history that touch more files than this are mass edits, no changes.
    pub most_files: u32,
}

/// What [`Source::most_files`] is unless something else is said.
pub const MOST_FILES: u32 = 50;

impl<'a> From<File<'a>> for Source<'a> {
    fn from(file: File<'a>) -> Self {
        let html = html::Options::default();
        Self { file, second: None, format: None, html, most_files: MOST_FILES }
    }
}

/// What an import is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading lines or records.
    Reading,
    /// Finding the pages that links lead to, and putting the world together.
    Linking,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is busy with.
    pub stage: Stage,
    /// Bytes taken from the files so far, as they are stored.
    pub bytes_read: u64,
    /// Bytes there are to read, where that is known.
    pub bytes_total: Option<u64>,
    /// Lines or records read so far.
    pub lines: u64,
}

/// For those who do not want to know.
pub fn no_progress(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Passes progress on, and notices when the import is broken off.
pub(crate) struct Monitor<'p> {
    tell: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    now: Progress,
}

impl<'p> Monitor<'p> {
    pub(crate) fn new(
        source: &Source<'_>,
        tell: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Self {
        let second = source.second.as_ref().map_or(Some(0), |file| file.size_bytes);
        let bytes_total = source.file.size_bytes.zip(second).map(|(a, b)| a.saturating_add(b));
        let now = Progress { stage: Stage::Reading, bytes_read: 0, bytes_total, lines: 0 };
        Self { tell, now }
    }

    /// Counts what was read since the last call, and passes it on.
    pub(crate) fn read(&mut self, bytes: u64, lines: u64, file: &str) -> Result<(), ImportError> {
        self.now.bytes_read += bytes;
        self.now.lines += lines;
        self.pass_on(file)
    }

    /// Says that all lines are read.
    pub(crate) fn linking(&mut self, file: &str) -> Result<(), ImportError> {
        self.now.stage = Stage::Linking;
        self.pass_on(file)
    }

    pub(crate) fn pass_on(&mut self, file: &str) -> Result<(), ImportError> {
        match (self.tell)(self.now) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Problem::Cancelled.in_file(file)),
        }
    }
}
