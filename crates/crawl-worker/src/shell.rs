//! The worker in the browser: what comes in the post, and work between two deliveries.
//!
//! Work goes on in slices; between them the worker posts itself a message, which unlike a timer
//! comes at once and in turn with everybody else's.

use crate::lane::{self, LaneWorker};
use crate::world::{self, Given, Lanes, StoreRequest, WorldWorker};
use crate::{Array, program, reader, store};
use crawl_post::{Address, BUILD, Opened, PostError, open, post};
use crawl_protocol::reader::Job;
use crawl_protocol::world::{Failure, Handover};
use crawl_protocol::{Greeting, Task};
use js_sys::{Float32Array, Float64Array, Uint8Array, Uint32Array};
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

/// Listens for the first message.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let channel = MessageChannel::new().unwrap_throw();
    let bell = channel.port2();
    let shell =
        Rc::new(RefCell::new(Shell { role: Role::New, scope: scope.clone(), bell, rung: false }));
    let own = shell.clone();
    scope.set_onmessage(Some(&listener(move |event| receive(&own, &event))));
    channel.port1().set_onmessage(Some(&listener(move |_| turn(&shell))));
}

struct Shell {
    role: Role,
    scope: DedicatedWorkerGlobalScope,
    /// What is posted here comes back as the next turn to work.
    bell: MessagePort,
    rung: bool,
}

enum Role {
    /// Nobody has said yet.
    New,
    /// An app of another build is there: nothing it says can be understood.
    Deaf,
    World(Box<WorldWorker>, Lines),
    Lane(Box<LaneWorker>),
}

/// The ports to the lanes.
#[derive(Default)]
struct Lines(Vec<MessagePort>);

type Shared = Rc<RefCell<Shell>>;

/// A function that hears messages for as long as the worker lives.
fn listener(hear: impl Fn(MessageEvent) + 'static) -> js_sys::Function {
    Closure::<dyn Fn(MessageEvent)>::new(hear).into_js_value().unchecked_into()
}

/// Hears from the app.
fn receive(shared: &Shared, event: &MessageEvent) {
    if let Err(error) = Shell::receive(shared, &event.data()) {
        // The app hears of it as the worker's error.
        wasm_bindgen::throw_str(&error.to_string());
    }
    shared.borrow_mut().ring();
}

/// Works for a slice.
fn turn(shared: &Shared) {
    let mut shell = shared.borrow_mut();
    shell.rung = false;
    let Shell { role, scope, .. } = &mut *shell;
    let more = match role {
        Role::World(worker, lines) => {
            worker.work(&mut Browser { scope, lines, shared, beside: None })
        }
        Role::Lane(worker) => worker.work(&mut LaneBrowser { scope }),
        Role::New | Role::Deaf => false,
    };
    if more {
        shell.ring();
    }
}

impl Shell {
    /// Asks for a turn to work.
    fn ring(&mut self) {
        if !std::mem::replace(&mut self.rung, true) {
            // A port of one's own does not refuse.
            let _ = self.bell.post_message(&JsValue::NULL);
        }
    }

    fn receive(shared: &Shared, data: &JsValue) -> Result<(), PostError> {
        let mut shell = shared.borrow_mut();
        if matches!(shell.role, Role::New) {
            shell.role = shell.first(shared, data)?;
        }
        let Shell { role, scope, .. } = &mut *shell;
        match role {
            Role::World(worker, lines) => {
                let parcel: Opened<world::Command> = open(data)?;
                if let Ok(port) = parcel.get::<MessagePort>(0) {
                    lines.add(port, shared);
                }
                let beside = Some(parcel.beside());
                worker.command(parcel.message, &mut Browser { scope, lines, shared, beside });
            }
            Role::Lane(worker) => {
                let parcel: Opened<lane::Command> = open(data)?;
                worker.command(parcel.message, &mut LaneBrowser { scope });
            }
            Role::New | Role::Deaf => {}
        }
        Ok(())
    }

    /// Learns from the first message what this worker is: a lane's comes with a port.
    fn first(&self, shared: &Shared, data: &JsValue) -> Result<Role, PostError> {
        let parcel: Opened<lane::Command> = open(data)?;
        let lane::Command::Hello(greeting) = &parcel.message else {
            return Err(PostError::NoParcel);
        };
        let port = parcel.get::<MessagePort>(0).ok();
        if greeting.build != BUILD {
            let own = Greeting { build: BUILD.to_owned() };
            match port {
                Some(_) => post(&self.scope, &lane::Answer::Hello(own), &[])?,
                None => {
                    let answer = world::Answer::Hello(own, Box::default(), Vec::new());
                    post(&self.scope, &answer, &[])?;
                }
            }
            return Ok(Role::Deaf);
        }
        let Some(port) = port else {
            return Ok(Role::World(Box::new(WorldWorker::new(BUILD)), Lines::default()));
        };
        let shared = shared.clone();
        port.set_onmessage(Some(&listener(move |event| hand_over(&shared, &event))));
        Ok(Role::Lane(Box::new(LaneWorker::new(BUILD))))
    }
}

/// Hears from the world worker.
fn hand_over(shared: &Shared, event: &MessageEvent) {
    let mut shell = shared.borrow_mut();
    let Shell { role, scope, .. } = &mut *shell;
    let Role::Lane(worker) = role else { return };
    match open::<Handover>(&event.data()) {
        Ok(parcel) => {
            let arrays = arrays(&parcel);
            worker.handover(parcel.message, arrays, &mut LaneBrowser { scope });
        }
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    }
    shell.ring();
}

impl Lines {
    /// Adds a lane; it is forgotten when its worker ends.
    fn add(&mut self, port: MessagePort, shared: &Shared) {
        let (shared, gone) = (shared.clone(), port.clone());
        let forget = Closure::once_into_js(move || {
            if let Role::World(_, lines) = &mut shared.borrow_mut().role {
                lines.0.retain(|port| *port != gone);
            }
        });
        let _ = port.add_event_listener_with_callback("close", forget.unchecked_ref());
        // Only a port that was started says when it closes.
        port.start();
        self.0.push(port);
    }
}

/// The arrays that came beside a message.
fn arrays<T>(parcel: &Opened<T>) -> Vec<Array> {
    let array = |at: usize| {
        let item: JsValue = parcel.get(at).ok()?;
        if let Some(bytes) = item.dyn_ref::<Uint8Array>() {
            Some(Array::U8(bytes.to_vec()))
        } else if let Some(numbers) = item.dyn_ref::<Uint32Array>() {
            Some(Array::U32(numbers.to_vec()))
        } else if let Some(numbers) = item.dyn_ref::<Float32Array>() {
            Some(Array::F32(numbers.to_vec()))
        } else {
            item.dyn_ref::<Float64Array>().map(|numbers| Array::F64(numbers.to_vec()))
        }
    };
    (0..parcel.n_beside()).filter_map(array).collect()
}

/// Sends a message with arrays.
fn send<T: Serialize>(to: &dyn Address, message: &T, arrays: &[Array]) {
    let beside: Vec<JsValue> = arrays.iter().map(to_js).collect();
    if let Err(error) = post(to, message, &beside) {
        wasm_bindgen::throw_str(&error.to_string());
    }
}

fn to_js(array: &Array) -> JsValue {
    match array {
        Array::U8(bytes) => crawl_post::bytes(bytes),
        Array::U32(numbers) => crawl_post::u32s(numbers),
        Array::F32(numbers) => crawl_post::f32s(numbers),
        Array::F64(numbers) => crawl_post::f64s(numbers),
    }
}

fn now_ms(scope: &DedicatedWorkerGlobalScope) -> f64 {
    scope.performance().map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// The browser, for a lane worker.
struct LaneBrowser<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
}

impl lane::Host for LaneBrowser<'_> {
    fn now_ms(&self) -> f64 {
        now_ms(self.scope)
    }

    fn send(&mut self, answer: lane::Answer, arrays: Vec<Array>) {
        send(self.scope, &answer, &arrays);
    }
}

/// Has the world worker hear of something that came later.
fn with_world(shared: &Shared, hear: impl FnOnce(&mut WorldWorker, &mut Browser<'_>)) {
    let mut shell = shared.borrow_mut();
    let Shell { role, scope, .. } = &mut *shell;
    if let Role::World(worker, lines) = role {
        hear(worker, &mut Browser { scope, lines, shared, beside: None });
    }
    shell.ring();
}

/// The browser, for the world worker.
struct Browser<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
    lines: &'a Lines,
    shared: &'a Shared,
    /// What came beside the command that is being heard.
    beside: Option<js_sys::Array>,
}

impl world::Host for Browser<'_> {
    fn now_ms(&self) -> f64 {
        now_ms(self.scope)
    }

    fn date_ms(&self) -> f64 {
        js_sys::Date::now()
    }

    fn send(&mut self, answer: world::Answer, arrays: Vec<Array>) {
        send(self.scope, &answer, &arrays);
    }

    fn hand_over(&mut self, to: Lanes, message: &Handover, arrays: &[Array]) {
        let lines = &self.lines.0;
        let to = match to {
            Lanes::All => lines.as_slice(),
            Lanes::Latest => &lines[lines.len().saturating_sub(1)..],
        };
        to.iter().for_each(|port| send(port, message, arrays));
    }

    fn store(&mut self, request: StoreRequest) {
        let (scope, shared) = (self.scope.clone(), self.shared.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let reply = store::serve(request, &scope).await;
            with_world(&shared, |worker, host| worker.stored(reply, host));
        });
    }

    fn read(&mut self, task: Task, job: Job, given: Given) {
        let beside = match given {
            Given::Nothing => js_sys::Array::new(),
            Given::Beside => self.beside.take().unwrap_or_default(),
            Given::Bytes(bytes) => js_sys::Array::of1(&crawl_post::bytes(&bytes)),
        };
        let (scope, shared) = (self.scope.clone(), self.shared.clone());
        let told = shared.clone();
        let tell = move |done: u64, of: u64| {
            with_world(&told, |worker, host| worker.reading(task, done, of, host));
        };
        wasm_bindgen_futures::spawn_local(async move {
            let (outcome, bytes) = reader::work(&job, &beside, &scope, tell).await;
            with_world(&shared, |worker, host| worker.read(task, outcome, bytes, host));
        });
    }

    fn report(&mut self, task: Task, command: world::Command, world: Vec<u8>) {
        let scope = self.scope.clone();
        wasm_bindgen_futures::spawn_local(async move {
            if let Err(error) = program::report(&scope, &command, &world).await {
                let failure = Failure::Words(error);
                send(&scope, &world::Answer::Failed { task, failure }, &[]);
            }
        });
    }
}
