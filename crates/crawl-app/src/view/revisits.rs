//! The revisit section: policies, visit budget, share of old and new pages.

use super::Props;
use super::setup::{Item, item};
use super::text_field::TextField;
use crate::model::{Action, BUDGET, Change, Dialog, LaneState, NEW, percent_text, plain_text};
use crawl_catalogue::Kind;
use crawl_text::app::text;
use crawl_text::fill;
use yew::prelude::*;

/// Metrics shown below the balance slider.
const FRESH: &str = "mean-freshness";
const COPIES: &str = "up-to-date";

/// The revisit section.
#[component]
pub fn RevisitSection(props: &Props) -> Html {
    let t = text();
    let opened = use_state(|| None::<usize>);
    let Some(experiment) = &props.model.experiment else { return html! {} };
    let (policies, n_lanes) = (&experiment.revisits, experiment.strategies.len());
    let link = |change, label: &'static str| {
        html! { <button class="link" onclick={props.emit(Action::Change(change))}>{ label }</button> }
    };
    let is_each = policies.len() > 1;
    html! {
        <section>
            <h2>{ t.revisits }</h2>
            if policies.is_empty() {
                <p class="muted">{ t.no_revisits }</p>
                <div class="links">
                    <button class="link" onclick={props.emit(Action::Open(Dialog::Policy(0)))}>
                        { t.choose_policy }
                    </button>
                </div>
            } else {
                <ul class="strategies">
                    { for policies.iter().enumerate().map(|(at, chosen)| {
                        let is_open = *opened == Some(at);
                        let toggle = {
                            let opened = opened.clone();
                            Callback::from(move |_: MouseEvent| opened.set((!is_open).then_some(at)))
                        };
                        item(props, Item {
                            at,
                            kind: Kind::Policy,
                            chosen,
                            shape: if is_each { props.shape(at) } else { html! {} },
                            is_oracle: props.model.oracle(at).policy,
                            is_open,
                            toggle,
                            replace: Dialog::Policy(at),
                            remove: None,
                        })
                    }) }
                </ul>
                { budget(props) }
                <div class="links">
                    if is_each {
                        { link(Change::RevisitEach(false), t.one_policy) }
                    } else if n_lanes > 1 {
                        { link(Change::RevisitEach(true), t.each_policy) }
                    }
                    { link(Change::Revisit(0, String::new()), t.stop_revisits) }
                </div>
            }
        </section>
    }
}

/// Result of a lane: mean freshness of copies, share of all pages with a fresh copy.
fn outcome(props: &Props, at: usize, lane: &LaneState) -> Option<Html> {
    let last = |name: &str| lane.metric(name).and_then(|metric| metric.values.last().copied());
    let share = percent_text(last(FRESH)?);
    let all = percent_text(last(COPIES)?);
    let words = fill(text().outcome, &[("share", &share), ("all", &all)]);
    Some(html! { <p class="number muted">{ props.shape(at) }{ " " }{ words }</p> })
}

/// The budget and the balance slider of old and new pages.
fn budget(props: &Props) -> Html {
    let t = text();
    let [visits, new] = [BUDGET, NEW].map(|key| props.model.rule_number(key));
    // 0 % old means that new pages are unlimited.
    let share = if new > 0.0 { (100.0 * visits / (visits + new)).round().max(1.0) } else { 0.0 };
    let on = props.on.clone();
    let on_commit = Callback::from(move |percent: String| {
        if let Ok(percent) = percent.parse::<f64>() {
            on.emit(Action::Change(Change::Balance(percent / 100.0)));
        }
        Ok(())
    });
    let (new_pages, share_text) =
        if new > 0.0 { (t.old_and_new, t.share_old) } else { (t.old_only, t.new_unlimited) };
    let numbers = [
        ("visits", plain_text(visits)),
        ("new", plain_text(new)),
        ("old", share.to_string()),
        ("rest", (100.0 - share).to_string()),
    ];
    let numbers = numbers.each_ref().map(|(key, value)| (*key, value.as_str()));
    let share_text = fill(share_text, &numbers);
    html! {
        <div class="balance">
            <p class="number"><b>{ fill(t.visits_per_hour, &numbers) }</b>{ fill(new_pages, &numbers) }</p>
            <label for="balance">
                <span>{ t.new_or_old }</span><span class="number">{ share_text.clone() }</span>
            </label>
            <div class="balance-slide muted">
                { t.new_first }
                <TextField id="balance" kind="range" min="0" max="99" value={share.to_string()}
                    label={t.new_or_old} spoken={share_text} {on_commit} />
                { t.old_first }
            </div>
            { for props.model.lanes.iter().enumerate().filter_map(|(at, lane)| outcome(props, at, lane)) }
        </div>
    }
}
