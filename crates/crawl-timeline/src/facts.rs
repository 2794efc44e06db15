//! Facts about a page shown alone: change period, visits, wasted visits.
//!
//! Numbers are never cut: a fact without room is wrapped or omitted.

use crate::cache::CachedMarks;
use crate::model::Model;
use crawl_protocol::timeline::VisitFound;
use crawl_text::fill;
use crawl_text::number::{count_text, duration_text};
use crawl_text::timeline::text;

/// Facts about the page in a lane, in full or in few words.
pub fn facts(model: &Model, lane: usize, per_hour: Option<f64>, in_full: bool) -> Vec<String> {
    let page = model.scene.alone.unwrap_or_default();
    let period = per_hour
        .filter(|rate| *rate > 0.0)
        .map(|rate| fill(text().changes_every, &[("period", &duration_text(3600.0 / rate))]));
    let counted = model.held(lane, page).and_then(|held| counted(model, held, in_full));
    [period, counted].into_iter().flatten().collect()
}

/// Visit counts in the visible time; `None` if only the count of another span is known.
fn counted(model: &Model, held: &CachedMarks, in_full: bool) -> Option<String> {
    let (span, marks) = (model.span, &held.marks);
    let is_all = span.from_s <= 0.0 && span.to_s >= model.scene.end_s;
    let (n, wasted) = if marks.shares.is_empty() {
        let seen = marks.visits.iter().filter(|v| (span.from_s..=span.to_s).contains(&v.at_s));
        let wasted = seen.clone().filter(|visit| visit.found == VisitFound::Same).count();
        (seen.count() as u32, wasted as u32)
    } else if held.span == span {
        (marks.n_visits, marks.n_wasted)
    } else {
        return None;
    };
    let when = match (is_all, in_full) {
        (true, true) => text().in_the_run,
        (true, false) => text().in_all,
        (false, _) => text().in_view_only,
    };
    let wasted = count_text(wasted.into());
    Some(text().visits.fill(n.into(), &[("wasted", &wasted), ("when", when)]))
}

/// Wraps sentences to a width, at most `most` lines.
///
/// Omits a sentence that needs more lines than are left or has a word that is too wide.
pub fn lines(
    sentences: &[String],
    (room, most): (f64, usize),
    width: impl Fn(&str) -> f64,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for sentence in sentences {
        let mut own: Vec<String> = Vec::new();
        for word in sentence.split(' ') {
            match own.last_mut() {
                Some(line) if width(&format!("{line} {word}")) <= room => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => own.push(word.to_owned()),
            }
        }
        if lines.len() + own.len() <= most && own.iter().all(|line| width(line) <= room) {
            lines.extend(own);
        }
    }
    lines
}

/// A name followed by as many sentences as fit.
///
/// The name gets at least `least` pixels and is shortened by `cut`.
pub fn line(
    name: &str,
    sentences: &[String],
    (room, least): (f64, f64),
    width: impl Fn(&str) -> f64,
    cut: impl Fn(&str, f64) -> String,
) -> String {
    let least = least.min(width(name));
    let tail = |n: usize| sentences[..n].iter().map(|s| format!(" · {s}")).collect::<String>();
    let most = (0..=sentences.len()).rev().find(|n| width(&tail(*n)) + least <= room);
    let tail = tail(most.unwrap_or(0));
    cut(name, room - width(&tail)) + &tail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(text: &str) -> f64 {
        text.chars().count() as f64
    }

    #[test]
    fn sentences_are_wrapped_and_left_out_whole() {
        let both =
            ["every 9\u{a0}min".to_owned(), "57\u{a0}visits, 40\u{a0}wasted in all".to_owned()];
        let wrapped = |room: f64, most: usize| lines(&both, (room, most), width);
        assert_eq!(wrapped(40.0, 9), both);
        assert_eq!(wrapped(12.0, 9)[1..], ["57\u{a0}visits,", "40\u{a0}wasted in", "all"]);
        assert_eq!(wrapped(12.0, 3), ["every 9\u{a0}min"], "half of the second says nothing");
        assert_eq!(wrapped(8.0, 9), ["every", "9\u{a0}min"], "no digit is cut");
        assert!(wrapped(0.0, 9).is_empty());
    }

    #[test]
    fn a_line_keeps_its_name() {
        let both = ["every 9 min".to_owned(), "57 visits".to_owned()];
        let cut = |name: &str, room: f64| name.chars().take(room as usize).collect::<String>();
        let fitted = |room: f64| line("news/story", &both, (room, 4.0), width, cut);
        assert_eq!(fitted(40.0), "news/story · every 9 min · 57 visits");
        assert_eq!(fitted(27.0), "news/story · every 9 min");
        assert_eq!(fitted(19.0), "news/ · every 9 min");
        assert_eq!(fitted(9.0), "news/stor");
    }
}
