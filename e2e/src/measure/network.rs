//! How long a first visit takes over slow networks, and how much it downloads.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use super::app::{MARK, REST, WARM, WATCH};
use crate::Relay;
use crate::scene::{Scene, Setup, played};

/// A network that Chromium emulates.
struct Network {
    name: &'static str,
    bits_per_s: u64,
    latency_ms: u32,
}

const NETWORKS: [Network; 2] = [
    Network { name: "10 Mbit/s, 40 ms", bits_per_s: 10_000_000, latency_ms: 40 },
    Network { name: "1.6 Mbit/s, 150 ms", bits_per_s: 1_600_000, latency_ms: 150 },
];
/// Visits over each network.
const N_VISITS: usize = 7;
/// For a slow network on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Keeps the app from storing itself for later visits.
const NO_SERVICE_WORKER: &str =
    "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });";

/// When the last of the two programs that the first step needs had arrived: the app's, and the
/// workers'. It depends on the network alone, and hardly on how busy the machine is.
const ARRIVED: &str = "Math.max(...performance.getEntriesByType('resource')
    .filter((e) => e.name.endsWith('.wasm'))
    .sort((a, b) => a.startTime - b.startTime)
    .slice(0, 2)
    .map((e) => e.responseEnd))";

/// One visit.
#[derive(Clone, Copy, Debug)]
struct Visit {
    arrived_ms: f64,
    first_step_ms: f64,
    bytes: u64,
}

/// Visits each folder in turns, so that all meet the same machine; the built app where none is named.
pub fn first_visits(folders: &[&str]) -> Result<()> {
    let folders: Vec<Option<PathBuf>> = match folders {
        [] => vec![None],
        named => named.iter().map(|folder| Some(PathBuf::from(folder))).collect(),
    };
    for network in NETWORKS {
        let mut visits = vec![Vec::new(); folders.len()];
        for _ in 0..N_VISITS {
            for (folder, visits) in folders.iter().zip(&mut visits) {
                visits.push(visit(&network, folder.clone())?);
            }
        }
        for (folder, visits) in folders.iter().zip(visits) {
            report(&network, folder.as_deref(), visits);
        }
    }
    Ok(())
}

/// A visit with a browser of its own, which has drawn before and has never seen the app.
fn visit(network: &Network, folder: Option<PathBuf>) -> Result<Visit> {
    let setup = Setup { folder, ..Setup::default() };
    let mut visit = None;
    played("first visit over a network", &setup, async |scene| {
        visit = Some(visited(network, scene).await?);
        Ok(())
    })?;
    visit.context("the visit was skipped")
}

async fn visited(network: &Network, scene: &Scene) -> Result<Visit> {
    let relay = Relay::start(scene.app.address()).await?;
    let tab = &scene.tab.patient(PATIENCE);
    let script = format!("{NO_SERVICE_WORKER}{WATCH}");
    tab.developer_tools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }))
        .await?;
    tab.eval(WARM).await?;
    tab.wait_for_true("window.isWarm === true").await?;
    tokio::time::sleep(REST).await;
    let bytes_per_s = network.bits_per_s / 8;
    let conditions = json!({
        "offline": false,
        "latency": network.latency_ms,
        "downloadThroughput": bytes_per_s,
        "uploadThroughput": bytes_per_s,
    });
    tab.developer_tools("Network.enable", json!({})).await?;
    tab.developer_tools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await?;
    tab.developer_tools("Network.emulateNetworkConditions", conditions).await?;
    relay.take_sent();
    tab.open(relay.address().as_str()).await?;
    tab.wait_for_true(&format!("({MARK}) !== null")).await?;
    let bytes = relay.take_sent();
    let arrived_ms = tab.eval(ARRIVED).await?.as_f64().context("a time")?;
    let first_step_ms = tab.eval(MARK).await?.as_f64().context("a time")?;
    Ok(Visit { arrived_ms, first_step_ms, bytes })
}

fn report(network: &Network, folder: Option<&Path>, mut visits: Vec<Visit>) {
    visits.sort_by(|a, b| a.first_step_ms.total_cmp(&b.first_step_ms));
    let name = match folder {
        Some(folder) => format!("{}, {}", network.name, folder.display()),
        None => network.name.to_owned(),
    };
    let (median, last) = (visits[visits.len() / 2], visits[visits.len() - 1]);
    println!("first step, least ms\t{name}\t{}", visits[0].first_step_ms);
    println!("first step, median ms\t{name}\t{}", median.first_step_ms);
    println!("first step, most ms\t{name}\t{}", last.first_step_ms);
    visits.sort_by(|a, b| a.arrived_ms.total_cmp(&b.arrived_ms));
    println!("programs arrived, least ms\t{name}\t{}", visits[0].arrived_ms);
    println!("programs arrived, median ms\t{name}\t{}", visits[visits.len() / 2].arrived_ms);
    let mut bytes: Vec<u64> = visits.iter().map(|visit| visit.bytes).collect();
    bytes.sort_unstable();
    println!("first step, bytes\t{name}\t{}", bytes[bytes.len() / 2]);
}
