//! History of one URL: discovery, fetch, and each change of its score.

use super::{Scored, clicks, score, tree};
use crate::progress::Progress;
use crate::report::labelled;
use crate::terminal::{Column, Output, Table, counted, grouped, plain, signed, span};
use crawl_core::metric::Setting;
use crawl_core::{Move, UrlId};
use crawl_run::Lane;
use crawl_world::{PageId, World};
use serde_json::{Value, json};

/// Search depth in the frontier for the URL's position.
const PLACES: usize = 10_000;
/// Significant digits of a change.
const DIGITS: usize = 4;

/// The history of one URL in one run.
pub struct History {
    page: PageId,
    /// Step and score of its first fetch, if any.
    fetched: Option<(u32, f64)>,
    /// Score changes up to the requested step.
    moves: Vec<Move>,
}

impl History {
    /// Runs to the end to find the fetch, then returns the lane to `step`.
    pub fn new(lane: &mut Lane, setting: &Setting<'_>, page: PageId, step: u32) -> Self {
        let most = setting.reach.n_pages();
        let progress = Progress::bar(lane.strategy.to_string(), most.into());
        // The callback never breaks.
        let _ = lane.finish(setting, &mut |done| progress.set(done));
        let trace = lane.travel().trace();
        let at = trace.pages.iter().position(|fetched| *fetched == page);
        let fetched = at.map(|i| (i as u32 + 1, trace.scores[i]));
        lane.seek(setting, step);
        let url = lane.travel().now().session().book().url_of(page);
        let moves = url.map(|url| lane.moves(setting, url)).unwrap_or_default();
        Self { page, fetched, moves }
    }

    pub fn text(&self, lane: &Lane, world: &World, output: Output) -> String {
        let session = lane.travel().now().session();
        let known = session.known(world);
        let mut text = format!("\n{}\n", plain(&world.url(self.page)));
        let label = |label: &str, line: String| labelled(label, &[line], output.width);
        text += &label("fetched", self.when_fetched());
        let Some(url) = session.book().url_of(self.page) else {
            return text + &label("found", "not yet".to_owned());
        };
        let depth = clicks(known.depth(url));
        text += &label(
            "found",
            match known.parent(url) {
                None => "as a seed".to_owned(),
                Some(parent) => {
                    let step = known.fetch_step(parent).unwrap_or(0);
                    format!("{depth}, at step {step} on {}", plain(&known.url(parent)))
                }
            },
        );
        text += &label("now", self.state(lane, world, url));
        let scored = Scored::new(lane, world, url);
        let visited = scored.strategy_score.is_some();
        text += if visited { "\nurgency of the next visit\n" } else { "\nscore\n" };
        text += &tree::text(&scored.why, lane, world, output);
        text.push('\n');
        if self.moves.is_empty() {
            return text + "its score did not change while it was in the frontier\n";
        }
        let mut table = Table::new([
            Column::number("step"),
            Column::number("score"),
            Column::number("change"),
            Column::name("after fetching"),
        ]);
        for change in &self.moves {
            table.row([
                grouped(change.step),
                score(change.after),
                signed(change.after - change.before, DIGITS),
                known.url(change.by).into_owned(),
            ]);
        }
        let changes = counted(self.moves.len() as u64, "change");
        text + &format!("{changes} of its score in the frontier\n\n") + &table.render(output.width)
    }

    pub fn object(&self, lane: &Lane, world: &World) -> Value {
        let session = lane.travel().now().session();
        let known = session.known(world);
        let moves = self.moves.iter().map(|change| {
            json!({
                "step": change.step,
                "by": known.url(change.by),
                "before": change.before,
                "after": change.after,
            })
        });
        let url = session.book().url_of(self.page);
        let scored = url.map(|url| Scored::new(lane, world, url));
        let scored = scored.map(|scored| scored.object(lane, world));
        json!({
            "url": world.url(self.page),
            "fetched": self.fetched.map(|(step, score)| json!({ "step": step, "score": score })),
            "found_on": url.and_then(|url| known.parent(url)).map(|parent| known.url(parent)),
            "depth": url.map(|url| known.depth(url)),
            "waits": url.is_some_and(|url| session.frontier().contains(url)),
            "now": scored,
            "moves": moves.collect::<Vec<_>>(),
        })
    }

    fn when_fetched(&self) -> String {
        match self.fetched {
            Some((step, chosen)) => {
                format!("at step {}, with score {}", grouped(step), score(chosen))
            }
            None => "never".to_owned(),
        }
    }

    fn state(&self, lane: &Lane, world: &World, url: UrlId) -> String {
        let session = lane.travel().now().session();
        if session.known(world).fetch_number(url).is_some() {
            return match session.due_in_us(url) {
                None => "fetched".to_owned(),
                Some(0) => "fetched, next visit due now".to_owned(),
                Some(us) => format!("fetched, next visit due in {}", span(us)),
            };
        }
        if session.in_flight().any(|under_way| under_way == url) {
            return "being fetched".to_owned();
        }
        let upcoming = session.upcoming(world, PLACES);
        let delayed = if session.is_held(url) { ", its host has a crawl delay" } else { "" };
        match upcoming.iter().position(|u| *u == url) {
            Some(0) if delayed.is_empty() => "next".to_owned(),
            Some(place) => format!(
                "position {} of {} in the frontier{delayed}",
                grouped(place as u64 + 1),
                grouped(session.frontier().len() as u64)
            ),
            None if session.frontier().contains(url) => format!("in the frontier{delayed}"),
            None => "refused by the rules".to_owned(),
        }
    }
}
