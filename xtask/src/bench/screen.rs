//! Measurements of the stage and of the whole app in Chromium.

use std::fmt::Write as _;

use anyhow::Result;

use super::report::{factor, number};
use super::{Browser, Measured, N_TURNS, keep, peers, read};
use crate::{dist, e2e, shell, tools};

/// Names of the measured loops.
const BARE: &str = "bare loop";
const STAGE: &str = "stage";
const BARE_BESIDE: &str = "bare loop beside sigma.js";
const SIGMA: &str = "sigma.js 3";

/// Measures frames of the stage, of sigma.js, and of a bare loop beside each.
pub fn stage() -> Result<Vec<Measured>> {
    let browser = Browser::ready("crawl-stage", "bench_stage")?;
    let mut lines = browser.measured()?;
    lines.extend(peers::sigma(e2e::measure(&browser.driver)));
    Ok(lines)
}

/// Measures main thread, first visit and memory of the built app.
pub fn app() -> Result<Vec<Measured>> {
    let driver = tools::chromium_driver()?;
    dist::build()?;
    let measured = |part: &str| -> Result<Vec<Measured>> {
        let printed = shell::output(e2e::measure(&driver).arg(part))?;
        print!("{printed}");
        Ok(read(&printed))
    };
    let mut lines = Vec::new();
    for _ in 0..N_TURNS {
        keep(&mut lines, measured("tasks")?, f64::max);
        keep(&mut lines, measured("timeline")?, f64::max);
        keep(&mut lines, measured("first-visit")?, f64::min);
    }
    lines.extend(measured("first-visit-networks")?);
    lines.extend(measured("memory")?);
    Ok(lines)
}

/// The table of the stage.
pub fn stage_text(lines: &[Measured]) -> String {
    let mut text = String::new();
    if number(lines, "frame", BARE).is_none() {
        return text;
    }
    text.push_str(
        "\n## 50,000 pages and 200,000 links on screen while the crawl plays\n\n\
         Against a bare WebGL2 loop that draws the same points and lines in the same page, in headless \
         Chromium without a graphics card.\n\n\
         | drawn by | main thread, a frame | frames a second |\n|---|--:|--:|\n",
    );
    let stages = lines.iter().filter(|m| m.what == "frame" && m.name.starts_with(STAGE));
    let rows = stages.map(|m| (m.name.as_str(), BARE)).chain([(SIGMA, BARE_BESIDE)]);
    for (name, bare) in rows {
        let cells = ["frame", "frames a second"].map(|what| {
            let ratio =
                number(lines, what, name).zip(number(lines, what, bare)).map(|(a, b)| a / b);
            factor(ratio)
        });
        writeln!(text, "| {name} | {} |", cells.join(" | ")).ok();
    }
    if let Some(bare) = number(lines, "frame", BARE) {
        writeln!(text, "\nThe bare loop took the main thread {bare:.2} ms a frame.").ok();
    }
    text
}

/// The table of the app.
pub fn app_text(lines: &[Measured]) -> String {
    let mut text = String::new();
    if lines.is_empty() {
        return text;
    }
    text.push_str(
        "\n## The app in headless Chromium\n\n\
         The main thread while `web(pages:100000)` runs with two strategies, and while a long timeline of \
         two policies is moved; processor time of each task, from Chromium's tracing.\n\n\
         | while | longest task | tasks above 50 ms |\n|---|--:|--:|\n",
    );
    for part in lines.iter().filter(|m| m.what == "longest task") {
        let n_long = number(lines, "long tasks", &part.name).unwrap_or(0.0);
        writeln!(text, "| {} | {:.0} ms | {n_long:.0} |", part.name, part.number).ok();
    }
    if let Some(ms) = number(lines, "first visit", "first step on screen, ms") {
        writeln!(text, "\nA first visit shows its first step {ms:.0} ms after navigation.").ok();
    }
    text.push_str(&networks_text(lines));
    let held = |n: u32| number(lines, "memory", &format!("after {n} changes, bytes"));
    if let (Some(ten), Some(hundred)) = (held(10), held(100)) {
        writeln!(
            text,
            "After 100 changes of the experiment, page and workers hold {:.2} times what they held after 10 \
             ({:.1} MB), WebAssembly memories and scripts' objects after a collection.",
            hundred / ten,
            ten / 1e6
        )
        .ok();
    }
    text
}

/// First visits over networks that Chromium emulates.
fn networks_text(lines: &[Measured]) -> String {
    let mut text = String::new();
    for median in lines.iter().filter(|m| m.what == "first step, median ms") {
        if text.is_empty() {
            text.push_str(
                "\nThe same over networks that Chromium emulates, without cache and service worker; \
                 bytes as the server sent them until then, headers included.\n\n\
                 | network | programs arrived, median | first step, median | least to most | bytes |\n\
                 |---|--:|--:|--:|--:|\n",
            );
        }
        let other = |what: &str| number(lines, what, &median.name).unwrap_or(f64::NAN);
        writeln!(
            text,
            "| {} | {:.2} s | {:.2} s | {:.2} to {:.2} s | {:.0} kB |",
            median.name,
            other("programs arrived, median ms") / 1e3,
            median.number / 1e3,
            other("first step, least ms") / 1e3,
            other("first step, most ms") / 1e3,
            other("first step, bytes") / 1e3
        )
        .ok();
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loop_is_compared_with_the_bare_one_beside_it() {
        let lines = read(
            "frame\tbare loop\t0.5\nframes a second\tbare loop\t10\n\
             frame\tstage, playing\t0.75\nframes a second\tstage, playing\t9\n\
             frame\tbare loop beside sigma.js\t0.4\nframe\tsigma.js 3\t8\n",
        );
        let text = stage_text(&lines);
        assert!(text.contains("| stage, playing | 1.50× | 0.90× |"), "{text}");
        assert!(text.contains("| sigma.js 3 | 20.00× | – |"), "{text}");
        assert_eq!(stage_text(&[]), "");
    }

    #[test]
    fn networks_have_a_row_each() {
        let lines = read(
            "first step, least ms\t10 Mbit/s, 40 ms\t1100\nfirst step, median ms\t10 Mbit/s, 40 ms\t1250\n\
             programs arrived, median ms\t10 Mbit/s, 40 ms\t900\nfirst step, most ms\t10 Mbit/s, 40 ms\t1500\nfirst step, bytes\t10 Mbit/s, 40 ms\t514000\n",
        );
        let text = networks_text(&lines);
        let row = "| 10 Mbit/s, 40 ms | 0.90 s | 1.25 s | 1.10 to 1.50 s | 514 kB |";
        assert!(text.contains(row), "{text}");
        assert_eq!(networks_text(&[]), "");
    }

    #[test]
    fn memory_is_reported_as_a_ratio() {
        let lines = read(
            "longest task\tplaying\t21.4\nlong tasks\tplaying\t0\n\
             memory\tafter 10 changes, bytes\t20000000\nmemory\tafter 100 changes, bytes\t21000000\n",
        );
        let text = app_text(&lines);
        assert!(text.contains("| playing | 21 ms | 0 |"), "{text}");
        assert!(text.contains("hold 1.05 times") && text.contains("(20.0 MB)"), "{text}");
    }
}
