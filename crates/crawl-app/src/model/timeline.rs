//! Visits in time: what the timeline is told, and what becomes of its wishes.
//!
//! The timeline is a program of its own; the state only knows what it is to show.

use super::{Action, BUDGET, Chosen, Dialog, Effect, Lane, State};
use crate::text::text;
use crawl_catalogue::Kind;
use crawl_protocol::lane::Command;
use crawl_protocol::timeline::{Scene, SceneLane, Told, VisitFound, Wish};
use crawl_protocol::{Axis, encode};

/// The measure that stands above the rows.
const CURVE: &str = "freshness";

/// What the timeline was told last, so that it is told only what is new.
#[derive(Default)]
pub struct Said {
    scene: Vec<u8>,
    head: Vec<u8>,
}

impl State {
    /// True where the timeline is in place of the stage.
    pub fn has_timeline(&self) -> bool {
        self.experiment.as_ref().is_some_and(|e| e.view.timeline.is_some())
    }

    pub(super) fn show_timeline(&mut self, is_shown: bool) -> Vec<Effect> {
        self.alone = None;
        let mut effects = self.set_view(|view| {
            view.timeline = is_shown.then(Default::default);
            view.graph = view.graph.filter(|_| !is_shown);
        });
        if is_shown {
            effects.extend(self.on_the_clock());
            effects.push(Effect::Announce(text().timeline.to_owned()));
        }
        effects
    }

    /// The play-head counts seconds.
    fn on_the_clock(&mut self) -> Vec<Effect> {
        match self.axis() {
            Axis::Seconds => Vec::new(),
            Axis::Pages => self.apply(Action::Axis(Axis::Seconds)),
        }
    }

    pub(super) fn wished(&mut self, wish: Wish) -> Vec<Effect> {
        match wish {
            Wish::Ask(lane, ask) if (lane as usize) < self.lanes.len() => {
                vec![Effect::Lane(lane as usize, Command::Timeline(ask))]
            }
            Wish::Ask(..) => Vec::new(),
            Wish::Seek(at_s) => {
                let effects = self.on_the_clock();
                [effects, self.apply(Action::Seek(at_s))].concat()
            }
            Wish::Why { lane, page, step, found } => {
                let effects = self.on_the_clock();
                let lane = lane as usize;
                let Some(asked) = self.lanes.get(lane) else { return effects };
                // To just before it: then it is what comes next.
                self.head.at = asked.place_of(Axis::Seconds, step.saturating_sub(1));
                self.head.playing = false;
                let chosen = Chosen { lane, page };
                self.visit = Some((chosen, step, found));
                [effects, self.apply(Action::Choose(chosen))].concat()
            }
            Wish::Order(order, group) => self.set_view(|view| view.timeline = Some((order, group))),
            Wish::Alone(page) => {
                self.alone = page;
                Vec::new()
            }
            Wish::Policy => self.apply(Action::Open(Dialog::Policy(0))),
            Wish::Close => self.show_timeline(false),
        }
    }

    /// The visit whose reasons are shown: its step, and what it found. Elsewhere than just before it,
    /// reasons are of another.
    pub fn visit_shown(&self) -> Option<(u32, VisitFound)> {
        let (of, step, found) = self.visit.filter(|(of, ..)| self.chosen == Some(*of))?;
        let lane = self.lanes.get(of.lane)?;
        (self.step_of(lane) + 1 == step).then_some((step, found))
    }

    /// What is new to the timeline, as it is told; nothing while it is not shown.
    pub fn timeline_news(&self, said: &mut Said) -> Vec<Vec<u8>> {
        let mut news = Vec::new();
        let Some(scene) = self.timeline_scene() else { return news };
        let mut tell = |told: Told, last: &mut Vec<u8>| {
            let bytes = encode(&told).unwrap_or_default();
            if bytes != *last {
                last.clone_from(&bytes);
                news.push(bytes);
            }
        };
        tell(scene, &mut said.scene);
        tell(self.timeline_head(), &mut said.head);
        news
    }

    fn timeline_scene(&self) -> Option<Told> {
        let experiment = self.experiment.as_ref()?;
        let (order, group) = experiment.view.timeline?;
        let lane = |(at, lane): (usize, &Lane)| {
            let until_s = lane.end_so_far(Axis::Seconds);
            SceneLane {
                revisits: experiment.revisit(at).is_some(),
                title: self.lane_title(at),
                mark: self.mark(at),
                is_oracle: lane.finished.as_ref().is_some_and(|finished| finished.oracle.is_any()),
                visits_per_hour: self.rule_number(BUDGET),
                run: lane.run.0,
                until_s,
                error: lane.error.as_deref().unwrap_or_default().to_owned(),
            }
        };
        let lanes: Vec<SceneLane> = self.lanes.iter().enumerate().map(lane).collect();
        let catalogue = self.catalogue.as_ref();
        let curve = catalogue.and_then(|c| c.entry(Kind::Metric, CURVE)).map(|e| &*e.title);
        Some(Told::Scene(Scene {
            end_s: self.end_on(Axis::Seconds),
            is_complete: !self.lanes.iter().any(Lane::is_running),
            lanes,
            order,
            group,
            alone: self.alone,
            chosen: self.chosen.map(|chosen| (chosen.page, chosen.lane as u32)),
            curve: curve.unwrap_or(CURVE).to_owned(),
        }))
    }

    fn timeline_head(&self) -> Told {
        let steps: Vec<u32> = self.lanes.iter().map(|lane| self.step_of(lane)).collect();
        let ends = self.lanes.iter().zip(&steps).map(|(l, step)| l.place_of(Axis::Seconds, *step));
        let at_s = match self.axis() {
            Axis::Seconds => self.head.at,
            Axis::Pages => ends.fold(0.0, f64::max),
        };
        Told::Head { at_s, steps, is_playing: self.is_moving() }
    }
}
