//! A worker that dies is started again, and the run it had is the run it gives.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};
use serde_json::json;

/// A run that takes long enough to be interrupted.
const LINK: &str = "#v=1&world=web(pages:4000)&run=breadth-first,pagerank(every:5)&budget=2000";

/// Keeps every worker that the page starts, in order, so that a scenario can end one as the browser
/// does when it runs out of memory: it is gone, and the page is told. The one with the given number
/// is ended once the second lane is in the middle of its run; the page itself watches for that,
/// since whoever looks from outside may come too late.
const KEEP: &str = "self.hands = [];
    // The watchdog's clock goes by hand.
    const every = self.setInterval;
    self.setInterval = (act, ms, ...given) => {
        if (ms !== 5000) return every(act, ms, ...given);
        self.beat = act;
        return 0;
    };
    self.Worker = class extends Worker {
        constructor(...given) { super(...given); self.hands.push(this); }
    };
    self.end_worker = (hand) => {
        hand.terminate();
        if (IS_SILENT) return;
        hand.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true }));
    };
    const look = () => {
        if (document.querySelector('.lane:nth-of-type(2) .quiet-note') === null) {
            setTimeout(look, 1);
        } else {
            end_worker(hands.at(NUMBER));
            self.has_ended = true;
        }
    };
    look();";

/// Opens a link with the digests its runs must have, and ends the worker with that number once the
/// second lane is in the middle of its run.
async fn end_mid_run(tab: &Tab, number: usize, is_silent: bool) -> Result<()> {
    tab.open_and_run(LINK).await?;
    tab.press("Share").await?;
    tab.wait_for("#share-link").await?;
    let link = tab.eval("document.querySelector('#share-link').value").await?;
    let link = link.as_str().context("a link")?.to_owned();
    assert!(link.contains("digest="), "{link}");
    let source = KEEP.replace("NUMBER", &number.to_string());
    let source = source.replace("IS_SILENT", &is_silent.to_string());
    tab.open("about:blank").await?;
    tab.developer_tools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }))
        .await?;
    tab.open(&link).await?;
    tab.wait_for_true("self.has_ended === true").await.context("there was no run to interrupt")
}

#[test]
fn a_lane_that_dies_is_run_again() {
    scenario("a lane dies", Setup::default(), async |scene| {
        let tab = &scene.tab;
        end_mid_run(tab, 2, false).await?;
        tab.wait_for_text(".notice", "The worker of lane 2 stopped and was restarted").await?;
        tab.accessible().await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        assert_eq!(tab.eval("hands.length").await?, 4, "only that worker was restarted");
        tab.press("Dismiss").await?;
        tab.wait_until_gone(".notice").await?;
        tab.key("Home").await?;
        tab.wait_for_step(0).await?;
        tab.click(".play").await?;
        tab.wait_until_beyond(0).await?;
        // One that dies while nobody asks anything of it is there again when somebody does.
        tab.eval("end_worker(hands[1])").await?;
        tab.wait_for_text(".notice", "The worker of lane 1 stopped").await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.key("End").await?;
        tab.wait_for_step(2000).await?;
        tab.wait_until_settled().await
    });
}

#[test]
fn a_lane_that_dies_always_says_so_and_the_others_go_on() {
    scenario("a lane dies always", Setup::default(), async |scene| {
        let tab = &scene.tab;
        end_mid_run(tab, 2, false).await?;
        for last in [4, 5] {
            tab.wait_for_true(&format!("hands.length === {last}")).await?;
            tab.eval("end_worker(hands.at(-1))").await?;
        }
        tab.wait_for_text(".lane:nth-of-type(2) [role=alert]", "out of memory").await?;
        tab.wait_for_text(".badge.bad", "not reproduced").await?;
        tab.accessible().await?;
        tab.wait_until_settled_in(1).await?;
        tab.key("End").await?;
        tab.wait_for_true("document.querySelector('.stage').dataset.step === '2000'").await?;
        tab.wait_until_settled_in(1).await?;
        // Whoever wants to try once more can.
        tab.press("Try again").await?;
        tab.wait_for_text(".badge.good", "reproduced").await
    });
}

#[test]
fn a_lane_that_falls_silent_is_run_again() {
    scenario("a silent lane", Setup::default(), async |scene| {
        let tab = &scene.tab;
        end_mid_run(tab, 2, true).await?;
        // The first lane owes nothing any more, so that only the silent one is asked.
        tab.wait_for_true("document.querySelector('.lane:nth-of-type(1) .lane-note') === null")
            .await?;
        tab.wait_until_settled_in(1).await?;
        let silent = "document.querySelector('.lane:nth-of-type(2) .quiet-note') !== null";
        assert_eq!(tab.eval(silent).await?, true);
        assert_eq!(tab.count(".notice").await?, 0);
        // As many beats as leave a minute of pings unanswered, and not one fewer.
        tab.eval("[...Array(14)].forEach(() => beat())").await?;
        tab.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            .await?;
        assert_eq!(tab.count(".notice").await?, 0);
        tab.eval("beat()").await?;
        tab.wait_for_text(".notice", "The worker of lane 2 stopped and was restarted").await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        assert_eq!(tab.eval("hands.length").await?, 4, "only that worker was restarted");
        Ok(())
    });
}

#[test]
fn the_world_worker_that_dies_is_started_again() {
    scenario("the world dies", Setup::default(), async |scene| {
        let tab = &scene.tab;
        end_mid_run(tab, 0, false).await?;
        tab.wait_for_text(".notice", "The world worker stopped").await?;
        tab.accessible().await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.wait_for_runs().await?;
        tab.wait_until_drawn().await?;
        tab.key("End").await?;
        tab.wait_for_step(2000).await?;
        tab.wait_until_settled().await?;
        // It answers what only it knows.
        tab.press("Seeds").await?;
        tab.type_into("#seed-search", "www").await?;
        tab.wait_for("dialog .found li").await?;
        tab.accessible().await
    });
}
