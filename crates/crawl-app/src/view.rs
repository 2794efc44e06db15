//! What is on screen. Views read the state and emit actions; none of them keeps a model of its own.

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
use std::ops::Deref;
use std::rc::Rc;
use yew::prelude::*;

/// Most characters of a world's or a file's name that are shown.
const TITLE_CHARS: usize = 80;

/// The state as it was when the screen was last drawn.
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

/// What nearly every view is given.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub model: Model,
    /// Where actions go.
    pub on: Callback<Action>,
}

impl Props {
    /// A callback that emits one action, whatever the event.
    pub fn emit<E>(&self, action: Action) -> Callback<E> {
        let on = self.on.clone();
        Callback::from(move |_| on.emit(action.clone()))
    }

    /// The sign of a lane: its shape, in its colour.
    pub fn shape(&self, at: usize) -> Html {
        icon::shape(self.model.mark(at))
    }

    /// The class that gives an element a lane's colour.
    pub fn lane_class(&self, at: usize) -> String {
        icon::class(self.model.mark(at))
    }

    /// The name of a lane.
    pub fn lane_title(&self, at: usize) -> String {
        self.model.lane_title(at)
    }

    /// What the world is called, also while it is not there.
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

    /// The name of a chosen entry, with the parameters that differ from their defaults.
    pub fn title(&self, chosen: &crawl_catalogue::Chosen) -> String {
        self.model.title_of(chosen)
    }
}
