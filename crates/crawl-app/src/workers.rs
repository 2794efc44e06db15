//! The workers: started, greeted, told things, and started again when they die.

use crate::text::text;
use crawl_post::{BUILD, PostError, open, post, said};
use crawl_protocol::{Greeting, lane, world};
use js_sys::JsString;
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
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The world worker and the lane workers.
pub struct Workers {
    script: String,
    on_post: Callback<Post>,
    world: Option<Hand>,
    lanes: Vec<Hand>,
}

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
        let mut workers = Self { script, on_post, world: None, lanes: Vec::new() };
        workers.start_world()?;
        workers.have_lanes(n_lanes)?;
        Ok(workers)
    }

    /// Starts the world worker anew and connects the lanes to it.
    pub fn start_world(&mut self) -> Result<(), String> {
        self.world = None;
        let hand = self.start(Post::World, Post::WorldDied)?;
        self.world = Some(hand);
        self.tell_world(&world::Command::Hello(greeting()), &[])?;
        // Lanes hear of worlds over ports that died with the old worker.
        let n = self.lanes.len();
        self.lanes.clear();
        self.have_lanes(n)
    }

    /// Has so many lane workers; more than that are kept for later.
    pub fn have_lanes(&mut self, n: usize) -> Result<(), String> {
        while self.lanes.len() < n {
            let hand = self.start_lane(self.lanes.len())?;
            self.lanes.push(hand);
        }
        Ok(())
    }

    /// Starts one lane's worker anew.
    pub fn restart_lane(&mut self, at: usize) -> Result<(), String> {
        if at < self.lanes.len() {
            self.lanes[at] = self.start_lane(at)?;
        }
        Ok(())
    }

    fn start_lane(&self, at: usize) -> Result<Hand, String> {
        let hand =
            self.start(move |data| Post::Lane(at, data), move |error| Post::LaneDied(at, error))?;
        let channel = MessageChannel::new().map_err(|e| said(&e))?;
        self.tell_world(&world::Command::Lane, &[channel.port1().into()])?;
        let hello = lane::Command::Hello(greeting());
        let sent = post(&hand.worker, &hello, &[channel.port2().into()]);
        sent.map_err(|e| e.to_string())?;
        Ok(hand)
    }

    /// Tells the world worker something.
    pub fn tell_world(&self, command: &world::Command, beside: &[JsValue]) -> Result<(), String> {
        let Some(hand) = &self.world else { return Ok(()) };
        post(&hand.worker, command, beside).map_err(|error| error.to_string())
    }

    /// Tells a lane worker something.
    pub fn tell_lane(&self, at: usize, command: &lane::Command) -> Result<(), String> {
        let Some(hand) = self.lanes.get(at) else { return Ok(()) };
        post(&hand.worker, command, &[]).map_err(|error| error.to_string())
    }

    fn start(
        &self,
        came: impl Fn(JsValue) -> Post + 'static,
        died: impl Fn(String) -> Post + 'static,
    ) -> Result<Hand, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker =
            Worker::new_with_options(&self.script, &options).map_err(|error| said(&error))?;
        start_program(&worker);
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
        Ok(Hand { worker, _message: message, _error: error })
    }
}

#[wasm_bindgen]
extern "C" {
    /// Sends a worker its program, as soon as that is compiled: `www/boot.js` does so once for all.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = startProgram)]
    fn start_program(worker: &Worker);
}

fn greeting() -> Greeting {
    Greeting { build: BUILD.to_owned() }
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
