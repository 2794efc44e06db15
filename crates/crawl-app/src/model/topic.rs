//! The topic: chosen by the user, or automatically for a strategy that needs one.

use super::{Effect, State, with_param};
use crawl_catalogue::{Catalogue, Chosen, Kind, Param, ParamKind, ParamValue, TextOf};
use crawl_protocol::Experiment;
use crawl_protocol::world::Command;

/// Text parameters of a kind.
pub fn naming(params: &[Param], what: TextOf) -> impl Iterator<Item = &Param> {
    let is_it =
        move |param: &&Param| matches!(param.kind, ParamKind::Text { of, .. } if of == what);
    params.iter().filter(is_it)
}

/// Adds a URL to a page list of a topic, or removes it; removes it from the other lists.
pub(super) fn marked(
    catalogue: &Catalogue,
    topic: &Chosen,
    key: &str,
    url: &str,
) -> Result<Chosen, String> {
    let Some(entry) = catalogue.entry(topic.kind, &topic.id) else { return Err(String::new()) };
    let mut next = topic.clone();
    for param in naming(&entry.params, TextOf::Pages) {
        let urls = topic.params.text(&param.key);
        let had = urls.split_whitespace().any(|other| other == url);
        let mut kept: Vec<&str> = urls.split_whitespace().filter(|other| *other != url).collect();
        if param.key == key && !had {
            kept.push(url);
        }
        let value = ParamValue::Text(kept.join(" "));
        next = with_param(catalogue, &next, &param.key, &value)?;
    }
    Ok(next)
}

impl State {
    /// A topic by registry id. A label topic gets a label that the world has.
    pub(super) fn topic_called(&self, catalogue: &Catalogue, id: &str) -> Result<Chosen, String> {
        let topic = catalogue.choose(Kind::Topic, id).map_err(|error| error.to_string())?;
        let entry = catalogue.entry(Kind::Topic, &topic.id);
        let param = entry.and_then(|entry| naming(&entry.params, TextOf::Label).next());
        let labels = self.summary().map(|summary| &summary.labels);
        let first = labels.and_then(|labels| labels.first());
        let (Some(param), Some((first, _))) = (param, first) else { return Ok(topic) };
        let present = topic.params.text(&param.key);
        if labels.is_some_and(|labels| labels.iter().any(|(label, _)| label == present)) {
            return Ok(topic);
        }
        with_param(catalogue, &topic, &param.key, &ParamValue::Text(first.clone()))
    }

    /// Chooses a label topic if a strategy needs one, none is chosen and the world has labels.
    pub(super) fn choose_topic(&mut self, next: &mut Experiment) {
        let Some(catalogue) = self.catalogue.clone() else { return };
        let wants = |chosen: &&Chosen| {
            catalogue.entry(chosen.kind, &chosen.id).is_some_and(|entry| entry.wants_topic)
        };
        let has_labels = self.summary().is_some_and(|summary| !summary.labels.is_empty());
        let Some(strategy) = next.strategies.iter().find(wants) else { return };
        if next.topic.is_some() || !has_labels {
            return;
        }
        let of_labels =
            |entry: &&crawl_catalogue::Entry| naming(&entry.params, TextOf::Label).next().is_some();
        let entry = catalogue.of(Kind::Topic).find(of_labels);
        next.topic = entry.and_then(|entry| self.topic_called(&catalogue, &entry.id).ok());
        let entry = catalogue.entry(strategy.kind, &strategy.id);
        let title = entry.filter(|_| next.topic.is_some()).map(|entry| entry.title.as_ref());
        self.topic_for = title.map(Into::into);
    }

    /// Requests the text-processing steps of a text.
    pub(super) fn ask_words(&mut self, text: String) -> Vec<Effect> {
        let task = self.task();
        self.wanted.words = task;
        vec![Effect::World(Command::Words { task, text })]
    }
}
