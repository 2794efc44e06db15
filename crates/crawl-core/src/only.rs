//! What only the whole program has.

/// Whether this is the whole program, and not that of a first visit.
pub(crate) const IS_WHOLE: bool = cfg!(feature = "whole");

/// Something that nothing on a first visit has: there it is never there, so that all that is done with
/// it is left out of its program.
#[derive(Clone, Debug)]
pub(crate) struct Only<T>(Option<T>);

impl<T> Only<T> {
    #[inline(always)]
    pub(crate) fn new(there: Option<T>) -> Self {
        Self(there.filter(|_| IS_WHOLE))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&T> {
        if IS_WHOLE { self.0.as_ref() } else { None }
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        if IS_WHOLE { self.0.as_mut() } else { None }
    }
}
