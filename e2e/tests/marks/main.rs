//! A strategy keeps its colour and shape when others leave, and for whoever opens the link.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};
use serde_json::Value;

const LINK: &str = "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=60";

/// Name, colour and shape of every strategy: in the legend, over its lane, and of its curve.
async fn marks(tab: &Tab) -> Result<Vec<Value>> {
    let marks = "[...document.querySelectorAll('.legend-lane')].map((e, i) => {
        const mark = (shape) => [getComputedStyle(shape).fill, shape.innerHTML];
        const lane = document.querySelectorAll('.lane-title .shape')[i];
        const curve = document.querySelectorAll('#chart .curve')[i];
        return [e.textContent, ...mark(e.querySelector('.shape')), ...mark(lane),
            getComputedStyle(curve).stroke];
    })";
    Ok(serde_json::from_value(tab.eval(marks).await?)?)
}

#[test]
fn strategies_keep_their_marks() {
    scenario("marks", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        let all = marks(tab).await?;
        assert_eq!(all.len(), 4);
        for (i, mark) in all.iter().enumerate() {
            assert_eq!((&mark[1], &mark[2]), (&mark[3], &mark[4]), "legend and lane agree");
            assert_eq!(mark[1], mark[5], "legend and curve agree");
            assert!(all[..i].iter().all(|other| other[1] != mark[1] && other[2] != mark[2]));
        }
        tab.click(".strategies li:nth-of-type(2) .strategy").await?;
        tab.press("Remove").await?;
        tab.wait_for_true("document.querySelectorAll('.legend-lane').length === 3").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_true("document.querySelectorAll('#chart .curve').length === 3").await?;
        let fewer = marks(tab).await?;
        assert_eq!(fewer, [0, 2, 3].map(|i: usize| all[i].clone()), "those left are as they were");

        let link = tab.address().await?;
        let link = format!("#{}", link.fragment().context("a link")?);
        tab.new_tab().await?;
        tab.open_and_run(&link).await?;
        assert_eq!(marks(tab).await?, fewer, "{link}");
        Ok(())
    });
}
