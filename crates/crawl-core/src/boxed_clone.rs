//! Cloning of boxed trait objects, for checkpoints.

/// Defines a supertrait that clones every `Clone` implementor of a trait into a box, and implements
/// `Clone` for boxes of the trait.
macro_rules! boxed_clone {
    ($supertrait:ident for $object:ident) => {
        /// Clones a value into a box; implemented for every type that is `Clone`.
        pub trait $supertrait {
            /// Clones the value into a box.
            fn boxed(&self) -> Box<dyn $object>;
        }

        impl<T: $object + Clone + 'static> $supertrait for T {
            fn boxed(&self) -> Box<dyn $object> {
                Box::new(self.clone())
            }
        }

        impl Clone for Box<dyn $object> {
            fn clone(&self) -> Self {
                (**self).boxed()
            }
        }
    };
}

pub(crate) use boxed_clone;
