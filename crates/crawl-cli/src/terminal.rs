//! What people see: text that fits the terminal.

mod sparkline;
mod table;
mod text;

pub use sparkline::sparkline;
pub use table::{Column, Table};
pub use text::{counted, grouped, number, percent, plain, signed, span, width_of, wrap};

use self::text::{plain_lines, shorten};
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

/// Whether what is too long for a line loses its middle. What goes into a file or another program does
/// not, unless a width was asked for.
pub fn cuts() -> bool {
    std::env::var_os("COLUMNS").is_some() || io::stdout().is_terminal()
}

/// Where text is laid out.
#[derive(Clone, Copy)]
pub struct Paper {
    /// How many columns there are.
    pub width: usize,
    /// Whether names that are too long lose their middle.
    pub cuts: bool,
}

impl Paper {
    /// That of the standard output.
    pub fn here() -> Self {
        Self { width: width(), cuts: cuts() }
    }

    /// A name in so many columns, or as it is where nothing is cut.
    pub fn fitted(&self, name: &str, width: usize) -> String {
        if self.cuts { shorten(name, width) } else { name.to_owned() }
    }
}

/// Writes text to the standard output, without hidden characters other than line ends. Unlike `print!`
/// this does not panic when nobody listens.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(plain_lines(text).as_bytes())?;
    out.flush()
}
