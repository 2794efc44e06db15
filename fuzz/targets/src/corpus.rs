//! A target's files, and the run of all of them that the test makes.

use crate::{Mutator, Target, parse_dictionary};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where seeds, crashes and dictionaries are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The inputs a target is tried with.
pub struct Corpus {
    /// Inputs to start from, with their names.
    pub seeds: Vec<(String, Vec<u8>)>,
    /// Inputs that broke something once, with their names.
    pub crashes: Vec<(String, Vec<u8>)>,
    /// Words of the target's grammar.
    pub words: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads the files of a target; folders that do not exist are empty.
    ///
    /// # Errors
    /// In words, where a file cannot be read or a dictionary has a line that is no word.
    pub fn read(target: &Target) -> Result<Self, String> {
        let mut seeds = files("seeds", target.name)?;
        let made = (target.made_seeds)();
        seeds.extend((0..).map(|n| format!("made {n}")).zip(made));
        let path = Path::new(FOLDER).join("dictionaries").join(format!("{}.dict", target.name));
        let words = match fs::read_to_string(&path) {
            Ok(text) => parse_dictionary(&text)
                .map_err(|line| format!("{}:{line}: no word in quotes", path.display()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        Ok(Self { seeds, crashes: files("crashes", target.name)?, words })
    }

    /// Tries every seed, every crash and the target's number of mutations. `before` is told each
    /// input before it is tried, so that one that breaks something can be kept.
    pub fn run(&self, target: &Target, before: &mut dyn FnMut(&str, &[u8])) {
        for (name, input) in self.crashes.iter().chain(&self.seeds) {
            before(name, input);
            (target.run)(input);
        }
        let starts = self.seeds.iter().chain(&self.crashes);
        let starts: Vec<Vec<u8>> = starts.map(|(_, input)| input.clone()).collect();
        let mut mutator = Mutator::new(target.name, &starts, &self.words);
        for number in 0..target.n_mutations {
            let input = mutator.next_input();
            before(&format!("mutation {number}"), &input);
            (target.run)(&input);
        }
    }
}

fn files(kind: &str, name: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder: PathBuf = [FOLDER, kind, name].iter().collect();
    let in_words = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(in_words(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(in_words)?.path();
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((format!("{kind}/{name}"), bytes));
    }
    // Not in the order of the disk, so that mutations are the same everywhere.
    files.sort();
    Ok(files)
}
