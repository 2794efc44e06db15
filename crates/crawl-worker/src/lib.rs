//! What the browser's workers do.
//!
//! Every worker is the same program; the first message it gets says which of the two it is. The
//! world worker ([`world::WorldWorker`]) makes, reads, keeps, ranks and draws worlds; a lane worker
//! ([`lane::LaneWorker`]) runs one strategy. Both are state machines that know no browser: they are
//! told what came in, asked to work for a few milliseconds at a time, and talk to a host. The
//! browser is one host (`shell`), the tests are another.

pub mod lane;
mod parcel;
mod program;
mod reader;
mod shell;
mod store;
pub mod world;

pub use parcel::Array;
pub use shell::start;

/// How long a worker works before it looks for messages, in milliseconds.
pub const SLICE_MS: f64 = 10.0;
