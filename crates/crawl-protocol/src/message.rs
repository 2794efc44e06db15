//! Encoding of messages between the app and its workers.
//!
//! A message is encoded with postcard; large arrays, named in its documentation, are transferred
//! without copying. The first message each way is a [`Greeting`], so that the app rejects workers
//! of another build, as from a stale cache.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Maximum length of a message in bytes, without arrays.
const MAX_BYTES: usize = 64 << 20;

/// The first message in each direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The build of the sender; must match.
    pub build: String,
}

/// Request number; answers repeat it, so that answers to old requests are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Task(pub u32);

/// Progress of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Total units; 0 if unknown.
    pub of: u64,
}

/// Why a message cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Longer than any valid message.
    #[error("message too long: {0} bytes")]
    TooLong(usize),
    /// Not a message of this build.
    #[error("cannot decode message: {0}")]
    Unreadable(String),
}

/// Encodes a message.
///
/// # Errors
/// If a value has no encoding; never for messages of this crate.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, CodecError> {
    postcard::to_allocvec(message).map_err(|error| CodecError::Unreadable(error.to_string()))
}

/// Decodes a message.
///
/// # Errors
/// If there are too many bytes, or they are not a message of this build.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > MAX_BYTES {
        return Err(CodecError::TooLong(bytes.len()));
    }
    let unreadable = |error: postcard::Error| CodecError::Unreadable(error.to_string());
    let (message, rest) = postcard::take_from_bytes(bytes).map_err(unreadable)?;
    if rest.is_empty() {
        Ok(message)
    } else {
        Err(CodecError::Unreadable(format!("{} trailing bytes", rest.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::{Answer, Command};
    use proptest::prelude::*;

    #[test]
    fn messages_come_back() {
        let command = Command::Show {
            task: Task(7),
            step: 120,
            at_s: 0.0,
            rows: 12,
            value: "cash".to_owned(),
        };
        let bytes = encode(&command).unwrap();
        assert_eq!(decode::<Command>(&bytes).unwrap(), command);
        assert!(decode::<Command>(&bytes[..bytes.len() - 1]).is_err());
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(
            decode::<Command>(&longer).unwrap_err().to_string(),
            "cannot decode message: 1 trailing bytes"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<Command>(&bytes);
            let _ = decode::<Answer>(&bytes);
            let _ = decode::<crate::world::Answer>(&bytes);
        }
    }
}
