//! Claim tests, figures of the documents, and ranker comparisons.

use super::{Action, Dialog, Effect, State};
use crawl_catalogue::{Chosen, Kind};
use crawl_protocol::world::{Command, DocumentName, Failure};
use crawl_protocol::{Progress, Task, WorldSource};
use std::rc::Rc;

/// The documents, and the last claim test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Available documents.
    pub documents: Vec<DocumentName>,
    task: Option<Task>,
    /// Progress, and the web under test.
    pub progress: Option<(Progress, String)>,
    /// The report as HTML.
    pub html: Option<Rc<str>>,
    /// Why the test failed.
    pub error: Option<String>,
    /// Requested figures.
    pub figures: Vec<FigureState>,
}

/// A figure with parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureState {
    /// The last request.
    pub figure: Chosen,
    task: Task,
    /// The last answer as HTML; empty before the first.
    pub html: Rc<str>,
}

impl Claims {
    /// True while a claim test runs.
    pub fn is_under_way(&self) -> bool {
        self.task.is_some()
    }

    /// Forgets the running test: its worker is gone.
    pub(super) fn forget(&mut self) {
        (self.task, self.progress) = (None, None);
    }

    fn is(&self, task: Task) -> bool {
        self.task == Some(task)
    }
}

impl State {
    /// Compares the first two rankers of the registry.
    pub(super) fn rank_first(&mut self) -> Vec<Effect> {
        let Some(catalogue) = self.catalogue.clone() else { return Vec::new() };
        let mut ids = catalogue.of(Kind::Ranker).map(|entry| entry.id.to_string());
        let first = ids.next().unwrap_or_default();
        let second = ids.next().unwrap_or_else(|| first.clone());
        self.rank(&first, &second)
    }

    /// Compares two rankers on the open world.
    pub(super) fn rank(&mut self, a: &str, b: &str) -> Vec<Effect> {
        let (Some(catalogue), Some(experiment)) = (&self.catalogue, &self.experiment) else {
            return Vec::new();
        };
        let chosen = |spec: &str| catalogue.choose(Kind::Ranker, spec);
        let (Ok(a), Ok(b)) = (chosen(a), chosen(b)) else { return Vec::new() };
        let source = experiment.world.clone();
        let task = self.task();
        self.wanted.rank = task;
        self.ranks = None;
        vec![Effect::World(Command::Rank { task, source, rankers: [a, b] })]
    }

    /// Requests the list of documents, once.
    pub(super) fn ask_documents(&mut self) -> Vec<Effect> {
        if !self.claims.documents.is_empty() {
            return Vec::new();
        }
        vec![Effect::World(Command::Documents { task: self.task() })]
    }

    /// The figure that the link names.
    pub fn linked_figure(&self) -> Option<Chosen> {
        let figure = &self.experiment.as_ref()?.view.figure;
        self.catalogue.as_ref()?.choose(Kind::Figure, figure).ok()
    }

    /// Shows the figure that the opened link names.
    pub(super) fn show_figure(&mut self) -> Vec<Effect> {
        let Some(figure) = self.linked_figure() else { return Vec::new() };
        let effects = self.apply(Action::Open(Dialog::Claims));
        // Figures are otherwise requested when the documents arrive.
        match effects.is_empty() {
            true => self.ask_figure(figure),
            false => effects,
        }
    }

    /// Stores the documents; requests their figures with the link's parameters or the defaults.
    pub(super) fn documents_arrive(&mut self, documents: Vec<DocumentName>) -> Vec<Effect> {
        Rc::make_mut(&mut self.claims).documents = documents;
        let catalogue = self.catalogue.clone().unwrap_or_default();
        let figures = catalogue.of(Kind::Figure);
        let figures = figures.filter_map(|entry| catalogue.choose(Kind::Figure, &entry.id).ok());
        let linked = self.linked_figure();
        let as_linked = |figure: Chosen| match &linked {
            Some(linked) if linked.id == figure.id => linked.clone(),
            _ => figure,
        };
        figures.flat_map(|figure| self.ask_figure(as_linked(figure))).collect()
    }

    /// Starts a claim test; an open uploaded world is tested too.
    pub(super) fn try_claims(&mut self, document: String, webs: u32, pages: u32) -> Vec<Effect> {
        let task = self.task();
        let present = self.experiment.as_ref().map(|e| &e.world);
        let present = matches!(present, Some(WorldSource::File { .. }));
        let claims = Rc::make_mut(&mut self.claims);
        claims.task = Some(task);
        (claims.progress, claims.html, claims.error) = (None, None, None);
        vec![Effect::World(Command::Try { task, document, webs, pages, present })]
    }

    /// Requests a figure; the old drawing stays until the new one arrives.
    pub(super) fn ask_figure(&mut self, figure: Chosen) -> Vec<Effect> {
        let task = self.task();
        let drawn = FigureState { figure: figure.clone(), task, html: Rc::default() };
        let figures = &mut Rc::make_mut(&mut self.claims).figures;
        match figures.iter_mut().find(|other| other.figure.id == figure.id) {
            Some(old) => *old = FigureState { html: old.html.clone(), ..drawn },
            None => figures.push(drawn),
        }
        vec![Effect::World(Command::Figure { task, figure })]
    }

    pub(super) fn drew_figure(&mut self, task: Task, html: String) {
        let figures = &mut Rc::make_mut(&mut self.claims).figures;
        if let Some(drawn) = figures.iter_mut().find(|drawn| drawn.task == task) {
            drawn.html = html.into();
        }
    }

    pub(super) fn stop_trying(&mut self) -> Vec<Effect> {
        let claims = Rc::make_mut(&mut self.claims);
        claims.progress = None;
        let task = claims.task.take();
        task.map(|task| Effect::World(Command::Cancel(task))).into_iter().collect()
    }

    pub(super) fn trying(&mut self, task: Task, progress: Progress, web: String) {
        if self.claims.is(task) {
            Rc::make_mut(&mut self.claims).progress = Some((progress, web));
        }
    }

    pub(super) fn tried(&mut self, task: Task, html: String) {
        if self.claims.is(task) {
            let claims = Rc::make_mut(&mut self.claims);
            (claims.task, claims.progress, claims.html) = (None, None, Some(html.into()));
        }
    }

    /// Handles the failure of a claim test; false if `task` is another request.
    pub(super) fn trying_failed(&mut self, task: Task, failure: &Failure) -> bool {
        if !self.claims.is(task) {
            return false;
        }
        let claims = Rc::make_mut(&mut self.claims);
        (claims.task, claims.progress) = (None, None);
        if let Failure::Words(words) = failure {
            claims.error = Some(words.clone());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::History;
    use crawl_catalogue::{Catalogue, Entry, EntryTexts, Param};
    use crawl_protocol::world::Answer;

    fn catalogue() -> Catalogue {
        const PARAMS: &[Param] = &[Param::integer("visits", 10, 1, 200, "")];
        let texts = EntryTexts { family: "C", params: PARAMS, ..EntryTexts::default() };
        let entries = vec![(Kind::Figure, Entry::new("figure-1", "Figure 1", texts))];
        Catalogue { entries, rules: Vec::new() }
    }

    fn asked(effects: &[Effect]) -> Vec<(Task, String)> {
        let of = |effect: &Effect| match effect {
            Effect::World(Command::Figure { task, figure }) => Some((*task, figure.to_string())),
            _ => None,
        };
        effects.iter().filter_map(of).collect()
    }

    #[test]
    fn figures_are_asked_for_and_the_newest_is_shown() {
        let mut state = State::default();
        let ready = Action::Ready(Rc::new(catalogue()), Vec::new());
        state.apply(ready);
        let drew = |task, html: &str| Action::world(Answer::Figure { task, html: html.to_owned() });
        let effects = state.apply(Action::world(Answer::Documents(Vec::new())));
        let [(first, spec)] = &asked(&effects)[..] else { panic!("one figure") };
        assert_eq!(spec, "figure-1", "as it is printed");
        state.apply(drew(*first, "ten"));
        assert_eq!(&*state.claims.figures[0].html, "ten");

        let more = catalogue().choose(Kind::Figure, "figure-1(visits:20)").expect("a figure");
        let effects = state.apply(Action::Figure(more.clone()));
        let [(second, spec)] = &asked(&effects)[..] else { panic!("one figure") };
        assert_eq!(spec, "figure-1(visits:20)");
        assert_eq!(&*state.claims.figures[0].html, "ten", "until the new one comes");
        state.apply(drew(*first, "late"));
        assert_eq!(&*state.claims.figures[0].html, "ten", "an old answer changes nothing");
        state.apply(drew(*second, "twenty"));
        assert_eq!(&*state.claims.figures[0].html, "twenty");
        assert_eq!((state.claims.figures.len(), &state.claims.figures[0].figure), (1, &more));
    }

    /// Opens a link with a catalogue of one world, one strategy and the figure.
    fn opened(state: &mut State, link: &str) -> Vec<Effect> {
        let mut all = catalogue();
        let entry = |id: &'static str| Entry::new(id, id, EntryTexts::default());
        all.entries.push((Kind::World, entry("campus")));
        all.entries.push((Kind::Strategy, entry("opic")));
        state.apply(Action::Ready(Rc::new(all), Vec::new()));
        state.apply(Action::OpenLink(link.to_owned(), History::Keep))
    }

    fn address(effects: &[Effect]) -> Option<&str> {
        effects.iter().rev().find_map(|effect| match effect {
            Effect::Address(link, _) => Some(link.as_str()),
            _ => None,
        })
    }

    #[test]
    fn a_link_holds_the_figure_that_is_shown_and_shows_it() {
        let (plain, named) = ("#v=1&world=campus&run=opic", "&figure=figure-1(visits:20)");
        let mut state = State::default();
        opened(&mut state, plain);
        state.apply(Action::Open(Dialog::Claims));
        let documents = || Action::world(Answer::Documents(vec![DocumentName::default()]));
        state.apply(documents());
        let more = catalogue().choose(Kind::Figure, "figure-1(visits:20)").expect("a figure");
        let effects = state.apply(Action::Figure(more.clone()));
        let link = address(&effects).expect("an address").to_owned();
        assert!(link.ends_with(named), "{link}");

        let mut other = State::default();
        let effects = opened(&mut other, &link);
        assert_eq!(other.dialog, Some(Dialog::Claims));
        let asks = |effect: &Effect| matches!(effect, Effect::World(Command::Documents { .. }));
        assert!(effects.iter().any(asks));
        let effects = other.apply(documents());
        assert_eq!(asked(&effects)[0].1, more.to_string());
        // Again, with the documents already loaded.
        other.apply(Action::OpenLink(plain.to_owned(), History::Keep));
        assert_eq!(other.dialog, None);
        let effects = other.apply(Action::OpenLink(link, History::Keep));
        assert_eq!(asked(&effects)[0].1, more.to_string());

        // A closed dialog removes the figure from the link.
        let effects = other.apply(Action::Close);
        assert!(!address(&effects).expect("an address").contains("figure"));
        assert!(other.apply(Action::Close).is_empty());
    }
}
