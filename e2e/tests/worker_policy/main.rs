//! The Content-Security-Policy of the page holds in the app's workers, where files from outside are
//! parsed: on our server, and on a static host that sends no policy.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use crawl_e2e::{Setup, StaticHost, Tab, copied, scenario};
use serde_json::Value;
use tempfile::TempDir;
use url::Url;

/// Put before the workers' script: tries on request to fetch an address, and tells what came of it.
const TRIES: &str = "{
    const channel = new BroadcastChannel('try');
    const refused = [];
    addEventListener('securitypolicyviolation', (e) => {
        refused.push(`${e.effectiveDirective} ${e.blockedURI}`);
    });
    channel.onmessage = async ({ data: { address, outcome: answered } }) => {
        if (answered) return;
        let outcome;
        try {
            outcome = (await fetch(address)).status;
        } catch {
            // The event may come after the failure.
            while (refused.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
            outcome = refused.pop();
        }
        channel.postMessage({ address, outcome });
    };
}
";

/// A page without a policy.
const BARE: &str = "<!doctype html><title>Bare</title><link rel=icon href=data:,>";

/// A copy of the app whose workers try on request to fetch, and a page without a policy.
fn trying(app: &Path) -> Result<TempDir> {
    let copy = copied(app)?;
    fs::write(copy.path().join("bare.html"), BARE)?;
    for entry in fs::read_dir(copy.path())? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("worker-") && name.ends_with(".js") {
            let text = fs::read_to_string(&file)?;
            fs::write(&file, format!("{TRIES}{text}"))?;
        } else if name.starts_with("worker-") {
            // Compressed, as it was.
            fs::remove_file(file)?;
        }
    }
    Ok(copy)
}

/// What came of it in each of so many workers that try to fetch an address.
async fn tried(tab: &Tab, address: &Url, n_workers: usize) -> Result<Vec<Value>> {
    let ask = format!(
        "await new Promise((resolve) => {{
            const address = {:?};
            const channel = new BroadcastChannel('try');
            const answers = [];
            channel.onmessage = ({{ data }}) => {{
                if (data.outcome && data.address === address && answers.push(data) === {n_workers}) {{
                    channel.close();
                    resolve(answers);
                }}
            }};
            channel.postMessage({{ address }});
        }})",
        address.as_str(),
    );
    let answers = tab.eval(&ask).await?;
    let answers = answers.as_array().context("a list of answers")?;
    Ok(answers.iter().map(|one| one["outcome"].clone()).collect())
}

/// Tries with all workers of a link and of a first visit, from a page at `home`.
async fn workers_cannot_reach_out(tab: &Tab, home: &Url, app: &Path) -> Result<()> {
    let foreign = StaticHost::start(app).await?;
    // A page without a policy can.
    let elsewhere = StaticHost::start(app).await?;
    tab.open(elsewhere.address().join("bare.html")?.as_str()).await?;
    assert_eq!(
        tab.eval(&format!("(await fetch({:?})).status", foreign.address().as_str())).await?,
        200
    );
    assert_eq!(foreign.n_requests(), 1);

    tab.open(&format!("{home}#v=1&world=campus&run=opic,breadth-first&budget=60")).await?;
    tab.wait_for_runs().await?;
    stays_inside(tab, home, &foreign, 3).await?;
    tab.open("about:blank").await?;
    tab.open(home.as_str()).await?;
    tab.wait_until_beyond(0).await?;
    stays_inside(tab, home, &foreign, 5).await
}

/// Tries with the workers of the page that is open.
async fn stays_inside(tab: &Tab, home: &Url, foreign: &StaticHost, n_workers: usize) -> Result<()> {
    let before = foreign.n_requests();
    let refused = tried(tab, foreign.address(), n_workers).await?;
    for outcome in &refused {
        assert_eq!(*outcome, format!("connect-src {}", foreign.address()), "at {home}");
    }
    assert_eq!(foreign.n_requests(), before, "nothing reached the other host");
    for outcome in tried(tab, home, n_workers).await? {
        assert_eq!(outcome, 200, "at {home}");
    }
    // The browser tells of each refusal, and must not tell of anything else.
    for line in tab.console().await?.iter().filter(|line| line.is_bad()) {
        assert!(line.text.contains(foreign.address().as_str()), "{line}");
    }
    Ok(())
}

#[test]
fn workers_cannot_reach_other_hosts() {
    scenario("worker policy", Setup::default(), async |scene| {
        let app = trying(scene.folder())?;
        scene.app.start_again(app.path()).await?;
        workers_cannot_reach_out(&scene.tab, scene.app.address(), app.path()).await
    });
}

#[test]
fn workers_cannot_reach_other_hosts_where_no_header_is_sent() {
    scenario("worker policy, static host", Setup::default(), async |scene| {
        let app = trying(scene.folder())?;
        let host = StaticHost::start(app.path()).await?;
        workers_cannot_reach_out(&scene.tab, host.address(), app.path()).await
    });
}
