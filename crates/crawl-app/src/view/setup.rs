//! The setup panel: world, topic, strategies, revisits, rules. Changes apply at once.

use super::Props;
use super::param::{FieldProps, field, name, unit};
use super::revisits::RevisitSection;
use super::text_field::TextField;
use super::topic::topic_section;
use crate::model::{Action, Change, Dialog, MAX_LANES, NEW, World, count_text};
use crawl_catalogue::{Chosen, Kind, Param, ParamKind, ParamValue};
use crawl_protocol::{Experiment, Seeds, WorldSource};
use crawl_text::app::text;
use crawl_text::fill;
use yew::prelude::*;

/// Rules shown by default.
const FIRST_RULES: [&str; 4] = ["budget", "fetchers", "delay", "robots"];
/// Rules shown by default with revisits.
const REVISIT_RULES: [&str; 4] = ["visits", "new", "hours", "sees"];

/// The setup panel.
pub fn setup(props: &Props) -> Html {
    let t = text();
    let open = props.model.setup_open;
    html! {
        <aside class={classes!("setup", open.then_some("open"))} aria-label={t.set_up}>
            <WorldSection model={props.model.clone()} on={props.on.clone()} />
            { topic_section(props) }
            <StrategySection model={props.model.clone()} on={props.on.clone()} />
            <RevisitSection model={props.model.clone()} on={props.on.clone()} />
            <RuleSection model={props.model.clone()} on={props.on.clone()} />
            // Buttons that a phone's top bar has no room for.
            <div class="setup-more">
                <button class="only-small" onclick={props.emit(Action::Open(Dialog::Export))}>
                    { t.export }
                </button>
                <button class="only-small" onclick={props.emit(Action::Open(Dialog::Claims))}>
                    { t.claims }
                </button>
                <button class="only-small" onclick={props.emit(Action::Open(Dialog::Help))}>
                    { t.help }
                </button>
                <button class="only-small" onclick={Callback::from(|_: MouseEvent| crate::theme::toggle())}>
                    { t.theme }
                </button>
            </div>
        </aside>
    }
}

#[component]
fn WorldSection(props: &Props) -> Html {
    let t = text();
    let expanded = use_state(|| false);
    let Some(experiment) = &props.model.experiment else { return html! {} };
    let counts = match &props.model.world {
        World::Ready(summary) => {
            let mut counts = vec![
                t.found_pages.of(summary.n_pages.into()),
                t.n_links.of(summary.n_links.into()),
            ];
            counts.extend((summary.n_hosts > 0).then(|| t.n_hosts.of(summary.n_hosts.into())));
            counts.join(" · ")
        }
        World::Failed(_) => String::new(),
        _ => t.starting.to_owned(),
    };
    let toggle = {
        let expanded = expanded.clone();
        Callback::from(move |_: MouseEvent| expanded.set(!*expanded))
    };
    let full = props.model.summary().map(|summary| summary.title.clone());
    html! {
        <section>
            <h2>{ t.world }</h2>
            <div class="world-line">
                <button class="world-name" title={full} onclick={props.emit(Action::Open(Dialog::World))}>
                    { props.world_title() }
                </button>
                <span class="muted number">{ counts }</span>
                { seeds_line(props, experiment) }
            </div>
            <div class="links">
                <button class="link" onclick={props.emit(Action::Open(Dialog::World))}>{ t.change }</button>
                <button class="link" onclick={props.emit(Action::Open(Dialog::Seeds))}>{ t.seeds }</button>
                <button class="link" onclick={props.emit(Action::Open(Dialog::Ranks))}>{ t.ranks }</button>
                if has_params(&experiment.world) {
                    <button class="link" onclick={toggle} aria-expanded={expanded.to_string()}>
                        { t.more }
                    </button>
                }
            </div>
            if *expanded {
                { world_params(props) }
            }
        </section>
    }
}

fn has_params(source: &WorldSource) -> bool {
    matches!(source, WorldSource::Made(_))
}

fn seeds_line(props: &Props, experiment: &Experiment) -> Html {
    let t = text();
    let Some(summary) = props.model.summary() else { return html! {} };
    let start = match &experiment.seeds {
        Seeds::Own => t.own_seeds.of(summary.n_seeds.max(1).into()),
        Seeds::Urls(urls) => t.chosen_seeds.of(urls.len() as u64),
        Seeds::Top { ranker, k } => {
            let entry =
                props.model.catalogue.as_ref().and_then(|c| c.entry(Kind::Ranker, &ranker.id));
            let name = entry.map_or(ranker.id.as_str(), |entry| entry.title.as_ref());
            fill(&t.top_seeds.of((*k).into()), &[("ranker", name)])
        }
        Seeds::TopOwn { k } => fill(&t.top_seeds.of((*k).into()), &[("ranker", t.best_by_own)]),
    };
    let n_reached = props.model.bounds.as_ref().map(|bounds| bounds.n_reached);
    let reach = n_reached.map(|n| {
        if n == summary.n_pages {
            t.reach_all.to_owned()
        } else {
            let (n, all) = (count_text(n.into()), count_text(summary.n_pages.into()));
            fill(t.reach_some, &[("n", &n), ("all", &all)])
        }
    });
    let line = match reach {
        Some(reach) => format!("{start}, {reach}"),
        None => start,
    };
    html! { <span class="muted">{ line }</span> }
}

fn world_params(props: &Props) -> Html {
    let (Some(experiment), Some(catalogue)) = (&props.model.experiment, &props.model.catalogue)
    else {
        return html! {};
    };
    let WorldSource::Made(chosen) = &experiment.world else { return html! {} };
    let make = |key: String, value| Change::WorldParam(key, value);
    html! {
        <div class="editor">
            { about(props, chosen) }
            { fields(props, catalogue, chosen, ("world", None), make) }
        </div>
    }
}

/// Summary, formula and source of an entry.
pub fn about(props: &Props, chosen: &Chosen) -> Html {
    let t = text();
    let catalogue = props.model.catalogue.as_ref();
    let Some(entry) = catalogue.and_then(|c| c.entry(chosen.kind, &chosen.id)) else {
        return html! {};
    };
    html! {
        <>
            <p>{ entry.description.to_string() }</p>
            if !entry.formula.is_empty() {
                <p class="formula">{ entry.formula.to_string() }</p>
            }
            <p class="muted">{ t.source }{ ": " }{ entry.full_source() }</p>
        </>
    }
}

/// Controls for the parameters of an entry.
fn fields(
    props: &Props,
    catalogue: &std::rc::Rc<crawl_catalogue::Catalogue>,
    chosen: &Chosen,
    (scope, lane): (&str, Option<usize>),
    make: impl Fn(String, ParamValue) -> Change + Clone + 'static,
) -> Html {
    let Some(entry) = catalogue.entry(chosen.kind, &chosen.id) else { return html! {} };
    if entry.params.is_empty() {
        return html! { <p class="muted">{ text().no_parameters }</p> };
    }
    entry
        .params
        .iter()
        .filter_map(|param| {
            let value = chosen.params.get(&param.key)?.clone();
            let callback = |wrap: fn(Change) -> Action| {
                let (on, make, key) = (props.on.clone(), make.clone(), param.key.to_string());
                Callback::from(move |value| on.emit(wrap(make(key.clone(), value))))
            };
            let (on_change, on_check) = (callback(Action::Change), callback(Action::Check));
            let typed = props.model.typed.as_ref().filter(|typed| Some(typed.lane) == lane);
            let fault = typed.and_then(|typed| typed.fault.clone());
            let (catalogue, scope) = (catalogue.clone(), scope.to_owned().into());
            let param = param.clone();
            let props = FieldProps { param, value, on_change, catalogue, scope, fault, on_check };
            Some(field(&props))
        })
        .collect()
}

#[component]
fn StrategySection(props: &Props) -> Html {
    let t = text();
    let opened = use_state(|| None::<usize>);
    let Some(experiment) = &props.model.experiment else { return html! {} };
    let n = experiment.strategies.len();
    html! {
        <section>
            <h2>{ t.strategies }</h2>
            <ul class="strategies">
                { for experiment.strategies.iter().enumerate().map(|(at, chosen)| {
                    let is_open = *opened == Some(at);
                    let toggle = {
                        let opened = opened.clone();
                        Callback::from(move |_: MouseEvent| opened.set((!is_open).then_some(at)))
                    };
                    item(props, Item {
                        at,
                        kind: Kind::Strategy,
                        chosen,
                        shape: props.shape(at),
                        is_oracle: props.model.oracle(at).ordering,
                        is_open,
                        toggle,
                        replace: Dialog::Strategy(Some(at)),
                        remove: (n > 1).then_some(Change::RemoveStrategy(at)),
                    })
                }) }
            </ul>
            if n < MAX_LANES {
                <div class="links">
                    <button class="link" onclick={props.emit(Action::Open(Dialog::Strategy(None)))}>
                        { t.add_strategy }
                    </button>
                </div>
            }
        </section>
    }
}

/// Properties of a chosen entry's line.
pub struct Item<'a> {
    /// Its index.
    pub at: usize,
    /// Its registry.
    pub kind: Kind,
    /// The entry.
    pub chosen: &'a Chosen,
    /// Icon before its name.
    pub shape: Html,
    /// Whether it is an oracle.
    pub is_oracle: bool,
    /// Whether it is expanded.
    pub is_open: bool,
    /// Expands or collapses it.
    pub toggle: Callback<MouseEvent>,
    /// Dialog that replaces it.
    pub replace: Dialog,
    /// Change that removes it, if it can be removed.
    pub remove: Option<Change>,
}

/// A chosen entry, with parameters if expanded.
pub fn item(props: &Props, item: Item<'_>) -> Html {
    let t = text();
    let Item { at, kind, chosen, shape, is_oracle, is_open, toggle, replace, remove } = item;
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    let entry = catalogue.entry(kind, &chosen.id);
    let summary = entry.map(|e| e.summary.to_string()).unwrap_or_default();
    let is_strategy = kind == Kind::Strategy;
    let make = move |key: String, value| match is_strategy {
        true => Change::StrategyParam(at, key, value),
        false => Change::RevisitParam(at, key, value),
    };
    let scope = format!("{kind}-{at}");
    let lane = is_strategy.then_some(at);
    // Formula fields first, so that faults and completions are visible.
    let is_formula = |param: &Param| matches!(param.kind, ParamKind::Formula { .. });
    let is_typed = entry.is_some_and(|entry| entry.params.iter().any(is_formula));
    html! {
        <li key={format!("{at}-{}", chosen.id)}>
            <button class="strategy" onclick={toggle} aria-expanded={is_open.to_string()}>
                { shape }
                <span class="strategy-title">{ props.title(chosen) }</span>
                if is_oracle {
                    <span class="muted" title={t.oracle_help}>{ t.oracle }</span>
                }
                <span class="strategy-summary">{ summary }</span>
            </button>
            if is_open {
                <div class="editor">
                    if !is_typed {
                        { about(props, chosen) }
                    }
                    { fields(props, catalogue, chosen, (&scope, lane), make) }
                    if is_typed {
                        { about(props, chosen) }
                    }
                    <div class="links">
                        <button class="link" onclick={props.emit(Action::Open(replace))}>
                            { t.replace }
                        </button>
                        if let Some(remove) = remove {
                            <button class="link" onclick={props.emit(Action::Change(remove))}>
                                { t.remove }
                            </button>
                        }
                    </div>
                </div>
            }
        </li>
    }
}

#[component]
fn RuleSection(props: &Props) -> Html {
    let t = text();
    let all = use_state(|| false);
    let opened = use_state(|| None::<String>);
    let (Some(experiment), Some(catalogue)) = (&props.model.experiment, &props.model.catalogue)
    else {
        return html! {};
    };
    let toggle_all = {
        let all = all.clone();
        Callback::from(move |_: MouseEvent| all.set(!*all))
    };
    let rows = catalogue.rules.iter().filter_map(|rule| {
        let value = experiment.rules.get(&rule.key)?.clone();
        let is_changed = experiment.rules.changed().any(|(key, _)| key == rule.key);
        let has_revisits = !experiment.revisits.is_empty();
        let is_first = FIRST_RULES.contains(&rule.key.as_ref())
            || has_revisits && REVISIT_RULES.contains(&rule.key.as_ref());
        if !(*all || is_first || is_changed) {
            return None;
        }
        let is_open = opened.as_deref() == Some(&*rule.key);
        let key = rule.key.to_string();
        let toggle = {
            let (opened, key) = (opened.clone(), key.clone());
            Callback::from(move |_: MouseEvent| opened.set((!is_open).then(|| key.clone())))
        };
        let on_change = {
            let (on, key) = (props.on.clone(), key.clone());
            Callback::from(move |value| on.emit(Action::Change(Change::Rule(key.clone(), value))))
        };
        Some(html! {
            <li key={key}>
                <button class="rule" onclick={toggle} aria-expanded={is_open.to_string()}>
                    <span>{ name(&rule.key) }</span>
                    <span class={classes!("number", is_changed.then_some("strong"))}>
                        { shown(rule, &value) }
                    </span>
                </button>
                if is_open {
                    <div class="editor">
                        { field(&FieldProps {
                            param: rule.clone(),
                            value,
                            on_change,
                            catalogue: catalogue.clone(),
                            scope: "rule".into(),
                            fault: None,
                            on_check: Callback::noop(),
                        }) }
                    </div>
                }
            </li>
        })
    });
    html! {
        <section>
            <h2>{ t.rules }</h2>
            <ul class="rules">
                { for rows }
                if *all {
                    <li>{ chance(props, experiment) }</li>
                }
            </ul>
            <div class="links">
                <button class="link" onclick={toggle_all} aria-expanded={all.to_string()}>
                    { if *all { t.fewer_rules } else { t.all_rules } }
                </button>
            </div>
        </section>
    }
}

/// Short text of a rule's value.
fn shown(rule: &Param, value: &ParamValue) -> String {
    let t = text();
    let is_whole = matches!(rule.kind, ParamKind::Number { default: 0.0, integer: true, .. });
    match value {
        ParamValue::Flag(true) => t.on.to_owned(),
        ParamValue::Flag(false) => t.off.to_owned(),
        ParamValue::Number(0.0) if is_whole || rule.key == NEW => t.no_limit.to_owned(),
        ParamValue::Number(x) if x.fract() == 0.0 && *x >= 0.0 => {
            count_text(*x as u64) + unit(&rule.key)
        }
        other => other.to_string() + unit(&rule.key),
    }
}

fn chance(props: &Props, experiment: &Experiment) -> Html {
    let t = text();
    let on = props.on.clone();
    let on_commit = Callback::from(move |typed: String| {
        match typed.trim().parse::<u64>().ok().filter(|n| *n <= Experiment::MAX_RNG) {
            Some(rng) => on.emit(Action::Change(Change::Rng(rng))),
            None => {
                let range = format!("0 – {}", count_text(Experiment::MAX_RNG));
                return Err(fill(t.refused, &[("typed", &typed), ("range", &range)]));
            }
        }
        Ok(())
    });
    html! {
        <div class="field inline" title={t.random_seed_help}>
            <label for="chance">{ t.random_seed }</label>
            <TextField id="chance" mode="numeric" value={experiment.rng.to_string()} {on_commit}
                can_refuse=true />
        </div>
    }
}
