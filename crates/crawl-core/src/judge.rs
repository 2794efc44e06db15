//! What a fetched page is found to be.

/// What a page shows of itself.
#[derive(Clone, Debug, Default)]
pub struct PageText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its text, a line a block.
    pub text: &'a str,
    /// The anchor texts of its links.
    pub anchors: Vec<&'a str>,
}

/// What a page was found to be when it came in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// P(topic | page), from 0 to 1.
    pub relevance: f64,
    /// Whether it is about the topic.
    pub is_on_topic: bool,
    /// Whether it is what is looked for: it goes to the result set.
    pub is_result: bool,
}

impl Judgement {
    /// Of a redirect, which says nothing of itself: it is part of the way from the page before it.
    pub(crate) fn of_redirect(before: Option<Self>) -> Self {
        let relevance = before.map_or(1.0, |before| before.relevance);
        Self { relevance, is_on_topic: true, is_result: false }
    }

    /// Whether the focused loop follows its links.
    pub(crate) fn leads_on(self) -> bool {
        self.is_on_topic && !self.is_result
    }
}

/// Says of pages what they are.
pub trait Judge: Send + Sync {
    /// What a page is.
    fn judge(&self, page: &PageText<'_>) -> Judgement;

    /// Whether a link's text says that it leads to what is looked for.
    fn is_named(&self, anchor: &str) -> bool;
}
