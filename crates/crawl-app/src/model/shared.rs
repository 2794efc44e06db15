//! The shared link, and whether a link was reproduced.

use super::{Packed, State};
use crawl_protocol::{Axis, Experiment, WorldSource};

impl State {
    /// Whether all lanes reproduced the digests of the link.
    ///
    /// `None` without digests or while running.
    pub fn reproduced(&self) -> Option<bool> {
        let experiment = self.experiment.as_ref()?;
        // Lanes exist once the world is open.
        if experiment.digests.is_empty() || self.lanes.len() < experiment.digests.len() {
            return None;
        }
        let mut all = true;
        for (digest, lane) in experiment.digests.iter().zip(&self.lanes) {
            match &lane.finished {
                Some(finished) => all &= finished.digest == *digest,
                None if lane.error.is_some() => all = false,
                None => return None,
            }
        }
        Some(all)
    }

    /// The experiment to share: with play-head, chosen page and digests of finished runs.
    pub fn shared(&self) -> Option<Experiment> {
        let mut experiment = Experiment::clone(self.experiment.as_ref()?);
        // Before any lane runs, step and digests stay as the link had them.
        if let Some(at) = self.lanes.iter().map(|lane| self.step_of(lane)).max() {
            experiment.at = Some(at);
            // To the millisecond.
            let moment = (self.head.at * 1e3).round() / 1e3;
            experiment.view.moment = Some(moment).filter(|_| self.axis() == Axis::Seconds);
            let digests = self.lanes.iter().map(|l| l.finished.as_ref().map(|f| f.digest.clone()));
            experiment.digests = digests.collect::<Option<Vec<String>>>().unwrap_or_default();
        }
        experiment.view.lane = None;
        experiment.view.page = None;
        if let Some(chosen) = self.chosen {
            let reasons = self.lanes.get(chosen.lane).and_then(|lane| lane.reasons.as_ref());
            if let Some(reasons) = reasons.filter(|r| r.page == chosen.page) {
                experiment.view.lane = Some(chosen.lane as u32);
                experiment.view.page = Some(reasons.url.clone());
            }
        }
        if let (WorldSource::File { data, .. }, Packed::Small(packed)) =
            (&mut experiment.world, &self.packed)
        {
            *data = Some(packed.to_string());
        }
        Some(experiment)
    }
}
