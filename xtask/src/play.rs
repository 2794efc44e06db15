//! `cargo xtask play`: from a fresh clone to the playground in a browser.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{dist, shell};

/// Builds the app, embeds it in `crawlscope`, serves it and opens it.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let serve = serve_arguments(arguments)?;
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
    // Beside cargo's own, which the next build without the app replaces.
    let program = shell::target()?.join(name);
    fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    println!("{}: one file, with the app in it", program.display());
    shell::heading("serving");
    shell::run(Command::new(program).args(serve))?;
    Ok(ExitCode::SUCCESS)
}

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
