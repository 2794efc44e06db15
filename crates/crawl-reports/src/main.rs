//! The reports in the browser: one function, which the world worker calls.
//!
//! Between two slices the program posts itself a message, as the worker does.

use crawl_post::post;
use crawl_protocol::decode;
use crawl_reports::{Answer, Host, Reports};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

thread_local! {
    static SHELL: RefCell<Option<Shell>> = const { RefCell::new(None) };
}

struct Shell {
    reports: Reports,
    scope: DedicatedWorkerGlobalScope,
    /// A message that is posted here comes back as the next turn to work.
    bell: MessagePort,
    rung: bool,
}

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let channel = MessageChannel::new().unwrap_throw();
    let turn = Closure::<dyn Fn(MessageEvent)>::new(|_| turn()).into_js_value();
    channel.port1().set_onmessage(Some(turn.unchecked_ref()));
    let shell = Shell { reports: Reports::default(), scope, bell: channel.port2(), rung: false };
    SHELL.set(Some(shell));
}

/// Receives a command as the world worker got it from the app, and the flat form of the open world
/// where it is about that, else nothing. Answers go to the app.
#[wasm_bindgen]
pub fn command(message: &[u8], world: &[u8]) -> Result<(), JsError> {
    let command = decode(message)?;
    SHELL.with_borrow_mut(|shell| {
        if let Some(Shell { reports, scope, bell, rung }) = shell {
            reports.command(command, world, &mut Browser { scope });
            ring(bell, rung);
        }
    });
    Ok(())
}

/// Works for a slice.
fn turn() {
    SHELL.with_borrow_mut(|shell| {
        if let Some(Shell { reports, scope, bell, rung }) = shell {
            *rung = false;
            if reports.work(&mut Browser { scope }) {
                ring(bell, rung);
            }
        }
    });
}

/// Asks for a turn to work.
fn ring(bell: &MessagePort, rung: &mut bool) {
    if !std::mem::replace(rung, true) {
        // A port of one's own does not refuse.
        let _ = bell.post_message(&JsValue::NULL);
    }
}

struct Browser<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
}

impl Host for Browser<'_> {
    fn now_ms(&self) -> f64 {
        self.scope.performance().map_or_else(js_sys::Date::now, |performance| performance.now())
    }

    fn send(&mut self, answer: Answer, bytes: Option<Vec<u8>>) {
        let beside: Vec<JsValue> = bytes.iter().map(|bytes| crawl_post::bytes(bytes)).collect();
        if let Err(error) = post(self.scope, &answer, &beside) {
            wasm_bindgen::throw_str(&error.to_string());
        }
    }
}
