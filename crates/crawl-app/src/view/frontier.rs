//! The queue of a lane: next URLs, best first. Rows slide when their order changes.

use crate::model::{Action, ChosenPage, Shortener, last_part, score_text, seconds_text};
use crawl_protocol::lane::Frame;
use crawl_text::app::text;
use crawl_text::fill;
use crawl_text::number::hours_text;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Properties of [`frontier`].
#[derive(Clone, PartialEq, Properties)]
pub struct FrontierProps {
    /// The lane.
    pub lane: usize,
    /// The last frame of the lane.
    pub frame: Option<Rc<Frame>>,
    /// The explained page.
    pub chosen: Option<u32>,
    /// The page whose row Tab focuses.
    pub stop: Option<u32>,
    /// Shortens URLs.
    pub shortener: Shortener,
    /// Receives actions.
    pub on: Callback<Action>,
}

/// The queue of a lane.
pub fn frontier(props: &FrontierProps) -> Html {
    let t = text();
    let Some(frame) = &props.frame else {
        return html! { <div class="frontier" aria-hidden="true" /> };
    };
    let n = crate::model::count_text(frame.n_waiting.into());
    let scores = frame.next.iter().filter(|row| row.due_s.is_none()).map(|row| row.score);
    let (low, high) = scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    let best = frame.best.as_ref().map(|best| best.row.page);
    let stop = frame.next.iter().position(|row| Some(row.page) == props.stop).unwrap_or(0);
    let onfocusin = {
        let (on, lane) = (props.on.clone(), props.lane);
        Callback::from(move |event: FocusEvent| {
            let button = event.target_dyn_into::<Element>();
            let page = button.and_then(|button| button.get_attribute("value"));
            if let Some(page) = page.and_then(|page| page.parse().ok()) {
                on.emit(Action::Stop(lane, page));
            }
        })
    };
    html! {
        <div class="frontier" data-step={frame.step.to_string()}>
            <p class="caption number">
                { if frame.n_waiting == 0 && frame.next.is_empty() { t.frontier_empty.to_owned() }
                  else if frame.n_waiting == 0 { t.none_due.to_owned() }
                  else { fill(t.next_of, &[("n", &n)]) } }
            </p>
            <ol class="rows" {onfocusin} onkeydown={Callback::from(walk)}>
                { for frame.next.iter().enumerate().map(|(place, row)| html! {
                    <Row key={row.page} lane={props.lane} {place} page={row.page}
                        url={props.shortener.plain(&row.url)} full={row.url.clone()}
                        score={row.score} bar={if row.due_s.is_some() { 0.0 } else { bar(row.score, low, high) }}
                        in_s={row.due_s.map(|due_s| due_s - frame.seconds)}
                        held={row.held && frame.n_waiting > 0} is_best={best == Some(row.page)} is_chosen={props.chosen == Some(row.page)} is_stop={place == stop}
                        on={props.on.clone()} />
                }) }
            </ol>
            { best_elsewhere(props, frame) }
        </div>
    }
}

/// Share of the row that the bar fills.
///
/// Relative to the best score if all scores have one sign, else linear from the lowest.
fn bar(score: f64, low: f64, high: f64) -> f64 {
    let share = if low >= 0.0 && high > 0.0 {
        score / high
    } else if high <= 0.0 && score < 0.0 {
        high / score
    } else if high > low {
        (score - low) / (high - low)
    } else {
        1.0
    };
    share.clamp(0.04, 1.0)
}

/// The best waiting page, if it is not among the rows.
fn best_elsewhere(props: &FrontierProps, frame: &Frame) -> Html {
    let t = text();
    let Some(best) = &frame.best else { return html! {} };
    if frame.next.iter().any(|row| row.page == best.row.page) {
        return html! {};
    }
    let place = crate::model::count_text(best.place.into());
    let choose = choose(props.lane, best.row.page, &props.on);
    html! {
        <button class="best-elsewhere" onclick={choose}
            title={fill(t.best_waiting_help, &[("place", &place)])}>
            <span class="best-mark" aria-hidden="true">{ "★" }</span>
            <span class="url">{ props.shortener.short(&best.row.url, 26) }</span>
            <span class="number muted">{ "#" }{ place }</span>
        </button>
    }
}

/// Moves the focus between rows with arrow keys; the list is one Tab stop.
fn walk(event: KeyboardEvent) {
    let target = event.target_dyn_into::<Element>();
    let Some(row) = target.and_then(|target| target.closest(".row").ok().flatten()) else { return };
    let list = row.parent_element();
    let to = match event.key().as_str() {
        "ArrowUp" => row.previous_element_sibling(),
        "ArrowDown" => row.next_element_sibling(),
        "Home" => list.and_then(|list| list.first_element_child()),
        "End" => list.and_then(|list| list.last_element_child()),
        _ => return,
    };
    // The play-head uses these keys, too.
    event.prevent_default();
    event.stop_propagation();
    focus(to);
}

/// Focuses a row.
fn focus(row: Option<Element>) {
    let button = row.and_then(|row| row.first_element_child()?.dyn_into::<HtmlElement>().ok());
    if let Some(button) = button {
        // Fails only for hidden elements.
        let _ = button.focus();
    }
}

/// Moves the focus off a row that is removed.
fn leave(row: Option<Element>) {
    let row = row.filter(|row| row.query_selector("button:focus").ok().flatten().is_some());
    focus(
        row.and_then(|row| row.next_element_sibling().or_else(|| row.previous_element_sibling())),
    );
}

fn choose(lane: usize, page: u32, on: &Callback<Action>) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(Action::Choose(ChosenPage { lane, page })))
}

/// A short time, to leave room for the URL.
fn short_time(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours if hours >= 1.0 => hours_text(&format!("{hours:.1}")),
        _ => seconds_text(seconds),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    lane: usize,
    place: usize,
    page: u32,
    url: String,
    full: String,
    score: f64,
    bar: f64,
    /// Seconds until it is due; `None` if it is.
    in_s: Option<f64>,
    is_best: bool,
    is_chosen: bool,
    is_stop: bool,
    held: bool,
    on: Callback<Action>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let node = use_node_ref();
    use_effect_with(node.clone(), |node| {
        let row = node.cast::<Element>();
        move || leave(row)
    });
    // Positions are classes: a row has its place before the first paint.
    let class = classes!(
        "row",
        format!("row-{}", props.place + 1),
        props.is_best.then_some("is-best"),
        props.is_chosen.then_some("is-chosen"),
        props.held.then_some("is-held"),
    );
    // Host and last path segment stay; the middle is cut first.
    let (head, tail) = props.url.split_at(last_part(&props.url));
    let is_long = (head.len() > 7).then_some("long");
    html! {
        <li ref={node} {class}>
            <button title={props.full.clone()} onclick={choose(props.lane, props.page, &props.on)}
                value={props.page.to_string()} tabindex={if props.is_stop { "0" } else { "-1" }}
                aria-pressed={props.is_chosen.to_string()}>
                <svg class="bar" aria-hidden="true">
                    <rect width={format!("{:.1}%", props.bar * 100.0)} height="100%" rx="3" />
                </svg>
                <span class="url">
                    <span class={classes!("head", is_long)}>{ head.to_owned() }</span>
                    <span class="tail">{ tail.to_owned() }</span>
                </span>
                if props.held {
                    <span class="held-mark" role="img" aria-label={text().held} title={text().held}>
                        { "‖" }
                    </span>
                }
                if props.is_best {
                    <span class="best-mark" title={text().best_waiting}>{ "★" }</span>
                }
                <span class="score number">{ match props.in_s {
                    None => score_text(props.score),
                    Some(in_s) => fill(text().due_in, &[("time", &short_time(in_s))]),
                } }</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_compare_with_the_best() {
        assert_eq!(bar(2.0, 1.0, 4.0), 0.5);
        assert_eq!(bar(-20.0, -40.0, -10.0), 0.5);
        assert_eq!(bar(0.0, 0.0, 0.0), 1.0);
        assert_eq!(bar(0.0, -1.0, 1.0), 0.5);
        assert_eq!(bar(1e-9, 0.0, 1.0), 0.04);
    }
}
