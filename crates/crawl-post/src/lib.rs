//! Messages between the app and its workers, as the browser carries them.
//!
//! A parcel is a JavaScript array: first the message's bytes, then the large arrays and ports that
//! its documentation names. Arrays and ports change hands without being copied.

use crawl_protocol::{CodecError, decode, encode};
use js_sys::{Array, Float32Array, Float64Array, Uint8Array, Uint32Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessagePort, Worker};

/// The build the app and its workers must share; `cargo xtask` sets it.
pub const BUILD: &str = match option_env!("CRAWLSCOPE_BUILD") {
    Some(build) => build,
    None => "development",
};

/// Why a parcel could not be sent or opened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PostError {
    /// The message in it.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// Something else than a parcel.
    #[error("something that is no parcel came in the post")]
    NoParcel,
    /// An array that is missing or of another kind.
    #[error("array {0} of a message is missing or of another kind")]
    Array(usize),
    /// The browser refused to send it.
    #[error("the browser did not send a message: {0}")]
    Refused(String),
}

/// Whoever can be sent something.
pub trait Address {
    /// Sends a value; what is in `transfer` changes hands.
    fn send(&self, parcel: &JsValue, transfer: &JsValue) -> Result<(), JsValue>;
}

impl Address for Worker {
    fn send(&self, parcel: &JsValue, transfer: &JsValue) -> Result<(), JsValue> {
        self.post_message_with_transfer(parcel, transfer)
    }
}

impl Address for MessagePort {
    fn send(&self, parcel: &JsValue, transfer: &JsValue) -> Result<(), JsValue> {
        self.post_message_with_transferable(parcel, transfer)
    }
}

impl Address for DedicatedWorkerGlobalScope {
    fn send(&self, parcel: &JsValue, transfer: &JsValue) -> Result<(), JsValue> {
        self.post_message_with_transfer(parcel, transfer)
    }
}

/// Sends a message and, beside it, typed arrays and ports, which change hands.
pub fn post<T: Serialize>(
    to: &dyn Address,
    message: &T,
    beside: &[JsValue],
) -> Result<(), PostError> {
    let bytes = Uint8Array::from(encode(message)?.as_slice());
    let (parcel, transfer) = (Array::of1(&bytes), Array::of1(&bytes.buffer()));
    for item in beside {
        parcel.push(item);
        let buffer = js_sys::Reflect::get(item, &"buffer".into()).unwrap_or_default();
        transfer.push(if buffer.is_object() { &buffer } else { item });
    }
    to.send(&parcel, &transfer).map_err(|error| PostError::Refused(said(&error)))
}

/// What a browser's error says.
pub fn said(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => error.as_string().unwrap_or_else(|| format!("{error:?}")),
    }
}

/// A parcel, opened: the message, and what came beside it.
#[derive(Debug)]
pub struct Opened<T> {
    /// The message.
    pub message: T,
    beside: Array,
}

/// Opens what came in a message event's `data`.
pub fn open<T: DeserializeOwned>(data: &JsValue) -> Result<Opened<T>, PostError> {
    let parcel: &Array = data.dyn_ref().ok_or(PostError::NoParcel)?;
    let bytes: Uint8Array = parcel.get(0).dyn_into().map_err(|_| PostError::NoParcel)?;
    Ok(Opened { message: decode(&bytes.to_vec())?, beside: parcel.slice(1, parcel.length()) })
}

impl<T> Opened<T> {
    /// How much came beside the message.
    pub fn n_beside(&self) -> usize {
        self.beside.length() as usize
    }

    /// All that came beside the message, as the browser's own array.
    pub fn beside(&self) -> Array {
        self.beside.clone()
    }

    /// What came beside the message at a place, as the browser's own object.
    pub fn get<J: JsCast>(&self, at: usize) -> Result<J, PostError> {
        self.beside.get(at as u32).dyn_into().map_err(|_| PostError::Array(at))
    }

    /// An array of whole numbers.
    pub fn u32s(&self, at: usize) -> Result<Vec<u32>, PostError> {
        Ok(self.get::<Uint32Array>(at)?.to_vec())
    }

    /// An array of numbers.
    pub fn f32s(&self, at: usize) -> Result<Vec<f32>, PostError> {
        Ok(self.get::<Float32Array>(at)?.to_vec())
    }

    /// An array of exact numbers.
    pub fn f64s(&self, at: usize) -> Result<Vec<f64>, PostError> {
        Ok(self.get::<Float64Array>(at)?.to_vec())
    }

    /// An array of bytes.
    pub fn bytes(&self, at: usize) -> Result<Vec<u8>, PostError> {
        Ok(self.get::<Uint8Array>(at)?.to_vec())
    }
}

/// Whole numbers as the browser's own array, to be sent.
pub fn u32s(numbers: &[u32]) -> JsValue {
    Uint32Array::from(numbers).into()
}

/// Numbers as the browser's own array, to be sent.
pub fn f32s(numbers: &[f32]) -> JsValue {
    Float32Array::from(numbers).into()
}

/// Exact numbers as the browser's own array, to be sent.
pub fn f64s(numbers: &[f64]) -> JsValue {
    Float64Array::from(numbers).into()
}

/// Bytes as the browser's own array, to be sent.
pub fn bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}
