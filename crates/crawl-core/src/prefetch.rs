//! Prefetching: reads memory before it is needed, to hide cache misses.
//!
//! Data of a page lie in several tables, each larger than the processor's caches, and consecutive
//! visits go to unrelated pages. Reading a value while the previous visit is processed brings it
//! into the cache in time.

/// Reads a value and discards it.
#[inline(always)]
pub(crate) fn touch<T: Copy>(value: Option<T>) {
    std::hint::black_box(value);
}
