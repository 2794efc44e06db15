//! [`State::apply`]: the transition function of the state.

use super::{
    Action, Ask, Broken, Change, ChosenPage, Dialog, Divergence, Effect, FIRST, History, Importing,
    Packed, State,
};
use crawl_catalogue::Kind;
use crawl_protocol::lane::{Command, Frame};
use crawl_protocol::{Axis, Experiment, LinkError, View, WorldSource, world};
use crawl_text::app::text;
use crawl_text::fill;
use std::rc::Rc;

/// Rows requested of each lane's queue.
pub const ROWS: u32 = 16;
/// Selectable speeds, in steps or simulated seconds per second.
pub const SPEEDS: [u32; 13] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000];
/// Target duration of a run at the automatically chosen speed, in seconds.
const RUN_S: f64 = 30.0;

impl State {
    /// Applies an action; returns the effects to perform.
    pub fn apply(&mut self, action: Action) -> Vec<Effect> {
        let effects = self.applied(action);
        self.note_sent(&effects);
        effects
    }

    fn applied(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Ready(catalogue, layouts) => {
                self.catalogue = Some(catalogue);
                self.layouts = Rc::new(layouts);
                if self.dialog == Some(Dialog::Ranks) && self.ranks.is_none() {
                    return self.rank_first();
                }
            }
            Action::OpenLink(link, history) => return self.open_link(&link, history),
            Action::Change(change) => {
                let playing = self.head.playing;
                let keeps_place =
                    !matches!(change, Change::World(_) | Change::Made(_) | Change::WorldParam(..));
                match self.change(change) {
                    Ok(effects) => {
                        if !keeps_place {
                            self.head.at = 0.0;
                        }
                        self.head.playing = playing || self.head.at == 0.0;
                        return effects;
                    }
                    Err(error) => self.notice = Some(error.into()),
                }
            }
            Action::Check(change) => return self.check(change),
            Action::World(answer) => {
                return answer.take().map_or_else(Vec::new, |a| self.world_answers(a));
            }
            Action::Lane(at, answer) => {
                return answer.take().map_or_else(Vec::new, |a| self.lane_answers(at, a));
            }
            Action::Steps(at, steps) => return self.steps_arrive(at, steps),
            Action::Series(at, task, metrics) => self.series_arrive(at, task, metrics),
            Action::LaneDied(at, error) => return self.lane_died(at, error),
            Action::WorldDied(error) => return self.world_died(error),
            Action::Started(worker) => self.worker_started(worker),
            Action::MessageReceived(worker) => self.message_received(worker),
            Action::Beat => return self.beat(),
            Action::TryAgain(lane) => return self.try_again(lane),
            Action::Tick(elapsed_s) => return self.tick(elapsed_s),
            Action::TogglePlay => {
                let end = self.end();
                if !self.head.playing && end > 0.0 && self.head.at >= end {
                    self.head.at = 0.0;
                }
                self.head.playing = !self.head.playing;
                return self.moved();
            }
            Action::StepBy(steps) => return self.step_by(steps),
            Action::Seek(at) => {
                self.head.playing = false;
                self.head.at = at.clamp(0.0, self.end());
                return self.moved();
            }
            Action::SeekEnd => {
                self.head.playing = false;
                self.head.at = self.end();
                return self.moved();
            }
            Action::Speed(speed) => {
                return self.set_view(|view| view.speed = speed.clamp(1, View::MAX_SPEED));
            }
            Action::Axis(axis) => return self.set_axis(axis),
            Action::Chart(chart) => return self.set_view(|view| view.chart = chart),
            Action::Colour(name) => {
                let effects = self.set_view(|view| view.colour = name);
                return [effects, self.ask()].concat();
            }
            Action::Try(document, webs, pages) => return self.try_claims(document, webs, pages),
            Action::Rank(a, b) => return self.rank(&a, &b),
            Action::StopTrying => return self.stop_trying(),
            Action::Figure(figure) => {
                let effects = self.set_view(|view| view.figure = figure.to_string());
                return [effects, self.ask_figure(figure)].concat();
            }
            Action::Layout(layout) => {
                let mut effects = self.set_view(|view| view.layout = layout);
                effects.extend(self.ask_layout());
                return effects;
            }
            Action::ToggleHulls => self.hulls = !self.hulls,
            Action::ToggleMute(at) => {
                if let Some(lane) = self.lanes.get_mut(at) {
                    lane.muted = !lane.muted;
                }
            }
            Action::Stop(at, page) => {
                if let Some(lane) = self.lanes.get_mut(at) {
                    lane.stop = Some(page);
                }
            }
            Action::Choose(chosen) => {
                self.parted = None;
                self.chosen = Some(chosen);
                return self.moved();
            }
            Action::ChooseLane(at) => {
                let next = |lane: &super::LaneState| {
                    lane.frame.as_ref().and_then(|f| f.next.first()).map(|row| row.page)
                };
                let chosen = self.chosen.map(|chosen| chosen.page);
                let page = self.lanes.get(at).and_then(|lane| chosen.or_else(|| next(lane)));
                if let Some(page) = page {
                    self.parted = None;
                    self.chosen = Some(ChosenPage { lane: at, page });
                    return self.moved();
                }
            }
            Action::Unchoose => {
                // Close the view that was opened last.
                if self.chosen.is_none() {
                    if self.graph_lane().is_some() {
                        return self.show_graph(None);
                    }
                    if self.has_timeline() {
                        let is_alone = self.alone.take().is_some();
                        return if is_alone { Vec::new() } else { self.show_timeline(false) };
                    }
                    self.presenting = false;
                }
                self.chosen = None;
                for lane in &mut self.lanes {
                    lane.reasons = None;
                }
                return self.address(History::Replace);
            }
            Action::Hover(hovered) => {
                self.hovered = hovered;
                return self.ask_urls(hovered.map(|hovered| hovered.page));
            }
            Action::Diverge(a, b) => return self.diverge(a, b),
            Action::Graph(lane) => return self.show_graph(lane),
            Action::Timeline(is_shown) => return self.show_timeline(is_shown),
            Action::TimelineRequest(request) => return self.timeline_request(request),
            Action::Sweep(sweep) => self.sweeps.go_to(sweep),
            Action::PlaySweeps => self.play_sweeps(),
            Action::Vertex(vertex) => self.sweeps.look_at(Some(vertex), None),
            Action::Match(page) => {
                self.sweeps.look_at(None, Some(page));
                return self.ask();
            }
            Action::Words(typed) => return self.ask_words(typed),
            Action::Open(dialog) => return self.open_dialog(dialog),
            Action::Close => {
                self.dialog = None;
                self.imported = None;
                if self.linked_figure().is_some() {
                    return self.set_view(|view| view.figure.clear());
                }
            }
            Action::ToggleSetup => self.setup_open = !self.setup_open,
            Action::TogglePresenting => self.presenting = !self.presenting,
            Action::Find(looked_for) => return self.find(looked_for),
            Action::ToggleChoosingSeeds => {
                self.choosing_seeds = !self.choosing_seeds;
                self.dialog = None;
            }
            Action::ToggleSeed(url) => return self.toggle_seed(&url),
            Action::Files(names, folders) => return self.take_files(names, &folders),
            Action::Importing(names) => {
                let task = self.task();
                self.wanted.import = task;
                self.imported = None;
                let name = names.join(" + ");
                let progress = Default::default();
                self.importing = Some(Importing { name, progress, error: None });
                return vec![Effect::World(world::Command::Import { task, names })];
            }
            Action::NotRead(error) => {
                let (name, progress) = (String::new(), Default::default());
                self.importing = Some(Importing { name, progress, error: Some(error) });
            }
            Action::CancelImport => {
                self.importing = None;
                self.wanted.import = Default::default();
                let mut effects = vec![Effect::RestartWorld];
                effects.extend(self.reopen());
                return effects;
            }
            Action::UseImported => return self.use_imported(),
            Action::Store(store) => return vec![Effect::World(world::Command::Store(store))],
            Action::DismissNotice => self.notice = None,
            Action::Notice(notice) => self.notice = Some(notice.into()),
        }
        Vec::new()
    }

    fn open_link(&mut self, link: &str, history: History) -> Vec<Effect> {
        let Some(catalogue) = self.catalogue.clone() else { return Vec::new() };
        let is_first = link.trim_start_matches('#').is_empty();
        let asked_for = if is_first { FIRST } else { link };
        match Experiment::from_link(asked_for, &catalogue) {
            Ok(experiment) => self.open_checked(experiment, history, Some(link.to_owned())),
            Err(error) => {
                let is_newer = matches!(error, LinkError::Newer(_));
                let repaired = super::repair::repair(link, &catalogue);
                let (link, error) = (link.to_owned(), error.to_string());
                self.break_link(Broken { link, error, is_newer, repaired, fault: None })
            }
        }
    }

    /// Opens an experiment at its start.
    pub(super) fn show(
        &mut self,
        experiment: Experiment,
        history: History,
        is_first: bool,
    ) -> Vec<Effect> {
        self.head.playing = is_first;
        self.head.at = 0.0;
        self.pending_step = None;
        self.chosen = None;
        self.dialog = None;
        self.alone = None;
        let effects = self.install(experiment, history);
        [effects, self.show_figure()].concat()
    }

    pub(super) fn break_link(&mut self, broken: Broken) -> Vec<Effect> {
        self.experiment = None;
        self.lanes.clear();
        self.broken = Some(Rc::new(broken));
        vec![Effect::Lanes(0)]
    }

    fn tick(&mut self, elapsed_s: f64) -> Vec<Effect> {
        self.advance_sweeps(elapsed_s);
        if !self.is_moving() {
            return Vec::new();
        }
        let before = self.head;
        let speed = self.experiment.as_ref().map_or(0, |e| e.view.speed);
        self.head.advance(elapsed_s, speed, self.reachable_end(), self.end());
        if before.playing && !self.head.playing {
            return self.moved();
        }
        if before == self.head { Vec::new() } else { self.ask() }
    }

    /// Updates frames and address after the user moved the play-head or chose a page.
    fn moved(&mut self) -> Vec<Effect> {
        self.pending_step = None;
        let mut effects = self.ask();
        if !self.head.playing {
            effects.extend(self.address(History::Replace));
            let steps: Vec<String> =
                self.lanes.iter().map(|lane| self.step_of(lane).to_string()).collect();
            let at = steps.into_iter().max_by_key(String::len).unwrap_or_default();
            effects.push(Effect::Announce(fill(text().announce_step, &[("step", &at)])));
        }
        effects
    }

    /// Shows the shared link in the address bar, without digests to keep it short.
    pub(super) fn address(&self, history: History) -> Vec<Effect> {
        let Some(mut shared) = self.shared() else { return Vec::new() };
        shared.digests = self.experiment.as_ref().map(|e| e.digests.clone()).unwrap_or_default();
        if let WorldSource::File { data, .. } = &mut shared.world {
            *data = match self.experiment.as_ref().map(|e| &e.world) {
                Some(WorldSource::File { data, .. }) => data.clone(),
                _ => None,
            };
        }
        vec![Effect::Address(shared.to_link(), history)]
    }

    fn step_by(&mut self, steps: i64) -> Vec<Effect> {
        self.head.playing = false;
        let axis = self.axis();
        self.head.at = match axis {
            Axis::Pages => {
                let at = if steps < 0 { self.head.at.ceil() } else { self.head.at.floor() };
                (at + steps as f64).clamp(0.0, self.reachable_end())
            }
            // On the axis of seconds, a step goes to the next end of a fetch in any lane.
            Axis::Seconds => {
                let mut at = self.head.at;
                for _ in 0..steps.unsigned_abs().min(1000) {
                    let places = self.lanes.iter().filter_map(|lane| {
                        let step = lane.step_at(axis, at);
                        // Back from between two steps goes to the earlier one.
                        let is_between = steps < 0 && lane.place_of(axis, step) < at;
                        let by = if is_between { 0 } else { steps.signum() };
                        let to = i64::from(step) + by;
                        let to = u32::try_from(to).ok().filter(|to| *to <= lane.n_steps())?;
                        Some(lane.place_of(axis, to))
                    });
                    let next = if steps > 0 {
                        places.filter(|p| *p > at).min_by(f64::total_cmp)
                    } else {
                        places.filter(|p| *p < at).max_by(f64::total_cmp)
                    };
                    at = next.unwrap_or(if steps > 0 { at } else { 0.0 });
                }
                at
            }
        };
        self.moved()
    }

    pub(super) fn set_view(&mut self, change: impl FnOnce(&mut View)) -> Vec<Effect> {
        let Some(experiment) = &mut self.experiment else { return Vec::new() };
        change(&mut Rc::make_mut(experiment).view);
        self.address(History::Replace)
    }

    fn set_axis(&mut self, axis: Axis) -> Vec<Effect> {
        let step = self.lanes.iter().map(|lane| self.step_of(lane)).max().unwrap_or(0);
        let effects = self.set_view(|view| view.axis = axis);
        let places = self.lanes.iter().map(|lane| lane.place_of(axis, step.min(lane.n_steps())));
        self.head.at = places.fold(0.0, f64::max);
        // Steps and seconds differ in scale: choose a speed at which a run takes about RUN_S.
        let fitting = self.end() / RUN_S * 1.5;
        let speed = SPEEDS.into_iter().rev().find(|speed| f64::from(*speed) <= fitting);
        let effects = [effects, self.set_view(|view| view.speed = speed.unwrap_or(1))].concat();
        [effects, self.ask()].concat()
    }

    /// Requests frames and explanations that the play-head and the chosen page need.
    pub(super) fn ask(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let (axis, at, playing) = (self.axis(), self.head.at, self.head.playing);
        let speed = self.experiment.as_ref().map_or(1, |e| e.view.speed);
        let value = self.experiment.as_ref().map(|e| e.view.colour.clone()).unwrap_or_default();
        // Copies go stale between steps, too. While playing, a frame may lag by `slack_s`.
        let at_s = Some(at).filter(|_| self.has_revisits() && axis == Axis::Seconds);
        let slack_s = if playing { self.end() / 500.0 } else { 0.001 };
        let chosen = self.chosen;
        let (graph_lane, compared) = (self.graph_lane(), self.sweeps.page);
        let mut tasks = self.tasks;
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            if lane.error.is_some() || (lane.n_steps() == 0 && lane.is_running()) {
                continue;
            }
            let step = lane.step_at(axis, at);
            let is_old = |frame: &Rc<Frame>| {
                let is_later = at_s.is_some_and(|at_s| (at_s - frame.seconds).abs() > slack_s);
                frame.step != step || frame.value != value || is_later
            };
            if lane.asked_frame.is_none() && lane.frame.as_ref().is_none_or(is_old) {
                tasks += 1;
                let task = crawl_protocol::Task(tasks);
                lane.asked_frame = Some(Ask { task, step, of: ROWS });
                let (at_s, value) = (at_s.unwrap_or(0.0), value.clone());
                effects
                    .push(Effect::Lane(i, Command::Show { task, step, at_s, rows: ROWS, value }));
            }
            // While playing, explanations may lag by half a second.
            let slack = if playing { speed.div_ceil(2).max(1) } else { 0 };
            if graph_lane == Some(i) {
                let asked = lane.ask_graph(compared, (step, slack), &mut tasks);
                effects.extend(asked.map(|command| Effect::Lane(i, command)));
            }
            let Some(ChosenPage { page, .. }) = chosen else { continue };
            let is_old = lane
                .reasons
                .as_ref()
                .is_none_or(|reasons| reasons.page != page || reasons.step.abs_diff(step) > slack);
            if lane.asked_reasons.is_none() && lane.asked_match.is_none() && is_old {
                tasks += 1;
                let task = crawl_protocol::Task(tasks);
                lane.asked_reasons = Some(Ask { task, step, of: page });
                effects.push(Effect::Lane(i, Command::Explain { task, step, page }));
            }
        }
        self.tasks = tasks;
        effects
    }

    /// Goes to just before the first step at which two lanes fetch different pages.
    ///
    /// Chooses the page that lane `a` is about to fetch.
    fn diverge(&mut self, a: usize, b: usize) -> Vec<Effect> {
        let (Some(first), Some(second)) = (self.lanes.get(a), self.lanes.get(b)) else {
            return Vec::new();
        };
        let step = first.record.borrow().first_divergence(&second.record.borrow());
        let Some(step) = step else {
            self.notice = Some(text().no_divergence.into());
            return Vec::new();
        };
        let took = |lane: &super::LaneState| {
            let record = lane.record.borrow();
            Some((record.page_at(step)?, record.score_at(step)?))
        };
        let Some(took) = took(first).zip(took(second)) else { return Vec::new() };
        let before = step.saturating_sub(1);
        self.head.playing = false;
        let axis = self.axis();
        self.head.at = first.place_of(axis, before).max(second.place_of(axis, before));
        self.chosen = Some(ChosenPage { lane: a, page: took.0.0 });
        self.parted = Some(Divergence { lane: b, step, took });
        let effects = self.ask_urls(Some(took.1.0));
        [effects, self.moved()].concat()
    }

    /// Requests the URL of a page, together with pending ones.
    fn ask_urls(&mut self, page: Option<u32>) -> Vec<Effect> {
        let page = page.filter(|page| self.url_of(*page).is_none());
        let Some(page) = page else { return Vec::new() };
        self.nameless.push(page);
        let task = self.task();
        self.wanted.urls = task;
        vec![Effect::World(world::Command::Urls { task, pages: self.nameless.clone() })]
    }

    fn open_dialog(&mut self, dialog: Dialog) -> Vec<Effect> {
        self.dialog = Some(dialog);
        match dialog {
            Dialog::World => {
                self.importing = self.importing.take().filter(|i| i.error.is_none());
                self.given.left_out = None;
                let mut effects = vec![Effect::World(world::Command::Store(world::Store::List))];
                let catalogue = self.catalogue.as_ref();
                let n_worlds = catalogue.map_or(0, |catalogue| catalogue.of(Kind::World).count());
                if self.thumbnails.len() < n_worlds {
                    effects.push(Effect::World(world::Command::Thumbnails));
                }
                effects
            }
            Dialog::Seeds => self.find(String::new()),
            Dialog::Claims => self.ask_documents(),
            Dialog::Ranks => self.rank_first(),
            Dialog::Share => {
                let mut effects = self.address(History::Replace);
                let is_file = self
                    .experiment
                    .as_ref()
                    .is_some_and(|e| matches!(e.world, WorldSource::File { .. }));
                if is_file && self.packed == Packed::Unknown {
                    let task = self.task();
                    self.wanted.pack = task;
                    effects.push(Effect::World(world::Command::Pack { task }));
                }
                effects
            }
            Dialog::Strategy(_) | Dialog::Policy(_) | Dialog::Export | Dialog::Help => Vec::new(),
        }
    }
}
