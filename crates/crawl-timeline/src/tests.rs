//! Tests of the model with messages, answers and input events.

use crate::cache::CachedMarks;
use crate::clock::Span;
use crate::dense::LeftOut;
use crate::facts::facts;
use crate::model::{Changed, Empty, Model};
use crate::pointer::{Hit, Turn};
use crate::table;
use crawl_protocol::Task;
use crawl_protocol::timeline::{
    Answered, Ask, Changed as Change, Marks, Message, PageMarks, PageRow, Request, RowGroup,
    RowOrder, Rows, Scene, SceneLane, Visit, VisitFound,
};

const HOUR: f64 = 3600.0;
const END: f64 = 24.0 * HOUR;

fn scene(n_lanes: u32) -> Scene {
    let lane = |at: u32| SceneLane {
        title: format!("lane {at}"),
        mark: at as u8,
        run: 1,
        until_s: END,
        revisits: true,
        ..SceneLane::default()
    };
    let lanes = (0..n_lanes).map(lane).collect();
    Scene { lanes, end_s: END, is_complete: true, ..Scene::default() }
}

fn row(page: u32, group: RowGroup) -> PageRow {
    let group = if group == RowGroup::None { String::new() } else { format!("g{}", page / 3) };
    // One URL has a character that reverses the text direction.
    let odd = if page == 9 { "\u{202e}" } else { "" };
    let url = format!("http://a.example/{page}{odd}");
    PageRow { page, url, group, per_hour: Some(1.0), importance: 0.0 }
}

/// Visits every hour, changes every four hours.
fn marks(page: u32) -> PageMarks {
    let visit = |hour: u32| Visit {
        at_s: f64::from(hour) * HOUR,
        step: 100 + hour,
        found: match hour {
            1 => VisitFound::First,
            _ if hour.is_multiple_of(4) => VisitFound::Changed,
            _ => VisitFound::Same,
        },
    };
    let change = |n: u32| Change { at_s: (f64::from(n) * 4.0 - 0.5) * HOUR, is_missed: false };
    PageMarks {
        page,
        copied_s: Some(HOUR),
        visits: (1..24).map(visit).collect(),
        changes: (1..6).map(change).collect(),
        stale: (1..6).map(|n| (change(n).at_s, change(n).at_s + 0.5 * HOUR)).collect(),
        n_visits: 23,
        n_wasted: 17,
        due_s: Some(13.0 * HOUR),
        ..PageMarks::default()
    }
}

/// Answers all requests for `n_rows` pages; returns their number.
fn answer(model: &mut Model, n_rows: u32, now_ms: f64) -> usize {
    answer_with(model, n_rows, now_ms, |_, _, page| marks(page))
}

/// [`answer`] with marks by lane, hours and page.
fn answer_with(
    model: &mut Model,
    n_rows: u32,
    now_ms: f64,
    marks: impl Fn(u32, f64, u32) -> PageMarks,
) -> usize {
    let mut n_asked = 0;
    loop {
        model.ask(now_ms);
        let requests = model.take_requests();
        let asks = requests.iter().filter_map(|request| match request {
            Request::Ask(lane, packed) => Some((*lane, packed.open().unwrap())),
            _ => None,
        });
        let asks: Vec<(u32, Ask)> = asks.collect();
        if asks.is_empty() {
            return n_asked;
        }
        n_asked += asks.len();
        for (lane, ask) in asks {
            let answered = match ask {
                Ask::Rows { task, of } => {
                    let rows = of.first..(of.first + of.n).min(n_rows);
                    let rows = rows.map(|page| row(page, of.group)).collect();
                    Answered::Rows(Rows { task, of, n_rows, rows })
                }
                Ask::Marks { task, of } => Answered::Marks(Marks {
                    task,
                    step: of.step,
                    from_s: of.from_s,
                    to_s: of.to_s,
                    known_until_s: END,
                    pages: {
                        let hours = (of.to_s - of.from_s) / HOUR;
                        of.pages.into_iter().map(|page| marks(lane, hours, page)).collect()
                    },
                    curve: None,
                }),
            };
            model.receive_answer(lane as usize, answered);
        }
    }
}

fn shown(n_lanes: u32, n_rows: u32) -> Model {
    let mut model = Model::new();
    model.resized((1100.0, 600.0));
    model.receive(Message::Scene(scene(n_lanes)));
    let steps = vec![112; n_lanes as usize];
    model.receive(Message::Head { at_s: 12.0 * HOUR, steps, is_playing: false });
    answer(&mut model, n_rows, 0.0);
    model
}

/// Position of a visit on the canvas.
fn place(model: &Model, lane: usize, row: usize, at_s: f64) -> (f64, f64) {
    let layout = model.layout();
    let band = layout.row(lane, &layout.rows[row]);
    (layout.scale.x(at_s), band.top + band.height / 2.0)
}

#[test]
fn rows_and_marks_are_asked_for_until_all_in_sight_is_there() {
    let mut model = shown(3, 100_000);
    assert_eq!(model.empty(), None);
    assert!(model.layout().rows.len() >= 3);
    assert_eq!(answer(&mut model, 100_000, 5000.0), 0, "nothing more");
    for lane in 0..3 {
        assert!(model.held(lane, 0).is_some());
    }
    // Jump to the end.
    model.scroll_to(u32::MAX);
    assert!(answer(&mut model, 100_000, 5001.0) > 0);
    let last = model.layout().rows.last().copied().unwrap();
    assert_eq!(model.row(last.index).map(|row| row.page), Some(99_999));
}

#[test]
fn there_is_a_word_for_every_kind_of_nothing() {
    let mut model = Model::new();
    assert_eq!(model.empty(), Some(Empty::Never));
    let mut bare = scene(1);
    (bare.end_s, bare.lanes[0].until_s) = (0.0, 0.0);
    model.receive(Message::Scene(bare));
    assert_eq!(model.empty(), Some(Empty::NotStarted));
    assert_eq!(model.ask(0.0), None);
    assert_eq!(model.take_requests(), []);
    model.receive(Message::Scene(scene(1)));
    assert_eq!(model.empty(), Some(Empty::Loading));
    answer(&mut model, 0, 0.0);
    assert_eq!(model.empty(), Some(Empty::NoRows));
}

#[test]
fn hidden_characters_of_urls_are_shown() {
    let model = shown(1, 10);
    assert_eq!(model.rows.get(9).unwrap().url, "http://a.example/9\\u{202e}");
}

#[test]
fn another_run_forgets_and_late_answers_are_left_out() {
    let mut model = shown(2, 10);
    let mut again = scene(2);
    again.lanes.iter_mut().for_each(|lane| lane.run = 2);
    model.receive(Message::Scene(again.clone()));
    assert_eq!(model.empty(), Some(Empty::Loading));
    assert!(model.held(1, 0).is_none());
    let late =
        Rows { task: Task(1), n_rows: 10, rows: vec![row(0, RowGroup::None)], ..Rows::default() };
    model.receive_answer(0, Answered::Rows(late));
    assert_eq!(model.empty(), Some(Empty::Loading));
    // Scenes arrive often during a run; the pending request stays.
    model.ask(0.0);
    let asked = model.take_requests();
    again.lanes[1].until_s = 5.0;
    model.receive(Message::Scene(again));
    model.ask(1.0);
    assert!(!asked.is_empty() && model.take_requests().is_empty());
}

#[test]
fn a_click_on_a_visit_asks_why() {
    let mut model = shown(3, 10);
    let (x, y) = place(&model, 2, 1, 8.0 * HOUR);
    model.pointer_moved(1, (x + 3.0, y));
    assert!(matches!(model.hovered(), Some((_, Hit::Visit(2, 1, visit))) if visit.step == 108));
    model.pointer_down(1, (x + 3.0, y));
    model.pointer_up(1);
    assert_eq!(
        model.take_requests(),
        [Request::Why { lane: 2, page: 1, step: 108, found: VisitFound::Changed }]
    );
    // A change far from any visit.
    let (x, y) = place(&model, 0, 0, 7.5 * HOUR);
    assert!(matches!(model.hit(x, y), Hit::Change(0, 0, _)));
    // A drag is not a click: it pans.
    model.zoom(4.0);
    let before = model.span;
    let (x, y) = place(&model, 2, 1, 12.0 * HOUR);
    model.pointer_down(1, (x, y));
    model.pointer_moved(1, (x - 50.0, y));
    model.pointer_up(1);
    assert!(model.span.from_s > before.from_s);
    assert_eq!(model.take_requests(), []);
}

#[test]
fn the_play_head_is_dragged_on_axis_and_curve() {
    let mut model = shown(2, 10);
    let layout = model.layout();
    for y in [layout.curve.top + 5.0, layout.axis.top + 5.0] {
        model.pointer_down(1, (layout.scale.x(6.0 * HOUR), y));
        model.pointer_moved(1, (layout.scale.x(7.0 * HOUR), y));
        model.pointer_up(1);
        let requests = model.take_requests();
        let [Request::Seek(at_s)] = requests[..] else { panic!("{requests:?}") };
        assert!((at_s - 7.0 * HOUR).abs() < 1.0, "only the last of a frame");
    }
}

#[test]
fn a_name_shows_its_page_alone_and_keys_go_from_row_to_row() {
    let mut model = shown(2, 10);
    let (_, y) = place(&model, 0, 1, 0.0);
    model.pointer_down(1, (40.0, y));
    model.pointer_up(1);
    assert_eq!(model.take_requests(), [Request::Alone(Some(1))]);
    model.receive(Message::Scene(Scene { alone: Some(1), ..scene(2) }));
    assert_eq!(model.layout().rows.len(), 1);
    assert_eq!(model.row(0).map(|row| row.page), Some(1));
    assert!(model.key("ArrowDown", false));
    assert_eq!(model.take_requests(), [Request::Alone(Some(2))]);
    model.toggle_alone();
    assert_eq!(model.take_requests(), [Request::Alone(None)]);
    assert!(!model.key("ArrowLeft", false) && !model.key("Home", false), "those are the app's");
}

#[test]
fn keys_scroll_zoom_and_ask_why() {
    let mut model = shown(2, 100_000);
    let n = model.layout().rows.len() as u32;
    (0..=n).for_each(|_| assert!(model.key("ArrowDown", false)));
    assert_eq!((model.focus, model.first), (Some(n), 1));
    assert!(model.key("+", false) && model.key("+", false));
    assert!(model.span.length_s() < END / 2.0);
    // Zooms about the play-head in the middle.
    let middle = (model.span.from_s + model.span.to_s) / 2.0;
    assert!((middle - 12.0 * HOUR).abs() < 1.0);
    assert!(model.key("0", false));
    assert_eq!(model.span, Span::whole(END));
    answer(&mut model, 100_000, 10_000.0);
    assert!(model.key("Enter", false));
    assert_eq!(
        model.take_requests(),
        [Request::Why { lane: 0, page: n, step: 112, found: VisitFound::Changed }]
    );
}

#[test]
fn the_wheel_scrolls_rows_zooms_at_the_pointer_and_pans() {
    let mut model = shown(2, 1000);
    model.wheel(Turn::Scroll, 300.0, 500.0);
    assert!(model.first > 5);
    let (x, _) = place(&model, 0, 0, 6.0 * HOUR);
    model.wheel(Turn::Zoom, -200.0, x);
    let (after, _) = place(&model, 0, 0, 6.0 * HOUR);
    assert!((x - after).abs() < 1e-6, "what is under the pointer stays");
    let before = model.span;
    model.wheel(Turn::Pan, 100.0, x);
    assert!(model.span.from_s > before.from_s);
    (0..40).for_each(|_| model.wheel(Turn::Zoom, 300.0, x));
    assert_eq!(model.span, Span::whole(END));
}

#[test]
fn rows_that_all_fit_do_not_scroll() {
    let mut model = shown(2, 5);
    model.wheel(Turn::Scroll, 300.0, 500.0);
    assert_eq!((model.first, model.layout().rows.len()), (0, 5));
}

#[test]
fn two_fingers_zoom() {
    let mut model = shown(2, 10);
    model.pointer_down(1, (500.0, 300.0));
    model.pointer_down(2, (700.0, 300.0));
    model.pointer_moved(2, (900.0, 300.0));
    assert!(model.span.length_s() < END * 0.6);
    model.pointer_up(1);
    model.pointer_up(2);
    assert_eq!(model.take_requests(), [], "no click");
}

#[test]
fn what_plays_out_of_sight_is_followed() {
    let mut model = shown(1, 10);
    model.zoom(8.0);
    let span = model.span;
    let head = |at_s: f64, is_playing| Message::Head { at_s, steps: vec![1], is_playing };
    model.receive(head(span.to_s - 1.0, true));
    assert_eq!(model.span, span);
    model.receive(head(span.to_s + 1.0, true));
    assert!(model.span.from_s < span.to_s && span.to_s < model.span.to_s, "{:?}", model.span);
    // A paused play-head may leave the view.
    let span = model.span;
    model.receive(head(span.to_s + 500.0, false));
    assert_eq!(model.span, span);
}

#[test]
fn only_what_changed_is_drawn() {
    let mut model = shown(2, 10);
    model.take_changed();
    let head = Message::Head { at_s: 13.0 * HOUR, steps: vec![113; 2], is_playing: false };
    model.receive(head);
    let changed = model.take_changed();
    assert_eq!(changed, Changed { head: true, ..Changed::default() });
    assert_eq!(model.take_changed(), Changed::default());
}

#[test]
fn the_table_says_what_is_drawn() {
    let mut model = shown(2, 10);
    let cells = table::cells(&model);
    assert_eq!(cells.len(), 2 * model.layout().rows.len());
    // 2.5 of 23 hours stale.
    assert_eq!(cells[0], ["0", "lane 0", "23", "17", "89\u{202f}%", "13:00:00"]);
    model.receive(Message::Scene(Scene {
        group: RowGroup::Class,
        order: RowOrder::Importance,
        ..scene(2)
    }));
    answer(&mut model, 10, 10_000.0);
    let headings: Vec<bool> = model.layout().rows.iter().map(|row| row.heading).collect();
    assert_eq!(headings[..4], [true, false, false, true]);
}

#[test]
fn with_shift_keys_turn_pages_of_rows_and_go_in_time() {
    let mut model = shown(3, 100_000);
    let n = model.layout().rows.len() as u32;
    assert!(model.key("ArrowDown", true));
    assert_eq!((model.first, model.focus), (n, Some(n)));
    answer(&mut model, 100_000, 5000.0);
    assert!(model.key("ArrowUp", true) && model.key("ArrowUp", true));
    assert_eq!((model.first, model.focus), (0, Some(0)));
    // Left and right without Shift move the play-head.
    assert!(!model.key("ArrowLeft", false) && !model.key("ArrowRight", false));
    model.key("+", false);
    let before = model.span;
    assert!(model.key("ArrowRight", true));
    assert!(model.span.from_s > before.from_s);
    assert!(model.key("ArrowLeft", true));
    assert!((model.span.from_s - before.from_s).abs() < 1e-6);
}

#[test]
fn the_visit_that_is_explained_has_a_ring_and_the_tip_is_gone() {
    let mut model = shown(2, 10);
    let (x, y) = place(&model, 1, 0, 15.0 * HOUR);
    model.pointer_moved(1, (x, y));
    model.pointer_down(1, (x, y));
    model.pointer_up(1);
    let why = Request::Why { lane: 1, page: 0, step: 115, found: VisitFound::Same };
    assert!(model.take_requests().contains(&why));
    assert_eq!(model.hovered(), None, "its reasons are shown instead");
    // The app moves to just before it and sends the chosen page.
    assert_eq!(model.explained(), None);
    model.receive(Message::Scene(Scene { chosen: Some((0, 1)), ..scene(2) }));
    model.receive(Message::Head { at_s: 14.0 * HOUR, steps: vec![114, 114], is_playing: false });
    assert_eq!(model.explained(), Some((1, 0, 15.0 * HOUR)));
    model.pointer_moved(1, (x, y));
    assert!(model.hovered().is_some());
    model.resized((900.0, 600.0));
    assert_eq!(model.hovered(), None, "something else is there now");
}

#[test]
fn a_budget_of_nothing_is_known() {
    let mut model = shown(1, 3);
    assert!(!model.has_budget());
    let mut lanes = scene(1).lanes;
    lanes[0].visits_per_hour = 6.67;
    model.receive(Message::Scene(Scene { lanes, ..scene(1) }));
    assert!(model.has_budget());
    model.choose_policy();
    assert!(model.take_requests().contains(&Request::Policy));
}

#[test]
fn a_row_that_is_too_dense_in_one_lane_is_drawn_so_in_all_and_it_is_said() {
    // In the second lane page 1 is dense unless zoomed in.
    let answers = |lane: u32, hours: f64, page: u32| match (lane, page) {
        (1, 1) if hours > 6.0 => PageMarks {
            page,
            copied_s: Some(HOUR),
            shares: vec![0.5; 240],
            n_visits: 690,
            ..PageMarks::default()
        },
        _ => marks(page),
    };
    let mut model = Model::new();
    model.resized((1100.0, 600.0));
    model.receive(Message::Scene(scene(2)));
    model.receive(Message::Head { at_s: 12.0 * HOUR, steps: vec![112; 2], is_playing: false });
    answer_with(&mut model, 10, 0.0, answers);
    assert_eq!(model.left_out(false), LeftOut::Marks);
    for lane in 0..2 {
        let dense = model.drawn(lane, 1).unwrap();
        assert!(dense.is_dense() && dense.marks.visits.is_empty(), "lane {lane}");
        assert!(dense.marks.changes.is_empty() && dense.marks.stale.is_empty());
        let (x, y) = place(&model, lane, 1, 8.0 * HOUR);
        assert_eq!(model.hit(x, y), Hit::Dense(lane, 1), "what is not drawn is not hit");
        let other = model.drawn(lane, 0).unwrap();
        assert!(!other.is_dense() && other.marks.visits.len() == 23);
    }
    // Visit periods by lane.
    let every = |lane: usize| model.held(lane, 1).and_then(CachedMarks::between_visits_s);
    assert_eq!((every(0), every(1)), (Some(HOUR), Some(2.0 * 60.0)));
    // Zoomed in, both lanes have all marks.
    model.zoom(8.0);
    answer_with(&mut model, 10, 5000.0, answers);
    assert_eq!(model.left_out(true), LeftOut::Nothing);
    for lane in 0..2 {
        let (x, y) = place(&model, lane, 1, 12.0 * HOUR);
        assert!(matches!(model.hit(x, y), Hit::Visit(..)));
    }
}

#[test]
fn rows_that_words_take_the_room_of_do_not_take_back_the_words() {
    let mut model = shown(2, 1000);
    let last = model.layout().rows.last().unwrap().index;
    let answers = |_: u32, _: f64, page: u32| PageMarks { is_thinned: page == last, ..marks(page) };
    model.receive(Message::Head { at_s: 12.0 * HOUR, steps: vec![113; 2], is_playing: false });
    answer_with(&mut model, 1000, 5000.0, answers);
    assert_eq!(model.left_out(false), LeftOut::Changes);
    model.resized((1100.0, 560.0));
    assert!(model.layout().rows.last().unwrap().index < last);
    assert_eq!((model.left_out(true), model.left_out(false)), (LeftOut::Changes, LeftOut::Nothing));
}

#[test]
fn visits_of_one_page_are_counted_in_the_time_in_sight() {
    let mut model = shown(1, 10);
    let page = model.row(0).unwrap().page;
    model.receive(Message::Scene(Scene { alone: Some(page), ..scene(1) }));
    answer(&mut model, 10, 5000.0);
    let counted = |model: &Model, in_full| facts(model, 0, None, in_full).join(" ");
    let visits = "23\u{a0}visits, 17\u{a0}wasted";
    assert_eq!(counted(&model, true), format!("{visits} in the whole run"));
    assert_eq!(counted(&model, false), format!("{visits} in total"));
    // The play-head is at noon, with six visible hours around it.
    model.zoom(4.0);
    answer(&mut model, 10, 9000.0);
    assert_eq!(counted(&model, true), "7\u{a0}visits, 6\u{a0}wasted in view");
}
