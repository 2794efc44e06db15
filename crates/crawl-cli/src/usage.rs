//! Wrong flags, told as every other error is: in one line.

use crate::failure::Failure;
use crate::terminal;
use clap::error::ErrorKind;
use crawl_catalogue::quoted;
use std::process::ExitCode;

/// Prints help or version where that was asked for; else says what is wrong.
pub fn report(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match terminal::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => Failure::from(error).report(),
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::input("say what to do, such as `crawlscope run`; `--help` tells all").report()
        }
        _ => Failure::input(one_line(&text)).report(),
    }
}

/// What stands before the usage, joined.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let said = text.split("\n\nUsage:").next().unwrap_or(text);
    let said = said.split("\n\nFor more information").next().unwrap_or(said);
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut joined = String::new();
    for line in lines {
        if !joined.is_empty() {
            joined.push_str(if joined.ends_with(':') { " " } else { "; " });
        }
        // What was typed stands among the words.
        let words: Vec<_> = line.split(' ').map(quoted).collect();
        joined.push_str(&words.join(" "));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    fn said(args: &[&str]) -> String {
        let error = Cli::try_parse_from([&["crawlscope"], args].concat());
        let error = error.err().expect("these flags are wrong");
        one_line(&error.render().to_string())
    }

    #[test]
    fn wrong_flags_are_told_in_one_line() {
        let cases: [(&[&str], &str); 4] = [
            (&["run", "--world", "web", "--budgt", "3"], "'--budget'"),
            (&["run"], "--world <W>"),
            (&["inspct"], "'inspect'"),
            (&["run", "--world", "web", "--rng", "-1"], "--rng"),
        ];
        for (args, word) in cases {
            let said = said(args);
            assert!(said.contains(word) && !said.contains('\n'), "{said}");
            assert!(!said.contains("Usage"), "{said}");
        }
        let long = format!("--{}y", "x".repeat(200_000));
        let told = said(&["run", &long]);
        assert!(told.len() < 300 && told.contains("--xxx") && told.contains("xy'"), "{told}");
    }
}
