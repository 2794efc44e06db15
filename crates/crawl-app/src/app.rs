//! The app component: applies actions to the state and performs its effects.

pub use exports::{new_canvas, paint};

mod exports;
mod keys;
mod post;

use crate::download::Export;
use crate::files::Offered;
use crate::film::Film;
use crate::model::{Action, BEAT_MS, ChosenPage, Dialog, Effect, State, World, likely_lanes};
use crate::screen::{Gesture, Screen};
use crate::timeline::Timeline;
use crate::view::{self, Model, Props};
use crate::workers::{Post, Workers};
use crate::{address, theme};
use crawl_protocol::timeline::Request;
use crawl_protocol::{Task, world};
use crawl_stage::Stage;
use crawl_text::app::text;
use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Interval;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{HtmlCanvasElement, window};
use yew::prelude::*;

/// Milliseconds between renderings of numbers and rows while playing; the stage draws every frame.
const RENDER_EVERY_MS: f64 = 48.0;

/// The app.
pub struct App {
    state: State,
    model: Model,
    workers: Option<Workers>,
    start_error: Option<String>,
    screen: Option<Screen>,
    cannot_draw: Option<AttrValue>,
    /// The canvas of the stage; created by `www/boot.js` or the app, not by a view.
    canvas: Option<HtmlCanvasElement>,
    /// The renderer of the canvas, until the screen takes it.
    stage: Option<Stage>,
    labels: NodeRef,
    timeline: Timeline,
    frame: Option<AnimationFrame>,
    last_ms: f64,
    rendered_ms: f64,
    announced: AttrValue,
    /// The link whose QR code was requested last.
    code_for: String,
    film: Option<Film>,
    /// The last claim report as JSON.
    claims_json: Option<js_sys::Uint8Array>,
    /// An export that waits for URLs.
    wants_urls: Option<(Task, Export)>,
    /// The request for the URL of a page that becomes a seed.
    wants_seed: Option<Task>,
    /// The files that were chosen or dropped last.
    given: Vec<web_sys::File>,
    /// The bytes of the files, to transfer with the next import command.
    files: Vec<wasm_bindgen::JsValue>,
    _beat: Interval,
    _listeners: Vec<EventListener>,
}

/// A message to the app component.
pub enum Msg {
    /// Apply an action.
    Do(Action),
    /// A worker sent a message, started or crashed.
    Post(Post),
    /// An animation frame, with its time in milliseconds.
    Frame(f64),
    /// A pointer gesture on the stage.
    Gesture(Gesture),
    /// Export a file.
    Export(Export),
    /// Files were chosen or dropped.
    Files(Offered),
    /// The watchdog timer fired.
    Beat,
    /// The names and bytes of the files were read.
    FilesRead(Result<(Vec<String>, Vec<wasm_bindgen::JsValue>), String>),
    /// The window size or colour scheme changed.
    Resized,
    /// The timeline sent a message.
    Timeline(wasm_bindgen::JsValue),
    /// A recording is complete.
    FilmDone(Result<(), String>),
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        theme::restore();
        let n_lanes = likely_lanes(&address::fragment());
        let workers = Workers::new(n_lanes, ctx.link().callback(Msg::Post));
        let (workers, start_error) = match workers {
            Ok(workers) => (Some(workers), None),
            Err(error) => (None, Some(error)),
        };
        let state = State::default();
        let mut app = Self {
            model: Model(Rc::new(state.clone())),
            state,
            workers,
            start_error,
            screen: None,
            cannot_draw: None,
            canvas: None,
            stage: None,
            labels: NodeRef::default(),
            timeline: Timeline::default(),
            frame: None,
            last_ms: 0.0,
            rendered_ms: 0.0,
            announced: AttrValue::default(),
            code_for: String::new(),
            film: None,
            claims_json: None,
            wants_urls: None,
            wants_seed: None,
            given: Vec::new(),
            files: Vec::new(),
            _beat: {
                let link = ctx.link().clone();
                Interval::new(BEAT_MS, move || link.send_message(Msg::Beat))
            },
            _listeners: keys::listen(ctx),
        };
        // After starting the workers, which run in parallel, and before the first paint, which
        // keeps the GPU busy and makes WebGL calls wait.
        app.make_stage();
        app
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::Do(action) => self.act(ctx, action),
            Msg::Post(post) => return self.post(ctx, post),
            Msg::Frame(now_ms) => return self.animate(ctx, now_ms),
            Msg::Gesture(gesture) => return self.gesture(ctx, gesture),
            Msg::Export(export) => self.export(ctx, export),
            Msg::Files(offered) => self.take_files(ctx, offered),
            Msg::Beat => return self.beat(ctx),
            Msg::FilesRead(Ok((names, bytes))) => {
                self.files = bytes;
                self.act(ctx, Action::Importing(names));
            }
            Msg::FilesRead(Err(error)) => self.act(ctx, Action::NotRead(error)),
            Msg::Resized => {
                if let Some(screen) = &mut self.screen {
                    screen.measure(&self.state);
                }
                self.wake(ctx);
            }
            Msg::Timeline(data) => {
                let request = match self.timeline.receive(data) {
                    Ok(Some(request)) => request,
                    Ok(None) => {
                        self.timeline.send_changes(&self.state);
                        return false;
                    }
                    Err(words) => {
                        self.act(ctx, Action::Timeline(false));
                        self.act(ctx, Action::Notice(words));
                        return true;
                    }
                };
                // Data requests come often and change nothing that the app draws.
                if matches!(request, Request::Ask(..)) {
                    let effects = self.state.apply(Action::TimelineRequest(request));
                    effects.into_iter().for_each(|effect| self.perform(ctx, effect));
                    return false;
                }
                self.act(ctx, Action::TimelineRequest(request));
            }
            Msg::FilmDone(done) => {
                self.film = None;
                if let Err(error) = done {
                    self.act(ctx, Action::Notice(error));
                }
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let model = self.model.clone();
        let on = ctx.link().callback(Msg::Do);
        let state = &model.0;
        if let Some(error) = &self.start_error {
            return view::workers_failed(error);
        }
        if state.broken.is_some() {
            return view::broken(&Props { model, on });
        }
        let is_embedded = state.experiment.as_ref().is_some_and(|e| e.view.embed);
        let class = classes!(
            "app",
            is_embedded.then_some("embedded"),
            state.presenting.then_some("presenting"),
            state.is_fast().then_some("fast"),
            state.chosen.is_some().then_some("with-inspector"),
            state.has_timeline().then_some("with-timeline"),
        );
        let common = Props { model: model.clone(), on: on.clone() };
        let lanes = view::LanesProps {
            model: model.clone(),
            on: on.clone(),
            on_gesture: ctx.link().callback(Msg::Gesture),
            canvas: self.canvas.clone(),
            labels: self.labels.clone(),
            timeline: self.timeline.node.clone(),
            cannot_draw: self.cannot_draw.clone(),
        };
        let dialogs = view::DialogsProps {
            model: model.clone(),
            on: on.clone(),
            on_export: ctx.link().callback(Msg::Export),
            on_files: ctx.link().callback(Msg::Files),
            recording: self.film.as_ref().map(|_| self.film_share()),
        };
        html! {
            <div {class}>
                if is_embedded {
                    <header class="embed-bar">
                        <a class="open-whole" href={self.whole_link()} target="_blank" rel="noopener">
                            { text().open_in_crawlscope }
                        </a>
                    </header>
                } else {
                    { view::top_bar(&common) }
                    { view::setup(&common) }
                }
                { view::lanes(&lanes) }
                if matches!(state.world, World::Failed(_)) {
                    { view::world_failed(&common) }
                } else if !matches!(state.world, World::Ready(_)) {
                    { view::starting(&common) }
                }
                if state.chosen.is_some() {
                    { view::inspector(&common) }
                }
                { view::dock(&common) }
                { view::dialogs(&dialogs) }
                if let Some(notice) = &state.notice {
                    <div class="notice" role="status">
                        <span>{ notice.to_string() }</span>
                        <button onclick={on.reform(|_: MouseEvent| Action::DismissNotice)}>
                            { text().dismiss }
                        </button>
                    </div>
                }
                <p class="visually-hidden" aria-live="polite">{ self.announced.clone() }</p>
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first: bool) {
        // A view without a stage, such as a broken link, removes the canvases.
        if self.screen.take_if(|screen| !screen.canvas().is_connected()).is_some() {
            self.make_stage();
        }
        self.have_screen();
        if let Some(screen) = &mut self.screen {
            screen.measure(&self.state);
        }
        self.timeline.follow(ctx);
        self.wake(ctx);
    }
}

impl App {
    /// Creates the screen when its canvases are in the page.
    fn have_screen(&mut self) {
        let canvas = self.canvas.clone().filter(|canvas| canvas.is_connected());
        let canvases = canvas.zip(self.labels.cast::<HtmlCanvasElement>());
        let Some((canvas, labels)) = canvases else { return };
        if self.screen.is_none()
            && let Some(stage) = self.stage.take()
        {
            self.screen = Some(Screen::new(stage, canvas, labels, &self.state));
        }
    }

    /// Creates the canvas and its renderer.
    fn make_stage(&mut self) {
        self.canvas = stage_canvas();
        match self.canvas.as_ref().map(Stage::new) {
            Some(Ok(stage)) => self.stage = Some(stage),
            Some(Err(error)) => self.cannot_draw = Some(error.to_string().into()),
            None => {}
        }
    }

    /// Applies an action, performs its effects, and requests a rendering.
    fn act(&mut self, ctx: &Context<Self>, action: Action) {
        // While seeds are chosen on the stage, a click toggles a seed.
        if let (true, Action::Choose(ChosenPage { page, .. })) =
            (self.state.choosing_seeds, &action)
        {
            self.choose_seed(*page);
            return;
        }
        let effects = self.state.apply(action);
        effects.into_iter().for_each(|effect| self.perform(ctx, effect));
        self.ask_for_code(ctx);
        self.refresh();
        self.wake(ctx);
    }

    /// Requests the QR code of the shared link while the share dialog is open.
    fn ask_for_code(&mut self, ctx: &Context<Self>) {
        if self.state.dialog != Some(Dialog::Share) {
            // Request again when the dialog is reopened: the answer may be missing.
            self.code_for.clear();
            return;
        }
        let link = self.state.shared().map(|shared| view::shared_link(&shared));
        if let Some(text) = link.filter(|link| *link != self.code_for) {
            self.code_for.clone_from(&text);
            let task = self.state.new_task();
            self.perform(ctx, Effect::World(world::Command::Code { task, text }));
        }
    }

    /// Copies the state for the views, which compare it with the previous copy.
    fn refresh(&mut self) {
        self.model = Model(Rc::new(self.state.clone()));
        if let Some(screen) = &mut self.screen {
            screen.touch();
        }
        self.timeline.send_changes(&self.state);
    }

    fn perform(&mut self, ctx: &Context<Self>, effect: Effect) {
        let Some(workers) = &mut self.workers else { return };
        let done = match effect {
            Effect::World(command) => {
                let beside = match &command {
                    world::Command::Import { .. } => std::mem::take(&mut self.files),
                    _ => Vec::new(),
                };
                workers.tell_world(&command, &beside)
            }
            Effect::Lane(at, command) => workers.tell_lane(at, &command),
            Effect::Lanes(n) => workers.have_lanes(n),
            Effect::RestartWorld => workers.start_world(),
            Effect::RestartLane(at) => workers.restart_lane(at),
            Effect::Ping(worker) => {
                let is_there = workers.ping(worker);
                if is_there == Ok(false) {
                    self.state.apply(Action::Started(worker));
                }
                is_there.map(drop)
            }
            Effect::Read(names) => {
                post::read_files(ctx, self.named_files(&names));
                Ok(())
            }
            Effect::ClearLane(at) => {
                if let Some(screen) = &mut self.screen {
                    screen.clear_lane(at);
                }
                Ok(())
            }
            Effect::Address(link, history) => {
                address::show(&link, history);
                Ok(())
            }
            Effect::Announce(words) => {
                self.announced = words.into();
                Ok(())
            }
        };
        if let Err(error) = done {
            ctx.link().send_message(Msg::Do(Action::Notice(error)));
        }
    }

    /// Requests an animation frame, if none is pending.
    fn wake(&mut self, ctx: &Context<Self>) {
        if self.frame.is_none() {
            let link = ctx.link().clone();
            self.frame =
                Some(request_animation_frame(move |now_ms| link.send_message(Msg::Frame(now_ms))));
        }
    }

    /// Draws a frame; returns whether the views must be rendered too.
    fn animate(&mut self, ctx: &Context<Self>, now_ms: f64) -> bool {
        self.frame = None;
        let elapsed_ms = if self.last_ms > 0.0 { now_ms - self.last_ms } else { 0.0 };
        self.last_ms = now_ms;
        let was_playing = self.state.head.playing;
        let (before, sweep) = (self.state.head, self.state.sweep_shown());
        if was_playing || self.state.sweeps.playing {
            let effects = self.state.apply(Action::Tick(elapsed_ms / 1000.0));
            effects.into_iter().for_each(|effect| self.perform(ctx, effect));
        }
        self.timeline.send_changes(&self.state);
        let mut again = self.state.is_moving() || self.state.sweeps.playing;
        if let Some(screen) = &mut self.screen {
            again |= screen.frame(&self.state, now_ms);
        }
        if let Some(film) = &mut self.film {
            if let (Some(screen), true) = (&self.screen, was_playing) {
                film.frame(screen);
            }
            if !self.state.head.playing {
                self.export(ctx, Export::StopAnimation);
            }
        }
        if again {
            self.wake(ctx);
        } else {
            self.last_ms = 0.0;
        }
        let stopped = was_playing && !self.state.head.playing;
        let moved = before.at as u64 != self.state.head.at as u64
            || (self.state.axis() == crawl_protocol::Axis::Seconds && before != self.state.head);
        let swept = sweep != self.state.sweep_shown();
        if stopped || swept || (moved && now_ms - self.rendered_ms >= RENDER_EVERY_MS) {
            self.rendered_ms = now_ms;
            self.model = Model(Rc::new(self.state.clone()));
            return true;
        }
        false
    }

    fn gesture(&mut self, ctx: &Context<Self>, gesture: Gesture) -> bool {
        let action = self.screen.as_mut().and_then(|s| s.gesture(gesture, &self.state));
        self.wake(ctx);
        match action {
            None => false,
            Some(action) => {
                self.act(ctx, action);
                true
            }
        }
    }

    /// The link to the whole app, for a frame in another page.
    fn whole_link(&self) -> String {
        let shared = self.state.shared().map(|mut shared| {
            shared.view.embed = false;
            shared.to_link()
        });
        address::absolute(&shared.unwrap_or_default())
    }
}

#[wasm_bindgen]
extern "C" {
    /// The canvas that `www/boot.js` created, once.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = takeStage)]
    fn take_stage() -> Option<HtmlCanvasElement>;
}

/// A canvas for the stage.
fn stage_canvas() -> Option<HtmlCanvasElement> {
    let canvas = take_stage().or_else(|| {
        let document = window()?.document()?;
        document.create_element("canvas").ok()?.dyn_into().ok()
    })?;
    canvas.set_class_name("stage-canvas");
    // Its content has a text alternative beside it.
    let _ = canvas.set_attribute("aria-hidden", "true");
    Some(canvas)
}
