//! Everything a run needs, by keyboard alone, with the focus always in sight.

use anyhow::{Context, Result, bail};
use crawl_e2e::{Setup, Tab, scenario};
use serde_json::json;

const LINK: &str = "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=200";
/// Stops of the Tab key after which an element counts as out of reach.
const MAX_STOPS: usize = 80;

/// Fails unless the element with the focus is seen, and seen to have it.
async fn focus_is_seen(tab: &Tab) -> Result<()> {
    let seen = "(() => {
        const e = document.activeElement;
        if (e === document.body) { return ''; }
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        const { x, y, width, height } = e.getBoundingClientRect();
        const inside = width > 0 && height > 0 && x + width > 0 && y + height > 0
            && x < innerWidth && y < innerHeight;
        const outlined = e.matches(':focus-visible') && outlineStyle !== 'none'
            && parseFloat(outlineWidth) >= 1;
        return outlined && inside ? '' : `${e.outerHTML.slice(0, 120)} ${outlineStyle} ${x} ${y}`;
    })()";
    let unseen = tab.eval(seen).await?;
    if unseen != "" {
        bail!("the focus is not seen on {unseen}");
    }
    Ok(())
}

/// Goes with Tab until an element has the focus.
async fn tab_to(tab: &Tab, css: &str) -> Result<()> {
    for _ in 0..MAX_STOPS {
        tab.key("Tab").await?;
        focus_is_seen(tab).await?;
        if tab.eval(&format!("document.activeElement.matches({css:?})")).await? == true {
            return Ok(());
        }
    }
    bail!("Tab does not reach {css}")
}

#[test]
fn a_run_by_keyboard_alone() {
    scenario("keyboard", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        // Play, step, go to either end.
        tab.key("Space").await?;
        tab.wait_until_beyond(0).await?;
        tab.key("Space").await?;
        assert!(!tab.is_playing().await?);
        let step = tab.step().await?;
        for (key, to) in [("ArrowRight", step + 1), ("ArrowLeft", step), ("End", 200), ("Home", 0)]
        {
            tab.key(key).await?;
            tab.wait_for_step(to).await?;
        }
        // What a screen reader hears.
        tab.wait_for_text("[aria-live=polite]", "Step 0").await?;
        tab.key("PageDown").await?;
        tab.wait_for_step(10).await?;
        tab.wait_for_text("[aria-live=polite]", "Step 10").await?;
        tab.wait_until_settled().await?;
        let titles = tab.texts(".lane-title .name").await?;
        for (key, title) in ["1", "2", "3", "4"].into_iter().zip(&titles) {
            tab.key(key).await?;
            tab.wait_for_text(".inspector-head", title).await?;
            tab.wait_for(".inspector .result").await?;
        }
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".inspector").await?;

        // Set-up: a strategy's parameter.
        tab_to(tab, ".strategies li:nth-of-type(3) .strategy").await?;
        tab.key("Enter").await?;
        tab.wait_for("#strategy-2-keep").await?;
        tab_to(tab, "#strategy-2-keep").await?;
        tab.accessible().await?;
        tab.key("Space").await?;
        tab.wait_for_text(".lane:nth-of-type(3) .lane-title", "keep true").await?;
        tab.wait_for_runs().await?;
        focus_is_seen(tab).await?;
        let same = "document.activeElement.id === 'strategy-2-keep'";
        assert_eq!(tab.eval(same).await?, true, "the focus stays where it was");

        // A row of the frontier, and its reasons: a list is one stop, arrows walk in it.
        tab.wait_until_settled().await?;
        let stops = "[...document.querySelectorAll('.rows')]
            .map((rows) => [...rows.querySelectorAll('button')].filter((e) => e.tabIndex >= 0).length)";
        assert_eq!(tab.eval(stops).await?, json!([1, 1, 1, 1]));
        tab_to(tab, ".lane:nth-of-type(2) .row-1 button").await?;
        for (key, row) in [
            ("ArrowDown", ".row-2"),
            ("End", ".row:last-child"),
            ("ArrowUp", ".row:nth-last-child(2)"),
            ("Home", ".row-1"),
            ("ArrowDown", ".row-2"),
        ] {
            tab.key(key).await?;
            let there =
                format!("document.activeElement.matches('.lane:nth-of-type(2) {row} button')");
            tab.wait_for_true(&there).await?;
            focus_is_seen(tab).await?;
        }
        assert_eq!(tab.step().await?, 10, "the play-head stays where it is");
        tab.wait_for_true(&format!("JSON.stringify({stops}) === '[1,1,1,1]'")).await?;
        tab.key("Enter").await?;
        tab.wait_for(".inspector .result").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".inspector").await?;
        // Away and back: Tab stops where it was.
        tab.key("Tab").await?;
        let outside = "document.activeElement.closest('.lane:nth-of-type(2) .rows') === null";
        tab.wait_for_true(outside).await?;
        tab.key("Shift+Tab").await?;
        let back = "document.activeElement.matches('.lane:nth-of-type(2) .row-2 button')";
        tab.wait_for_true(back).await?;
        // When its page is fetched, the focus stays in the list.
        tab.key("Home").await?;
        tab.wait_for_true("document.activeElement.matches('.lane:nth-of-type(2) .row-1 button')")
            .await?;
        let page = tab.eval("document.activeElement.value").await?;
        tab.key("PageDown").await?;
        tab.wait_for_step(20).await?;
        tab.wait_until_settled().await?;
        let gone = format!(
            "document.querySelector('.lane:nth-of-type(2) button[value=\"{}\"]') === null",
            page.as_str().unwrap_or_default()
        );
        tab.wait_for_true(&gone).await?;
        let inside = "document.activeElement.closest('.lane:nth-of-type(2) .rows') !== null";
        tab.wait_for_true(inside).await?;
        tab.key("PageUp").await?;
        tab.wait_for_step(10).await?;
        // The transport, by its buttons.
        tab_to(tab, ".scrubber input").await?;
        tab.key("ArrowRight").await?;
        tab.wait_for_step(11).await?;
        tab_to(tab, ".transport button[aria-label='Go to the end']").await?;
        tab.key("Enter").await?;
        tab.wait_for_step(200).await?;
        tab_to(tab, ".speed").await?;

        // Share, and back to where it was.
        tab_to(tab, ".top-bar .primary").await?;
        tab.key("Enter").await?;
        tab.wait_for("dialog #share-link").await?;
        let inside = "document.activeElement.closest('dialog') !== null";
        tab.wait_for_true(inside).await.context("the focus goes into the dialog")?;
        tab_to(tab, "dialog .copyable .primary").await?;
        // Keys of the dialog are not keys of the transport.
        tab.key("Home").await?;
        assert_eq!(tab.step().await?, 200);
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        assert_eq!(tab.eval("document.activeElement.matches('.top-bar .primary')").await?, true);
        focus_is_seen(tab).await
    });
}
