//! Serialisation of ascending numbers as differences.

/// Ascending numbers, each stored as the difference from the previous one.
pub(crate) mod differences {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::{Serialize, Serializer};

    /// Integers with checked addition.
    pub trait Number: Copy + Default {
        /// The difference from a smaller number.
        fn less(self, before: Self) -> Self;
        /// The sum with a difference; `None` on overflow.
        fn plus(self, difference: Self) -> Option<Self>;
    }

    impl Number for u32 {
        fn less(self, before: Self) -> Self {
            self.wrapping_sub(before)
        }

        fn plus(self, difference: Self) -> Option<Self> {
            self.checked_add(difference)
        }
    }

    impl Number for u64 {
        fn less(self, before: Self) -> Self {
            self.wrapping_sub(before)
        }

        fn plus(self, difference: Self) -> Option<Self> {
            self.checked_add(difference)
        }
    }

    /// Writes the differences.
    pub fn serialize<S: Serializer, T: Number + Serialize>(
        numbers: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut before = T::default();
        serializer.collect_seq(numbers.iter().map(|number| {
            let difference = number.less(before);
            before = *number;
            difference
        }))
    }

    /// Reads differences and adds them up.
    pub fn deserialize<'de, D: Deserializer<'de>, T: Number + Deserialize<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let mut numbers = Vec::<T>::deserialize(deserializer)?;
        let mut sum = T::default();
        for number in &mut numbers {
            sum = sum.plus(*number).ok_or_else(|| D::Error::custom("a number is too large"))?;
            *number = sum;
        }
        Ok(numbers)
    }
}
