//! Figures of the documents that can be changed: one file each in their document's folder, one line in
//! its list of figures.
//!
//! A figure has parameters as every registry entry has. It is drawn by a [`Drawing`], step by step, so
//! that what is known at once is shown at once and what is simulated is added as it comes.

use crate::document::DOCUMENTS;
use crate::report::Figure;
use crawl_catalogue::{Catalogue, Chosen, Entry, Kind, Params};

/// A figure in the registry. Its family is its document's letter.
pub struct FigureEntry {
    /// Texts and parameters.
    pub entry: Entry,
    /// Starts it; parameters that fit one by one may still not fit together.
    pub start: fn(&Params) -> Result<Box<dyn Drawing>, String>,
}

/// A figure being drawn.
pub trait Drawing {
    /// Does a part of the work; false when there is no more.
    fn step(&mut self) -> bool;

    /// The figure, as far as it is.
    fn figure(&self) -> Figure;
}

/// Every registry, the figures among them.
pub fn catalogue() -> Catalogue {
    let mut catalogue = crawl_run::catalogue();
    catalogue.entries.extend(figures().map(|figure| (Kind::Figure, figure.entry.clone())));
    catalogue
}

fn figures() -> impl Iterator<Item = &'static FigureEntry> {
    DOCUMENTS.iter().flat_map(|document| document.figures.iter().copied())
}

/// Starts a figure.
///
/// # Errors
/// Where there is no such figure, or its parameters do not fit together.
pub fn start(chosen: &Chosen) -> Result<Box<dyn Drawing>, String> {
    let figure = figures().find(|figure| figure.entry.id == chosen.id);
    let figure = figure.ok_or_else(|| format!("there is no figure {}", chosen.id))?;
    (figure.start)(&chosen.params).map_err(|error| format!("{}: {error}", chosen.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_says_what_it_is_and_draws_something() {
        let catalogue = catalogue();
        for document in DOCUMENTS {
            for figure in document.figures {
                let entry = &figure.entry;
                assert_eq!(entry.family, document.id, "{}", entry.id);
                for text in [&entry.title, &entry.source, &entry.summary, &entry.description] {
                    assert!(!text.is_empty(), "{}", entry.id);
                }
                assert!(entry.params.iter().all(|param| !param.help.is_empty()), "{}", entry.id);
                let chosen = catalogue.choose(Kind::Figure, &entry.id).expect("defaults fit");
                let mut drawing = start(&chosen).expect("defaults fit together");
                let first = drawing.figure();
                while drawing.step() {}
                let last = drawing.figure();
                assert!(!first.lines.is_empty() && first.measured().is_empty());
                assert!(!last.measured().is_empty());
            }
        }
        assert_eq!(figures().count(), catalogue.of(Kind::Figure).count());
    }
}
