//! The inspector explains a page: formula with numbers, score changes, place in every lane.

use super::topic::marks;
use super::why::{TreeProps, formula, parts};
use super::{Props, icon};
use crate::model::{
    Action, ChosenPage, LaneState, Shortener, count_text, score_text, seconds_text,
};
use crawl_catalogue::{Chosen as Picked, Kind, visible};
use crawl_protocol::Axis;
use crawl_protocol::lane::{Moved, Place, Reasons};
use crawl_protocol::timeline::VisitFound;
use crawl_text::app::text;
use crawl_text::fill;
use yew::prelude::*;

/// Maximum number of earlier changes listed.
const MOVES_LISTED: usize = 20;

/// The inspector panel.
pub fn inspector(props: &Props) -> Html {
    let t = text();
    let Some(chosen) = props.model.chosen else { return html! {} };
    let lane = props.model.lanes.get(chosen.lane);
    let reasons = lane.and_then(|lane| lane.reasons.clone());
    let reasons = reasons.filter(|reasons| reasons.page == chosen.page);
    let visit = props.model.visit_shown();
    let short = Shortener::of(props.model.picture.as_ref());
    let has_revisits = reasons.as_ref().is_some_and(|r| policy_of(props, r, chosen.lane).is_some());
    html! {
        <aside class={classes!("inspector", props.lane_class(chosen.lane))} aria-label={t.inspector}>
            <div class="inspector-head">
                { props.shape(chosen.lane) }
                <span>{ props.lane_title(chosen.lane) }</span>
                if let Some(reasons) = reasons.as_ref().filter(|_| visit.is_none()) {
                    <span class="muted number">{ place_text(props, &reasons.place) }</span>
                }
                <span class="spring" />
                <button class="quiet" aria-label={t.close} onclick={props.emit(Action::Unchoose)}>{ icon::close() }</button>
            </div>
            if let Some(reasons) = reasons {
                <p class="page-url">{ visible(&reasons.url).into_owned() }</p>
                if !reasons.title.is_empty() {
                    <p class="page-title">{ reasons.title.clone() }</p>
                }
                if !has_revisits && lane.is_some_and(|lane| is_held(lane, chosen.page)) {
                    <p><span class="held-mark" aria-hidden="true">{ "‖ " }</span>{ t.held_help }</p>
                }
                if let Some((lane, (step, found))) = lane.zip(visit) {
                    <p class="number"><b>{ visit_text(lane, step, found) }</b></p>
                }
                { marks(props, &reasons.url) }
                { parted(props, &reasons, chosen, &short) }
                { why(props, &reasons, chosen, &short) }
                // Visit urgency changes continuously: no list of changes.
                if !has_revisits {
                    { moves(props, &reasons, chosen, &short) }
                }
                { places(props, chosen) }
                <p class="muted">
                    { fill(t.true_rank, &[("rank", &score_text(reasons.true_rank))]) }
                </p>
                { divergences(props, chosen) }
            } else {
                <p class="muted">{ t.asking }</p>
            }
        </aside>
    }
}

/// The explained visit and what it found.
fn visit_text(lane: &LaneState, step: u32, found: VisitFound) -> String {
    let t = text();
    let sentence = match found {
        VisitFound::First => t.visit_first,
        VisitFound::Changed => t.visit_changed,
        VisitFound::Same => t.visit_same,
    };
    let time = seconds_text(lane.place_of(Axis::Seconds, step));
    fill(sentence, &[("time", &time), ("step", &count_text(step.into()))])
}

/// Whether a page waits for a host pause, according to the rows.
fn is_held(lane: &LaneState, page: u32) -> bool {
    let rows = lane.frame.iter().flat_map(|frame| &frame.next);
    rows.filter(|row| row.page == page).any(|row| row.held)
}

/// First difference between two lanes: both pages, and the chosen page's place in the other.
fn parted(props: &Props, reasons: &Reasons, chosen: ChosenPage, short: &Shortener) -> Html {
    let t = text();
    let Some(parted) = props.model.parted else { return html! {} };
    let ((page, score), (other, other_score)) = parted.took;
    let Some(other) = props.model.url_of(other) else { return html! {} };
    let there = props.model.lanes.get(parted.lane).and_then(|lane| lane.reasons.as_ref());
    let there = there.filter(|there| there.page == page && there.step + 1 == parted.step);
    let place = there.map(|there| place_text(props, &there.place)).unwrap_or_default();
    let value = there.and_then(|there| there.why.as_ref()).map(|why| score_text(why.value));
    let values = [
        ("step", count_text(parted.step.into())),
        ("a", props.lane_title(chosen.lane)),
        ("b", props.lane_title(parted.lane)),
        ("page", short.short(&reasons.url, 40)),
        ("other", short.short(other, 40)),
        ("score", score_text(score)),
        ("other_score", score_text(other_score)),
        ("place", place),
        ("value", value.clone().unwrap_or_default()),
    ];
    let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
    html! {
        <p class="parted">
            { fill(t.parted, &values) }
            if value.is_some() {
                { " " }{ fill(t.parted_because, &values) }
            }
        </p>
    }
}

/// The revisit policy, if it schedules the page: only fetched pages.
fn policy_of<'a>(props: &'a Props, reasons: &Reasons, lane: usize) -> Option<&'a Picked> {
    let policy = props.model.experiment.as_ref().and_then(|e| e.revisit(lane));
    policy.filter(|_| matches!(reasons.place, Place::Fetched { .. }))
}

fn why(props: &Props, reasons: &Reasons, chosen: ChosenPage, short: &Shortener) -> Html {
    let t = text();
    let policy = policy_of(props, reasons, chosen.lane);
    let words = match reasons.place {
        Place::Unknown => return html! { <p>{ t.not_found_here }</p> },
        Place::Refused => return html! { <p>{ t.refused_here }</p> },
        _ if policy.is_some() && props.model.visit_shown().is_some() => t.why_visit,
        _ if policy.is_some() => t.why_again,
        Place::Waiting { .. } => t.why_next,
        Place::InFlight | Place::Fetched { .. } => t.why_then,
    };
    let Some(why) = &reasons.why else { return html! {} };
    let strategy = props.model.lanes.get(chosen.lane).map(|lane| &lane.strategy);
    // A fetched page waits for its next visit, which the policy schedules.
    let by = match policy {
        Some(policy) => Some((Kind::Policy, policy)),
        None => strategy.map(|strategy| (Kind::Strategy, strategy)),
    };
    let catalogue = props.model.catalogue.as_ref();
    let entry = catalogue.zip(by).and_then(|(c, (kind, chosen))| c.entry(kind, &chosen.id));
    let tree = TreeProps {
        why: why.clone(),
        lane: chosen.lane,
        shortener: short.clone(),
        on: props.on.clone(),
    };
    html! {
        <section>
            <h3>{ words }</h3>
            if let Some(entry) = entry {
                <p class="formula">{ entry.formula.to_string() }</p>
            }
            { formula(&tree) }
            // The value is hours passed ÷ hours wanted.
            if policy.is_some() && why.sign == "÷" {
                <p class="muted">{ t.why_due }</p>
            }
            { parts(&tree) }
        </section>
    }
}

fn moves(props: &Props, reasons: &Reasons, chosen: ChosenPage, short: &Shortener) -> Html {
    let t = text();
    if matches!(reasons.place, Place::Unknown | Place::Refused) {
        return html! {};
    }
    let mut moves = reasons.moves.iter().rev();
    let latest = moves.next();
    let earlier: Vec<&Moved> = moves.take(MOVES_LISTED).collect();
    let n_earlier = count_text(reasons.n_moves.saturating_sub(1).into());
    html! {
        <section>
            <h3>{ t.why_moved }</h3>
            if let Some(latest) = latest {
                { moved(props, latest, chosen, short) }
                if !earlier.is_empty() {
                    <details>
                        <summary>{ fill(t.earlier_moves, &[("n", &n_earlier)]) }</summary>
                        { for earlier.into_iter().map(|m| moved(props, m, chosen, short)) }
                    </details>
                }
            } else {
                <p class="muted">{ t.never_moved }</p>
            }
        </section>
    }
}

fn moved(props: &Props, change: &Moved, chosen: ChosenPage, short: &Shortener) -> Html {
    let t = text();
    let step = count_text(change.step.into());
    let (before, after) = (score_text(change.before), score_text(change.after));
    let sentence = fill(t.moved_by, &[("step", &step), ("before", &before), ("after", &after)]);
    let (head, tail) = sentence.split_once("{page}").unwrap_or((&sentence, ""));
    let by = ChosenPage { lane: chosen.lane, page: change.by.page };
    html! {
        <p class="moved">
            { head.to_owned() }
            <button class="link url" title={change.by.url.clone()}
                onclick={props.emit(Action::Choose(by))}>
                { short.short(&change.by.url, 34) }
            </button>
            { tail.to_owned() }
            if let (Some(before), Some(after)) = (change.place_before, change.place_after) {
                { " " }
                { fill(t.moved_place, &[
                    ("before", &count_text(before.into())), ("after", &count_text(after.into())),
                ]) }
            }
        </p>
    }
}

/// Place of a page in a lane.
fn place_text(props: &Props, place: &Place) -> String {
    let t = text();
    let has_revisits = props.model.has_revisits();
    match place {
        Place::Unknown => t.place_unknown.to_owned(),
        Place::Refused => t.place_refused.to_owned(),
        Place::InFlight => t.place_in_flight.to_owned(),
        Place::Waiting { place, of } => {
            let (place, of) = (count_text((*place).into()), count_text((*of).into()));
            fill(t.place_waiting, &[("place", &place), ("of", &of)])
        }
        Place::Fetched { step } => {
            let sentence = if has_revisits { t.place_first } else { t.place_fetched };
            fill(sentence, &[("step", &count_text((*step).into()))])
        }
    }
}

fn places(props: &Props, chosen: ChosenPage) -> Html {
    let t = text();
    html! {
        <section>
            <h3>{ t.other_lanes }</h3>
            <ul class="places">
                { for props.model.lanes.iter().enumerate().map(|(at, lane)| {
                    let reasons = lane.reasons.as_ref().filter(|r| r.page == chosen.page);
                    let choose = ChosenPage { lane: at, page: chosen.page };
                    html! {
                        <li>
                            <button class={classes!("place", (at == chosen.lane).then_some("is-chosen"))}
                                onclick={props.emit(Action::Choose(choose))}>
                                { props.shape(at) }
                                <span>{ props.lane_title(at) }</span>
                                <span class="number muted">
                                    { reasons.map(|r| place_text(props, &r.place)).unwrap_or_default() }
                                </span>
                            </button>
                        </li>
                    }
                }) }
            </ul>
        </section>
    }
}

fn divergences(props: &Props, chosen: ChosenPage) -> Html {
    let t = text();
    let others = (0..props.model.lanes.len()).filter(|at| *at != chosen.lane);
    html! {
        <div class="divergences">
            { for others.map(|at| html! {
                <button onclick={props.emit(Action::Diverge(chosen.lane, at))}>
                    { fill(t.divergence, &[("lane", &props.lane_title(at))]) }
                </button>
            }) }
        </div>
    }
}
