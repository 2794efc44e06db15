//! Large arrays that travel beside a message.

/// A large array.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// Bytes.
    U8(Vec<u8>),
    /// Whole numbers.
    U32(Vec<u32>),
    /// Numbers.
    F32(Vec<f32>),
    /// Exact numbers.
    F64(Vec<f64>),
}

impl Array {
    /// The bytes, if it holds some.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::U8(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The exact numbers, if it holds some.
    pub fn into_f64s(self) -> Option<Vec<f64>> {
        match self {
            Self::F64(numbers) => Some(numbers),
            _ => None,
        }
    }
}
