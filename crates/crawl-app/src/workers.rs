//! The workers: started, greeted, told things, and started again when they die.

use crate::model::{Worker as Watched, clean_lane, clean_world};
use crawl_post::{BUILD, PostError, open, post, said};
use crawl_protocol::{Greeting, lane, world};
use js_sys::JsString;
use serde::Serialize;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use web_sys::{Event, MessageChannel, MessageEvent, Worker};
use yew::Callback;

/// What comes from a worker.
pub enum Post {
    /// A worker was started.
    Started(Watched),
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
pub struct Workers {
    on_post: Callback<Post>,
    world: Option<Hand>,
    lanes: Vec<Hand>,
}

impl Workers {
    /// Starts the world worker and `n_lanes` lane workers. Their messages go to `on_post`.
    pub fn new(n_lanes: usize, on_post: Callback<Post>) -> Result<Self, String> {
        let mut workers = Self { on_post, world: None, lanes: Vec::new() };
        workers.start_world()?;
        workers.have_lanes(n_lanes)?;
        Ok(workers)
    }

    /// Starts the world worker anew and connects the lanes to it.
    pub fn start_world(&mut self) -> Result<(), String> {
        self.world = None;
        let hand = self.start(Post::World, Post::WorldDied)?;
        self.on_post.emit(Post::Started(Watched::World));
        hand.tell(&world::Command::Hello(greeting()), &[])?;
        self.world = Some(hand);
        // Lanes receive worlds over ports that died with the old worker.
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
        let came = move |data| Post::Lane(at, data);
        let hand = self.start(came, move |error| Post::LaneDied(at, error))?;
        self.on_post.emit(Post::Started(Watched::Lane(at)));
        let channel = MessageChannel::new().map_err(|e| said(&e))?;
        if let Some(world) = &self.world {
            world.tell(&world::Command::Lane, &[channel.port1().into()])?;
        }
        hand.tell(&lane::Command::Hello(greeting()), &[channel.port2().into()])?;
        Ok(hand)
    }

    /// Tells the world worker something.
    pub fn tell_world(&self, command: &world::Command, beside: &[JsValue]) -> Result<(), String> {
        self.world.as_ref().map_or(Ok(()), |hand| hand.tell(command, beside))
    }

    /// Tells a lane worker something.
    pub fn tell_lane(&self, at: usize, command: &lane::Command) -> Result<(), String> {
        self.lanes.get(at).map_or(Ok(()), |hand| hand.tell(command, &[]))
    }

    /// Pings a worker; false where there is none.
    pub fn ping(&self, worker: Watched) -> Result<bool, String> {
        let pinged = match worker {
            Watched::World => self.world.as_ref().map(|hand| hand.tell(&world::Command::Ping, &[])),
            Watched::Lane(at) => {
                self.lanes.get(at).map(|hand| hand.tell(&lane::Command::Ping, &[]))
            }
        };
        pinged.map_or(Ok(false), |sent| sent.map(|()| true))
    }

    fn start(
        &self,
        came: impl Fn(JsValue) -> Post + 'static,
        died: impl Fn(String) -> Post + 'static,
    ) -> Result<Hand, String> {
        let worker = take_worker().map_err(|error| said(&error))?;
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
    /// A worker, by `www/boot.js`: one that was started early, or a new one.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = takeWorker, catch)]
    fn take_worker() -> Result<Worker, JsValue>;
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
    let mut opened = open(data)?;
    clean_world(&mut opened.message);
    Ok(opened)
}

/// Opens a parcel of a lane worker.
pub fn open_lane(data: &JsValue) -> Result<crawl_post::Opened<lane::Answer>, PostError> {
    let mut opened = open(data)?;
    clean_lane(&mut opened.message);
    Ok(opened)
}
