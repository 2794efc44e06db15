//! Programs that the world worker loads when they are first needed.

use crawl_post::said;
use crawl_protocol::encode;
use crawl_protocol::world::Command;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::DedicatedWorkerGlobalScope;

/// What `www/worker.js` calls the function that loads the reports.
const REPORTS: &str = "crawlscopeReports";

/// Loads a program by the name that `www/worker.js` gives its loader; gives the function it offers.
pub(crate) async fn load(
    scope: &DedicatedWorkerGlobalScope,
    loader: &str,
) -> Result<Function, JsValue> {
    let load: Function = Reflect::get(scope, &loader.into())?.dyn_into()?;
    let loaded: Promise = load.call0(scope)?.dyn_into()?;
    JsFuture::from(loaded).await?.dyn_into()
}

/// Passes a command and the flat form of the open world on to the reports.
///
/// # Errors
/// The program cannot be loaded, or not be told.
pub(crate) async fn report(
    scope: &DedicatedWorkerGlobalScope,
    command: &Command,
    world: &[u8],
) -> Result<(), String> {
    let message = encode(command).map_err(|error| error.to_string())?;
    let reports = load(scope, REPORTS).await.map_err(|error| said(&error))?;
    let bytes = |bytes: &[u8]| JsValue::from(Uint8Array::from(bytes));
    let told = reports.call2(&JsValue::NULL, &bytes(&message), &bytes(world));
    told.map(drop).map_err(|error| said(&error))
}
