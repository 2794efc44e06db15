//! Experiments that would never end are refused with what fits; the largest that fit end in bounds.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use crawl_e2e::{
    MEASURES_MEMORY, Setup, Tab, memory_of, scenario, serve_listening, worker_seconds,
};

/// Four lanes of visits, at so many an hour.
const FOUR: &str = "#v=1&world=campus\
    &run=breadth-first,breadth-first,breadth-first,breadth-first\
    &revisit=uniform,uniform,uniform,uniform";

/// Four lanes with as many steps as fit, together just under four million.
const MOST_STEPS: &str = "#v=1&world=campus\
    &run=breadth-first,opic,breadth-first,opic\
    &revisit=uniform,uniform,proportional,adaptive&fetchers=100&hours=1&visits=900000";

/// Most bytes a page and its workers may hold.
const MOST_BYTES: u64 = 2 << 30;
/// Most seconds of processor time that workers may take until a run ends.
const MOST_SECONDS: f64 = 20.0;

/// What `cargo xtask extremes` writes: seconds, megabytes and the address of each.
const HEAVIEST: &str = "tests/too_much/heaviest.tsv";
const N_HEAVIEST: usize = 10;

/// Every run is complete or refused, and a figure that the address names is drawn.
const ENDED: &str = "(document.querySelector('.lane-note[role=alert]') !== null
        || document.querySelector('.lane') !== null
            && document.querySelector('.lane-note') === null
            && document.querySelector('.scrubber')?.style.getPropertyValue('--ready') === '1.00000')
    && (!location.hash.includes('&figure=')
        || document.querySelector('.live .note')?.textContent.includes('hold the exact mean')
        || document.querySelector('.live .fault') !== null)";

/// What the lanes say in place of a run.
async fn refusals(tab: &Tab) -> Result<Vec<String>> {
    let refused = "document.querySelectorAll('.lane-note[role=alert]').length === 4";
    tab.wait_for_true(refused).await?;
    tab.texts(".lane-note[role=alert]").await
}

#[test]
fn endless_experiments_are_refused_and_what_is_offered_runs() {
    scenario("too much", Setup::default(), async |scene| {
        let tab = &scene.tab;
        for rest in ["hours=1000000&visits=1000000000", "hours=8760&visits=2000"] {
            tab.open("about:blank").await?;
            tab.open(&format!("{FOUR}&{rest}")).await?;
            let said = refusals(tab).await?;
            for said in &said {
                assert!(said.contains("visits; at most 4,000,000 fit: try hours="), "{said}");
            }
            tab.screenshot("too-much").await?;
            // The offer is taken in the same page.
            let (_, offer) = said[0].split_once("try hours=").context("an offer")?;
            let hours: String =
                offer.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            let hours = hours.trim_end_matches('.');
            let visits = rest.split_once("visits=").context("visits")?.1;
            tab.open(&format!("{FOUR}&hours={hours}&visits={visits}&budget=2000")).await?;
            tab.wait_for_runs().await?;
            let now = "document.querySelector('.lane-note[role=alert]') === null";
            tab.wait_for_true(now).await?;
        }
        Ok(())
    });
}

#[test]
fn as_many_steps_as_fit_end_within_two_gigabytes() {
    let setup = Setup { flags: MEASURES_MEMORY, ..Setup::default() };
    scenario("as many steps as fit", setup, async |scene| {
        let held = memory_of(scene, MOST_STEPS).await?;
        let steps = scene.tab.eval("document.querySelector('.scrubber input').max").await?;
        println!("{} MB held at {steps}", held.total() >> 20);
        assert!(held.total() < MOST_BYTES, "{held:?}");
        Ok(())
    });
}

#[test]
fn the_heaviest_extremes_end_in_the_page() {
    let within = Duration::from_secs(3600);
    let setup = Setup { flags: MEASURES_MEMORY, within, ..Setup::default() };
    scenario("the heaviest extremes", setup, async |scene| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(HEAVIEST);
        // `cargo xtask extremes` writes the list once all trials have a result.
        let Ok(list) = fs::read_to_string(&file) else {
            println!("skipped: {} is not recorded yet", file.display());
            return Ok(());
        };
        assert_eq!(list.lines().count(), N_HEAVIEST, "{}", file.display());
        let _app = serve_listening(scene).await?;
        // Busy machines are slow.
        let tab = scene.tab.patient(Duration::from_secs(600));
        let mut over = Vec::new();
        for line in list.lines() {
            let mut fields = line.split('\t');
            let (native, _, address) = (fields.next(), fields.next(), fields.next());
            let address = address.with_context(|| format!("no address in {line}"))?;
            tab.open("about:blank").await?;
            let before = worker_seconds();
            tab.open(address).await?;
            tab.wait_for_true(ENDED).await.with_context(|| address.to_owned())?;
            let after = worker_seconds();
            let spent = |(id, seconds): (&_, &f64)| seconds - before.get(id).unwrap_or(&0.0);
            let each: Vec<f64> = after.iter().map(spent).filter(|seconds| *seconds > 0.1).collect();
            let seconds: f64 = each.iter().sum();
            let held = tab.memory().await?;
            let native = native.unwrap_or_default();
            let said = format!(
                "{seconds:.1} s ({native} natively), by worker {each:.1?}, {} MB: {address}",
                held.total() >> 20
            );
            println!("{said}");
            if seconds > MOST_SECONDS || held.total() > MOST_BYTES {
                over.push(said);
            }
        }
        ensure!(over.is_empty(), "over {MOST_SECONDS} s or 2 GB:\n{}", over.join("\n"));
        Ok(())
    });
}
