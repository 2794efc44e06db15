//! Connection to the timeline program, which is loaded when first shown.

use crate::app::{App, Msg};
use crate::model::{SentMessages, State};
use crawl_post::said;
use crawl_protocol::decode;
use crawl_protocol::timeline::Request;
use crawl_text::app::text;
use crawl_text::fill;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::{Context, NodeRef};

/// Sender of messages from the app; lanes have their index.
const FROM_APP: i32 = -1;

#[wasm_bindgen]
extern "C" {
    /// Loads the timeline, once, and shows it in an element.
    ///
    /// Calls `on_message` with the function that sends messages to it, or with an error; after that
    /// with the bytes of each request.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = showTimeline)]
    fn show(element: &HtmlElement, on_message: &JsValue);
}

/// The connection to the timeline.
#[derive(Default)]
pub struct Timeline {
    /// The element that contains it.
    pub node: NodeRef,
    /// Callback for its messages; present while it is shown.
    on_message: Option<Closure<dyn FnMut(JsValue)>>,
    send: Option<Function>,
    sent: SentMessages,
}

impl Timeline {
    /// Connects or disconnects it after its element has appeared or gone.
    pub fn follow(&mut self, ctx: &Context<App>) {
        match (self.node.cast::<HtmlElement>(), &self.on_message) {
            (Some(element), None) => {
                let link = ctx.link().clone();
                let on_message = Closure::new(move |data| link.send_message(Msg::Timeline(data)));
                show(&element, on_message.as_ref());
                self.on_message = Some(on_message);
            }
            (None, Some(_)) => {
                // An empty message ends it.
                self.send(FROM_APP, &[]);
                *self = Self { node: self.node.clone(), ..Self::default() };
            }
            _ => {}
        }
    }

    /// Handles a message: a request, or `None` for its start.
    ///
    /// # Errors
    /// If the timeline failed to load.
    pub fn receive(&mut self, data: JsValue) -> Result<Option<Request>, String> {
        if let Some(bytes) = data.dyn_ref::<Uint8Array>() {
            return Ok(decode(&bytes.to_vec()).ok());
        }
        match data.dyn_into() {
            Ok(send) => {
                self.send = self.on_message.is_some().then_some(send);
                Ok(None)
            }
            Err(error) => Err(fill(text().timeline_failed, &[("error", &said(&error))])),
        }
    }

    /// Sends what changed since the last call.
    pub fn send_changes(&mut self, state: &State) {
        if self.send.is_some() {
            let changes = state.timeline_changes(&mut self.sent);
            changes.iter().for_each(|message| self.send(FROM_APP, message));
        }
    }

    /// Sends a message from the app or a lane.
    pub fn send(&self, from: i32, bytes: &[u8]) {
        if let Some(send) = &self.send {
            // The timeline ignores messages that it cannot decode.
            let _ = send.call2(&JsValue::NULL, &from.into(), &Uint8Array::from(bytes));
        }
    }
}
