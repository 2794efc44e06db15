//! Writes file list and build id into the service worker.

use anyhow::{Result, bail};

const BUILD: &str = "const BUILD = \"development\";";
const FILES: &str = "const FILES = [];";

/// The service worker with both lines filled in.
pub fn finish<'a>(
    script: &str,
    build: &str,
    files: impl Iterator<Item = &'a str>,
) -> Result<String> {
    for line in [BUILD, FILES] {
        if script.matches(line).count() != 1 {
            bail!("service-worker.js must contain the line `{line}` exactly once");
        }
    }
    let files: String = files.map(|name| format!("\n  \"{name}\",")).collect();
    Ok(script
        .replace(BUILD, &format!("const BUILD = \"{build}\";"))
        .replace(FILES, &format!("const FILES = [{files}\n];")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_filled_in() {
        let script = format!("{BUILD}\n{FILES}\nrest");
        let done = finish(&script, "01", ["a.js", "b/c.css"].into_iter()).unwrap();
        let files = "const FILES = [\n  \"a.js\",\n  \"b/c.css\",\n];";
        assert_eq!(done, format!("const BUILD = \"01\";\n{files}\nrest"));
        assert!(finish(BUILD, "01", std::iter::empty()).is_err());
    }

    #[test]
    fn the_script_of_the_app_has_both_lines() {
        let script = include_str!("../../../www/service-worker.js");
        finish(script, "01", std::iter::empty()).unwrap();
    }
}
