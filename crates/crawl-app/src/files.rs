//! Files a reader chose or dropped.

use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

/// Most files read together: a world and its file of URLs.
pub const MAX_FILES: usize = 2;

/// The files of a list.
pub fn list(files: Option<FileList>) -> Vec<File> {
    let files = files.into_iter().flat_map(|files| (0..files.length()).map(move |i| files.get(i)));
    files.flatten().take(MAX_FILES).collect()
}

/// The bytes of a file, as the browser holds them.
pub async fn bytes(file: &File) -> Result<Uint8Array, String> {
    let buffer = JsFuture::from(file.array_buffer()).await;
    let buffer = buffer.map_err(|error| crawl_post::said(&error))?;
    let buffer: ArrayBuffer = buffer.dyn_into().map_err(|_| String::new())?;
    Ok(Uint8Array::new(&buffer))
}
