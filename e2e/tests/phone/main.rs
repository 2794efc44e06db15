//! A phone: everything fits, can be touched, and plays.

use anyhow::Result;
use crawl_e2e::{Media, Setup, Tab, scenario};
use serde_json::json;

const LINK: &str = "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=300";

/// Fails if the page can be scrolled sideways, or a control of the transport is cut or too small.
async fn fits(tab: &Tab) -> Result<()> {
    let wide = "[document.documentElement, document.body, document.querySelector('.app'),
            ...document.querySelectorAll('.dock, .transport, .legend, .lanes, .setup.open, .inspector, dialog')]
        .filter((e) => e !== null && e.scrollWidth > e.clientWidth)
        .map((e) => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`)";
    assert_eq!(tab.eval(wide).await?, json!([]), "wider than the screen");
    let cut = "[...document.querySelectorAll('.transport button, .transport select')]
        .map((e) => [e, e.getBoundingClientRect()])
        .filter(([, r]) => r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight
            || r.width < 24 || r.height < 24)
        .map(([e, r]) => `${e.outerHTML.slice(0, 60)} ${JSON.stringify(r)}`)";
    assert_eq!(tab.eval(cut).await?, json!([]), "cut or too small");
    // As wide as the longest of its words wants it.
    let whole = "(() => {
        const list = document.querySelector('.speed');
        const given = list.offsetWidth;
        [list.style.inlineSize, list.style.flex] = ['max-content', 'none'];
        const wanted = list.offsetWidth;
        [list.style.inlineSize, list.style.flex] = ['', ''];
        return given >= wanted;
    })()";
    assert_eq!(tab.eval(whole).await?, true, "speeds are cut");
    Ok(())
}

#[test]
fn it_fits_a_phone_and_plays_there() {
    let setup = Setup { window: (390, 844), ..Setup::default() };
    scenario("phone", setup, async |scene| {
        let tab = &scene.tab;
        tab.resize(390, 844).await?;
        tab.open_and_run(LINK).await?;
        fits(tab).await?;
        tab.accessible().await?;
        tab.click(".play").await?;
        tab.wait_until_beyond(10).await?;
        fits(tab).await?;
        tab.wait_until_drawn().await?;
        tab.click(".play").await?;
        tab.wait_until_settled().await?;

        tab.click(".lane:nth-of-type(1) .row-1 button").await?;
        tab.wait_for(".inspector .result").await?;
        fits_sideways_and_close(tab, ".inspector").await?;
        tab.press("Setup").await?;
        tab.wait_for(".setup.open").await?;
        fits_sideways_and_close(tab, ".setup.open").await?;
        tab.press("Share").await?;
        tab.wait_for("dialog").await?;
        fits_sideways_and_close(tab, "dialog").await?;
        tab.prefer(Media { dark: true, reduced_motion: false }).await?;
        tab.accessible().await?;
        fits(tab).await
    });
}

/// What lies over the screen fits, is accessible, and goes again.
async fn fits_sideways_and_close(tab: &Tab, css: &str) -> Result<()> {
    let (x, y, width, height) = tab.place(css).await?;
    assert!(x >= 0.0 && x + width <= 390.0, "{css}: {x} and {width} wide");
    assert!(y >= 0.0 && y + height <= 844.0, "{css}: {y} and {height} high");
    tab.accessible().await?;
    if css == ".setup.open" {
        tab.press("Setup").await?;
    } else {
        tab.key("Escape").await?;
    }
    tab.wait_until_gone(css).await
}

#[test]
fn nothing_lies_over_rows_or_pages() {
    for (width, height) in [(390, 844), (1024, 768), (1440, 900)] {
        let setup = Setup { window: (width, height), ..Setup::default() };
        scenario("nothing over rows or pages", setup, async |scene| {
            let tab = &scene.tab;
            tab.resize(width, height).await?;
            tab.open_and_run(&format!("{LINK}&at=60&fetchers=2&colour=score")).await?;
            tab.wait_until_settled().await?;
            clear_of_tools(tab).await?;
            tab.key("1").await?;
            tab.wait_for(".inspector .result").await?;
            clear_of_tools(tab).await?;
            tab.accessible().await
        });
    }
}

/// Fails if tools or legends cover a row of a frontier or a part of a stage.
async fn clear_of_tools(tab: &Tab) -> Result<()> {
    tab.wait_for(".value-legend").await?;
    let covered = "(() => {
        const box = (e) => e.getBoundingClientRect();
        const tools = [...document.querySelectorAll('.stage-tools > *, .readings > *')].map(box);
        const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        return [...document.querySelectorAll('.frontier, .stage')]
            .map((e) => [e, box(e)])
            .filter(([, lies]) => tools.some((tool) => meets(tool, lies)))
            .map(([e]) => `${e.className} of ${e.closest('.lane').getAttribute('aria-label')}`);
    })()";
    assert_eq!(tab.eval(covered).await?, json!([]), "tools or legends lie over these");
    Ok(())
}
