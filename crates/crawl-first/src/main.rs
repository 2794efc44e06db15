//! The workers' program of a first visit.
//!
//! It is `crawl-worker` with what that visit plays and no more, so that it arrives soon; the whole
//! program takes over once something else is wanted.

fn main() {
    crawl_worker::start();
}
