//! Experiments that would never end are refused with what fits; the largest that fit end in bounds.

use anyhow::{Context, Result};
use crawl_e2e::{MEASURES_MEMORY, Setup, Tab, memory_of, scenario};

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
