//! Files that the user chose or dropped.

use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList, FileSystemEntry, HtmlInputElement};

/// Files and folders chosen or dropped together.
#[derive(Default)]
pub struct Offered {
    /// Files.
    pub files: Vec<File>,
    /// Names of folders, which cannot be read.
    pub folders: Vec<String>,
}

impl Offered {
    /// True if there is neither, as when a text is dropped.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }
}

/// Files chosen in an input element.
pub fn chosen(input: &HtmlInputElement) -> Offered {
    Offered { files: list(input.files()), folders: Vec::new() }
}

/// Files and folders of a drop event.
pub fn dropped(event: &DragEvent) -> Offered {
    let Some(data) = event.data_transfer() else { return Offered::default() };
    let items = data.items();
    // Folders are also listed as files; only their entry tells them apart.
    let entry = |at| items.get(at)?.webkit_get_as_entry().ok()?;
    let folders: Vec<String> = (0..items.length())
        .filter_map(entry)
        .filter(FileSystemEntry::is_directory)
        .map(|entry| entry.name())
        .collect();
    let mut files = list(data.files());
    files.retain(|file| !folders.contains(&file.name()));
    Offered { files, folders }
}

fn list(files: Option<FileList>) -> Vec<File> {
    let files = files.into_iter().flat_map(|files| (0..files.length()).map(move |i| files.get(i)));
    files.flatten().collect()
}

/// Reads the bytes of a file.
///
/// # Errors
/// If the browser cannot read the file.
pub async fn bytes(file: &File) -> Result<Uint8Array, String> {
    let buffer = JsFuture::from(file.array_buffer()).await;
    let buffer = buffer.map_err(|error| crawl_post::said(&error))?;
    let buffer: ArrayBuffer = buffer.dyn_into().map_err(|_| String::new())?;
    Ok(Uint8Array::new(&buffer))
}
