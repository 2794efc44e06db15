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
    /// A world worker says something; the parcel as it came.
    World(Watched, JsValue),
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

impl Workers {
    /// Starts the world worker and so many lanes' workers. What comes from any worker goes to
    /// `on_post`.
    pub fn new(n_lanes: usize, on_post: Callback<Post>) -> Result<Self, String> {
        let mut workers = Self { on_post, world: None, whole: None, lanes: Vec::new() };
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
        let watched = Watched::World { is_whole: program == WHOLE };
        let came = move |data| Post::World(watched, data);
        let hand = self.start(program, came, Post::WorldDied)?;
        self.on_post.emit(Post::Started(watched));
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
        self.on_post.emit(Post::Started(Watched::Lane(at)));
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

    /// Pings a worker; false where there is none.
    pub fn ping(&self, worker: Watched) -> Result<bool, String> {
        let hand = match worker {
            Watched::World { is_whole } => {
                let hands = [&self.world, &self.whole].into_iter().flatten();
                let hand = hands.into_iter().find(|hand| hand.is_whole == is_whole);
                return hand
                    .map_or(Ok(false), |h| h.tell(&world::Command::Ping, &[]).map(|()| true));
            }
            Watched::Lane(at) => self.lanes.get(at),
        };
        hand.map_or(Ok(false), |hand| hand.tell(&lane::Command::Ping, &[]).map(|()| true))
    }

    fn start(
        &self,
        program: &str,
        came: impl Fn(JsValue) -> Post + 'static,
        died: impl Fn(String) -> Post + 'static,
    ) -> Result<Hand, String> {
        let worker = take_worker(program).map_err(|error| said(&error))?;
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
    /// A worker with that program, by `www/boot.js`: one that was started early, or a new one.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = takeWorker, catch)]
    fn take_worker(program: &str) -> Result<Worker, JsValue>;

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
