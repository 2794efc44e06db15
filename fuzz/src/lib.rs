//! What must hold whatever the bytes are; each target is a few lines on top of this.

use crawl_import::{File, Limits, Source, import, no_progress, write_json_lines};
use crawl_protocol::{Experiment, WorldSource};
use crawl_run::Run;
use crawl_world::World;
use std::ops::ControlFlow;
use std::sync::Arc;

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

/// Crawls a world as a link says, which names another world; all that is measured must be numbers.
///
/// # Panics
/// If it cannot be crawled, or something measured is no number.
pub fn check_crawl(world: World, link: &str) {
    let catalogue = crawl_run::catalogue();
    let mut experiment = Experiment::from_link(link, &catalogue).expect("a link");
    let digest = world.digest().to_string();
    experiment.world = WorldSource::File { digest, name: String::new(), data: None };
    let mut run = Run::new(experiment, Arc::new(world), &catalogue).expect("a run");
    for lane in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(lane) else { continue };
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
        for measured in lane.measures() {
            let is_number = measured.series.points().all(|(_, value)| value.is_finite());
            assert!(is_number, "{} is no number", measured.name);
        }
    }
}

fn check_message(message: &str) {
    assert!(message.starts_with("file") || message.starts_with("second"), "no place: {message}");
    assert!(!message.contains(['\n', '\r']), "more than a line: {message}");
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
