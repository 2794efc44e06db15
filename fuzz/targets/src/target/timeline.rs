//! The timeline, told and asked anything in any order. The input is a script, one command a line:
//!
//! ```text
//! scene LANES END_S UNTIL_S ORDER GROUP ALONE     ALONE is a page, from 1; 0 for all
//! head SECONDS PLAYING STEP STEP …
//! size WIDTH HEIGHT
//! zoom FACTOR | scroll ROW | arrange ORDER GROUP | alone | fit | close
//! ask MILLISECONDS
//! rows N                  a lane has so many rows: answers what was asked last
//! marks LANE VISITS       so many visits to each page: answers what was asked last
//! fail LANE               it cannot be told
//! ```

use super::{Target, no_made_seeds};
use crate::script::Words;
use crawl_protocol::encode;
use crawl_protocol::timeline::{
    Answered, Ask, Freshness, Marks, MarksOf, Message, PageMarks, PageRow, Request, RowGroup,
    RowOrder, Rows, RowsOf, Scene, SceneLane, Visit, VisitFound,
};
use crawl_timeline::model::Model;
use std::collections::BTreeMap;

pub(super) const TARGET: Target = Target {
    name: "timeline",
    note: "no order of messages stops it, and every wish can be sent",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 1_000,
};

/// Most commands that are told, lanes, and rows of one answer.
const MAX_COMMANDS: usize = 60;
const MAX_LANES: u32 = 8;
const MAX_ROWS: u32 = 200;
/// Most pages of a world, and so most rows there are.
const MAX_PAGES: u32 = 1 << 28;
/// Largest width and height of a canvas, which browsers bound too.
const MAX_PIXELS: f64 = 16_384.0;

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut desk = Desk { model: Model::new(), asked: BTreeMap::new() };
    for line in text.lines().take(MAX_COMMANDS) {
        desk.obey(Words::of(line));
        desk.read_requests();
        desk.look();
    }
}

struct Desk {
    model: Model,
    /// What was asked of each lane last: rows, and marks.
    asked: BTreeMap<(u32, bool), Ask>,
}

impl Desk {
    fn obey(&mut self, mut words: Words<'_>) {
        let model = &mut self.model;
        match words.word() {
            "scene" => model.receive(Message::Scene(scene(words))),
            "head" => {
                let (at_s, is_playing) = (finite(&mut words), words.whole() > 0);
                let steps = words.rest().split_whitespace();
                let steps = steps.map(|step| step.parse().unwrap_or(0)).collect();
                model.receive(Message::Head { at_s, steps, is_playing });
            }
            "size" => {
                let (width, height) = (finite(&mut words), finite(&mut words));
                model.resized((width.min(MAX_PIXELS), height.min(MAX_PIXELS)));
            }
            "zoom" => model.zoom(finite(&mut words).clamp(1e-6, 1e6)),
            "scroll" => model.scroll_to(words.whole()),
            "arrange" => model.arrange(order(words.whole()), group(words.whole())),
            "alone" => model.toggle_alone(),
            "fit" => model.fit(),
            "close" => model.close(),
            "ask" => {
                model.ask(finite(&mut words));
            }
            "rows" => {
                if let Some(Ask::Rows { task, of }) = self.asked.remove(&(0, true)) {
                    let n_rows = words.whole().min(MAX_PAGES);
                    let rows = rows(&of, n_rows);
                    let answered = Rows { task, of, n_rows, rows };
                    self.model.receive_answer(0, Answered::Rows(answered));
                }
            }
            "marks" => {
                let lane = words.whole();
                if let Some(Ask::Marks { task, of }) = self.asked.remove(&(lane, false)) {
                    let answered = Marks { task, ..marks(&of, words.whole()) };
                    self.model.receive_answer(lane as usize, Answered::Marks(answered));
                }
            }
            "fail" => {
                let lane = words.whole();
                for of_rows in [true, false] {
                    let asked = self.asked.remove(&(lane, of_rows));
                    let Some(Ask::Rows { task, .. } | Ask::Marks { task, .. }) = asked else {
                        continue;
                    };
                    let failed = Answered::Failed { task, error: "no".to_owned() };
                    self.model.receive_answer(lane as usize, failed);
                }
            }
            _ => {}
        }
    }

    fn read_requests(&mut self) {
        for request in self.model.take_requests() {
            encode(&request).expect("a request can be written");
            if let Request::Ask(lane, packed) = request {
                let ask = packed.open().expect("what was packed can be opened");
                self.asked.insert((lane, matches!(ask, Ask::Rows { .. })), ask);
            }
        }
    }

    /// What the page reads to draw it.
    fn look(&mut self) {
        let model = &self.model;
        let (_, _, layout) = (model.empty(), model.explained(), model.layout());
        for row in layout.rows.iter().filter_map(|row| model.row(row.index)) {
            let held = (0..model.marks.len()).filter_map(|lane| model.held(lane, row.page));
            for share in held.filter_map(|held| model.fresh_share(held)) {
                assert!(!share.is_nan());
            }
        }
        self.model.take_changed();
    }
}

fn order(number: u32) -> RowOrder {
    RowOrder::ALL[number as usize % RowOrder::ALL.len()]
}

fn group(number: u32) -> RowGroup {
    RowGroup::ALL[number as usize % RowGroup::ALL.len()]
}

fn scene(mut words: Words<'_>) -> Scene {
    let (n_lanes, end_s, until_s) = (words.whole(), finite(&mut words), finite(&mut words));
    let lane = |run: u32| SceneLane {
        visits_per_hour: 10.0,
        run,
        until_s,
        revisits: true,
        ..SceneLane::default()
    };
    Scene {
        lanes: (0..n_lanes.min(MAX_LANES)).map(lane).collect(),
        end_s,
        order: order(words.whole()),
        group: group(words.whole()),
        alone: words.whole().checked_sub(1),
        ..Scene::default()
    }
}

/// A time, a size or a factor: no run lasts for ever, and no browser gives a size that is none.
fn finite(words: &mut Words<'_>) -> f64 {
    let number = words.number();
    if number.is_finite() { number.clamp(0.0, 1e12) } else { 0.0 }
}

fn rows(of: &RowsOf, n_rows: u32) -> Vec<PageRow> {
    let row = |page: u32| PageRow {
        page,
        url: format!("http://a.example/{page}"),
        group: format!("group {}", page / 3),
        per_hour: Some(0.5),
        importance: 0.1,
    };
    (of.first..n_rows.min(of.first.saturating_add(of.n.min(MAX_ROWS)))).map(row).collect()
}

fn marks(of: &MarksOf, n_visits: u32) -> Marks {
    let n = n_visits.min(50);
    let every_s = (of.to_s - of.from_s) / f64::from(n.max(1));
    let visit = |step: u32| Visit {
        at_s: of.from_s + f64::from(step) * every_s,
        step,
        found: VisitFound::Changed,
    };
    let page = |page: &u32| PageMarks {
        page: *page,
        copied_s: Some(of.from_s),
        visits: (0..n).map(visit).collect(),
        stale: vec![(of.from_s, of.to_s)],
        n_visits,
        ..PageMarks::default()
    };
    Marks {
        step: of.step,
        from_s: of.from_s,
        to_s: of.to_s,
        known_until_s: of.to_s,
        pages: of.pages.iter().map(page).collect(),
        curve: Some(Freshness { every_s, values: vec![0.5; n as usize], ..Freshness::default() }),
        ..Marks::default()
    }
}
