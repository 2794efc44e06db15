//! Strategy by a formula that the user types.
//!
//! score(u) = value of the formula for u, clamped to ±1e300
//!
//! Each variable declares when it changes ([`Changes`]). A fetch rescores only the URLs that the
//! formula's variables require: targets of the page's links, all waiting URLs on its host, or all.

mod memory;
mod variable;

use super::{Needs, Strategy, StrategyContext, StrategyEntry};
use crate::formula::{FUNCTIONS, Formula, MAX_CHARS};
use crate::{Explanation, Known, Scores, UrlId, Work};
use crawl_catalogue::{Entry, EntryTexts, Fault, Param, ParamKind};
use memory::Memory;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use variable::{Changes, VARIABLES, WORDS};

const DEFAULT: &str = "backlinks / (1 + depth)";

const PARAMS: &[Param] = &[Param::formula(
    "of",
    ParamKind::Formula {
        default: Cow::Borrowed(DEFAULT),
        max_chars: MAX_CHARS as u32,
        variables: Cow::Borrowed(WORDS),
        functions: Cow::Borrowed(FUNCTIONS),
    },
    |text| read(text).map(|_| ()),
    "The URL with the highest value is fetched next. Numbers, variables, + - * / ^, parentheses, \
     comparisons (1 if true, else 0) and functions.",
)];

pub(super) const ENTRY: StrategyEntry = StrategyEntry {
    entry: Entry::new(
        "formula",
        "Your own",
        EntryTexts {
            family: "Your own",
            source: "(ours)",
            summary: "The URL for which your formula is highest",
            description: "A formula over what a crawler knows of a URL. For example, backlinks is \
                backlink count, cash is OPIC, −distance is FICA, −discovered is breadth-first and \
                latest is depth-first; combine them as you like. If the value is undefined (0/0, the \
                logarithm of −1), the URL comes last; values beyond ±1e300 count as ±1e300.",
            formula: "score(u) = your formula, such as backlinks / (1 + depth)",
            params: PARAMS,
        },
    ),
    needs: |params| {
        let formula = read(params.text("of")).unwrap_or_default();
        // Looking up a waiting URL costs as much as a few steps of the formula.
        let each = 1.0 + formula.len() as f64 / 4.0;
        let scans = match changes(&formula).0 {
            Changes::ByAll => each,
            // Estimate: the largest host has a quarter of the waiting URLs.
            Changes::ByHost => each / 4.0,
            _ => 0.0,
        };
        let work = Work { scans_per_fetch: scans, ns_per_link: 10.0 * each, ..Work::default() };
        Needs { work, ..Needs::default() }
    },
    build: |params, context| Box::new(FormulaStrategy::new(params.text("of"), context)),
};

fn read(text: &str) -> Result<Formula, Fault> {
    Formula::read(text, WORDS)
}

/// When its value changes, and the parts of the memory it uses.
fn changes(formula: &Formula) -> (Changes, u8) {
    let used = formula.variables().filter_map(|at| VARIABLES.get(at));
    used.fold((Changes::Never, 0), |(changes, keeps), variable| {
        (changes.max(variable.changes), keeps | variable.keeps)
    })
}

#[derive(Clone)]
struct FormulaStrategy {
    formula: Arc<Formula>,
    changes: Changes,
    memory: Memory,
}

impl FormulaStrategy {
    fn new(text: &str, context: &StrategyContext) -> Self {
        let formula = read(text);
        debug_assert!(formula.is_ok(), "it was checked: {formula:?}");
        let formula = formula.unwrap_or_default();
        let (changes, keeps) = changes(&formula);
        Self { changes, memory: Memory::new(keeps, context), formula: Arc::new(formula) }
    }

    #[inline]
    fn score(&self, url: UrlId, known: &Known<'_>) -> f64 {
        self.formula.score(|at| (VARIABLES[at].value)(&self.memory, url, known))
    }
}

impl Strategy for FormulaStrategy {
    fn discovered(&mut self, url: UrlId, _: f64, known: &Known<'_>) -> f64 {
        self.memory.discovered(url, known);
        self.score(url, known)
    }

    fn fetched(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        self.memory.fetched(url, scores.get(url), known);
        if self.changes == Changes::ByAll {
            return scores.set_all(|url| self.score(url, known));
        }
        if self.changes == Changes::ByHost {
            let waiting = self.memory.waiting_with(url, known, scores);
            scores.change_each(waiting.into_iter(), |url| self.score(url, known));
        }
        if self.changes >= Changes::ByLink {
            scores.change_each(known.links(url), |url| self.score(url, known));
        }
    }

    fn revisited(
        &mut self,
        url: UrlId,
        places: Range<usize>,
        known: &Known<'_>,
        scores: &mut Scores<'_>,
    ) {
        let is_shared = self.memory.revisited(url, &places, known);
        // New links also affect other URLs found on the page.
        if is_shared || (!places.is_empty() && self.changes > Changes::Never) {
            scores.change_each(known.links(url), |url| self.score(url, known));
        }
    }

    fn found_nearer(&mut self, url: UrlId, known: &Known<'_>, scores: &mut Scores<'_>) {
        scores.set(url, self.score(url, known));
    }

    fn changes_others(&self) -> bool {
        self.changes == Changes::ByHost
    }

    fn explain(&self, url: UrlId, _: f64, known: &Known<'_>) -> Explanation {
        self.formula.explain(|at| {
            let value = (VARIABLES[at].value)(&self.memory, url, known);
            (VARIABLES[at].explain)(&self.memory, url, known, value)
        })
    }

    fn bytes(&self) -> usize {
        self.memory.bytes()
    }
}
