//! A lane worker, told any commands in any order. The input is a script, one command a line:
//!
//! ```text
//! world OPENED                    the small world comes, opened by that request
//! broken OPENED BYTE              a world comes that is cut off there, with too few ranks
//! run TASK LANE OPENED LINK       where LINK is what follows the world's part
//! stop
//! show TASK STEP SECONDS ROWS VALUE
//! explain TASK STEP PAGE
//! graph TASK STEP
//! rows TASK STEP FIRST N ORDER GROUP
//! marks TASK STEP FROM TO CURVE PAGE PAGE …
//! timeline BYTES                  a question of the timeline that nobody checked
//! bounds N                        bounds of so many steps
//! work N                          so many slices of work
//! ```

use super::{Target, no_made_seeds};
use crate::script::Words;
use crate::world::{experiment, small_world};
use crawl_import::flat::encode as encode_world;
use crawl_protocol::timeline::{Ask, MarksOf, Packed, RowGroup, RowOrder, RowsOf};
use crawl_protocol::world::{BoundsOf, Handover};
use crawl_protocol::{Experiment, Task, decode, encode};
use crawl_worker::Array;
use crawl_worker::lane::{Answer, Command, Host, LaneWorker};
use std::cell::Cell;
use std::iter;

pub(super) const TARGET: Target = Target {
    name: "lane_worker",
    note: "no order of commands stops it, and every answer can be sent",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 500,
};

/// Most commands that are told, and slices of work in all.
const MAX_COMMANDS: usize = 40;
const MAX_SLICES: u32 = 150;

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut desk = Desk::new();
    for line in text.lines().take(MAX_COMMANDS) {
        desk.obey(Words::of(line));
    }
    desk.work(MAX_SLICES);
}

struct Desk {
    worker: LaneWorker,
    host: Sink,
    n_slices: u32,
}

impl Desk {
    fn new() -> Self {
        let host = Sink { now_ms: Cell::new(0.0) };
        Self { worker: LaneWorker::new("test"), host, n_slices: 0 }
    }

    fn obey(&mut self, mut words: Words<'_>) {
        match words.word() {
            "world" => self.hand_over(words.whole(), usize::MAX, true),
            "broken" => self.hand_over(words.whole(), words.whole() as usize, false),
            "bounds" => self.hand_bounds(words.whole().min(1000) as usize),
            "work" => self.work(words.whole()),
            kind => {
                if let Some(command) = command(kind, words) {
                    self.worker.command(command, &mut self.host);
                }
            }
        }
    }

    fn hand_over(&mut self, opened: u32, cut: usize, has_ranks: bool) {
        let (world, truth) = small_world();
        let mut flat = encode_world(&world);
        flat.truncate(cut);
        let ranks = if has_ranks { truth.ranks.clone() } else { Vec::new() };
        let digest = world.digest().to_string();
        let message =
            Handover::World { opened: Task(opened), digest, ranker: truth.ranker.clone() };
        let arrays = vec![Array::U8(flat), Array::F64(ranks)];
        self.worker.handover(message, arrays, &mut self.host);
    }

    fn hand_bounds(&mut self, n_steps: usize) {
        let experiment = experiment("run=breadth-first").expect("a link");
        let Experiment { seeds, rules, rng, .. } = experiment;
        let digest = small_world().0.digest().to_string();
        let message = Handover::Bounds { digest, of: BoundsOf { seeds, rules, rng } };
        let curves = iter::repeat_n(Array::F64(vec![0.5; n_steps]), 6).collect();
        self.worker.handover(message, curves, &mut self.host);
    }

    fn work(&mut self, n: u32) {
        for _ in 0..n.min(MAX_SLICES - self.n_slices) {
            self.n_slices += 1;
            if !self.worker.work(&mut self.host) {
                break;
            }
        }
    }
}

fn command(kind: &str, mut words: Words<'_>) -> Option<Command> {
    let task = |words: &mut Words<'_>| Task(words.whole());
    Some(match kind {
        "run" => {
            let (task, lane, opened) = (task(&mut words), words.whole(), task(&mut words));
            Command::Run {
                task,
                experiment: Box::new(experiment(words.rest()).ok()?),
                lane,
                opened,
            }
        }
        "stop" => Command::Stop,
        "show" => Command::Show {
            task: task(&mut words),
            step: words.whole(),
            at_s: words.number(),
            rows: words.whole(),
            value: words.rest().to_owned(),
        },
        "explain" => {
            Command::Explain { task: task(&mut words), step: words.whole(), page: words.whole() }
        }
        "graph" => Command::Graph { task: task(&mut words), step: words.whole() },
        "rows" | "marks" => Command::Timeline(Packed::pack(&ask(kind, words)).ok()?),
        "timeline" => decode(&[&[TIMELINE], words.rest().as_bytes()].concat()).ok()?,
        _ => return None,
    })
}

/// With what byte a question of the timeline starts; its length follows.
const TIMELINE: u8 = 6;

fn ask(kind: &str, mut words: Words<'_>) -> Ask {
    let (task, step) = (Task(words.whole()), words.whole());
    if kind == "marks" {
        let (from_s, to_s, curve_until_s) = (words.number(), words.number(), words.number());
        let pages = words.rest().split_whitespace().map(|page| page.parse().unwrap_or(0)).collect();
        return Ask::Marks { task, of: MarksOf { step, pages, from_s, to_s, curve_until_s } };
    }
    let (first, n) = (words.whole(), words.whole());
    let order = RowOrder::ALL[words.whole() as usize % RowOrder::ALL.len()];
    let group = RowGroup::ALL[words.whole() as usize % RowGroup::ALL.len()];
    Ask::Rows { task, of: RowsOf { step, order, group, first, n } }
}

/// A host that looks whether answers can be sent; its clock goes on at every look.
struct Sink {
    now_ms: Cell<f64>,
}

impl Host for Sink {
    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + 1.0);
        self.now_ms.get()
    }

    fn send(&mut self, answer: Answer, _: Vec<Array>) {
        let written = encode(&answer).expect("an answer can be written");
        let again: Answer = decode(&written).expect("an answer can be read");
        assert_eq!(encode(&again), Ok(written));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_of_the_timeline_starts_as_assumed() {
        let packed = Packed::pack(&ask("rows", Words::of("1 2 3"))).unwrap();
        let bytes = encode(&Command::Timeline(packed.clone())).unwrap();
        assert_eq!(bytes[..2], [TIMELINE, packed.bytes.len() as u8]);
    }
}
