//! Errors of the commands. Bad input exits with code 2, everything else with 1.

use crate::terminal::{self, plain};
use anyhow::anyhow;
use crawl_catalogue::{CatalogueError, Fault, excerpt, quoted};
use crawl_import::ImportError;
use crawl_protocol::LinkError;
use crawl_run::{RunError, TooMuch};
use crawl_server::ServeError;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// An error of a command.
#[derive(Debug)]
pub enum Failure {
    /// Invalid input: a file, a link, a name or a number.
    Input(anyhow::Error),
    /// A syntax error in a typed text, printed with a caret under its position.
    Typed(anyhow::Error, Box<Fault>),
    /// Any other error.
    Other(anyhow::Error),
}

/// Maximum characters of a whole message; texts quoted in it are shortened separately.
const MOST_CHARS: usize = 2000;

/// Result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Invalid input, with a message.
    pub fn input(message: impl Display) -> Self {
        Self::Input(anyhow!("{message}"))
    }

    /// Any other error, with a message.
    pub fn other(message: impl Display) -> Self {
        Self::Other(anyhow!("{message}"))
    }

    /// A file that could not be opened or created.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::input(format!("{}: {}", quoted(&path.to_string_lossy()), reason(error)))
    }

    /// Prints the error on standard error, in one line, and for `Typed` the text with a caret.
    ///
    /// A closed output pipe is not an error: it prints nothing and exits with 0.
    pub fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Self::Input(error) | Self::Typed(error, _) => (error, 2),
            Self::Other(error) => (error, 1),
        };
        let gone = |cause: &(dyn std::error::Error + 'static)| {
            let cause = cause.downcast_ref::<io::Error>();
            cause.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(gone) {
            return ExitCode::SUCCESS;
        }
        eprintln!("crawlscope: {}", excerpt(&format!("{error:#}"), MOST_CHARS));
        if let Self::Typed(_, fault) = self {
            let (line, before) = fault.window(terminal::width().saturating_sub(2).max(20));
            eprintln!("  {}\n  {}^", plain(&line), " ".repeat(before));
        }
        ExitCode::from(code)
    }
}

/// The system's error message without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Other(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Self {
        match &error {
            CatalogueError::Fault { fault, .. } => {
                let fault = fault.clone();
                Self::Typed(error.into(), fault)
            }
            _ => Self::Input(error.into()),
        }
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Catalogue(error) => error.into(),
            error => Self::Input(error.into()),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self::Input(error.into())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Param(error) => error.into(),
            RunError::NotBuilt(_) => Self::Other(error.into()),
            RunError::TooMuch(error) => (*error).into(),
            RunError::FileNeeded { ref names, .. } => {
                let how = if names.len() > 1 {
                    "give them with --world and --urls or --labels"
                } else {
                    "give it with --world"
                };
                Self::input(format!("{error}; {how}"))
            }
            _ => Self::Input(error.into()),
        }
    }
}

impl From<TooMuch> for Failure {
    fn from(error: TooMuch) -> Self {
        Self::input(format!("{error}; --no-limits lifts the limits"))
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Read { path, source } => Self::file(&path, &source),
            ServeError::Listen(_) => Self::Other(error.into()),
            _ => Self::Input(error.into()),
        }
    }
}
