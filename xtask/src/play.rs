//! `cargo xtask play`: from a fresh clone to the app in a browser.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{dist, shell, tools};

/// Builds the app, embeds it in `crawlscope`, serves it and opens it.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let serve = serve_arguments(arguments)?;
    let is_first = !shell::target()?.join("release").is_dir();
    print!("{}", announcement(&tools::missing()?, &tools::cache()?, is_first));
    dist::build()?;
    shell::heading("building crawlscope with the app in it");
    let mut cargo = shell::cargo();
    shell::run(cargo.args([
        "build",
        "--release",
        "--package",
        "crawl-cli",
        "--features",
        "embed",
    ]))?;
    let name = format!("crawlscope{}", std::env::consts::EXE_SUFFIX);
    let built = shell::target()?.join("release").join(&name);
    // Copied, because the next build without the app replaces cargo's file.
    let program = shell::target()?.join(name);
    fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    println!("{}: one file that contains the app", program.display());
    shell::heading("serving");
    shell::run(Command::new(program).args(serve))?;
    Ok(ExitCode::SUCCESS)
}

/// What will be installed and how long the build takes.
fn announcement(missing: &[String], folder: &Path, is_first: bool) -> String {
    let mut text = String::new();
    if missing.is_empty() {
        text += "Nothing to install.\n";
    } else {
        text += &format!("Will install into {}:\n", folder.display());
        missing.iter().for_each(|tool| text += &format!("- {tool}\n"));
    }
    text += if is_first { FIRST_BUILD } else { LATER_BUILD };
    text
}

/// About 20 minutes of processor time including tools; linking uses one core.
const FIRST_BUILD: &str = "The first build compiles everything once: 10 to 15 minutes on two idle cores. \
    Later builds take 1 to 3 minutes.\n";
const LATER_BUILD: &str = "Building changes: 1 to 3 minutes.\n";

fn serve_arguments(arguments: &[String]) -> Result<Vec<String>> {
    let mut serve = vec!["serve".to_owned()];
    let mut open = true;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.as_slice()) {
            ("--no-open", _) => open = false,
            ("--port" | "--base", [value, ..]) => {
                serve.extend([argument.clone(), value.clone()]);
                arguments.next();
            }
            ("--port" | "--base", []) => bail!("`{argument}` needs a value"),
            _ => bail!("unexpected argument `{argument}`"),
        }
    }
    serve.extend(open.then(|| "--open".to_owned()));
    Ok(serve)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_will_be_installed_and_how_long_it_takes_is_said_first() {
        let folder = Path::new("tools");
        let tools = ["trunk 1 (compiled by cargo)".to_owned(), "esbuild (npm)".to_owned()];
        let first = announcement(&tools, folder, true);
        assert!(first.starts_with("Will install into tools:\n- trunk 1"), "{first}");
        assert!(first.contains("- esbuild (npm)\n") && first.contains("minutes"), "{first}");
        let later = announcement(&[], folder, false);
        assert!(later.starts_with("Nothing to install.\n"), "{later}");
        assert!(later.contains("minutes") && !later.contains("first"), "{later}");
    }

    #[test]
    fn arguments_are_handed_on() {
        let serve = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            serve_arguments(&words).map(|serve| serve.join(" ")).map_err(|e| e.to_string())
        };
        assert_eq!(serve(&[]).unwrap(), "serve --open");
        assert_eq!(serve(&["--no-open", "--port", "81"]).unwrap(), "serve --port 81");
        assert_eq!(serve(&["--port"]).unwrap_err(), "`--port` needs a value");
        assert_eq!(serve(&["81"]).unwrap_err(), "unexpected argument `81`");
    }
}
