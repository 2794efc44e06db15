//! The timeline in the browser: loaded when it is first shown, told what is new, heard.

use crate::app::{App, Msg};
use crate::model::{Action, Said, State};
use crate::text::{fill, text};
use crawl_post::said;
use crawl_protocol::decode;
use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlElement;
use yew::{Context, NodeRef};

/// Who tells something: the app itself, no lane.
const FROM_APP: i32 = -1;

#[wasm_bindgen]
extern "C" {
    /// Loads the timeline, once, and shows it in an element; gives the function that tells it things.
    #[wasm_bindgen(catch, js_namespace = crawlscope, js_name = showTimeline)]
    fn show(element: &HtmlElement, wish: &Function) -> Result<Promise, JsValue>;
}

/// The timeline.
#[derive(Default)]
pub struct Timeline {
    /// Where it is drawn.
    pub node: NodeRef,
    /// What it calls with its wishes; there while it is shown.
    wish: Option<Closure<dyn FnMut(Uint8Array)>>,
    tell: Option<Function>,
    said: Said,
}

impl Timeline {
    /// After each rendering: it comes and goes with its element.
    pub fn follow(&mut self, ctx: &Context<App>) {
        match (self.node.cast::<HtmlElement>(), &self.wish) {
            (Some(element), None) => self.load(&element, ctx),
            (None, Some(_)) => {
                // Nothing told at all: its element is gone.
                self.tell(FROM_APP, &[]);
                *self = Self { node: self.node.clone(), ..Self::default() };
            }
            _ => {}
        }
    }

    fn load(&mut self, element: &HtmlElement, ctx: &Context<App>) {
        let link = ctx.link().clone();
        let wish = Closure::new(move |bytes: Uint8Array| {
            if let Ok(wish) = decode(&bytes.to_vec()) {
                link.send_message(Msg::Do(Action::Wished(wish)));
            }
        });
        let shown = show(element, wish.as_ref().unchecked_ref());
        self.wish = Some(wish);
        let link = ctx.link().clone();
        spawn_local(async move {
            let tell = match shown {
                Ok(promise) => JsFuture::from(promise).await,
                Err(error) => Err(error),
            };
            match tell.and_then(JsCast::dyn_into) {
                Ok(tell) => link.send_message(Msg::Timeline(tell)),
                Err(error) => {
                    let words = fill(text().timeline_failed, &[("error", &said(&error))]);
                    link.send_message(Msg::Do(Action::Timeline(false)));
                    link.send_message(Msg::Do(Action::Notice(words)));
                }
            }
        });
    }

    /// It is loaded.
    pub fn loaded(&mut self, tell: Function) {
        self.tell = self.wish.is_some().then_some(tell);
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
