//! The reader in the browser: one function, which the world worker calls.

use crawl_protocol::{decode, encode};
use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::prelude::*;

fn main() {}

/// Does a job: its message, and the typed arrays that came beside it. `tell` is called with how many
/// bytes of how many were read. Gives the answer's message and the bytes beside it.
#[wasm_bindgen]
pub fn work(job: &[u8], beside: &Array, tell: &Function) -> Result<Array, JsError> {
    let job = decode(job)?;
    let bytes = |item: JsValue| item.dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec());
    let beside: Vec<Vec<u8>> = beside.iter().filter_map(|item| bytes(item).ok()).collect();
    let mut told = |done: u64, of: u64| {
        // A listener that fails is not worth stopping for.
        let _ = tell.call2(&JsValue::NULL, &(done as f64).into(), &(of as f64).into());
    };
    let (outcome, bytes) = crawl_reader::work(job, &beside, &mut told);
    let answer = Uint8Array::from(encode(&outcome)?.as_slice());
    Ok(Array::of2(&answer, &Uint8Array::from(bytes.as_slice())))
}
