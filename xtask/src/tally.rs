//! Counts the results in the output of test runners.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::AddAssign;

/// Numbers of passed, failed and skipped tests or checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests or checks that passed.
    pub passed: usize,
    /// Tests or checks that failed.
    pub failed: usize,
    /// Tests or checks that did not run.
    pub skipped: usize,
}

impl Tally {
    /// One passed check.
    pub const PASSED: Self = Self { passed: 1, failed: 0, skipped: 0 };
    /// One failed check.
    pub const FAILED: Self = Self { passed: 0, failed: 1, skipped: 0 };
    /// One skipped check.
    pub const SKIPPED: Self = Self { passed: 0, failed: 0, skipped: 1 };

    /// Moves tests from passed to skipped; `notes` has a line `package::test: reason` for each.
    pub fn skip(&mut self, notes: &str) {
        let names: BTreeSet<&str> = notes
            .lines()
            .map(|line| line.split_once(": ").map_or(line, |(test, _)| test))
            .collect();
        let n = names.len().min(self.passed);
        self.passed -= n;
        self.skipped += n;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// The test runner whose summary is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// `cargo nextest`: one summary in all.
    Nextest,
    /// `cargo test` and the browser runner: one summary per test program.
    CargoTest,
}

/// Counts the results. A failed run without a failed test (a compile error, a crashed browser), or a
/// run without tests, counts as one failure.
pub fn count(runner: Runner, output: &str, success: bool) -> Tally {
    let mut tally = Tally::default();
    match runner {
        Runner::Nextest => {
            if let Some(counts) = output.lines().rev().find_map(nextest_counts) {
                add_counts(&mut tally, counts, ',');
            }
        }
        Runner::CargoTest => {
            for line in output.lines() {
                let counts =
                    line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "));
                if let Some((_, counts)) = counts {
                    add_counts(&mut tally, counts, ';');
                }
            }
        }
    }
    if tally.failed == 0 && (!success || tally.passed == 0) {
        tally.failed = 1;
    }
    tally
}

/// `     Summary [   0.1s] 3 tests run: 2 passed (1 slow), 1 failed, 4 skipped`
fn nextest_counts(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.starts_with("Summary [").then(|| line.split_once(" run: "))?.map(|(_, counts)| counts)
}

/// Parses `2 passed, 1 failed`; ignores remarks in parentheses.
fn add_counts(tally: &mut Tally, counts: &str, separator: char) {
    let mut plain = String::new();
    let mut depth = 0_usize;
    for c in counts.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    for part in plain.split(separator) {
        let mut words = part.split_whitespace();
        let Some(Ok(n)) = words.next().map(str::parse::<usize>) else {
            continue;
        };
        match words.collect::<Vec<_>>().join(" ").as_str() {
            "passed" => tally.passed += n,
            "failed" | "exec failed" | "timed out" => tally.failed += n,
            "skipped" | "ignored" => tally.skipped += n,
            // Measured benchmarks and filtered tests are not counted.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: usize, failed: usize, skipped: usize) -> Tally {
        Tally { passed, failed, skipped }
    }

    #[test]
    fn nextest_summary_is_read() {
        let output = "
        FAIL [   0.003s] a::b
    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 9 filtered out
     Summary [   1.210s] 12/20 tests run: 8 passed (1 slow, 2 leaky), 1 failed, 2 timed out, 1 exec failed, 3 skipped
        FAIL [   0.003s] a::b
";
        assert_eq!(count(Runner::Nextest, output, false), tally(8, 4, 3));
        let one = "     Summary [   0.004s] 1 test run: 1 passed, 0 skipped\n";
        assert_eq!(count(Runner::Nextest, one, true), tally(1, 0, 0));
    }

    #[test]
    fn cargo_test_summaries_are_added() {
        let output = "
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.00s
test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s
";
        assert_eq!(count(Runner::CargoTest, output, false), tally(5, 1, 1));
    }

    #[test]
    fn a_run_that_broke_or_ran_nothing_is_a_failure() {
        let empty = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(count(Runner::CargoTest, empty, true), Tally::FAILED);
        assert_eq!(count(Runner::Nextest, "error: could not compile", false), Tally::FAILED);
        let ok = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(count(Runner::CargoTest, ok, false), tally(2, 1, 0));
    }

    #[test]
    fn the_last_line_always_names_all_three() {
        assert_eq!(tally(3, 0, 0).to_string(), "3 passed, 0 failed, 0 skipped");
        assert_eq!(tally(3, 1, 2).to_string(), "3 passed, 1 failed, 2 skipped");
    }

    #[test]
    fn a_test_that_notes_itself_skipped_is_not_one_that_passed() {
        let notes = "a::epa: x not present\nb::epa: x not present\na::epa: y not present\n";
        let mut counted = tally(5, 0, 1);
        counted.skip(notes);
        assert_eq!(counted, tally(3, 0, 3));
        // A failed test may have written a note before.
        let mut failed = tally(0, 2, 0);
        failed.skip(notes);
        assert_eq!(failed, tally(0, 2, 0));
    }
}
