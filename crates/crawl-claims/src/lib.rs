//! What the papers claim, tried again on generated and real webs.
//!
//! Each document is one file and one line in [`DOCUMENTS`]. Its experiment is run as the paper
//! describes it and beside it what the paper leaves out; every claim is then stated with its source,
//! and whether it held is computed from the numbers, never written down.
//!
//! A [`Job`] tries a document piece by piece, so that whoever runs it can show how far it is, stop it,
//! or do something else in between; what comes out is a [`Report`], the same on every machine.

mod document;
pub mod figure;
pub mod html;
mod job;
mod judge;
pub mod plot;
mod report;
mod tried;
pub mod written;

pub use document::{DOCUMENTS, Document, Findings, Ground, find};
pub use job::{Failure, Job, Progress, Step, Web};
pub use judge::{ByClaim, Claim, Verdict, mean_and_half_width, standard_error};
pub use report::{Cell, Figure, Line, Point, Report, Row, Table, Unit, Zone};
pub use tried::{Number, Series, Tried};
