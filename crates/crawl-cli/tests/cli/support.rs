//! Helpers that run the program and make temporary folders.

use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "../../../../tests/src/data.rs"]
#[allow(dead_code, reason = "shared with other packages")]
mod data;

/// A small world: two hosts, one page that fails, one that redirects.
pub const WORLD: &str = concat!(
    r#"{"format":"crawlscope-world","version":1,"title":"Small","seeds":["http://a.example/"],"license":"CC0-1.0"}"#,
    "\n",
    r#"{"url":"http://a.example/","title":"Home","links":[{"to":"http://a.example/b","anchor":"b"},"http://b.example/","http://a.example/gone","http://elsewhere.example/"]}"#,
    "\n",
    r#"{"url":"http://a.example/b","links":["http://a.example/","http://a.example/old"]}"#,
    "\n",
    r#"{"url":"http://b.example/","links":["http://a.example/b"],"bytes":1000}"#,
    "\n",
    r#"{"url":"http://a.example/gone","status":404}"#,
    "\n",
    r#"{"url":"http://a.example/old","status":301,"location":"http://b.example/"}"#,
    "\n",
    r#"{"host":"b.example","robots":"User-agent: *\nDisallow: /"}"#,
    "\n",
);

/// Exit code and output of the program.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The output; panics unless the program succeeded.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// The output as JSON; panics unless it is one line.
    #[track_caller]
    pub fn json(self) -> Value {
        let out = self.ok();
        assert_eq!(out.matches('\n').count(), 1, "one object, one line");
        serde_json::from_str(&out).expect("JSON")
    }
}

/// Runs the program.
pub fn crawlscope<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    with_input(args, b"", 100)
}

/// Runs the program with `input` on its standard input and `COLUMNS` set.
pub fn with_input<S: AsRef<std::ffi::OsStr>>(
    args: impl IntoIterator<Item = S>,
    input: &[u8],
    width: usize,
) -> Ran {
    start(Command::new(PROGRAM).args(args).env("COLUMNS", width.to_string()), input)
}

/// Runs the program with its output in a pipe and without `COLUMNS`.
pub fn piped<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    start(Command::new(PROGRAM).args(args).env_remove("COLUMNS"), b"")
}

/// The built program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_crawlscope");

fn start(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Fails if the program does not read its input.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A temporary folder, deleted on drop.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder; `name` must be unique among tests.
    pub fn new(name: &str) -> Self {
        let folder = format!("crawlscope-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
        self.path(name)
    }

    /// Names of its files.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let name = |e: std::io::Result<fs::DirEntry>| e.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Gzipped bytes.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// The path of a test fixture.
pub fn fixture(name: &str) -> String {
    text(&data::fixture(name))
}

/// Paths of real data files; `None`, and the test counted as skipped, if one is missing.
pub fn real<const N: usize>(test: &str, names: [&str; N]) -> Option<[String; N]> {
    data::real(test, names).map(|paths| paths.map(|path| text(&path)))
}

fn text(path: &Path) -> String {
    path.to_str().expect("a path of letters").to_owned()
}
