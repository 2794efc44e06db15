//! Runs the built program and checks its output.

mod bad_input;
mod change_data;
mod commands;
mod documents;
mod experiments;
mod files;
mod limits;
mod revisits;
#[cfg(unix)]
mod serve;
mod support;
