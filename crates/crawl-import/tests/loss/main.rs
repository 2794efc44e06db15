//! Importers lose nothing silently: each byte of a small file of every format is damaged in turn.
//!
//! Each damaged file must give one of:
//!
//! 1. an **error**;
//! 2. a **notice** that the intact file does not have, or one with another count;
//! 3. a world with the **same digest**;
//! 4. another world, if the damaged file is valid: another page number in a text file, a row that
//!    became a comment, a file truncated between two rows.
//!
//! Case 4 is allowed only for bytes without a checksum, length or digest, so never for a replaced or
//! missing byte in a gzip file, nor in a record with a `WARC-Block-Digest`. In cases 2 to 4 **every row
//! is accounted for**: a simple counter, which shares no code with the importers, counts as many rows
//! in the damaged bytes as the world and the notices contain together. Archives whose notice says that
//! the rest is lost, or that one record may have swallowed another, are not counted.

mod account;
mod sample;

use crawl_import::{
    File, IMPORTERS, Imported, Limits, Notice, NoticeKind, Source, import, no_progress,
};
use crawl_world::Digest;
use flate2::read::MultiGzDecoder;
use sample::{Packing, Sample, gzip, samples};
use std::io::Read;

/// Result of importing a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Error,
    Message,
    Same,
    Changed,
}

/// A way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Replaced(usize, u8),
    LeftOut(usize),
    CutOff(usize),
    Appended(Vec<u8>),
}

impl Damage {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut damaged = bytes.to_vec();
        match self {
            Self::Replaced(at, byte) => damaged[*at] = *byte,
            Self::LeftOut(at) => drop(damaged.remove(*at)),
            Self::CutOff(at) => damaged.truncate(*at),
            Self::Appended(more) => damaged.extend_from_slice(more),
        }
        damaged
    }

    /// All damages to try. Characters with a meaning matter only in uncompressed files.
    fn all(bytes: &[u8], packing: Packing) -> Vec<Self> {
        let mut all = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            let mut others = vec![byte ^ 1, byte ^ 0x80, 0, 0xff];
            if packing == Packing::None {
                others.extend(b"\n #0z");
            }
            others.sort_unstable();
            others.dedup();
            others.retain(|other| other != byte);
            all.extend(others.into_iter().map(|other| Self::Replaced(at, other)));
            all.extend([Self::LeftOut(at), Self::CutOff(at)]);
        }
        all.extend([vec![0], vec![0; 512], b"garbage\0".to_vec()].map(Self::Appended));
        all
    }
}

/// The world of the intact file.
struct Sound {
    digest: Digest,
    notices: Vec<Notice>,
}

fn read(sample: &Sample, bytes: &[u8]) -> Result<Imported, String> {
    let (first, second) = match &sample.beside {
        None => (bytes, None),
        Some(main) => (main.as_slice(), Some(File::from_bytes("second", bytes))),
    };
    let source = Source { second, ..File::from_bytes(sample.name, first).into() };
    import(source, &Limits::default(), &mut no_progress).map_err(|error| error.to_string())
}

fn sound(sample: &Sample, bytes: &[u8]) -> Sound {
    let imported = read(sample, bytes).unwrap_or_else(|error| panic!("{}: {error}", sample.what));
    assert_eq!(imported.format, sample.importer, "{}", sample.what);
    let (there, told) = (sample.account)(&sample.bytes, &imported);
    assert_eq!(there, told, "{}", sample.what);
    assert!(there.iter().all(|n| *n > 0), "{}: a sample without rows shows nothing", sample.what);
    Sound { digest: imported.world.digest(), notices: imported.notices }
}

fn is_rest_lost(imported: &Imported) -> bool {
    let is_lost =
        |kind: &NoticeKind| matches!(kind, NoticeKind::RestLost { .. } | NoticeKind::RecordInside);
    imported.notices.iter().any(|notice| is_lost(&notice.kind))
}

/// The decompressed bytes, if the gzip data is intact.
fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut content).ok().map(|_| content)
}

/// Damages a sample in every way; returns the number of each result.
fn try_all(sample: &Sample, packing: Packing) -> [usize; 4] {
    let bytes = packing.pack(sample);
    let sound = sound(sample, &bytes);
    let mut counts = [0; 4];
    for damage in Damage::all(&bytes, packing) {
        let damaged = damage.apply(&bytes);
        let context = || format!("{}, {packing:?}, {damage:?}", sample.what);
        let outcome = match read(sample, &damaged) {
            Err(_) => Outcome::Error,
            Ok(imported) => {
                let plain =
                    if packing == Packing::None { Some(damaged) } else { unpacked(&damaged) };
                if let Some(plain) = plain.filter(|_| !is_rest_lost(&imported)) {
                    // Damage may make it a file of another format, which is reported.
                    let account = match sample.beside {
                        None => account::of(imported.format),
                        Some(_) => sample.account,
                    };
                    let (there, told) = account(&plain, &imported);
                    assert_eq!(there, told, "{}: rows there, rows told of", context());
                }
                if imported.notices != sound.notices || imported.format != sample.importer {
                    Outcome::Message
                } else if imported.world.digest() == sound.digest {
                    Outcome::Same
                } else {
                    Outcome::Changed
                }
            }
        };
        let is_covered = match (&damage, packing) {
            (Damage::Replaced(at, _) | Damage::LeftOut(at), Packing::None) => {
                sample.covered.iter().any(|range| range.contains(at))
            }
            (Damage::CutOff(_), _) => false,
            (Damage::Appended(_), Packing::None) => false,
            (_, Packing::Unsigned | Packing::Records) => true,
        };
        assert!(!is_covered || outcome != Outcome::Changed, "{}: lost in silence", context());
        if let (Damage::Appended(_), Packing::Unsigned | Packing::Records) = (&damage, packing) {
            assert!(matches!(outcome, Outcome::Error | Outcome::Message), "{}", context());
        }
        counts[outcome as usize] += 1;
    }
    counts
}

#[test]
fn every_importer_has_a_sample() {
    let samples = samples();
    for importer in IMPORTERS {
        let id = importer.id();
        assert!(
            samples.iter().any(|sample| sample.importer == id),
            "the importer {id} needs a sample in tests/loss/sample.rs"
        );
    }
}

#[test]
fn damage_to_a_plain_file_is_reported_or_every_row_is_accounted_for() {
    for sample in samples() {
        let [errors, _, same, _] = try_all(&sample, Packing::None);
        assert!(errors > 0 && same > 0, "{}", sample.what);
    }
}

#[test]
fn damage_to_a_gzipped_file_is_never_silent() {
    for sample in samples() {
        let [errors, told, same, changed] = try_all(&sample, Packing::Unsigned);
        assert_eq!(changed, 0, "{}", sample.what);
        // Time, system and unused flags of the header.
        assert!(same < (errors + told) / 5, "{}: {same} of {}", sample.what, errors + told);
    }
}

#[test]
fn damage_to_an_archive_of_gzipped_records_is_never_silent() {
    for sample in samples().iter().filter(|sample| sample.records.len() > 1) {
        let [.., changed] = try_all(sample, Packing::Records);
        // Truncated between two records it is a valid archive.
        assert!(changed < sample.records.len(), "{}: {changed}", sample.what);
    }
}

/// Bytes of a gzip member's trailer: four of the checksum, four of the length.
const TRAILER: usize = 8;

/// Regression: an error within the head was taken for the end of the file, and 3 of 100 pages were
/// read without a notice.
#[test]
fn a_wrong_checksum_in_the_third_record_is_reported() {
    let records: Vec<Vec<u8>> = (0..100)
        .map(|i| gzip(&sample::page(&format!("http://a.example/{i}"), &format!("page {i}"))))
        .collect();
    let mut bytes = records.concat();
    let sound =
        import(File::from_bytes("w.warc.gz", &bytes).into(), &Limits::default(), &mut no_progress);
    assert_eq!(sound.unwrap().world.n_pages(), 100);
    let end: usize = records[..3].iter().map(Vec::len).sum();
    bytes[end - TRAILER] ^= 1;
    let read =
        import(File::from_bytes("w.warc.gz", &bytes).into(), &Limits::default(), &mut no_progress);
    let imported = read.unwrap();
    assert!(imported.world.n_pages() <= 3);
    let lost = imported.notices.iter().find(|n| matches!(n.kind, NoticeKind::RestLost { .. }));
    let message = lost.expect("a notice").to_string();
    assert!(message.contains("does not have a matching checksum"), "{message}");
}

/// The same with an edge list: 500 of 20,000 links were read.
#[test]
fn a_wrong_checksum_in_the_first_member_of_an_edge_list_is_an_error() {
    let row = |i: usize| format!("{i} {}\n", i + 1);
    let member = |n: usize| gzip((n * 500..(n + 1) * 500).map(row).collect::<String>().as_bytes());
    let members: Vec<Vec<u8>> = (0..40).map(member).collect();
    let mut bytes = members.concat();
    let sound =
        import(File::from_bytes("w.tsv.gz", &bytes).into(), &Limits::default(), &mut no_progress);
    assert_eq!(sound.unwrap().world.n_links(), 20_000);
    bytes[members[0].len() - TRAILER] ^= 1;
    let read =
        import(File::from_bytes("w.tsv.gz", &bytes).into(), &Limits::default(), &mut no_progress);
    let message = read.unwrap_err().to_string();
    assert!(message.contains("does not have a matching checksum"), "{message}");
}
