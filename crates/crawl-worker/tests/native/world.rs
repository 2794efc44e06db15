//! A world worker makes, reads, keeps, packs and writes worlds, and says what went wrong.

use crate::hosts::{LaneHost, WorldDesk};
use crawl_catalogue::{Catalogue, Kind};
use crawl_protocol::world::{Answer, Command, Failure, Handover, NotKept, Summary};
use crawl_protocol::{Experiment, Seeds, Task, WorldSource, decode, encode};
use crawl_run::{Run, catalogue};
use crawl_worker::Array;
use crawl_worker::lane::{self, LaneWorker};

const EDGES: &[u8] = b"0 1\n1 2\n2 0\n0 3\n";
const URLS: &[u8] =
    b"0 http://a.co.uk/\n1 http://b.a.co.uk/\n2 http://c.co.uk/\n3 http://c.co.uk/d\n";

fn import(desk: &mut WorldDesk, task: Task, files: &[(&str, &[u8])]) -> Result<Read, Failure> {
    let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files: Vec<&[u8]> = files.iter().map(|(_, bytes)| *bytes).collect();
    let sent = desk.tell(Command::Import { task, names }, &files);
    for (answer, _) in sent {
        match answer {
            Answer::Imported { source, summary, kept, .. } => {
                return Ok(Read { source, summary: *summary, kept });
            }
            Answer::Failed { failure, .. } => return Err(failure),
            _ => {}
        }
    }
    panic!("no answer");
}

struct Read {
    source: WorldSource,
    summary: Summary,
    kept: Result<(), NotKept>,
}

/// Opens a world; gives its summary and the flat form that went to the lanes.
fn open(desk: &mut WorldDesk, task: Task, source: &WorldSource) -> Result<Summary, Failure> {
    desk.host.handed.clear();
    let (source, layout) = (source.clone(), String::new());
    let sent = desk.tell(Command::Open { task, source, layout }, &[]);
    let failed = |answer: &Answer| match answer {
        Answer::Failed { failure, .. } => Some(failure.clone()),
        _ => None,
    };
    if let Some(failure) = sent.iter().find_map(|(answer, _)| failed(answer)) {
        return Err(failure);
    }
    let is_laid_out = |answer: &Answer| matches!(answer, Answer::Positions { .. });
    assert!(sent.iter().any(|(answer, _)| is_laid_out(answer)));
    let opened = sent.into_iter().find_map(|(answer, _)| match answer {
        Answer::Opened { summary, .. } => Some(*summary),
        _ => None,
    });
    Ok(opened.expect("it was opened"))
}

/// The world that went to the lanes.
fn handed(desk: &WorldDesk) -> crawl_world::World {
    let (message, arrays) = desk.host.handed.first().expect("a world");
    assert!(matches!(message, Handover::World { .. }));
    let Array::U8(flat) = &arrays[0] else { panic!("no bytes") };
    crawl_import::flat::decode(flat).unwrap()
}

fn made(link: &str) -> WorldSource {
    Experiment::from_link(link, &catalogue()).unwrap().world
}

#[test]
fn files_become_a_world_that_is_kept_and_opened() {
    let mut desk = WorldDesk::new();
    let read = import(&mut desk, Task(1), &[("urls.txt", URLS), ("edges.txt", EDGES)]).unwrap();
    assert_eq!(read.kept, Ok(()));
    assert_eq!((read.summary.n_pages, read.summary.n_links), (4, 4));
    assert_eq!(read.summary.format, "edge-list");
    let files = ["urls.txt", "edges.txt"].map(str::to_owned).to_vec();
    assert!(matches!(&read.source, WorldSource::File { names, .. } if *names == files));
    let digest = read.summary.digest.clone();
    assert_eq!(desk.host.worlds[&digest].1.files, files);
    assert_eq!(desk.host.worlds.keys().collect::<Vec<_>>(), [&digest]);
    assert_eq!(open(&mut desk, Task(2), &read.source).unwrap().digest, digest);
    // Sites are told apart by the list of public suffixes, wherever the world goes.
    assert_eq!(handed(&desk).n_sites(), 2);
    // Another worker finds it in the store.
    let mut later = WorldDesk::new();
    later.host.worlds = std::mem::take(&mut desk.host.worlds);
    assert_eq!(open(&mut later, Task(1), &read.source).unwrap().digest, digest);
    assert_eq!(handed(&later).n_sites(), 2);
}

#[test]
fn a_world_that_is_not_kept_stays_in_memory() {
    let mut desk = WorldDesk::new();
    desk.host.keeps = false;
    let read = import(&mut desk, Task(1), &[("edges.txt", EDGES)]).unwrap();
    assert_eq!(read.kept, Err(NotKept::Full));
    assert_eq!(open(&mut desk, Task(2), &read.source).unwrap().digest, read.summary.digest);
    let mut elsewhere = WorldDesk::new();
    let needed = open(&mut elsewhere, Task(1), &read.source).unwrap_err();
    let names = vec!["edges.txt".to_owned()];
    assert_eq!(needed, Failure::FileNeeded { digest: read.summary.digest, names });
}

#[test]
fn what_cannot_be_read_fails_and_the_present_world_stays() {
    let mut desk = WorldDesk::new();
    let campus = made("v=1&world=campus&run=opic");
    let before = open(&mut desk, Task(1), &campus).unwrap();
    let broken: [&[(&str, &[u8])]; 4] = [
        &[("a.jsonl", b"{\"crawlscope\":1}\n{\"url\":\n")],
        &[("a.gz", &[0x1f, 0x8b, 8, 0])],
        &[("empty.txt", b"")],
        &[("1", EDGES), ("2", EDGES), ("3", EDGES)],
    ];
    for files in broken {
        let failure = import(&mut desk, Task(2), files).err().expect("it is broken");
        assert!(matches!(&failure, Failure::Words(words) if !words.is_empty()), "{failure:?}");
    }
    assert!(desk.host.worlds.is_empty());
    let pages = desk.tell(Command::Urls { task: Task(3), pages: vec![0] }, &[]);
    assert!(matches!(&pages[0].0, Answer::Urls { urls, .. } if !urls[0].is_empty()));
    assert_eq!(open(&mut desk, Task(4), &campus).unwrap(), before);
}

#[test]
fn a_packed_world_travels_and_another_is_refused() {
    let mut desk = WorldDesk::new();
    let read = import(&mut desk, Task(1), &[("urls.txt", URLS), ("edges.txt", EDGES)]).unwrap();
    open(&mut desk, Task(2), &read.source).unwrap();
    let sent = desk.tell(Command::Pack { task: Task(3) }, &[]);
    let Some((Answer::Packed { data: Some(data), .. }, _)) = sent.into_iter().next() else {
        panic!("a small world fits into a link");
    };
    let digest = read.summary.digest;
    let source = |digest: &str, data: &str| WorldSource::File {
        digest: digest.to_owned(),
        names: Vec::new(),
        data: Some(data.to_owned()),
    };
    let mut elsewhere = WorldDesk::new();
    assert_eq!(open(&mut elsewhere, Task(1), &source(&digest, &data)).unwrap().digest, digest);
    assert_eq!(handed(&elsewhere), Run::make_world(&source(&digest, &data)).unwrap());
    for wrong in [source(&"0".repeat(64), &data), source(&digest, "AAAA"), source(&digest, "?")] {
        let failure = open(&mut elsewhere, Task(2), &wrong).unwrap_err();
        assert!(matches!(failure, Failure::Words(_)), "{failure:?}");
    }
}

#[test]
fn workers_answer_pings() {
    let sent = WorldDesk::new().tell(Command::Ping, &[]);
    assert_eq!(sent.into_iter().map(|(answer, _)| answer).collect::<Vec<_>>(), [Answer::Pong]);
    let mut host = LaneHost::new(1.0);
    LaneWorker::new("").command(lane::Command::Ping, &mut host);
    assert_eq!(host.sent, [(lane::Answer::Pong, Vec::new())]);
}

#[test]
fn a_written_world_reads_back() {
    let mut desk = WorldDesk::new();
    let campus = made("v=1&world=campus&run=opic");
    let digest = open(&mut desk, Task(1), &campus).unwrap().digest;
    let sent = desk.tell(Command::Write { task: Task(2) }, &[]);
    let written = sent.into_iter().find_map(|(answer, arrays)| match answer {
        Answer::Written { name, .. } => Some((name, arrays)),
        _ => None,
    });
    let (name, arrays) = written.expect("a file");
    assert!(name.ends_with(".jsonl"));
    let [Array::U8(bytes)] = &arrays[..] else { panic!("no bytes") };
    let read = import(&mut desk, Task(3), &[(&name, bytes)]).unwrap();
    assert_eq!(read.summary.digest, digest);
}

#[test]
fn the_bounds_go_as_far_as_the_crawls() {
    let mut desk = WorldDesk::new();
    open(&mut desk, Task(1), &made("v=1&world=campus&run=opic")).unwrap();
    let rules = Experiment::from_link("v=1&world=campus&run=opic&budget=400", &catalogue());
    let rules = rules.unwrap().rules;
    let bounds = Command::Bounds { task: Task(2), seeds: Seeds::Own, rules, rng: 1 };
    let sent = desk.tell(bounds, &[]);
    let curves = sent.iter().find_map(|(answer, arrays)| match answer {
        Answer::Bounds { .. } => Some(arrays),
        _ => None,
    });
    for curve in curves.expect("bounds") {
        let Array::F64(curve) = curve else { panic!("no numbers") };
        assert_eq!(curve.len(), 400);
    }
}

#[test]
fn formulas_are_judged_with_the_place() {
    let mut desk = WorldDesk::new();
    let mut experiment = Experiment::from_link("v=1&world=campus&run=opic,formula", &catalogue());
    let strategies = &mut experiment.as_mut().unwrap().strategies;
    // As the app sends it, whose catalogue cannot look closer.
    let bytes = encode(&catalogue()).unwrap();
    let theirs: Catalogue = decode(&bytes).unwrap();
    strategies.push(theirs.choose(Kind::Strategy, "formula(of:'1 + dpeth')").unwrap());
    let check = Command::Check { task: Task(1), strategies: strategies.clone() };
    let sent = desk.tell(check, &[]);
    let Answer::Checked { task: Task(1), faults } = &sent[0].0 else { panic!("{sent:?}") };
    assert_eq!(faults[..2], [None, None]);
    let fault = faults[2].as_ref().expect("a fault");
    assert_eq!((fault.at, fault.text.as_str()), (4, "1 + dpeth"));
    assert!(fault.message.contains("'depth'"), "{fault}");
}
