//! The files of a folder in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The files of a folder.
#[derive(Default)]
pub struct Folder {
    /// Content by path, with forward slashes.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Folder {
    /// Reads all files below a folder.
    pub fn read(top: &Path) -> Result<Self> {
        let mut folder = Self::default();
        let mut rest = vec![top.to_path_buf()];
        while let Some(path) = rest.pop() {
            let cannot = || format!("cannot read {}", path.display());
            if path.is_dir() {
                for entry in fs::read_dir(&path).with_context(cannot)? {
                    rest.push(entry.with_context(cannot)?.path());
                }
            } else {
                let name = path.strip_prefix(top).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                folder.files.insert(name, fs::read(&path).with_context(cannot)?);
            }
        }
        Ok(folder)
    }

    /// Writes exactly these files; removes all others.
    pub fn write(&self, top: &Path) -> Result<()> {
        let cannot = || format!("cannot write {}", top.display());
        for entry in fs::read_dir(top).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
        for (name, bytes) in &self.files {
            let path = top.join(name);
            let parent = path.parent().unwrap_or(top);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, bytes))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// A file as text.
    pub fn text(&self, name: &str) -> Result<&str> {
        let bytes = self.files.get(name).with_context(|| format!("{name} is missing"))?;
        std::str::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8 text"))
    }
}

/// Test helpers.
#[cfg(test)]
pub mod testing {
    use super::*;
    use std::path::PathBuf;

    /// An empty folder, unique to the test.
    pub fn temporary(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("crawl-dist-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A folder of text files.
    pub fn of(files: &[(&str, &str)]) -> Folder {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        Folder { files: files.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_what_was_there_is_gone() {
        let top = testing::temporary("folder");
        fs::create_dir(top.join("old")).unwrap();
        fs::write(top.join("old/file"), "x").unwrap();
        let folder = testing::of(&[("index.html", "a"), ("styles/deep/app.css", "b")]);
        folder.write(&top).unwrap();
        assert_eq!(Folder::read(&top).unwrap().files, folder.files);
        assert_eq!(folder.text("index.html").unwrap(), "a");
        assert_eq!(folder.text("gone").unwrap_err().to_string(), "gone is missing");
        fs::remove_dir_all(top).unwrap();
    }
}
