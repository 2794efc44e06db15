//! What the papers claim, tried again on generated and real webs.
//!
//! Each document has a module. Its experiment is run as the paper describes it and beside it what the
//! paper leaves out; every claim is then stated with its source, and whether it held is computed from
//! the numbers, never written down.

pub mod document_e;
mod judge;
pub mod plot;

pub use judge::{Claim, Verdict, mean_and_half_width};
