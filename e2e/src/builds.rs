//! A second build of the app, to test updates.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

/// The build number in the page.
const BUILD: &str = "name=\"crawlscope-build\" content=\"";

/// Copies a built app as a new build: another build number, and a renamed, marked style sheet.
///
/// The old style sheet is removed.
pub fn another_build(app: &Path) -> Result<TempDir> {
    let other = copied(app)?;
    let page = fs::read_to_string(app.join("index.html"))?;
    let (_, rest) = page.split_once(BUILD).context("the page has no build number")?;
    let build = rest.split('"').next().unwrap_or_default();
    let style = style_of(&page).context("the page has no style sheet of the app")?;
    let new_style = "styles/all-0000000000000000.css";

    let text = fs::read_to_string(app.join(style))?;
    fs::write(other.path().join(new_style), format!("{text}\n:root {{ --other-build: 1 }}\n"))?;
    for name in [style, "index.html", "service-worker.js"] {
        for copy in [".br", ".gz"] {
            let _ = fs::remove_file(other.path().join(format!("{name}{copy}")));
        }
    }
    fs::remove_file(other.path().join(style))?;
    for name in ["index.html", "service-worker.js"] {
        let text = fs::read_to_string(app.join(name))?;
        let text = text.replace(build, "0000000000000000").replace(style, new_style);
        fs::write(other.path().join(name), text)?;
    }
    Ok(other)
}

fn style_of(page: &str) -> Option<&str> {
    let at = page.find("styles/all-")?;
    page[at..].split('"').next()
}

/// A copy of a built app.
pub fn copied(app: &Path) -> Result<TempDir> {
    let other = tempfile::Builder::new().prefix("crawl-e2e-build-").tempdir()?;
    copy(app, other.path())?;
    Ok(other)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
