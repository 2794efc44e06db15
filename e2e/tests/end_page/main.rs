//! When the app's own program dies, a page says so and offers a way on.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};

const LINK: &str = "#v=1&world=campus&run=breadth-first,opic&budget=100&at=40";

/// Takes all memory that the app's program could still get, then gives it a key whose name is longer
/// than any room it has left: the program aborts, as when a run has filled its memory.
const EXHAUST: &str = "(async () => {
    const entries = performance.getEntriesByType('resource').map((entry) => entry.name);
    const script = entries.find((name) => /crawl-app[^/]*\\.js$/.test(name));
    const program = await (await import(script)).default();
    for (const pages of [1024, 1]) {
        try {
            for (;;) program.memory.grow(pages);
        } catch {
            // No more can be had.
        }
    }
    const key = 'x'.repeat(64 << 20);
    setTimeout(() => window.dispatchEvent(new KeyboardEvent('keydown', { key })));
    return true;
})()";

/// Ends the app's program, and looks at the page that stands in its place.
async fn die(tab: &Tab) -> Result<()> {
    tab.eval(EXHAUST).await?;
    tab.wait_for_text("#boot-problem:not([hidden])", "Crawlscope stopped").await?;
    tab.wait_for_true("document.getElementById('app') === null").await?;
    let said = tab.text("#boot-problem").await?;
    assert!(said.contains("It may have run out of memory"), "{said}");
    assert!(!said.contains("cannot start here"), "{said}");
    // The trap is in the console, and nothing else.
    let console = tab.console().await?;
    let traps = console.iter().filter(|message| message.to_string().contains("RuntimeError"));
    let n_traps = traps.count();
    assert!(n_traps > 0, "the program trapped");
    assert_eq!(console.iter().filter(|message| message.is_bad()).count(), n_traps);
    Ok(())
}

/// Notes which workers were ended.
const WATCH: &str = "(() => {
    self.ended = 0;
    const end = Worker.prototype.terminate;
    Worker.prototype.terminate = function () { self.ended += 1; end.call(this); };
})()";

#[test]
fn an_app_that_dies_offers_ways_on() {
    scenario("end page", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        tab.wait_for_step(40).await?;
        // A dialog that is open must not keep the buttons from being pressed.
        tab.press("Help").await?;
        tab.wait_for("dialog").await?;
        tab.eval(WATCH).await?;
        die(tab).await?;
        assert_eq!(tab.eval("self.ended").await?, 3, "the world's worker and two lanes' are ended");
        tab.accessible().await?;

        tab.press("Copy the link").await?;
        tab.wait_for_true(
            "!document.querySelector('#boot-problem').textContent.includes('Copy the link')",
        )
        .await?;
        tab.press("Load this experiment again").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_step(40).await?;
        let address = tab.address().await?;
        assert!(address.fragment().context("a link")?.contains("run=breadth-first,opic"));

        die(tab).await?;
        tab.press("Start without it").await?;
        tab.wait_until_beyond(0).await?;
        assert_eq!(tab.address().await?.fragment(), None, "as on a first visit");
        assert_eq!(tab.lane_steps().await?.len(), 4);
        Ok(())
    });
}
