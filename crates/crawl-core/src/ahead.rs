//! Reading ahead: memory is what visits to many pages cost.
//!
//! What is known of a page lies in several tables, each larger than a processor's caches, and one visit
//! after the other goes to pages that have nothing to do with each other. A value that is looked at
//! while the visit before is worked on is there when it is needed.

/// Looks at a value and does nothing with it.
#[inline(always)]
pub(crate) fn look_at<T: Copy>(value: Option<T>) {
    std::hint::black_box(value);
}
