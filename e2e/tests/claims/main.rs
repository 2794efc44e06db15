//! What the papers claim, tried again in the browser: the same numbers as on the command line.

use crawl_e2e::{Setup, crawlscope, scenario};
use serde_json::Value;

#[test]
fn the_browser_computes_what_the_command_line_does() {
    scenario("claims", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        tab.download_to(folder).await?;
        tab.open("").await?;
        tab.wait_until_beyond(0).await?;
        tab.press("Claims").await?;
        tab.wait_for("#claims-document option").await?;
        tab.fill("#claims-webs", "2").await?;
        tab.fill("#claims-pages", "1000").await?;
        tab.press("Try it").await?;
        tab.wait_for(".report .claims").await?;
        assert_eq!(tab.eval("document.querySelector('#claims-webs').value").await?, "2");
        tab.accessible().await?;

        tab.press("Save all numbers as JSON").await?;
        let saved: Value = serde_json::from_slice(&tab.downloaded(folder, "claims.json").await?)?;
        // The real graphs are left out: the browser has none.
        let nowhere = folder.join("nowhere").display().to_string();
        let arguments = ["reproduce", "E", "--webs", "2", "--pages", "1000", "--json", "--data"];
        let printed = crawlscope(&[&arguments[..], &[&nowhere]].concat())?;
        assert_eq!(saved, printed);
        let claims = printed["claims"].as_array().expect("claims");
        assert!(!claims.is_empty());
        let shown = tab.texts(".report .verdict").await?;
        let words = |claim: &Value| match claim["verdict"].as_str() {
            Some("not-held") => "not held".to_owned(),
            Some("undecided") => "unclear".to_owned(),
            word => word.unwrap_or_default().to_owned(),
        };
        // The page has a row a claim and a column for the webs; the order is that of the rows.
        let (mut shown, mut expected) = (shown, claims.iter().map(words).collect::<Vec<_>>());
        shown.sort();
        expected.sort();
        assert_eq!(shown, expected);

        // A long one can be stopped, and the crawls are still there.
        tab.fill("#claims-webs", "100").await?;
        tab.press("Try it").await?;
        tab.wait_for(".claims-progress progress").await?;
        tab.press("Stop").await?;
        tab.wait_until_gone(".claims-progress").await?;
        assert_eq!(tab.count(".report").await?, 0);
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        let step = tab.lane_steps().await?[0];
        tab.wait_until_beyond(step).await
    });
}

/// Rankers are compared as the command line does.
#[test]
fn two_rankers_are_compared() {
    scenario("ranks", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("").await?;
        tab.wait_until_beyond(0).await?;
        tab.press("Ranks").await?;
        tab.wait_for(".report figure").await?;
        tab.accessible().await?;
        let choose = "(() => {
            const list = document.querySelector('#ranker-1');
            list.value = 'rl-rank';
            list.dispatchEvent(new Event('change', { bubbles: true }));
        })()";
        tab.eval(choose).await?;
        tab.wait_for_text(".report", "The best by rl-rank").await?;
        let printed = crawlscope(&["rank", "campus", "--against", "rl-rank", "--json"])?;
        let tau = printed["against"]["tau"].as_f64().expect("τ");
        tab.wait_for_text(".report .numbers td", &format!("{tau:.3}")).await?;
        let best = printed["best"][0]["url"].as_str().expect("a page");
        tab.wait_for_text(".report .url", best).await
    });
}
