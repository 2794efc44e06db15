//! Files to worlds, and worlds to files, for the world worker.
//!
//! Most visits never need the importers, the rules for odd URLs and the list of public suffixes, so
//! that they are a program of their own, which the world worker loads when the first file is opened
//! or written.

use crawl_import::flat::{self, FlatError};
use crawl_import::{
    File, ImportError, Limits, Problem, Progress, Source, import, write_json_lines,
};
use crawl_protocol::reader::{Job, Outcome};
use crawl_protocol::world::Failure;
use crawl_world::World;
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::ops::ControlFlow;

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

/// Does what is asked, with the bytes that came beside it; gives the bytes that go beside the
/// answer. `tell` hears how many bytes of how many were read, 0 where that is not known.
pub fn work(job: Job, beside: &[Vec<u8>], tell: &mut dyn FnMut(u64, u64)) -> (Outcome, Vec<u8>) {
    let done = match job {
        Job::Read { names } => read(&names, beside, tell),
        Job::Unpack { data } => unpack(&data),
        Job::Pack => {
            world_beside(beside).map(|world| (Outcome::Packed(flat::pack(&world)), vec![]))
        }
        Job::Write => write(beside),
    };
    done.unwrap_or_else(|failure| (Outcome::Failed(failure), Vec::new()))
}

type Done = Result<(Outcome, Vec<u8>), Failure>;

fn read(names: &[String], files: &[Vec<u8>], tell: &mut dyn FnMut(u64, u64)) -> Done {
    let named: Vec<(&str, &[u8])> =
        names.iter().map(String::as_str).zip(files.iter().map(Vec::as_slice)).collect();
    let (world, second) = match *named.as_slice() {
        [world] => (world, None),
        [first, second] if belongs_beside(first.1, second.1) => (second, Some(first)),
        [first, second] => (first, Some(second)),
        _ => {
            let words = "one file is read, or two: links and URLs, or pages and labels";
            return Err(Failure::Words(words.to_owned()));
        }
    };
    let file = |(name, bytes)| File::from_bytes(name, bytes);
    let source = Source { second: second.map(file), ..file(world).into() };
    let mut tell = |now: Progress| {
        tell(now.bytes_read, now.bytes_total.unwrap_or(0));
        ControlFlow::Continue(())
    };
    let imported = import(source, &limits(), &mut tell).map_err(|error| failure(&error))?;
    let notices = imported.notices.iter().map(ToString::to_string).collect();
    let outcome = Outcome::World { format: imported.format.to_owned(), notices };
    Ok((outcome, flat::encode(&imported.world)))
}

fn unpack(data: &str) -> Done {
    let world = flat::unpack(data).map_err(damaged)?;
    let outcome = Outcome::World { format: String::new(), notices: Vec::new() };
    Ok((outcome, flat::encode(&world)))
}

fn write(beside: &[Vec<u8>]) -> Done {
    let mut bytes = Vec::new();
    match write_json_lines(&world_beside(beside)?, &mut bytes) {
        Ok(()) => Ok((Outcome::Written, bytes)),
        Err(error) => Err(Failure::Words(error.to_string())),
    }
}

fn world_beside(beside: &[Vec<u8>]) -> Result<World, Failure> {
    flat::decode(beside.first().map_or(&[], Vec::as_slice)).map_err(damaged)
}

fn damaged(error: FlatError) -> Failure {
    Failure::Words(error.to_string())
}

fn failure(error: &ImportError) -> Failure {
    match error.problem {
        Problem::Cancelled => Failure::Cancelled,
        _ => Failure::Words(error.to_string()),
    }
}

/// True when the first file says something of the second's pages: it names those of a file that
/// names none itself, or labels those of an archive.
fn belongs_beside(first: &[u8], second: &[u8]) -> bool {
    let (first, second) = (head(first), head(second));
    names_pages(&first) && !names_pages(&second) || is_archive(&second) && !is_archive(&first)
}

fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"WARC/")
}

/// A file's first bytes, unpacked.
fn head(bytes: &[u8]) -> Vec<u8> {
    let mut head = Vec::new();
    let read = if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(bytes).take(HEAD_BYTES).read_to_end(&mut head)
    } else {
        bytes.take(HEAD_BYTES).read_to_end(&mut head)
    };
    // What was read before an error is as good.
    let _ = read;
    head
}

/// True for a file of lines `id url`: the first line that has several columns has a number and a
/// web address.
fn names_pages(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
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
        assert!(names_pages(&head(&gzip.finish().unwrap())));
        assert!(!names_pages(&head(&[0x1f, 0x8b, 8])));
    }

    #[test]
    fn an_archive_and_its_labels_open_in_either_order() {
        let block = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Home</title>";
        let archive = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(archive.as_bytes()).unwrap();
        let archive = ("a.warc.gz".to_owned(), gzip.finish().unwrap());
        let labels = ("labels.tsv".to_owned(), b"http://a.example/\tcourse\n".to_vec());
        for files in [[archive.clone(), labels.clone()], [labels, archive]] {
            let (names, beside): (Vec<String>, Vec<Vec<u8>>) = files.into_iter().unzip();
            let (outcome, flat) = work(Job::Read { names }, &beside, &mut |_, _| {});
            assert!(matches!(&outcome, Outcome::World { format, .. } if format == "warc"));
            let world = flat::decode(&flat).unwrap();
            let page = world.find("http://a.example/").unwrap();
            assert_eq!(world.title_of(page), "Home");
            assert!(world.has_topic(page, "course"));
        }
    }
}
