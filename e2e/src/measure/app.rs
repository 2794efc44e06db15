//! Benchmarks of the app: longest main-thread tasks, time to the first step, memory growth.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::scene::{Setup, played};
use crate::{MEASURES_MEMORY, TASKS, Tab, Task, memory_after_changes};

/// A large world, and two lanes with different strategies.
const LARGE: &str = "#v=1&world=web(pages:100000)&run=breadth-first,opic";
/// CPU time above which a task counts as long.
const LONG_MS: f64 = 50.0;
/// The part of a scenario that plays; before it, the app is loading.
const PLAYING: &str = "playing";
/// Number of steps played.
const N_PLAYED: u64 = 2_000;
/// Playhead positions to play from, and their names.
const PLACES: [(u64, &str); 2] = [(0, "its beginning"), (90_000, "its end")];
/// In which a browser comes to rest.
pub(super) const REST: Duration = Duration::from_secs(1);
/// For a large world on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Measures the longest main-thread task while a large world loads, is laid out and plays.
pub fn tasks() -> Result<()> {
    let setup = Setup { traced: Some(TASKS), within: Duration::from_secs(600), ..Setup::default() };
    for (at, name) in PLACES {
        // A new browser for each, because the trace buffer is limited.
        played("tasks of the main thread", &setup, async |scene| {
            let tab = &scene.tab.patient(PATIENCE);
            tab.open(&format!("{LARGE}&speed=1000&at={at}")).await?;
            tab.wait_for_runs().await?;
            tab.wait_for_step(at).await?;
            tab.wait_until_settled().await?;
            tab.begin_part(PLAYING).await?;
            play(tab, at + N_PLAYED).await?;
            let tasks = tab.tasks().await?;
            let (playing, loading): (Vec<Task>, Vec<Task>) =
                tasks.into_iter().partition(|task| task.part == PLAYING);
            report("loading and laying out", &loading)?;
            report(&format!("playing {name}"), &playing)
        })?;
    }
    Ok(())
}

/// Worlds with long timelines: pages change in all but the first.
const LONG: [(&str, &str); 3] = [
    ("web(pages:100000)", "100,000 rows of the timeline"),
    ("newsroom(pages:50000)", "50,000 rows that change"),
    ("newsroom(pages:100000)", "100,000 rows that change"),
];
/// Scripts for each frame: scrolling, also in jumps, and zooming.
const MOVES: [(&str, &str); 2] = [
    ("scrolling", "turn({ deltaY: at % 10 === 9 ? 90000 : 240 })"),
    ("zooming", "turn({ deltaY: at % 60 < 30 ? -120 : 120, ctrlKey: true })"),
];
/// Number of frames of each.
const N_FRAMES: u32 = 120;

/// Measures the longest main-thread task while a long timeline is scrolled and zoomed.
pub fn timeline() -> Result<()> {
    let setup = Setup { traced: Some(TASKS), within: Duration::from_secs(900), ..Setup::default() };
    let each = LONG.into_iter().flat_map(|long| MOVES.map(|moves| (long, moves)));
    for ((world, name), (part, turn)) in each {
        // A new browser for each, because the trace buffer is limited.
        played("tasks of the timeline", &setup, async |scene| {
            let tab = &scene.tab.patient(PATIENCE);
            let link = format!(
                "#v=1&world={world}&run=breadth-first,breadth-first&revisit=uniform,proportional\
                 &visits=20000&hours=8&fetchers=8&axis=seconds"
            );
            tab.open(&link).await?;
            tab.wait_for_runs().await?;
            tab.key("End").await?;
            tab.press("Timeline").await?;
            tab.wait_for(".timeline table td").await?;
            tab.begin_part(part).await?;
            // Not awaited: it takes longer than the driver's timeout.
            tab.eval(&moved(part, turn)).await?;
            tab.wait_for_true(&format!("window.moved === {part:?}")).await?;
            let mut tasks = tab.tasks().await?;
            tasks.retain(|task| task.part == part);
            report(&format!("{part} {name}"), &tasks)
        })?;
    }
    Ok(())
}

fn moved(part: &str, turn: &str) -> String {
    format!(
        "void (async () => {{
            const over = document.querySelector('.timeline-over');
            const {{ x, y, width, height }} = over.getBoundingClientRect();
            const turn = (how) => over.dispatchEvent(new WheelEvent('wheel', {{
                clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true,
                ...how }}));
            for (let at = 0; at < {N_FRAMES}; at += 1) {{
                {turn};
                await new Promise((done) => requestAnimationFrame(done));
            }}
            window.moved = {part:?};
        }})()"
    )
}

async fn play(tab: &Tab, until: u64) -> Result<()> {
    tab.press("Play").await?;
    tab.wait_until_beyond(until).await?;
    tab.press("Pause").await
}

fn report(part: &str, tasks: &[Task]) -> Result<()> {
    let longest = tasks.iter().max_by(|a, b| a.cpu_ms.total_cmp(&b.cpu_ms));
    let longest = longest.with_context(|| format!("no task was traced while {part}"))?;
    let n_long = tasks.iter().filter(|task| task.cpu_ms > LONG_MS).count();
    println!("longest task\t{part}\t{}", longest.cpu_ms);
    println!("long tasks\t{part}\t{n_long}");
    Ok(())
}

/// Has the browser draw: its graphics start with the first page that is drawn, which takes longer
/// than all of the visit.
pub(super) const WARM: &str = "(() => {
    const canvas = document.body.appendChild(document.createElement('canvas'));
    const gl = canvas.getContext('webgl2');
    gl.clear(gl.COLOR_BUFFER_BIT);
    requestAnimationFrame(() => requestAnimationFrame(() => { window.isWarm = true; }));
})()";
/// Looks at every frame, as an eye would, so that nothing waits for a question from outside.
pub(super) const WATCH: &str = "(() => {
    const look = () => {
        const stages = [...document.querySelectorAll('.stage')];
        if (stages.length > 0 && stages.every((e) => e.dataset.step > 0)) {
            performance.mark('first step');
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look);
})()";
/// When the first step was on screen, in milliseconds since the navigation started.
pub(super) const MARK: &str = "performance.getEntriesByName('first step')[0]?.startTime ?? null";

/// From the start of the navigation to the first step that is on screen in every lane, in a browser
/// that is running and has drawn before, and has never seen the app.
pub fn first_visit() -> Result<()> {
    played("first visit", &Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.developer_tools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }))
            .await?;
        tab.eval(WARM).await?;
        tab.wait_for_true("window.isWarm === true").await?;
        tokio::time::sleep(REST).await;
        tab.open("").await?;
        tab.wait_for_true(&format!("({MARK}) !== null")).await?;
        let ms = tab.eval(MARK).await?.as_f64().context("a time")?;
        println!("first visit\tfirst step on screen, ms\t{ms}");
        let wire = "performance.getEntriesByType('navigation')[0].responseStart";
        let ms = tab.eval(wire).await?.as_f64().context("a time")?;
        println!("first visit\tfirst byte, ms\t{ms}");
        Ok(())
    })
}

/// Measures memory after ten and after a hundred changes of the experiment.
pub fn memory() -> Result<()> {
    let setup =
        Setup { flags: MEASURES_MEMORY, within: Duration::from_secs(600), ..Setup::default() };
    played("memory", &setup, async |scene| {
        for (n_changes, memory) in memory_after_changes(scene, &[10, 100]).await? {
            println!("memory\tafter {n_changes} changes, bytes\t{}", memory.total());
            println!("memory\tafter {n_changes} changes, of it wasm\t{}", memory.wasm);
        }
        Ok(())
    })
}
