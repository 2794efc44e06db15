//! What is said of a page that has all the room: how often it changes, and what its visits came to.
//!
//! Numbers are never cut: what has no room goes to the next line, or is left out whole.

use crate::clock::length_text;
use crate::held::Held;
use crate::model::Model;
use crate::names::count_text;
use crate::text::{fill, text};
use crawl_protocol::timeline::VisitFound;

/// What is said of the page in a lane, in full or in few words.
pub fn facts(model: &Model, lane: usize, per_hour: Option<f64>, in_full: bool) -> Vec<String> {
    let page = model.scene.alone.unwrap_or_default();
    let period = per_hour
        .filter(|rate| *rate > 0.0)
        .map(|rate| fill(text().changes_every, &[("period", &length_text(3600.0 / rate))]));
    let counted = model.held(lane, page).and_then(|held| counted(model, held, in_full));
    [period, counted].into_iter().flatten().collect()
}

/// Visits in the time in sight; nothing where they were told of another time only as a number.
fn counted(model: &Model, held: &Held, in_full: bool) -> Option<String> {
    let (sight, marks) = (model.span, &held.marks);
    let is_all = sight.from_s <= 0.0 && sight.to_s >= model.scene.end_s;
    let (n, wasted) = if marks.shares.is_empty() {
        let seen = marks.visits.iter().filter(|v| (sight.from_s..=sight.to_s).contains(&v.at_s));
        let wasted = seen.clone().filter(|visit| visit.found == VisitFound::Same).count();
        (seen.count() as u32, wasted as u32)
    } else if held.span == sight {
        (marks.n_visits, marks.n_wasted)
    } else {
        return None;
    };
    let when = match (is_all, in_full) {
        (true, true) => text().in_the_run,
        (true, false) => text().in_all,
        (false, _) => text().in_sight_only,
    };
    let (n, wasted) = (count_text(n), count_text(wasted));
    let sentence = if n == "1" { text().visit } else { text().visits };
    Some(fill(sentence, &[("n", &n), ("wasted", &wasted), ("when", when)]))
}

/// Sentences in lines of some width, no more than `most`. A sentence that needs more than are left is
/// left out, and so is one with a word that has no room.
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

/// A name and as many of the sentences behind it as there is room for: the name has `least` at least,
/// and is cut by `cut`.
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
