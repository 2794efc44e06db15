//! The workers: started, greeted, told things, and started again when they die.

use crate::text::text;
use crawl_post::{BUILD, PostError, open, post, said};
use crawl_protocol::{Greeting, lane, world};
use js_sys::JsString;
use serde::Serialize;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use web_sys::{Event, MessageChannel, MessageEvent, Worker, WorkerOptions, WorkerType, window};
use yew::Callback;

/// What comes from a worker.
pub enum Post {
    /// The world worker says something; the parcel as it came.
    World(JsValue),
    /// A lane worker says something.
    Lane(usize, JsValue),
    /// The world worker died.
    WorldDied(String),
    /// A lane worker died.
    LaneDied(usize, String),
}

/// One worker and the closures it calls.
struct Hand {
    worker: Worker,
    /// Whether it runs the whole program.
    is_whole: bool,
    /// Whether it has been given something to do.
    is_used: bool,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Hand {
    fn tell(&self, message: &impl Serialize, beside: &[JsValue]) -> Result<(), String> {
        post(&self.worker, message, beside).map_err(|error| error.to_string())
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The world worker and the lane workers.
///
/// A first visit starts with a small program ([`FIRST`]), which opens one world and runs each lane
/// once. Whatever comes after that goes to workers with the whole program, which take over one by one.
pub struct Workers {
    script: String,
    on_post: Callback<Post>,
    /// The one that holds the world.
    world: Option<Hand>,
    /// One with the whole program, while that of a first visit holds the world.
    whole: Option<Hand>,
    lanes: Vec<Hand>,
}

/// What `www/boot.js` and `www/worker.js` call the program of a first visit.
const FIRST: &str = "crawl-first";
/// And the whole.
const WHOLE: &str = "crawl-worker";

/// The name of the element that says where the worker's script is; the build writes it.
const SCRIPT: &str = "meta[name=crawlscope-worker]";

impl Workers {
    /// Starts the world worker and so many lanes' workers. What comes from any worker goes to
    /// `on_post`.
    pub fn new(n_lanes: usize, on_post: Callback<Post>) -> Result<Self, String> {
        let document = window().and_then(|w| w.document()).ok_or(text().page_lacks_worker)?;
        let element = document.query_selector(SCRIPT).ok().flatten();
        let script = element.and_then(|e| e.get_attribute("content"));
        let script = script.ok_or(text().page_lacks_worker)?;
        let base = document.base_uri().ok().flatten().unwrap_or_default();
        let script = web_sys::Url::new_with_base(&script, &base).map_err(|e| said(&e))?.href();
        let mut workers = Self { script, on_post, world: None, whole: None, lanes: Vec::new() };
        let program = if first_program() == FIRST { FIRST } else { WHOLE };
        workers.world = Some(workers.start_world_with(program)?);
        workers.have_lanes_with(n_lanes, program)?;
        Ok(workers)
    }

    /// Starts the world worker anew and connects the lanes to it.
    pub fn start_world(&mut self) -> Result<(), String> {
        (self.world, self.whole) = (None, None);
        self.world = Some(self.start_world_with(WHOLE)?);
        self.connect_anew()
    }

    fn start_world_with(&self, program: &str) -> Result<Hand, String> {
        let hand = self.start(program, Post::World, Post::WorldDied)?;
        hand.tell(&world::Command::Hello(greeting()), &[])?;
        Ok(hand)
    }

    /// Lanes hear of worlds over ports that died with the old worker.
    fn connect_anew(&mut self) -> Result<(), String> {
        let n = self.lanes.len();
        self.lanes.clear();
        self.have_lanes(n)
    }

    /// The world worker with the whole program, started if need be.
    pub fn have_whole(&mut self) -> Result<(), String> {
        let is_there = self.whole.is_some() || self.world.as_ref().is_some_and(|w| w.is_whole);
        if !is_there {
            self.whole = Some(self.start_world_with(WHOLE)?);
        }
        Ok(())
    }

    /// Has so many lane workers; more than that are kept for later.
    pub fn have_lanes(&mut self, n: usize) -> Result<(), String> {
        self.have_lanes_with(n, WHOLE)
    }

    fn have_lanes_with(&mut self, n: usize, program: &str) -> Result<(), String> {
        while self.lanes.len() < n {
            let hand = self.start_lane(self.lanes.len(), program)?;
            self.lanes.push(hand);
        }
        Ok(())
    }

    /// Starts one lane's worker anew.
    pub fn restart_lane(&mut self, at: usize) -> Result<(), String> {
        if at < self.lanes.len() {
            self.lanes[at] = self.start_lane(at, WHOLE)?;
        }
        Ok(())
    }

    fn start_lane(&self, at: usize, program: &str) -> Result<Hand, String> {
        let came = move |data| Post::Lane(at, data);
        let hand = self.start(program, came, move |error| Post::LaneDied(at, error))?;
        let channel = MessageChannel::new().map_err(|e| said(&e))?;
        if let Some(world) = &self.world {
            world.tell(&world::Command::Lane, &[channel.port1().into()])?;
        }
        hand.tell(&lane::Command::Hello(greeting()), &[channel.port2().into()])?;
        Ok(hand)
    }

    /// Tells the world worker something.
    pub fn tell_world(
        &mut self,
        command: &world::Command,
        beside: &[JsValue],
    ) -> Result<(), String> {
        use world::Command::{
            Cancel, Check, Code, Documents, Figure, Import, Open, Rank, Store, Thumbnails, Try,
            Words,
        };
        // What has nothing to do with the world that is open.
        let is_apart = matches!(
            command,
            Check { .. }
                | Code { .. }
                | Documents
                | Figure { .. }
                | Import { .. }
                | Rank { .. }
                | Store(_)
                | Thumbnails
                | Try { .. }
                | Words { .. }
        );
        // Either may be at what is not wanted any more.
        if let (Cancel(_), Some(whole)) = (command, &self.whole) {
            whole.tell(command, &[])?;
        }
        let is_open = matches!(command, Open { .. });
        let is_second = self.world.as_ref().is_some_and(|hand| !hand.is_whole && hand.is_used);
        if is_apart || is_open && is_second {
            self.have_whole()?;
        }
        if is_open && self.whole.is_some() {
            self.world = self.whole.take();
            self.connect_anew()?;
        }
        let whole = self.whole.as_mut().filter(|_| is_apart);
        let Some(hand) = whole.or(self.world.as_mut()) else { return Ok(()) };
        hand.is_used |= is_open;
        hand.tell(command, beside)
    }

    /// Tells a lane worker something.
    pub fn tell_lane(&mut self, at: usize, command: &lane::Command) -> Result<(), String> {
        let is_run = matches!(command, lane::Command::Run { .. });
        if is_run && self.lanes.get(at).is_some_and(|hand| !hand.is_whole && hand.is_used) {
            self.restart_lane(at)?;
        }
        let Some(hand) = self.lanes.get_mut(at) else { return Ok(()) };
        hand.is_used |= is_run;
        hand.tell(command, &[])
    }

    fn start(
        &self,
        program: &str,
        came: impl Fn(JsValue) -> Post + 'static,
        died: impl Fn(String) -> Post + 'static,
    ) -> Result<Hand, String> {
        let worker = match take_worker(program) {
            Some(early) => early,
            None => {
                let options = WorkerOptions::new();
                options.set_type(WorkerType::Module);
                options.set_name(program);
                let worker = Worker::new_with_options(&self.script, &options);
                let worker = worker.map_err(|error| said(&error))?;
                start_program(&worker, program);
                worker
            }
        };
        let on_post = self.on_post.clone();
        let message = Closure::new(move |event: MessageEvent| on_post.emit(came(event.data())));
        let on_post = self.on_post.clone();
        let error = Closure::new(move |event: Event| {
            event.prevent_default();
            let said = js_sys::Reflect::get(&event, &"message".into()).unwrap_or_default();
            let said = said.dyn_ref::<JsString>().map(String::from).unwrap_or_default();
            on_post.emit(died(said));
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        let is_whole = program == WHOLE;
        Ok(Hand { worker, is_whole, is_used: false, _message: message, _error: error })
    }
}

#[wasm_bindgen]
extern "C" {
    /// Sends a worker its program, as soon as that is compiled: `www/boot.js` does so once for all.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = startProgram)]
    fn start_program(worker: &Worker, program: &str);

    /// A worker with that program that `www/boot.js` started ahead, if there is one left.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = takeWorker)]
    fn take_worker(program: &str) -> Option<Worker>;

    /// The program that was fetched ahead for the link the page was opened with.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = firstProgram)]
    fn first_program() -> String;
}

fn greeting() -> Greeting {
    Greeting { build: BUILD.to_owned(), is_whole: true }
}

/// Whether a worker's greeting comes from this build.
pub fn is_ours(greeting: &Greeting) -> bool {
    greeting.build == BUILD
}

/// Opens a parcel of the world worker.
pub fn open_world(data: &JsValue) -> Result<crawl_post::Opened<world::Answer>, PostError> {
    open(data)
}

/// Opens a parcel of a lane worker.
pub fn open_lane(data: &JsValue) -> Result<crawl_post::Opened<lane::Answer>, PostError> {
    open(data)
}
