//! Drives the built program as a person or another program would.

mod bad_input;
mod change_data;
mod commands;
mod experiments;
mod files;
mod limits;
mod revisits;
#[cfg(unix)]
mod serve;
mod support;
