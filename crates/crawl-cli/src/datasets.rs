//! The real webs used by tables and papers, read from a data folder.

use crate::args::FileArgs;
use crate::failure::Outcome;
use crate::world_source::{self, Loaded};
use crawl_catalogue::Catalogue;
use std::path::Path;

/// The companion file of a web: URLs or labels of its pages.
enum Companion {
    None,
    Urls(&'static str),
    Labels(&'static str),
}

/// Name, file and companion file of each web, relative to the data folder.
const FILES: [(&str, &str, Companion); 7] = [
    ("harvard500", "harvard500/edges.tsv", Companion::Urls("harvard500/urls.tsv")),
    ("hollins", "hollins/hollins.dat", Companion::Urls("hollins/links.dat")),
    ("epa", "epa/gr0.epa.txt", Companion::None),
    ("cnr-2000", "cnr-2000/cnr-2000.graph-txt.gz", Companion::None),
    (
        "webkb",
        "webkb/webkb-cornell-texas-washington.warc.gz",
        Companion::Labels("webkb/webkb-cornell-texas-washington.labels.tsv"),
    ),
    ("python-devguide", "changes/python-devguide.tsv.gz", Companion::None),
    ("rust-book", "changes/rust-book.tsv.gz", Companion::None),
];

/// Whether the files of the web `name` exist.
pub fn is_present(name: &str, data: &Path) -> bool {
    FILES.iter().any(|(other, file, _)| *other == name && data.join(file).exists())
}

/// Reads the web `name`; `None` if its file is missing.
pub fn load(name: &str, data: &Path, catalogue: &Catalogue) -> Outcome<Option<Loaded>> {
    let found = FILES.iter().find(|(other, ..)| *other == name);
    let Some((_, file, companion)) = found.filter(|_| is_present(name, data)) else {
        return Ok(None);
    };
    let args = match companion {
        Companion::None => FileArgs::default(),
        Companion::Urls(urls) => FileArgs { urls: Some(data.join(urls)), ..FileArgs::default() },
        Companion::Labels(labels) => {
            FileArgs { labels: Some(data.join(labels)), ..FileArgs::default() }
        }
    };
    world_source::load(&data.join(file).to_string_lossy(), &args, catalogue).map(Some)
}
