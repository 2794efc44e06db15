//! The real webs that tables are made of, where they are present.

use crate::args::FileArgs;
use crate::failure::Outcome;
use crate::world_source::{self, Loaded};
use crawl_catalogue::Catalogue;
use std::path::Path;

/// What stands beside a real web's own file.
enum Beside {
    Nothing,
    Urls(&'static str),
    Labels(&'static str),
}

/// Each with its file and what stands beside it, within the folder of the data.
const FILES: [(&str, &str, Beside); 7] = [
    ("harvard500", "harvard500/edges.tsv", Beside::Urls("harvard500/urls.tsv")),
    ("hollins", "hollins/hollins.dat", Beside::Urls("hollins/links.dat")),
    ("epa", "epa/gr0.epa.txt", Beside::Nothing),
    ("cnr-2000", "cnr-2000/cnr-2000.graph-txt.gz", Beside::Nothing),
    (
        "webkb",
        "webkb/webkb-cornell-texas-washington.warc.gz",
        Beside::Labels("webkb/webkb-cornell-texas-washington.labels.tsv"),
    ),
    ("python-devguide", "changes/python-devguide.tsv.gz", Beside::Nothing),
    ("rust-book", "changes/rust-book.tsv.gz", Beside::Nothing),
];

/// Whether the graph of that name is there.
pub fn is_present(name: &str, data: &Path) -> bool {
    FILES.iter().any(|(other, file, _)| *other == name && data.join(file).exists())
}

/// Reads the graph of that name; nothing where it is not present.
pub fn load(name: &str, data: &Path, catalogue: &Catalogue) -> Outcome<Option<Loaded>> {
    let found = FILES.iter().find(|(other, ..)| *other == name);
    let Some((_, file, beside)) = found.filter(|_| is_present(name, data)) else { return Ok(None) };
    let args = match beside {
        Beside::Nothing => FileArgs::default(),
        Beside::Urls(urls) => FileArgs { urls: Some(data.join(urls)), ..FileArgs::default() },
        Beside::Labels(labels) => {
            FileArgs { labels: Some(data.join(labels)), ..FileArgs::default() }
        }
    };
    world_source::load(&data.join(file).to_string_lossy(), &args, catalogue).map(Some)
}
