//! The project's own chores, run as `cargo xtask COMMAND`.
//!
//! One module a command; [`COMMANDS`] is the list that both the help and the dispatch walk.

mod bench;
mod dist;
mod e2e;
mod fmt;
mod fuzz;
mod golden;
mod layers;
mod play;
mod shell;
mod sizes;
mod table;
mod tally;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

/// A chore: what is typed, what it does, and the function that does it.
struct Command {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> anyhow::Result<ExitCode>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "play",
        arguments: "[--no-open] [--port N] [--base PATH]",
        help: "install what is missing, build the playground, serve it and open it",
        run: play::run,
    },
    Command {
        name: "dist",
        arguments: "",
        help: "build the release app into dist/, ready for any static host",
        run: dist::run,
    },
    Command {
        name: "sizes",
        arguments: "[--record]",
        help: "what a first visit downloads, against what was recorded last",
        run: sizes::run,
    },
    Command {
        name: "e2e",
        arguments: "[SCENARIO…]",
        help: "build the app and play its scenarios in Chromium, all or some",
        run: e2e::run,
    },
    Command {
        name: "shots",
        arguments: "[WORD…]",
        help: "build the app and take its screenshots into target/screenshots, all or some",
        run: e2e::shots,
    },
    Command {
        name: "dev",
        arguments: "[trunk serve's own]",
        help: "serve the app for development, built anew when a source changes",
        run: dist::dev,
    },
    Command {
        name: "finish",
        arguments: "",
        help: "what Trunk calls after a build: hashed names, policy, offline list, compression",
        run: dist::finish,
    },
    Command {
        name: "test",
        arguments: "",
        help: "install what is missing, then run every check and test, native and in Chromium",
        run: test::run,
    },
    Command {
        name: "tidy",
        arguments: "",
        help: "check the repository's own rules: boundaries, registries, long files, links",
        run: tidy::run,
    },
    Command { name: "fmt", arguments: "", help: "format all sources", run: fmt::run },
    Command {
        name: "fuzz",
        arguments: "[--seconds N] [TARGET…]",
        help: "run the fuzz targets, N seconds each (30 unless told)",
        run: fuzz::run,
    },
    Command {
        name: "golden",
        arguments: "",
        help: "rewrite the golden files; look at the difference before you commit it",
        run: golden::run,
    },
    Command {
        name: "table",
        arguments: "",
        help: "rewrite the table of orderings in README.md",
        run: table::run,
    },
    Command {
        name: "bench",
        arguments: "[crawl] [browser] [revisit] [learn] [seek] [rank] [stage] [app]",
        help: "measure speed and memory, all or some, into BENCHMARKS.md",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", help());
        return ExitCode::from(2);
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("unknown command `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    (command.run)(rest).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn help() -> String {
    let usages: Vec<String> = COMMANDS
        .iter()
        .map(|command| format!("{} {}", command.name, command.arguments).trim_end().to_owned())
        .collect();
    let width = usages.iter().map(|usage| usage.chars().count()).max().unwrap_or(0);
    let mut text = String::from("usage: cargo xtask COMMAND\n\n");
    for (usage, command) in usages.iter().zip(COMMANDS) {
        text += &format!("  {usage:width$}  {}\n", command.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_has_one_line_a_command_and_no_name_twice() {
        let help = help();
        for command in COMMANDS {
            let start = format!("  {} ", command.name);
            let lines = help.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(lines, 1, "{}", command.name);
        }
    }
}
