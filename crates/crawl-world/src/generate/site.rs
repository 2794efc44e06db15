//! Shared code of `campus`, `shop`, `newsroom` and `calendar`: pages with all properties.
//!
//! The purpose of a page determines its length, change rate and click probability; its host
//! determines the response time. Change rates vary from page to page: each is that of its purpose
//! times an exponentially distributed number of mean 1.

use super::words::{self, Topic};
use crate::{BuildError, Link, PageId, Rng, World, WorldBuilder};

/// Purpose of a page.
pub(super) struct Purpose {
    /// Mean number of words.
    pub words: u32,
    /// Mean number of bytes besides the text.
    pub bytes: u32,
    pub changes_per_hour: f64,
    /// Share of such pages with clicks.
    pub clicked: f64,
}

const fn purpose(words: u32, bytes: u32, changes_per_hour: f64, clicked: f64) -> Purpose {
    Purpose { words, bytes, changes_per_hour, clicked }
}

pub(super) const HOME: Purpose = purpose(60, 30_000, 1.0 / 24.0, 1.0);
pub(super) const LIST: Purpose = purpose(40, 14_000, 1.0 / 72.0, 0.15);
pub(super) const NEWS_LIST: Purpose = purpose(60, 20_000, 0.25, 0.3);
pub(super) const NEWS: Purpose = purpose(140, 16_000, 1.0 / 200.0, 0.06);
pub(super) const ARTICLE: Purpose = purpose(160, 12_000, 1.0 / 2_000.0, 0.06);
pub(super) const PERSON: Purpose = purpose(90, 8_000, 1.0 / 1_500.0, 0.05);
pub(super) const COURSE: Purpose = purpose(120, 9_000, 1.0 / 168.0, 0.06);
pub(super) const DOCUMENT: Purpose = purpose(260, 400_000, 0.0, 0.04);
/// Generated for every date; never clicked.
pub(super) const EMPTY: Purpose = purpose(20, 6_000, 0.0, 0.0);
pub(super) const PRODUCT: Purpose = purpose(110, 24_000, 1.0 / 96.0, 0.07);

/// Navigation links of all pages of a part of a site, in a fixed order.
#[derive(Clone, Default)]
pub(super) struct Menu {
    items: Vec<(PageId, String)>,
}

impl Menu {
    pub fn new(items: &[(PageId, &str)]) -> Self {
        Self { items: items.iter().map(|(page, anchor)| (*page, (*anchor).to_owned())).collect() }
    }

    /// Context of its links: all anchors.
    fn context(&self) -> String {
        let anchors: Vec<&str> = self.items.iter().map(|(_, anchor)| anchor.as_str()).collect();
        anchors.join(" ")
    }
}

/// Builder of sites.
pub(super) struct Site {
    pub builder: WorldBuilder,
    pub rng: Rng,
    titles: Vec<String>,
    /// Hosts with their response times in milliseconds.
    hosts: Vec<(String, f64)>,
}

impl Site {
    pub fn new(title: &str, rng: Rng) -> Self {
        Self { builder: WorldBuilder::new(title), rng, titles: Vec::new(), hosts: Vec::new() }
    }

    pub fn n_pages(&self) -> u32 {
        self.builder.n_pages()
    }

    /// Adds a page whose text is about some topics, mostly the first.
    pub fn page(
        &mut self,
        url: &str,
        title: &str,
        purpose: &Purpose,
        topics: &[&Topic],
    ) -> Result<PageId, BuildError> {
        let page = self.add(url, title)?;
        let n_words = purpose.words / 2 + self.rng.below(purpose.words + 1);
        let text = words::text(&mut self.rng, topics, n_words);
        let around = self.rng.exponential(f64::from(purpose.bytes));
        self.builder.set_bytes(page, text.len() as u32 + around as u32);
        self.builder.set_text(page, &text);
        let rate = self.rng.exponential(purpose.changes_per_hour);
        self.builder.set_change_rate(page, rate)?;
        if self.rng.chance(purpose.clicked) {
            let clicks = self.rng.power_law(1.9, 2_000.0);
            self.builder.set_clicks(page, clicks as u32);
        }
        Ok(page)
    }

    /// Adds labels to a page, for metrics and training.
    pub fn label(&mut self, page: PageId, labels: &[&str]) {
        for label in labels {
            self.builder.add_topic(page, label);
        }
    }

    /// Adds a page with status 404.
    pub fn gone(&mut self, url: &str) -> Result<PageId, BuildError> {
        let page = self.add(url, "Not found")?;
        self.builder.set_bytes(page, 512);
        self.builder.set_status(page, 404)?;
        Ok(page)
    }

    /// Adds a redirect.
    pub fn moved(&mut self, url: &str, to: PageId) -> Result<PageId, BuildError> {
        let page = self.add(url, "Moved")?;
        self.builder.set_bytes(page, 256);
        self.builder.set_status(page, 301)?;
        let location = self.builder.url(to).to_owned();
        self.builder.set_location(page, &location, Some(to));
        Ok(page)
    }

    fn add(&mut self, url: &str, title: &str) -> Result<PageId, BuildError> {
        let page = self.builder.page(url)?;
        self.builder.set_title(page, title);
        self.titles.push(title.to_owned());
        let host = url.split('/').nth(2).unwrap_or_default();
        let known = self.hosts.iter().find(|(name, _)| name == host).map(|(_, ms)| *ms);
        let host_ms = known.unwrap_or_else(|| {
            let ms = 25.0 + self.rng.exponential(70.0);
            self.hosts.push((host.to_owned(), ms));
            ms
        });
        let latency_ms = (host_ms * (0.7 + 0.6 * self.rng.fraction())).round();
        self.builder.set_latency_ms(page, latency_ms)?;
        Ok(page)
    }

    pub fn title(&self, page: PageId) -> &str {
        &self.titles[page.index()]
    }

    /// Links a page to all items of a menu.
    pub fn menu(&mut self, from: PageId, menu: &Menu) {
        let context = menu.context();
        for (to, anchor) in &menu.items {
            let link = Link { anchor, context: &context, nofollow: false };
            self.builder.link_with(from, *to, link);
        }
    }

    /// Adds a link without context.
    pub fn link(&mut self, from: PageId, to: PageId, anchor: &str) {
        self.link_in(from, to, anchor, anchor);
    }

    /// Adds a link with context.
    pub fn link_in(&mut self, from: PageId, to: PageId, anchor: &str, context: &str) {
        self.builder.link_with(from, to, Link { anchor, context, nofollow: false });
    }

    /// Adds a list item: a link with the title of its target.
    pub fn list(&mut self, from: PageId, to: PageId) {
        let title = self.title(to).to_owned();
        self.link(from, to, &title);
    }

    /// Adds a link within a text about some topics, with the title of its target.
    pub fn mention(&mut self, from: PageId, to: PageId, topics: &[&Topic]) {
        let title = self.title(to).to_owned();
        let context = words::around(&mut self.rng, topics, &title);
        self.link_in(from, to, &title, &context);
    }

    pub fn finish(self) -> Result<World, BuildError> {
        self.builder.finish()
    }
}

/// Pages that texts mention, by preferential attachment.
#[derive(Default)]
pub(super) struct Mentions {
    pages: Vec<PageId>,
    mentioned: Vec<PageId>,
}

impl Mentions {
    /// Probability that a mention repeats an earlier one.
    const COPY: f64 = 0.65;

    pub fn add(&mut self, page: PageId) {
        self.pages.push(page);
    }

    /// Draws a page to mention, if there is any.
    pub fn draw(&mut self, rng: &mut Rng) -> Option<PageId> {
        let repeats = !self.mentioned.is_empty() && rng.chance(Self::COPY);
        let from = if repeats { &self.mentioned } else { &self.pages };
        let page = (!from.is_empty()).then(|| *rng.pick(from))?;
        self.mentioned.push(page);
        Some(page)
    }
}
