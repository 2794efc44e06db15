//! What must hold whatever the bytes are; each target is a few lines on top of this.

use crate::world::small_world;
use crawl_catalogue::Catalogue;
use crawl_import::{File, Limits, Source, import, no_progress, write_json_lines};
use crawl_protocol::{Experiment, LinkError};
use crawl_run::Run;
use crawl_world::World;
use std::sync::{Arc, OnceLock};

/// Most steps that are taken of a run.
const MAX_STEPS: usize = 200;

/// The catalogue of all there is.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(crawl_run::catalogue)
}

/// Imports bytes and checks what comes of it: an error of one short line that names a file, or a
/// world that reads back the same once it was written.
///
/// # Panics
/// If that does not hold.
pub fn check_import(bytes: &[u8], second: Option<&[u8]>, format: Option<&str>) {
    let source = Source {
        second: second.map(|bytes| File::from_bytes("second", bytes)),
        format,
        ..File::from_bytes("file", bytes).into()
    };
    let imported = match import(source, &small(), &mut no_progress) {
        Ok(imported) => imported,
        Err(error) => return check_message(&error.to_string()),
    };
    imported.notices.iter().for_each(|notice| check_message(&notice.to_string()));
    let world = imported.world;
    assert!(world.n_pages() > 0, "a world has a page");

    let mut written = Vec::new();
    write_json_lines(&world, &mut written).expect("memory can be written to");
    let source = File::from_bytes("written", &written).into();
    let again = import(source, &Limits::default(), &mut no_progress)
        .unwrap_or_else(|error| panic!("what was written does not read: {error}"));
    assert_eq!(again.world.digest(), world.digest(), "the digest changed");
}

/// Crawls a world as the parts of a link besides version and world say.
///
/// # Panics
/// If it cannot be crawled, or something measured is no number.
pub fn check_crawl(world: World, parts: &str) {
    let experiment = experiment_on(&world, parts).expect("a link");
    check_run(Run::new_unlimited(experiment, Arc::new(world), catalogue()).expect("a run"));
}

/// The experiment of a link without version and world, on a world that is taken for a file: topics
/// are then learnt from it, and no other is made.
///
/// # Errors
/// See [`Experiment::from_link`].
pub fn experiment_on(world: &World, parts: &str) -> Result<Experiment, LinkError> {
    let link = format!("v=1&world=file({})&{}", world.digest(), parts.trim_end());
    Experiment::from_link(&link, catalogue())
}

/// Crawls the small world as an experiment says. One that cannot run there must say why in one line.
///
/// # Panics
/// If something measured is no number, or the same experiment gives another run.
pub fn check_experiment(experiment: &Experiment) {
    let (world, truth) = small_world();
    let run = |experiment: &Experiment| {
        Run::with_truth(experiment.clone(), world.clone(), truth.clone(), catalogue())
    };
    match (run(experiment), run(experiment)) {
        (Ok(one), Ok(two)) => assert_eq!(check_run(one), check_run(two), "another run"),
        (Err(one), Err(two)) => {
            assert_eq!(one, two);
            check_line(&one.to_string());
        }
        _ => panic!("it runs and does not run"),
    }
}

/// Takes some steps of every lane; all that is measured must be numbers. Gives the lanes' digests.
fn check_run(mut run: Run) -> Vec<String> {
    let mut digests = Vec::new();
    for lane in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(lane) else { continue };
        for _ in 0..MAX_STEPS {
            if lane.forward(&setting).is_none() {
                break;
            }
        }
        for measured in lane.measures() {
            let is_number = measured.series.points().all(|(_, value)| value.is_finite());
            assert!(is_number, "{} is no number", measured.name);
        }
        let session = lane.travel().now().session();
        digests.push(session.digest(setting.world).to_string());
    }
    digests
}

fn check_message(message: &str) {
    assert!(message.starts_with("file") || message.starts_with("second"), "no place: {message}");
    check_line(message);
}

/// A message for people is one line without hidden characters, of bounded length.
///
/// # Panics
/// If it is not.
pub fn check_line(message: &str) {
    assert_eq!(crawl_catalogue::visible(message), message, "hidden characters");
    assert!(message.len() < 2000, "too long: {message}");
}

/// Limits that random input can reach.
pub fn small() -> Limits {
    Limits {
        file_bytes: 1 << 20,
        line_bytes: 1 << 14,
        pages: 10_000,
        links: 10_000,
        list_items: 100,
        text_bytes: 1 << 16,
        gzip_ratio: 100,
        free_gzip_bytes: 1 << 16,
    }
}

/// The bytes before and after the first zero byte.
pub fn split_at_zero(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    }
}
