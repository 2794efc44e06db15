//! Which crate may know which: the one table of the project's layers.
//!
//! `tidy` checks it against the manifests; `test` takes from it what must build for wasm32.

/// A crate of the workspace and what it may know.
pub struct Layer {
    /// Its package name.
    pub name: &'static str,
    /// The crates of this project it may depend on, in tests too.
    pub may_use: &'static [&'static str],
    /// Whether it must also build for the browser.
    pub wasm: bool,
    /// Whether it knows nothing outside itself: its sources name no clock, entropy, files or
    /// environment, and nothing of the browser is among its dependencies, however far down.
    pub sealed: bool,
}

/// Every crate, lowest first. Nothing may use `crawl-cli`.
pub const LAYERS: &[Layer] = &[
    Layer { name: "crawl-catalogue", may_use: &[], wasm: true, sealed: true },
    Layer { name: "crawl-suffix", may_use: &[], wasm: true, sealed: true },
    Layer { name: "crawl-learn", may_use: &[], wasm: true, sealed: true },
    Layer { name: "crawl-refresh", may_use: &[], wasm: true, sealed: true },
    Layer { name: "crawl-world", may_use: &["crawl-catalogue"], wasm: true, sealed: true },
    Layer {
        name: "crawl-core",
        may_use: &["crawl-catalogue", "crawl-learn", "crawl-refresh", "crawl-world"],
        wasm: true,
        sealed: true,
    },
    Layer {
        name: "crawl-import",
        may_use: &["crawl-catalogue", "crawl-suffix", "crawl-world"],
        wasm: true,
        sealed: true,
    },
    Layer { name: "crawl-protocol", may_use: &["crawl-catalogue"], wasm: true, sealed: true },
    Layer { name: "crawl-run", may_use: LIBRARIES, wasm: true, sealed: true },
    Layer { name: "crawl-claims", may_use: CLAIMS, wasm: true, sealed: true },
    Layer { name: "crawl-layout", may_use: &["crawl-world"], wasm: true, sealed: true },
    Layer { name: "crawl-post", may_use: &["crawl-protocol"], wasm: true, sealed: false },
    Layer {
        name: "crawl-reader",
        may_use: &["crawl-import", "crawl-protocol", "crawl-world"],
        wasm: true,
        sealed: false,
    },
    Layer { name: "crawl-worker", may_use: WORKER, wasm: true, sealed: false },
    Layer { name: "crawl-first", may_use: &["crawl-worker"], wasm: true, sealed: false },
    Layer {
        name: "crawl-timeline",
        may_use: &["crawl-protocol", "crawl-post"],
        wasm: true,
        sealed: false,
    },
    Layer { name: "crawl-stage", may_use: &[], wasm: true, sealed: false },
    Layer { name: "crawl-app", may_use: APP, wasm: true, sealed: false },
    Layer { name: "crawl-server", may_use: &[], wasm: false, sealed: false },
    Layer { name: "crawl-dist", may_use: &[], wasm: false, sealed: false },
    Layer { name: "crawl-cli", may_use: NATIVE, wasm: false, sealed: false },
    Layer { name: "crawl-bench", may_use: ALL, wasm: true, sealed: false },
    Layer { name: "crawl-tests", may_use: ALL, wasm: true, sealed: false },
    Layer { name: "crawl-fuzz-targets", may_use: FUZZED, wasm: false, sealed: false },
    Layer { name: "crawl-e2e", may_use: &["crawl-server"], wasm: false, sealed: false },
    Layer { name: "xtask", may_use: &[], wasm: false, sealed: false },
];

const LIBRARIES: &[&str] =
    &["crawl-catalogue", "crawl-world", "crawl-core", "crawl-import", "crawl-protocol"];

const ALL: &[&str] = &[
    "crawl-catalogue",
    "crawl-learn",
    "crawl-refresh",
    "crawl-world",
    "crawl-core",
    "crawl-import",
    "crawl-protocol",
    "crawl-run",
    "crawl-claims",
];

/// All that meets bytes and messages from outside.
const FUZZED: &[&str] = &[
    "crawl-catalogue",
    "crawl-core",
    "crawl-import",
    "crawl-learn",
    "crawl-protocol",
    "crawl-reader",
    "crawl-refresh",
    "crawl-run",
    "crawl-suffix",
    "crawl-timeline",
    "crawl-worker",
    "crawl-world",
];

/// Runs whole sets of experiments.
const CLAIMS: &[&str] = &[
    "crawl-catalogue",
    "crawl-world",
    "crawl-core",
    "crawl-refresh",
    "crawl-protocol",
    "crawl-run",
];

/// Runs experiments off the main thread; knows nothing of what is drawn.
const WORKER: &[&str] = &[
    "crawl-catalogue",
    "crawl-world",
    "crawl-core",
    "crawl-import",
    "crawl-protocol",
    "crawl-run",
    "crawl-claims",
    "crawl-layout",
    "crawl-post",
    "crawl-reader",
];

/// Draws what the protocol tells it; knows no algorithm.
const APP: &[&str] = &["crawl-catalogue", "crawl-protocol", "crawl-post", "crawl-stage"];

const NATIVE: &[&str] = &[
    "crawl-catalogue",
    "crawl-world",
    "crawl-core",
    "crawl-import",
    "crawl-protocol",
    "crawl-run",
    "crawl-claims",
    "crawl-server",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_uses_only_layers_below_it() {
        for (i, layer) in LAYERS.iter().enumerate() {
            for used in layer.may_use {
                assert!(LAYERS[..i].iter().any(|l| l.name == *used), "{} -> {used}", layer.name);
            }
        }
    }
}
