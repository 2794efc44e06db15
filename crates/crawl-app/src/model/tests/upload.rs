//! Tests of uploaded files, for a link that needs them or for a new world.

use super::*;
use crawl_protocol::WorldSource;
use crawl_protocol::world::Failure;

const WANTED: &str = "a41b75f8481e8fb0a2d746f7bd97595f";
const OTHER: &str = "0123456789abcdef0123456789abcdef";

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A link whose world came from these files, opened without them.
fn awaiting(files: &[&str]) -> State {
    let mut state = ready();
    let quoted: Vec<String> = files.iter().map(|file| format!("'{file}'")).collect();
    let link = format!(
        "#v=1&world=file({WANTED},{})&seeds='http://a.example/'&run=opic&at=4&digest={OTHER}\
         &lane=1&page='http://a.example/b'",
        quoted.join(",")
    );
    let effects = state.apply(Action::OpenLink(link, History::Keep));
    let task = open_task(&effects).expect("the world is asked for");
    let failure = Failure::FileNeeded { digest: WANTED.to_owned(), names: names(files) };
    state.apply(Action::world(FromWorld::Failed { task, failure }));
    state
}

/// Names of the files that are read next.
fn given(state: &mut State, files: &[&str]) -> Vec<Vec<String>> {
    let effects = state.apply(Action::Files(names(files), Vec::new()));
    let read = |effect| match effect {
        Effect::Read(names) => Some(names),
        _ => None,
    };
    effects.into_iter().filter_map(read).collect()
}

/// The answer that files were imported as a world with this digest.
fn read(state: &mut State, digest: &str, files: &[&str]) {
    state.apply(Action::Importing(names(files)));
    let source = WorldSource::File { digest: digest.to_owned(), names: names(files), data: None };
    let summary = Summary { n_pages: 10, digest: digest.to_owned(), ..Summary::default() };
    let (task, summary) = (state.wanted.import, Box::new(summary));
    state.apply(Action::world(FromWorld::Imported { task, source, summary, kept: Ok(()) }));
}

#[test]
fn the_files_of_a_link_may_come_one_after_the_other() {
    let mut state = awaiting(&["edges.txt", "urls.txt"]);
    assert!(given(&mut state, &["urls.txt"]).is_empty(), "one alone is another world");
    assert_eq!(state.given.names, ["urls.txt"]);
    assert_eq!(given(&mut state, &["edges.txt"]), [names(&["edges.txt", "urls.txt"])]);
    // Dropped together with other files.
    let mut state = awaiting(&["edges.txt", "urls.txt"]);
    let all = ["notes.txt", "urls.txt", "edges.txt"];
    assert_eq!(given(&mut state, &all), [names(&["edges.txt", "urls.txt"])]);
    assert!(state.given.left_out.as_ref().is_some_and(|said| said.contains("notes.txt")));
    // Under other names: the newest two.
    let mut state = awaiting(&["edges.txt", "urls.txt"]);
    assert_eq!(given(&mut state, &["a.txt"]), [names(&["a.txt"])]);
    assert_eq!(given(&mut state, &["b.txt"]), [names(&["b.txt", "a.txt"])]);
    assert_eq!(given(&mut state, &["c.txt"]), [names(&["c.txt", "b.txt"])]);
    // A link with one file name uses only the newest file.
    let mut state = awaiting(&["edges.txt"]);
    assert_eq!(given(&mut state, &["a.txt"]), [names(&["a.txt"])]);
    assert_eq!(given(&mut state, &["b.txt"]), [names(&["b.txt"])]);
}

#[test]
fn another_world_is_never_passed_off_as_the_links() {
    let mut state = awaiting(&["edges.txt", "urls.txt"]);
    let before = state.experiment.clone();
    read(&mut state, OTHER, &["edges.txt"]);
    let (imported, awaited) = state.other_world().expect("it is another world");
    assert_eq!((imported.summary.digest.as_str(), awaited.digest), (OTHER, WANTED));
    assert_eq!(awaited.names, ["edges.txt", "urls.txt"]);
    assert_eq!(state.dropped_with_world(), ["seeds", "step", "digests", "chosen page"]);
    assert_eq!(state.experiment, before, "nothing has changed yet");

    // Opening it anyway makes a new experiment.
    let effects = state.apply(Action::UseImported);
    assert!(open_task(&effects).is_some());
    let experiment = state.experiment.clone().expect("an experiment");
    assert_eq!((&experiment.seeds, experiment.at), (&Seeds::Own, None));
    assert_eq!((&experiment.digests[..], &experiment.view.page), (&[][..], &None));
    let link = experiment.to_link();
    assert!(link.contains(&format!("file({OTHER},'edges.txt')")), "{link}");
    assert!(!link.contains(WANTED) && !link.contains("digest="), "{link}");
    let pushed = |effect: &Effect| matches!(effect, Effect::Address(_, History::Push));
    assert!(effects.iter().any(pushed), "the link is one step back");
}

#[test]
fn the_world_of_the_link_runs_as_the_link_says() {
    let mut state = awaiting(&["edges.txt", "urls.txt"]);
    read(&mut state, WANTED, &["edges.txt", "urls.txt"]);
    assert_eq!(state.other_world(), None);
    assert!(open_task(&state.apply(Action::UseImported)).is_some());
    let experiment = state.experiment.clone().expect("an experiment");
    assert_eq!((experiment.digests.len(), experiment.at), (1, Some(4)));
    assert!(experiment.view.page.is_some() && experiment.seeds != Seeds::Own);
    assert_eq!(state.given, GivenFiles::default());
}

#[test]
fn what_is_not_read_is_named() {
    let (mut state, _) = opened(TWO);
    assert_eq!(given(&mut state, &["a.txt", "b.txt", "c.txt"]), [names(&["a.txt", "b.txt"])]);
    let said = state.given.left_out.clone().expect("c.txt is left out");
    assert!(said.contains("Read: a.txt, b.txt. Ignored: c.txt."), "{said}");
    assert_eq!(given(&mut state, &["d.txt", "d.txt"]), [names(&["d.txt"])]);
    assert!(state.given.left_out.as_ref().is_some_and(|said| said.contains("Ignored: d.txt.")));
    assert_eq!(given(&mut state, &["d.txt"]), [names(&["d.txt"])]);
    assert_eq!(state.given.left_out, None);
    // Folders, alone and with a file.
    assert_eq!(state.apply(Action::Files(Vec::new(), names(&["data"]))), []);
    let said = state.given.left_out.clone().expect("a folder is refused");
    assert!(said.contains("folder data") && said.contains("Choose the files"), "{said}");
    let effects = state.apply(Action::Files(names(&["e.txt"]), names(&["data"])));
    assert_eq!(effects, [Effect::Read(names(&["e.txt"]))]);
    let said = state.given.left_out.clone().expect("the folder is left out");
    assert!(said.contains("Read: e.txt. Ignored: folder data."), "{said}");
}
