//! The next URLs of a lane, best first. Rows slide when their order changes.

use super::Props;
use crate::model::{Action, Chosen, Shortener, score_text};
use crate::text::{fill, text};
use crawl_protocol::lane::Frame;
use std::rc::Rc;
use yew::prelude::*;

/// One lane's frontier.
#[derive(Clone, PartialEq, Properties)]
pub struct FrontierProps {
    /// Which lane.
    pub lane: usize,
    /// The crawl as it was answered.
    pub frame: Option<Rc<Frame>>,
    /// The page whose reasons are shown.
    pub chosen: Option<u32>,
    /// Makes URLs short.
    pub shortener: Shortener,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The next URLs.
pub fn frontier(props: &FrontierProps) -> Html {
    let t = text();
    let Some(frame) = &props.frame else {
        return html! { <div class="frontier" aria-hidden="true" /> };
    };
    let n = crate::model::count_text(frame.n_waiting.into());
    let scores = frame.next.iter().map(|row| row.score);
    let (low, high) = scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    let best = frame.best.as_ref().map(|best| best.row.page);
    html! {
        <div class="frontier" data-step={frame.step.to_string()}>
            <p class="caption number">
                { if frame.n_waiting == 0 { t.nothing_waits.to_owned() }
                  else { fill(t.next_of, &[("n", &n)]) } }
            </p>
            <ol class="rows">
                { for frame.next.iter().enumerate().map(|(place, row)| html! {
                    <Row key={row.page} lane={props.lane} {place} page={row.page}
                        url={props.shortener.plain(&row.url)} full={row.url.clone()}
                        score={row.score} bar={bar(row.score, low, high)}
                        held={row.held} is_best={best == Some(row.page)} is_chosen={props.chosen == Some(row.page)}
                        on={props.on.clone()} />
                }) }
            </ol>
            { best_elsewhere(props, frame) }
        </div>
    }
}

/// The share of the row that the bar fills. Where all scores have one sign, bars compare them with
/// the best; otherwise only the order can be shown.
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

/// The best waiting page, when it is not among the rows.
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

fn choose(lane: usize, page: u32, on: &Callback<Action>) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(Action::Choose(Chosen { lane, page })))
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
    is_best: bool,
    is_chosen: bool,
    held: bool,
    on: Callback<Action>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    // Places are classes, so that a row has its place before it is first seen.
    let class = classes!(
        "row",
        format!("row-{}", props.place + 1),
        props.is_best.then_some("is-best"),
        props.is_chosen.then_some("is-chosen"),
        props.held.then_some("is-held"),
    );
    // Host and last part tell pages apart, so the middle gives way first.
    let cut = props.url.rfind('/').filter(|at| at + 1 < props.url.len());
    let cut = cut.or_else(|| props.url.trim_end_matches('/').rfind('/'));
    let (head, tail) = props.url.split_at(cut.unwrap_or(0));
    html! {
        <li {class}>
            <button title={props.full.clone()} onclick={choose(props.lane, props.page, &props.on)}
                aria-pressed={props.is_chosen.to_string()}>
                <svg class="bar" aria-hidden="true">
                    <rect width={format!("{:.1}%", props.bar * 100.0)} height="100%" rx="3" />
                </svg>
                <span class="url"><span class="head">{ head.to_owned() }</span><span class="tail">{ tail.to_owned() }</span></span>
                if props.held {
                    <span class="held-mark" role="img" aria-label={text().held} title={text().held}>
                        { "‖" }
                    </span>
                }
                if props.is_best {
                    <span class="best-mark" title={text().best_waiting}>{ "★" }</span>
                }
                <span class="score number">{ score_text(props.score) }</span>
            </button>
        </li>
    }
}

/// The shortener for the present world.
pub fn shortener(props: &Props) -> Shortener {
    props.model.picture.as_ref().map(|p| Shortener::new(&p.domain)).unwrap_or_default()
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
