//! Claims and their verdicts.

use crate::document::DOCUMENTS;
use crate::measurement::Group;
use serde::{Deserialize, Serialize};

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The claim, in one sentence.
    pub says: String,
    /// Who claims it; a letter is the id of a document.
    pub source: String,
    /// The webs it was tested on.
    pub webs: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The numbers behind the verdict.
    pub because: String,
}

impl Claim {
    /// The source with papers named by their authors instead of their letters.
    ///
    /// [`Claim::source`] keeps the letters: it is part of the digest of a report.
    pub fn cited(&self) -> String {
        let cited = |word: &str| {
            let (name, after) = word.split_at(word.trim_end_matches([',', ';']).len());
            let name = match DOCUMENTS.iter().find(|document| document.id == name) {
                Some(document) => document.authors,
                None if name == "ours" => "our own",
                None => name,
            };
            format!("{name}{after}")
        };
        self.source.split(' ').map(cited).collect::<Vec<_>>().join(" ")
    }
}

/// Claims as a table: one row per claim, one column per group of webs.
pub struct ClaimTable<'a> {
    /// Names of the groups, in order of appearance.
    pub webs: Vec<&'a str>,
    /// Each claim, and its result on each group of webs.
    pub rows: Vec<(&'a Claim, Vec<Option<&'a Claim>>)>,
}

impl<'a> ClaimTable<'a> {
    /// Arranges the claims.
    pub fn new(claims: &'a [Claim]) -> Self {
        let mut webs: Vec<&str> = Vec::new();
        let mut firsts: Vec<&Claim> = Vec::new();
        for claim in claims {
            if !webs.contains(&claim.webs.as_str()) {
                webs.push(&claim.webs);
            }
            if !firsts.iter().any(|first| first.says == claim.says) {
                firsts.push(claim);
            }
        }
        let on = |first: &Claim, webs: &str| {
            claims.iter().find(|claim| claim.says == first.says && claim.webs == webs)
        };
        let row = |first: &'a Claim| (first, webs.iter().map(|webs| on(first, webs)).collect());
        Self { rows: firsts.into_iter().map(row).collect(), webs }
    }
}

/// Verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds.
    Held,
    /// The opposite holds.
    NotHeld,
    /// The numbers do not decide.
    Undecided,
}

impl Verdict {
    /// The verdict in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::NotHeld => "not held",
            Self::Undecided => "unclear",
        }
    }

    /// Judges differences that the claim says are positive, by the 95 % interval of their mean.
    ///
    /// A single difference is judged by its sign.
    pub fn of_positive(differences: &[f64]) -> Self {
        let (mean, half) = mean_and_half_width(differences);
        match (mean - half > 0.0, mean + half < 0.0) {
            (true, _) => Self::Held,
            (_, true) => Self::NotHeld,
            _ => Self::Undecided,
        }
    }
}

/// Whether a verdict on the generated webs is reversed on a real one; lists where.
pub(crate) fn reversals(groups: &[Group<'_>], claims: &[Claim]) -> (Verdict, String) {
    let has = |is_real| groups.iter().any(|group| group.is_real() == is_real);
    if !(has(true) && has(false)) {
        return (Verdict::Undecided, "generated and real webs are both needed".to_owned());
    }
    let is_opposite = |a: Verdict, b: Verdict| {
        matches!((a, b), (Verdict::Held, Verdict::NotHeld) | (Verdict::NotHeld, Verdict::Held))
    };
    let of = |group: &Group<'_>| claims.iter().filter(|claim| claim.webs == group.name).collect();
    let generated: Vec<&Claim> =
        groups.iter().filter(|group| !group.is_real()).flat_map::<Vec<_>, _>(of).collect();
    let mut turned = Vec::new();
    for group in groups.iter().filter(|group| group.is_real()) {
        let opposite = of(group).into_iter().filter(|real: &&Claim| {
            let same = generated.iter().find(|claim| claim.says == real.says);
            same.is_some_and(|claim| is_opposite(claim.verdict, real.verdict))
        });
        match opposite.count() {
            0 => {}
            n => turned.push(format!("{} turns {n}", group.name)),
        }
    }
    let n = generated.len();
    if turned.is_empty() {
        return (Verdict::NotHeld, format!("no real web turns any of {n} claims"));
    }
    (Verdict::Held, format!("of {n} claims {}", turned.join(", ")))
}

/// 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom; above, the normal quantile.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// Mean, and half-width of its 95 % interval; the half-width is 0 for a single value.
pub fn mean_and_half_width(values: &[f64]) -> (f64, f64) {
    let t = values.len().checked_sub(2).and_then(|at| T.get(at)).copied().unwrap_or(1.96);
    (mean(values), t * standard_error(values).unwrap_or(0.0))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

/// Standard error of the mean; `None` for a single value.
pub fn standard_error(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let (n, mean) = (values.len() as f64, mean(values));
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    Some(libm::sqrt(variance / n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_student_s() {
        // Mean 3, standard deviation √2.5, five values: 2.776·√(2.5/5).
        let (mean, half) = mean_and_half_width(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(mean, 3.0);
        assert!((half - 1.9629).abs() < 1e-4, "{half}");
        assert_eq!(mean_and_half_width(&[7.0]), (7.0, 0.0));
        assert_eq!(mean_and_half_width(&[]), (0.0, 0.0));
    }

    #[test]
    fn sources_are_cited_by_author() {
        let cited = |source: &str| {
            let (says, webs, because) = Default::default();
            Claim { says, source: source.to_owned(), webs, verdict: Verdict::Held, because }.cited()
        };
        assert_eq!(cited("C, section 4"), "Wen & Lu 2004, section 4");
        assert_eq!(cited("ours, from B"), "our own, from Zhang, Li, Yu & Zhang 2010");
        assert_eq!(cited("Cho & Garcia-Molina 2000"), "Cho & Garcia-Molina 2000");
    }

    #[test]
    fn the_numbers_decide() {
        assert_eq!(Verdict::of_positive(&[1.0, 1.1, 0.9]), Verdict::Held);
        assert_eq!(Verdict::of_positive(&[-1.0, -1.1, -0.9]), Verdict::NotHeld);
        assert_eq!(Verdict::of_positive(&[-1.0, 1.1, 0.2]), Verdict::Undecided);
        assert_eq!(Verdict::of_positive(&[0.01]), Verdict::Held);
        assert_eq!(Verdict::of_positive(&[0.0]), Verdict::Undecided);
    }
}
