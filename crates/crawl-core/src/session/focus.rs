//! The focused loop: what pages are found to be, and which links are therefore not followed.

use super::Session;
use crate::{Judgement, Known, PageText, Refusal, UrlId, Web};
use crawl_world::PageId;
use std::sync::Arc;

impl Session {
    /// Whether links are followed only from pages that are on the topic and no results.
    pub fn is_focused(&self) -> bool {
        self.aids.is_focused
    }

    /// Whether a link's text names what is looked for; nothing where nothing is.
    pub fn names_topic(&self, anchor: &str) -> Option<bool> {
        self.aids.judge.as_ref().map(|judge| judge.is_named(anchor))
    }

    /// What the crawl would take a page for, fetched or not; nothing where no topic is looked for.
    /// It is for measures, since no crawler can know.
    pub fn would_judge(&self, web: &dyn Web, page: PageId, status: u16) -> Option<Judgement> {
        let judge = self.aids.judge.as_ref()?;
        if (300..400).contains(&status) {
            return Some(Judgement::of_redirect(None));
        }
        let anchors = (0..web.links(page).len()).map(|place| web.anchor(page, place)).collect();
        let text = PageText { title: web.title(page), text: web.text(page), anchors };
        Some(judge.judge(&text))
    }

    /// Whether a page must not be crawled because its site was learnt from.
    pub fn is_fenced(&self, web: &dyn Web, page: PageId) -> bool {
        let site = |fenced: &Arc<Vec<bool>>| {
            let host = web.host_of(page)?;
            fenced.get(web.host(host).site.index()).copied()
        };
        self.aids.fenced.as_ref().and_then(site).unwrap_or(false)
    }

    /// Finds out what the page fetched last is.
    pub(super) fn judge(&mut self, web: &dyn Web, url: UrlId, status: u16) {
        let Some(judge) = &self.aids.judge else { return };
        let known = Known::new(web, &self.book, self.aids.truth.as_deref());
        let is_redirect = (300..400).contains(&status);
        let judgement = if is_redirect {
            // A redirect says nothing of itself: it is part of the way from the page before it.
            let before = known.parent(url).and_then(|parent| known.judgement(parent));
            Judgement::of_redirect(before)
        } else {
            judge.judge(&known.page_text(url))
        };
        let is_followed = judgement.leads_on() || known.is_seed(url);
        self.book.judged(judgement, is_followed || !self.aids.is_focused, is_redirect);
    }

    /// Why a URL is refused whatever page it was found on.
    pub(super) fn refusal(&self, web: &dyn Web, url: UrlId) -> Option<Refusal> {
        if self.is_fenced(web, self.book.page(url)) {
            return Some(Refusal::Trained);
        }
        let given_up = self.strategy.gives_up() && !self.strategy.wants(url, &self.known(web));
        given_up.then_some(Refusal::GivenUp)
    }
}
