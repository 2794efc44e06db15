//! Command-line errors, printed in one line like all other errors.

use crate::failure::Failure;
use crate::terminal;
use clap::error::ErrorKind;
use crawl_catalogue::quoted;
use std::process::ExitCode;

/// Prints help or version if requested, otherwise the error.
pub fn report(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match terminal::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => Failure::from(error).report(),
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::input("no command; try `crawlscope run` or `crawlscope --help`").report()
        }
        _ => Failure::input(one_line(&text)).report(),
    }
}

/// clap's message without the usage text, in one line.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let message = text.split("\n\nUsage:").next().unwrap_or(text);
    let message = message.split("\n\nFor more information").next().unwrap_or(message);
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut joined = String::new();
    for line in lines {
        if !joined.is_empty() {
            joined.push_str(if joined.ends_with(':') { " " } else { "; " });
        }
        // The line may quote what was typed.
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

    fn message(args: &[&str]) -> String {
        let error = Cli::try_parse_from([&["crawlscope"], args].concat());
        let error = error.err().expect("these flags are wrong");
        one_line(&error.render().to_string())
    }

    #[test]
    fn wrong_flags_are_reported_in_one_line() {
        let cases: [(&[&str], &str); 4] = [
            (&["run", "--world", "web", "--budgt", "3"], "'--budget'"),
            (&["run"], "--world <W>"),
            (&["inspct"], "'inspect'"),
            (&["run", "--world", "web", "--rng", "-1"], "--rng"),
        ];
        for (args, word) in cases {
            let message = message(args);
            assert!(message.contains(word) && !message.contains('\n'), "{message}");
            assert!(!message.contains("Usage"), "{message}");
        }
        let long = format!("--{}y", "x".repeat(200_000));
        let long_message = message(&["run", &long]);
        assert!(
            long_message.len() < 300
                && long_message.contains("--xxx")
                && long_message.contains("xy'"),
            "{long_message}"
        );
    }
}
