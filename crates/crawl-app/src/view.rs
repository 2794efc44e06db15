//! Views: render the state and emit actions. They keep no model of their own.

mod chart;
mod claims;
mod dialog;
mod dock;
mod export;
mod fetchers;
mod formula;
mod frontier;
mod graph;
mod help;
mod icon;
mod inspector;
mod lanes;
mod param;
mod print;
mod revisits;
mod seeds;
mod setup;
mod share;
mod states;
mod strategies;
mod text_field;
mod top_bar;
mod topic;
mod transport;
mod why;
mod worlds;

pub use dialog::{DialogsProps, dialogs};
pub use dock::dock;
pub use inspector::inspector;
pub use lanes::{LanesProps, lanes};
pub use print::SIZE as PRINT_SIZE;
pub use setup::setup;
pub use share::shared_link;
pub use states::{broken, starting, workers_failed, world_failed};
pub use top_bar::top_bar;

use crate::model::{Action, State, shorten};
use crawl_catalogue::excerpt;
use crawl_protocol::WorldSource;
use crawl_text::app::text;
use std::ops::Deref;
use std::rc::Rc;
use yew::prelude::*;

/// Maximum length of a world's or file's name, in characters.
const TITLE_CHARS: usize = 80;

/// File names in a sentence, each shortened.
fn listed(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| excerpt(name, TITLE_CHARS)).collect();
    names.join(text().and)
}

/// A snapshot of the state, compared by pointer.
#[derive(Clone)]
pub struct Model(pub Rc<State>);

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Model {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

/// Properties of most views.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// State of the app.
    pub model: Model,
    /// Receives actions.
    pub on: Callback<Action>,
}

impl Props {
    /// A callback that emits an action on any event.
    pub fn emit<E>(&self, action: Action) -> Callback<E> {
        let on = self.on.clone();
        Callback::from(move |_| on.emit(action.clone()))
    }

    /// The icon of a lane: its shape in its colour.
    pub fn shape(&self, at: usize) -> Html {
        icon::shape(self.model.mark(at))
    }

    /// The class that gives an element a lane's colour.
    pub fn lane_class(&self, at: usize) -> String {
        icon::class(self.model.mark(at))
    }

    /// Title of a lane.
    pub fn lane_title(&self, at: usize) -> String {
        self.model.lane_title(at)
    }

    /// Title of the world, also while it is loading.
    pub fn world_title(&self) -> String {
        let source = self.model.experiment.as_ref().map(|experiment| &experiment.world);
        match (self.model.summary(), source) {
            (Some(summary), _) => shorten(&summary.title, TITLE_CHARS),
            (None, Some(WorldSource::Made(chosen))) => self.title(chosen),
            (None, Some(WorldSource::File { names, .. })) => {
                excerpt(&names.join(" + "), TITLE_CHARS).into_owned()
            }
            (None, None) => String::new(),
        }
    }

    /// Title of an entry with its non-default parameters.
    pub fn title(&self, chosen: &crawl_catalogue::Chosen) -> String {
        self.model.title_of(chosen)
    }
}
