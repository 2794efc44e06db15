//! What the world worker asks of the reader, a program of its own that is loaded when it is needed:
//! whatever a first visit can do without.
//!
//! Bytes travel beside: files or a world's flat form to it; a flat form or a file from it.

use crate::world::{Code, Failure};
use serde::{Deserialize, Serialize};

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// To read files into a world. Beside: their bytes. Gives [`Outcome::World`].
    Read {
        /// The files' names; a second file is the URL file of an edge list.
        names: Vec<String>,
    },
    /// To read the world that travelled in a link. Gives [`Outcome::World`].
    Unpack {
        /// What the link holds.
        data: String,
    },
    /// To make of a world what travels in a link. Beside: its flat form. Gives
    /// [`Outcome::Packed`].
    Pack,
    /// To draw a text as a QR code. Gives [`Outcome::Code`].
    Code {
        /// The text.
        text: String,
    },
    /// To write a world as JSON Lines. Beside: its flat form. Gives [`Outcome::Written`].
    Write,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// A world. Beside: its flat form.
    World {
        /// The id of the format it was read from; empty where it came in a link.
        format: String,
        /// What the user should know about what was read.
        notices: Vec<String>,
    },
    /// What travels in a link; nothing where the world is too large for one.
    Packed(Option<String>),
    /// A QR code.
    Code(Code),
    /// A file. Beside: its bytes.
    Written,
    /// It could not be done.
    Failed(Failure),
}
