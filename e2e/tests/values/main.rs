//! What strategies keep of their pages, as colour with a legend; rings; fetchers as lines.

use anyhow::Result;
use crawl_e2e::{Setup, Tab, scenario};

const LINK: &str = "#v=1&world=campus&run=opic,fica&budget=120&at=40";

/// The pages' colours in the stage's drawing.
async fn fills(tab: &Tab, folder: &std::path::Path) -> Result<Vec<String>> {
    let svg = tab.shown_stage(folder).await?;
    let mut fills: Vec<String> = svg
        .split("fill=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next().map(str::to_owned))
        .collect();
    fills.sort();
    fills.dedup();
    Ok(fills)
}

async fn choose(tab: &Tab, css: &str, value: &str) -> Result<()> {
    let choose = format!(
        "(() => {{
            const list = document.querySelector({css:?});
            list.value = {value:?};
            list.dispatchEvent(new Event('change', {{ bubbles: true }}));
            return list.value === {value:?};
        }})()"
    );
    tab.wait_for_true(&choose).await
}

const COLOUR: &str = "select.colour";
const LAYOUT: &str = "select[aria-label=Layout]";

#[test]
fn pages_show_what_is_kept_of_them() {
    scenario("values", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        tab.download_to(folder).await?;
        tab.open_and_run(LINK).await?;
        let before = fills(tab, folder).await?;
        assert_eq!(tab.count(".value-legend").await?, 0);
        choose(tab, COLOUR, "cash").await?;
        tab.wait_for_text(".lane:nth-of-type(1) .value-legend", "cash").await?;
        tab.wait_for_text(".lane:nth-of-type(2) .value-legend", "has no cash").await?;
        tab.wait_for_true("location.hash.includes('colour=cash')").await?;
        assert_ne!(fills(tab, folder).await?, before);
        tab.accessible().await?;
        // It changes as the crawl goes, in both directions.
        let legend = ".lane:nth-of-type(1) .value-legend";
        let now = tab.text(legend).await?;
        let is_now = async || Ok(tab.text(legend).await? == now);
        tab.key("PageDown").await?;
        tab.wait_until("the legend changes", async || Ok(!is_now().await?)).await?;
        tab.key("PageUp").await?;
        tab.wait_until("the legend is as before", is_now).await?;
        // And it is there when the link is opened.
        choose(tab, COLOUR, "distance").await?;
        tab.wait_for_true("location.hash.includes('colour=distance')").await?;
        tab.reload().await?;
        tab.wait_for_text(".lane:nth-of-type(2) .value-legend", "distance").await?;
        choose(tab, COLOUR, "").await?;
        tab.wait_until_gone(".value-legend").await?;
        // Rings: another layout, and what is drawn stays drawn.
        choose(tab, LAYOUT, "rings").await?;
        tab.wait_for_true("location.hash.includes('layout=rings')").await?;
        tab.wait_until_settled().await?;
        tab.wait_until_drawn().await
    });
}

#[test]
fn fetchers_are_lines() {
    scenario("fetchers", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run("#v=1&world=campus&run=opic,random&budget=120&fetchers=4&at=40").await?;
        tab.wait_for(".lane:nth-of-type(2) .fetchers .past").await?;
        let paths =
            "[...document.querySelectorAll('.fetchers .past')].map((e) => e.getAttribute('d'))";
        let now = tab.eval(paths).await?;
        let first = now[0].as_str().unwrap_or_default();
        assert!(first.matches('M').count() > 4, "{first}");
        tab.accessible().await?;
        tab.key("ArrowRight").await?;
        tab.wait_until("the lines move on", async || Ok(tab.eval(paths).await? != now)).await?;
        // One fetcher needs no line.
        tab.open_and_run(LINK).await?;
        tab.wait_until_gone(".fetchers").await
    });
}
