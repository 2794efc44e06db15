//! Figures with parameters: one file each in their paper's folder, one line in its `figures`.
//!
//! A figure has parameters like any registry entry. A [`Drawing`] computes it step by step: exact
//! curves at once, simulated points as they come.

use crate::document::DOCUMENTS;
use crate::report::Figure;
use crawl_catalogue::{Catalogue, Chosen, Entry, Kind, Params};

/// A registry entry: a figure with parameters. Its family is its document's id.
pub struct FigureEntry {
    /// Texts and parameters.
    pub entry: &'static Entry,
    /// Starts a drawing; fails if the parameters do not fit together.
    pub start: fn(&Params) -> Result<Box<dyn Drawing>, String>,
}

/// A figure being drawn.
pub trait Drawing {
    /// Does one step of the computation; returns false at the end.
    fn step(&mut self) -> bool;

    /// The figure as computed so far.
    fn figure(&self) -> Figure;
}

/// The catalogue of all registries, including figures.
pub fn catalogue() -> Catalogue {
    let mut catalogue = crawl_run::catalogue();
    catalogue
        .entries
        .extend(ENTRIES.iter().flatten().map(|entry| (Kind::Figure, (*entry).clone())));
    catalogue
}

/// The texts of every figure. A program that only shows them does not link what draws them.
static ENTRIES: [Option<&Entry>; n_figures()] = {
    let mut entries = [None; n_figures()];
    let (mut document, mut n) = (0, 0);
    while document < DOCUMENTS.len() {
        let figures = DOCUMENTS[document].figures;
        let mut figure = 0;
        while figure < figures.len() {
            entries[n] = Some(figures[figure].entry);
            (figure, n) = (figure + 1, n + 1);
        }
        document += 1;
    }
    entries
};

const fn n_figures() -> usize {
    let (mut document, mut n) = (0, 0);
    while document < DOCUMENTS.len() {
        n += DOCUMENTS[document].figures.len();
        document += 1;
    }
    n
}

fn figures() -> impl Iterator<Item = &'static FigureEntry> {
    DOCUMENTS.iter().flat_map(|document| document.figures.iter().copied())
}

/// Starts drawing a figure.
///
/// # Errors
/// If the figure does not exist, or its parameters do not fit together.
pub fn start(chosen: &Chosen) -> Result<Box<dyn Drawing>, String> {
    let figure = figures().find(|figure| figure.entry.id == chosen.id);
    let figure = figure.ok_or_else(|| format!("unknown figure {}", chosen.id))?;
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
                let entry = figure.entry;
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
