//! Whoever prefers no motion sees none, and the crawl still plays.

use anyhow::Result;
use crawl_e2e::{Media, Setup, Tab, scenario};
use serde_json::json;

/// Elements that would move by themselves: an animation, or a transition that takes time.
async fn moving(tab: &Tab) -> Result<Vec<String>> {
    let moving = "[
        ...document.getAnimations().filter((a) => a.effect.getComputedTiming().activeDuration > 0)
            .map((a) => `runs: ${a.effect.target?.className}`),
        ...[...document.querySelectorAll('*')].filter((e) => ['', '::before', '::after'].some((part) => {
            const style = getComputedStyle(e, part || null);
            const takes_time = (list) => list.split(',').some((time) => parseFloat(time) > 0);
            return takes_time(style.transitionDuration)
                || (style.animationName !== 'none' && takes_time(style.animationDuration));
        })).map((e) => `${e.tagName} ${e.getAttribute('class')}`),
    ]";
    Ok(serde_json::from_value(tab.eval(&format!("[...new Set({moving})]")).await?)?)
}

#[test]
fn nothing_moves_by_itself_and_the_crawl_still_plays() {
    scenario("no motion", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.prefer(Media { dark: false, reduced_motion: true }).await?;
        tab.open("").await?;
        tab.wait_until_beyond(0).await?;
        assert_eq!(moving(tab).await?, Vec::<String>::new());
        let step = tab.lane_steps().await?[0];
        tab.wait_until_beyond(step).await?;
        tab.key("1").await?;
        tab.wait_for(".inspector .result").await?;
        tab.press("Share").await?;
        tab.wait_for("dialog").await?;
        assert_eq!(moving(tab).await?, Vec::<String>::new());
        tab.accessible().await?;
        // Without that wish rows slide, which shows that this test can see it.
        tab.prefer(Media::default()).await?;
        assert!(moving(tab).await?.iter().any(|what| what.contains("row")));
        assert_ne!(json!(moving(tab).await?), json!([]));
        Ok(())
    });
}
