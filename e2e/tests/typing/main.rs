//! A field keeps what is typed into it while a run plays: the page is redrawn between two keys.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};

/// Plays for minutes, a few steps a second.
const LINK: &str = "#v=1&world=shop&topic=words(of:'camera')&run=formula,breadth-first\
    &budget=900&speed=5";

async fn value(tab: &Tab, css: &str) -> Result<String> {
    let value = tab.eval(&format!("document.querySelector({css:?}).value")).await?;
    Ok(value.as_str().context("a field")?.to_owned())
}

/// Types in place of what stands in a field, with `between` after every key.
async fn type_slowly(
    tab: &Tab,
    css: &str,
    text: &str,
    between: impl AsyncFn() -> Result<()>,
) -> Result<()> {
    tab.wait_for(css).await?;
    let select = format!(
        "(() => {{ const e = document.querySelector({css:?}); e.focus(); e.select(); }})()"
    );
    tab.eval(&select).await?;
    let mut typed = String::new();
    for key in text.chars() {
        typed.push(key);
        tab.key(if key == ' ' { "Space" } else { &typed[typed.len() - key.len_utf8()..] }).await?;
        between().await?;
        assert_eq!(value(tab, css).await?, typed, "{css}");
    }
    Ok(())
}

/// Waits until it has played on, which redraws every number on the page.
async fn played_on(tab: &Tab) -> Result<()> {
    let step = tab.lane_steps().await?.into_iter().max().unwrap_or(0);
    tab.wait_until_beyond(step).await
}

#[test]
fn fields_keep_their_text_while_a_run_plays() {
    scenario("typing", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        tab.click(".play").await?;
        tab.wait_until_beyond(0).await?;
        let playing = async || played_on(tab).await;

        // A topic's words, committed by Enter to the letter.
        type_slowly(tab, "#topic-of", "tripod lens", playing).await?;
        tab.key("Enter").await?;
        tab.wait_for_true("location.hash.includes(\"topic=words(of:'tripod%20lens')\")").await?;
        played_on(tab).await?;
        assert_eq!(value(tab, "#topic-of").await?, "tripod lens");

        // A formula, while what was committed before is still on its way.
        tab.click(".strategies li:nth-of-type(1) .strategy").await?;
        type_slowly(tab, "#strategy-0-of", "0 - depth", playing).await?;
        tab.key("Enter").await?;
        tab.wait_for_text(".lane:nth-of-type(1) .lane-title .name", "0 - depth").await?;
        type_slowly(tab, "#strategy-0-of", "cash * 2", playing).await?;
        tab.key("Escape").await?;
        tab.wait_for_true("document.querySelector('#strategy-0-of').value === '0 - depth'").await?;

        // A number: Escape gives the old one back, losing the focus commits what is seen.
        tab.click(".rules li:nth-of-type(1) .rule").await?;
        type_slowly(tab, "#rule-budget", "77", playing).await?;
        tab.key("Escape").await?;
        tab.wait_for_true("document.querySelector('#rule-budget').value === '900'").await?;
        assert!(tab.address().await?.as_str().contains("budget=900"));
        type_slowly(tab, "#rule-budget", "850", playing).await?;
        tab.key("Tab").await?;
        tab.wait_for_true("location.hash.includes('budget=850')").await?;
        // What does not fit is refused, and said.
        type_slowly(tab, "#rule-budget", "8x", playing).await?;
        tab.key("Enter").await?;
        tab.wait_for_text(".rules .refused", "“8x” is invalid").await?;
        tab.wait_for_true("document.querySelector('#rule-budget').value === '850'").await?;
        tab.accessible().await?;

        // A search, each letter of which is answered.
        tab.press("Seeds").await?;
        let answered = async || tab.wait_for("dialog .found li").await.map(drop);
        type_slowly(tab, "#seed-search", "thing", answered).await?;
        tab.wait_for("dialog .found li").await?;
        assert_eq!(value(tab, "#seed-search").await?, "thing");
        Ok(())
    });
}
