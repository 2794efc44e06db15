//! Repeats the papers' experiments on generated and real webs, and checks their claims.
//!
//! Each paper is one module and one line in [`DOCUMENTS`]. Its experiment runs as printed, together
//! with variants the paper leaves out. Each claim is stated with its source; its verdict is computed
//! from the measurements.
//!
//! A [`Job`] runs an experiment piece by piece, so that the caller can report progress, cancel it, or
//! do other work in between. The result is a [`Report`], the same on every machine.
//!
//! ```no_run
//! use crawl_claims::{Job, find};
//! use std::ops::ControlFlow;
//!
//! let document = find("C").expect("Wen & Lu 2004");
//! let job = Job::generated(document, 5, 1000);
//! let report = job.run(&mut |_| ControlFlow::Continue(()))?.expect("was not cancelled");
//! for claim in &report.claims {
//!     println!("{}: {}", claim.verdict.word(), claim.says);
//! }
//! # Ok::<(), crawl_claims::Failure>(())
//! ```

mod document;
pub mod figure;
pub mod format;
pub mod html;
mod job;
mod judge;
mod measurement;
pub mod plot;
mod report;

pub use document::{DOCUMENTS, Document, Findings, WebContext, find};
pub use job::{Failure, Job, Progress, Step, Web};
pub use judge::{Claim, ClaimTable, Verdict, mean_and_half_width, standard_error};
pub use measurement::{Measurement, Number, Series};
pub use report::{Cell, Figure, Line, Point, Report, Table, TableRow, Unit, Zone};
