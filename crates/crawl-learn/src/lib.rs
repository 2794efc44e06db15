//! Learning algorithms for focused crawls, after Zhang, Li, Yu & Zhang 2010.
//!
//! Each module is usable alone; none depends on a crawl.
//!
//! - [`text`]: splits texts and URLs into words, for any script;
//! - [`bayes`]: naive Bayes, the topic of a document (eq. 1–2);
//! - [`bm25`]: finds the vertex of the Web link graph most similar to a link (eq. 4–8);
//! - [`svm`]: a support vector machine that separates detail pages from pages of links;
//! - [`page`]: the three page features for that machine;
//! - [`link_graph`]: Q-learning on the Web link graph (eq. 17–18).
//!
//! Results are deterministic: no clock, no random numbers, no iteration over hash tables, and
//! transcendental functions from `libm`. The same input gives the same bits on every machine.
//!
//! ```
//! use crawl_learn::text::Pipeline;
//!
//! let pipeline = Pipeline { drop_stop_words: true, stem: true };
//! assert_eq!(pipeline.words("The cameras and their lenses"), ["camera", "lens"]);
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod bayes;
pub mod bm25;
pub mod link_graph;
pub mod page;
pub mod svm;
pub mod text;
mod vocabulary;
