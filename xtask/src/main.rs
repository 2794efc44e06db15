//! Project commands, run as `cargo xtask COMMAND`.
//!
//! One module per command; [`COMMANDS`] is the list behind help and dispatch.

mod bench;
mod deny;
mod dist;
mod e2e;
mod extremes;
mod fmt;
mod fuzz;
mod golden;
mod help;
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

/// A command: name, arguments, help texts and function.
struct Command {
    name: &'static str,
    arguments: &'static str,
    /// One line for the list of commands.
    help: &'static str,
    /// Description for `--help`: what it reads, writes and installs, and how long it takes.
    about: &'static str,
    /// Every argument with its meaning.
    options: &'static [(&'static str, &'static str)],
    run: fn(&[String]) -> anyhow::Result<ExitCode>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "play",
        arguments: "[--no-open] [--port N] [--base PATH]",
        help: "install missing tools, build the app, serve it and open it in a browser",
        about: "Builds the release app, embeds it in the `crawlscope` program, serves it on this machine and \
                opens it in the default browser. First prints which tools are missing, where they will be \
                installed, and how long a first build takes. Press Ctrl+C to stop the server.",
        options: &[
            ("--no-open", "do not open a browser"),
            ("--port N", "port of the server, default any free port"),
            ("--base PATH", "serve under this path, such as /crawlscope/, default /"),
        ],
        run: play::run,
    },
    Command {
        name: "dist",
        arguments: "",
        help: "build the release app into dist/, ready for any static host",
        about: "Installs missing tools (wasm32 target, Trunk, wasm-bindgen, wasm-opt, esbuild) and rebuilds dist/. \
                All URLs in it are relative: it can be copied to any folder of a static host.",
        options: &[],
        run: dist::run,
    },
    Command {
        name: "sizes",
        arguments: "[--record]",
        help: "print the bytes that a first visit downloads, compared with the recorded ones",
        about: "Reads dist/ (`cargo xtask dist` builds it) and prints the bytes of each file, raw and compressed, \
                against sizes.txt. `cargo xtask test` fails if a first visit downloads over 515,000 bytes \
                or 5 % more than recorded.",
        options: &[("--record", "write the sizes into sizes.txt")],
        run: sizes::run,
    },
    Command {
        name: "e2e",
        arguments: "[SCENARIO…]",
        help: "build the app and run its scenarios in Chromium, all or some",
        about: "Installs missing tools, builds the release app and the command line, and runs the scenarios of \
                e2e/tests one after the other in headless Chromium. A failing scenario leaves a screenshot in \
                target/screenshots/failed.",
        options: &[("SCENARIO", "name of a folder in e2e/tests, such as first_visit, default all")],
        run: e2e::run,
    },
    Command {
        name: "shots",
        arguments: "[WORD…]",
        help: "build the app and take its screenshots into target/screenshots, all or some",
        about: "Installs missing tools, builds the release app and writes one PNG per screen into \
                target/screenshots.",
        options: &[("WORD", "only screenshots whose name contains it, default all")],
        run: e2e::shots,
    },
    Command {
        name: "dev",
        arguments: "[OPTION…]",
        help: "serve the app for development, and rebuild it on changes",
        about: "Runs `trunk serve` on an unoptimised build. Everything after `dev` except --help is passed on to \
                `trunk serve`.",
        options: &[("OPTION", "an option of `trunk serve`, such as --port 8080")],
        run: dist::dev,
    },
    Command {
        name: "finish",
        arguments: "",
        help: "finish Trunk's build: content hashes, policy, offline list, compression",
        about: "Called by Trunk's hook in Trunk.toml, not by hand: reads the folder named by TRUNK_STAGING_DIR. Does \
                nothing unless TRUNK_PROFILE is release.",
        options: &[],
        run: dist::finish,
    },
    Command {
        name: "test",
        arguments: "[--quick]",
        help: "install missing tools, then run every check and test, native and in Chromium",
        about: test::ABOUT,
        options: &[(
            "--quick",
            "only the checks before each commit, under 3 minutes after a first build",
        )],
        run: test::run,
    },
    Command {
        name: "tidy",
        arguments: "",
        help: "check the repository's rules: boundaries, registries, long files, links",
        about: "Reads the repository's text files and prints each violation as file:line. Changes nothing.",
        options: &[],
        run: tidy::run,
    },
    Command {
        name: "fmt",
        arguments: "",
        help: "format all sources",
        about: "Runs `cargo fmt` on the workspace and on fuzz/, which is a separate workspace.",
        options: &[],
        run: fmt::run,
    },
    Command {
        name: "fuzz",
        arguments: "[--seconds N] [TARGET…]",
        help: "run the fuzz targets, N seconds each, default 30",
        about: "Installs cargo-fuzz if it is missing and runs the fuzz targets of fuzz/ one after the other. A \
                crashing input is written to fuzz/artifacts and named at the end.",
        options: &[
            ("--seconds N", "seconds per target, default 30"),
            ("TARGET", "name of a fuzz target, default all"),
        ],
        run: fuzz::run,
    },
    Command {
        name: "extremes",
        arguments: "[--missing] [WORD…]",
        help: "try every parameter at its smallest and largest: time and memory, all or some",
        about: "Walks the registries and runs the release command line with every parameter at its smallest and \
                largest value, alone and in pairs of one entry, one trial per core. Each must end, or be refused \
                with a reason and what fits, within 20 s of processor time and 2 GB. Prints what does not, why \
                trials were refused and the ten heaviest; the last line counts all trials. Results are kept in \
                the build folder. Once every trial has one, the section in BENCHMARKS.md and the list of the \
                heaviest in e2e/tests/too_much are rewritten. Takes an hour or more.",
        options: &[
            ("--missing", "only trials without a result, as after a run that was stopped"),
            ("WORD", "only trials whose name contains it; default: all, from the start"),
        ],
        run: extremes::run,
    },
    Command {
        name: "golden",
        arguments: "",
        help: "rewrite the golden files; review the diff before you commit it",
        about: "Computes all digests natively and rewrites the files in tests/tests/golden. A new entry or metric \
                adds lines; a changed or removed line is a change of behaviour.",
        options: &[],
        run: golden::run,
    },
    Command {
        name: "table",
        arguments: "[TABLE…]",
        help: "rewrite the tables in docs/results.md, all or some",
        about: "Runs the release command line and replaces the sections of docs/results.md between `NAME:begin` \
                and `NAME:end` with what it prints. Takes minutes.",
        options: &[("TABLE", "orderings, claims, focused or revisits; default: all")],
        run: table::run,
    },
    Command {
        name: "docs",
        arguments: "",
        help: "rewrite docs/strategies.md from the registries",
        about: "Writes every registry entry with its formula, parameters and source into docs/strategies.md. A \
                native test fails while that file differs from the registries.",
        options: &[],
        run: table::docs,
    },
    Command {
        name: "pictures",
        arguments: "",
        help: "take the pictures of README.md from the app in dist/ into docs/pictures",
        about: "Plays the app of dist/ (`cargo xtask dist` builds it) in headless Chromium and writes one \
                screenshot and one animation into docs/pictures. Takes a minute.",
        options: &[],
        run: e2e::pictures,
    },
    Command {
        name: "bench",
        arguments: "[crawl] [browser] [revisit] [learn] [seek] [rank] [stage] [app]",
        help: "measure speed and memory, all parts or some, into BENCHMARKS.md",
        about: "Builds optimised programs, runs them natively and in Chromium, and prints ratios within one run. \
                Without a part it runs all and rewrites BENCHMARKS.md; with parts it prints only those. Run \
                it on an idle machine.",
        options: &[
            ("crawl", "crawls of 100,000 and 1,000,000 pages against a bare loop"),
            ("browser", "the same crawls in Chromium against native code"),
            ("revisit", "years of revisiting against a bare event loop"),
            ("learn", "matching of links and Q-learning"),
            ("seek", "time of seeking back and forth in a run"),
            ("rank", "PageRank of cnr-2000 against peers"),
            ("stage", "frames per second of the stage against a peer"),
            ("app", "loading, playing and memory of the app"),
        ],
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", help::overview());
        return ExitCode::from(2);
    };
    if name == "help" || help::is_asked_for(name) {
        print!("{}", help::overview());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("unknown command `{name}`\n\n{}", help::overview());
        return ExitCode::from(2);
    };
    if rest.iter().any(|argument| help::is_asked_for(argument)) {
        print!("{}", help::of(command));
        return ExitCode::SUCCESS;
    }
    (command.run)(rest).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
