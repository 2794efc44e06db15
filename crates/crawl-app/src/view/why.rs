//! A number and the numbers it is made of, as a formula and a table of what was seen.

use super::icon;
use crate::model::{Action, Chosen, Shortener, score_text};
use crate::vars::use_vars;
use crawl_protocol::lane::{Seen, Why};
use yew::prelude::*;

/// A number and where it comes from.
#[derive(Clone, PartialEq, Properties)]
pub struct TreeProps {
    /// The number.
    pub why: Why,
    /// The lane it belongs to.
    pub lane: usize,
    /// Makes URLs short.
    pub shortener: Shortener,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The formula with its numbers: `cash = 3.28 + 1.92 = 5.20`.
pub fn formula(props: &TreeProps) -> Html {
    let why = &props.why;
    let terms = why.parts.iter().map(|part| score_text(part.value));
    let written = match (why.sign.as_str(), why.parts.len()) {
        (_, 0) => None,
        ("max" | "min", _) => {
            Some(format!("{}({})", why.sign, terms.collect::<Vec<_>>().join(", ")))
        }
        (sign, 1) => Some(format!(
            "{}{}",
            if sign == "−" { "−" } else { "" },
            score_text(why.parts[0].value)
        )),
        (sign, _) => Some(terms.collect::<Vec<_>>().join(&format!(" {sign} "))),
    };
    html! {
        <div class="formula worked">
            <span class="of">{ why.label.clone() }</span>
            if let Some(written) = written {
                <span>{ "=" }</span><span class="terms">{ written }</span>
            }
            <span>{ "=" }</span><b class="result" data-value={why.value.to_string()}>{ score_text(why.value) }</b>
        </div>
    }
}

/// What the number is made of, each part with its bar; parts of parts fold out.
pub fn parts(props: &TreeProps) -> Html {
    let most = props.why.parts.iter().map(|part| part.value.abs()).fold(0.0, f64::max);
    html! {
        <ul class="parts">
            { for props.why.parts.iter().enumerate().map(|(i, part)| html! {
                <Part key={i} why={part.clone()} lane={props.lane} shortener={props.shortener.clone()}
                    on={props.on.clone()} share={if most > 0.0 { part.value.abs() / most } else { 0.0 }} />
            }) }
            { for props.why.seen.iter().map(|seen| html! { <li>{ evidence(seen, props) }</li> }) }
        </ul>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PartProps {
    why: Why,
    lane: usize,
    shortener: Shortener,
    on: Callback<Action>,
    share: f64,
}

#[component]
fn Part(props: &PartProps) -> Html {
    let open = use_state(|| false);
    let bar = use_node_ref();
    use_vars(&bar, vec![("--bar", format!("{:.3}", props.share.clamp(0.0, 1.0)))]);
    let tree = TreeProps {
        why: props.why.clone(),
        lane: props.lane,
        shortener: props.shortener.clone(),
        on: props.on.clone(),
    };
    let has_parts = !props.why.parts.is_empty();
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let label = props.why.label.clone();
    html! {
        <li>
            <div class="part">
                if has_parts {
                    <button class="fold" aria-expanded={open.to_string()} onclick={toggle}>{ label }</button>
                } else {
                    <span class="part-label">{ label }</span>
                }
                <span ref={bar} class={classes!("part-bar", icon::lane_class(props.lane))} aria-hidden="true" />
                <span class="number" data-value={props.why.value.to_string()}>{ score_text(props.why.value) }</span>
            </div>
            { for props.why.seen.iter().map(|seen| evidence(seen, &tree)) }
            if has_parts && *open {
                { formula(&tree) }
                { parts(&tree) }
            }
        </li>
    }
}

fn evidence(seen: &Seen, props: &TreeProps) -> Html {
    match seen {
        Seen::Words(words) => html! { <p class="evidence muted">{ words.clone() }</p> },
        Seen::Page { page, url, step } => {
            let (on, chosen) = (props.on.clone(), Chosen { lane: props.lane, page: *page });
            let choose = Callback::from(move |_: MouseEvent| on.emit(Action::Choose(chosen)));
            html! {
                <p class="evidence">
                    <button class="link url" title={url.clone()} onclick={choose}>
                        { props.shortener.short(url, 40) }
                    </button>
                    if let Some(step) = step {
                        <span class="number muted">{ " #" }{ crate::model::count_text((*step).into()) }</span>
                    }
                </p>
            }
        }
    }
}
