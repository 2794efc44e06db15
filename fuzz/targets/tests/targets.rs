//! Every target: its seeds and crashes again, then a fixed number of mutations.
//!
//! An input that breaks something is written to a file, and the message says where. Once the fault
//! is mended, move it to `fuzz/crashes/NAME/`: it is tried for ever.

use crawl_fuzz_targets::{Corpus, TARGETS, find};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::{fs, thread};

/// One test a target, so that they run side by side and a fault names its target.
macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! {
    address
    adjacency_text
    change_history
    charset
    crawl
    edge_list
    experiment
    flat
    formula
    html
    import_any
    json_lines
    labels
    lane_worker
    link
    messages
    packed
    ranker
    refresh
    robots
    spec
    timeline
    warc
    words
    world_worker
}

/// The input being tried; kept in a file when the target panics.
struct Current<'a> {
    target: &'a str,
    input: RefCell<(String, Vec<u8>)>,
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        let (name, input) = &*self.input.borrow();
        let file =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("crash-{}", self.target));
        let kept = match fs::write(&file, input) {
            Ok(()) => format!("written to {}", file.display()),
            Err(error) => format!("not written: {error}"),
        };
        eprintln!(
            "{}: {name} breaks it: \"{}\"\n{kept}; mend the fault, then move it to fuzz/crashes/{}/",
            self.target,
            input.escape_ascii(),
            self.target
        );
    }
}

fn run(name: &str) {
    let target = find(name).expect("it is in the registry");
    let corpus = Corpus::read(target).unwrap();
    assert!(!corpus.seeds.is_empty(), "{name} has no seeds");
    let current = Current { target: name, input: RefCell::default() };
    corpus.run(target, &mut |name, input| {
        *current.input.borrow_mut() = (name.to_owned(), input.to_vec());
    });
}

#[test]
fn every_target_has_a_test_a_program_and_a_dictionary() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(NAMES, names);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let programs: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""))
        .collect();
    assert_eq!(programs, names);
    for target in TARGETS {
        assert!(target.n_mutations > 0 && !target.note.is_empty(), "{}", target.name);
        let program = fuzz.join("fuzz_targets").join(format!("{}.rs", target.name));
        let program = fs::read_to_string(program).unwrap();
        assert!(program.contains(&format!("fuzz!(\"{}\")", target.name)), "{}", target.name);
        let corpus = Corpus::read(target).unwrap();
        assert!(!corpus.words.is_empty(), "{} has no dictionary", target.name);
    }
}

/// A folder that no target has is a corpus that nobody tries.
#[test]
fn every_file_belongs_to_a_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for kind in ["seeds", "crashes", "dictionaries"] {
        for entry in fs::read_dir(fuzz.join(kind)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(find(&name).is_some(), "{} belongs to no target", path.display());
        }
    }
}
