//! What a focused crawl learns by, after Zhang, Li, Yu & Zhang 2010 («document B»): each part is
//! usable alone and knows nothing of crawls.
//!
//! - [`text`]: a page's or a link's text into words, for any script;
//! - [`bayes`]: which topic a document is about (eq. 1–2);
//! - [`bm25`]: the vertex of the Web link graph that a link resembles most (eq. 4–8);
//! - [`svm`]: a detail page or a page of links, by a support vector machine;
//! - [`page`]: the three features of a page that machine looks at;
//! - [`link_graph`]: Q-learning on the Web link graph (eq. 17–18), sweep by sweep.
//!
//! Nothing here reads a clock, draws a random number or walks a hash table, and transcendental
//! functions come from `libm`: the same input gives the same bits on every machine.
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
