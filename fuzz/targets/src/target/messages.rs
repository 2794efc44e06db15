//! Messages between the app and its workers: the first byte says of which kind the others are.

use super::Target;
use crate::check::catalogue;
use crawl_protocol::timeline::{Answered, Ask, MarksOf, Message, Packed, Request, RowsOf};
use crawl_protocol::{Experiment, Greeting, Task, decode, encode, lane, reader, world};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) const TARGET: Target = Target {
    name: "messages",
    note: "bytes are no message, or one that is written and read back the same",
    run,
    made_seeds,
    n_mutations: 60_000,
};

/// Reads bytes as a message of each kind.
const KINDS: &[fn(&[u8])] = &[
    check::<lane::Command>,
    check::<lane::Answer>,
    check::<world::Command>,
    check::<world::Answer>,
    check::<world::Handover>,
    check::<reader::Job>,
    check::<reader::Outcome>,
    check::<Ask>,
    check::<Answered>,
    check::<Message>,
    check::<Request>,
];

fn run(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    KINDS[usize::from(*kind) % KINDS.len()](bytes);
}

fn check<T: Serialize + DeserializeOwned>(bytes: &[u8]) {
    let Ok(message) = decode::<T>(bytes) else { return };
    let written = encode(&message).expect("a message can be written");
    let again: T = decode(&written).expect("what was written can be read");
    // Compared as bytes, since a number in it may be a NaN.
    assert_eq!(encode(&again), Ok(written));
}

fn made_seeds() -> Vec<Vec<u8>> {
    let link = "v=1&world=campus&run=opic(keep:true),breadth-first&revisit=optimal&visits=20";
    let experiment = Experiment::from_link(link, catalogue()).expect("a link");
    let task = Task(3);
    let greeting = Greeting { build: "test".to_owned() };
    let world_source = experiment.world.clone();
    let seeds = experiment.seeds.clone();
    let rules = experiment.rules.clone();
    let strategies = experiment.strategies.clone();
    let rows = Ask::Rows { task, of: RowsOf { n: 9, ..RowsOf::default() } };
    let marks = Ask::Marks { task, of: MarksOf { pages: vec![1, 2], ..MarksOf::default() } };
    let packed = Packed::pack(&rows).expect("it can be packed");
    let run = lane::Command::Run { task, experiment: Box::new(experiment), lane: 1, opened: task };
    let (step, at_s, value) = (20, 1.5, "cash".to_owned());
    let digest = "00112233445566778899aabbccddeeff".to_owned();
    let of = world::BoundsOf { seeds, rules, rng: 1 };
    let counts = vec![(lane::Count::Redirects, 3)];
    let oracle = lane::Oracle::default();
    vec![
        seed(0, &lane::Command::Hello(greeting.clone())),
        seed(0, &run),
        seed(0, &lane::Command::Show { task, step, at_s, rows: 5, value }),
        seed(0, &lane::Command::Explain { task, step, page: 7 }),
        seed(0, &lane::Command::Timeline(packed.clone())),
        seed(1, &lane::Answer::Hello(greeting.clone())),
        seed(
            1,
            &lane::Answer::Finished { task, n_steps: 9, digest: digest.clone(), oracle, counts },
        ),
        seed(1, &lane::Answer::Graph(Box::default())),
        seed(2, &world::Command::Open { task, source: world_source, layout: String::new() }),
        seed(2, &world::Command::Find { task, text: "a".to_owned(), limit: 9 }),
        seed(2, &world::Command::Check { task, strategies }),
        seed(3, &world::Answer::Hello(greeting, Box::new(small_catalogue()), Vec::new())),
        seed(3, &world::Answer::Opened { task, summary: Box::default() }),
        seed(
            4,
            &world::Handover::World {
                opened: task,
                digest: digest.clone(),
                ranker: digest.clone(),
            },
        ),
        seed(4, &world::Handover::Bounds { digest, of }),
        seed(5, &reader::Job::Read { names: vec!["a.txt".to_owned()] }),
        seed(6, &reader::Outcome::Packed(Some("abc".to_owned()))),
        seed(7, &rows),
        seed(7, &marks),
        seed(8, &Answered::Rows(Default::default())),
        seed(8, &Answered::Marks(Default::default())),
        seed(9, &Message::Scene(Default::default())),
        seed(9, &Message::Head { at_s, steps: vec![1, 2], is_playing: true }),
        seed(10, &Request::Ask(1, packed)),
        seed(10, &Request::Seek(at_s)),
    ]
}

/// A catalogue of a few entries, so that mutations change all of it.
fn small_catalogue() -> crawl_catalogue::Catalogue {
    let mut small = catalogue().clone();
    small.entries.truncate(2);
    small.rules.truncate(2);
    small
}

fn seed<T: Serialize>(kind: u8, message: &T) -> Vec<u8> {
    [vec![kind], encode(message).expect("a message can be written")].concat()
}
