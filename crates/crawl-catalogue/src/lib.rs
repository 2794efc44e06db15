//! Registry entries and the specs that name them.
//!
//! Strategies, rankers, metrics, worlds and importers are *entries* of registries: an [`Entry`] has
//! a name, a source, a formula and parameters. A [`Spec`] such as `opic(keep:true)` names an entry
//! with parameters, in links, on the command line and in the app. A [`Catalogue`] joins the entries
//! of all registries and resolves a `Spec` to a [`Chosen`]: checked, with defaults filled in,
//! printable in canonical form.
//!
//! This crate depends on no other crate of the project.
//!
//! ```
//! use crawl_catalogue::{Catalogue, Entry, EntryTexts, Kind, Param};
//!
//! const PARAMS: &[Param] = &[Param::integer("pages", 100, 1, 1000, "Number of pages.")];
//! let texts = EntryTexts { params: PARAMS, ..EntryTexts::default() };
//! let entries = vec![(Kind::World, Entry::new("ring", "Ring", texts))];
//! let catalogue = Catalogue { entries, rules: Vec::new() };
//! let chosen = catalogue.choose(Kind::World, "ring(pages:20)")?;
//! assert_eq!(chosen.params.integer("pages"), 20);
//! assert!(catalogue.choose(Kind::World, "ring(pages:0)").is_err());
//! # Ok::<(), crawl_catalogue::CatalogueError>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod catalogue;
mod entry;
mod fault;
mod nearest;
mod params;
mod spec;
mod visible;

pub use catalogue::{Catalogue, CatalogueError};
pub use entry::{Check, Entry, EntryTexts, Kind, Param, ParamKind, TextOf, Word};
pub use fault::Fault;
pub use nearest::nearest;
pub use params::{Chosen, ParamValue, Params};
pub use spec::{Arg, Spec, SpecError, Value, split_outside};
pub use visible::{QUOTED_CHARS, excerpt, is_hidden, quoted, visible};
