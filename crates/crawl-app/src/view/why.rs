//! Explanation of a score: formula, and table of its parts.

use crate::model::{Action, ChosenPage, Shortener, score_text};
use crate::vars::use_vars;
use crawl_protocol::lane::{Seen, Why};
use yew::prelude::*;

/// Properties of [`formula`] and [`parts`].
#[derive(Clone, PartialEq, Properties)]
pub struct TreeProps {
    /// The explained value.
    pub why: Why,
    /// Its lane.
    pub lane: usize,
    /// Shortens URLs.
    pub shortener: Shortener,
    /// Receives actions.
    pub on: Callback<Action>,
}

/// The formula with its numbers: `cash = 3.28 + 1.92 = 5.20`.
pub fn formula(props: &TreeProps) -> Html {
    let why = &props.why;
    let terms = why.parts.iter().map(|part| score_text(part.value));
    let written = match (why.sign.as_str(), why.parts.len()) {
        // A single part equals the value: do not repeat it.
        (_, 0) => None,
        ("+" | "×" | "max" | "min", 1) => None,
        (name, _) if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some(format!("{}({})", why.sign, terms.collect::<Vec<_>>().join(", ")))
        }
        (sign, 1) => Some(format!("{sign}{}", score_text(why.parts[0].value))),
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

/// Table of the parts; nested parts are collapsible, an only part is open.
///
/// Summands have bars; factors have none, since they are not comparable.
pub fn parts(props: &TreeProps) -> Html {
    let parts = &props.why.parts;
    let most = parts.iter().map(|part| part.value.abs()).fold(0.0, f64::max);
    let is_sum = props.why.sign == "+" && parts.len() > 1 && most > 0.0;
    html! {
        <ul class="parts">
            { for parts.iter().enumerate().map(|(i, part)| html! {
                <Part key={i} why={part.clone()} lane={props.lane} shortener={props.shortener.clone()}
                    on={props.on.clone()} share={is_sum.then(|| part.value.abs() / most)}
                    is_only={parts.len() == 1} />
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
    share: Option<f64>,
    is_only: bool,
}

#[component]
fn Part(props: &PartProps) -> Html {
    let toggled = use_state(|| false);
    let open = *toggled != props.is_only;
    let bar = use_node_ref();
    use_vars(&bar, vec![("--bar", format!("{:.3}", props.share.unwrap_or(0.0)))]);
    let tree = TreeProps {
        why: props.why.clone(),
        lane: props.lane,
        shortener: props.shortener.clone(),
        on: props.on.clone(),
    };
    let has_parts = !props.why.parts.is_empty();
    let toggle = {
        let toggled = toggled.clone();
        Callback::from(move |_: MouseEvent| toggled.set(!*toggled))
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
                if props.share.is_some() {
                    <span ref={bar} class="part-bar" aria-hidden="true" />
                }
                <span class="number" data-value={props.why.value.to_string()}>{ score_text(props.why.value) }</span>
            </div>
            if !(has_parts && open) {
                { for props.why.seen.iter().map(|seen| evidence(seen, &tree)) }
            } else {
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
            let (on, chosen) = (props.on.clone(), ChosenPage { lane: props.lane, page: *page });
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
