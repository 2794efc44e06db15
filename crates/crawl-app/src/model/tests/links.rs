//! Tests of links with a missing world or too many lanes.

use super::*;
use crawl_protocol::WorldSource;
use crawl_protocol::world::Failure;

const DIGESTS: [&str; 2] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
const FILE: &str = "a41b75f8481e8fb0a2d746f7bd97595f";

/// A link whose uploaded world is not in this browser.
fn awaiting() -> State {
    let mut state = ready();
    let link = format!(
        "#v=1&world=file({FILE},'book.tsv')&run=opic,opic&at=4&digest={}&axis=seconds",
        DIGESTS.join(",")
    );
    let effects = state.apply(Action::OpenLink(link, History::Keep));
    let task = open_task(&effects).unwrap();
    let failure =
        Failure::FileNeeded { digest: FILE.to_owned(), names: vec!["book.tsv".to_owned()] };
    state.apply(Action::world(FromWorld::Failed { task, failure }));
    assert!(state.broken.is_none(), "{:?}", state.broken);
    state
}

#[test]
fn nothing_is_reproduced_before_it_has_run() {
    let mut state = awaiting();
    assert_eq!(state.reproduced(), None);
    // The time of the fourth step is unknown; it is not four seconds.
    assert_eq!(state.head.at, 0.0);
    let shared = state.shared().unwrap();
    assert_eq!((shared.at, &shared.digests[..]), (Some(4), &DIGESTS.map(str::to_owned)[..]));

    // Giving the file continues with the link.
    let source = WorldSource::File {
        digest: FILE.to_owned(),
        names: vec!["mine.tsv".to_owned()],
        data: None,
    };
    let imported = Imported { source, summary: Summary::default(), not_kept: None };
    state.imported = Some(Rc::new(imported));
    let effects = state.apply(Action::UseImported);
    let task = open_task(&effects).expect("the world is asked for again");
    let summary = Box::new(Summary { n_pages: 10, ..Summary::default() });
    state.apply(Action::world(FromWorld::Opened { task, summary }));
    for (lane, digest) in DIGESTS.iter().enumerate() {
        assert_eq!(state.reproduced(), None, "not before lane {lane} has run");
        give_steps(&mut state, lane, 9);
        finish(&mut state, lane, digest);
    }
    assert_eq!((state.reproduced(), state.head.at), (Some(true), 4.0));
}

#[test]
fn lanes_that_there_is_no_room_for_are_named() {
    let digests = [DIGESTS[0]; 5].join(",");
    let link = format!("#v=1&world=campus&run=opic,opic,opic,opic,depth-first&digest={digests}");
    let (mut state, effects) = opened(&link);
    assert_eq!(runs(&effects), [0, 1, 2, 3]);
    let notice = state.notice.clone().unwrap();
    assert!(notice.contains("5 lanes") && notice.ends_with("Left out: depth-first."), "{notice}");
    for lane in 0..4 {
        give_steps(&mut state, lane, 9);
        finish(&mut state, lane, DIGESTS[0]);
    }
    assert_eq!(state.reproduced(), Some(true), "what is shown");
    let (state, _) = opened("#v=1&world=campus&run=opic,opic,opic,opic");
    assert_eq!(state.notice, None);
}
