//! Why a page stands where it does.

use super::running::Running;
use crawl_core::{Evidence, Explanation, UrlId};
use crawl_protocol::Task;
use crawl_protocol::lane::{Moved, Place, Reasons, Seen, Why};
use crawl_world::PageId;

/// Most changes of a score that are told.
const MAX_MOVES: usize = 100;
/// What explanations call the comparison with a vertex of the Web link graph.
const MATCH: &str = "match";

impl Running {
    /// Why a page stands where it does after a step; nothing for a page that is none.
    pub(super) fn reasons(&mut self, task: Task, step: u32, page: u32) -> Option<Reasons> {
        let page = Some(PageId(page)).filter(|page| page.0 < self.run.world.n_pages())?;
        let step = self.seek(step);
        let mut reasons = Reasons {
            task,
            step,
            page: page.0,
            url: self.run.world.url(page).into_owned(),
            title: String::new(),
            true_rank: self.run.truth.rank(page),
            place: Place::Unknown,
            why: None,
            matched: None,
            moves: Vec::new(),
            n_moves: 0,
        };
        let Some(url) = self.session().book().url_of(page) else { return Some(reasons) };
        let known = self.session().known(&*self.run.world);
        known.title(url).clone_into(&mut reasons.title);
        let fetched = known.fetch_step(url);
        reasons.place = self.place_of(url, fetched);
        if reasons.place == Place::Refused {
            return Some(reasons);
        }
        // A page of which there is a copy stands in line for its next visit.
        let plan = self.session().visit_plan(url);
        if plan.is_some_and(|plan| plan.last_us.is_some()) {
            let explanation =
                self.session().explain_at(&*self.run.world, url, self.chosen_us(page));
            reasons.why = Some(self.why(&explanation));
            return Some(reasons);
        }
        // A page that is fetched, or about to be, is explained as it was when it was chosen.
        if !matches!(reasons.place, Place::Waiting { .. }) || !self.waits(url) {
            let end = fetched.map_or(step, |number| number - 1);
            self.seek_choice(url, self.entered_at(page), end);
        }
        let explanation = self.session().explain(&*self.run.world, url);
        reasons.why = Some(self.why(&explanation));
        reasons.matched = matched(&explanation).map(|url| self.page(url).0);
        self.add_moves(url, &mut reasons);
        Some(reasons)
    }

    fn place_of(&self, url: UrlId, fetched: Option<u32>) -> Place {
        if let Some(step) = fetched {
            return Place::Fetched { step };
        }
        if self.session().in_flight().any(|other| other == url) {
            return Place::InFlight;
        }
        match self.place(url) {
            Some(place) => Place::Waiting { place, of: self.n_waiting() },
            None => Place::Refused,
        }
    }

    /// When the page was chosen that the next step visits, if it is this one; else now.
    fn chosen_us(&self, page: PageId) -> u64 {
        let travel = self.run.lanes[0].travel();
        let (trace, at) = (travel.trace(), travel.at() as usize);
        let now_us = travel.now().now_us();
        let world = &self.run.world;
        let takes_us = self.run.rules.fetch_us(world.latency_ms(page), world.bytes(page));
        let is_next = trace.pages.get(at) == Some(&page);
        let start_us = trace.at_us.get(at).map(|at_us| at_us.saturating_sub(takes_us));
        start_us.filter(|_| is_next).map_or(now_us, |start_us| start_us.max(now_us))
    }

    fn waits(&self, url: UrlId) -> bool {
        self.session().frontier().contains(url)
    }

    /// Goes to the last step after which a URL still waited to be chosen: it came in after step
    /// `entered`, and was chosen by the step after `end`.
    fn seek_choice(&mut self, url: UrlId, entered: u32, end: u32) {
        self.seek(end);
        if self.waits(url) || end <= entered {
            return;
        }
        // It waits after `low` and no more after `high`.
        let (mut low, mut high) = (entered, end);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            self.seek(middle);
            if self.waits(url) { low = middle } else { high = middle }
        }
        self.seek(low);
    }

    /// Tells the changes of a URL's score up to the present step.
    fn add_moves(&mut self, url: UrlId, reasons: &mut Reasons) {
        let moves = self.run.lane(0).map(|(lane, setting)| lane.moves(&setting, url));
        let moves = moves.unwrap_or_default();
        reasons.n_moves = moves.len() as u32;
        let told = &moves[moves.len().saturating_sub(MAX_MOVES)..];
        reasons.moves = told
            .iter()
            .map(|change| Moved {
                step: change.step,
                by: self.row(change.by, self.moment(0.0)),
                before: change.before,
                after: change.after,
                place_before: None,
                place_after: None,
            })
            .collect();
        if let Some(latest) = reasons.moves.last_mut() {
            self.seek(latest.step);
            latest.place_after = self.place(url);
            self.seek(latest.step - 1);
            latest.place_before = self.place(url);
        }
    }

    fn why(&self, explanation: &Explanation) -> Why {
        let sign = explanation.op.symbol().to_owned();
        Why {
            label: explanation.label.clone(),
            sign: if explanation.children.is_empty() { String::new() } else { sign },
            value: explanation.value,
            parts: explanation.children.iter().map(|part| self.why(part)).collect(),
            seen: explanation.evidence.iter().map(|evidence| self.seen(evidence)).collect(),
        }
    }

    fn seen(&self, evidence: &Evidence) -> Seen {
        match evidence {
            Evidence::Note(words) => Seen::Words(words.clone()),
            Evidence::Fetched(url) | Evidence::Discovered(url) => {
                let page = self.page(*url);
                let step = self.session().known(&*self.run.world).fetch_step(*url);
                Seen::Page { page: page.0, url: self.run.world.url(page).into_owned(), step }
            }
        }
    }
}

/// The vertex of the Web link graph to which a link was matched.
fn matched(explanation: &Explanation) -> Option<UrlId> {
    let here = explanation.evidence.iter().find_map(|evidence| match evidence {
        Evidence::Discovered(url) if explanation.label == MATCH => Some(*url),
        _ => None,
    });
    here.or_else(|| explanation.children.iter().find_map(matched))
}
