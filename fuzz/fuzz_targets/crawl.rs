//! Worlds from outside, robots.txt and all: whatever opens can be crawled.

#![no_main]

use crawl_fuzz::small;
use crawl_import::{File, import, no_progress};
use crawl_protocol::{Experiment, WorldSource};
use crawl_run::Run;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::sync::Arc;

const LINK: &str = "v=1&world=campus&run=breadth-first,opic,pagerank&budget=50";

fuzz_target!(|bytes: &[u8]| {
    let file = File::from_bytes("world.jsonl", bytes);
    let Ok(imported) = import(file.into(), &small(), &mut no_progress) else { return };
    let world = Arc::new(imported.world);
    let catalogue = crawl_run::catalogue();
    let mut experiment = Experiment::from_link(LINK, &catalogue).expect("a link");
    let digest = world.digest().to_string();
    experiment.world = WorldSource::File { digest, name: String::new(), data: None };
    let mut run = Run::new(experiment, world, &catalogue).expect("a run");
    for lane in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(lane) else { continue };
        let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
    }
});
