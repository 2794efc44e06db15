//! Jobs that the world worker gives to the reader program, which is loaded on demand.
//!
//! Files and flat forms are transferred with the messages.

use crate::world::Failure;
use serde::{Deserialize, Serialize};

/// A job of the reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Read files into a world. Transferred: their bytes. Result: [`Outcome::World`].
    Read {
        /// The files' names; a second file is the URL file of an edge list.
        names: Vec<String>,
    },
    /// Decode the world of a link. Result: [`Outcome::World`].
    Unpack {
        /// The link's `data`.
        data: String,
    },
    /// Encode a world for a link. Transferred: its flat form. Result: [`Outcome::Packed`].
    Pack,
    /// Write a world as JSON Lines. Transferred: its flat form. Result: [`Outcome::Written`].
    Write,
}

/// Result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// A world. Transferred: its flat form.
    World {
        /// Id of its format; empty if it came from a link.
        format: String,
        /// Notices of the importer.
        notices: Vec<String>,
    },
    /// The world for a link; `None` if it is too large.
    Packed(Option<String>),
    /// A file. Transferred: its bytes.
    Written,
    /// The job failed.
    Failed(Failure),
}
