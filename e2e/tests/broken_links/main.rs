//! Links that cannot be opened say what is wrong, and offer what can be.

use anyhow::Result;
use crawl_e2e::{Setup, Tab, scenario};

/// A link, the heading, a part of what is said, and whether something of the link can be opened.
const BROKEN: [(&str, &str, &str, bool); 5] = [
    ("#v=1&world=campus&run=breadth-frist,opic&budget=50", CANNOT, "breadth-frist", true),
    (
        "#v=99&world=campus&run=opic&budget=50",
        "This link comes from a newer Crawlscope",
        "99",
        true,
    ),
    ("#v=1&world=campus&run=opic(keep:true&budget=50", CANNOT, "", true),
    ("#v=1&world=campus&run=opic&budget=-3", CANNOT, "budget", true),
    ("#lorem%20ipsum", CANNOT, "", false),
];
const CANNOT: &str = "This link cannot be opened";

/// The page has a stage on which something is drawn and played.
async fn works(tab: &Tab) -> Result<()> {
    tab.wait_for_runs().await?;
    tab.wait_until_drawn().await?;
    let before = tab.lane_steps().await?;
    tab.key("ArrowRight").await?;
    tab.wait_until_beyond(before[0]).await
}

#[test]
fn broken_links_say_what_is_wrong_and_what_can_be_opened() {
    scenario("broken links", Setup::default(), async |scene| {
        let tab = &scene.tab;
        for (link, heading, said, has_rest) in BROKEN {
            tab.open("about:blank").await?;
            tab.open(link).await?;
            tab.wait_for_text("main.page-state h1", heading).await?;
            let error = tab.text(".page-state .error").await?;
            assert!(error.len() > 10 && error.contains(said), "{link}: {error}");
            assert_eq!(tab.text(".broken-link").await?, link);
            tab.accessible().await?;

            tab.press("Open the first experiment").await?;
            tab.wait_for_text("h1.question", "Who finds the important pages first?").await?;
            tab.wait_until_beyond(0).await?;
            works(tab).await?;
            // The broken link is left behind in history, where back finds it.
            let address = tab.address().await?;
            assert_ne!(address.fragment().map(|f| format!("#{f}")).as_deref(), Some(link));
            tab.back().await?;
            tab.wait_for_text("main.page-state h1", heading).await?;
            let without = "Open the valid part";
            if has_rest {
                tab.press(without).await?;
                works(tab).await?;
                assert_eq!(tab.text(".world-name").await?, "Campus");
            } else {
                assert!(!tab.texts(".page-state button").await?.contains(&without.to_owned()));
            }
        }
        Ok(())
    });
}

/// Every text and accessible name of the page.
const TEXTS: &str = "[document.body.innerText, ...[...document.querySelectorAll('*')]
    .flatMap((e) => [e.title, e.ariaLabel])].join(' ')";

#[test]
fn long_and_hidden_characters_of_a_link_do_not_reach_the_page() {
    let key = format!("#v=1&world=campus&run=opic&{}=1", "k".repeat(200_000));
    let name = format!("{}\u{202e}gpj.{}", "n".repeat(100), "m".repeat(100));
    let digest = "0123456789abcdef0123456789abcdef";
    let file = format!("#v=1&world=file({digest},'{name}')&run=opic");
    scenario("long and hidden", Setup::default(), async |scene| {
        let tab = &scene.tab;
        for link in [&key, &file] {
            tab.open("about:blank").await?;
            tab.open(link).await?;
            tab.wait_for("main.page-state h1, .needed-files").await?;
            let texts = tab.eval(TEXTS).await?;
            let texts = texts.as_str().unwrap_or_default();
            assert!(!texts.contains('\u{202e}'), "a hidden character is shown");
            assert!(texts.len() < 10_000, "{} characters are shown", texts.len());
            let fits = "document.documentElement.scrollWidth <= innerWidth";
            assert_eq!(tab.eval(fits).await?, true, "wider than the window");
            tab.accessible().await?;
        }
        Ok(())
    });
}

#[test]
fn what_is_right_in_a_broken_link_is_kept() {
    scenario("rest of a broken link", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open("#v=1&world=nowhere&run=opic(keep:true)&budget=50&rng=3").await?;
        tab.wait_for_text("main.page-state .error", "nowhere").await?;
        tab.press("Open the valid part").await?;
        works(tab).await?;
        let names = tab.texts(".lane-title .name").await?;
        assert_eq!(names, ["OPIC (keep true)"]);
        tab.key("End").await?;
        tab.wait_for_step(50).await?;
        let link = tab.address().await?;
        assert!(link.fragment().unwrap_or_default().contains("rng=3"), "{link}");
        Ok(())
    });
}
