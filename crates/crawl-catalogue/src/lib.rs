//! What a registry entry is, and how one is named.
//!
//! Strategies, rankers, metrics, worlds and importers are all *entries* of a registry: an [`Entry`]
//! says what a thing is called, where it comes from, its formula and its parameters. A [`Spec`] is
//! how a person names one, `opic(keep:true)`, in a link, on the command line and in the app alike.
//! A [`Catalogue`] joins the entries of all registries and turns a `Spec` into a [`Chosen`]:
//! checked, defaults filled in, printable in canonical form.
//!
//! This crate is a leaf: it knows no strategy, no world and no wire format.
//!
//! ```
//! use crawl_catalogue::{Catalogue, Entry, EntryTexts, Kind, Param};
//!
//! const PARAMS: &[Param] = &[Param::integer("pages", 100, 1, 1000, "How many pages.")];
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
