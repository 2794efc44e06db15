//! Focused crawling: page judgements, and which links are not followed because of them.

use super::Session;
use crate::{Judgement, Known, PageText, Refusal, UrlId, Web};
use crawl_world::PageId;
use std::sync::Arc;

impl Session {
    /// True in a focused crawl: links are followed only from pages on the topic that are no
    /// results.
    pub fn is_focused(&self) -> bool {
        self.inputs.is_focused
    }

    /// True if an anchor text names the target; `None` without a topic.
    pub fn names_topic(&self, anchor: &str) -> Option<bool> {
        self.inputs.judge.as_ref().map(|judge| judge.is_named(anchor))
    }

    /// Judgement of any page, fetched or not; `None` without a topic. For metrics only: a crawler
    /// cannot know it.
    pub fn would_judge(&self, web: &dyn Web, page: PageId, status: u16) -> Option<Judgement> {
        let judge = self.inputs.judge.as_ref()?;
        if (300..400).contains(&status) {
            return Some(Judgement::of_redirect(None));
        }
        let anchors = (0..web.links(page).len()).map(|place| web.anchor(page, place)).collect();
        let text = PageText { title: web.title(page), text: web.text(page), anchors };
        Some(judge.judge(&text))
    }

    /// True if the page's site is part of the training data, so that it must not be crawled.
    pub fn is_training_site(&self, web: &dyn Web, page: PageId) -> bool {
        let site = |training_sites: &Arc<Vec<bool>>| {
            let host = web.host_of(page)?;
            training_sites.get(web.host(host).site.index()).copied()
        };
        self.inputs.training_sites.as_ref().and_then(site).unwrap_or(false)
    }

    /// Judges the page fetched last.
    pub(super) fn judge(&mut self, web: &dyn Web, url: UrlId, status: u16) {
        let Some(judge) = &self.inputs.judge else { return };
        let known = Known::new(web, &self.book, self.inputs.truth.as_deref());
        let is_redirect = (300..400).contains(&status);
        let judgement = if is_redirect {
            // A redirect has no text: it inherits the relevance of the page before it.
            let before = known.parent(url).and_then(|parent| known.judgement(parent));
            Judgement::of_redirect(before)
        } else {
            judge.judge(&known.page_text(url))
        };
        let is_followed = judgement.leads_on() || known.is_seed(url);
        self.book.judged(judgement, is_followed || !self.inputs.is_focused, is_redirect);
    }

    /// Reason to refuse a URL independent of the page it was found on.
    pub(super) fn refusal(&self, web: &dyn Web, url: UrlId) -> Option<Refusal> {
        if self.is_training_site(web, self.book.page(url)) {
            return Some(Refusal::Trained);
        }
        let given_up = self.strategy.gives_up() && !self.strategy.wants(url, &self.known(web));
        given_up.then_some(Refusal::GivenUp)
    }
}
