//! Pages visited again: policies are chosen and compared, the timeline shows what they do, and every
//! visit says why.

use anyhow::{Context, Result};
use crawl_e2e::{Media, Setup, Tab, run_link, scenario};
use serde_json::{Value, json};

const TABLE: &str = "#v=1&world=refresh-table-1&run=breadth-first,opic";
const TWO: &str = "#v=1&world=refresh-table-1&run=breadth-first,opic\
    &revisit=uniform,optimal(knows:rates)&visits=12&axis=seconds";

/// The section of the set-up panel, and what is in it.
const SECTION: &str = "[...document.querySelectorAll('.setup section')]
    .find((e) => e.querySelector('h2')?.textContent === 'Revisits')";
/// The hidden table, row by row, without its heading.
const ROWS: &str = "[...document.querySelectorAll('.timeline table tr')].slice(1)
    .map((row) => [...row.cells].map((cell) => cell.textContent))";
/// What is in sight, as a screen reader hears it.
const IN_SIGHT: &str = "document.querySelector('.timeline-over').ariaLabel.split('. ').at(-1)";
/// A place in the page where a visit is drawn, found as a hand would: by looking under the pointer.
const A_VISIT: &str = "(async () => {
    const over = document.querySelector('.timeline-over');
    const { x, y, width, height } = over.getBoundingClientRect();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let down = height - 30; down > height / 3; down -= 9) {
        for (let along = width / 2; along < width - 30; along += 5) {
            over.dispatchEvent(new PointerEvent('pointermove',
                { clientX: x + along, clientY: y + down, bubbles: true, pointerId: 7 }));
            await frame();
            if (over.dataset.on === 'visit') { return [x + along, y + down]; }
        }
    }
    return null;
})()";

async fn set(tab: &Tab, css: &str, value: &str) -> Result<()> {
    let script = format!(
        "(() => {{ const e = document.querySelector({css:?}); e.value = {value:?};
            e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    );
    tab.wait_for(css).await?;
    tab.eval(&script).await.map(drop)
}

/// Picks a card of the dialog by its title.
async fn pick(tab: &Tab, title: &str) -> Result<()> {
    tab.wait_for("dialog .card").await?;
    let script = format!(
        "(() => {{
            const card = [...document.querySelectorAll('dialog .card')]
                .find((card) => card.querySelector('b').textContent === {title:?});
            card?.click();
            return card !== undefined;
        }})()"
    );
    tab.wait_for_true(&script).await.with_context(|| format!("a card `{title}`"))
}

async fn hash_has(tab: &Tab, part: &str) -> Result<()> {
    let decoded = format!("decodeURIComponent(location.hash).includes({part:?})");
    tab.wait_for_true(&decoded).await.with_context(|| format!("`{part}` in the address"))
}

async fn shared_link(tab: &Tab) -> Result<String> {
    tab.press("Share").await?;
    tab.wait_for("dialog #share-link").await?;
    let link = tab.eval("document.querySelector('#share-link').value").await?;
    tab.wait_for_true("document.activeElement.closest('dialog[open]') !== null").await?;
    tab.key("Escape").await?;
    tab.wait_until_gone("dialog").await?;
    Ok(link.as_str().context("a link")?.to_owned())
}

/// Opens a link that shows the timeline, which on a phone leaves no room for the chart, and waits until
/// every run is complete.
async fn open_with_timeline(tab: &Tab, link: &str) -> Result<()> {
    tab.open(link).await?;
    tab.wait_for(".timeline-over").await?;
    let ready = "document.querySelector('.lane-note') === null
        && document.querySelector('.scrubber')?.style.getPropertyValue('--ready') === '1.00000'";
    tab.wait_for_true(ready).await
}

/// Waits until the rows in sight are told in every lane.
async fn rows(tab: &Tab) -> Result<Vec<Vec<String>>> {
    tab.wait_for_true(&format!("{ROWS}.length > 0 && {ROWS}.every((row) => row[2] !== 'loading')"))
        .await?;
    Ok(serde_json::from_value(tab.eval(ROWS).await?)?)
}

#[test]
fn policies_are_chosen_and_compared() {
    scenario("policies", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(TABLE).await?;
        tab.press("Choose a policy").await?;
        tab.wait_for("dialog .card").await?;
        tab.accessible().await?;
        pick(tab, "Uniform").await?;
        hash_has(tab, "revisit=uniform").await?;
        tab.wait_for_runs().await?;
        // For a week, in which every policy visits again.
        hash_has(tab, "hours=168").await?;
        // Mean freshness against simulated days, and the budget.
        tab.wait_for_true("document.querySelector('.axis').value === 'seconds'").await?;
        tab.wait_for_true("document.querySelector('.metric').value === 'mean-freshness'").await?;
        tab.wait_for_text("#chart", "simulated days").await?;
        tab.wait_for_text(".balance .number", "100 visits per hour").await?;
        tab.accessible().await?;

        // One per lane, of which one is replaced.
        tab.press("One per lane").await?;
        hash_has(tab, "revisit=uniform,uniform").await?;
        let both = format!("{SECTION}.querySelectorAll('.strategy').length === 2");
        tab.wait_for_true(&both).await?;
        let second = format!("{SECTION}.querySelectorAll('.strategy')[1].click()");
        tab.eval(&second).await?;
        tab.press("Replace").await?;
        pick(tab, "Optimal").await?;
        hash_has(tab, "revisit=uniform,optimal").await?;
        tab.wait_for_runs().await?;
        let names = tab.texts(".lane-title .name").await?;
        assert!(names[0].contains("Uniform") && names[1].contains("Optimal"), "{names:?}");
        tab.accessible().await?;

        // New pages or old ones: the slider divides what both get.
        set(tab, ".balance input", "25").await?;
        hash_has(tab, "visits=50").await?;
        hash_has(tab, "new=150").await?;
        tab.wait_for_text(".balance .number", "50 visits per hour, 150 new pages").await?;
        tab.wait_for_runs().await?;
        // By keys too, which are the play-head's elsewhere.
        tab.eval("document.querySelector('.balance input').focus()").await?;
        tab.key("ArrowRight").await?;
        hash_has(tab, "visits=52").await?;
        tab.wait_for_runs().await?;

        // The same runs as on the command line, and in another tab.
        let link = shared_link(tab).await?;
        let digests = link.split_once("digest=").context("no digests in the link")?.1;
        let digests = digests.split('&').next().unwrap_or_default();
        let printed = run_link(&link)?;
        let runs = printed["runs"].as_array().context("runs")?;
        let native: Vec<&str> = runs.iter().filter_map(|run| run["digest"].as_str()).collect();
        assert_eq!(digests, native.join(","));
        assert!(native.len() == 2 && native[0] != native[1], "{native:?}");
        tab.new_tab().await?;
        tab.open(&link).await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;

        // All the way to the new ones, they come as they come.
        set(tab, ".balance input", "0").await?;
        tab.wait_for_text(".balance .number", "100 visits per hour, new pages unlimited").await?;
        // What cannot be used is refused in words, and the field shows what holds.
        let visits = "[...document.querySelectorAll('.rule')]\
            .find((e) => e.textContent.startsWith('Visits')).click()";
        tab.eval(visits).await?;
        tab.wait_for("#rule-visits").await?;
        set(tab, "#rule-visits", "-5").await?;
        tab.wait_for_text(".refused", "“-5” is invalid. Allowed: 0 to").await?;
        assert_eq!(tab.eval("document.querySelector('#rule-visits').value").await?, "100");
        tab.accessible().await?;

        // And back to none.
        tab.press("Stop revisits").await?;
        tab.wait_for_true("!location.hash.includes('revisit=')").await?;
        tab.wait_for_runs().await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn the_timeline_shows_visits_and_says_why() {
    scenario("timeline", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(TWO).await?;
        tab.key("End").await?;
        tab.wait_until_settled().await?;
        set(tab, "select.colour", "staleness").await?;
        tab.wait_for_text(".lane:nth-of-type(1) .value-legend", "staleness").await?;
        tab.press("Timeline").await?;
        hash_has(tab, "timeline=rate").await?;
        let shown = rows(tab).await?;
        // Eleven pages in two lanes, the one that changes most first; the last never changes, and the
        // optimum does not come back for it.
        assert_eq!(shown.len(), 22, "{shown:?}");
        assert!(shown[0][0].ends_with("P5") && shown[1][0].ends_with("P5"), "{shown:?}");
        let n_visits = |row: usize| shown[row][2].parse::<u32>();
        assert!(n_visits(1)? > n_visits(0)?, "{shown:?}");
        assert!(n_visits(20)? > 20 && n_visits(21)? == 1, "{shown:?}");
        assert!(shown.iter().all(|row| row[4].ends_with('%')), "{shown:?}");
        tab.accessible().await?;
        tab.screenshot("revisits-timeline").await?;

        // Another order is in the link.
        set(tab, ".timeline select[aria-label='Group pages']", "by class").await?;
        hash_has(tab, "timeline=rate,class").await?;
        rows(tab).await?;

        // A click on a visit: why then.
        let place: Option<(f64, f64)> = serde_json::from_value(tab.eval(A_VISIT).await?)?;
        let (x, y) = place.context("no visit is drawn")?;
        tab.hover_at(x, y).await?;
        tab.wait_for_text(".timeline-tip", "Click for the reason").await?;
        tab.click_at(x, y).await?;
        tab.wait_for_text(".inspector h3", "Reason for this visit").await?;
        tab.wait_for_text(".inspector b", "Visit at ").await?;
        tab.wait_for_text(".inspector", "hours wanted").await?;
        let value = "Number(document.querySelector('.inspector .formula.worked .result')
            .dataset.value)";
        let urgency = tab.eval(value).await?.as_f64().context("a number")?;
        assert!((0.99..1.2).contains(&urgency), "{urgency}");
        tab.accessible().await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".inspector").await?;

        // One page alone, and all again; nearer, and all of the run again.
        let n_rows = rows(tab).await?.len();
        tab.press("One page").await?;
        tab.wait_for_true("document.querySelector('.timeline [aria-pressed=true]') !== null")
            .await?;
        tab.wait_for_true(&format!("{ROWS}.length === 2")).await?;
        tab.accessible().await?;
        tab.press("One page").await?;
        tab.wait_for_true(&format!("{ROWS}.length === {n_rows}")).await?;
        let all = tab.eval(IN_SIGHT).await?;
        tab.click(".timeline [aria-label='Zoom in']").await?;
        tab.wait_until("it is nearer", async || Ok(tab.eval(IN_SIGHT).await? != all)).await?;
        tab.click(".timeline-fit").await?;
        tab.wait_until("all is in sight", async || Ok(tab.eval(IN_SIGHT).await? == all)).await?;

        // Forwards, back and anywhere, with the timeline open.
        tab.key("Home").await?;
        tab.wait_for_step(0).await?;
        tab.key("PageDown").await?;
        tab.wait_until_beyond(0).await?;
        tab.wait_until_settled().await?;
        let before = tab.lane_steps().await?;
        let shown_before: Value = tab.shown().await?;
        tab.key("ArrowRight").await?;
        tab.wait_until("a step", async || Ok(tab.lane_steps().await? != before)).await?;
        tab.key("ArrowLeft").await?;
        tab.wait_until("a step back", async || Ok(tab.lane_steps().await? == before)).await?;
        assert_eq!(tab.shown().await?, shown_before);
        rows(tab).await?;

        // The link brings another tab there.
        let link = shared_link(tab).await?;
        assert!(link.contains("timeline=rate,class"), "{link}");
        let first = tab.handle().await?;
        let shown = rows(tab).await?;
        tab.new_tab().await?;
        open_with_timeline(tab, &link).await?;
        tab.wait_for_text(".badge.good", "reproduced").await?;
        tab.wait_for_true(&format!("{ROWS}.length === {}", shown.len())).await?;
        let there = rows(tab).await?;
        tab.close_and_switch_to(&first).await?;
        tab.wait_until("the same rows", async || Ok(rows(tab).await? == there)).await?;
        tab.press("Close the timeline").await?;
        tab.wait_until_gone(".timeline").await?;
        tab.wait_for_true("!location.hash.includes('timeline=')").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn the_timeline_goes_by_keys_alone_and_without_motion() {
    scenario("timeline by keys", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.prefer(Media { dark: true, reduced_motion: true }).await?;
        tab.open_and_run(TWO).await?;
        tab.key("End").await?;
        tab.eval(
            "[...document.querySelectorAll('button.tool')]
                .find((e) => e.textContent === 'Timeline').focus()",
        )
        .await?;
        tab.key("Enter").await?;
        // Its rows have the focus at once.
        tab.wait_for_true("document.activeElement.matches('.timeline-over')").await?;
        rows(tab).await?;
        tab.accessible().await?;
        let all = tab.eval(IN_SIGHT).await?;
        tab.key("+").await?;
        tab.wait_until("it is nearer", async || Ok(tab.eval(IN_SIGHT).await? != all)).await?;
        tab.key("0").await?;
        tab.wait_until("all is in sight", async || Ok(tab.eval(IN_SIGHT).await? == all)).await?;
        // Later and earlier in time, and as many rows on as are in sight.
        tab.key("+").await?;
        tab.wait_until("it is nearer", async || Ok(tab.eval(IN_SIGHT).await? != all)).await?;
        let near = tab.eval(IN_SIGHT).await?;
        tab.key("Shift+ArrowLeft").await?;
        tab.wait_until("it is earlier", async || Ok(tab.eval(IN_SIGHT).await? != near)).await?;
        tab.key("0").await?;
        tab.wait_until("all is in sight", async || Ok(tab.eval(IN_SIGHT).await? == all)).await?;
        tab.key("Shift+ArrowDown").await?;
        tab.key("Shift+ArrowUp").await?;
        tab.key("ArrowDown").await?;
        tab.key("Enter").await?;
        tab.wait_for_text(".inspector", "hours wanted").await?;
        let moving = "document.getAnimations()
            .filter((a) => a.effect.getComputedTiming().activeDuration > 0).length";
        assert_eq!(tab.eval(moving).await?, 0);
        // What was opened last closes first.
        tab.key("Escape").await?;
        tab.wait_until_gone(".inspector").await?;
        tab.key("Escape").await?;
        tab.wait_until_gone(".timeline").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn the_budget_is_always_on_screen_and_nothing_says_what_to_do() {
    let setup = Setup { window: (390, 844), ..Setup::default() };
    scenario("budget", setup, async |scene| {
        let tab = &scene.tab;
        tab.resize(390, 844).await?;
        // Whole, on the stage as in the timeline.
        let whole = "(() => {
            const [budget, speed] = ['.place-now .budget', '.speed']
                .map((css) => document.querySelector(css).getBoundingClientRect());
            const within = (box) => box.left >= 0 && box.right <= innerWidth
                && box.bottom <= innerHeight;
            return within(budget) && within(speed)
                && (budget.right <= speed.left || budget.top >= speed.bottom);
        })()";
        tab.open_and_run(TWO).await?;
        tab.wait_for_text(".place-now .budget", "12 visits per hour").await?;
        assert_eq!(tab.eval(whole).await?, true);
        open_with_timeline(tab, &format!("{TWO}&timeline=rate")).await?;
        tab.wait_for_text(".place-now .budget", "12 visits per hour").await?;
        assert_eq!(tab.eval(whole).await?, true);

        // Nothing may be visited: copies age to the end of the run.
        let none = TWO.replace("visits=12", "visits=0&hours=12");
        open_with_timeline(tab, &format!("{none}&timeline=rate")).await?;
        tab.key("End").await?;
        tab.wait_for_text(".timeline-head", "The budget is 0 visits per hour").await?;
        let shown = rows(tab).await?;
        assert!(tab.eval(IN_SIGHT).await?.to_string().contains("to 12:00:00"));
        // The scrubber goes as far.
        tab.wait_for_text(".place-now", "of 12:00:00").await?;
        assert!(shown.iter().all(|row| row[2] == "1"), "{shown:?}");
        assert!(shown.iter().any(|row| row[4] != "100\u{202f}%"), "{shown:?}");
        tab.accessible().await?;

        // No policy at all: one can be chosen from there.
        tab.open(&format!("{TABLE}&timeline=rate")).await?;
        tab.wait_for_text(".timeline-empty", "Every page is fetched once").await?;
        tab.click(".timeline-empty button").await?;
        pick(tab, "Uniform").await?;
        hash_has(tab, "revisit=uniform").await?;
        tab.wait_for_true("document.querySelector('.timeline-empty').hidden").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn links_with_odd_policies_say_what_is_wrong() {
    scenario("odd policies", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let three = "#v=1&world=refresh-table-1&run=breadth-first,opic,random";
        for (policies, said) in
            [("unifrom", "uniform"), ("uniform,optimal", "2"), ("uniform(every:3)", "every")]
        {
            tab.open("about:blank").await?;
            tab.open(&format!("{three}&revisit={policies}")).await?;
            tab.wait_for_text("main.page-state h1", "This link cannot be opened").await?;
            let error = tab.text(".page-state .error").await?;
            assert!(error.contains(said), "{policies}: {error}");
            tab.accessible().await?;
            tab.press("Open the valid part").await?;
            tab.wait_for_runs().await?;
            assert_eq!(tab.texts(".lane-title .name").await?.len(), 3);
        }
        Ok(())
    });
}

/// More visits than can be told apart: the rows say so, in all lanes alike, until one is near enough.
#[test]
fn too_many_visits_to_draw_are_said_in_words() {
    scenario("dense timeline", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let dense = TWO.replace("visits=12", "visits=1000&hours=12");
        open_with_timeline(tab, &format!("{dense}&timeline=rate")).await?;
        tab.key("End").await?;
        rows(tab).await?;
        let note = ".timeline-legend li:last-child";
        tab.wait_for_text(note, "zoom in for visits and changes").await?;
        tab.accessible().await?;
        let (x, y, width, height) = tab.place(".timeline-over").await?;
        tab.hover_at(x + width * 0.6, y + height - 16.0).await?;
        tab.wait_for_text(".timeline-tip", "Zoom in for visits and changes").await?;
        for _ in 0..6 {
            tab.click(".timeline-head [aria-label='Zoom in']").await?;
        }
        tab.wait_for_true(&format!("document.querySelector('{note}').hidden")).await?;
        assert_ne!(tab.eval(A_VISIT).await?, Value::Null);
        tab.console_is_quiet().await
    });
}

#[test]
fn a_phone_shows_the_timeline() {
    let setup = Setup { window: (390, 844), ..Setup::default() };
    scenario("timeline on a phone", setup, async |scene| {
        let tab = &scene.tab;
        tab.resize(390, 844).await?;
        open_with_timeline(tab, &format!("{TWO}&timeline=staleness,class")).await?;
        tab.key("End").await?;
        rows(tab).await?;
        let wide = "[document.documentElement, document.querySelector('.timeline')]
            .filter((e) => e.scrollWidth > e.clientWidth).length";
        assert_eq!(tab.eval(wide).await?, json!(0), "wider than the phone");
        let (_, _, width, height) = tab.place(".timeline-over").await?;
        assert!(width > 300.0 && height > 150.0, "{width} × {height}");
        tab.accessible().await?;
        tab.press("Close the timeline").await?;
        tab.wait_until_gone(".timeline").await?;
        tab.console_is_quiet().await
    });
}

#[test]
fn the_timeline_opens_without_a_server() {
    scenario("timeline offline", Setup::default(), async |scene| {
        scene.tab.open_and_run(TWO).await?;
        let kept = "(await navigator.serviceWorker.getRegistration())?.active != null
            && navigator.serviceWorker.controller != null";
        scene.tab.wait_for_true(kept).await?;
        scene.app.stop().await?;
        // Nobody has opened it before.
        let tab = &scene.tab;
        tab.reload().await?;
        tab.wait_for_runs().await?;
        tab.key("End").await?;
        tab.press("Timeline").await?;
        rows(tab).await?;
        tab.console_is_quiet().await
    });
}
