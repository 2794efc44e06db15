//! The scrubber lands where it is put, and playing goes on from there.

use anyhow::Result;
use crawl_e2e::{Setup, Tab, scenario};

const LINK: &str = "#v=1&world=campus&run=breadth-first,opic&budget=400&speed=10";
const INPUT: &str = ".scrubber input";

/// Where on the page the scrubber shows a share of the run.
async fn place(tab: &Tab, share: f64) -> Result<(f64, f64)> {
    let (x, y, width, height) = tab.place(".scrubber").await?;
    Ok((x + width * share, y + height / 2.0))
}

#[test]
fn it_lands_where_it_is_put_and_plays_on() {
    scenario("scrub", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        tab.drag(place(tab, 0.0).await?, place(tab, 0.5).await?).await?;
        // A pixel is less than a step.
        let middle = async || Ok(tab.step().await?.abs_diff(200) <= 1);
        tab.wait_until("the middle is step 200", middle).await?;
        let step = tab.step().await?;
        tab.wait_until_settled().await?;
        assert!(!tab.is_playing().await?);
        assert_eq!(tab.text("#step").await?, step.to_string());
        // The play-head in the chart stands over the scrubber's, to the pixel.
        let apart = "(() => {
            const middle = ({ left, right }) => (left + right) / 2;
            const head = document.querySelector('#chart .head-line').getBoundingClientRect();
            const track = document.querySelector('.scrubber').getBoundingClientRect();
            const { value, max } = document.querySelector('.scrubber input');
            return Math.abs(middle(head) - track.left - track.width * value / max);
        })()";
        assert!(tab.eval(apart).await?.as_f64().is_some_and(|px| px < 0.5));
        assert!(
            tab.address().await?.fragment().unwrap_or_default().contains(&format!("at={step}"))
        );

        tab.click(".play").await?;
        tab.wait_until_beyond(step).await?;
        let after = tab.lane_steps().await?[0];
        assert!(after < step + 100, "it leapt from {step} to {after}");
        // Dragging stops it and holds it there.
        let from = tab.lane_steps().await?[0] as f64 / 400.0;
        tab.drag(place(tab, from).await?, place(tab, 0.25).await?).await?;
        let quarter = async || Ok(tab.step().await?.abs_diff(100) <= 1);
        tab.wait_until("a quarter is step 100", quarter).await?;
        assert!(!tab.is_playing().await?);
        let step = tab.step().await?;

        // The keys of the scrubber are those of the play-head.
        tab.eval(&format!("document.querySelector({INPUT:?}).focus()")).await?;
        for (key, to) in [
            ("ArrowRight", step + 1),
            ("ArrowLeft", step),
            ("PageDown", step + 10),
            ("PageUp", step),
            ("Home", 0),
            ("End", 400),
        ] {
            tab.key(key).await?;
            tab.wait_for_step(to).await?;
        }
        assert_eq!(tab.attribute(INPUT, "aria-valuetext").await?.as_deref(), Some("400"));
        tab.accessible().await?;

        // The chart is on the same axis: a click in it is a place of the scrubber.
        let (_, y, _, height) = tab.place(".chart").await?;
        let (x, _) = place(tab, 0.75).await?;
        tab.click_at(x, y + height / 2.0).await?;
        let step = tab.step().await?;
        assert!(step.abs_diff(300) <= 1, "three quarters is step {step}");
        tab.key("Space").await?;
        tab.wait_until_beyond(step).await
    });
}
