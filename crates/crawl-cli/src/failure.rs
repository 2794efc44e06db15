//! What can go wrong, split by whose fault it is: bad input ends with exit code 2, the rest with 1.

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

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// What was given is wrong: a file, a link, a name, a number.
    Input(anyhow::Error),
    /// A text that was typed is wrong at one place: it is shown with a caret under that.
    Typed(anyhow::Error, Box<Fault>),
    /// Something else.
    Other(anyhow::Error),
}

/// Most characters of a message. Each text from outside in it is shorter; this is for all together.
const MOST_CHARS: usize = 2000;

/// What a command comes to.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Bad input, in words.
    pub fn input(message: impl Display) -> Self {
        Self::Input(anyhow!("{message}"))
    }

    /// Some other failure, in words.
    pub fn other(message: impl Display) -> Self {
        Self::Other(anyhow!("{message}"))
    }

    /// A file that could not be opened or made.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::input(format!("{}: {}", quoted(&path.to_string_lossy()), reason(error)))
    }

    /// Says it in one line on the standard error, unless it is only that nobody listens. Under a
    /// text that was typed wrong follows the place.
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

/// What the system says, without its error number.
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
        Self::input(format!("{error}; --no-limits runs it all the same"))
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
