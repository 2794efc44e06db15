//! The targets of a focused crawl: shared code of the topic metrics.
//!
//! T is the set of pages that are labelled as targets, are reachable from the seeds, and may be
//! crawled: sites of the training data may not. A target is found if it was fetched and the crawler
//! judged it a result (Zhang, Li, Yu & Zhang 2010, section 4: T ∩ result pages).

use super::Observation;
use crate::{Judgement, UrlId};
use crawl_world::PageId;

/// T, by page.
pub(super) struct Targets {
    is_target: Vec<bool>,
    n: u32,
}

impl Targets {
    /// T of the run's world; `None` without labels or without reachable targets.
    pub(super) fn new(at: &Observation<'_>) -> Option<Self> {
        let truth = at.setting.topic?;
        let mut is_target = vec![false; truth.is_target.len()];
        let mut n = 0;
        walk(at, |page| {
            is_target[page.index()] = truth.is_target[page.index()];
            n += u32::from(is_target[page.index()]);
            true
        });
        (n > 0).then_some(Self { is_target, n })
    }

    /// |T|.
    pub(super) fn n(&self) -> f64 {
        f64::from(self.n)
    }

    /// True if the page just fetched is a target and was judged a result.
    pub(super) fn is_found(&self, at: &Observation<'_>) -> bool {
        let judgement = at.run.session().book().judgement(at.step.url);
        self.is_target[at.step.page.index()] && judgement.is_some_and(|judged| judged.is_result)
    }

    /// Share of T that any strategy can find. A focused crawl cannot find targets behind pages that
    /// are off the topic, or behind results. `by`: pages are classified by the judge or by labels.
    pub(super) fn ceiling(&self, at: &Observation<'_>, by: By) -> f64 {
        let session = at.run.session();
        if !session.is_focused() {
            return 1.0;
        }
        let mut n = 0;
        walk(at, |page| {
            let is_target = self.is_target[page.index()];
            let (leads_on, is_found) = match by {
                By::Labels => {
                    let is_redirect = (300..400).contains(&at.setting.world.status(page));
                    let truth = at.setting.topic;
                    let is_relevant = truth.is_some_and(|truth| truth.is_relevant[page.index()]);
                    let is_labelled = truth.is_some_and(|truth| truth.is_target[page.index()]);
                    (is_redirect || is_relevant && !is_labelled, is_target)
                }
                By::Judge => {
                    let status = at.setting.world.status(page);
                    let judged = session.would_judge(at.setting.world, page, status);
                    let is_result = judged.is_some_and(|judged| judged.is_result);
                    (judged.is_none_or(Judgement::leads_on), is_target && is_result)
                }
            };
            n += u32::from(is_found);
            leads_on
        });
        f64::from(n) / self.n()
    }
}

/// How pages are classified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By the crawler's classifier.
    Judge,
    /// By their labels.
    Labels,
}

/// Walks all crawlable pages reachable from the seeds. `visit` returns whether a page's links are
/// followed; links of seeds always are.
fn walk(at: &Observation<'_>, mut visit: impl FnMut(PageId) -> bool) {
    let (world, session) = (at.setting.world, at.run.session());
    let n_seeds = session.known(world).n_seeds();
    let mut waiting: Vec<PageId> =
        (0..n_seeds).map(|seed| session.book().page(UrlId(seed))).collect();
    let mut is_met = vec![false; world.n_pages() as usize];
    waiting.iter().for_each(|seed| is_met[seed.index()] = true);
    let mut next = 0;
    while let Some(page) = waiting.get(next).copied() {
        let leads_on = visit(page) || next < n_seeds as usize;
        next += 1;
        for target in world.links(page).iter().filter(|_| leads_on) {
            if !is_met[target.index()] && !session.is_training_site(world, *target) {
                is_met[target.index()] = true;
                waiting.push(*target);
            }
        }
    }
}
