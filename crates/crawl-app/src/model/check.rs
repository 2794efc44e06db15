//! Formula checks: the world worker parses formulas that are typed or come with links.

use super::{Broken, Change, Effect, History, State, Typed, Unchecked};
use crawl_catalogue::{Chosen, Fault, Kind, ParamKind, ParamValue};
use crawl_protocol::world::Command;
use crawl_protocol::{Experiment, Task};
use std::rc::Rc;

impl State {
    /// Opens an experiment after its new formulas have been checked.
    ///
    /// Until then, and if one is invalid, the open experiment stays.
    pub(super) fn open_checked(
        &mut self,
        experiment: Experiment,
        history: History,
        link: Option<String>,
    ) -> Vec<Effect> {
        let present = self.experiment.as_ref();
        let is_good = |chosen: &Chosen| {
            present.is_some_and(|e| e.strategies.contains(chosen)) || !self.has_formula(chosen)
        };
        if experiment.strategies.iter().all(is_good) {
            return self.open_now(experiment, history, link.as_deref());
        }
        let task = self.task();
        self.unchecked = Some(Rc::new(Unchecked { task, experiment, history, link }));
        self.check_again()
    }

    fn open_now(&mut self, next: Experiment, history: History, link: Option<&str>) -> Vec<Effect> {
        match link {
            Some(link) => self.show(next, history, link.trim_start_matches('#').is_empty()),
            None => self.install(next, history),
        }
    }

    /// True for a strategy with a formula other than the default.
    fn has_formula(&self, chosen: &Chosen) -> bool {
        let entry = self.catalogue.as_ref().and_then(|c| c.entry(chosen.kind, &chosen.id));
        chosen.params.changed().any(|(key, value)| {
            let param = entry.and_then(|entry| entry.param(key));
            param.is_some_and(|param| matches!(param.kind, ParamKind::Formula { .. }))
                || matches!(value, ParamValue::Entry(inner) if self.has_formula(inner))
        })
    }

    /// Requests the check of the pending experiment.
    pub(super) fn check_again(&mut self) -> Vec<Effect> {
        let Some(unchecked) = &self.unchecked else { return Vec::new() };
        let strategies = unchecked.experiment.strategies.clone();
        vec![Effect::World(Command::Check { task: unchecked.task, strategies })]
    }

    /// Requests the check of a formula while it is typed.
    pub(super) fn check(&mut self, change: Change) -> Vec<Effect> {
        let Change::StrategyParam(lane, ..) = change else { return Vec::new() };
        let chosen = self.changed(change).ok().and_then(|next| next.strategies.get(lane).cloned());
        let task = self.task();
        self.wanted.check = task;
        if self.typed.as_ref().is_none_or(|typed| typed.lane != lane) {
            self.typed = Some(Rc::new(Typed { lane, fault: None }));
        }
        vec![Effect::World(Command::Check { task, strategies: chosen.into_iter().collect() })]
    }

    pub(super) fn checked(&mut self, task: Task, faults: Vec<Option<Fault>>) -> Vec<Effect> {
        let first = faults.iter().position(Option::is_some);
        let fault = first.and_then(|at| faults[at].clone());
        if task == self.wanted.check {
            if let Some(typed) = &mut self.typed {
                Rc::make_mut(typed).fault = fault;
            }
            return Vec::new();
        }
        let Some(unchecked) = self.unchecked.take_if(|unchecked| unchecked.task == task) else {
            return Vec::new();
        };
        let (experiment, link) = (unchecked.experiment.clone(), unchecked.link.as_deref());
        match (fault, link) {
            (None, link) => self.open_now(experiment, unchecked.history, link),
            (fault, None) => {
                self.typed = Some(Rc::new(Typed { lane: first.unwrap_or(0), fault }));
                Vec::new()
            }
            (Some(fault), Some(link)) => {
                let repaired = self.without(experiment, &faults);
                let (link, error) = (link.to_owned(), fault.to_string());
                let fault = Some(fault);
                self.break_link(Broken { link, error, is_newer: false, repaired, fault })
            }
        }
    }

    /// The link of an experiment whose faulty strategies are reset to their defaults.
    fn without(&self, mut experiment: Experiment, faults: &[Option<Fault>]) -> Option<String> {
        let catalogue = self.catalogue.as_ref()?;
        for (chosen, fault) in experiment.strategies.iter_mut().zip(faults) {
            if fault.is_some() {
                *chosen = catalogue.choose(Kind::Strategy, &chosen.id).ok()?;
            }
        }
        experiment.digests.clear();
        Some(experiment.to_link())
    }
}
