//! The registry of file formats: one file per format, one line in [`IMPORTERS`].

mod adjacency_text;
mod change_history;
mod edge_list;
pub mod json_lines;
mod warc;

use crate::notices::Notices;
use crate::{ImportError, Job, Problem};
use crawl_catalogue::{Entry, nearest};
use crawl_world::World;

/// A registry entry: an importer.
pub struct ImporterEntry {
    /// Id and texts.
    pub entry: &'static Entry,
    /// Detects the format from the first bytes and the name of a file.
    pub sniff: fn(&Head<'_>) -> Fit,
    pub(crate) read: fn(Job<'_, '_>) -> Result<(World, Notices), ImportError>,
}

impl ImporterEntry {
    /// Id of the importer.
    pub fn id(&'static self) -> &'static str {
        &self.entry.id
    }
}

/// All importers. The first whose `sniff` matches reads the file.
pub const IMPORTERS: &[&ImporterEntry] = &[
    &json_lines::ENTRY,
    &warc::ENTRY,
    &adjacency_text::ENTRY,
    &change_history::ENTRY,
    &edge_list::ENTRY,
];

/// The texts of all importers, without their code.
pub static ENTRIES: [&Entry; IMPORTERS.len()] = {
    let mut entries = [IMPORTERS[0].entry; IMPORTERS.len()];
    let mut i = 0;
    while i < entries.len() {
        entries[i] = IMPORTERS[i].entry;
        i += 1;
    }
    entries
};

/// Whether a file has an importer's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It has; further problems are errors.
    Match,
    /// It has not; the next importer is tried.
    NoMatch,
}

impl From<bool> for Fit {
    fn from(is_match: bool) -> Self {
        if is_match { Self::Match } else { Self::NoMatch }
    }
}

/// Start of a file, for format detection.
pub struct Head<'a> {
    name: &'a str,
    bytes: &'a [u8],
}

impl<'a> Head<'a> {
    /// From the name and the first bytes, decompressed.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { name, bytes }
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the name has this extension, ignoring `.gz`.
    pub fn is_named(&self, ending: &str) -> bool {
        let name = self.name.strip_suffix(".gz").unwrap_or(self.name);
        name.ends_with(ending)
    }

    /// The first bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The first lines, up to the first that is not UTF-8.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.bytes
            .split(|byte| *byte == b'\n')
            .map_while(|line| str::from_utf8(line).ok())
            .map(|line| line.strip_suffix('\r').unwrap_or(line))
    }
}

/// Finds the importer that recognises the file.
pub(crate) fn detect(head: &Head<'_>) -> Result<&'static ImporterEntry, Problem> {
    if head.is_empty() {
        return Err(Problem::Empty);
    }
    let mut importers = IMPORTERS.iter().copied();
    importers.find(|importer| (importer.sniff)(head) == Fit::Match).ok_or(Problem::NotRecognised)
}

/// Finds an importer by id.
pub(crate) fn named(id: &str) -> Result<&'static ImporterEntry, Problem> {
    let mut importers = IMPORTERS.iter().copied();
    importers.find(|importer| importer.entry.id == id).ok_or_else(|| {
        let ids = IMPORTERS.iter().copied().map(ImporterEntry::id);
        Problem::UnknownFormat { id: id.to_owned(), nearest: nearest(id, ids).map(str::to_owned) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{error, limits};
    use crate::{File, Source, import, no_progress, write_json_lines};
    use proptest::prelude::*;
    use std::ops::ControlFlow;

    const KNOWN_FORMATS: &str = "known formats, also gzipped: json-lines, warc, \
        adjacency-text, change-history, edge-list";

    #[test]
    fn every_entry_says_what_it_is() {
        for (i, importer) in IMPORTERS.iter().copied().enumerate() {
            let entry = &importer.entry;
            assert!(!entry.title.is_empty() && !entry.description.is_empty());
            assert!(!entry.summary.is_empty() && !entry.summary.ends_with('.'));
            assert!(IMPORTERS[..i].iter().all(|other| other.entry.id != entry.id));
            assert_eq!(named(importer.id()).unwrap().id(), importer.id());
        }
    }

    #[test]
    fn files_are_distinguished_by_content() {
        let cases = [
            ("{\"format\":", Some("json-lines")),
            ("\u{feff} {", Some("json-lines")),
            ("[1]", Some("json-lines")),
            ("WARC/1.0\r\n", Some("warc")),
            ("12\n1 2\n", Some("adjacency-text")),
            ("12 \r\n", Some("adjacency-text")),
            ("0 1\n", Some("edge-list")),
            ("# c\n\nsrc dst\n0,1", Some("edge-list")),
            ("n 0 http://a/\n", Some("edge-list")),
            ("e 0 1\n", Some("edge-list")),
            ("http://a/,http://b/\n", Some("edge-list")),
            ("http://a/ b\n", Some("edge-list")),
            ("-1 2\n", Some("edge-list")),
            ("page\tunix_time\tstatus\na.md\t60\tA\n", Some("change-history")),
            ("http://a/\t60\tD\n", Some("change-history")),
            ("http://a/\t60\tX\n", Some("edge-list")),
            ("a b.md\t-60\tM\tab12\t3\textra\n", Some("change-history")),
            ("hello\n", None),
            ("hello world\nhello again\n", None),
            ("# only a comment\n", None),
            ("\n\n", None),
            ("<html>\n", None),
        ];
        for (text, id) in cases {
            let found = detect(&Head::new("w", text.as_bytes()));
            assert_eq!(found.ok().map(ImporterEntry::id), id, "{text:?}");
        }
        let by_name = detect(&Head::new("w.jsonl.gz", b"nonsense"));
        assert_eq!(by_name.ok().map(ImporterEntry::id), Some("json-lines"));
        let random = detect(&Head::new("w.jsonl", b"\x07\xff\x00"));
        assert!(random.is_err());
    }

    #[test]
    fn a_file_for_nobody_names_what_can_be_read() {
        assert_eq!(error(""), format!("w: empty; {KNOWN_FORMATS}"));
        assert_eq!(error("hello"), format!("w: not a known world format; {KNOWN_FORMATS}"));
        let source = Source { format: Some("edgelist"), ..File::from_bytes("w", b"0 1").into() };
        let error = import(source, &limits(), &mut no_progress).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("w: unknown format \"edgelist\"; did you mean \"edge-list\"?; {KNOWN_FORMATS}")
        );
    }

    #[test]
    fn an_import_can_be_watched_and_cancelled() {
        let text = "0 1\n".repeat(300_000);
        let limits = crate::Limits::default();
        let (mut calls, mut last) = (0, 0);
        let mut watch = |progress: crate::Progress| {
            assert!(progress.bytes_read >= last);
            (calls, last) = (calls + 1, progress.bytes_read);
            assert_eq!(progress.bytes_total, Some(1_200_000));
            ControlFlow::Continue(())
        };
        import(File::from_bytes("w", text.as_bytes()).into(), &limits, &mut watch).unwrap();
        assert!(calls >= 3, "{calls}");
        assert_eq!(last, 1_200_000);
        let mut stop = |_| ControlFlow::Break(());
        let source = File::from_bytes("w", text.as_bytes()).into();
        let error = import(source, &limits, &mut stop).unwrap_err();
        assert_eq!(error.to_string(), "w: cancelled");
    }

    /// Any bytes give a one-line error or a world that reads back the same; never a panic.
    fn check(bytes: &[u8], urls: Option<&[u8]>, format: Option<&str>) -> Result<(), TestCaseError> {
        let source = Source {
            second: urls.map(|urls| File::from_bytes("u", urls)),
            format,
            ..File::from_bytes("w", bytes).into()
        };
        match import(source, &limits(), &mut no_progress) {
            Ok(imported) => {
                let mut written = Vec::new();
                write_json_lines(&imported.world, &mut written).unwrap();
                let source = File::from_bytes("again", &written).into();
                let again = import(source, &crate::Limits::default(), &mut no_progress).unwrap();
                prop_assert_eq!(again.world.digest(), imported.world.digest());
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.starts_with('w') || message.starts_with('u'));
                prop_assert!(!message.contains(['\n', '\r']) && message.len() < 1500, "{message}");
            }
        }
        Ok(())
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b" ".to_vec()),
            Just(b"\t,".to_vec()),
            (0..12_u32).prop_map(|n| n.to_string().into_bytes()),
            any::<i64>().prop_map(|n| n.to_string().into_bytes()),
            Just(b"\t60\tA\tc\t1\n".to_vec()),
            prop::sample::select(vec!["n ", "e ", "#", "%", "http://a.example/", "http://", "src"])
                .prop_map(|text| text.as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ];
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat()),
        ]
    }

    proptest! {
        #[test]
        fn no_bytes_make_an_importer_panic(
            bytes in bytes(),
            urls in prop::option::of(bytes()),
            gzip in any::<bool>(),
        ) {
            let bytes = if gzip { [&[0x1f, 0x8b, 8, 0][..], &bytes].concat() } else { bytes };
            check(&bytes, urls.as_deref(), None)?;
            for importer in IMPORTERS {
                check(&bytes, urls.as_deref(), Some(importer.id()))?;
            }
        }
    }
}
