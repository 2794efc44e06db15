//! What a page and its workers hold in memory after everything unused was collected.
//!
//! The browser says what scripts hold, in the page and in its workers. It does not count the
//! memories of WebAssembly modules: these are asked for over a channel, in a copy of the app whose
//! scripts begin with a few lines that listen there.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::builds::copied;
use crate::{Scene, Tab};

/// Flags that let a page ask what it and its workers hold, with a collection first. Without them
/// the browser answers only pages that are isolated from all others, and in its own good time.
pub const MEASURES_MEMORY: &[&str] =
    &["--disable-web-security", "--enable-blink-features=ForceEagerMeasureMemory"];

/// Keeps the memory of every module that is started, and says on request how large they are.
const LISTENS: &str = "{
    const memories = [];
    for (const how of ['instantiate', 'instantiateStreaming']) {
        const instantiate = WebAssembly[how];
        WebAssembly[how] = async (...given) => {
            const made = await instantiate.apply(WebAssembly, given);
            memories.push((made.instance ?? made).exports.memory);
            return made;
        };
    }
    const channel = new BroadcastChannel('memory');
    channel.onmessage = ({ data }) => {
        if (data !== 'how much?') return;
        channel.postMessage(memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
    };
}
";

/// The files that begin the page and each worker, by how their names begin.
const FIRST_SCRIPTS: [&str; 2] = ["boot-", "worker-"];

/// Bytes held by a page and its workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Scripts' objects.
    pub script: u64,
    /// The memories of WebAssembly modules.
    pub wasm: u64,
}

impl Memory {
    /// Both together.
    pub fn total(&self) -> u64 {
        self.script + self.wasm
    }
}

/// What scripts hold of a measurement by the browser, and in how many places scripts run.
fn script(answer: &Value) -> (u64, usize) {
    let is = |part: &&Value, kinds: [&str; 2]| {
        let types = part["types"].as_array();
        types.is_some_and(|types| types.iter().any(|t| kinds.iter().any(|kind| t == kind)))
    };
    let parts = || answer["breakdown"].as_array().into_iter().flatten();
    let bytes = parts().filter(|part| is(part, ["JavaScript", "Shared"]));
    let n_places = parts().filter(|part| is(part, ["JavaScript", "JavaScript"])).count();
    (bytes.filter_map(|part| part["bytes"].as_u64()).sum(), n_places)
}

/// A copy of a built app that can say how large its WebAssembly memories are.
fn listening(app: &Path) -> Result<TempDir> {
    let copy = copied(app)?;
    let mut n_changed = 0;
    for entry in fs::read_dir(copy.path())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !FIRST_SCRIPTS.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let file = copy.path().join(&name);
        if name.ends_with(".js") {
            let text = fs::read_to_string(&file)?;
            fs::write(file, format!("{LISTENS}{text}"))?;
            n_changed += 1;
        } else {
            // Compressed, as it was.
            fs::remove_file(file)?;
        }
    }
    if n_changed != FIRST_SCRIPTS.len() {
        bail!("the app has {n_changed} scripts that begin the page or a worker");
    }
    Ok(copy)
}

impl Tab {
    /// What the page and its workers hold; needs the flags [`MEASURES_MEMORY`] and a listening app.
    async fn memory(&self) -> Result<Memory> {
        self.developer_tools("HeapProfiler.collectGarbage", json!({})).await?;
        let answer = self.eval("await performance.measureUserAgentSpecificMemory()").await;
        let (script, n_places) = script(&answer.context("the browser does not tell")?);
        let ask = format!(
            "await new Promise((resolve) => {{
                const channel = new BroadcastChannel('memory');
                const answers = [];
                channel.onmessage = ({{ data }}) => {{
                    if (answers.push(data) === {n_places}) {{
                        channel.close();
                        resolve(answers.reduce((sum, bytes) => sum + bytes, 0));
                    }}
                }};
                channel.postMessage('how much?');
            }})"
        );
        let wasm = self.eval(&ask).await?.as_u64().context("a number of bytes")?;
        Ok(Memory { script, wasm })
    }
}

/// What is changed in turn: worlds, strategies, budgets, rules. WebAssembly memories never shrink and
/// so tell of the most that was ever held at once: ten changes have gone from each to the next. The
/// worlds are small: with larger ones the most that was held varies from run to run, up to 1.15
/// times, although it stops growing.
const CHANGES: [&str; 5] = [
    "#v=1&world=campus&run=opic&budget=200",
    "#v=1&world=campus&run=opic,breadth-first,depth-first&budget=300",
    "#v=1&world=web(pages:1000)&run=opic,breadth-first,depth-first&budget=300",
    "#v=1&world=web(pages:1200)&run=opic,breadth-first,depth-first,random&budget=500&fetchers=4",
    "#v=1&world=web(pages:1200)&run=opic,breadth-first,depth-first,backlink-count",
];

/// What is held after so many changes of the experiment, each run to its end. Counts should be
/// multiples of five: then each time the same experiment is open.
pub async fn memory_after_changes(
    scene: &mut Scene,
    after: &[usize],
) -> Result<Vec<(usize, Memory)>> {
    let app = listening(scene.folder())?;
    scene.app.start_again(app.path()).await?;
    let tab = &scene.tab;
    let mut held = Vec::new();
    for n_changes in 1..=after.iter().copied().max().unwrap_or(0) {
        tab.open(CHANGES[(n_changes - 1) % CHANGES.len()]).await?;
        tab.wait_for_runs().await?;
        if after.contains(&n_changes) {
            tab.wait_until_settled().await?;
            held.push((n_changes, tab.memory().await?));
        }
    }
    Ok(held)
}

/// What is held once an experiment has run to its end.
///
/// # Errors
/// Where it does not end, or the browser does not tell.
pub async fn memory_of(scene: &mut Scene, link: &str) -> Result<Memory> {
    let app = listening(scene.folder())?;
    scene.app.start_again(app.path()).await?;
    scene.tab.open_and_run(link).await?;
    scene.tab.memory().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_scripts_hold_counts() {
        let answer = json!({ "bytes": 100, "breakdown": [
            { "bytes": 10, "types": ["JavaScript"], "attribution": [{ "scope": "Window" }] },
            { "bytes": 20, "types": ["JavaScript"], "attribution": [] },
            { "bytes": 3, "types": ["Shared"], "attribution": [] },
            { "bytes": 40, "types": ["Canvas"], "attribution": [] },
            { "bytes": 0, "types": [], "attribution": [] },
        ]});
        assert_eq!(script(&answer), (33, 2));
    }
}
