//! Reads worlds from files, and writes them as JSON Lines.
//!
//! [`import`] takes the bytes and the name of a file, decompresses gzip, detects the format with the
//! [`IMPORTERS`] registry, and parses the file within [`Limits`]. Invalid input gives an
//! [`ImportError`] with the position in the file; harmless oddities give [`Notice`]s.
//! [`write_json_lines`] writes a world that reads back with the same digest.
//!
//! The crate opens no files and has no clock and no browser bindings: callers pass a reader or
//! bytes.
//!
//! ```
//! use crawl_import::{File, Limits, import, no_progress};
//!
//! let source = File::from_bytes("ring.txt", b"0 1\n1 2\n2 0\n").into();
//! let imported = import(source, &Limits::default(), &mut no_progress)?;
//! assert_eq!(imported.format, "edge-list");
//! assert_eq!((imported.world.n_pages(), imported.world.n_links()), (3, 3));
//! # Ok::<(), crawl_import::ImportError>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod address;
mod assembly;
mod columns;
mod error;
pub mod flat;
pub mod format;
pub mod html;
mod ids;
mod input;
mod limits;
mod line_runs;
mod lines;
mod links;
mod notice;
mod notices;
mod source;
pub mod suffix;
mod tally;
#[cfg(test)]
mod testing;
mod url_table;

pub use error::{ImportError, Problem, Spot};
pub use format::json_lines::write as write_json_lines;
pub use format::{Fit, Head, IMPORTERS, ImporterEntry};
pub use limits::Limits;
pub use notice::{Notice, NoticeKind, Place};
pub use source::{File, MOST_FILES, Progress, Source, Stage, no_progress};

use crawl_world::World;
use input::Input;
use notices::Notices;
use source::Monitor;
use std::ops::ControlFlow;

/// A world read from a file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The world.
    pub world: World,
    /// Harmless oddities, in order of appearance.
    pub notices: Vec<Notice>,
    /// The id of the importer that read it.
    pub format: &'static str,
}

/// Input of an importer's `read` function.
pub(crate) struct Job<'a, 'p> {
    /// Default title of the world.
    title: String,
    input: Input<'a>,
    /// The companion file.
    second: Option<Input<'a>>,
    limits: Limits,
    html: html::Options,
    most_files: u32,
    notices: Notices,
    monitor: Monitor<'p>,
}

/// Reads a world from a file.
///
/// `progress` is called about once per megabyte; it stops the import by returning `Break`.
///
/// # Errors
/// If the file is invalid, exceeds the limits, or `progress` stopped the import.
pub fn import(
    source: Source<'_>,
    limits: &Limits,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Imported, ImportError> {
    let name = source.file.name;
    let monitor = Monitor::new(&source, progress);
    let title = title(name);
    let mut input = Input::open(source.file, limits)?;
    let importer = match source.format {
        Some(id) => format::named(id).map_err(|problem| problem.in_file(name))?,
        None => format::detect(&Head::new(name, input.head()?))
            .map_err(|problem| problem.in_file(name))?,
    };
    let second = source.second.map(|file| Input::open(file, limits)).transpose()?;
    let job = Job {
        title,
        input,
        second,
        limits: limits.clone(),
        html: source.html,
        most_files: source.most_files,
        notices: Notices::new(name),
        monitor,
    };
    let (world, notices) = (importer.read)(job)?;
    if world.n_pages() == 0 {
        return Err(Problem::NoPages.in_file(name));
    }
    Ok(Imported { world, notices: notices.into_list(), format: importer.id() })
}

/// Default title: the file name without folders and extensions.
fn title(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_come_from_file_names() {
        assert_eq!(title("data/cnr-2000.graph-txt.gz"), "cnr-2000");
        assert_eq!(title("C:\\worlds\\gr0.epa.txt"), "gr0.epa");
        assert_eq!(title("edges"), "edges");
        assert_eq!(title(".gz"), "");
        assert_eq!(title(".jsonl"), ".jsonl");
    }
}
