//! The timeline: messages to it, and its requests.
//!
//! The timeline is a separate program; the state holds only what it should show.

use super::{Action, BUDGET, ChosenPage, Dialog, Effect, LaneState, State};
use crawl_catalogue::Kind;
use crawl_protocol::lane::Command;
use crawl_protocol::timeline::{Message, Request, Scene, SceneLane, VisitFound};
use crawl_protocol::{Axis, encode};
use crawl_text::app::text;

/// Metric of the curve above the rows.
const CURVE: &str = "freshness";

/// The messages last sent to the timeline, to send only changes.
#[derive(Default)]
pub struct SentMessages {
    scene: Vec<u8>,
    head: Vec<u8>,
}

impl State {
    /// True while the timeline is shown in place of the stage.
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

    /// Switches the play-head to seconds.
    fn on_the_clock(&mut self) -> Vec<Effect> {
        match self.axis() {
            Axis::Seconds => Vec::new(),
            Axis::Pages => self.apply(Action::Axis(Axis::Seconds)),
        }
    }

    pub(super) fn timeline_request(&mut self, request: Request) -> Vec<Effect> {
        match request {
            Request::Ask(lane, ask) if (lane as usize) < self.lanes.len() => {
                vec![Effect::Lane(lane as usize, Command::Timeline(ask))]
            }
            Request::Ask(..) => Vec::new(),
            Request::Seek(at_s) => {
                let effects = self.on_the_clock();
                [effects, self.apply(Action::Seek(at_s))].concat()
            }
            Request::Why { lane, page, step, found } => {
                let effects = self.on_the_clock();
                let lane = lane as usize;
                let Some(asked) = self.lanes.get(lane) else { return effects };
                // Just before the step, so that this visit is next.
                self.head.at = asked.place_of(Axis::Seconds, step.saturating_sub(1));
                self.head.playing = false;
                let chosen = ChosenPage { lane, page };
                self.visit = Some((chosen, step, found));
                [effects, self.apply(Action::Choose(chosen))].concat()
            }
            Request::Order(order, group) => {
                self.set_view(|view| view.timeline = Some((order, group)))
            }
            Request::Alone(page) => {
                self.alone = page;
                Vec::new()
            }
            Request::Policy => self.apply(Action::Open(Dialog::Policy(0))),
            Request::Close => self.show_timeline(false),
        }
    }

    /// Step and result of the explained visit.
    ///
    /// `None` unless the play-head is just before it.
    pub fn visit_shown(&self) -> Option<(u32, VisitFound)> {
        let (of, step, found) = self.visit.filter(|(of, ..)| self.chosen == Some(*of))?;
        let lane = self.lanes.get(of.lane)?;
        (self.step_of(lane) + 1 == step).then_some((step, found))
    }

    /// Encoded messages that changed since the last call; empty while the timeline is hidden.
    pub fn timeline_changes(&self, sent: &mut SentMessages) -> Vec<Vec<u8>> {
        let mut changes = Vec::new();
        let Some(scene) = self.timeline_scene() else { return changes };
        let mut send = |message: Message, last: &mut Vec<u8>| {
            let bytes = encode(&message).unwrap_or_default();
            if bytes != *last {
                last.clone_from(&bytes);
                changes.push(bytes);
            }
        };
        send(scene, &mut sent.scene);
        send(self.timeline_head(), &mut sent.head);
        changes
    }

    fn timeline_scene(&self) -> Option<Message> {
        let experiment = self.experiment.as_ref()?;
        let (order, group) = experiment.view.timeline?;
        let lane = |(at, lane): (usize, &LaneState)| {
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
        Some(Message::Scene(Scene {
            end_s: self.end_on(Axis::Seconds),
            is_complete: !self.lanes.iter().any(LaneState::is_running),
            lanes,
            order,
            group,
            alone: self.alone,
            chosen: self.chosen.map(|chosen| (chosen.page, chosen.lane as u32)),
            curve: curve.unwrap_or(CURVE).to_owned(),
        }))
    }

    fn timeline_head(&self) -> Message {
        let steps: Vec<u32> = self.lanes.iter().map(|lane| self.step_of(lane)).collect();
        let ends = self.lanes.iter().zip(&steps).map(|(l, step)| l.place_of(Axis::Seconds, *step));
        let at_s = match self.axis() {
            Axis::Seconds => self.head.at,
            Axis::Pages => ends.fold(0.0, f64::max),
        };
        Message::Head { at_s, steps, is_playing: self.is_moving() }
    }
}
