//! What people see: text that fits the terminal.

mod sparkline;
mod table;
mod text;

pub use sparkline::sparkline;
pub use table::{Column, Table};
pub use text::{counted, grouped, number, percent, plain, shorten, signed, width_of, wrap};

use std::io::{self, IsTerminal, Write};

/// The width where there is no terminal to ask.
const WIDTH_ELSEWHERE: usize = 120;
/// Narrower than this nothing can be laid out.
const MIN_WIDTH: usize = 40;

/// How many columns there are to write in: what `COLUMNS` says, or the terminal.
pub fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let asked = || {
        let size = terminal_size::terminal_size_of(io::stdout());
        size.filter(|_| io::stdout().is_terminal()).map(|(width, _)| usize::from(width.0))
    };
    told.or_else(asked).unwrap_or(WIDTH_ELSEWHERE).max(MIN_WIDTH)
}

/// Writes text to the standard output. Unlike `print!` this does not panic when nobody listens.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
