//! A first visit plays by itself and asks its question.

use anyhow::Result;
use crawl_e2e::{Setup, Tab, scenario};

#[test]
fn it_plays_by_itself_and_asks_its_question() {
    scenario("first visit", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("").await?;
        tab.wait_for_text("h1.question", "Who finds the important pages first?").await?;
        // Nobody has touched anything, and every lane moves on.
        tab.wait_until_beyond(0).await?;
        let first = tab.lane_steps().await?;
        assert_eq!(first.len(), 4);
        tab.wait_until_beyond(first[0]).await?;
        assert!(tab.is_playing().await?);
        tab.wait_until_drawn().await?;
        tab.wait_for(".lane:nth-of-type(4) .row").await?;
        tab.wait_for("#chart .curve").await?;
        assert_eq!(tab.address().await?.fragment(), None, "a first visit keeps its address");
        tab.accessible().await?;
        // It waits behind a dialog, and goes on after.
        assert!(tab.is_playing().await?);
        tab.press("Help").await?;
        tab.wait_for("dialog").await?;
        let before = tab.lane_steps().await?;
        tab.accessible().await?;
        assert_eq!(tab.lane_steps().await?, before);
        tab.key("Escape").await?;
        tab.wait_until_beyond(before[0]).await
    });
}

/// How many files the page has fetched whose name has this in it.
async fn fetched(tab: &Tab, name: &str) -> Result<usize> {
    let count = format!(
        "performance.getEntriesByType('resource').filter((e) => e.name.includes({name:?})).length"
    );
    Ok(tab.eval(&count).await?.as_u64().unwrap_or_default() as usize)
}

/// Clicks the card of a strategy in the dialog, once it is there.
async fn choose(tab: &Tab, title: &str) -> Result<()> {
    let click = format!(
        "(() => {{
            const cards = [...document.querySelectorAll('dialog .card')];
            const card = cards.find((e) => e.querySelector('b').textContent === {title:?});
            card?.click();
            return card !== undefined;
        }})()"
    );
    tab.wait_for_true(&click).await
}

/// A first visit loads one worker program, and goes on with it whatever is asked for.
#[test]
fn one_program_plays_the_first_visit_and_what_comes_after() {
    scenario("first visit, then more", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("").await?;
        tab.wait_until_beyond(0).await?;
        assert_eq!(fetched(tab, "crawl-worker_bg").await?, 1);
        tab.click(".strategies li:nth-of-type(3) .strategy").await?;
        tab.press("Replace").await?;
        choose(tab, "FICA").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_true("location.hash.includes('fica')").await?;
        // The lanes that were there still answer.
        tab.wait_for(".lane:nth-of-type(2) .row").await?;
        // Another world.
        tab.eval("location.hash = '#v=1&world=web(pages:1000)&run=opic,ieca'").await?;
        tab.wait_for_true("document.querySelectorAll('.stage').length === 2").await?;
        tab.wait_for_runs().await?;
        tab.back().await?;
        tab.wait_for_true("location.hash.includes('fica')").await?;
        tab.wait_for_runs().await?;
        assert_eq!(fetched(tab, "crawl-worker_bg").await?, 1);
        Ok(())
    });
}

/// A link may be followed while the first visit is being set up.
#[test]
fn a_link_followed_at_once_is_opened() {
    scenario("first visit, then a link", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("").await?;
        tab.wait_for(".stage").await?;
        tab.eval("location.hash = '#v=1&world=shop&run=hits,random&budget=50'").await?;
        tab.wait_for_true("document.querySelectorAll('.stage').length === 2").await?;
        tab.wait_for_runs().await?;
        assert_eq!(tab.count(".lane .lane-note").await?, 0, "no run stopped");
        Ok(())
    });
}
