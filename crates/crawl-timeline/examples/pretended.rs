//! A pretended app behind the timeline: pages that change by chance, visited by three simple
//! policies, so that the timeline can be looked at by itself. It answers the timeline's wishes as the
//! app and the lane workers do.

use crawl_protocol::Task;
use crawl_protocol::timeline::{
    Answered, Ask, Changed, Marks, MarksOf, PageMarks, PageRow, RowGroup, RowOrder, Rows, RowsOf,
    Scene, SceneLane, Told, Visit, VisitFound, Wish,
};
use js_sys::{Array, Uint8Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Seconds between two steps.
const STEP_S: f64 = 20.0;
/// Marks beyond which only shares are told.
const MOST_MARKS: usize = 240;

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
}

fn main() {}

#[derive(Clone, Default)]
struct World {
    scene: Scene,
    n_pages: u32,
    arranged: Option<((RowOrder, RowGroup), Vec<u32>)>,
    at_s: f64,
    is_playing: bool,
}

/// Numbers by chance, from a seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn gap_s(&mut self, per_hour: f64) -> f64 {
        -libm::log(1.0 - self.next()) * 3600.0 / per_hour
    }
}

fn seeded(page: u32, salt: u64) -> Chance {
    let mut chance = Chance((u64::from(page) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt);
    (0..4).for_each(|_| {
        chance.next();
    });
    chance
}

fn is_news(page: u32) -> bool {
    seeded(page, 7).next() < 0.5
}

fn per_hour(page: u32) -> f64 {
    let luck = seeded(page, 11).next();
    if is_news(page) { 0.3 + 1.5 * luck } else { 0.01 + 0.06 * luck }
}

impl World {
    fn row(&self, page: u32) -> PageRow {
        let (kind, host) = if is_news(page) { ("news", "news") } else { ("weather", "weather") };
        let group = match self.scene.group {
            RowGroup::None => String::new(),
            RowGroup::Host => format!("{host}.paper.example"),
            RowGroup::Class => kind.to_owned(),
        };
        let part = ["politics", "sport/results", "local"][page as usize % 3];
        let url = format!("http://{host}.paper.example/{part}/story-{page}");
        PageRow { page, url, group, per_hour: Some(per_hour(page)), importance: 0.1 }
    }

    fn rows(&mut self, task: Task, of: RowsOf) -> Rows {
        let arranged = (of.order, of.group);
        if self.arranged.as_ref().is_none_or(|(of, _)| *of != arranged) {
            self.arranged = Some((arranged, self.in_order(of)));
        }
        let pages = self.arranged.as_ref().map(|(_, pages)| pages.as_slice()).unwrap_or_default();
        let some = pages.iter().skip(of.first as usize).take(of.n as usize);
        let rows = some.map(|page| self.row(*page)).collect();
        Rows { task, of, n_rows: self.n_pages, rows }
    }

    fn in_order(&self, of: RowsOf) -> Vec<u32> {
        let mut pages: Vec<u32> = (0..self.n_pages).collect();
        match of.order {
            RowOrder::Rate => pages.sort_by(|a, b| per_hour(*b).total_cmp(&per_hour(*a))),
            RowOrder::Staleness => pages.reverse(),
            RowOrder::Importance | RowOrder::Fetched => {}
        }
        if of.group != RowGroup::None {
            pages.sort_by_key(|page| !is_news(*page));
        }
        pages
    }

    fn period_s(&self, lane: usize, page: u32) -> f64 {
        let rate = per_hour(page);
        3600.0
            * match lane {
                0 => 1.5,
                1 => 1.0 / (0.9 * rate).max(0.02),
                2 => 1.0 / (0.9 * libm::sqrt(rate)),
                _ => 4.0,
            }
    }

    fn page(&self, lane: usize, page: u32, of: &MarksOf) -> PageMarks {
        let end_s = self.scene.lanes[lane].until_s;
        let period_s = self.period_s(lane, page);
        let copied_s = period_s * (0.05 + 0.9 * seeded(page, 3).next()) * 0.3;
        let mut chance = seeded(page, 5);
        let mut changes = Vec::new();
        let mut at_s = chance.gap_s(per_hour(page));
        while at_s < end_s {
            changes.push(at_s);
            at_s += chance.gap_s(per_hour(page));
        }
        let mut marks = PageMarks { page, copied_s: Some(copied_s), ..PageMarks::default() };
        let (mut visits, mut told, mut stale) = (Vec::new(), Vec::new(), Vec::new());
        let (mut at, mut now_s, mut is_first) = (0, copied_s, true);
        loop {
            let mut since = None;
            while at < changes.len() && changes[at] < now_s {
                told.push(Changed { at_s: changes[at], is_missed: since.is_some() || is_first });
                since = since.or((!is_first).then_some(changes[at]));
                at += 1;
            }
            if now_s > end_s {
                stale.extend(since.map(|from| (from, end_s)));
                break;
            }
            let found = match (is_first, since) {
                (true, _) => VisitFound::First,
                (false, Some(_)) => VisitFound::Changed,
                (false, None) => VisitFound::Same,
            };
            stale.extend(since.map(|from| (from, now_s)));
            visits.push(Visit { at_s: now_s, step: (now_s / STEP_S) as u32, found });
            is_first = false;
            now_s += period_s;
        }
        let head_s = f64::from(of.step) * STEP_S;
        let last = visits.iter().rev().find(|visit| visit.at_s <= head_s);
        marks.last_s = last.map(|visit| visit.at_s);
        marks.due_s = last.map(|visit| visit.at_s + period_s);
        marks.estimate = Some(per_hour(page) * (0.8 + 0.4 * seeded(page, 13).next()));
        let within = |at_s: f64| (of.from_s..=of.to_s).contains(&at_s);
        visits.retain(|visit| within(visit.at_s));
        told.retain(|change| within(change.at_s));
        marks.n_visits = visits.len() as u32;
        marks.n_wasted = visits.iter().filter(|v| v.found == VisitFound::Same).count() as u32;
        if visits.len() + told.len() > MOST_MARKS {
            let n = 160;
            let part_s = (of.to_s - of.from_s) / f64::from(n);
            marks.shares = (0..n)
                .map(|at| {
                    let (a, b) = (
                        of.from_s + f64::from(at) * part_s,
                        of.from_s + f64::from(at + 1) * part_s,
                    );
                    let stale = stale.iter().map(|(from, to)| (to.min(b) - from.max(a)).max(0.0));
                    let is_known = a >= copied_s && b <= end_s;
                    if is_known { (1.0 - stale.sum::<f64>() / part_s) as f32 } else { -1.0 }
                })
                .collect();
        } else {
            stale.retain(|(from, to)| *to > of.from_s && *from < of.to_s);
            (marks.visits, marks.changes, marks.stale) = (visits, told, stale);
        }
        marks
    }

    fn marks(&self, task: Task, lane: u32, of: MarksOf) -> Marks {
        let pages = of.pages.iter().map(|page| self.page(lane as usize, *page, &of)).collect();
        Marks {
            task,
            step: of.step,
            from_s: of.from_s,
            to_s: of.to_s,
            known_until_s: self.scene.lanes[lane as usize].until_s,
            pages,
        }
    }

    fn head(&self) -> Told {
        let steps = vec![(self.at_s / STEP_S) as u32; self.scene.lanes.len()];
        Told::Head { at_s: self.at_s, steps, is_playing: self.is_playing }
    }

    fn curve(&self, lane: u32) -> Told {
        let until_s = self.scene.lanes[lane as usize].until_s;
        let n = 4000;
        let mut chance = seeded(lane, 17);
        let level = [0.724, 0.68, 0.75, 0.6][lane as usize % 4];
        let (mut at_s, mut values, mut value) = (Vec::new(), Vec::new(), 1.0);
        for at in 0..n {
            value += (level - value) * 0.004 + (chance.next() - 0.5) * 0.012;
            at_s.push(until_s * f64::from(at) / f64::from(n));
            values.push(value);
        }
        Told::Curve { lane, expected: vec![level; at_s.len()], at_s, values }
    }
}

/// Who says it, and what, one after the other.
fn parcel(told: &[Told]) -> Array {
    let bytes = told.iter().filter_map(|told| crawl_protocol::encode(told).ok());
    let parts = bytes.flat_map(|bytes| [(-1).into(), Uint8Array::from(bytes.as_slice()).into()]);
    parts.collect::<Vec<JsValue>>().into_iter().collect()
}

/// Starts anew: what to tell the timeline.
#[wasm_bindgen]
pub fn start(n_pages: u32, n_lanes: u32, hours: f64, share_run: f64, failed: u32) -> Array {
    let titles = ["Uniform", "Proportional to the change rate", "Optimal", "Never told"];
    let end_s = hours * 3600.0;
    let lane = |at: u32| SceneLane {
        title: titles[at as usize % 4].to_owned(),
        mark: at as u8,
        is_oracle: at == 2,
        visits_per_hour: 6.67,
        run: 1,
        until_s: end_s * share_run,
        revisits: n_pages > 0,
        error: if at + 1 == failed { "pretended".to_owned() } else { String::new() },
    };
    let scene = Scene {
        lanes: (0..n_lanes).map(lane).collect(),
        end_s: if share_run > 0.0 { end_s } else { 0.0 },
        is_complete: share_run >= 1.0,
        curve: "Freshness".to_owned(),
        ..Scene::default()
    };
    let world = World { scene, n_pages, at_s: hours * 0.58 * 3600.0, ..World::default() };
    let mut told = vec![Told::Scene(world.scene.clone()), world.head()];
    told.extend((0..n_lanes).map(|lane| world.curve(lane)));
    WORLD.with(|cell| cell.replace(world));
    parcel(&told)
}

/// What follows from a wish.
#[wasm_bindgen]
pub fn answer(wish: &[u8]) -> Array {
    let Ok(wish) = crawl_protocol::decode::<Wish>(wish) else { return Array::new() };
    WORLD.with(|cell| {
        let world = &mut *cell.borrow_mut();
        let told = match wish {
            Wish::Ask(lane, ask) => {
                let answered = match ask.open() {
                    Ok(Ask::Rows { task, of }) => Answered::Rows(world.rows(task, of)),
                    Ok(Ask::Marks { task, of }) => Answered::Marks(world.marks(task, lane, of)),
                    Err(_) => return Array::new(),
                };
                let bytes = crawl_protocol::encode(&answered).unwrap_or_default();
                return Array::of2(&lane.into(), &Uint8Array::from(bytes.as_slice()));
            }
            Wish::Seek(at_s) => {
                world.at_s = at_s;
                world.head()
            }
            Wish::Why { lane, page, step } => {
                world.at_s = f64::from(step) * STEP_S;
                world.scene.chosen = Some((page, lane));
                return parcel(&[Told::Scene(world.scene.clone()), world.head()]);
            }
            Wish::Order(order, group) => {
                (world.scene.order, world.scene.group) = (order, group);
                Told::Scene(world.scene.clone())
            }
            Wish::Alone(page) => {
                world.scene.alone = page;
                Told::Scene(world.scene.clone())
            }
            Wish::Close => return Array::new(),
        };
        parcel(&[told])
    })
}

/// The play-head is somewhere else.
#[wasm_bindgen]
pub fn play(at_s: f64, is_playing: bool) -> Array {
    WORLD.with(|cell| {
        let world = &mut *cell.borrow_mut();
        (world.at_s, world.is_playing) = (at_s, is_playing);
        parcel(&[world.head()])
    })
}
