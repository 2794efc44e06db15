//! `crawlscope convert`: writes a world as JSON Lines.
//!
//! The world is written to a temporary file, read back and compared by digest, then renamed: the
//! output is complete or does not exist.

use crate::args::ConvertArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::report::size;
use crate::terminal;
use crate::world_source::{self, Loaded};
use anyhow::Context;
use crawl_catalogue::quoted;
use crawl_import::{Limits, import, no_progress, write_json_lines};
use crawl_run::catalogue;
use flate2::{Compression, write::GzEncoder};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Outcome {
    let out = Out::new(&args.out, args.force)?;
    let loaded = world_source::load(&args.world.world, &args.world.file, &catalogue())?;
    let temporary = Temporary::create(&out)?;
    let _busy = Progress::spinner(format!("writing {}", args.out.display()));
    write(&loaded, &temporary, out.is_gzipped())?;
    check(&loaded, &temporary.path)?;
    match &out {
        Out::Stdout => {
            let mut file = File::open(&temporary.path).context("reading back")?;
            io::copy(&mut file, &mut io::stdout().lock())?;
        }
        Out::File(path) => {
            out.check_free(args.force)?;
            fs::rename(&temporary.path, path)
                .with_context(|| format!("cannot write {}", path.display()))?;
            let (size, digest) = (size(&loaded.world), loaded.world.digest());
            terminal::print(&format!("{}  {size}  digest {digest}\n", path.display()))?;
        }
    }
    drop(temporary);
    loaded.warn();
    Ok(())
}

/// Destination of the output.
enum Out {
    Stdout,
    File(PathBuf),
}

impl Out {
    fn new(path: &Path, force: bool) -> Outcome<Self> {
        if path == "-" {
            return Ok(Self::Stdout);
        }
        if path.file_name().is_none() || path.is_dir() {
            let name = quoted(&path.to_string_lossy()).into_owned();
            return Err(Failure::input(format!("{name}: not a file name")));
        }
        let out = Self::File(path.to_owned());
        out.check_free(force)?;
        Ok(out)
    }

    /// Fails if the file exists and `force` is false.
    fn check_free(&self, force: bool) -> Outcome {
        match self {
            Self::File(path) if !force && fs::symlink_metadata(path).is_ok() => {
                Err(Failure::input(format!(
                    "{}: the file exists; replace it with --force",
                    quoted(&path.to_string_lossy())
                )))
            }
            _ => Ok(()),
        }
    }

    fn is_gzipped(&self) -> bool {
        matches!(self, Self::File(path) if path.extension().is_some_and(|e| e == "gz"))
    }
}

/// A temporary file, deleted on drop unless it was renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Creates it beside the output file, so that renaming is atomic; for standard output, in the
    /// system's temporary folder.
    fn create(out: &Out) -> Outcome<Self> {
        let (folder, name) = match out {
            Out::Stdout => (std::env::temp_dir(), "world".into()),
            Out::File(path) => (
                path.parent().unwrap_or(Path::new("")).to_owned(),
                path.file_name().unwrap_or_default().to_string_lossy(),
            ),
        };
        let path = folder.join(format!(".{name}.{}.tmp", std::process::id()));
        File::create_new(&path).map_err(|error| Failure::file(&path, &error))?;
        Ok(Self { path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Fails after a rename, as the file no longer has this name.
        let _ = fs::remove_file(&self.path);
    }
}

fn write(loaded: &Loaded, temporary: &Temporary, gzipped: bool) -> Outcome {
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary.path)?;
        if gzipped {
            let mut encoder = GzEncoder::new(&mut file, Compression::default());
            write_json_lines(&loaded.world, &mut encoder)?;
            encoder.finish()?;
        } else {
            write_json_lines(&loaded.world, &mut file)?;
        }
        file.flush()?;
        file.sync_all()
    };
    let name = temporary.path.display();
    Ok(write().with_context(|| format!("cannot write {name}"))?)
}

/// Reads the file back and compares it with the world.
fn check(loaded: &Loaded, path: &Path) -> Outcome {
    let file = world_source::open(path, "the file written")?;
    let read = import(file.into(), &Limits::default(), &mut no_progress);
    let read = read.map_err(|error| Failure::other(format!("cannot be read back: {error}")))?;
    let world = &loaded.world;
    let texts = |w: &crawl_world::World| (w.title().to_owned(), w.license().to_owned());
    let same_texts = world.title().is_empty() || texts(world) == texts(&read.world);
    if read.world.digest() != world.digest() || !same_texts {
        return Err(Failure::other(format!(
            "the written file has digest {} instead of {}; it was deleted",
            read.world.digest(),
            world.digest()
        )));
    }
    Ok(())
}
