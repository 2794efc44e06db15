//! Interface of page classifiers: is a page on the topic?

/// Text of a page, for classification.
#[derive(Clone, Debug, Default)]
pub struct PageText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its text, one line per block.
    pub text: &'a str,
    /// The anchor texts of its links.
    pub anchors: Vec<&'a str>,
}

/// Classification of a fetched page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// P(topic | page), from 0 to 1.
    pub relevance: f64,
    /// True if the page is about the topic.
    pub is_on_topic: bool,
    /// True if the page is a target: it goes to the result set.
    pub is_result: bool,
}

impl Judgement {
    /// Judgement of a redirect, which has no text: it inherits the relevance of the page before it.
    pub(crate) fn of_redirect(before: Option<Self>) -> Self {
        let relevance = before.map_or(1.0, |before| before.relevance);
        Self { relevance, is_on_topic: true, is_result: false }
    }

    /// True if the focused crawl follows its links.
    pub(crate) fn leads_on(self) -> bool {
        self.is_on_topic && !self.is_result
    }
}

/// Classifies pages by topic.
pub trait Judge: Send + Sync {
    /// Classifies a page.
    fn judge(&self, page: &PageText<'_>) -> Judgement;

    /// True if an anchor text names the target.
    fn is_named(&self, anchor: &str) -> bool;
}
