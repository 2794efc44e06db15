//! Focused crawling: a topic is chosen, typed or marked; the Web link graph is learnt before one's
//! eyes, and what it says of a waiting link makes the priority shown.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};
use serde_json::Value;

/// JLSE and two rivals in the shop, under the focused loop, with a graph learnt often.
const SHOP: &str = "#v=1&world=shop&topic=label&run=jlse(cf:20),anchor-text,breadth-first\
    &focus=topical&budget=800";
/// Example 1 of Zhang et al. 2010.
const EXAMPLE: &str = "#v=1&world=jlse-figure-2\
    &seeds='http://jlse.example/4','http://jlse.example/1'&topic=words(of:'3%206%2010')\
    &run=jlse(reward:100,cf:3)&at=10&graph=1";

/// The vertices of the drawing by name, with the number in each.
const VERTICES: &str = "Object.fromEntries([...document.querySelectorAll('[data-vertex]')]
    .map((e) => e.ariaLabel.split(': Q ')).filter((parts) => parts.length === 2))";

/// Every line of numbers on the way to a priority: what is written, and the result.
const LINES: &str = "[...document.querySelectorAll('.match-steps .formula.worked')].map((e) => [
    e.querySelector('.of').textContent, e.querySelector('.terms').textContent,
    Number(e.querySelector('.result').dataset.value), e.querySelector('.result').textContent])";

async fn set(tab: &Tab, css: &str, value: &str) -> Result<()> {
    let script = format!(
        "(() => {{ const e = document.querySelector({css:?}); e.value = {value:?};
            e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    );
    tab.wait_for(css).await?;
    tab.eval(&script).await.map(drop)
}

async fn vertices(tab: &Tab) -> Result<Value> {
    tab.eval(VERTICES).await
}

#[test]
fn values_run_back_from_the_targets_as_printed() {
    scenario("printed example", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(EXAMPLE).await?;
        tab.wait_for(".link-graph .vertex").await?;
        let printed = serde_json::json!({
            "1": "90", "2": "100", "4": "90", "5": "100", "7": "90", "8": "90", "9": "100",
        });
        assert_eq!(vertices(tab).await?, printed);
        assert_eq!(tab.count("[data-vertex].is-result rect").await?, 3);
        tab.wait_for_text(".sweep-said", "sweep 4 of 4").await?;
        tab.wait_for_text(".sweep-said", "have converged").await?;
        tab.accessible().await?;

        // Back to before the first, then sweep by sweep.
        tab.press("Go to sweep 0").await?;
        tab.wait_for_text(".sweep-said", "sweep 0 of 4").await?;
        assert!(vertices(tab).await?.as_object().context("vertices")?.values().all(|q| q == "0"));
        tab.press("One sweep forward").await?;
        tab.wait_for_text(".sweep-said", "3 vertices and 4 links got Q = 100").await?;
        assert_eq!(tab.count("[data-vertex].is-lit").await?, 3);
        assert_eq!(tab.count(".edge.is-lit.is-picked").await?, 3);
        tab.press("One sweep forward").await?;
        tab.wait_for_text(".sweep-said", "4 vertices and 4 links got Q = 90").await?;
        assert_eq!(vertices(tab).await?, printed);
        tab.press("One sweep back").await?;
        tab.wait_for_text(".sweep-said", "sweep 1 of 4").await?;
        assert_eq!(vertices(tab).await?["1"], "0");
        // Scrubbed by keys, which leave the crawl where it is.
        tab.eval("document.querySelector('.sweeps input').focus()").await?;
        tab.key("ArrowRight").await?;
        tab.wait_for_text(".sweep-said", "sweep 2 of 4").await?;
        assert_eq!(tab.step().await?, 10);
        // Played to the end.
        tab.press("Go to sweep 0").await?;
        tab.press("Play the sweeps").await?;
        tab.wait_for_text(".sweep-said", "sweep 4 of 4").await?;
        tab.wait_for(".sweep-play[aria-label='Play the sweeps']").await?;
        tab.wait_for_text(".sweeps", "click by click: 100 → 90 → 81 → 72.9").await?;

        // From vertex to vertex by keys: what each is, and the maximum that it picked.
        tab.eval("document.querySelector('.vertex[tabindex=\"0\"]').focus()").await?;
        for _ in 0..4 {
            tab.key("ArrowLeft").await?;
        }
        tab.key("ArrowRight").await?;
        tab.wait_for_text(".vertex-said h3", ") = ").await?;
        tab.wait_for_text(".vertex-said dd.url", "http://jlse.example/").await?;
        tab.hover("[data-vertex][aria-label^='7:'] circle").await?;
        tab.wait_for_text(".edge-sums .is-picked", "0 + 0.9 · 100 = 90").await?;
        tab.wait_for_text(".vertex-said", "2 clicks from a result: 100 · 0.9 = 90").await?;
        tab.accessible().await?;

        // Before the third result there is nothing, and it says what must happen first.
        tab.eval("document.activeElement.blur()").await?;
        tab.key("Home").await?;
        tab.wait_for_text(".graph-empty", "learnt at 3 results; 0 so far").await?;
        tab.accessible().await?;
        tab.key("End").await?;
        tab.wait_for(".link-graph .vertex").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".link-graph").await?;
        tab.wait_for_true("!location.hash.includes('graph=')").await?;
        tab.press("Link graph").await?;
        tab.wait_for(".link-graph .vertex").await?;
        tab.wait_for_true("location.hash.includes('graph=1')").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn hovered_numbers_make_the_priority() {
    scenario("link beside its vertex", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(&format!("{SHOP}&at=150&graph=1")).await?;
        tab.wait_for(".link-graph .vertex").await?;
        tab.accessible().await?;
        let mut n_matched = 0;
        for row in 1..=5 {
            let row = format!(".link-graph .row-{row}");
            let score = tab.text(&format!("{row} .score")).await?;
            let title = tab.attribute(&format!("{row} button"), "title").await?.context("URL")?;
            tab.hover(&format!("{row} button")).await?;
            let last = title.rsplit('/').next().unwrap_or_default().to_owned();
            tab.wait_for_text(".match-said .url", &last).await?;
            tab.wait_for(".match-steps .formula.worked").await?;
            let lines: Vec<(String, String, f64, String)> =
                serde_json::from_value(tab.eval(LINES).await?)?;
            let line = |name: &str| lines.iter().find(|line| line.0 == name);
            assert_eq!(line("priority").context("a priority")?.3, score, "{title}");
            let value = |name: &str| line(name).map(|line| line.2);
            // Every name that a line gives to a number is the value of that number's own line.
            let similarity = value("similarity of the link").context("a similarity")?;
            let share = value("its share").context("a share")?;
            let norm: f64 = {
                let terms = &line("its share").context("a share")?.1;
                terms.rsplit(" ÷ ").next().context("a norm")?.trim().parse()?
            };
            assert!((similarity / norm - share).abs() < 0.01 * share.abs().max(1e-6), "{lines:?}");
            if let (Some(predicted), Some(matched)) = (value("predicted"), value("match")) {
                n_matched += 1;
                let fields: f64 =
                    ["anchor", "URL", "context"].iter().filter_map(|field| value(field)).sum();
                assert!((fields - matched).abs() < 1e-9, "{lines:?}");
                assert!(predicted <= similarity + 1e-12, "{lines:?}");
                let own = similarity > predicted + 1e-12;
                let won = tab.text(".match-steps .won").await?;
                assert_eq!(won.contains("anchor"), own, "{lines:?}");
                assert!(
                    tab.count("[data-vertex].is-matched").await? == 1
                        || tab.text(".match-said").await?.contains("outside the drawing"),
                    "{title}"
                );
            }
        }
        assert!(n_matched > 0, "no waiting link was matched");
        tab.accessible().await?;
        // Chosen, it is the same in the inspector.
        let score = tab.text(".link-graph .row-1 .score").await?;
        tab.click(".link-graph .row-1 button").await?;
        tab.wait_for_text(".inspector .formula.worked .result", &score).await?;

        // The link brings another tab to the same graph.
        let shown = tab.text(".graph-head").await?;
        let link = tab.eval("location.hash").await?;
        let link = link.as_str().context("a link")?.to_owned();
        assert!(link.contains("graph=1") && link.contains("at=150"), "{link}");
        tab.new_tab().await?;
        tab.open_and_run(&link).await?;
        tab.wait_for(".link-graph .vertex").await?;
        assert_eq!(tab.text(".graph-head").await?, shown);
        tab.console_is_quiet().await
    });
}

#[test]
fn a_topic_comes_with_the_strategy_that_looks_for_one() {
    scenario("topic", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run("#v=1&world=shop&run=breadth-first&budget=200").await?;
        tab.press("Add a strategy").await?;
        tab.wait_for("dialog .card").await?;
        tab.eval(
            "[...document.querySelectorAll('dialog .card')]
                .find((card) => card.querySelector('b').textContent === 'JLSE').click()",
        )
        .await?;
        tab.wait_for_text(".topic-said", "Chosen because JLSE needs a topic").await?;
        tab.wait_for_text(".topic-said", "Learnt from another web").await?;
        tab.wait_for_runs().await?;
        let labels = tab.texts("#topic-label option").await?;
        for goods in ["phones", "cameras", "laptops"] {
            assert!(labels.iter().any(|label| label.contains(goods)), "{labels:?}");
        }
        tab.accessible().await?;
        set(tab, "#topic-label", "cameras").await?;
        tab.wait_for_true("location.hash.includes(\"topic=label(of:'cameras')\")").await?;
        tab.wait_for_text(".topic-said", "Learnt from another web").await?;
        assert!(!tab.text(".topic-said").await?.contains("Chosen because"));
        tab.wait_for_runs().await?;

        // A sentence goes through every step.
        tab.click(".words-of-text summary").await?;
        tab.type_into("#words-text", "The Cameras we reviewed").await?;
        tab.wait_for_text(".words-of-text tbody tr:nth-of-type(4)", "review").await?;
        let rows = tab.texts(".words-of-text tbody tr").await?;
        assert!(rows[0].contains("stop word"), "{rows:?}");
        assert!(rows[1].contains("Cameras") && rows[1].ends_with("camera"), "{rows:?}");
        tab.accessible().await?;

        // Marked pages: nothing is marked, so whoever looks for a topic waits; the rest runs.
        set(tab, "#topic", "marked").await?;
        tab.wait_for_text(".topic-said .error", "mark at least one target page").await?;
        tab.wait_for_true(
            "document.querySelectorAll('.lane')[0].querySelector('.lane-note') === null",
        )
        .await?;
        tab.wait_for_text(".lane:nth-of-type(2) .lane-note", "mark at least one target page")
            .await?;
        tab.accessible().await?;
        tab.wait_until_settled_in(1).await?;
        tab.click(".lane:nth-of-type(1) .row-3 button").await?;
        tab.wait_for(".inspector .marks").await?;
        tab.press("On topic").await?;
        tab.wait_for(".inspector .marks [aria-pressed=true]").await?;
        tab.wait_for_text(".topic-said", "marked pages of the crawled web").await?;
        tab.wait_for_runs().await?;
        assert_eq!(tab.count(".marked li").await?, 1);
        tab.accessible().await?;
        tab.click(".marked li button").await?;
        tab.wait_for_text(".topic-said .error", "mark at least one target page").await?;
        set(tab, "#topic", "").await?;
        tab.wait_for_true("!location.hash.includes('topic=')").await?;
        tab.wait_for_text(".topic .hint", "JLSE needs a topic").await?;
        tab.wait_for_runs().await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn a_phone_shows_the_graph() {
    let setup = Setup { window: (390, 844), ..Setup::default() };
    scenario("link graph on a phone", setup, async |scene| {
        let tab = &scene.tab;
        tab.resize(390, 844).await?;
        tab.open_and_run(&format!("{SHOP}&at=150&graph=1")).await?;
        tab.wait_for(".link-graph .vertex").await?;
        let wide = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(tab.eval(wide).await?, false, "the page is wider than the phone");
        tab.press("One sweep back").await?;
        tab.wait_for_text(".sweep-said", "sweep ").await?;
        tab.accessible().await?;
        tab.console_is_quiet().await
    });
}
