//! Why a page stands where it does: the numbers shown make the score, and lanes part where they say.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};
use serde_json::Value;

const LINK: &str =
    "#v=1&world=campus&run=opic,pagerank(every:40),breadth-first,backlink-count&budget=200";

/// Every formula on screen: what is written, the numbers under it, and its result.
const FORMULAS: &str = "[...document.querySelectorAll('.inspector .formula.worked')].map((e) => ({
    written: e.querySelector('.terms')?.textContent ?? '',
    parts: [...(e.nextElementSibling?.querySelectorAll(':scope > li > .part > .number') ?? [])]
        .map((part) => [Number(part.dataset.value), part.textContent]),
    result: Number(e.querySelector('.result').dataset.value),
    shown: e.querySelector('.result').textContent,
}))";

/// Checks one formula as a reader would: what is written are the parts, and they make the result.
fn check(formula: &Value) -> Result<()> {
    let written = formula["written"].as_str().context("what is written")?;
    let parts: Vec<(f64, String)> = serde_json::from_value(formula["parts"].clone())?;
    let result = formula["result"].as_f64().context("a result")?;
    if parts.is_empty() {
        assert_eq!(written, "", "numbers from nowhere: {formula}");
        return Ok(());
    }
    // An only part is not written twice.
    if written.is_empty() && parts.len() == 1 {
        assert_eq!(parts[0].0, result, "{formula}");
        return Ok(());
    }
    let mut rest = written;
    for (_, text) in &parts {
        let (_, after) = rest.split_once(text.as_str()).with_context(|| formula.to_string())?;
        rest = after;
    }
    let values = parts.iter().map(|part| part.0);
    let made = if written.starts_with("max(") {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else if written.starts_with("min(") {
        values.fold(f64::INFINITY, f64::min)
    } else if parts.len() == 1 {
        if written == parts[0].1 { parts[0].0 } else { -parts[0].0 }
    } else if written.contains(" × ") {
        values.product()
    } else if written.contains(" ÷ ") {
        parts[0].0 / parts[1].0
    } else if written.contains(" − ") {
        parts[0].0 - values.skip(1).sum::<f64>()
    } else {
        values.sum()
    };
    assert!((made - result).abs() <= 1e-9 * result.abs().max(1e-9), "{made}: {formula}");
    Ok(())
}

/// Opens every part of a part, and checks all formulas; says how many there were.
async fn check_all(tab: &Tab) -> Result<usize> {
    for _ in 0..8 {
        let folded = ".inspector .fold[aria-expanded=false]";
        if tab.count(folded).await? == 0 {
            break;
        }
        tab.click(folded).await?;
    }
    let formulas = tab.eval(FORMULAS).await?;
    let formulas = formulas.as_array().context("formulas")?;
    formulas.iter().try_for_each(check)?;
    Ok(formulas.len())
}

#[test]
fn what_is_shown_makes_the_score() {
    scenario("why", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(&format!("{LINK}&at=110")).await?;
        tab.wait_for_step(110).await?;
        tab.wait_until_settled().await?;
        for lane in 1..=4 {
            for row in [1, 4] {
                let row = format!(".lane:nth-of-type({lane}) .row-{row}");
                let score = tab.text(&format!("{row} .score")).await?;
                let url = tab.attribute(&format!("{row} button"), "title").await?.context("URL")?;
                tab.click(&format!("{row} button")).await?;
                tab.wait_for_text(".inspector .page-url", &url).await?;
                tab.wait_for(&format!("{row}.is-chosen")).await?;
                let result = tab.text(".inspector .formula.worked .result").await?;
                assert_eq!(result, score, "{url}");
                assert!(check_all(tab).await? > 0);
            }
            tab.accessible().await?;
        }
        Ok(())
    });
}

#[test]
fn lanes_part_where_they_say() {
    scenario("first divergence", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        tab.download_to(folder.path()).await?;
        // No host has its visitors wait, so the best URL is always the next.
        tab.open_and_run(&format!("{LINK}&robots=false")).await?;
        let order = tab.export(folder.path(), "Fetch orders as JSON", "order.json").await?;
        let order: Value = serde_json::from_slice(&order)?;
        let urls =
            |lane: usize| order["runs"][lane]["order"].as_array().cloned().unwrap_or_default();
        let first = |a: usize, b: usize| urls(a).iter().zip(&urls(b)).position(|(a, b)| a != b);

        tab.key("1").await?;
        tab.press("Find divergence from Breadth-first").await?;
        let step = first(0, 2).context("they never part")?;
        tab.wait_for_step(step as u64).await?;
        tab.wait_until_settled().await?;
        let next = async |lane: usize| {
            let row = format!(".lane:nth-of-type({}) .row-1 button", lane + 1);
            tab.attribute(&row, "title").await.map(|title| title.map(Value::from))
        };
        assert_eq!(next(0).await?.as_ref(), urls(0).get(step));
        assert_eq!(next(2).await?.as_ref(), urls(2).get(step));
        let url = urls(0)[step].as_str().unwrap_or_default().to_owned();
        tab.wait_for_text(".inspector .page-url", &url).await?;
        // Both choices in words, and why the other was not made.
        tab.wait_for_text(".parted", &format!("At step {}, OPIC fetched", step + 1)).await?;
        tab.wait_for_text(".parted", "and Breadth-first fetched").await?;
        tab.wait_for_text(".parted", "In Breadth-first, ").await?;
        tab.wait_for_text(".parted", " was waiting, place ").await?;
        for lane in [1, 3] {
            let taken = tab.text(&format!(".lane:nth-of-type({lane}) .row-1 .url")).await?;
            tab.wait_for_text(".parted", &taken.replace('\n', "")).await?;
        }
        check_all(tab).await?;
        tab.accessible().await?;

        // The same from the mark on the scrubber, for the other lane.
        tab.key("End").await?;
        tab.wait_for_step(200).await?;
        let mark = ".scrubber .mark[title^='OPIC and Backlink']";
        let (x, y, width, height) = tab.place(mark).await?;
        tab.click_at(x + width / 2.0, y + height / 2.0).await?;
        tab.wait_for_step(first(0, 3).context("they never part")? as u64).await
    });
}
