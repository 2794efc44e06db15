//! The fields that describe how a page changes.

use super::row::{Real, WorldLine};
use crate::Problem;
use crate::notice::{MOST_HOURS, NoticeKind};
use crate::notices::Notices;
use crawl_world::{BuildError, PageId, Rhythm, WorldBuilder};

/// The rhythm of a page, if given; a rhythm needs all of its fields.
pub(super) fn rhythm(row: &WorldLine<'_>) -> Result<Option<Rhythm>, Problem> {
    let number = |field: &Option<Real>| field.as_ref().map(|real| real.0);
    let bursts = [
        ("change_bursts_per_hour", number(&row.change_bursts_per_hour)),
        ("change_rate_in_burst_per_hour", number(&row.change_rate_in_burst_per_hour)),
        ("change_burst_s", number(&row.change_burst_s)),
    ];
    let given = bursts.iter().find(|(_, number)| number.is_some());
    let missing = bursts.iter().find(|(_, number)| number.is_none());
    let (period, phase) = (number(&row.change_period_s), number(&row.change_phase_s));
    match (period, phase, given, missing) {
        (Some(_), _, Some((given, _)), _) => {
            Err(Problem::Conflict { one: "change_period_s", other: given })
        }
        (None, Some(_), _, _) => {
            Err(Problem::Missing { field: "change_period_s", given: "change_phase_s" })
        }
        (_, _, Some((given, _)), Some((field, _))) => Err(Problem::Missing { field, given }),
        (Some(period_s), phase_s, None, _) => {
            Ok(Some(Rhythm::Periodic { period_s, phase_s: phase_s.unwrap_or(0.0) }))
        }
        (None, None, ..) => Ok(match bursts.map(|(_, number)| number) {
            [Some(bursts_per_hour), Some(changes_per_hour), Some(burst_s)] => {
                Some(Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s })
            }
            _ => None,
        }),
    }
}

/// Sets when a page is born and deleted; it must be deleted after its birth.
pub(super) fn set_life(
    builder: &mut WorldBuilder,
    page: PageId,
    [born, gone]: [Option<Real>; 2],
) -> Result<(), BuildError> {
    let [born, gone] = [born, gone].map(|field| field.map(|real| real.0));
    born.map_or(Ok(()), |born_s| builder.set_born(page, born_s))?;
    gone.map_or(Ok(()), |gone_s| builder.set_gone(page, gone_s))?;
    match (born, gone) {
        // The builder checks this too, but without a line number.
        (Some(born_s), Some(given)) if born_s > 0.0 && given <= born_s => {
            Err(BuildError::BadNumber { what: "gone_s", expected: "more than born_s", given })
        }
        _ => Ok(()),
    }
}

/// Reports change times that are out of order, duplicate or too late, and a rate or rhythm that they
/// override.
pub(super) fn report(row: &WorldLine<'_>, line: u64, notices: &mut Notices) {
    let times = || row.changes_s.iter().map(|real| real.0);
    let late = times().filter(|at_s| *at_s > MOST_HOURS * 3600.0).count();
    notices.add(NoticeKind::LateChanges, Some(line), late as u64);
    let has_rate = row.change_rate_per_hour.as_ref().is_some_and(|rate| rate.0 > 0.0);
    let has_rhythm = row.change_period_s.is_some() || row.change_burst_s.is_some();
    let is_overruled = !row.changes_s.is_empty() && (has_rate || has_rhythm);
    notices.add(NoticeKind::ChangesOverride, Some(line), is_overruled.into());
    if times().is_sorted_by(|a, b| a < b) {
        return;
    }
    let backwards = times().zip(times().skip(1)).filter(|(a, b)| b < a).count();
    let mut sorted: Vec<f64> = times().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let repeated = sorted.windows(2).filter(|pair| pair[0] == pair[1]).count();
    notices.add(NoticeKind::ChangesSorted, Some(line), backwards as u64);
    notices.add(NoticeKind::RepeatedChanges, Some(line), repeated as u64);
}

#[cfg(test)]
mod tests {
    use crate::testing::{error, try_import};
    use crawl_world::{ChangeProcess, PageId};

    fn with_header(lines: &str) -> String {
        format!("{{\"format\":\"crawlscope-world\",\"version\":1}}\n{lines}")
    }

    #[test]
    fn invalid_changes_are_refused() {
        let changes =
            format!(r#"{{"url":"http://a.example/","changes_s":[{}0]}}"#, "0,".repeat(1000));
        let cases = [
            (
                r#"{"url":"http://a.example/","changes_s":[1e400]}"#,
                "changes_s: number out of range (column 45)",
            ),
            (&changes, "more than 1000 changes of one page"),
            (
                r#"{"url":"http://a.example/","change_rate_per_hour":1e300}"#,
                "change_rate_per_hour must be at most 3600000, one a millisecond, not 1e300",
            ),
            (
                r#"{"url":"http://a.example/","changes_s":[-1e-300]}"#,
                "changes_s must be a number of at least 0, not -1e-300",
            ),
            (
                r#"{"url":"http://a.example/","change_rate_per_hour":1e9}"#,
                "change_rate_per_hour must be at most 3600000, one a millisecond, not 1000000000",
            ),
            (
                r#"{"url":"http://a.example/","change_rate_per_hour":NaN}"#,
                "change_rate_per_hour: expected value (column 51)",
            ),
            (
                r#"{"url":"http://a.example/","change_period_s":0}"#,
                "change_period_s must be a number of at least 0.001, not 0",
            ),
            (
                r#"{"url":"http://a.example/","change_period_s":9,"change_phase_s":9}"#,
                "change_phase_s must be less than change_period_s, not 9",
            ),
            (
                r#"{"url":"http://a.example/","change_phase_s":9}"#,
                "change_period_s is missing: change_phase_s requires it",
            ),
            (
                r#"{"url":"http://a.example/","change_burst_s":9,"change_bursts_per_hour":1}"#,
                "change_rate_in_burst_per_hour is missing: change_bursts_per_hour requires it",
            ),
            (
                r#"{"url":"http://a.example/","change_burst_s":9,"change_period_s":1}"#,
                "a page has either change_period_s or change_burst_s, not both",
            ),
            (
                r#"{"url":"http://a.example/","gone_s":-9}"#,
                "gone_s must be a number of at least 0, not -9",
            ),
            (
                r#"{"url":"http://a.example/","born_s":-9}"#,
                "born_s must be a number of at least 0, not -9",
            ),
            (
                r#"{"url":"http://a.example/","born_s":1e999}"#,
                "born_s: number out of range (column 41)",
            ),
            (
                r#"{"url":"http://a.example/","born_s":"soon"}"#,
                "born_s: invalid type: string \"soon\", expected a number (column 42)",
            ),
            (
                r#"{"url":"http://a.example/","gone_s":3,"born_s":7}"#,
                "gone_s must be more than born_s, not 3",
            ),
        ];
        for (line, message) in cases {
            let message = format!("w, line 2: {message}");
            assert_eq!(error(&with_header(line)), message, "{line}");
        }
    }

    #[test]
    fn changes_are_sorted_and_reported_once_each() {
        let text = with_header(
            r#"{"url":"http://a.example/","changes_s":[3,1,2,1,-0.0,0]}
               {"url":"http://a.example/b","changes_s":[5,5]}"#,
        );
        let (world, notices) = try_import("w", &text, None).unwrap();
        assert_eq!(world.change_times_s(PageId(0)), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(world.change_times_s(PageId(1)), [5.0]);
        assert_eq!(
            notices,
            [
                "w, line 2: 3 changes are earlier than the change before; changes were sorted",
                "w, line 2: 3 repeated changes were dropped",
            ]
        );
    }

    #[test]
    fn times_overrule_a_rate_and_a_rhythm_and_say_so() {
        let text = with_header(
            r#"{"url":"http://a.example/","changes_s":[3],"change_rate_per_hour":0}
               {"url":"http://a.example/b","changes_s":[],"change_rate_per_hour":2}
               {"url":"http://a.example/c","changes_s":[5],"change_rate_per_hour":2}"#,
        );
        let (world, notices) = try_import("w", &text, None).unwrap();
        assert_eq!(world.change_process(PageId(2)), ChangeProcess::Recorded(&[5.0]));
        let one = "w, line 4: 1 page has changes_s; its rate or rhythm is ignored";
        assert_eq!(notices, [one]);
        let period = r#"{"url":"http://a.example/d","changes_s":[5],"change_period_s":2}"#;
        let (_, notices) = try_import("w", &format!("{text}\n{period}"), None).unwrap();
        let both = "w, line 4: 2 pages have changes_s; their rate or rhythm is ignored";
        assert_eq!(notices, [both]);
    }

    #[test]
    fn pages_come_and_go() {
        let text = with_header(
            r#"{"url":"http://a.example/","born_s":0,"gone_s":0,"links":["c","b",{"to":"d","anchor":"d"},"b","/e"]}
               {"url":"http://a.example/b","born_s":3600.5,"gone_s":3601}
               {"url":"http://a.example/c","born_s":86400}
               {"url":"http://a.example/d","born_s":null}"#,
        );
        let (world, _) = try_import("w", &text, None).unwrap();
        let births: Vec<Option<f64>> = world.pages().map(|page| world.born_s(page)).collect();
        assert_eq!(births, [None, Some(3600.5), Some(86_400.0), None]);
        assert_eq!(world.links(PageId(0)), [3, 1, 2].map(PageId));
        assert_eq!((world.anchor(0), world.anchor(2)), ("d", ""));
        let seen = [0, 3_600_500_000, u64::MAX].map(|t_us| world.n_out_by(PageId(0), t_us));
        assert_eq!(seen, [2, 3, 4]);
    }

    #[test]
    fn crawls_start_from_what_is_there() {
        let page = r#"{"url":"http://a.example/","born_s":5}"#;
        let message = "the seed \"http://a.example/\" is born at 5 s, but a crawl starts at 0";
        assert_eq!(error(&with_header(page)), format!("w: {message}"));
        let other = r#"{"url":"http://a.example/b"}"#;
        let with = |seed: &str| {
            let header = format!(
                r#"{{"format":"crawlscope-world","version":1,"seeds":["http://a.example/{seed}"]}}"#
            );
            try_import("w", &format!("{header}\n{page}\n{other}"), None)
        };
        assert_eq!(with("").unwrap_err().to_string(), format!("w: {message}"));
        assert_eq!(with("b").unwrap().0.seeds(), [PageId(1)]);
    }
}
