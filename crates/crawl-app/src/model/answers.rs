//! Answers of the workers, and their crashes.

use super::action::Steps;
use super::{
    Bounds, ChosenPage, Effect, Finished, History, Imported, Importing, MetricSeries, Packed,
    SearchResult, State, World,
};
use crawl_protocol::lane;
use crawl_protocol::world::{Answer, Command, Failure, Stage};
use crawl_protocol::{Axis, Task};
use crawl_text::app::text;
use crawl_text::fill;
use std::rc::Rc;

/// Restarts of a worker before the app gives up.
const MAX_RESTARTS: u32 = 2;
/// Cached URLs of single pages.
const MAX_URLS: usize = 100;

impl State {
    pub(super) fn world_answers(&mut self, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Hello(..) => {}
            Answer::Progress { task, stage, progress } => {
                if task == self.wanted.open && !matches!(self.world, World::Ready(_)) {
                    self.world = World::Loading(Some((stage, progress)));
                } else if task == self.wanted.import
                    && stage == Stage::Reading
                    && let Some(importing) = &mut self.importing
                {
                    importing.progress = progress;
                }
            }
            Answer::Opened { task, summary } if task == self.wanted.open => {
                self.world = World::Ready(Rc::new(*summary));
                return self.start_all();
            }
            Answer::Picture { task, picture } if task == self.wanted.picture => {
                self.picture = Some(Rc::new(picture));
                // Colour values that came before the picture must be requested again.
                for frame in self.lanes.iter_mut().filter_map(|lane| lane.frame.as_mut()) {
                    Rc::make_mut(frame).value.clear();
                }
                return self.ask();
            }
            Answer::Positions { task, progress, .. } if task == self.wanted.layout => {
                self.layout = Some(progress);
            }
            Answer::Bounds { task, seeds, n_reached, ideal, random, deviation }
                if task == self.wanted.bounds =>
            {
                let bounds = Bounds { seeds, n_reached, ideal, random, deviation };
                self.bounds = Some(Rc::new(bounds));
            }
            Answer::Found { task, pages, n_found } if task == self.wanted.find => {
                let found = SearchResult { text: self.found.text.clone(), pages, n_found };
                self.found = Rc::new(found);
            }
            Answer::Found { task, pages, .. } if task == self.wanted.names => {
                return self.choose_linked(&pages);
            }
            Answer::Urls { task, urls } if task == self.wanted.urls => {
                let named = self.nameless.drain(..).zip(urls.into_iter().map(Rc::from));
                self.urls.extend(named);
                let too_many = self.urls.len().saturating_sub(MAX_URLS);
                self.urls.drain(..too_many);
            }
            Answer::Imported { task, source, summary, kept } if task == self.wanted.import => {
                let imported = Imported { source, summary: *summary, not_kept: kept.err() };
                self.imported = Some(Rc::new(imported));
                self.importing = None;
            }
            Answer::Packed { task, data } if task == self.wanted.pack => {
                self.packed = match data {
                    Some(data) => Packed::Small(data.into()),
                    None => Packed::TooLarge,
                };
            }
            Answer::Words { task, words } if task == self.wanted.words => {
                self.words = Rc::new(words);
            }
            Answer::Checked { task, faults } => return self.checked(task, faults),
            Answer::Code(code) => self.code = Rc::new(code),
            Answer::Thumbnail(thumbnail) => {
                let thumbnails = Rc::make_mut(&mut self.thumbnails);
                thumbnails.retain(|other| other.id != thumbnail.id);
                thumbnails.push(thumbnail);
            }
            Answer::Ranked { task, html } if task == self.wanted.rank => {
                self.ranks = Some(html.into());
            }
            Answer::Documents(documents) => return self.documents_arrive(documents),
            Answer::Trying { task, progress, web } => self.trying(task, progress, web),
            Answer::Tried { task, html } => self.tried(task, html),
            Answer::Figure { task, html } => self.drew_figure(task, html),
            Answer::Library(library) => self.library = Rc::new(library),
            Answer::Failed { task, failure } => self.world_failed(task, failure),
            _ => {}
        }
        Vec::new()
    }

    fn start_all(&mut self) -> Vec<Effect> {
        let Some(experiment) = self.experiment.clone() else { return Vec::new() };
        let mut effects = Vec::new();
        for at in 0..experiment.strategies.len() {
            effects.extend(self.start_lane(at));
        }
        effects.extend(self.ask_bounds());
        if let Some(url) = &experiment.view.page {
            let task = self.task();
            self.wanted.names = task;
            let find = Command::Find { task, text: url.clone(), limit: 20 };
            effects.push(Effect::World(find));
        }
        effects
    }

    /// Chooses the page that a link names by URL, now that its number is known.
    fn choose_linked(&mut self, pages: &[crawl_protocol::world::PageName]) -> Vec<Effect> {
        let Some(experiment) = &self.experiment else { return Vec::new() };
        let wanted = experiment.view.page.as_deref().unwrap_or_default();
        let lane = experiment.view.lane.unwrap_or(0) as usize;
        let page = pages.iter().find(|page| page.url == wanted).map(|page| page.page);
        if let Some(page) = page.filter(|_| self.chosen.is_none()) {
            self.chosen =
                Some(ChosenPage { lane: lane.min(self.lanes.len().saturating_sub(1)), page });
        }
        self.ask()
    }

    fn world_failed(&mut self, task: Task, failure: Failure) {
        if self.trying_failed(task, &failure) {
            return;
        }
        if task == self.wanted.rank {
            // The error is shown as a notice; stop waiting for a comparison.
            self.ranks = Some("".into());
        }
        if task == self.wanted.open {
            self.world = World::Failed(failure);
        } else if task == self.wanted.import {
            let error = match failure {
                Failure::Cancelled => {
                    self.importing = None;
                    return;
                }
                Failure::FileNeeded { .. } => String::new(),
                Failure::Words(words) => words,
            };
            let importing = self.importing.take();
            let name = importing.map(|i| i.name).unwrap_or_default();
            let progress = Default::default();
            self.importing = Some(Importing { name, progress, error: Some(error) });
        } else if let Failure::Words(words) = failure {
            self.notice = Some(words.into());
        }
    }

    pub(super) fn lane_answers(&mut self, at: usize, answer: lane::Answer) -> Vec<Effect> {
        let Some(lane) = self.lanes.get_mut(at) else { return Vec::new() };
        match answer {
            lane::Answer::Finished { task, digest, oracle, counts, .. } if task == lane.run => {
                lane.finished = Some(Rc::new(Finished { digest, oracle, counts }));
                return self.ask();
            }
            lane::Answer::Frame(frame)
                if lane.asked_frame.is_some_and(|asked| asked.task == frame.task) =>
            {
                lane.asked_frame = None;
                lane.frame = Some(Rc::new(frame));
                return self.ask();
            }
            lane::Answer::Reasons(reasons)
                if lane.asked_reasons.is_some_and(|asked| asked.task == reasons.task) =>
            {
                lane.asked_reasons = None;
                lane.reasons = Some(Rc::new(*reasons));
                let mut effects = self.ask();
                // The address contains the chosen page's URL, which is known only now.
                if !self.head.playing && self.chosen.is_some_and(|chosen| chosen.lane == at) {
                    effects.extend(self.address(History::Replace));
                }
                return effects;
            }
            lane::Answer::Reasons(reasons)
                if lane.asked_match.is_some_and(|asked| asked.task == reasons.task) =>
            {
                lane.asked_match = None;
                lane.matched = Some(Rc::new(*reasons));
                return self.ask();
            }
            lane::Answer::Graph(graph)
                if lane.asked_graph.is_some_and(|asked| asked.task == graph.task) =>
            {
                lane.asked_graph = None;
                lane.graph = Some(Rc::new(*graph));
                self.sweeps.vertex = None;
                return self.ask();
            }
            lane::Answer::Topic { task, learnt } if task == lane.run => {
                lane.topic = Some(Rc::new(learnt));
            }
            lane::Answer::Failed { task, error } if task == lane.run => {
                lane.error = Some(error.into());
            }
            lane::Answer::Failed { task, error } => {
                let of = |asked: &mut Option<super::Ask>| {
                    asked.take_if(|asked| asked.task == task).is_some()
                };
                let of_graph = of(&mut lane.asked_graph) | of(&mut lane.asked_match);
                if of(&mut lane.asked_frame) | of(&mut lane.asked_reasons) | of_graph {
                    self.notice = Some(error.into());
                }
            }
            _ => {}
        }
        Vec::new()
    }

    pub(super) fn steps_arrive(&mut self, at: usize, steps: Steps) -> Vec<Effect> {
        let Some(lane) = self.lanes.get_mut(at).filter(|lane| lane.run == steps.task) else {
            return Vec::new();
        };
        let Steps { from, pages, seconds, scores, counts, found, .. } = &steps;
        let pushed = lane.record.borrow_mut().push(*from, pages, seconds, scores, counts, found);
        match pushed {
            Ok(()) => {
                lane.progress = steps.progress;
                lane.flights.borrow_mut().push(&steps.starts, &steps.fetchers);
            }
            Err(error) => lane.error = Some(error.to_string().into()),
        }
        self.settle_pending();
        self.ask()
    }

    /// Moves the play-head to the step that a link names, once its position is known.
    fn settle_pending(&mut self) {
        let Some(step) = self.pending_step else { return };
        let axis = self.axis();
        let there = |lane: &super::LaneState| lane.n_steps() >= step || !lane.is_running();
        let place = |lane: &super::LaneState| lane.place_of(axis, step.min(lane.n_steps()));
        self.head.at = match axis {
            Axis::Pages => f64::from(step),
            // The earliest lane to reach the step: links store the largest step of all lanes.
            Axis::Seconds => {
                let first = self.lanes.iter().filter(|lane| lane.n_steps() >= step).map(place);
                let first = first.reduce(f64::min);
                first.unwrap_or_else(|| self.lanes.iter().map(place).fold(0.0, f64::max))
            }
        };
        if !self.lanes.is_empty() && self.lanes.iter().all(there) {
            self.pending_step = None;
            self.head.at = self.head.at.min(self.end());
        }
    }

    pub(super) fn series_arrive(&mut self, at: usize, task: Task, metrics: Vec<MetricSeries>) {
        if let Some(lane) = self.lanes.get_mut(at).filter(|lane| lane.run == task) {
            lane.metrics = Rc::new(metrics);
        }
    }

    pub(super) fn lane_died(&mut self, at: usize, error: String) -> Vec<Effect> {
        let Some(lane) = self.lanes.get_mut(at) else { return Vec::new() };
        lane.restarts += 1;
        lane.asked_frame = None;
        lane.asked_reasons = None;
        (lane.asked_graph, lane.asked_match) = (None, None);
        if lane.restarts > MAX_RESTARTS {
            lane.error = Some(error.into());
            return Vec::new();
        }
        let number = (at + 1).to_string();
        self.notice = Some(fill(text().lane_restarted, &[("lane", &number)]).into());
        self.start_lane(at)
    }

    pub(super) fn world_died(&mut self, error: String) -> Vec<Effect> {
        if let Some(importing) = &mut self.importing {
            importing.error = Some(error);
            return self.reopen();
        }
        Rc::make_mut(&mut self.claims).forget();
        self.world_deaths += 1;
        if self.world_deaths > MAX_RESTARTS {
            self.world = World::Failed(Failure::Words(error));
            return Vec::new();
        }
        self.notice = Some(text().world_restarted.into());
        self.reopen()
    }

    /// Whether a lane worker crashed too often to be restarted.
    pub fn has_given_up(&self, lane: usize) -> bool {
        self.lanes.get(lane).is_some_and(|lane| lane.restarts > MAX_RESTARTS)
    }

    /// Whether the world worker crashed too often to be restarted.
    pub fn has_given_up_world(&self) -> bool {
        self.world_deaths > MAX_RESTARTS
    }

    /// Retries after repeated crashes.
    pub(super) fn try_again(&mut self, lane: Option<usize>) -> Vec<Effect> {
        let Some(at) = lane else {
            self.world_deaths = 0;
            return self.reopen();
        };
        let Some(lane) = self.lanes.get_mut(at) else { return Vec::new() };
        lane.restarts = 0;
        self.start_lane(at)
    }

    /// Opens the world again in a restarted world worker. Lanes keep theirs.
    pub(super) fn reopen(&mut self) -> Vec<Effect> {
        let Some(experiment) = self.experiment.clone() else { return self.check_again() };
        let task = self.task();
        (self.wanted.open, self.wanted.picture, self.wanted.layout) = (task, task, task);
        self.world = World::Loading(None);
        let (source, layout) = (experiment.world.clone(), experiment.view.layout.clone());
        vec![Effect::World(Command::Open { task, source, layout })]
    }
}
