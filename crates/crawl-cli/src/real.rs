//! The real graphs that tables are made of, where they are present.

use crate::args::FileArgs;
use crate::failure::Outcome;
use crate::world_source::{self, Loaded};
use crawl_catalogue::Catalogue;
use std::path::Path;

/// Each with its file and the file of its URLs, within the folder of the data.
const FILES: [(&str, &str, Option<&str>); 4] = [
    ("harvard500", "harvard500/edges.tsv", Some("harvard500/urls.tsv")),
    ("hollins", "hollins/hollins.dat", Some("hollins/links.dat")),
    ("epa", "epa/gr0.epa.txt", None),
    ("cnr-2000", "cnr-2000/cnr-2000.graph-txt.gz", None),
];

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, ..)| *name)
}

/// Whether the graph of that name is there.
pub fn is_present(name: &str, data: &Path) -> bool {
    FILES.iter().any(|(other, file, _)| *other == name && data.join(file).exists())
}

/// Reads the graph of that name; nothing where it is not present.
pub fn load(name: &str, data: &Path, catalogue: &Catalogue) -> Outcome<Option<Loaded>> {
    let found = FILES.iter().find(|(other, ..)| *other == name);
    let Some((_, file, urls)) = found.filter(|_| is_present(name, data)) else { return Ok(None) };
    let args = FileArgs { urls: urls.map(|urls| data.join(urls)), ..FileArgs::default() };
    world_source::load(&data.join(file).to_string_lossy(), &args, catalogue).map(Some)
}
