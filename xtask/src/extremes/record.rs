//! What all trials came to, counted against the list of all trials.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::process::{MOST_CPU_S, MOST_MB};
use super::{Outcome, Outcomes, Trial};

/// How many of the heaviest are listed.
const N_HEAVIEST: usize = 10;
/// Most characters of a command in a table.
const MOST_CHARS: usize = 160;

/// How a trial came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It ended.
    Ended,
    /// It was refused before it started, with a reason.
    Refused,
    /// It was refused as too much, but nothing that fits was offered.
    NoOffer,
    /// It took more time or memory than it may.
    Over,
    /// It ended with an error that is no refusal.
    Failed,
}

impl Kind {
    pub fn of(outcome: &Outcome) -> Self {
        match outcome.code {
            _ if outcome.cpu_s > MOST_CPU_S || outcome.mb > MOST_MB => Self::Over,
            None => Self::Over,
            Some(0) => Self::Ended,
            Some(2) if outcome.reason.is_empty() => Self::Failed,
            Some(2) if excess(outcome).is_some() && !outcome.reason.contains(" fit: try ") => {
                Self::NoOffer
            }
            Some(2) => Self::Refused,
            Some(_) => Self::Failed,
        }
    }

    /// Not as it must be.
    pub fn is_bad(self) -> bool {
        !matches!(self, Self::Ended | Self::Refused)
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Refused => "refused",
            Self::NoOffer => "refused without an offer",
            Self::Over => "over the limits",
            Self::Failed => "failed",
        }
    }
}

/// What a refused trial would have too much of.
fn excess(outcome: &Outcome) -> Option<&'static str> {
    let of = |noun: &&str| outcome.reason.contains(&format!(" {noun}; at most "));
    ["visits", "operations", "links"].into_iter().find(|noun| of(noun))
}

/// A trial and what became of it, on one line.
pub fn line(trial: &Trial, outcome: &Outcome) -> String {
    format!("{:6.2} s {:6.0} MB  {}", outcome.cpu_s, outcome.mb, shown(trial))
}

fn shown(trial: &Trial) -> String {
    let words: Vec<&str> = trial.args.iter().map(String::as_str).collect();
    let text = match words.as_slice() {
        ["run", .., link] => (*link).to_owned(),
        words => words.join(" "),
    };
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// All trials with their results.
pub struct Record<'a> {
    tried: Vec<(&'a Trial, &'a Outcome, Kind)>,
    n_trials: usize,
}

impl<'a> Record<'a> {
    pub fn new(trials: &'a [Trial], outcomes: &'a Outcomes) -> Self {
        let outcome = |trial: &'a Trial| {
            let outcome = outcomes.get(&trial.args)?;
            Some((trial, outcome, Kind::of(outcome)))
        };
        Self { tried: trials.iter().filter_map(outcome).collect(), n_trials: trials.len() }
    }

    /// Trials without a result.
    pub fn n_missing(&self) -> usize {
        self.n_trials - self.tried.len()
    }

    pub fn bad(&self) -> impl Iterator<Item = &(&'a Trial, &'a Outcome, Kind)> {
        self.tried.iter().filter(|(_, _, kind)| kind.is_bad())
    }

    fn count(&self, of: Kind) -> usize {
        self.tried.iter().filter(|(_, _, kind)| *kind == of).count()
    }

    /// `N trials, N ended, N refused, N over the limits`.
    pub fn tally(&self) -> String {
        let mut text = format!(
            "{} trials, {} ended, {} refused, {} over the limits",
            self.tried.len(),
            self.count(Kind::Ended),
            self.count(Kind::Refused),
            self.count(Kind::Over)
        );
        for kind in [Kind::NoOffer, Kind::Failed].into_iter().filter(|kind| self.count(*kind) > 0) {
            let _ = write!(text, ", {} {}", self.count(kind), kind.word());
        }
        text
    }

    /// Those that come nearest to a limit, of time or of memory, heaviest first.
    fn heaviest(&self) -> Vec<(&'a Trial, &'a Outcome)> {
        let share = |outcome: &Outcome| (outcome.cpu_s / MOST_CPU_S).max(outcome.mb / MOST_MB);
        let mut all: Vec<_> =
            self.tried.iter().map(|(trial, outcome, _)| (*trial, *outcome)).collect();
        all.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
        all.truncate(N_HEAVIEST);
        all
    }

    /// One line for each: seconds, megabytes, address in the app.
    pub fn heaviest_list(&self) -> String {
        let line = |(trial, outcome): (&Trial, &Outcome)| {
            format!("{:.2}\t{:.0}\t{}\n", outcome.cpu_s, outcome.mb, trial.page)
        };
        self.heaviest().into_iter().map(line).collect()
    }

    /// How many trials were refused, by reason.
    fn reasons(&self) -> BTreeMap<String, usize> {
        let mut reasons = BTreeMap::new();
        for (_, outcome, kind) in &self.tried {
            if *kind == Kind::Refused {
                let reason = match excess(outcome) {
                    Some(noun) => format!("too many {noun}"),
                    None => outcome
                        .reason
                        .trim_start_matches("crawlscope: ")
                        .chars()
                        .take(MOST_CHARS)
                        .collect(),
                };
                *reasons.entry(reason).or_default() += 1;
            }
        }
        reasons
    }

    /// For the terminal.
    pub fn text(&self) -> String {
        let mut text = String::from("refused:\n");
        for (reason, n) in self.reasons() {
            let _ = writeln!(text, "{n:6}  {reason}");
        }
        let _ = writeln!(text, "\nthe {N_HEAVIEST} heaviest of {}:", self.tried.len());
        for (trial, outcome) in self.heaviest() {
            text += &line(trial, outcome);
            text.push('\n');
        }
        text
    }

    /// For BENCHMARKS.md.
    pub fn section(&self) -> String {
        let most = |of: fn(&Outcome) -> f64| {
            self.tried.iter().map(|(_, outcome, _)| of(outcome)).fold(0.0, f64::max)
        };
        let too_much =
            |noun: &str| self.reasons().get(&format!("too many {noun}")).copied().unwrap_or(0);
        let [visits, operations, links] = ["visits", "operations", "links"].map(too_much);
        let others = self.count(Kind::Refused) - visits - operations - links;
        let mut text = format!(
            "## Parameters at their extremes\n\n\
             Every parameter at its smallest and largest value, alone and in pairs of one entry, by \
             `cargo xtask extremes`. Each trial is a process of its own and may take {MOST_CPU_S} s of \
             processor time and {MOST_MB} MB.\n\n\
             **{}.** The most processor time is {:.1} s, the most memory {:.0} MB. Refused for too many \
             visits: {visits}; operations: {operations}; links: {links}; because parameters do not go \
             together: {others}.\n\nThe {N_HEAVIEST} heaviest:\n\n| trial | s | MB |\n|---|--:|--:|\n",
            self.tally(),
            most(|outcome| outcome.cpu_s),
            most(|outcome| outcome.mb),
        );
        for (trial, outcome) in self.heaviest() {
            let _ =
                writeln!(text, "| `{}` | {:.1} | {:.0} |", shown(trial), outcome.cpu_s, outcome.mb);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(cpu_s: f64, mb: f64, code: Option<i32>, reason: &str) -> Outcome {
        Outcome { cpu_s, mb, code, reason: reason.to_owned() }
    }

    #[test]
    fn trials_are_counted_by_how_they_came_out() {
        let offered = "crawlscope: this run would make about 5 visits; at most 4 fit: try hours=1";
        let none = "crawlscope: this run would take about 5 operations; at most 4 fit";
        let all = [
            (outcome(19.0, 10.0, Some(0), ""), Kind::Ended),
            (outcome(0.1, 1900.0, Some(0), ""), Kind::Ended),
            (outcome(0.1, 10.0, Some(2), offered), Kind::Refused),
            (outcome(0.1, 10.0, Some(2), "no estimator is chosen"), Kind::Refused),
            (outcome(0.1, 10.0, Some(2), none), Kind::NoOffer),
            (outcome(0.1, 10.0, Some(2), ""), Kind::Failed),
            (outcome(0.1, 10.0, Some(101), "panicked"), Kind::Failed),
            (outcome(20.1, 10.0, None, ""), Kind::Over),
            (outcome(1.0, 2049.0, Some(0), ""), Kind::Over),
        ];
        let trial = |at: usize| Trial {
            what: at.to_string(),
            args: vec!["run".to_owned(), format!("#{at}")],
            page: format!("#{at}"),
        };
        // One more than was tried.
        let trials: Vec<Trial> = (0..=all.len()).map(trial).collect();
        let mut outcomes = Outcomes::new();
        for (trial, (outcome, kind)) in trials.iter().zip(&all) {
            assert_eq!(Kind::of(outcome), *kind, "{outcome:?}");
            outcomes.insert(trial.args.clone(), outcome.clone());
        }
        let record = Record::new(&trials, &outcomes);
        assert_eq!(record.n_missing(), 1);
        let counted = "9 trials, 2 ended, 2 refused, 2 over the limits, \
            1 refused without an offer, 2 failed";
        assert_eq!(record.tally(), counted);
        assert_eq!(record.bad().count(), 5);
        let list = record.heaviest_list();
        let pages: Vec<&str> = list.lines().filter_map(|line| line.split('\t').nth(2)).collect();
        assert_eq!(pages[..4], ["#7", "#8", "#0", "#1"], "{list}");
        assert!(record.section().contains("visits: 1; operations: 0; links: 0"));
        assert!(record.section().contains("do not go together: 1."));
    }
}
