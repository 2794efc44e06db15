//! Files to a world, which is kept in the store, and in memory as long as it is not.

use super::summary::summary;
use super::{Host, ReadWorld, StoreRequest, WorldWorker, fail, progress};
use crate::Array;
use crawl_import::{File, ImportError, Imported, Limits, Problem, Source, flat, import};
use crawl_protocol::world::{Answer, Failure, KeptWorld, Stage};
use crawl_protocol::{Task, WorldSource};
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Milliseconds between two messages about how far the reading is.
const PROGRESS_MS: f64 = 100.0;
/// Bytes of a file looked at to tell what it holds.
const HEAD_BYTES: u64 = 1 << 14;

/// What a browser can hold.
fn limits() -> Limits {
    Limits {
        file_bytes: 2 << 30,
        pages: 1 << 23,
        links: 1 << 27,
        text_bytes: 1 << 29,
        ..Limits::default()
    }
}

impl WorldWorker {
    /// Reads files into a world and asks the store to keep it.
    pub(super) fn import(
        &mut self,
        task: Task,
        names: &[String],
        arrays: Vec<Array>,
        host: &mut dyn Host,
    ) {
        let files: Vec<Vec<u8>> = arrays.into_iter().filter_map(Array::into_bytes).collect();
        let imported = match read(task, names, &files, host) {
            Ok(imported) => imported,
            Err(failure) => return fail(task, failure, host),
        };
        drop(files);
        let world = imported.world;
        let flat = flat::encode(&world);
        let mut summary = summary(&world, world.digest().to_string(), flat.len() as u64);
        summary.notices = imported.notices.iter().map(ToString::to_string).collect();
        imported.format.clone_into(&mut summary.format);
        let name = names.first().cloned().unwrap_or_default();
        let digest = &summary.digest;
        self.read.retain(|read| !read.is_kept && read.summary.digest != *digest);
        let kept = KeptWorld {
            name: summary.title.clone(),
            summary: summary.clone(),
            used_ms: host.date_ms(),
        };
        let world = Arc::new(world);
        self.read.push(ReadWorld { task, world, summary, name, is_kept: false });
        host.store(StoreRequest::KeepWorld { task, world: Box::new(kept), flat });
    }

    /// Says that a world was read, now that it is known whether it is kept.
    pub(super) fn kept(&mut self, task: Task, kept: Result<(), String>, host: &mut dyn Host) {
        let Some(read) = self.read.iter_mut().find(|read| read.task == task) else { return };
        read.is_kept = kept.is_ok();
        let summary = Box::new(read.summary.clone());
        let digest = summary.digest.clone();
        let source = WorldSource::File { digest, name: read.name.clone(), data: None };
        host.send(Answer::Imported { task, source, summary, kept }, Vec::new());
    }
}

fn read(
    task: Task,
    names: &[String],
    files: &[Vec<u8>],
    host: &mut dyn Host,
) -> Result<Imported, Failure> {
    let named: Vec<(&str, &[u8])> =
        names.iter().map(String::as_str).zip(files.iter().map(Vec::as_slice)).collect();
    let (world, urls) = match *named.as_slice() {
        [world] => (world, None),
        [first, second] if names_pages(first.1) && !names_pages(second.1) => (second, Some(first)),
        [first, second] => (first, Some(second)),
        _ => return Err(Failure::Words("one file is read, or two: links and URLs".to_owned())),
    };
    let file = |(name, bytes)| File::from_bytes(name, bytes);
    let source = Source { file: file(world), urls: urls.map(file), format: None };
    let mut told_ms = host.now_ms();
    let mut tell = |now: crawl_import::Progress| {
        if host.now_ms() - told_ms >= PROGRESS_MS {
            told_ms = host.now_ms();
            progress(task, Stage::Reading, now.bytes_read, now.bytes_total.unwrap_or(0), host);
        }
        ControlFlow::Continue(())
    };
    import(source, &limits(), &mut tell).map_err(|error| failure(&error))
}

fn failure(error: &ImportError) -> Failure {
    match error.problem {
        Problem::Cancelled => Failure::Cancelled,
        _ => Failure::Words(error.to_string()),
    }
}

/// True for a file of lines `id url`: the first line that has several columns has a number and a
/// web address.
fn names_pages(bytes: &[u8]) -> bool {
    let mut head = Vec::new();
    let read = if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(bytes).take(HEAD_BYTES).read_to_end(&mut head)
    } else {
        bytes.take(HEAD_BYTES).read_to_end(&mut head)
    };
    // What was read before an error is as good.
    let _ = read;
    let text = String::from_utf8_lossy(&head);
    let is_comment = |line: &&str| line.trim().is_empty() || line.starts_with(['#', '%']);
    let mut lines = text.lines().filter(|line| !is_comment(line)).take(3);
    lines.any(|line| {
        let mut columns = line.split([' ', '\t', ',']).filter(|column| !column.is_empty());
        let number = columns.next().is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit()));
        number && columns.next().is_some_and(|url| url.contains("://"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn a_file_of_urls_is_told_from_one_of_links() {
        assert!(names_pages(b"# id url\n0 http://a.example/\n"));
        assert!(names_pages(b"id,url\n1,https://a.example/\n"));
        assert!(!names_pages(b"0 1\n1 2\n"));
        assert!(!names_pages(b"http://a.example/ http://b.example/\n"));
        assert!(!names_pages(b"n 0 http://a.example/\n"));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(b"7\thttp://a.example/\n").unwrap();
        assert!(names_pages(&gzip.finish().unwrap()));
        assert!(!names_pages(&[0x1f, 0x8b, 8]));
    }
}
