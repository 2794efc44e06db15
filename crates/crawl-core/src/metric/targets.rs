//! What a focused crawl could find, and what of it was found: shared by the measures of focused
//! crawls.
//!
//! T are the pages that the labels call targets, that links lead to from the seeds, and that may be
//! crawled: sites that the topic was learnt from are not. A target is found when it was fetched and
//! the crawler judged it a result (document B, section 4: T ∩ result pages).

use super::Observation;
use crawl_world::PageId;

/// T, by page.
pub(super) struct Targets {
    is_target: Vec<bool>,
    n: u32,
}

impl Targets {
    /// Of the run's world; nothing where no labels say what is looked for, or nothing can be found.
    pub(super) fn new(at: &Observation<'_>) -> Option<Self> {
        let truth = at.setting.topic?;
        let mut is_target = vec![false; truth.is_target.len()];
        let mut n = 0;
        walk(at, false, |page| {
            is_target[page.index()] = truth.is_target[page.index()];
            n += u32::from(is_target[page.index()]);
        });
        (n > 0).then_some(Self { is_target, n })
    }

    /// |T|.
    pub(super) fn n(&self) -> f64 {
        f64::from(self.n)
    }

    /// Whether the page just fetched is a target, and was recognised.
    pub(super) fn is_found(&self, at: &Observation<'_>) -> bool {
        let judgement = at.run.session().book().judgement(at.step.url);
        self.is_target[at.step.page.index()] && judgement.is_some_and(|judged| judged.is_result)
    }

    /// The share of T that can be found when every page is judged as its labels say: in the focused
    /// loop targets behind pages that are off the topic, or targets themselves, cannot.
    pub(super) fn ceiling(&self, at: &Observation<'_>) -> f64 {
        let mut n = 0;
        walk(at, at.run.session().is_focused(), |page| {
            n += u32::from(self.is_target[page.index()]);
        });
        f64::from(n) / self.n()
    }
}

/// Every page that may be crawled and that links lead to from the seeds; in the focused loop links
/// are followed from seeds, from redirects, and from pages on the topic that are no targets.
fn walk(at: &Observation<'_>, is_focused: bool, mut visit: impl FnMut(PageId)) {
    let (world, session) = (at.setting.world, at.run.session());
    let known = session.known(world);
    let seeds = || (0..known.n_seeds()).map(|seed| session.book().page(crate::UrlId(seed)));
    let mut is_met = vec![false; world.n_pages() as usize];
    let mut waiting = Vec::new();
    for seed in seeds() {
        is_met[seed.index()] = true;
        waiting.push(seed);
    }
    let n_seeds = waiting.len();
    let mut next = 0;
    while let Some(page) = waiting.get(next).copied() {
        next += 1;
        visit(page);
        let is_on_the_way = || {
            let truth = at.setting.topic;
            truth.is_some_and(|t| t.is_relevant[page.index()] && !t.is_target[page.index()])
        };
        let is_redirect = (300..400).contains(&world.status(page));
        if is_focused && next > n_seeds && !is_redirect && !is_on_the_way() {
            continue;
        }
        for target in world.links(page) {
            if !is_met[target.index()] && !session.is_fenced(world, *target) {
                is_met[target.index()] = true;
                waiting.push(*target);
            }
        }
    }
}
