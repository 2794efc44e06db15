//! The reader in the browser: loaded when it is first needed, and called.

use crate::program::load;
use crawl_post::said;
use crawl_protocol::reader::{Job, Outcome};
use crawl_protocol::world::Failure;
use crawl_protocol::{decode, encode};
use js_sys::{Array, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::DedicatedWorkerGlobalScope;

/// What `www/worker.js` calls the function that loads it.
const LOADER: &str = "crawlscopeReader";

/// Milliseconds between two messages about how far the reading is.
const PROGRESS_MS: f64 = 100.0;

/// Has a job done; whatever goes wrong becomes an outcome.
pub(crate) async fn work(
    job: &Job,
    beside: &Array,
    scope: &DedicatedWorkerGlobalScope,
    tell: impl Fn(u64, u64) + 'static,
) -> (Outcome, Vec<u8>) {
    let failed = |error: JsValue| (Outcome::Failed(Failure::Words(said(&error))), Vec::new());
    ask(job, beside, scope, tell).await.unwrap_or_else(failed)
}

async fn ask(
    job: &Job,
    beside: &Array,
    scope: &DedicatedWorkerGlobalScope,
    tell: impl Fn(u64, u64) + 'static,
) -> Result<(Outcome, Vec<u8>), JsValue> {
    let words = |error: crawl_protocol::CodecError| JsValue::from(error.to_string());
    let reader = load(scope, LOADER).await?;
    let job = Uint8Array::from(encode(job).map_err(words)?.as_slice());
    let told_ms = Cell::new(js_sys::Date::now());
    let tell = Closure::<dyn Fn(f64, f64)>::new(move |done: f64, of: f64| {
        let now_ms = js_sys::Date::now();
        if now_ms - told_ms.get() >= PROGRESS_MS {
            told_ms.set(now_ms);
            tell(done as u64, of as u64);
        }
    });
    let answer = reader.call3(&JsValue::NULL, &job, beside, tell.as_ref())?;
    let answer: Array = answer.dyn_into()?;
    let bytes = |at: u32| answer.get(at).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec());
    Ok((decode(&bytes(0)?).map_err(words)?, bytes(1)?))
}
