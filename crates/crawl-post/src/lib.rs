//! Sends and receives messages between the app and its workers with `postMessage`.
//!
//! A parcel is a JavaScript array: the encoded message, then the arrays and ports that the
//! message's documentation names. Arrays and ports are transferred, not copied.

use crawl_protocol::{CodecError, decode, encode};
use js_sys::{Array, Float32Array, Float64Array, Uint8Array, Uint32Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessagePort, Worker};

/// Build id that the app and its workers must share; set by `cargo xtask`.
pub const BUILD: &str = match option_env!("CRAWLSCOPE_BUILD") {
    Some(build) => build,
    None => "development",
};

/// Why a parcel could not be sent or received.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PostError {
    /// The message cannot be encoded or decoded.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The data is not a parcel.
    #[error("received data that is not a message")]
    NoParcel,
    /// An array is missing or has another type.
    #[error("array {0} of a message is missing or has another type")]
    Array(usize),
    /// `postMessage` failed.
    #[error("the browser could not send a message: {0}")]
    Refused(String),
}

/// A target of `postMessage`.
pub trait Address {
    /// Posts a value and transfers the objects in `transfer`.
    ///
    /// # Errors
    /// The exception of `postMessage`.
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

/// Sends a message; transfers the typed arrays and ports in `beside`.
///
/// # Errors
/// If the message cannot be encoded or the browser cannot send it.
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

/// The message of a JavaScript exception.
pub fn said(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => error.as_string().unwrap_or_else(|| format!("{error:?}")),
    }
}

/// A received message with its transferred objects.
#[derive(Debug)]
pub struct Opened<T> {
    /// The message.
    pub message: T,
    beside: Array,
}

/// Decodes the `data` of a message event.
///
/// # Errors
/// If the data is not a parcel or the message cannot be decoded.
pub fn open<T: DeserializeOwned>(data: &JsValue) -> Result<Opened<T>, PostError> {
    let parcel: &Array = data.dyn_ref().ok_or(PostError::NoParcel)?;
    let bytes: Uint8Array = parcel.get(0).dyn_into().map_err(|_| PostError::NoParcel)?;
    Ok(Opened { message: decode(&bytes.to_vec())?, beside: parcel.slice(1, parcel.length()) })
}

impl<T> Opened<T> {
    /// Number of transferred objects.
    pub fn n_beside(&self) -> usize {
        self.beside.length() as usize
    }

    /// All transferred objects.
    pub fn beside(&self) -> Array {
        self.beside.clone()
    }

    /// The transferred object at an index.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn get<J: JsCast>(&self, at: usize) -> Result<J, PostError> {
        self.beside.get(at as u32).dyn_into().map_err(|_| PostError::Array(at))
    }

    /// The transferred `Uint32Array` at an index.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn u32s(&self, at: usize) -> Result<Vec<u32>, PostError> {
        Ok(self.get::<Uint32Array>(at)?.to_vec())
    }

    /// The transferred `Float32Array` at an index.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn f32s(&self, at: usize) -> Result<Vec<f32>, PostError> {
        Ok(self.get::<Float32Array>(at)?.to_vec())
    }

    /// The transferred `Float64Array` at an index.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn f64s(&self, at: usize) -> Result<Vec<f64>, PostError> {
        Ok(self.get::<Float64Array>(at)?.to_vec())
    }

    /// The transferred `Uint8Array` at an index.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn bytes(&self, at: usize) -> Result<Vec<u8>, PostError> {
        Ok(self.get::<Uint8Array>(at)?.to_vec())
    }
}

/// A `Uint32Array` to transfer.
pub fn u32s(numbers: &[u32]) -> JsValue {
    Uint32Array::from(numbers).into()
}

/// A `Float32Array` to transfer.
pub fn f32s(numbers: &[f32]) -> JsValue {
    Float32Array::from(numbers).into()
}

/// A `Float64Array` to transfer.
pub fn f64s(numbers: &[f64]) -> JsValue {
    Float64Array::from(numbers).into()
}

/// A `Uint8Array` to transfer.
pub fn bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}
