//! Reads the state of the playground from its page.

use anyhow::{Context, Result, bail};
use fantoccini::Locator;
use serde_json::Value;

use crate::Tab;
use crate::input::TRIES;

/// Script: everything on screen that depends on the current step.
const SHOWN: &str = "(() => {
    const texts = (root, css) => [...root.querySelectorAll(css)].map((e) => e.textContent);
    const lane = (e) => ({
        stage: e.querySelector('.stage').getAttribute('aria-label'),
        reading: texts(e, '.reading'),
        caption: texts(e, '.caption'),
        rows: [...e.querySelectorAll('.row')].map((row) => [
            row.className, row.querySelector('button').title, row.querySelector('.score').textContent,
            row.querySelector('rect').getAttribute('width'),
        ]),
        best: texts(e, '.best-elsewhere'),
    });
    const dot = (e) => [e.getAttribute('cx'), e.getAttribute('cy')];
    return {
        place: document.querySelector('.place-now').textContent,
        scrubber: document.querySelector('.scrubber input').value,
        lanes: [...document.querySelectorAll('.lane')].map(lane),
        head: [...document.querySelectorAll('#chart .head-line')].map((e) => e.getAttribute('x1')),
        dots: [...document.querySelectorAll('#chart .head-dot')].map(dot),
    };
})()";

/// Script: every run is complete, and the playhead can move anywhere.
const RUN: &str = "document.querySelector('.lane') !== null
    && document.querySelector('.lane-note') === null
    && document.querySelector('.scrubber')?.style.getPropertyValue('--ready') === '1.00000'
    && (document.querySelector('#chart .curve') !== null
        || document.querySelector('.app.embedded') !== null)";

/// Script: rows and nodes belong to the step shown, and their animations have ended.
const SETTLED: &str = "[...document.querySelectorAll('.lane')].every((lane) =>
        lane.querySelector('.stage').dataset.step === lane.querySelector('.frontier').dataset.step)
    && document.querySelectorAll('.lane').length > 0
    && !document.getAnimations().some((motion) => motion.effect.target?.matches('.row'))
    && !document.querySelector('.tool-note')?.textContent.includes('computing layout')";

/// Script: the chart's ideal curve is there, if the metric has one.
const BOUNDED: &str = "document.querySelector('.metric')?.value !== 'cumulative-pagerank'
    || document.querySelector('.axis')?.value !== 'pages'
    || document.querySelector('#chart .ideal-line') !== null";

impl Tab {
    /// Opens an experiment and waits until every run is complete.
    pub async fn open_and_run(&self, link: &str) -> Result<()> {
        self.open(link).await?;
        self.wait_for_runs().await
    }

    /// Waits until every run is complete.
    pub async fn wait_for_runs(&self) -> Result<()> {
        self.wait_for_true(RUN).await
    }

    /// Waits until everything shown belongs to one step.
    pub async fn wait_until_settled(&self) -> Result<()> {
        self.wait_for_true(SETTLED).await
    }

    /// Waits until the rows of one lane, counted from 1, belong to the step that it shows.
    pub async fn wait_until_settled_in(&self, lane: usize) -> Result<()> {
        self.wait_for_true(&format!(
            "(() => {{
                const lane = document.querySelectorAll('.lane')[{lane} - 1];
                return lane.querySelector('.stage').dataset.step
                    === lane.querySelector('.frontier').dataset.step;
            }})()"
        ))
        .await
    }

    /// What is shown of the current step, once it is complete.
    pub async fn shown(&self) -> Result<Value> {
        self.wait_until_settled().await?;
        self.wait_for_true(BOUNDED).await?;
        self.eval(SHOWN).await
    }

    /// The step of each lane, read at once.
    pub async fn lane_steps(&self) -> Result<Vec<u64>> {
        let steps = "[...document.querySelectorAll('.stage')].map((e) => Number(e.dataset.step))";
        Ok(serde_json::from_value(self.eval(steps).await?)?)
    }

    /// The step of all lanes; an error if they differ.
    pub async fn step(&self) -> Result<u64> {
        let steps = self.lane_steps().await?;
        let first = *steps.first().context("there is no lane")?;
        if steps.iter().any(|step| *step != first) {
            bail!("the lanes are not in step: {steps:?}");
        }
        Ok(first)
    }

    /// Waits until all lanes show a step.
    pub async fn wait_for_step(&self, step: u64) -> Result<()> {
        self.wait_for_true(&format!(
            "document.querySelectorAll('.stage').length > 0
             && [...document.querySelectorAll('.stage')].every((e) => e.dataset.step === '{step}')"
        ))
        .await
        .with_context(|| format!("at step {step}"))
    }

    /// Waits until all lanes are beyond a step.
    pub async fn wait_until_beyond(&self, step: u64) -> Result<()> {
        self.wait_for_true(&format!(
            "document.querySelectorAll('.stage').length > 0
             && [...document.querySelectorAll('.stage')].every((e) => e.dataset.step > {step})"
        ))
        .await
    }

    /// Clicks the button with this accessible name or text.
    pub async fn press(&self, name: &str) -> Result<()> {
        let find = format!(
            "(() => {{
                const called = (e) => e.getAttribute('aria-label') ?? e.textContent.trim();
                const all = [...document.querySelectorAll('button, a')];
                const seen = all.filter((e) => e.checkVisibility() && called(e) === {name:?});
                const over = seen.filter((e) => e.closest('dialog'));
                document.querySelectorAll('[data-e2e]').forEach((e) => delete e.dataset.e2e);
                (over[0] ?? seen[0])?.setAttribute('data-e2e', '');
                return seen.length > 0;
            }})()"
        );
        for _ in 0..TRIES {
            self.wait_for_true(&find).await.with_context(|| format!("a button `{name}`"))?;
            let clicked = match self.client.find(Locator::Css("[data-e2e]")).await {
                Ok(button) => button.click().await,
                Err(error) => Err(error),
            };
            match clicked {
                // The element was replaced by a re-render, without the mark.
                Err(e) if e.is_stale_element_reference() || e.is_no_such_element() => {}
                clicked => return clicked.with_context(|| format!("cannot press `{name}`")),
            }
        }
        bail!("cannot press `{name}`: the page re-renders it all the time")
    }

    /// Whether the playhead is playing.
    pub async fn is_playing(&self) -> Result<bool> {
        Ok(self.attribute(".play", "aria-label").await?.as_deref() == Some("Pause"))
    }
}
