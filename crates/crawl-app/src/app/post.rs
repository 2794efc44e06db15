//! Messages from the workers: arrays go to the stage and records, the rest to the state.

use super::{App, Msg};
use crate::files::Offered;
use crate::model::{Action, Effect, History, MetricSeries, Steps, Worker};
use crate::screen::Screen;
use crate::workers::{Post, is_ours, open_lane, open_world};
use crate::{address, files};
use crawl_post::PostError;
use crawl_protocol::lane;
use crawl_protocol::world;
use std::mem::take;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use yew::Context;

impl App {
    /// Handles a message; returns whether the views must be rendered.
    pub(super) fn post(&mut self, ctx: &Context<Self>, post: Post) -> bool {
        let done = match post {
            Post::Started(worker) => {
                self.state.apply(Action::Started(worker));
                return false;
            }
            Post::World(data) => {
                self.state.apply(Action::MessageReceived(Worker::World));
                self.world_post(ctx, &data)
            }
            Post::Lane(at, data) => {
                self.state.apply(Action::MessageReceived(Worker::Lane(at)));
                self.lane_post(ctx, at, &data)
            }
            Post::WorldDied(error) => {
                let restarted =
                    self.workers.as_mut().map(super::super::workers::Workers::start_world);
                if let Some(Err(error)) = restarted {
                    self.start_error = Some(error);
                }
                self.act(ctx, Action::WorldDied(error));
                Ok(true)
            }
            Post::LaneDied(at, error) => {
                let restarted = self.workers.as_mut().map(|workers| workers.restart_lane(at));
                if let Some(Err(error)) = restarted {
                    self.start_error = Some(error);
                }
                self.act(ctx, Action::LaneDied(at, error));
                Ok(true)
            }
        };
        done.unwrap_or_else(|error| {
            self.act(ctx, Action::Notice(error.to_string()));
            true
        })
    }

    fn world_post(&mut self, ctx: &Context<Self>, data: &JsValue) -> Result<bool, PostError> {
        let mut parcel = open_world(data)?;
        if let world::Answer::Hello(greeting, catalogue, layouts) = &mut parcel.message {
            if !is_ours(greeting) {
                self.start_error = Some(format!("{} ≠ {}", greeting.build, crawl_post::BUILD));
                return Ok(true);
            }
            let is_first = self.state.catalogue.is_none();
            let (catalogue, layouts) = (take(&mut **catalogue), take(layouts));
            self.act(ctx, Action::Ready(Rc::new(catalogue), layouts));
            if is_first {
                self.act(ctx, Action::OpenLink(address::fragment(), History::Keep));
            }
            return Ok(true);
        }
        match &parcel.message {
            world::Answer::Pong => return Ok(false),
            world::Answer::Picture { picture, .. } => {
                self.have_screen();
                let arrays = (parcel.f32s(0)?, parcel.u32s(1)?, parcel.u32s(2)?, parcel.u32s(3)?);
                if let Some(Err(error)) =
                    self.screen.as_mut().map(|screen| screen.set_picture(picture, arrays))
                {
                    self.cannot_draw = Some(error.into());
                }
                // Draw runs that were faster than the picture.
                if let Some(screen) = &mut self.screen {
                    (0..self.state.lanes.len()).for_each(|at| screen.update_lane(at));
                }
            }
            world::Answer::Positions { spacing, rings, .. } => {
                let places: js_sys::Float32Array = parcel.get(0)?;
                let set = |screen: &mut Screen| screen.set_positions(&places, *spacing, rings);
                if let Some(Err(error)) = self.screen.as_mut().map(set) {
                    self.cannot_draw = Some(error.into());
                }
            }
            world::Answer::Written { name, .. } => {
                let saved = crate::download::save(name, "application/jsonl", &parcel.get(0)?);
                if let Err(error) = saved {
                    self.act(ctx, Action::Notice(error));
                }
            }
            world::Answer::Tried { .. } => self.claims_json = Some(parcel.get(0)?),
            world::Answer::Urls { task, urls } => {
                if let Some((_, export)) = self.wants_urls.take_if(|(wanted, _)| wanted == task) {
                    self.save_order(ctx, export, urls);
                }
                if self.wants_seed.take_if(|wanted| wanted == task).is_some()
                    && let Some(url) = urls.first()
                {
                    self.act(ctx, Action::ToggleSeed(url.clone()));
                }
            }
            _ => {}
        }
        self.act(ctx, Action::world(parcel.message));
        Ok(true)
    }

    fn lane_post(
        &mut self,
        ctx: &Context<Self>,
        at: usize,
        data: &JsValue,
    ) -> Result<bool, PostError> {
        let parcel = open_lane(data)?;
        if let lane::Answer::Frame(frame) = &parcel.message
            && let Some(screen) = &mut self.screen
        {
            match frame.range {
                Some(_) => screen.set_values(at, &parcel.u32s(0)?, &parcel.f32s(1)?),
                None => screen.set_values(at, &[], &[]),
            }
        }
        let is_frame = matches!(parcel.message, lane::Answer::Frame(_));
        let action = match &parcel.message {
            lane::Answer::Hello(greeting) => {
                if !is_ours(greeting) {
                    self.start_error = Some(format!("{} ≠ {}", greeting.build, crawl_post::BUILD));
                }
                return Ok(true);
            }
            lane::Answer::Pong => return Ok(false),
            lane::Answer::Timeline(answered) => {
                self.timeline.send(at as i32, &answered.bytes);
                return Ok(false);
            }
            lane::Answer::Steps { task, from, progress } => Action::Steps(
                at,
                Steps {
                    task: *task,
                    from: *from,
                    progress: *progress,
                    pages: parcel.u32s(0)?,
                    seconds: parcel.f64s(1)?,
                    scores: parcel.f64s(2)?,
                    counts: parcel.u32s(3)?,
                    found: parcel.u32s(4)?,
                    starts: parcel.f64s(5)?,
                    fetchers: parcel.u32s(6)?,
                },
            ),
            lane::Answer::Series { task, every_s, names } => {
                let metric = |(i, name): (usize, &String)| {
                    Ok(MetricSeries {
                        name: name.clone(),
                        steps: parcel.u32s(3 * i)?,
                        values: parcel.f64s(3 * i + 1)?,
                        in_time: parcel.f32s(3 * i + 2)?,
                        every_s: *every_s,
                    })
                };
                let metrics: Result<Vec<MetricSeries>, PostError> =
                    names.iter().enumerate().map(metric).collect();
                Action::Series(at, *task, metrics?)
            }
            _ => Action::lane(at, parcel.message),
        };
        let is_steps = matches!(action, Action::Steps(..));
        // Frames come many times per second while playing; the next rendering shows them.
        if is_frame && self.state.head.playing {
            let effects = self.state.apply(action);
            effects.into_iter().for_each(|effect| self.perform(ctx, effect));
            return Ok(false);
        }
        self.act(ctx, action);
        if is_steps && let Some(screen) = &mut self.screen {
            screen.update_lane(at);
        }
        Ok(true)
    }
}

impl App {
    /// Stores files that were chosen or dropped; the state selects which are read.
    pub(super) fn take_files(&mut self, ctx: &Context<Self>, offered: Offered) {
        let Offered { files, folders } = offered;
        let names: Vec<String> = files.iter().map(web_sys::File::name).collect();
        self.given.retain(|file| !names.contains(&file.name()));
        self.given.extend(files);
        self.act(ctx, Action::Files(names, folders));
        let kept = &self.state.given.names;
        self.given.retain(|file| kept.contains(&file.name()));
    }

    /// The chosen files with these names, in this order.
    pub(super) fn named_files(&self, names: &[String]) -> Vec<web_sys::File> {
        let named = |name: &String| self.given.iter().find(|file| file.name() == *name).cloned();
        names.iter().filter_map(named).collect()
    }

    /// Counts a watchdog beat while the page is visible; returns whether to render.
    pub(super) fn beat(&mut self, ctx: &Context<Self>) -> bool {
        let document = web_sys::window().and_then(|window| window.document());
        if document.is_none_or(|document| document.hidden()) {
            return false;
        }
        let effects = self.state.apply(Action::Beat);
        let is_ping = |effect: &Effect| matches!(effect, Effect::Ping(_));
        let is_quiet = effects.iter().all(is_ping);
        effects.into_iter().for_each(|effect| self.perform(ctx, effect));
        if !is_quiet {
            self.refresh();
            self.wake(ctx);
        }
        !is_quiet
    }
}

/// Reads files; sends [`Msg::FilesRead`] with their bytes.
pub fn read_files(ctx: &Context<App>, list: Vec<web_sys::File>) {
    let link = ctx.link().clone();
    spawn_local(async move {
        let mut read = (Vec::new(), Vec::new());
        for file in &list {
            match files::bytes(file).await {
                Ok(bytes) => {
                    read.0.push(file.name());
                    read.1.push(JsValue::from(bytes));
                }
                Err(error) => {
                    link.send_message(Msg::FilesRead(Err(format!("{}: {error}", file.name()))));
                    return;
                }
            }
        }
        link.send_message(Msg::FilesRead(Ok(read)));
    });
}
