//! Fuzz targets: functions that take any bytes and panic where a promise is broken.
//!
//! [`TARGETS`] is the registry: one file in `src/target/` and one line per target. The programs of
//! `fuzz/` run them under libFuzzer (`cargo xtask fuzz`); the test of this crate replays the seeds
//! and the crashes of each and tries a fixed number of mutations ([`Corpus::run`]), so that every
//! test run tries them a little.
//!
//! Files of a target, by its name:
//! - `fuzz/seeds/NAME/`: inputs to start from, all of our own making;
//! - `fuzz/crashes/NAME/`: inputs that broke something once;
//! - `fuzz/dictionaries/NAME.dict`: words of its grammar, in libFuzzer's format.

mod check;
mod corpus;
mod dictionary;
mod mutate;
mod script;
mod target;
mod world;

pub use corpus::Corpus;
pub use dictionary::parse as parse_dictionary;
pub use mutate::{MAX_BYTES, Mutator};
pub use target::{TARGETS, Target, find};
