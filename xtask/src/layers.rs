//! The layers of the project: which crate may depend on which.
//!
//! `tidy` compares the table with the manifests; `test` takes the crates for wasm32 from it.

/// A crate and its allowed dependencies.
pub struct Layer {
    /// Its package name.
    pub name: &'static str,
    /// Crates of this project it may depend on, including for tests.
    pub may_use: &'static [&'static str],
    /// Whether it must also build for the browser.
    pub wasm: bool,
    /// Whether it is pure: its sources use no clock, entropy, files or environment, and its transitive
    /// dependencies no browser bindings.
    pub sealed: bool,
}

/// All crates, lowest layer first. No crate may depend on `crawl-cli`.
pub const LAYERS: &[Layer] = &[
    Layer { name: "crawl-catalogue", may_use: &[], wasm: true, sealed: true },
    Layer { name: "crawl-text", may_use: &["crawl-catalogue"], wasm: true, sealed: true },
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
        may_use: &["crawl-catalogue", "crawl-world"],
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
    Layer { name: "crawl-reports", may_use: REPORTS, wasm: true, sealed: false },
    Layer { name: "crawl-worker", may_use: WORKER, wasm: true, sealed: false },
    Layer {
        name: "crawl-timeline",
        may_use: &["crawl-text", "crawl-protocol", "crawl-post"],
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

/// Crates that parse outside bytes or messages.
const FUZZED: &[&str] = &[
    "crawl-catalogue",
    "crawl-core",
    "crawl-import",
    "crawl-learn",
    "crawl-protocol",
    "crawl-reader",
    "crawl-refresh",
    "crawl-reports",
    "crawl-run",
    "crawl-timeline",
    "crawl-worker",
    "crawl-world",
];

/// Dependencies of `crawl-claims`, which runs sets of experiments.
const CLAIMS: &[&str] = &[
    "crawl-catalogue",
    "crawl-world",
    "crawl-core",
    "crawl-refresh",
    "crawl-protocol",
    "crawl-run",
];

/// Dependencies of the reports: claims, figures and compared rankers.
const REPORTS: &[&str] = &[
    "crawl-catalogue",
    "crawl-world",
    "crawl-core",
    "crawl-import",
    "crawl-protocol",
    "crawl-run",
    "crawl-claims",
    "crawl-post",
];

/// Dependencies of the worker; none that draws.
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
    "crawl-reports",
];

/// Draws what the protocol tells it; knows no algorithm.
const APP: &[&str] =
    &["crawl-catalogue", "crawl-text", "crawl-protocol", "crawl-post", "crawl-stage"];

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
