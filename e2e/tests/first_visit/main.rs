//! A first visit plays by itself and asks its question.

use crawl_e2e::{Setup, scenario};

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
