//! What the papers claim, tried again in the browser: the same numbers as on the command line.

use crawl_e2e::{Setup, Tab, crawlscope, scenario};
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
        tab.press("Run").await?;
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
        tab.press("Run").await?;
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

/// Figure 1 of Wen & Lu 2004: changed, read by pointer and by keyboard, and the same numbers as on the
/// command line.
#[test]
fn a_figure_is_played_with() {
    scenario("figure", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("").await?;
        tab.wait_until_beyond(0).await?;
        tab.press("Claims").await?;
        tab.wait_for("#claims-document option").await?;
        choose(tab, "#claims-document", "C").await?;
        tab.wait_for_text(".live .report", "hold the exact mean").await?;
        tab.accessible().await?;

        tab.eval("document.querySelector('#figure-1-visits').focus()").await?;
        tab.fill("#figure-1-visits", "20").await?;
        tab.key("Tab").await?;
        tab.wait_for_text(".live svg.wide", "after 20 visits").await?;
        choose(tab, "#figure-1-intervals", "irregular").await?;
        tab.wait_for_text(".live .note", "take turns").await?;
        tab.click("#figure-1-likelihood").await?;
        tab.wait_for_text(".live svg.wide", "likeliest").await?;
        tab.wait_for_text(".live .note", "hold the exact mean").await?;
        let spec = "figure-1(likelihood:true,visits:20,intervals:irregular)";
        let printed = crawlscope(&["reproduce", "C", "--figure", spec, "--json"])?;
        let (line, place) = (&printed["lines"][2], 5);
        let number = |value: &Value| format!("{:.3}", value.as_f64().unwrap_or_default());
        let cell = &line["points"][place]["cell"];
        let (mean, half) = (number(&cell["mean"]), number(&cell["half_width"]));
        let read = format!("simulated {mean} ± {half}");
        let strip = format!(".live svg.wide .strip:nth-of-type({})", place + 1);
        let label = tab.attribute(&strip, "aria-label").await?.unwrap_or_default();
        assert!(label.contains(&read), "{label} lacks {read}");

        // By pointer, then by the arrows: only what is read is seen.
        let seen = format!("getComputedStyle(document.querySelector('{strip} > g')).visibility");
        assert_eq!(tab.eval(&seen).await?, "hidden");
        tab.hover(&format!("{strip} > rect")).await?;
        tab.wait_for_true(&format!("{seen} === 'visible'")).await?;
        tab.hover("h2").await?;
        tab.eval("document.querySelector('.live svg.wide .strip').focus()").await?;
        for _ in 0..place {
            tab.key("ArrowRight").await?;
        }
        tab.wait_for_true(&format!("{seen} === 'visible'")).await?;
        let focused = "document.activeElement.getAttribute('aria-label')";
        assert_eq!(tab.eval(focused).await?, label.as_str());

        // The address and the link beside it hold what was changed, and show it again.
        let linked = tab.eval("document.querySelector('#figure-1-link').value").await?;
        assert!(linked.as_str().is_some_and(|link| link.contains(&format!("&figure={spec}"))));
        assert!(tab.address().await?.as_str().ends_with(&format!("&figure={spec}")));
        tab.open("about:blank").await?;
        tab.open(linked.as_str().unwrap_or_default()).await?;
        tab.wait_for_text(".live .note", "hold the exact mean").await?;
        assert_eq!(tab.eval("document.querySelector('#claims-document').value").await?, "C");
        assert_eq!(tab.eval("document.querySelector('#figure-1-visits').value").await?, "20");
        assert_eq!(tab.attribute(&strip, "aria-label").await?.as_deref(), Some(&*label));

        // Nothing to draw: that is said, and not the end of it.
        for estimator in ["naive", "bias-reduced", "likelihood"] {
            tab.click(&format!("#figure-1-{estimator}")).await?;
        }
        tab.wait_for_text(".live .fault", "no estimator is chosen").await?;
        tab.click("#figure-1-bayesian").await?;
        tab.wait_for_text(".live .note", "prior").await
    });
}

async fn choose(tab: &Tab, css: &str, value: &str) -> anyhow::Result<()> {
    let choose = format!(
        "(() => {{
            const list = document.querySelector('{css}');
            list.value = '{value}';
            list.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()"
    );
    tab.eval(&choose).await?;
    Ok(())
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
        choose(tab, "#ranker-1", "rl-rank").await?;
        tab.wait_for_text(".report", "The best by rl-rank").await?;
        let printed = crawlscope(&["rank", "campus", "--against", "rl-rank", "--json"])?;
        let tau = printed["against"]["tau"].as_f64().expect("τ");
        tab.wait_for_text(".report .numbers td", &format!("{tau:.3}")).await?;
        let best = printed["best"][0]["url"].as_str().expect("a page");
        tab.wait_for_text(".report .url", best).await
    });
}
