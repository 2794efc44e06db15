//! An ordering that a person types: it runs, is explained, is shared; what is wrong is said where it
//! was typed and stops nothing.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, run_link, scenario};

const LINK: &str = "#v=1&world=campus&run=opic,formula&budget=150";
const FIELD: &str = "#strategy-1-of";
const SHOWN: &str = ".lane:nth-of-type(2) .lane-title .name";

/// Opens the editor of the second lane's formula.
async fn open_editor(tab: &Tab) -> Result<()> {
    tab.open_and_run(LINK).await?;
    tab.click(".strategies li:nth-of-type(2) .strategy").await?;
    tab.wait_for(FIELD).await?;
    tab.wait_for_true(&value_is("backlinks / (1 + depth)")).await
}

fn value_is(text: &str) -> String {
    format!("document.querySelector({FIELD:?}).value === {text:?}")
}

/// Empties the field and types.
async fn retype(tab: &Tab, text: &str) -> Result<()> {
    tab.eval(&format!("document.querySelector({FIELD:?}).select()")).await?;
    tab.type_into(FIELD, text).await
}

/// The digests in a link.
fn digests(link: &str) -> Result<&str> {
    let digests = link.split_once("digest=").context("no digests in the link")?.1;
    Ok(digests.split('&').next().unwrap_or_default())
}

/// The link that is shared.
async fn shared(tab: &Tab) -> Result<String> {
    tab.press("Share").await?;
    tab.wait_for("dialog #share-link").await?;
    tab.wait_for_true("document.activeElement.closest('dialog') !== null").await?;
    let link = tab.eval("document.querySelector('#share-link').value").await?;
    tab.key("Escape").await?;
    tab.wait_until_gone("dialog").await?;
    Ok(link.as_str().context("a link")?.to_owned())
}

#[test]
fn a_formula_is_typed_and_runs() {
    scenario("formula", Setup::default(), async |scene| {
        let tab = &scene.tab;
        open_editor(tab).await?;
        tab.accessible().await?;
        retype(tab, "cash * 2 - d").await?;

        // Words are offered while one is begun, and taken by keyboard.
        tab.wait_for(&format!("{FIELD}[aria-expanded=true]")).await?;
        let offered = "[...document.querySelectorAll('.offers [role=option] code')]
            .map((e) => e.textContent).join() === 'depth,distance,discovered,digits'";
        tab.wait_for_true(offered).await?;
        tab.key("ArrowDown").await?;
        tab.wait_for_text(".offers [aria-selected=true] code", "depth").await?;
        tab.accessible().await?;
        tab.key("Enter").await?;
        tab.wait_until_gone(".offers").await?;
        tab.wait_for_true(&value_is("cash * 2 - depth")).await?;
        assert!(tab.text(SHOWN).await?.starts_with("Your own"), "nothing runs before it is asked");
        tab.key("Enter").await?;
        tab.wait_for_text(SHOWN, "cash * 2 - depth").await?;
        tab.wait_for_runs().await?;

        // And by the pointer.
        retype(tab, "lo").await?;
        tab.wait_for(".offers").await?;
        tab.click(".offers [role=option]:nth-of-type(1)").await?;
        tab.wait_for_true(&value_is("log(")).await?;
        tab.type_into(FIELD, "backlinks) - depth").await?;
        tab.key("Enter").await?;
        tab.wait_for_text(SHOWN, "log(backlinks) - depth").await?;
        tab.wait_for_runs().await?;

        // Every term is explained.
        tab.key("Tab").await?;
        tab.eval("document.activeElement.blur()").await?;
        tab.key("End").await?;
        tab.wait_for_step(150).await?;
        tab.wait_until_settled().await?;
        tab.click(".lane:nth-of-type(2) .row-1 button").await?;
        tab.wait_for_text(".inspector .formula.worked .of", "log(backlinks) - depth").await?;
        let parts = ".inspector .parts > li > .part > :is(.fold, .part-label)";
        assert_eq!(tab.texts(parts).await?, ["log(backlinks)", "depth"]);
        tab.accessible().await?;

        // Another tab and the command line come to the same.
        let link = shared(tab).await?;
        let printed = run_link(&link)?;
        let runs = printed["runs"].as_array().context("runs")?;
        let native: Vec<&str> = runs.iter().filter_map(|run| run["digest"].as_str()).collect();
        assert_eq!(digests(&link)?, native.join(","));
        tab.new_tab().await?;
        tab.open(&link).await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn a_broken_formula_is_said_under_the_caret_and_stops_nothing() {
    scenario("broken formula", Setup::default(), async |scene| {
        let tab = &scene.tab;
        open_editor(tab).await?;
        let (link, name) = (shared(tab).await?, tab.text(SHOWN).await?);
        retype(tab, "backlinks / (1 + dpeth)").await?;
        tab.wait_for(&format!("{FIELD}[aria-invalid=true]")).await?;
        tab.wait_for_text(".fault .error", "did you mean 'depth'?").await?;
        let caret = tab.eval("document.querySelector('.fault .caret').textContent").await?;
        assert_eq!(caret, "backlinks / (1 + dpeth)\n                 ^");
        tab.accessible().await?;
        tab.key("Enter").await?;

        // The old run is there, and goes on.
        tab.key("Tab").await?;
        tab.eval("document.activeElement.blur()").await?;
        tab.key("Home").await?;
        tab.wait_for_step(0).await?;
        tab.key("ArrowRight").await?;
        tab.wait_for_step(1).await?;
        tab.key("End").await?;
        tab.wait_for_step(150).await?;
        assert_eq!(digests(&shared(tab).await?)?, digests(&link)?);
        assert_eq!(tab.text(SHOWN).await?, name);
        tab.wait_for_true(&value_is("backlinks / (1 + dpeth)")).await?;

        // However long or deep.
        for (text, said) in [("(".repeat(200), "nested brackets"), ("1+".repeat(1100), "longer")] {
            let fill = format!(
                "(() => {{ const field = document.querySelector({FIELD:?}); field.focus();
                    field.value = {text:?};
                    field.dispatchEvent(new InputEvent('input', {{ bubbles: true }})); }})()"
            );
            tab.eval(&fill).await?;
            tab.wait_for_text(".fault .error", said).await?;
        }
        retype(tab, "depth").await?;
        tab.wait_for(&format!("{FIELD}[aria-invalid=false]")).await?;
        tab.key("Enter").await?;
        tab.wait_for_text(SHOWN, "of 'depth'").await?;
        tab.wait_for_runs().await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn a_link_with_a_broken_formula_offers_the_rest() {
    scenario("broken formula in a link", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("#v=1&world=campus&run=opic,formula(of:'cash%20+')&budget=50").await?;
        tab.wait_for_text("main.page-state h1", "This link cannot be opened").await?;
        tab.wait_for_text(".page-state .error", "character 7: unexpected end").await?;
        let caret = tab.eval("document.querySelector('.caret').textContent").await?;
        assert_eq!(caret, "cash +\n      ^");
        tab.accessible().await?;
        tab.press("Open the valid part").await?;
        tab.wait_for_runs().await?;
        assert_eq!(tab.texts(".lane-title .name").await?, ["OPIC", "Your own"]);
        tab.console_is_quiet().await
    });
}
