//! `cargo xtask sizes`: what a first visit downloads, compared with what was recorded last.
//!
//! Counted as a server that compresses sends it: the Brotli copy where there is one. Icons of an
//! installed app, and the programs that read files, write reports and draw the timeline are loaded
//! later: they are listed and recorded, but not counted. `sizes.txt` holds the last recorded sizes, a
//! line per file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::{dist, shell};

/// Most that a first visit may download, in bytes.
const MOST: u64 = 900_000;
/// How much more than recorded passes as noise, in percent.
const MORE_PERCENT: u64 = 5;
/// Loaded on demand.
const LATER: [&str; 4] = ["crawl-reader", "crawl-reports", "crawl-timeline", "styles/timeline"];
/// Only fetched when the app is installed.
const NOT_VISITED: [&str; 2] = [".png", ".webmanifest"];

/// Prints the table; with `--record`, records it.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let record = match arguments {
        [] => false,
        [flag] if flag == "--record" => true,
        _ => bail!("only `--record` can be given"),
    };
    let (now, last) = (measure(&dist::folder())?, recorded()?);
    print!("{}", table(&now, &last));
    if record {
        let file = file();
        fs::write(&file, lines(&now))
            .with_context(|| format!("cannot write {}", file.display()))?;
        println!("recorded in {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails where a first visit downloads more than is allowed, or than was recorded.
pub fn check() -> Result<()> {
    let (now, last) = (measure(&dist::folder())?, recorded()?);
    print!("{}", table(&now, &last));
    judge(&now, &last)
}

/// Bytes of a file, uncompressed and as sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    raw: u64,
    sent: u64,
}

type Sizes = BTreeMap<String, Size>;

fn measure(folder: &Path) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    let mut folders = vec![folder.to_path_buf()];
    let cannot =
        |path: &Path| format!("cannot read {} (`cargo xtask dist` builds it)", path.display());
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| cannot(&next))? {
            let path = entry.with_context(|| cannot(&next))?.path();
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if ![".br", ".gz"].iter().chain(&NOT_VISITED).any(|end| name.ends_with(end)) {
                let raw = fs::metadata(&path).with_context(|| cannot(&path))?.len();
                let copy = PathBuf::from(format!("{}.br", path.display()));
                let sent = fs::metadata(copy).map_or(raw, |copy| copy.len());
                // Content hashes are ignored.
                let size = sizes.entry(without_digest(&name)).or_default();
                size.raw += raw;
                size.sent += sent;
            }
        }
    }
    Ok(sizes)
}

/// Removes the content hash: `a/b-0123456789abcdef.js` becomes `a/b.js`.
fn without_digest(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match stem.rsplit_once('-') {
        Some((stem, digest))
            if digest.len() == 16 && digest.bytes().all(|b| b.is_ascii_hexdigit()) =>
        {
            format!("{stem}.{extension}")
        }
        _ => name.to_owned(),
    }
}

fn file() -> PathBuf {
    shell::root().join("xtask").join("sizes.txt")
}

fn recorded() -> Result<Sizes> {
    let file = file();
    if !file.is_file() {
        return Ok(Sizes::new());
    }
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    read(&text)
}

fn read(text: &str) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    for (line, number) in text.lines().zip(1..) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let size = match fields[..] {
            [raw, sent, _] => raw.parse().ok().zip(sent.parse().ok()),
            _ => None,
        };
        let (raw, sent) =
            size.with_context(|| format!("sizes.txt:{number}: not `bytes bytes name`"))?;
        sizes.insert(fields[2].to_owned(), Size { raw, sent });
    }
    Ok(sizes)
}

fn lines(sizes: &Sizes) -> String {
    sizes.iter().map(|(name, size)| format!("{:>9} {:>9} {name}\n", size.raw, size.sent)).collect()
}

fn total(sizes: &Sizes) -> Size {
    let add = |sum: Size, size: &Size| Size { raw: sum.raw + size.raw, sent: sum.sent + size.sent };
    let visited =
        sizes.iter().filter(|(name, _)| !LATER.iter().any(|later| name.starts_with(later)));
    visited.map(|(_, size)| size).fold(Size::default(), add)
}

fn table(now: &Sizes, last: &Sizes) -> String {
    let mut text = format!("{:>9} {:>9} {:>9}  file\n", "raw", "brotli", "recorded");
    let mut row = |name: &str, size: Size, last: Option<Size>| {
        let last = last.map_or_else(|| "-".to_owned(), |last| last.sent.to_string());
        text += &format!("{:>9} {:>9} {last:>9}  {name}\n", size.raw, size.sent);
    };
    let mut names: Vec<_> = now.iter().collect();
    names.sort_by_key(|(_, size)| std::cmp::Reverse(size.sent));
    for (name, size) in names {
        row(name, *size, last.get(name).copied());
    }
    row("first visit", total(now), (!last.is_empty()).then(|| total(last)));
    text
}

fn judge(now: &Sizes, last: &Sizes) -> Result<()> {
    let (now, last) = (total(now).sent, total(last).sent);
    if now > MOST {
        bail!("a first visit downloads {now} bytes, more than the {MOST} it may");
    }
    if last > 0 && now * 100 > last * (100 + MORE_PERCENT) {
        bail!(
            "a first visit downloads {now} bytes, over {MORE_PERCENT} % more than the {last} recorded; \
             if it must be, `cargo xtask sizes --record`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(sent: u64) -> Sizes {
        Sizes::from([("a.js".to_owned(), Size { raw: 9, sent })])
    }

    #[test]
    fn names_are_compared_without_their_digests() {
        assert_eq!(without_digest("styles/app-0123456789abcdef.css"), "styles/app.css");
        assert_eq!(without_digest("crawl-app_bg-0123456789abcdef.wasm"), "crawl-app_bg.wasm");
        assert_eq!(without_digest("service-worker.js"), "service-worker.js");
    }

    #[test]
    fn what_is_recorded_is_read_back() {
        let both = Sizes::from([
            ("a.js".to_owned(), Size { raw: 10, sent: 5 }),
            ("b/c.css".to_owned(), Size { raw: 7, sent: 7 }),
        ]);
        assert_eq!(read(&lines(&both)).unwrap(), both);
        assert_eq!(total(&both), Size { raw: 17, sent: 12 });
        assert!(read("1 x a.js\n").unwrap_err().to_string().starts_with("sizes.txt:1"));
    }

    #[test]
    fn more_than_recorded_fails() {
        assert!(judge(&sizes(MOST + 1), &Sizes::new()).is_err());
        assert!(judge(&sizes(105), &sizes(100)).is_ok());
        assert!(judge(&sizes(106), &sizes(100)).is_err());
    }

    #[test]
    fn compressed_copies_count_for_their_file() {
        let folder = std::env::temp_dir().join(format!("xtask-sizes-{}", std::process::id()));
        fs::create_dir_all(folder.join("icons")).unwrap();
        let files = [
            ("index.html", 30),
            ("a-0123456789abcdef.js", 20),
            ("a-0123456789abcdef.js.br", 8),
            ("a-0123456789abcdef.js.gz", 9),
            ("icons/i.png", 50),
            ("crawl-reader_bg-0123456789abcdef.wasm", 70),
        ];
        for (name, bytes) in files {
            fs::write(folder.join(name), vec![0; bytes]).unwrap();
        }
        let measured = measure(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(measured["a.js"], Size { raw: 20, sent: 8 });
        assert_eq!(total(&measured), Size { raw: 50, sent: 38 });
    }
}
