//! What is passed on of an experiment, and whether it came out the same.

use super::{Packed, State};
use crawl_protocol::{Axis, Experiment, WorldSource};

impl State {
    /// True when every lane of a link that says its digests has reproduced them; false when one
    /// has not; nothing while that is open.
    pub fn reproduced(&self) -> Option<bool> {
        let experiment = self.experiment.as_ref()?;
        // Without a world there are no lanes, and nothing has run.
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

    /// The experiment as it is shared: with the play-head, the chosen page and the digests of
    /// finished runs.
    pub fn shared(&self) -> Option<Experiment> {
        let mut experiment = Experiment::clone(self.experiment.as_ref()?);
        // What has not run is passed on as it came.
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
