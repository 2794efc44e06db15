//! Four lanes stay in step while they play, on either clock.

use anyhow::{Context, Result};
use crawl_e2e::{Setup, Tab, scenario};

const LINK: &str = "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=300";
/// Moments looked at while it plays.
const LOOKS: usize = 40;

/// The play-head's place and each lane's step.
type Moment = (f64, Vec<usize>);

/// Looks at the screen in every frame while it plays, until so many moments have been seen. By pages
/// the scrubber rounds, so there the place is the number beside it.
async fn watch(tab: &Tab) -> Result<Vec<Moment>> {
    tab.click(".play").await?;
    let moments: Vec<Moment> = serde_json::from_value(
        tab.eval(&format!(
            "new Promise((done) => {{
                const by_pages = document.querySelector('.axis').value === 'pages';
                const place = () => by_pages
                    ? Number(document.querySelector('#step').textContent.replace(',', ''))
                    : Number(document.querySelector('.scrubber input').value);
                const steps = () =>
                    [...document.querySelectorAll('.stage')].map((e) => Number(e.dataset.step));
                const seen = [];
                const look = () => {{
                    if (place() !== seen.at(-1)?.[0]) {{ seen.push([place(), steps()]); }}
                    const plays = document.querySelector('.play').ariaLabel === 'Pause';
                    if (seen.length >= {LOOKS} || !plays) {{ done(seen); return; }}
                    requestAnimationFrame(look);
                }};
                look();
            }})"
        ))
        .await?,
    )?;
    assert!(moments.len() >= LOOKS / 4, "it hardly plays: {moments:?}");
    assert!(moments.windows(2).all(|pair| pair[0].0 < pair[1].0), "it leaps back: {moments:?}");
    Ok(moments)
}

#[test]
fn lanes_show_the_same_step_at_every_moment() {
    scenario("in step by pages", Setup::default(), async |scene| {
        let tab = &scene.tab;
        tab.open_and_run(&format!("{LINK}&speed=20")).await?;
        assert!(!tab.is_playing().await?, "a link waits for its reader");
        for (at, steps) in watch(tab).await? {
            assert_eq!(steps, [at as usize; 4], "at {at}");
        }
        tab.accessible().await
    });
}

#[test]
fn lanes_show_the_same_second_at_every_moment() {
    scenario("in step by seconds", Setup::default(), async |scene| {
        let tab = &scene.tab;
        let folder = tempfile::tempdir()?;
        tab.download_to(folder.path()).await?;
        tab.open_and_run(&format!("{LINK}&axis=seconds&fetchers=4&speed=1")).await?;
        let order = tab.export(folder.path(), "Fetch orders as CSV", "order.csv").await?;
        let ends = ends(&String::from_utf8(order)?)?;
        assert_eq!(ends.len(), 4);
        let mut differ = false;
        let moments = watch(tab).await?;
        let due = |at: f64| -> Vec<usize> {
            ends.iter().map(|ends| ends.iter().filter(|end| **end <= at).count()).collect()
        };
        for pair in moments.windows(2) {
            // On a busy machine the number may be a look behind the lanes, which still share it.
            let ((at, steps), (next, _)) = (&pair[0], &pair[1]);
            let between = ends.iter().flatten().copied().filter(|end| end > at && end <= next);
            let shared = std::iter::once(*at).chain(between).any(|second| due(second) == *steps);
            assert!(shared, "at {at} s: {steps:?}, not {:?}", due(*at));
            differ |= steps.iter().any(|step| *step != steps[0]);
        }
        assert!(differ, "on this clock lanes should have fetched different numbers of pages");
        tab.accessible().await
    });
}

/// When each step of each lane ended, in simulated seconds.
fn ends(order: &str) -> Result<Vec<Vec<f64>>> {
    let mut lanes: Vec<(String, Vec<f64>)> = Vec::new();
    for line in order.lines().skip(1) {
        let mut cells = line.split(',');
        let strategy = cells.next().context("a strategy")?;
        let seconds = cells.nth(1).context("seconds")?.parse()?;
        match lanes.last_mut() {
            Some((last, ends)) if last == strategy => ends.push(seconds),
            _ => lanes.push((strategy.to_owned(), vec![seconds])),
        }
    }
    Ok(lanes.into_iter().map(|(_, ends)| ends).collect())
}
