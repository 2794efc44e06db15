//! What all messages between the app and its workers share.
//!
//! A message is a few bytes (postcard) and, beside them, the large arrays its documentation names,
//! which change hands without being copied. The first message each way is a [`Greeting`]: an app
//! never talks to a worker of another build, which a half-renewed cache could give it.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Longest message read, in bytes, arrays apart.
const MAX_BYTES: usize = 64 << 20;

/// The first message in each direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The build both must come from.
    pub build: String,
    /// Whether all that can be run can be run here; a first visit's program has less.
    pub is_whole: bool,
}

/// A request's number: answers carry it, and answers to what is no longer wanted are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Task(pub u32);

/// How far a task is, as whole numbers of whatever it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// So much is done.
    pub done: u64,
    /// Of so much; 0 when nobody knows.
    pub of: u64,
}

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Longer than any message sent.
    #[error("a message of {0} bytes is too long")]
    TooLong(usize),
    /// Not a message of this version.
    #[error("a message cannot be read: {0}")]
    Unreadable(String),
}

/// A message as bytes.
///
/// # Errors
/// The message holds something that has no such form; those of this crate do not.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, CodecError> {
    postcard::to_allocvec(message).map_err(|error| CodecError::Unreadable(error.to_string()))
}

/// Bytes as a message.
///
/// # Errors
/// More bytes than a message may have, or bytes that are no message of this version.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > MAX_BYTES {
        return Err(CodecError::TooLong(bytes.len()));
    }
    let unreadable = |error: postcard::Error| CodecError::Unreadable(error.to_string());
    let (message, rest) = postcard::take_from_bytes(bytes).map_err(unreadable)?;
    if rest.is_empty() {
        Ok(message)
    } else {
        Err(CodecError::Unreadable(format!("{} bytes are left over", rest.len())))
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
            "a message cannot be read: 1 bytes are left over"
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
