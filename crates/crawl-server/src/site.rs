//! The table of files to serve.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use axum::http::HeaderValue;
use bytes::Bytes;

use crate::ServeError;
use crate::encoding::Encoding;
use crate::media;

/// Name of the page.
pub(crate) const PAGE: &str = "index.html";

/// A built app in memory.
#[derive(Debug)]
pub struct Site {
    files: BTreeMap<String, File>,
    /// The page's Content-Security-Policy.
    policy: Option<HeaderValue>,
}

/// A file with its compressed copies.
#[derive(Debug)]
pub(crate) struct File {
    plain: Bytes,
    copies: [Option<Bytes>; Encoding::ALL.len()],
    digest: String,
    pub(crate) media_type: &'static str,
    /// Whether its name contains a content hash.
    pub(crate) is_immutable: bool,
}

impl Site {
    /// The app embedded in this program, if it was built with one.
    pub fn embedded() -> Option<Self> {
        #[cfg(feature = "embed")]
        const APP: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/app.rs"));
        #[cfg(not(feature = "embed"))]
        const APP: &[(&str, &[u8])] = &[];
        let files: BTreeMap<String, Bytes> = APP
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), Bytes::from_static(bytes)))
            .collect();
        (!files.is_empty()).then(|| Self::new(files))
    }

    /// Reads a folder into memory; later changes have no effect.
    ///
    /// # Errors
    /// If the folder or a file cannot be read, or there is no index.html.
    pub fn read(folder: &Path) -> Result<Self, ServeError> {
        let mut files = BTreeMap::new();
        let mut rest = vec![folder.to_path_buf()];
        while let Some(path) = rest.pop() {
            let failed = |source| ServeError::Read { path: path.clone(), source };
            if path.is_dir() || path == folder {
                for entry in fs::read_dir(&path).map_err(failed)? {
                    let entry = entry.map_err(failed)?;
                    // Files of tools start with a dot.
                    if !entry.file_name().to_string_lossy().starts_with('.') {
                        rest.push(entry.path());
                    }
                }
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
                let bytes = Bytes::from(fs::read(&path).map_err(failed)?);
                files.insert(name.replace('\\', "/"), bytes);
            }
        }
        if !files.contains_key(PAGE) {
            return Err(ServeError::NoPage(folder.to_path_buf()));
        }
        Ok(Self::new(files))
    }

    fn new(files: BTreeMap<String, Bytes>) -> Self {
        let copies_of = |name: &str| {
            Encoding::ALL.map(|e| files.get(&format!("{name}{}", e.extension())).cloned())
        };
        let is_copy = |name: &str| {
            let plain = Encoding::ALL.iter().find_map(|e| name.strip_suffix(e.extension()));
            plain.is_some_and(|plain| files.contains_key(plain))
        };
        let table: BTreeMap<String, File> = files
            .iter()
            .filter(|(name, _)| !is_copy(name))
            .map(|(name, plain)| (name.clone(), File::new(name, plain.clone(), copies_of(name))))
            .collect();
        let policy = table.get(PAGE).and_then(|page| policy_of(&page.plain));
        Self { files: table, policy }
    }

    pub(crate) fn file(&self, name: &str) -> Option<&File> {
        self.files.get(name)
    }

    pub(crate) fn policy(&self) -> Option<&HeaderValue> {
        self.policy.as_ref()
    }
}

impl File {
    fn new(name: &str, plain: Bytes, copies: [Option<Bytes>; Encoding::ALL.len()]) -> Self {
        Self {
            digest: blake3::hash(&plain).to_hex()[..16].to_owned(),
            media_type: media::media_type(name),
            is_immutable: media::is_named_by_content(name),
            plain,
            copies,
        }
    }

    /// The best body that an Accept-Encoding header allows.
    pub(crate) fn body(&self, accepted: &str) -> (Option<Encoding>, Bytes) {
        let copy = |encoding| self.copies[encoding as usize].as_ref();
        let best = Encoding::choose(accepted, |encoding| copy(encoding).is_some());
        let body = best.and_then(copy).unwrap_or(&self.plain);
        (best, body.clone())
    }

    /// The ETag of a body; it depends on the encoding.
    pub(crate) fn tag(&self, encoding: Option<Encoding>) -> String {
        match encoding {
            None => format!("\"{}\"", self.digest),
            Some(encoding) => format!("\"{}-{}\"", self.digest, encoding.name()),
        }
    }
}

/// The Content-Security-Policy in a page's `meta` element.
fn policy_of(page: &[u8]) -> Option<HeaderValue> {
    let page = std::str::from_utf8(page).ok()?;
    let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    HeaderValue::from_str(policy).ok()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A small app with a file of each kind.
    pub(crate) fn site() -> Site {
        let page = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
        let files = [
            ("index.html", page),
            ("service-worker.js", "self"),
            ("app-0123456789abcdef.js", "alert"),
            ("app-0123456789abcdef.js.br", "BR"),
            ("app-0123456789abcdef.js.gz", "GZ"),
            ("icons/i.svg", "<svg/>"),
        ];
        let own = |(name, text): (&str, &'static str)| (name.to_owned(), Bytes::from(text));
        Site::new(files.into_iter().map(own).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_belong_to_their_file_and_are_no_files() {
        let site = testing::site();
        let file = site.file("app-0123456789abcdef.js").unwrap();
        assert_eq!(file.body("gzip, br"), (Some(Encoding::Brotli), "BR".into()));
        assert_eq!(file.body("gzip"), (Some(Encoding::Gzip), "GZ".into()));
        assert_eq!(file.body("identity"), (None, "alert".into()));
        assert!(site.file("app-0123456789abcdef.js.br").is_none());
        assert_ne!(file.tag(None), file.tag(Some(Encoding::Brotli)));
    }

    #[test]
    fn the_policy_is_the_pages_own() {
        assert_eq!(testing::site().policy().unwrap(), "default-src 'none'");
        assert_eq!(policy_of(b"<meta>"), None);
        let split = b"http-equiv=\"Content-Security-Policy\" content=\"a\r\nb\"";
        assert_eq!(policy_of(split), None, "no second header can be slipped in");
    }

    #[test]
    fn a_folder_is_read_with_all_below_it_but_what_tools_left() {
        let folder = std::env::temp_dir().join(format!("crawl-server-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::create_dir_all(folder.join(".stage")).unwrap();
        assert!(matches!(Site::read(&folder), Err(ServeError::NoPage(_))));
        for name in ["index.html", "a/b/c.css", ".stage/x.js"] {
            fs::write(folder.join(name), "x").unwrap();
        }
        let site = Site::read(&folder).unwrap();
        assert_eq!(site.files.keys().collect::<Vec<_>>(), ["a/b/c.css", "index.html"]);
        fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(Site::read(&folder), Err(ServeError::Read { .. })));
    }
}
