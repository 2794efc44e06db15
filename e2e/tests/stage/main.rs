//! The stage under a mouse: pages are found, chosen and made seeds, and the picture is moved.

use anyhow::{Result, bail};
use crawl_e2e::{Media, Setup, Tab, scenario};

const LINK: &str = "#v=1&world=fica-figure-1&run=breadth-first,opic&at=4";

/// Opens the app and waits until the stage has come to rest.
async fn opened(tab: &Tab) -> Result<()> {
    tab.open_and_run(LINK).await?;
    tab.wait_for(".lanes[aria-busy=false]").await?;
    tab.wait_until_drawn().await
}

/// Clicks here and there in the first lane until something is there.
async fn click_until(tab: &Tab, css: &str) -> Result<()> {
    let (x, y, width, height) = tab.place(".lane:nth-of-type(1) .stage").await?;
    for row in 1..24 {
        for column in 1..36 {
            let at = (x + width * f64::from(column) / 36.0, y + height * f64::from(row) / 24.0);
            tab.click_at(at.0, at.1).await?;
            if tab.count(css).await? > 0 {
                return Ok(());
            }
        }
    }
    bail!("nowhere on the stage")
}

#[test]
fn a_page_is_chosen_by_a_click() {
    scenario("click on the stage", Setup::default(), async |scene| {
        let tab = &scene.tab;
        opened(tab).await?;
        assert_eq!(tab.count(".inspector").await?, 0);
        click_until(tab, ".inspector").await?;
        tab.wait_for_text(".inspector", "fica.example").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".inspector").await
    });
}

#[test]
fn a_page_under_the_mouse_says_what_it_is() {
    scenario("hover on the stage", Setup::default(), async |scene| {
        let tab = &scene.tab;
        opened(tab).await?;
        let (x, y, width, height) = tab.place(".lane:nth-of-type(1) .stage").await?;
        let places = (1..24).flat_map(|row| (1..36).map(move |column| (column, row)));
        for (column, row) in places {
            tab.hover_at(x + width * f64::from(column) / 36.0, y + height * f64::from(row) / 24.0)
                .await?;
            if tab.count(".lane:nth-of-type(1) .tip").await? > 0 {
                break;
            }
        }
        tab.wait_for_text(".tip .url", "/").await?;
        let words = tab.text(".tip .muted").await?;
        let said = ["fetched at step", "waiting", "not found yet"];
        assert!(said.iter().any(|said| words.starts_with(said)), "{words}");
        tab.hover(".brand").await?;
        tab.wait_until_gone(".tip").await
    });
}

#[test]
fn the_picture_follows_the_mouse_and_its_names_do_too() {
    scenario("drag on the stage", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        tab.download_to(folder.path()).await?;
        opened(tab).await?;
        let before = tab.shown_stage(folder.path()).await?;
        let names = "document.querySelector('.stage-labels').toDataURL()";
        let named = tab.eval(names).await?;
        let (x, y, width, height) = tab.place(".lane:nth-of-type(1) .stage").await?;
        let middle = (x + width / 2.0, y + height / 2.0);
        tab.drag(middle, (middle.0 + 60.0, middle.1 + 25.0)).await?;
        let after = tab.shown_stage(folder.path()).await?;
        assert_ne!(before, after, "the picture did not follow");
        tab.wait_for_true(&format!("{names} !== {named}")).await
    });
}

#[test]
fn the_space_bar_plays_while_presenting_and_escape_ends_it() {
    scenario("presenting", Setup::default(), async |scene| {
        let tab = &scene.tab;
        opened(tab).await?;
        tab.press("Present").await?;
        tab.wait_for(".app.presenting").await?;
        tab.key(" ").await?;
        tab.wait_until_beyond(5).await?;
        assert_eq!(tab.count(".app.presenting").await?, 1);
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".app.presenting").await
    });
}

#[test]
fn the_picture_follows_the_systems_colours_at_once() {
    scenario("dark while open", Setup::default(), async |scene| {
        let tab = &scene.tab;
        opened(tab).await?;
        let names = "document.querySelector('.stage-labels').toDataURL()";
        for dark in [true, false] {
            let named = tab.eval(names).await?;
            tab.prefer(Media { dark, reduced_motion: false }).await?;
            tab.wait_for_true(&format!("{names} !== {named}")).await?;
        }
        Ok(())
    });
}
