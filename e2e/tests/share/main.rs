//! A link holds the whole experiment: another tab, the command line and a frame show the same.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, run_link, scenario};
use serde_json::json;

const LINK: &str = "#v=1&world=web(pages:1000,rng:3)&run=breadth-first,opic(keep:true)&budget=120";

/// Opens the share dialog, copies the link and gives it.
async fn copied_link(tab: &Tab) -> Result<String> {
    let origin = tab.address().await?.origin().ascii_serialization();
    let allow = json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    tab.developer_tools("Browser.grantPermissions", allow).await?;
    tab.press("Share").await?;
    tab.wait_for("dialog #share-link").await?;
    tab.accessible().await?;
    tab.press("Copy").await?;
    tab.wait_for_text("dialog .copyable", "Copied").await?;
    let copied = tab.eval("navigator.clipboard.readText()").await?;
    let copied = copied.as_str().context("a text")?.to_owned();
    assert_eq!(tab.eval("document.querySelector('#share-link').value").await?, copied.as_str());
    tab.key("Escape").await?;
    tab.wait_until_gone("dialog").await?;
    Ok(copied)
}

#[test]
fn another_tab_and_the_command_line_reproduce_it() {
    scenario("share", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(&format!("{LINK}&at=47")).await?;
        tab.wait_for_step(47).await?;
        tab.key("ArrowRight").await?;
        tab.wait_for_step(48).await?;
        tab.wait_until_settled().await?;
        tab.click(".lane:nth-of-type(2) .row-2 button").await?;
        tab.wait_for(".inspector .result").await?;
        let url = tab.text(".inspector .page-url").await?;
        let shown = tab.shown().await?;
        assert_eq!(tab.count(".badge").await?, 0, "nothing was promised yet");
        let link = copied_link(tab).await?;

        tab.new_tab().await?;
        tab.open(&link).await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.wait_for_step(48).await?;
        tab.wait_for_text(".inspector .page-url", &url).await?;
        tab.wait_for(".row.is-chosen").await?;
        assert_eq!(tab.shown().await?, shown);
        tab.accessible().await?;

        let digests = link.split_once("digest=").context("no digests in the link")?.1;
        let digests = digests.split('&').next().unwrap_or_default();
        let printed = run_link(&link)?;
        let runs = printed["runs"].as_array().context("runs")?;
        let native: Vec<&str> = runs.iter().filter_map(|run| run["digest"].as_str()).collect();
        assert_eq!(native.len(), 2);
        assert_eq!(digests, native.join(","));

        // A digest that is another run's is not reproduced, and the page says so.
        let wrong = link.replace(native[1], native[0]);
        assert_ne!(wrong, link);
        tab.open(&wrong).await?;
        tab.wait_for_text(".badge.bad", "not reproduced").await?;
        tab.accessible().await
    });
}

#[test]
fn back_and_forward_walk_through_experiments() {
    scenario("back and forward", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        let titles =
            "[...document.querySelectorAll('.lane-title .name')].map((e) => e.textContent)";
        let is =
            |names: &[&str]| format!("JSON.stringify({titles}) === {:?}", json!(names).to_string());
        let first = is(&["Breadth-first", "OPIC (keep true)"]);
        let second = is(&["Breadth-first"]);
        let third = is(&["Depth-first"]);
        tab.wait_for_true(&first).await?;
        tab.click(".strategies li:nth-of-type(2) .strategy").await?;
        tab.press("Remove").await?;
        tab.wait_for_true(&second).await?;
        tab.wait_for_runs().await?;
        tab.click(".strategies li:nth-of-type(1) .strategy").await?;
        tab.press("Replace").await?;
        tab.wait_for("dialog .card").await?;
        tab.accessible().await?;
        tab.eval(
            "[...document.querySelectorAll('dialog .card')]
                .find((card) => card.querySelector('b').textContent === 'Depth-first').click()",
        )
        .await?;
        tab.wait_for_true(&third).await?;
        tab.wait_for_runs().await?;
        tab.back().await?;
        tab.wait_for_true(&second).await?;
        tab.back().await?;
        tab.wait_for_true(&first).await?;
        tab.wait_for_runs().await?;
        tab.forward().await?;
        tab.forward().await?;
        tab.wait_for_true(&third).await?;
        tab.wait_for_runs().await?;
        let link = tab.address().await?;
        assert!(link.fragment().unwrap_or_default().contains("run=depth-first"), "{link}");
        Ok(())
    });
}

#[test]
fn a_frame_shows_stage_and_transport_only() {
    scenario("embed", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(&format!("{LINK}&at=30")).await?;
        tab.press("Share").await?;
        tab.wait_for("#share-frame").await?;
        let source = "new DOMParser().parseFromString(document.querySelector('#share-frame').value,
            'text/html').querySelector('iframe').getAttribute('src')";
        let source = tab.eval(source).await?;
        let source = source.as_str().context("an address")?.to_owned();
        assert!(source.contains("embed=1"), "{source}");
        tab.new_tab().await?;
        tab.open(&source).await?;
        tab.wait_for(".app.embedded").await?;
        tab.wait_for_step(30).await?;
        for shown in [".stage", ".transport", ".scrubber", ".open-whole"] {
            assert_eq!(tab.eval(&visible(shown)).await?, true, "{shown}");
        }
        for hidden in [".top-bar", ".setup", ".legend", ".chart"] {
            assert_eq!(tab.eval(&visible(hidden)).await?, false, "{hidden}");
        }
        tab.accessible().await?;
        tab.click(".play").await?;
        tab.wait_until_beyond(30).await?;
        tab.click(".play").await?;
        let step = tab.step().await?;
        let whole = tab.attribute(".open-whole", "href").await?.context("a link")?;
        assert_eq!(tab.text(".open-whole").await?, "Open in Crawlscope");
        tab.open(&whole).await?;
        tab.wait_for(".app:not(.embedded) .setup").await?;
        tab.wait_for_step(step).await
    });
}

fn visible(css: &str) -> String {
    format!("document.querySelector({css:?})?.checkVisibility() ?? false")
}
