//! The timeline in the browser: loaded when it is first shown, told what is new, heard.

use crate::app::{App, Msg};
use crate::model::{Said, State};
use crate::text::{fill, text};
use crawl_post::said;
use crawl_protocol::decode;
use crawl_protocol::timeline::Wish;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::{Context, NodeRef};

/// Who tells something: the app itself, no lane.
const FROM_APP: i32 = -1;

#[wasm_bindgen]
extern "C" {
    /// Loads the timeline, once, and shows it in an element. `hear` is called with the function that
    /// tells it things or with an error, and from then on with the bytes of its wishes.
    #[wasm_bindgen(js_namespace = crawlscope, js_name = showTimeline)]
    fn show(element: &HtmlElement, hear: &JsValue);
}

/// The timeline.
#[derive(Default)]
pub struct Timeline {
    /// Where it is drawn.
    pub node: NodeRef,
    /// What it calls; there while it is shown.
    hear: Option<Closure<dyn FnMut(JsValue)>>,
    tell: Option<Function>,
    said: Said,
}

impl Timeline {
    /// After each rendering: it comes and goes with its element.
    pub fn follow(&mut self, ctx: &Context<App>) {
        match (self.node.cast::<HtmlElement>(), &self.hear) {
            (Some(element), None) => {
                let link = ctx.link().clone();
                let hear = Closure::new(move |heard| link.send_message(Msg::Timeline(heard)));
                show(&element, hear.as_ref());
                self.hear = Some(hear);
            }
            (None, Some(_)) => {
                // Nothing told at all: its element is gone.
                self.tell(FROM_APP, &[]);
                *self = Self { node: self.node.clone(), ..Self::default() };
            }
            _ => {}
        }
    }

    /// What it says: a wish, or nothing but that it is there; or why it is not.
    pub fn heard(&mut self, heard: JsValue) -> Result<Option<Wish>, String> {
        if let Some(bytes) = heard.dyn_ref::<Uint8Array>() {
            return Ok(decode(&bytes.to_vec()).ok());
        }
        match heard.dyn_into() {
            Ok(tell) => {
                self.tell = self.hear.is_some().then_some(tell);
                Ok(None)
            }
            Err(error) => Err(fill(text().timeline_failed, &[("error", &said(&error))])),
        }
    }

    /// Tells it what is new.
    pub fn news(&mut self, state: &State) {
        if self.tell.is_some() {
            let news = state.timeline_news(&mut self.said);
            news.iter().for_each(|told| self.tell(FROM_APP, told));
        }
    }

    /// Passes a message on, with the lane it comes from.
    pub fn tell(&self, from: i32, bytes: &[u8]) {
        if let Some(tell) = &self.tell {
            // What it cannot read it leaves out.
            let _ = tell.call2(&JsValue::NULL, &from.into(), &Uint8Array::from(bytes));
        }
    }
}
