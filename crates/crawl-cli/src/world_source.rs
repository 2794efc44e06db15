//! Loads a world from a file, from standard input or from a generator.

use crate::args::FileArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crawl_catalogue::{Catalogue, CatalogueError, Kind, Spec, nearest, quoted};
use crawl_import::{File, Limits, Notice, Source, import};
use crawl_protocol::WorldSource;
use crawl_run::Run;
use crawl_world::World;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of import notices printed on standard error.
const MOST_NOTICES: usize = 5;

/// A loaded world.
pub struct Loaded {
    /// The world.
    pub world: Arc<World>,
    /// How a link names it.
    pub source: WorldSource,
    /// The importer that read it, if it came from a file.
    pub format: Option<&'static str>,
    /// Notices of the importer.
    pub notices: Vec<Notice>,
}

impl Loaded {
    /// Prints import notices on standard error.
    ///
    /// Call it last, when no error can follow, so that an error message stands alone.
    pub fn warn(&self) {
        let shown = self.notices.iter().take(MOST_NOTICES);
        shown.for_each(|notice| eprintln!("crawlscope: note: {notice}"));
        if let more @ 1.. = self.notices.len().saturating_sub(MOST_NOTICES) {
            eprintln!("crawlscope: note: {more} more; `crawlscope inspect` shows all");
        }
    }
}

/// Loads the world named on the command line.
pub fn load(name: &str, file: &FileArgs, catalogue: &Catalogue) -> Outcome<Loaded> {
    match read_name(name, catalogue)? {
        Named::Made(source) => {
            no_file_flags(file)?;
            make(source, file.no_limits)
        }
        Named::File => read(name, file),
    }
}

/// Generates a built-in world; refuses one over the limits unless `no_limits`.
pub fn make(source: WorldSource, no_limits: bool) -> Outcome<Loaded> {
    let _busy = Progress::spinner(format!("making {source}"));
    let world = match &source {
        WorldSource::Made(chosen) if no_limits => Run::generate_unlimited(chosen)?,
        source => Run::make_world(source)?,
    };
    Ok(Loaded { world: world.into(), source, format: None, notices: Vec::new() })
}

/// The source of a generated world, or `None` if a file must be read.
pub fn made_source(
    name: &str,
    file: &FileArgs,
    catalogue: &Catalogue,
) -> Outcome<Option<WorldSource>> {
    match read_name(name, catalogue)? {
        Named::Made(source) => no_file_flags(file).map(|()| Some(source)),
        Named::File => Ok(None),
    }
}

enum Named {
    Made(WorldSource),
    File,
}

/// Parses a world's name. Built-in names come first; write `./name` for a file of such a name.
fn read_name(name: &str, catalogue: &Catalogue) -> Outcome<Named> {
    let prefixed = ["builtin:", "gen:"].iter().find_map(|prefix| name.strip_prefix(prefix));
    if let Some(spec) = prefixed {
        let chosen = catalogue.choose(Kind::World, spec)?;
        return Ok(Named::Made(WorldSource::Made(chosen)));
    }
    if name == "-" {
        return Ok(Named::File);
    }
    let spec = Spec::parse_query(name);
    let known = |spec: &Spec| catalogue.entry(Kind::World, &spec.id).is_some();
    if spec.as_ref().is_ok_and(known) {
        let chosen = catalogue.choose(Kind::World, name)?;
        return Ok(Named::Made(WorldSource::Made(chosen)));
    }
    if Path::new(name).exists() {
        return Ok(Named::File);
    }
    let ids = || catalogue.of(Kind::World).map(|entry| entry.id.as_ref());
    let id = name.split(['(', '?']).next().unwrap_or(name);
    match spec {
        // With a parenthesis it is a spec: its syntax error helps more than "no such file".
        Err(error) if name.contains('(') => Err(CatalogueError::from(error).into()),
        Ok(spec) if name.contains(['(', '?']) => Err(catalogue
            .resolve(Kind::World, &spec)
            .map_or_else(Failure::from, |_| Failure::input(quoted(name)))),
        _ => {
            let meant = nearest(id, ids()).map(|n| format!("; did you mean '{n}'?"));
            let meant = meant.unwrap_or_default();
            Err(Failure::input(format!(
                "{}: neither a file nor a built-in world{meant}",
                quoted(name)
            )))
        }
    }
}

fn no_file_flags(file: &FileArgs) -> Outcome {
    let flags = [
        ("--urls", file.urls.is_some()),
        ("--labels", file.labels.is_some()),
        ("--format", file.format.is_some()),
        ("--context-distance", file.context_distance.is_some()),
        ("--most-files", file.most_files.is_some()),
    ];
    let Some((flag, _)) = flags.iter().find(|(_, given)| *given) else {
        return Ok(());
    };
    Err(Failure::input(format!("{flag} works only with a file, and this world is built in")))
}

fn read(name: &str, args: &FileArgs) -> Outcome<Loaded> {
    let companion = args.urls.as_ref().or(args.labels.as_ref());
    let companion_name = companion.map(|path| path.to_string_lossy());
    let second = match (companion, &companion_name) {
        (Some(path), Some(name)) => Some(open(path, name)?),
        _ => None,
    };
    let from_stdin = name == "-";
    let file = if from_stdin {
        File::from_reader("standard input", io::stdin().lock(), None)
    } else {
        open(Path::new(name), name)?
    };
    let bytes =
        file.size_bytes.unwrap_or(0) + second.as_ref().and_then(|f| f.size_bytes).unwrap_or(0);
    let mut source = Source { second, format: args.format.as_deref(), ..file.into() };
    if let Some(distance) = args.context_distance {
        source.html.context_distance = distance;
    }
    source.most_files = args.most_files.unwrap_or(source.most_files);
    let title = Path::new(name).file_name().unwrap_or_default();
    let title = title.to_string_lossy().into_owned();
    let progress = if from_stdin {
        Progress::spinner("reading standard input")
    } else {
        Progress::bar(format!("reading {title}"), bytes)
    };
    let imported = import(source, &Limits::default(), &mut |p| progress.set(p.bytes_read))?;
    let beside_title = companion.and_then(|path| path.file_name());
    let beside_title = beside_title.map(|name| name.to_string_lossy().into_owned());
    let names = match (from_stdin, beside_title) {
        (true, None) => Vec::new(),
        (true, Some(companion)) => vec!["standard input".to_owned(), companion],
        (false, companion) => std::iter::once(title).chain(companion).collect(),
    };
    Ok(Loaded {
        source: WorldSource::File {
            digest: imported.world.digest().to_string(),
            names,
            data: None,
        },
        world: imported.world.into(),
        format: Some(imported.format),
        notices: imported.notices,
    })
}

/// Opens a file to import.
pub fn open<'a>(path: &Path, name: &'a str) -> Outcome<File<'a>> {
    let file = fs::File::open(path).map_err(|error| Failure::file(path, &error))?;
    let size = file.metadata().ok().filter(fs::Metadata::is_file);
    let size = size.map(|metadata| metadata.len());
    Ok(File::from_reader(name, Box::new(file) as Box<dyn Read>, size))
}
