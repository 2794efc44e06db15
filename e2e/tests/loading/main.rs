//! The app loads from anywhere, and stays: under a sub-path, offline, and when it is renewed.

use anyhow::Result;
use crawl_e2e::{Scene, Setup, Tab, another_build, scenario};

const SUB_PATH: &str = "/lectures/2026/crawlscope/";

/// Opens the app and waits until it has taken the page over from its loading state.
async fn opened(tab: &Tab) -> Result<()> {
    tab.open("").await?;
    started(tab).await
}

async fn started(tab: &Tab) -> Result<()> {
    tab.wait_for("html[data-boot=started]").await?;
    tab.wait_until_gone(".boot").await
}

/// Waits until the service worker holds everything.
async fn kept(tab: &Tab) -> Result<()> {
    tab.wait_for_true("(await navigator.serviceWorker.getRegistration())?.active != null").await?;
    tab.wait_for_true("navigator.serviceWorker.controller != null").await
}

async fn loads(scene: &mut Scene) -> Result<()> {
    let tab = &scene.tab;
    opened(tab).await?;
    // Nothing came from elsewhere, and nothing that came can change under its name.
    let foreign = "performance.getEntriesByType('resource').map((r) => r.name)
        .filter((url) => !url.startsWith(new URL('./', document.baseURI).href))";
    assert_eq!(tab.eval(foreign).await?, serde_json::json!([]));
    let unhashed = "performance.getEntriesByType('resource').map((r) => r.name)
        .filter((url) => !/-[0-9a-f]{16}\\.\\w+$/.test(url) && !url.endsWith('/service-worker.js'))";
    assert_eq!(tab.eval(unhashed).await?, serde_json::json!([]));
    Ok(())
}

async fn survives_the_server(scene: &mut Scene) -> Result<()> {
    opened(&scene.tab).await?;
    kept(&scene.tab).await?;
    scene.app.stop().await?;
    scene.tab.reload().await?;
    started(&scene.tab).await?;
    scene.tab.wait_until_beyond(0).await?;
    let step = scene.tab.lane_steps().await?[0];
    scene.tab.wait_until_beyond(step).await?;
    // Another experiment, by another address, opens and plays as well.
    let link = "?from=lecture#v=1&world=shop&run=opic,depth-first&budget=100&embed=1";
    scene.tab.open_and_run(link).await?;
    scene.tab.key("Space").await?;
    scene.tab.wait_until_beyond(5).await
}

#[test]
fn it_loads_at_the_top() {
    scenario("loads at the top", Setup::default(), loads);
}

#[test]
fn it_loads_under_a_sub_path() {
    let setup = Setup { base: SUB_PATH, ..Setup::default() };
    scenario("loads under a sub-path", setup, loads);
}

#[test]
fn it_loads_with_the_server_stopped() {
    scenario("offline", Setup::default(), survives_the_server);
}

#[test]
fn it_loads_with_the_server_stopped_under_a_sub_path() {
    let setup = Setup { base: SUB_PATH, ..Setup::default() };
    scenario("offline under a sub-path", setup, survives_the_server);
}

#[test]
fn a_new_build_takes_over_whole_and_old_tabs_keep_theirs() {
    scenario("new build", Setup::default(), async |scene| {
        let build = "document.querySelector('meta[name=crawlscope-build]').content";
        let marked = "getComputedStyle(document.documentElement).getPropertyValue('--other-build')";
        let tab = &scene.tab;
        opened(tab).await?;
        kept(tab).await?;
        let old_build = tab.eval(build).await?;
        let old_tab = tab.handle().await?;

        let other = another_build(scene.folder())?;
        scene.app.start_again(other.path()).await?;
        // The first visit after a new build still shows the old one, whole, and fetches the new one.
        let tab = &scene.tab;
        tab.new_tab().await?;
        opened(tab).await?;
        assert_eq!(tab.eval(build).await?, old_build);
        assert_eq!(tab.eval(marked).await?, "");
        let n_caches = "(await caches.keys()).length";
        tab.eval("(await navigator.serviceWorker.getRegistration()).update().then(() => 0)")
            .await?;
        tab.wait_for_true(&format!("{n_caches} === 2")).await?;
        tab.wait_for_true("(await navigator.serviceWorker.getRegistration()).installing === null")
            .await?;
        // The next shows the new one, whole, and so it does without a server.
        scene.app.stop().await?;
        let tab = &scene.tab;
        tab.reload().await?;
        started(tab).await?;
        assert_eq!(tab.eval(build).await?, "0000000000000000");
        assert_eq!(tab.eval(marked).await?.as_str().map(str::trim), Some("1"));
        // The old tab's files are still there for it.
        tab.close_and_switch_to(&old_tab).await?;
        assert_eq!(tab.eval(build).await?, old_build);
        let own_files = "(await Promise.all([...document.querySelectorAll('link[href]')]
            .map((link) => fetch(link.href).then((r) => r.ok)))).every((ok) => ok)";
        assert_eq!(tab.eval(own_files).await?, true);
        Ok(())
    });
}
