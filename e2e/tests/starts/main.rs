//! Crawls start at the best pages by a ranker: all lanes are oracles then, the link says so, and the
//! command line does the same.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, run_link, scenario};

const LINK: &str = "#v=1&world=campus&run=breadth-first,distance-rank&budget=60";

/// Fills a field in as a person does, and leaves it.
async fn enter(tab: &Tab, css: &str, text: &str) -> Result<()> {
    tab.fill(css, text).await?;
    tab.key("Tab").await
}

#[test]
fn crawls_start_at_the_best_pages() {
    scenario("starts", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(LINK).await?;
        assert_eq!(tab.count(".lane .tag").await?, 0);
        tab.press("Seeds").await?;
        enter(tab, "#best-k", "4").await?;
        tab.wait_for_true("location.hash.includes('seeds=top(pagerank,4)')").await?;
        let choose = "(() => {
            const list = document.querySelector('#best-by');
            list.value = 'rl-rank';
            list.dispatchEvent(new Event('change', { bubbles: true }));
        })()";
        tab.eval(choose).await?;
        tab.wait_for_true("location.hash.includes('seeds=top(rl-rank,4)')").await?;
        tab.wait_for_true("document.querySelectorAll('dialog .seed-list li').length === 4").await?;
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_text(".setup", "starts from the top 4 pages by RL-Rank").await?;
        tab.wait_for_true("document.querySelectorAll('.lane .tag').length === 2").await?;

        let address = tab.address().await?;
        let link = format!("#{}", address.fragment().context("a link")?);
        let printed = run_link(&link)?;
        let runs = printed["runs"].as_array().context("runs")?;
        assert!(runs.iter().all(|run| run["oracle"] == true), "{printed}");

        // Each ordering at the best by its own ranker.
        tab.press("Seeds").await?;
        tab.eval(&choose.replace("rl-rank", "own")).await?;
        tab.wait_for_true("location.hash.includes('seeds=top(own,4)')").await?;
        tab.wait_for_true("document.querySelectorAll('dialog .seed-list li').length === 0").await?;
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_text(".setup", "top 4 pages by each strategy's own ranker").await?;
        let starts = "[...document.querySelectorAll('.lane')].map((lane) => lane.querySelector('.row button')?.title)";
        tab.key("Home").await?;
        tab.wait_for_step(0).await?;
        tab.wait_until_settled().await?;
        let starts = tab.eval(starts).await?;
        assert_ne!(starts[0], starts[1], "PageRank's best is not DistanceRank's here");

        // More than there are: said where it was typed, and the runs stay.
        tab.press("Seeds").await?;
        enter(tab, "#best-k", "1500").await?;
        tab.wait_for_text("#best-help", "At most 1000 top pages").await?;
        tab.wait_for_true("!location.hash.includes('1500')").await?;
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_runs().await?;
        assert_eq!(tab.count(".lane .lane-note").await?, 0, "no run stopped");

        // And back to the world's own.
        tab.press("Seeds").await?;
        enter(tab, "#best-k", "0").await?;
        tab.wait_for_true("!location.hash.includes('seeds=')").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone("dialog").await?;
        tab.wait_for_runs().await?;
        tab.wait_for_true("document.querySelectorAll('.lane .tag').length === 0").await
    });
}
