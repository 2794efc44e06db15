//! Text output that fits the terminal.

mod sparkline;
mod table;
mod text;

pub use sparkline::sparkline;
pub use table::{Column, Table};
pub use text::{counted, grouped, number, percent, plain, signed, span, width_of, wrap};

use self::text::{plain_lines, shorten};
use std::io::{self, IsTerminal, Write};

/// Columns if standard output is not a terminal.
const DEFAULT_WIDTH: usize = 120;
/// Minimum columns.
const MIN_WIDTH: usize = 40;

/// Columns of the output: `COLUMNS`, else the terminal's width, else 120.
pub fn width() -> usize {
    let from_env = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let from_terminal = || {
        let size = terminal_size::terminal_size_of(io::stdout());
        size.filter(|_| io::stdout().is_terminal()).map(|(width, _)| usize::from(width.0))
    };
    from_env.or_else(from_terminal).unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH)
}

/// Whether long names are shortened: on a terminal, or if `COLUMNS` is set.
pub fn shortens() -> bool {
    std::env::var_os("COLUMNS").is_some() || io::stdout().is_terminal()
}

/// Width and shortening of text output.
#[derive(Clone, Copy)]
pub struct Output {
    /// Columns.
    pub width: usize,
    /// Whether names that do not fit lose their middle.
    pub shortens: bool,
}

impl Output {
    /// The format of standard output.
    pub fn stdout() -> Self {
        Self { width: width(), shortens: shortens() }
    }

    /// Shortens a name to `width` columns if shortening is on.
    pub fn fit(&self, name: &str, width: usize) -> String {
        if self.shortens { shorten(name, width) } else { name.to_owned() }
    }
}

/// Writes text to standard output; hidden characters other than newlines become escapes.
///
/// Unlike `print!` it does not panic if the pipe is closed.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(plain_lines(text).as_bytes())?;
    out.flush()
}
