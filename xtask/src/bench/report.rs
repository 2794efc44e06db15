//! The benchmark report.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::years::Years;
use super::{Measured, screen};

/// All measurements of one run; parts that were not run are empty.
#[derive(Default)]
pub struct Report {
    /// Crawls of 100,000 pages.
    pub small: Vec<Measured>,
    /// Crawls of 1,000,000 pages.
    pub large: Vec<Measured>,
    /// Crawls of 100,000 pages in a browser.
    pub browser: Vec<Measured>,
    /// Focused crawls.
    pub focused: Vec<Measured>,
    /// Years of revisiting.
    pub years: Years,
    /// Output of the program that times the learners.
    pub learning: String,
    /// World, strategy and measurements.
    pub seeks: Vec<(String, String, Vec<Measured>)>,
    /// PageRank, ours and the peers'.
    pub ranks: Vec<Measured>,
    /// Frames of the stage and of sigma.js.
    pub stage: Vec<Measured>,
    /// The whole app.
    pub app: Vec<Measured>,
}

/// Name of the bare loop.
const BARE: &str = "bare loop";
/// Formulas, and the equivalent built-in strategies.
const TYPED: [(&str, &str); 4] = [
    ("formula(of:'-depth')", "breadth-first"),
    ("formula(of:'backlinks')", "backlink-count"),
    ("formula(of:'cash')", "opic"),
    ("formula(of:'-distance')", "fica"),
];
/// Our name among the peers.
const OURS: &str = "crawlscope";

/// Finds a measurement.
pub fn number(lines: &[Measured], what: &str, name: &str) -> Option<f64> {
    lines.iter().find(|m| m.what == what && m.name == name).map(|m| m.number)
}

fn times(lines: &[Measured], name: &str) -> Option<f64> {
    Some(number(lines, "timing", name)? / number(lines, "timing", BARE)?)
}

impl Report {
    /// Prints the tables; saves them if all parts were run.
    pub fn print_and_save(&self, file: &Path, complete: bool) -> Result<()> {
        let mut text = self.text();
        println!("\n{text}");
        let before =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        text = if complete { kept(&before, text) } else { renewed(&before, &text) };
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        println!("written to {}", file.display());
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "# Benchmarks\n\nLast measured by `cargo xtask bench`: two cores, one used. Every figure is a ratio \
             within one run, the shortest of several repeats, except where milliseconds are printed for the record.\n",
        );
        self.crawls(&mut text);
        text.push_str(&self.years.text());
        self.focused(&mut text);
        self.seeks(&mut text);
        self.rank(&mut text);
        text + &screen::stage_text(&self.stage) + &screen::app_text(&self.app)
    }

    fn crawls(&self, text: &mut String) {
        if self.small.is_empty() {
            return;
        }
        text.push_str(
            "\n## Full crawls of `web`, against a bare breadth-first loop over the same links\n\n\
             *Growth* is how much more the crawl's cost grows from 10⁵ to 10⁶ pages than the bare loop's own. \
             *Browser* is wasm in headless Chromium against native code.\n\n\
             | strategy | 10⁵ pages | 10⁶ pages | growth | browser, 10⁵ |\n|---|--:|--:|--:|--:|\n",
        );
        let orderings =
            self.small.iter().filter(|m| m.what == "timing" && m.name != BARE).map(|m| &m.name);
        for name in orderings {
            let (small, large) = (times(&self.small, name), times(&self.large, name));
            let growth = small.zip(large).map(|(small, large)| large / small);
            let native = number(&self.small, "timing", name);
            let wasm = number(&self.browser, "timing", name).zip(native).map(|(w, n)| w / n);
            let cells = [small, large, growth, wasm].map(factor);
            writeln!(text, "| {name} | {} |", cells.join(" | ")).ok();
        }
        let typed = TYPED.iter().filter_map(|(typed, built_in)| {
            let ratio = times(&self.large, typed)? / times(&self.large, built_in)?;
            Some(format!("{typed} {} {built_in}", factor(Some(ratio))))
        });
        let typed: Vec<String> = typed.collect();
        if !typed.is_empty() {
            writeln!(text, "\nTyped against built in, at 10⁶ pages: {}.", typed.join(", ")).ok();
        }
        let bare = |lines| number(lines, "timing", BARE);
        if let (Some(small), Some(large)) = (bare(&self.small), bare(&self.large)) {
            writeln!(text, "\nThe bare loop took {small:.1} ms and {large:.0} ms.").ok();
        }
        if let Some(peak) = number(&self.large, "memory", "peak MB") {
            writeln!(text, "Peak memory of the process that made the world of 10⁶ pages and crawled it: {peak:.0} MB.")
                .ok();
        }
    }

    fn focused(&self, text: &mut String) {
        if !self.focused.is_empty() {
            text.push_str(
                "\n## Focused crawls of `shop(pages:6000,home:categories)`, wasm in headless Chromium against native code\n\n\
                 | strategy | browser |\n|---|--:|\n",
            );
        }
        for native in self.focused.iter().filter(|line| line.what == "focused") {
            let wasm = number(&self.browser, "focused", &native.name);
            let cell = factor(wasm.map(|wasm| wasm / native.number));
            writeln!(text, "| {} | {cell} |", native.name).ok();
        }
        if !self.learning.is_empty() {
            text.push_str(
                "\n## Matching links against the Web link graph, and learning on it\n\n```\n",
            );
            text.push_str(self.learning.trim_end());
            text.push_str("\n```\n");
        }
    }

    fn seeks(&self, text: &mut String) {
        if self.seeks.is_empty() {
            return;
        }
        text.push_str(
            "\n## Seeking to a random step of a finished run\n\n\
             | world | strategy | 95 % within | equivalent steps forward |\n|---|---|--:|--:|\n",
        );
        for (world, strategy, lines) in &self.seeks {
            let (Some(p95), Some(step)) =
                (number(lines, "seek", "p95 ms"), number(lines, "seek", "step ms"))
            else {
                continue;
            };
            writeln!(text, "| {world} | {strategy} | {p95:.1} ms | {:.0} |", p95 / step).ok();
        }
    }

    fn rank(&self, text: &mut String) {
        let Some(ours) = number(&self.ranks, "timing", OURS) else { return };
        text.push_str(
            "\n## PageRank of cnr-2000 (325,557 pages, 3.2 million arcs), damping 0.85, L1 change below 1e-10, one core\n\n\
             | program | time against ours | L1 difference of the ranks |\n|---|--:|--:|\n",
        );
        for peer in self.ranks.iter().filter(|m| m.what == "timing") {
            let difference = number(&self.ranks, "difference", &peer.name);
            let difference = difference.map_or_else(|| "–".to_owned(), |d| format!("{d:.1e}"));
            let cell = factor(Some(peer.number / ours));
            writeln!(text, "| {} | {cell} | {difference} |", peer.name).ok();
        }
        writeln!(text, "\nOurs took {ours:.0} ms, including transposition.").ok();
    }
}

/// A ratio as text.
pub fn factor(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |r| format!("{r:.2}×"))
}

/// Replaces one section of the file, or adds it; the text starts with the section's heading.
pub fn save_section(file: &Path, section: &str) -> Result<()> {
    let before =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = renewed(&before, &format!("\n{section}"));
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Sections that other commands measure.
const OF_OTHERS: [&str; 1] = ["## Parameters at their extremes"];

/// A new text, with those sections of the old one that other commands measure.
fn kept(before: &str, new: String) -> String {
    let is_kept = |part: &String| OF_OTHERS.contains(&title(part).as_str());
    let parts: String = parts(before).into_iter().filter(is_kept).collect();
    if parts.is_empty() { new } else { renewed(&new, &format!("\n{parts}")) }
}

/// The text before the first section, and the sections.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match parts.last_mut() {
            Some(part) if !line.starts_with("## ") => part.push_str(line),
            _ => parts.push(line.to_owned()),
        }
    }
    parts
}

fn title(part: &str) -> String {
    part.lines().next().unwrap_or_default().to_owned()
}

/// The old report with the newly measured parts replaced.
fn renewed(before: &str, new: &str) -> String {
    let mut all = parts(before);
    for part in parts(new).into_iter().skip(1) {
        match all.iter_mut().find(|old| title(old) == title(&part)) {
            Some(old) => *old = part,
            None => all.push(part),
        }
    }
    // One blank line between parts.
    let all: Vec<&str> = all.iter().map(|part| part.trim_end()).collect();
    all.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_measured_alone_leave_the_others_as_they_were() {
        let before = "# Benchmarks\n\nHow.\n\n## A\n\nold a\n\n## B\n\nold b\n";
        let new = "# Benchmarks\n\nHow.\n\n## B\n\nnew b\n\n## C\n\nnew c\n";
        let expected = "# Benchmarks\n\nHow.\n\n## A\n\nold a\n\n## B\n\nnew b\n\n## C\n\nnew c\n";
        assert_eq!(renewed(before, new), expected);
        assert_eq!(renewed(expected, new), expected);
    }

    #[test]
    fn a_complete_run_keeps_what_other_commands_measure() {
        let before = format!("# Benchmarks\n\n## Gone\n\nold\n\n{}\n\nkept\n", OF_OTHERS[0]);
        let new = "# Benchmarks\n\n## A\n\nnew a\n";
        let expected = format!("{new}\n{}\n\nkept\n", OF_OTHERS[0]);
        assert_eq!(kept(&before, new.to_owned()), expected);
        assert_eq!(kept(new, new.to_owned()), new);
    }
    use crate::bench::read;

    #[test]
    fn ratios_are_taken_within_one_run() {
        let report = Report {
            small: read("timing\tbare loop\t2\ntiming\topic\t30\n"),
            large: read(
                "timing\tbare loop\t40\ntiming\topic\t400\ntiming\tformula(of:'cash')\t800\n",
            ),
            browser: read("timing\topic\t45\n"),
            ..Report::default()
        };
        let text = report.text();
        assert!(text.contains("| opic | 15.00× | 10.00× | 0.67× | 1.50× |"), "{text}");
        assert!(text.contains("at 10⁶ pages: formula(of:'cash') 2.00× opic."), "{text}");
    }
}
