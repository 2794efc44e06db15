//! Memory of a page and its workers after garbage collection.
//!
//! The browser reports the JavaScript memory of the page and its workers, without the memories of
//! WebAssembly modules. These are queried over a channel, in a copy of the app whose scripts begin
//! with a few lines that listen to it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::builds::copied;
use crate::{Scene, Tab};

/// Browser flags that allow a page to measure memory after a garbage collection.
///
/// Without them the browser answers only cross-origin isolated pages, and with a delay.
pub const MEASURES_MEMORY: &[&str] =
    &["--disable-web-security", "--enable-blink-features=ForceEagerMeasureMemory"];

/// Script: collects the memory of every WebAssembly module, and reports the sizes on request.
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

/// Name prefixes of the first scripts of the page and of each worker.
const FIRST_SCRIPTS: [&str; 2] = ["boot-", "worker-"];

/// Memory of a page and its workers, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// JavaScript objects.
    pub script: u64,
    /// WebAssembly memories.
    pub wasm: u64,
}

impl Memory {
    /// The sum of both.
    pub fn total(&self) -> u64 {
        self.script + self.wasm
    }
}

/// JavaScript memory of a browser measurement, and the number of realms.
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

/// A copy of a built app that reports its WebAssembly memories.
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
    /// Memory of the page and its workers; needs the flags [`MEASURES_MEMORY`] and a listening app.
    ///
    /// # Errors
    /// When the browser or the app does not answer.
    pub async fn memory(&self) -> Result<Memory> {
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

/// Experiments to switch between: worlds, strategies, budgets, rules.
///
/// WebAssembly memories never shrink, so they show the peak; ten changes cover every transition.
/// The worlds are small: with larger ones the peak varies by a factor of up to 1.15 between runs,
/// although it stops growing.
const CHANGES: [&str; 5] = [
    "#v=1&world=campus&run=opic&budget=200",
    "#v=1&world=campus&run=opic,breadth-first,depth-first&budget=300",
    "#v=1&world=web(pages:1000)&run=opic,breadth-first,depth-first&budget=300",
    "#v=1&world=web(pages:1200)&run=opic,breadth-first,depth-first,random&budget=500&fetchers=4",
    "#v=1&world=web(pages:1200)&run=opic,breadth-first,depth-first,backlink-count",
];

/// Memory after several numbers of experiment changes, each run to its end.
///
/// The numbers should be multiples of five, so that the same experiment is open each time.
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

/// Memory after an experiment has run to its end.
///
/// # Errors
/// Fails if it does not end, or the browser reports no memory.
pub async fn memory_of(scene: &mut Scene, link: &str) -> Result<Memory> {
    let _app = serve_listening(scene).await?;
    scene.tab.open_and_run(link).await?;
    scene.tab.memory().await
}

/// Serves a copy of the app that can say how large its memories are, as long as the folder is kept.
///
/// # Errors
/// Where the app cannot be copied or served.
pub async fn serve_listening(scene: &mut Scene) -> Result<TempDir> {
    let app = listening(scene.folder())?;
    scene.app.start_again(app.path()).await?;
    Ok(app)
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
