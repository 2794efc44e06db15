//! Programs and files that scenarios need.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Paths of the app and the programs.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The built app.
    pub app: PathBuf,
    /// chromedriver.
    pub driver: PathBuf,
    /// Chromium.
    pub browser: PathBuf,
}

impl Tools {
    /// Finds all paths; the error names what is missing. The app is in dist/ by default.
    pub fn find(app: Option<&Path>) -> Result<Self> {
        let app = app.map_or_else(|| root().join("dist"), Path::to_path_buf);
        if !app.join("index.html").is_file() {
            bail!("the app in dist/ (`cargo xtask dist` builds it)");
        }
        let program = |variable: &str, names: &[&str]| {
            let chosen = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file());
            chosen.or_else(|| names.iter().find_map(|name| on_path(name)))
        };
        let browsers = ["chromium", "chromium-browser", "google-chrome"];
        match (program("CHROMEDRIVER", &["chromedriver"]), program("CHROMIUM", &browsers)) {
            (Some(driver), Some(browser)) => Ok(Self { app, driver, browser }),
            _ => bail!("chromium or chromedriver"),
        }
    }
}

/// Whether missing tools are an error.
pub fn is_required() -> bool {
    env::var_os("CRAWLSCOPE_E2E").is_some()
}

/// The axe-core script, if `cargo xtask` installed it.
pub fn axe() -> Option<PathBuf> {
    env::var_os("CRAWLSCOPE_AXE").map(PathBuf::from).filter(|path| path.is_file())
}

/// The folder of screenshots.
pub fn screenshots() -> PathBuf {
    root().join("target").join("screenshots")
}

/// The root of the repository.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|p| p.is_file())
}
