//! Years of revisiting, compared with a bare event loop and in the browser.

use std::fmt::Write as _;

use anyhow::Result;

use super::report::{factor, number};
use super::{Browser, Measured, N_TURNS, keep, measured, same_work};
use crate::shell;

const BARE: &str = "bare loop";
const VISITS: &str = "visits alone";

/// Measurements of years of revisiting; empty if not run.
#[derive(Default)]
pub struct Years {
    /// 10,000, 100,000 and 1,000,000 pages.
    pub native: [Vec<Measured>; 3],
    /// 100,000 pages in a browser.
    pub browser: Vec<Measured>,
}

impl Years {
    /// Runs the measurements; native code and the browser alternate.
    pub fn measured() -> Result<Self> {
        let mut years = Self::default();
        let browser = Browser::ready("crawl-bench", "revisit")?;
        for turn in 1..=N_TURNS {
            shell::heading(&format!(
                "years of 10,000 and 100,000 pages, natively and in Chromium, {turn} of {N_TURNS}"
            ));
            keep(&mut years.native[0], measured(&["revisit", "10000", "3"])?, f64::min);
            keep(&mut years.native[1], measured(&["revisit", "100000", "1"])?, f64::min);
            keep(&mut years.browser, browser.measured()?, f64::min);
            same_work(&years.native[1], &years.browser)?;
        }
        shell::heading("years of 1,000,000 pages");
        years.native[2] = measured(&["revisit", "1000000", "2"])?;
        Ok(years)
    }

    /// The table.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let [small, middle, large] = &self.native;
        if middle.is_empty() {
            return text;
        }
        text.push_str(
            "\n## A year of pages that all change, ten visits a page, against a bare event loop\n\n\
             The bare loop visits every page equally often; its events are visits and the first change after \
             each, so that it knows the number of fresh copies at any time. The year includes a crawl before \
             it, all metrics, and checkpoints for seeking. *Alone* is the same without metrics and checkpoints. \
             *Visits only* compares that with a loop whose events are visits only, and which keeps a sum of \
             freshness. *Growth* is how much more the year's cost grows from 10⁴ to 10⁶ pages than the bare \
             loop's. *Browser* is wasm in headless Chromium against native code. Memory is what the simulation \
             holds per page at the end.\n\n\
             | policy | 10⁴ pages | 10⁵ pages | 10⁶ pages | alone, 10⁵ | visits only, 10⁵ | growth | browser, 10⁵ | bytes a page, 10⁶ |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for Measured { name, .. } in
            middle.iter().filter(|m| m.what == "year" && ![BARE, VISITS].contains(&m.name.as_str()))
        {
            let times = |lines: &[Measured], what| {
                Some(number(lines, what, name)? / number(lines, "year", BARE)?)
            };
            let years = self.native.each_ref().map(|lines| times(lines, "year"));
            let growth = years[0].zip(years[2]).map(|(small, large)| large / small);
            let native = number(middle, "year", name);
            let browser = number(&self.browser, "year", name).zip(native).map(|(w, n)| w / n);
            let alone = number(middle, "simulated", name);
            let visits = alone.zip(number(middle, "year", VISITS)).map(|(year, bare)| year / bare);
            let alone = times(middle, "simulated");
            let cells = [years[0], years[1], years[2], alone, visits, growth, browser];
            let bytes =
                number(large, "bytes", name).map_or("–".to_owned(), |b| format!("{b:.0}"));
            writeln!(text, "| {name} | {} | {bytes} |", cells.map(factor).join(" | ")).ok();
        }
        let bare = [small, middle, large].map(|lines| number(lines, "year", BARE));
        if let [Some(small), Some(middle), Some(large)] = bare {
            let took = format!("{small:.0} ms, {middle:.0} ms and {large:.0} ms");
            writeln!(text, "\nThe bare loop took {took}.").ok();
        }
        if let Some(peak) = number(large, "memory", "peak MB") {
            writeln!(text, "Peak memory of the process that generated the world of 10⁶ pages and simulated its years: {peak:.0} MB.")
                .ok();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::read;

    #[test]
    fn years_are_compared_within_one_run() {
        let native = [
            "year\tbare loop\t10\nyear\tuniform\t80\n",
            "year\tbare loop\t100\nyear\tvisits alone\t50\nyear\tuniform\t900\nsimulated\tuniform\t500\n",
            "year\tbare loop\t2000\nyear\tuniform\t20000\nbytes\tuniform\t200.4\n",
        ];
        let years = Years { native: native.map(read), browser: read("year\tuniform\t1350\n") };
        let text = years.text();
        let row = "| uniform | 8.00× | 9.00× | 10.00× | 5.00× | 10.00× | 1.25× | 1.50× | 200 |";
        assert!(text.contains(row), "{text}");
        assert!(Years::default().text().is_empty());
    }
}
