//! Content hashes in file names: `app.css` becomes `app-0123456789abcdef.css`, in all references too.
//!
//! A file is renamed after the files it refers to, because their new names change its content. Files
//! without a reference from the page are removed: Trunk copies leftovers of earlier builds.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use crate::folder::Folder;

/// Files that keep their names, because they are fetched by name.
pub const FIXED: [&str; 2] = ["index.html", "service-worker.js"];
/// Extensions of files that refer to others.
const TEXTS: [&str; 5] = ["html", "js", "mjs", "css", "webmanifest"];

/// The first 16 hexadecimal digits of a digest.
pub fn short(digest: &blake3::Hash) -> String {
    digest.to_hex()[..16].to_owned()
}

/// Renames all files but the fixed ones; returns the files without a reference.
pub fn hash_all(folder: &mut Folder) -> Result<Vec<String>> {
    let mut order = Order { folder, done: Vec::new(), under_way: BTreeSet::new() };
    for name in FIXED {
        if !order.folder.files.contains_key(name) {
            bail!("{name} is missing");
        }
        order.visit(name)?;
    }
    let order = order.done;

    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut files = BTreeMap::new();
    for name in order {
        let bytes = folder.files.remove(&name).unwrap_or_default();
        let bytes = match text_of(&name, &bytes) {
            Some(text) => with_new_names(&name, text, &renamed).into_bytes(),
            None => bytes,
        };
        let new = hashed(&name, &bytes);
        renamed.insert(name, new.clone());
        files.insert(new, bytes);
    }
    let left_out = std::mem::replace(&mut folder.files, files);
    Ok(left_out.into_keys().collect())
}

/// Visits files in order of dependency: references first.
struct Order<'a> {
    folder: &'a Folder,
    done: Vec<String>,
    under_way: BTreeSet<String>,
}

impl Order<'_> {
    fn visit(&mut self, name: &str) -> Result<()> {
        if self.done.iter().any(|done| done == name) {
            return Ok(());
        }
        if !self.under_way.insert(name.to_owned()) {
            bail!(
                "{name} refers to a file that refers to it: circular references cannot be hashed"
            );
        }
        if let Some(text) = text_of(name, &self.folder.files[name]) {
            for other in self.folder.files.keys() {
                let named = other != name && !places(text, &relative(name, other)).is_empty();
                // Fixed files keep their names, so they need not come first.
                if named && !FIXED.contains(&other.as_str()) {
                    self.visit(other)?;
                }
            }
        }
        self.under_way.remove(name);
        self.done.push(name.to_owned());
        Ok(())
    }
}

fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Option<&'a str> {
    let (_, extension) = name.rsplit_once('.')?;
    TEXTS.contains(&extension).then(|| std::str::from_utf8(bytes).ok())?
}

fn hashed(name: &str, bytes: &[u8]) -> String {
    if FIXED.contains(&name) {
        return name.to_owned();
    }
    let digest = short(&blake3::hash(bytes));
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{digest}.{extension}"),
        None => format!("{name}-{digest}"),
    }
}

fn with_new_names(name: &str, text: &str, renamed: &BTreeMap<String, String>) -> String {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (old, new) in renamed {
        let (old, new) = (relative(name, old), relative(name, new));
        edits.extend(places(text, &old).into_iter().map(|at| (at, at + old.len(), new.clone())));
    }
    edits.sort();
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, end, new) in edits {
        result += &text[copied..start];
        result += &new;
        copied = end;
    }
    result + &text[copied..]
}

/// The relative path from `from` to `to`: `../icons/a.svg`.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let folders = from.len() - 1;
    let shared = (0..folders.min(to.len() - 1)).take_while(|&i| from[i] == to[i]).count();
    "../".repeat(folders - shared) + &to[shared..].join("/")
}

/// Positions of a path in a text, as a whole word, with or without `./`.
fn places(text: &str, path: &str) -> Vec<usize> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let alone = |at: usize| {
        let before = &text[..at];
        let before = before.strip_suffix("./").unwrap_or(before);
        !before.ends_with(in_name) && !text[at + path.len()..].starts_with(in_name)
    };
    text.match_indices(path).map(|(at, _)| at).filter(|at| alone(*at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::testing::of;

    fn app() -> Folder {
        of(&[
            ("index.html", "<link href=\"styles/app.css\"><script src=\"boot.js\"></script>"),
            ("service-worker.js", "const FILES = [];"),
            ("boot.js", "import('./app.js'); register('service-worker.js');"),
            ("app.js", "new URL('app_bg.wasm', import.meta.url)"),
            ("app_bg.wasm", "\0asm"),
            ("styles/app.css", "@import \"tokens.css\"; a { background: url(../icons/i.svg) }"),
            ("styles/tokens.css", ""),
            ("icons/i.svg", "<svg/>"),
            ("snippets/old.js", ""),
        ])
    }

    #[test]
    fn every_reference_leads_to_a_file() {
        let mut folder = app();
        assert_eq!(hash_all(&mut folder).unwrap(), ["snippets/old.js"]);
        let name = |start: &str, end: &str| {
            let mut names = folder.files.keys();
            let name = names.find(|n| n.starts_with(start) && n.ends_with(end)).unwrap();
            assert_eq!(name.len(), start.len() + 16 + end.len(), "{name}");
            name.clone()
        };
        let (css, boot, app) =
            (name("styles/app-", ".css"), name("boot-", ".js"), name("app-", ".js"));
        let page = folder.text("index.html").unwrap();
        assert_eq!(page, format!("<link href=\"{css}\"><script src=\"{boot}\"></script>"));
        let started = format!("import('./{app}'); register('service-worker.js');");
        assert_eq!(folder.text(&boot).unwrap(), started);
        assert!(folder.text(&app).unwrap().contains(&name("app_bg-", ".wasm")));
        let tokens = name("styles/tokens-", ".css");
        let tokens = tokens.strip_prefix("styles/").unwrap();
        let style = format!(
            "@import \"{tokens}\"; a {{ background: url(../{}) }}",
            name("icons/i-", ".svg")
        );
        assert_eq!(folder.text(&css).unwrap(), style);
    }

    #[test]
    fn a_change_deep_down_renames_all_that_leads_to_it_and_nothing_else() {
        let (mut before, mut after) = (app(), app());
        after.files.insert("app_bg.wasm".to_owned(), b"\0asm2".to_vec());
        hash_all(&mut before).unwrap();
        hash_all(&mut after).unwrap();
        let new: Vec<&str> = after
            .files
            .keys()
            .filter(|name| !before.files.contains_key(*name))
            .map(|name| name.split('-').next().unwrap())
            .collect();
        assert_eq!(new, ["app", "app_bg", "boot"]);
    }

    #[test]
    fn files_that_name_each_other_are_refused() {
        let mut folder = of(&[
            ("index.html", "a.js"),
            ("service-worker.js", ""),
            ("a.js", "import './b.js'"),
            ("b.js", "import './a.js'"),
        ]);
        let error = hash_all(&mut folder).unwrap_err().to_string();
        assert!(error.starts_with("a.js refers to a file that refers to it"), "{error}");
        assert!(hash_all(&mut of(&[("index.html", "")])).is_err());
    }

    #[test]
    fn a_path_is_found_only_by_itself() {
        assert_eq!(places("'./a.js' \"a.js\" (a.js)", "a.js"), [3, 10, 17]);
        assert_eq!(places("ba.js a.jsx x/a.js a.js.map -a.js ../a.js", "a.js"), []);
        assert_eq!(places("'../a.js'", "../a.js"), [1]);
    }

    #[test]
    fn paths_are_named_from_where_they_are_named() {
        assert_eq!(relative("index.html", "styles/app.css"), "styles/app.css");
        assert_eq!(relative("styles/app.css", "styles/tokens.css"), "tokens.css");
        assert_eq!(relative("styles/app.css", "icons/i.svg"), "../icons/i.svg");
        assert_eq!(relative("a/b/c.css", "a/d.css"), "../d.css");
        assert_eq!(relative("a/b.js", "c.js"), "../c.js");
    }
}
