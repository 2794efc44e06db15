//! The input of an import, and its progress reports.

use crate::{ImportError, Problem, html};
use std::io::Read;
use std::ops::ControlFlow;

/// A file: its name and a reader of its bytes.
pub struct File<'a> {
    /// Name used in messages.
    pub name: &'a str,
    /// Its bytes, gzipped or not.
    pub content: Box<dyn Read + 'a>,
    /// Size in bytes, if known; used for progress only.
    pub size_bytes: Option<u64>,
}

impl<'a> File<'a> {
    /// A file in memory.
    pub fn from_bytes(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, content: Box::new(bytes), size_bytes: Some(bytes.len() as u64) }
    }

    /// A file that is read on demand.
    pub fn from_reader(name: &'a str, content: impl Read + 'a, size_bytes: Option<u64>) -> Self {
        Self { name, content: Box::new(content), size_bytes }
    }
}

/// The files and options of an import.
pub struct Source<'a> {
    /// The world's file.
    pub file: File<'a>,
    /// Companion file: lines `id url` for an edge list or adjacency text, lines `url label` for a web
    /// archive.
    pub second: Option<File<'a>>,
    /// Importer id; detected from the content if `None`.
    pub format: Option<&'a str>,
    /// Options for HTML pages.
    pub html: html::Options,
    /// Commits of a change history that touch more files are ignored as mass edits.
    pub most_files: u32,
}

/// Default of [`Source::most_files`].
pub const MOST_FILES: u32 = 50;

impl<'a> From<File<'a>> for Source<'a> {
    fn from(file: File<'a>) -> Self {
        let html = html::Options::default();
        Self { file, second: None, format: None, html, most_files: MOST_FILES }
    }
}

/// Stages of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading lines or records.
    Reading,
    /// Resolving links and building the world.
    Linking,
}

/// Progress of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Current stage.
    pub stage: Stage,
    /// Bytes read so far, before decompression.
    pub bytes_read: u64,
    /// Total bytes, if known.
    pub bytes_total: Option<u64>,
    /// Lines or records read so far.
    pub lines: u64,
}

/// A progress callback that does nothing.
pub fn no_progress(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Reports progress and turns `Break` into an error.
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

    /// Adds what was read since the last call, and reports it.
    pub(crate) fn read(&mut self, bytes: u64, lines: u64, file: &str) -> Result<(), ImportError> {
        self.now.bytes_read += bytes;
        self.now.lines += lines;
        self.report_progress(file)
    }

    /// Enters the stage `Linking`.
    pub(crate) fn linking(&mut self, file: &str) -> Result<(), ImportError> {
        self.now.stage = Stage::Linking;
        self.report_progress(file)
    }

    pub(crate) fn report_progress(&mut self, file: &str) -> Result<(), ImportError> {
        match (self.tell)(self.now) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Problem::Cancelled.in_file(file)),
        }
    }
}
