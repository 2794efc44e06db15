//! Screenshots of the app's main states, in desktop, projector and phone sizes.

use std::time::Duration;

use anyhow::{Context, Result};
use url::Url;

use crate::scene::{Setup, played};
use crate::{Media, Tab, screenshots};

/// A state of the app to take a screenshot of.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    /// Name of the file.
    pub name: &'static str,
    /// The link to open: `#v=1&…`.
    pub open: &'static str,
    /// Steps to perform then.
    pub steps: &'static [Step],
}

/// A step before the screenshot.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Waits for an element.
    Wait(&'static str),
    /// Waits until an element contains a text.
    WaitForText(&'static str, &'static str),
    /// Clicks an element.
    Click(&'static str),
    /// Moves the mouse over an element.
    Hover(&'static str),
    /// Presses a key.
    Key(&'static str),
    /// Opens the set-up panel on small screens, and scrolls to an element of it.
    SetUp(&'static str),
    /// Waits until all runs are complete and the stage is drawn.
    Drawn,
}

/// Four strategies, at a quarter of the run.
const PLAYED: &str =
    "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient&budget=400&at=100";
/// JLSE and two other strategies in the shop, in the focused loop.
const FOCUSED: &str = "#v=1&world=shop&topic=label&run=jlse(cf:20),anchor-text,breadth-first\
    &focus=topical&budget=800&at=150";
/// The same, with the link graph of the first lane.
const FOCUSED_GRAPH: &str = "#v=1&world=shop&topic=label&run=jlse(cf:20),anchor-text,breadth-first\
    &focus=topical&budget=800&at=150&graph=1";
/// Four policies on the ten pages of Wen & Lu's table, for twelve hours.
const REVISITED: &str = "#v=1&world=refresh-table-1\
    &run=breadth-first,breadth-first,breadth-first,breadth-first\
    &revisit=uniform,proportional(knows:rates),classified(knows:rates),optimal(knows:rates)\
    &visits=6.67&hours=12&axis=seconds&speed=1000&at=60";
/// The same, with the timeline.
const TIMELINE: &str = "#v=1&world=refresh-table-1\
    &run=breadth-first,breadth-first,breadth-first\
    &revisit=uniform,proportional(knows:rates),optimal(knows:rates)\
    &visits=6.67&hours=12&axis=seconds&speed=1000&at=60&timeline=rate,class";
/// A newsroom for three days.
const NEWSROOM: &str = "#v=1&world=newsroom(coming:200)&run=breadth-first,breadth-first,breadth-first\
    &revisit=uniform,adaptive,optimal&visits=500&hours=72&axis=seconds&speed=5000&at=20000&timeline=rate,class";
/// A newsroom for two months.
const MONTHS: &str = "#v=1&world=newsroom&run=breadth-first,opic&revisit=uniform,optimal\
    &visits=300&hours=1440&axis=seconds&speed=100000&at=200000&timeline=importance,host";
/// The maximum number of timeline rows, with changing pages.
const LONG: &str = "#v=1&world=newsroom(pages:100000)&run=breadth-first,breadth-first\
    &revisit=uniform,proportional&visits=20000&hours=8&fetchers=8&axis=seconds&at=150000\
    &timeline=rate,class";
/// New and old pages share one budget.
const BALANCED: &str = "#v=1&world=newsroom(coming:200)&run=breadth-first,opic\
    &revisit=uniform,optimal&visits=200&new=100&hours=24&axis=seconds&speed=1000&at=2000";
/// Figure 1 of Wen & Lu 2004, as somebody changed it.
const FIGURE: &str = "#v=1&world=campus&run=opic&budget=100\
    &figure=figure-1(likelihood:true,visits:20,intervals:irregular)";
/// Colours by value, and pages being fetched.
const VALUES: &str = "#v=1&world=campus&run=breadth-first,depth-first,opic,omniscient\
    &budget=400&fetchers=4&at=100&colour=score";
/// All runs are complete and drawn.
const DRAWN: Step = Step::Drawn;
/// All runs are complete and the timeline has its data.
const TIMED: Step = Step::Wait(".timeline td");

/// A single page is selected.
const PRESSED: Step = Step::Wait(".timeline-head [aria-pressed=true]");
/// Zooms the timeline in.
const NEARER: Step = Step::Click(".timeline-head [aria-label='Zoom in']");

/// All screenshots.
pub const SHOTS: &[Shot] = &[
    Shot { name: "first-visit", open: "", steps: &[Step::Wait(".lanes"), DRAWN] },
    Shot { name: "played", open: PLAYED, steps: &[DRAWN] },
    Shot {
        name: "why",
        open: PLAYED,
        steps: &[
            DRAWN,
            Step::Click(".lane:nth-of-type(3) .row-2 button"),
            Step::Wait(".inspector .result"),
        ],
    },
    Shot {
        name: "share",
        open: PLAYED,
        steps: &[DRAWN, Step::Click(".top-bar .primary"), Step::Wait("svg.qr")],
    },
    Shot { name: "values", open: VALUES, steps: &[DRAWN] },
    Shot {
        name: "claims-figure",
        open: FIGURE,
        steps: &[Step::WaitForText(".live .note", "hold the exact mean")],
    },
    Shot {
        name: "layers",
        open: "#v=1&world=web&run=breadth-first,fica&budget=600&at=200&layout=layers",
        steps: &[DRAWN],
    },
    Shot {
        name: "large",
        open: "#v=1&world=web(pages:100000)&run=breadth-first,opic&budget=20000&at=9000",
        steps: &[DRAWN],
    },
    Shot { name: "figure", open: "#v=1&world=fica-figure-1&run=fica&at=3", steps: &[DRAWN] },
    Shot {
        name: "link-graph",
        open: FOCUSED_GRAPH,
        steps: &[
            Step::Wait(".link-graph .vertex"),
            Step::Click(".link-graph .row-2 button"),
            Step::Wait(".match-steps"),
            Step::Key("Escape"),
        ],
    },
    Shot {
        name: "printed-example",
        open: "#v=1&world=jlse-figure-2&seeds='http://jlse.example/4','http://jlse.example/1'\
            &topic=words(of:'3%206%2010')&run=jlse(reward:100,cf:3)&at=10&graph=1",
        steps: &[
            Step::Wait(".link-graph .vertex"),
            Step::Click(".sweeps button:nth-of-type(1)"),
            Step::Click(".sweeps button:nth-of-type(4)"),
            Step::Click(".sweeps button:nth-of-type(4)"),
            Step::WaitForText(".sweep-said", "sweep 2"),
        ],
    },
    Shot {
        name: "nothing-learnt",
        open: "#v=1&world=shop&topic=label&run=jlse,breadth-first&focus=topical&budget=400&at=60&graph=1",
        steps: &[Step::Wait(".graph-empty b")],
    },
    Shot { name: "revisited", open: REVISITED, steps: &[DRAWN] },
    Shot { name: "timeline", open: TIMELINE, steps: &[TIMED] },
    Shot {
        name: "timeline-page",
        open: TIMELINE,
        steps: &[TIMED, Step::Click(".timeline-head [aria-pressed]"), PRESSED],
    },
    Shot {
        name: "timeline-why",
        open: TIMELINE,
        steps: &[
            TIMED,
            Step::Click(".timeline-over"),
            Step::Key("ArrowDown"),
            Step::Key("Enter"),
            Step::Wait(".inspector .result"),
        ],
    },
    Shot { name: "newsroom-timeline", open: NEWSROOM, steps: &[TIMED] },
    Shot {
        name: "timeline-minutes",
        open: NEWSROOM,
        steps: &[TIMED, NEARER, NEARER, NEARER, NEARER, NEARER, NEARER, NEARER, NEARER, TIMED],
    },
    Shot { name: "timeline-months", open: MONTHS, steps: &[TIMED] },
    Shot { name: "timeline-long", open: LONG, steps: &[TIMED] },
    Shot {
        name: "timeline-never",
        open: "#v=1&world=refresh-table-1&run=breadth-first,opic&timeline=rate",
        steps: &[Step::WaitForText(".timeline-empty", "Every page is fetched once")],
    },
    Shot {
        name: "timeline-no-budget",
        open: "#v=1&world=refresh-table-1&run=breadth-first,breadth-first\
            &revisit=uniform,optimal&visits=0&hours=12&axis=seconds&at=11&timeline=rate",
        steps: &[TIMED],
    },
    Shot { name: "revisits", open: BALANCED, steps: &[DRAWN, Step::SetUp(".balance")] },
    Shot {
        name: "policies",
        open: BALANCED,
        steps: &[
            DRAWN,
            Step::SetUp(".balance"),
            Step::Click("section:has(.balance) .strategy"),
            Step::Click("section:has(.balance) .editor .links .link"),
            Step::Wait("dialog .card"),
        ],
    },
    Shot { name: "focused", open: FOCUSED, steps: &[DRAWN] },
    Shot {
        name: "embedded",
        open: "#v=1&world=campus&run=breadth-first,opic&budget=400&at=100&embed=1",
        steps: &[DRAWN],
    },
    Shot {
        name: "files-needed",
        open: "#v=1&world=file(a41b75f8481e8fb0a2d746f7bd97595f,'college.txt','college-urls.txt')\
            &run=breadth-first,opic&budget=400&at=100",
        steps: &[Step::Wait(".needed-files li")],
    },
    Shot {
        name: "files-needed-dialog",
        open: "#v=1&world=file(a41b75f8481e8fb0a2d746f7bd97595f,'college.txt','college-urls.txt')\
            &run=breadth-first,opic&budget=400&at=100",
        steps: &[
            Step::Wait(".needed-files li"),
            Step::Click(".page-state .primary"),
            Step::Wait("dialog .card"),
        ],
    },
    Shot {
        name: "broken-link",
        open: "#v=1&world=campus&run=breadht-first",
        steps: &[Step::Wait(".page-state")],
    },
];

/// Timeout for the largest worlds on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// Widths and heights: desktop, projector, phone.
const SIZES: [(u32, u32); 3] = [(1440, 900), (1024, 768), (390, 844)];

/// Takes all screenshots, or those whose names contain one of the words.
pub fn take(words: &[String]) -> Result<()> {
    let wanted = |shot: &&Shot| words.is_empty() || words.iter().any(|w| shot.name.contains(&**w));
    for shot in SHOTS.iter().filter(wanted) {
        for (width, height) in SIZES {
            for dark in [false, true] {
                let name = picture(shot.name, (width, height), dark);
                let setup = Setup { window: (width, height), ..Setup::default() };
                played(&name, &setup, async |scene| {
                    let tab = &scene.tab.patient(PATIENCE);
                    tab.resize(width, height).await?;
                    tab.prefer(Media { dark, reduced_motion: true }).await?;
                    reach(tab, scene.app.address(), shot).await?;
                    let file = tab.screenshot(&name).await?;
                    println!("{}", file.display());
                    Ok(())
                })
                .with_context(|| name.clone())?;
            }
        }
    }
    println!("screenshots are in {}", screenshots().display());
    Ok(())
}

async fn reach(tab: &Tab, address: &Url, shot: &Shot) -> Result<()> {
    tab.open(address.join(shot.open)?.as_str()).await?;
    for step in shot.steps {
        match *step {
            Step::Wait(css) => tab.wait_for(css).await.map(drop),
            Step::WaitForText(css, text) => tab.wait_for_text(css, text).await,
            Step::Click(css) => tab.click(css).await,
            Step::Hover(css) => tab.hover(css).await,
            Step::Key(name) => tab.key(name).await,
            Step::SetUp(css) => set_up(tab, css).await,
            Step::Drawn => drawn(tab).await,
        }
        .with_context(|| format!("{step:?}"))?;
    }
    Ok(())
}

async fn set_up(tab: &Tab, css: &str) -> Result<()> {
    let unfold = "(() => {
        const panel = document.querySelector('.setup');
        if (getComputedStyle(panel).display === 'none') {
            document.querySelector('.top-bar .only-small').click();
        }
    })()";
    tab.eval(unfold).await?;
    tab.wait_for(css).await?;
    tab.eval(&format!("document.querySelector({css:?}).scrollIntoView({{ block: 'center' }})"))
        .await
        .map(drop)
}

/// Waits until all runs are complete and the stage is drawn.
pub(crate) async fn drawn(tab: &Tab) -> Result<()> {
    tab.wait_for_runs().await?;
    tab.wait_for(".lanes[aria-busy=false]").await?;
    tab.wait_until_drawn().await
}

fn picture(name: &str, (width, height): (u32, u32), dark: bool) -> String {
    format!("{name}-{width}x{height}-{}", if dark { "dark" } else { "light" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_has_a_name_of_its_own() {
        let mut names: Vec<&str> = SHOTS.iter().map(|shot| shot.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(picture("a", (390, 844), true), "a-390x844-dark");
    }
}
