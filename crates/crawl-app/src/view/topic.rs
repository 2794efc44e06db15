//! The topic section, and the marks of a page in the inspector.

use super::Props;
use super::param::{FieldProps, field, name};
use super::setup::about;
use crate::model::{Action, Change, count_text, naming};
use crawl_catalogue::{Chosen, Kind, Param, ParamKind, ParamValue, TextOf, visible};
use crawl_text::app::text;
use crawl_text::fill;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The topic section: kind, parameters, and how it was learnt.
pub fn topic_section(props: &Props) -> Html {
    let t = text();
    let (Some(experiment), Some(catalogue)) = (&props.model.experiment, &props.model.catalogue)
    else {
        return html! {};
    };
    // A first visit's program looks for nothing.
    if catalogue.of(Kind::Topic).next().is_none() {
        return html! {};
    }
    let topic = experiment.topic.as_ref();
    let present = topic.map_or("", |topic| topic.id.as_str());
    let on = props.on.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        on.emit(Action::Change(Change::Topic(select.value())));
    });
    html! {
        <section class="topic">
            <h2>{ t.topic }</h2>
            <select id="topic" aria-label={t.topic_kind} {onchange}>
                <option value="" selected={present.is_empty()}>{ t.topic_none }</option>
                { for catalogue.of(Kind::Topic).map(|entry| html! {
                    <option value={entry.id.to_string()} selected={present == entry.id}>
                        { entry.title.to_string() }
                    </option>
                }) }
            </select>
            if let Some(topic) = topic {
                <div class="editor">
                    { parameters(props, topic, true) }
                    { status(props) }
                    <details>
                        <summary>{ t.more }</summary>
                        <div class="editor">
                            { about(props, topic) }
                            { parameters(props, topic, false) }
                        </div>
                    </details>
                    <WordsOfText ..props.clone() />
                </div>
            } else if let Some(strategy) = strategy_without_topic(props) {
                <p class="hint" role="status">{ fill(t.topic_wanted, &[("strategy", &strategy)]) }</p>
            }
        </section>
    }
}

/// Title of the first strategy that needs a topic.
fn strategy_without_topic(props: &Props) -> Option<String> {
    let catalogue = props.model.catalogue.as_ref()?;
    let mut chosen = props.model.experiment.as_ref()?.strategies.iter();
    let entry = |chosen: &Chosen| catalogue.entry(chosen.kind, &chosen.id);
    chosen.find_map(|chosen| Some(entry(chosen).filter(|e| e.wants_topic)?.title.to_string()))
}

/// Status: chosen automatically, learnt from, or error.
fn status(props: &Props) -> Html {
    let t = text();
    let chosen_for = props.model.topic_for.as_ref();
    let learnt = props.model.lanes.iter().find_map(|lane| lane.topic.clone());
    html! {
        <div class="topic-said" aria-live="polite">
            if let Some(strategy) = chosen_for {
                <p>{ fill(t.topic_chosen, &[("strategy", strategy)]) }</p>
            }
            { match learnt.as_deref() {
                None => html! { <p class="muted">{ t.topic_learning }</p> },
                Some(Ok(notes)) => notes.iter().map(|note| html! { <p class="hint">{ note.clone() }</p> }).collect(),
                Some(Err(error)) => {
                    html! { <p class="error">{ fill(t.topic_failed, &[("error", error)]) }</p> }
                }
            } }
        </div>
    }
}

/// Controls for the text parameters, or for all others.
fn parameters(props: &Props, topic: &Chosen, are_texts: bool) -> Html {
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    let Some(entry) = catalogue.entry(Kind::Topic, &topic.id) else { return html! {} };
    let mut n_lists = 0;
    let is_text = |param: &&Param| matches!(param.kind, ParamKind::Text { .. }) == are_texts;
    let controls = entry.params.iter().filter(is_text).filter_map(|param| {
        let value = topic.params.get(&param.key)?.clone();
        let key = param.key.to_string();
        let on = props.on.clone();
        let on_change = Callback::from(move |value| {
            on.emit(Action::Change(Change::TopicParam(key.clone(), value)));
        });
        Some(match (&param.kind, &value) {
            (ParamKind::Text { of: TextOf::Label, .. }, ParamValue::Text(label))
                if has_labels(props) =>
            {
                labels(props, param, label, on_change)
            }
            (ParamKind::Text { of: TextOf::Pages, .. }, ParamValue::Text(urls)) => {
                n_lists += 1;
                pages(props, param, urls, n_lists - 1)
            }
            _ => field(&FieldProps {
                param: param.clone(),
                value,
                on_change,
                catalogue: catalogue.clone(),
                scope: "topic".into(),
                fault: None,
                on_check: Callback::noop(),
            }),
        })
    });
    let has_lists = are_texts && naming(&entry.params, TextOf::Pages).next().is_some();
    html! {
        <>
            { for controls }
            if has_lists {
                <p class="hint">{ text().mark_help }</p>
            }
        </>
    }
}

fn has_labels(props: &Props) -> bool {
    props.model.summary().is_some_and(|summary| !summary.labels.is_empty())
}

/// Selector of a label of the world.
fn labels(props: &Props, param: &Param, present: &str, on: Callback<ParamValue>) -> Html {
    let t = text();
    let mut labels = props.model.summary().map(|s| s.labels.clone()).unwrap_or_default();
    if !labels.iter().any(|(label, _)| label == present) {
        labels.insert(0, (present.to_owned(), 0));
    }
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        on.emit(ParamValue::Text(select.value()));
    });
    html! {
        <div class="field">
            <label for="topic-label">{ name(&param.key) }</label>
            <select id="topic-label" {onchange} aria-describedby="topic-label-help">
                { for labels.into_iter().map(|(label, n)| html! {
                    <option value={label.clone()} selected={label == present}>
                        { fill(t.label_pages, &[("label", &label), ("n", &count_text(n.into()))]) }
                    </option>
                }) }
            </select>
            <p class="hint" id="topic-label-help">{ param.help.to_string() }</p>
        </div>
    }
}

/// Name of a list of marked pages; the first is on topic.
fn list_name(at: usize) -> &'static str {
    if at == 0 { text().on_topic } else { text().off_topic }
}

/// List of marked pages with remove buttons.
fn pages(props: &Props, param: &Param, urls: &str, at: usize) -> Html {
    let t = text();
    let short = crate::model::Shortener::of(props.model.picture.as_ref());
    html! {
        <div class="marked">
            <h3>{ list_name(at) }</h3>
            if urls.trim().is_empty() {
                <p class="muted">{ t.nothing_marked }</p>
            }
            <ul>
                { for urls.split_whitespace().map(|url| {
                    let mark = Change::Mark(param.key.to_string(), url.to_owned());
                    html! {
                        <li key={url.to_owned()}>
                            <span class="url" title={visible(url).into_owned()}>{ short.short(url, 24) }</span>
                            <button class="link" onclick={props.emit(Action::Change(mark))}
                                aria-label={format!("{} {}", t.remove, visible(url))}>{ t.remove }</button>
                        </li>
                    }
                }) }
            </ul>
        </div>
    }
}

/// Buttons that mark a page as on or off topic.
pub fn marks(props: &Props, url: &str) -> Html {
    let topic = props.model.experiment.as_ref().and_then(|experiment| experiment.topic.clone());
    let catalogue = props.model.catalogue.as_ref();
    let entry = topic.as_ref().zip(catalogue).and_then(|(t, c)| c.entry(Kind::Topic, &t.id));
    let (Some(topic), Some(entry)) = (topic, entry) else { return html! {} };
    let mut lists = naming(&entry.params, TextOf::Pages).enumerate().peekable();
    if lists.peek().is_none() {
        return html! {};
    }
    html! {
        <div class="actions marks" role="group" aria-label={text().mark_page}>
            { for lists.map(|(at, param)| {
                let is_in = topic.params.text(&param.key).split_whitespace().any(|u| u == url);
                let mark = Change::Mark(param.key.to_string(), url.to_owned());
                html! {
                    <button aria-pressed={is_in.to_string()} onclick={props.emit(Action::Change(mark))}>
                        { list_name(at) }
                    </button>
                }
            }) }
        </div>
    }
}

/// Text processing of a sample text, step by step.
#[component]
fn WordsOfText(props: &Props) -> Html {
    let t = text();
    let on = props.on.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on.emit(Action::Words(input.value()));
    });
    html! {
        <details class="words-of-text">
            <summary>{ t.words_title }</summary>
            <p class="hint" id="words-help">{ t.words_help }</p>
            <label for="words-text">{ t.words_field }</label>
            <input id="words-text" class="wide" type="text" autocomplete="off" {oninput}
                aria-describedby="words-help" />
            if !props.model.words.is_empty() {
                <table>
                    <thead>
                        <tr><th>{ t.words_token }</th><th>{ t.words_lowered }</th><th>{ t.words_stem }</th></tr>
                    </thead>
                    <tbody>
                        { for props.model.words.iter().map(|word| html! {
                            <tr>
                                <td>{ word.segmented.clone() }</td>
                                <td>{ word.lowered.clone() }</td>
                                { match &word.word {
                                    Some(stem) => html! { <td class="strong">{ stem.clone() }</td> },
                                    None => html! { <td class="muted">{ t.words_stopped }</td> },
                                } }
                            </tr>
                        }) }
                    </tbody>
                </table>
            }
        </details>
    }
}
