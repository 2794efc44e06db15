//! Writes compressed copies for static servers: `app.js.br`, `app.js.gz`.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Extensions of compressed files.
const DENSE: [&str; 3] = ["png", "gz", "br"];
/// Brotli window of 4 MB, the largest that browsers accept.
const WINDOW_BITS: i32 = 22;

/// Compressed copies by name, if smaller than the file.
pub fn copies(files: &BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>> {
    let todo: Vec<_> = files
        .iter()
        .filter(|(name, _)| !DENSE.iter().any(|end| name.ends_with(&format!(".{end}"))))
        .collect();
    let next = Mutex::new(todo.into_iter());
    let take = || next.lock().ok().and_then(|mut next| next.next());
    let work = || {
        let mut made = Vec::new();
        while let Some((name, bytes)) = take() {
            for (end, copy) in [("br", brotli(bytes)?), ("gz", gzip(bytes)?)] {
                if copy.len() < bytes.len() {
                    made.push((format!("{name}.{end}"), copy));
                }
            }
        }
        Ok(made)
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Result<Vec<_>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a compression thread panicked")))
        };
        threads.into_iter().map(join).collect()
    });
    let mut all = BTreeMap::new();
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        lgwin: WINDOW_BITS,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut copy = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut copy, &parameters).context("cannot compress")?;
    Ok(copy)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn copies_hold_the_same_bytes_and_are_made_only_where_they_are_smaller() {
        let text = "let it be repeated. ".repeat(200).into_bytes();
        let files = BTreeMap::from([
            ("a.js".to_owned(), text.clone()),
            ("b.js".to_owned(), b"x".to_vec()),
            ("c.png".to_owned(), text.clone()),
        ]);
        let copies = copies(&files).unwrap();
        assert_eq!(copies.keys().collect::<Vec<_>>(), ["a.js.br", "a.js.gz"]);
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &copies["a.js.br"][..], &mut back).unwrap();
        assert_eq!(back, text);
        back.clear();
        flate2::read::GzDecoder::new(&copies["a.js.gz"][..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, text);
    }
}
