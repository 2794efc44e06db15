//! Help texts of `cargo xtask --help` and `cargo xtask COMMAND --help`.

use crate::{COMMANDS, Command};

/// Line width.
const WIDTH: usize = 88;

/// Whether the argument is a help flag.
pub fn is_asked_for(argument: &str) -> bool {
    ["--help", "-h"].contains(&argument)
}

/// All commands, one line each.
pub fn overview() -> String {
    let width = COMMANDS.iter().map(|command| usage(command).chars().count()).max().unwrap_or(0);
    let mut text = String::from("usage: cargo xtask COMMAND\n\n");
    for command in COMMANDS {
        text += &format!("  {:width$}  {}\n", usage(command), command.help);
    }
    text + "\n`cargo xtask COMMAND --help` explains a command and its options.\n"
}

/// Help for one command: usage, description and options.
pub fn of(command: &Command) -> String {
    let mut text = format!("usage: cargo xtask {}\n\n", usage(command));
    text += &wrapped(&sentence(command.help), 0);
    text += "\n";
    text += &wrapped(command.about, 0);
    let help = ("-h, --help", "print this text and do nothing else");
    let options: Vec<_> = command.options.iter().copied().chain([help]).collect();
    let width = options.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    text += "\noptions:\n";
    for (name, meaning) in options {
        let meaning = wrapped(meaning, width + 4);
        text += &format!("  {name:width$}  {}", meaning.trim_start());
    }
    text
}

fn usage(command: &Command) -> String {
    format!("{} {}", command.name, command.arguments).trim_end().to_owned()
}

/// Turns a phrase into a sentence: capital letter and full stop.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// Wraps text, indented by `indent` spaces; line breaks are kept.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && indent + line.chars().count() + 1 + word.chars().count() > WIDTH
            {
                lines += &format!("{:indent$}{line}\n", "");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        lines += &format!("{:indent$}{line}\n", "");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_has_one_line_per_command_and_no_name_twice() {
        let overview = overview();
        for command in COMMANDS {
            let start = format!("  {} ", command.name);
            let lines = overview.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(lines, 1, "{}", command.name);
        }
    }

    /// Arguments in the usage, such as `--port`, `SCENARIO…` or `crawl`.
    fn arguments(command: &Command) -> Vec<&str> {
        let groups = command.arguments.split(['[', ']']);
        let firsts = groups.filter_map(|group| group.split_whitespace().next());
        firsts.map(|word| word.trim_end_matches('…')).collect()
    }

    #[test]
    fn every_command_explains_itself_and_each_of_its_arguments() {
        for command in COMMANDS {
            let name = command.name;
            let text = of(command);
            assert!(
                text.starts_with(&format!("usage: cargo xtask {}\n", usage(command))),
                "{text}"
            );
            assert!(command.about.ends_with('.'), "{name}: {:?}", command.about);
            assert!(text.contains("\n  -h, --help  "), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            let explained: Vec<&str> = command
                .options
                .iter()
                .filter_map(|(option, _)| option.split_whitespace().next())
                .collect();
            assert_eq!(arguments(command), explained, "{name}: usage and options differ");
            assert!(command.options.iter().all(|(_, meaning)| !meaning.is_empty()), "{name}");
        }
    }

    #[test]
    fn help_is_asked_for_by_a_flag_only() {
        assert!(is_asked_for("--help") && is_asked_for("-h"));
        assert!(!is_asked_for("help") && !is_asked_for("--no-help"));
    }

    #[test]
    fn long_text_is_wrapped_and_keeps_its_line_breaks() {
        let long = "word ".repeat(30);
        let lines = wrapped(&format!("{long}\n- item"), 2);
        assert!(lines.lines().count() == 3 && lines.lines().all(|line| line.starts_with("  ")));
        assert!(lines.ends_with("\n  - item\n"), "{lines}");
    }
}
