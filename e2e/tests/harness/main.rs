//! The harness itself: what goes wrong in a page is noticed, and nothing is left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use crawl_e2e::{Media, Scene, Setup, scenario};
use tempfile::TempDir;

const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>A page</title>\
    <link rel=icon href=data:,>
    <main><h1>A page</h1><input aria-label=name><p id=said>nothing</p></main>
    <script src=page.js></script>";

/// A page whose script and worker are these.
fn site(script: &str, worker: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("index.html", PAGE), ("page.js", script), ("worker.js", worker)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn setup(folder: &Path) -> Setup {
    Setup { folder: Some(folder.to_path_buf()), ..Setup::default() }
}

/// What a scenario that must fail says; nothing where there is no browser.
fn failure(setup: Setup, play: impl AsyncFnOnce(&mut Scene) -> Result<()>) -> Option<String> {
    let played = catch_unwind(AssertUnwindSafe(|| scenario("failing", setup, play)));
    played.err().map(|panic| panic.downcast_ref::<String>().unwrap().clone())
}

fn has_browser() -> bool {
    let folder = site("", "");
    let mut ran = false;
    scenario("is there a browser", setup(folder.path()), async |_| {
        ran = true;
        Ok(())
    });
    ran
}

#[test]
fn trouble_in_a_page_or_its_worker_is_noticed() {
    let start = "new Worker('worker.js', { type: 'module' })";
    let troubles = [
        ("console.error('trouble')", ""),
        ("console.warn('trouble')", ""),
        ("throw new Error('trouble')", ""),
        ("Promise.reject(new Error('trouble'))", ""),
        ("fetch('trouble.bin')", ""),
        (start, "throw new Error('trouble')"),
        (start, "console.error('trouble')"),
        (start, "Promise.reject(new Error('trouble'))"),
    ];
    let quiet = site("", "");
    scenario("trouble", setup(quiet.path()), async |scene| {
        for (script, worker) in troubles {
            let folder = site(script, worker);
            scene.app.start_again(folder.path()).await?;
            scene.tab.open("").await?;
            let mut heard = Vec::new();
            // As often as it takes: how long a page takes to get into trouble is the machine's.
            for _ in 0..1200 {
                heard.extend(scene.tab.console().await?);
                if !heard.is_empty() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            let noticed = heard.iter().any(|line| line.is_bad() && line.text.contains("trouble"));
            assert!(noticed, "{script} {worker}: {heard:?}");
        }
        Ok(())
    });
}

#[test]
fn trouble_fails_a_scenario() {
    if !has_browser() {
        return;
    }
    let folder = site("console.warn('trouble')", "");
    let said = failure(setup(folder.path()), async |scene| scene.tab.open("").await);
    let said = said.unwrap_or_default();
    assert!(said.contains("has warnings or errors") && said.contains("trouble"), "{said}");
}

#[test]
fn a_scenario_that_panics_or_hangs_ends_and_leaves_nothing_behind() {
    if !has_browser() {
        return;
    }
    let folder = site("", "");
    let panicked = failure(setup(folder.path()), async |scene| {
        scene.tab.open("").await?;
        panic!("of its own accord");
    });
    assert!(panicked.unwrap().contains("of its own accord"));
    let short = Setup { within: Duration::from_secs(2), ..setup(folder.path()) };
    let hung = failure(short, async |scene| scene.tab.wait_for("#never").await.map(drop));
    assert!(hung.unwrap().contains("not finished within 2 s"));
}

#[test]
fn hands_and_eyes_work() {
    let script = "document.querySelector('input').addEventListener('keydown', (e) => {
            said.textContent = [e.shiftKey ? 'Shift' : '', e.key].join(' ').trim();
        });
        addEventListener('mousemove', (e) => { said.dataset.at = `${e.clientX},${e.clientY}`; });";
    let folder = site(script, "");
    scenario("hands and eyes", setup(folder.path()), async |scene| {
        let tab = &scene.tab;
        tab.resize(390, 844).await?;
        tab.prefer(Media { dark: true, reduced_motion: true }).await?;
        tab.open("").await?;
        assert_eq!(tab.eval("[innerWidth, innerHeight]").await?, serde_json::json!([390, 844]));
        let prefers =
            "matchMedia('(prefers-color-scheme: dark) and (prefers-reduced-motion)').matches";
        assert_eq!(tab.eval(prefers).await?, true);
        tab.click("input").await?;
        tab.key("ArrowRight").await?;
        tab.wait_for_text("#said", "ArrowRight").await?;
        tab.key("Shift+x").await?;
        tab.wait_for_text("#said", "Shift").await?;
        tab.fill("input", "new").await?;
        assert_eq!(tab.eval("document.querySelector('input').value").await?, "new");
        tab.hover_at(20.0, 30.0).await?;
        assert_eq!(tab.attribute("#said", "data-at").await?.as_deref(), Some("20,30"));
        assert_eq!(tab.eval("await Promise.resolve(7)").await?, 7);
        assert_eq!(tab.texts("h1").await?, ["A page"]);

        let first = tab.handle().await?;
        tab.new_tab().await?;
        tab.open("#two").await?;
        assert_eq!(tab.address().await?.fragment(), Some("two"));
        tab.close_and_switch_to(&first).await?;
        assert_eq!(tab.address().await?.fragment(), None);

        tab.accessible().await?;
        tab.eval("document.querySelector('input').removeAttribute('aria-label')").await?;
        if std::env::var_os("CRAWLSCOPE_AXE").is_some() {
            let violations = tab.violations().await?;
            assert!(violations.iter().any(|violation| violation.rule == "label"), "{violations:?}");
        }
        Ok(())
    });
}
