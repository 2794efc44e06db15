//! The Web link graph view: sweep shown, vertex explained, page matched.

use super::{Ask, Effect, LaneState, State};
use crawl_protocol::Task;
use crawl_protocol::lane::{Command, Edge, Graph, Reasons, Vertex};
use crawl_text::app::text;

/// Sweeps per second while playing.
const SWEEPS_A_SECOND: f64 = 0.8;

/// Sweep, vertex and page shown in the Web link graph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sweeps {
    /// Number of sweeps; `None` for the last.
    at: Option<f64>,
    /// Whether they play.
    pub playing: bool,
    /// Index of the vertex that is explained.
    pub vertex: Option<u32>,
    /// The page that is matched against the graph.
    pub page: Option<u32>,
}

impl Sweeps {
    /// Shows a vertex or a matched page; replaces the previous one.
    pub(super) fn look_at(&mut self, vertex: Option<u32>, page: Option<u32>) {
        (self.vertex, self.page) = (vertex, page);
    }

    /// Shows the graph after so many sweeps.
    pub(super) fn go_to(&mut self, sweep: u32) {
        (self.at, self.playing) = (Some(f64::from(sweep)), false);
    }
}

/// A graph's values after some sweeps.
#[derive(Clone, Copy)]
pub struct Learnt<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Number of sweeps.
    pub sweep: u32,
}

impl Learnt<'_> {
    /// Number of sweeps in the graph.
    pub fn n_sweeps(graph: &Graph) -> u32 {
        graph.worth.len().saturating_sub(1) as u32
    }

    /// Value of the sweep that changed a vertex or edge; 0 if it is later than `sweep`.
    fn worth(&self, changed_in: Option<u32>, sweep: u32) -> f64 {
        let changed_in = changed_in.filter(|changed_in| *changed_in <= sweep);
        changed_in.and_then(|n| self.graph.worth.get(n as usize)).copied().unwrap_or(0.0)
    }

    /// Q of a vertex; for a result page, the value of links that match it.
    pub fn of(&self, vertex: &Vertex) -> f64 {
        if vertex.is_result {
            self.graph.of_a_leaf
        } else {
            self.worth(vertex.changed_in, self.sweep)
        }
    }

    /// Q of a vertex before this sweep; 0 for a result page.
    pub fn before(&self, vertex: &Vertex) -> f64 {
        let before = self.sweep.checked_sub(1);
        before.map_or(0.0, |before| self.worth(vertex.changed_in, before))
    }

    /// Q of an edge.
    pub fn of_edge(&self, edge: &Edge) -> f64 {
        self.worth(edge.changed_in, self.sweep)
    }

    /// Whether something changed in this sweep.
    pub fn is_lit(&self, changed_in: Option<u32>) -> bool {
        self.sweep > 0 && changed_in == Some(self.sweep)
    }

    /// Whether the edge gives its vertex the maximum after this sweep.
    pub fn is_picked(&self, edge: &Edge) -> bool {
        edge.is_picked && edge.changed_in.is_some_and(|changed_in| changed_in <= self.sweep)
    }
}

impl LaneState {
    /// The next request needed to show the graph at the frame's step and a matched page.
    pub(super) fn ask_graph(
        &mut self,
        compared: Option<u32>,
        (step, slack): (u32, u32),
        tasks: &mut u32,
    ) -> Option<Command> {
        let frame = self.frame.clone()?;
        let learning = frame.learning?;
        let shown = self.graph.as_ref().map_or((0, 0), |graph| (graph.number, graph.step));
        let mut ask = |of| {
            *tasks += 1;
            Ask { task: Task(*tasks), step, of }
        };
        if learning.number == 0 {
            self.graph = None;
        } else if self.asked_graph.is_none() && shown != (learning.number, learning.step) {
            let asked = ask(0);
            self.asked_graph = Some(asked);
            return Some(Command::Graph { task: asked.task, step: frame.step });
        }
        let page = compared?;
        let is_other = |m: &Reasons| m.page != page || m.step.abs_diff(step) > slack;
        let is_old = self.matched.as_ref().is_none_or(|matched| is_other(matched));
        let is_free = self.asked_match.is_none() && self.asked_reasons.is_none();
        (is_old && is_free).then(|| {
            let asked = ask(page);
            self.asked_match = Some(asked);
            Command::Explain { task: asked.task, step, page }
        })
    }
}

impl State {
    /// The lane whose graph is shown.
    pub fn graph_lane(&self) -> Option<usize> {
        let lane = self.experiment.as_ref()?.view.graph? as usize;
        (lane < self.lanes.len()).then_some(lane)
    }

    /// The graph that is shown, after the sweep that is shown.
    pub fn learnt(&self) -> Option<Learnt<'_>> {
        let graph = self.lanes.get(self.graph_lane()?)?.graph.as_deref()?;
        let n_sweeps = Learnt::n_sweeps(graph);
        let sweep = self.sweeps.at.map_or(n_sweeps, |at| (at as u32).min(n_sweeps));
        Some(Learnt { graph, sweep })
    }

    /// The sweep that is shown.
    pub fn sweep_shown(&self) -> u32 {
        self.learnt().map_or(0, |learnt| learnt.sweep)
    }

    pub(super) fn show_graph(&mut self, lane: Option<usize>) -> Vec<Effect> {
        self.sweeps = Sweeps::default();
        if lane.is_none() {
            self.lanes.iter_mut().for_each(|lane| lane.matched = None);
        }
        let effects = self.set_view(|view| {
            view.graph = lane.map(|lane| lane as u32);
            view.timeline = view.timeline.filter(|_| lane.is_none());
        });
        let announcement = lane.map(|_| Effect::Announce(text().graph_title.to_owned()));
        [effects, self.ask(), announcement.into_iter().collect()].concat()
    }

    pub(super) fn play_sweeps(&mut self) {
        let Some(learnt) = self.learnt() else { return };
        let is_over = learnt.sweep >= Learnt::n_sweeps(learnt.graph);
        if !self.sweeps.playing && is_over {
            self.sweeps.at = Some(0.0);
        }
        self.sweeps.playing = !self.sweeps.playing;
    }

    pub(super) fn advance_sweeps(&mut self, elapsed_s: f64) {
        if !self.sweeps.playing {
            return;
        }
        let Some(learnt) = self.learnt() else {
            self.sweeps.playing = false;
            return;
        };
        let end = f64::from(Learnt::n_sweeps(learnt.graph));
        let at = self.sweeps.at.unwrap_or(end) + elapsed_s * SWEEPS_A_SECOND;
        self.sweeps.at = Some(at.min(end));
        self.sweeps.playing = at < end;
    }
}
