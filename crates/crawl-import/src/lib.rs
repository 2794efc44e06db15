//! Bytes to a world, and a world to JSON Lines.
//!
//! [`import`] takes a file's bytes and its name, undoes gzip where it finds it, asks each entry of
//! the [`IMPORTERS`] registry whether the file is meant for it, and reads the file line by line
//! within [`Limits`]. What is wrong comes back as an [`ImportError`] that says what and where in
//! one line; what was odd but harmless as [`Notice`]s. [`write_json_lines`] is the way back: what
//! it writes reads as a world with the same digest.
//!
//! Nothing here knows paths, the clock or the browser: a command line hands in an open file, a
//! page hands in the bytes it was given.
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
    /// What was odd but harmless, in order of appearance.
    pub notices: Vec<Notice>,
    /// The id of the importer that read it.
    pub format: &'static str,
}

/// What an importer's read function works with.
pub(crate) struct Job<'a, 'p> {
    /// What the world is called unless the file says otherwise.
    title: String,
    input: Input<'a>,
    /// The file beside it.
    second: Option<Input<'a>>,
    limits: Limits,
    html: html::Options,
    most_files: u32,
    notices: Notices,
    monitor: Monitor<'p>,
}

/// Reads a world.
///
/// `progress` is told now and then how far the reading is, and may break it off.
///
/// # Errors
/// What is wrong with the file and where, in one line; or that it was stopped.
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
        None => format::meant_for(&Head::new(name, input.head()?))
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

/// What a world is called whose file does not say: the file's name without folders and endings.
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
