//! Stepping back shows what was there before, to the last number.

use crawl_e2e::{Setup, scenario};
use serde_json::Value;

const LINK: &str = "#v=1&world=campus&run=breadth-first,opic,pagerank(every:10),hits&budget=200";
const START: u64 = 30;
const STEPS: u64 = 12;

#[test]
fn forwards_and_back_is_where_it_was() {
    scenario("step back", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        tab.download_to(folder.path()).await?;
        tab.open_and_run(&format!("{LINK}&at={START}")).await?;
        tab.wait_for_step(START).await?;

        let mut seen: Vec<Value> = vec![tab.shown().await?];
        for step in 1..=STEPS {
            tab.key("ArrowRight").await?;
            tab.wait_for_step(START + step).await?;
            seen.push(tab.shown().await?);
        }
        for pair in seen.windows(2) {
            assert_ne!(pair[0], pair[1], "a step changes something");
        }
        tab.accessible().await?;
        for step in (0..STEPS).rev() {
            tab.press("Step back").await?;
            tab.wait_for_step(START + step).await?;
            assert_eq!(tab.shown().await?, seen[step as usize], "back at {}", START + step);
        }
        let stage = tab.shown_stage(folder.path()).await?;

        tab.key("Home").await?;
        tab.wait_for_step(0).await?;
        let start = tab.shown().await?;
        assert_eq!(start["lanes"][0]["rows"].as_array().map(Vec::len), Some(1), "the seed waits");
        tab.accessible().await?;
        // There is nothing before the start, and nothing after the end.
        tab.key("ArrowLeft").await?;
        assert_eq!(tab.shown().await?, start);
        tab.key("End").await?;
        tab.wait_for_step(200).await?;
        assert_ne!(tab.shown_stage(folder.path()).await?, stage);
        let end = tab.shown().await?;
        tab.key("ArrowRight").await?;
        assert_eq!(tab.shown().await?, end);
        tab.accessible().await?;
        tab.press("Go to the start").await?;
        tab.wait_for_step(0).await?;
        assert_eq!(tab.shown().await?, start);
        tab.press("Go to the end").await?;
        tab.wait_for_step(200).await?;
        assert_eq!(tab.shown().await?, end);
        // From the start again, by leaps of ten.
        tab.key("Home").await?;
        for leap in 1..=START / 10 {
            tab.key("PageDown").await?;
            tab.wait_for_step(10 * leap).await?;
        }
        assert_eq!(tab.shown().await?, seen[0]);
        assert_eq!(tab.shown_stage(folder.path()).await?, stage);
        Ok(())
    });
}
