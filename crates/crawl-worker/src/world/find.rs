//! Pages by a part of their URL or title.
//!
//! Best are pages whose host or last part of the path is what is looked for, then those where it
//! begins with it, then those that hold it anywhere in the URL, then in the title; of equals, those
//! of higher rank.

use super::{Host, Present, WorldWorker, page_name};
use crate::SLICE_MS;
use crawl_protocol::Task;
use crawl_protocol::world::Answer;
use crawl_world::{PageId, order};

/// Pages looked at between two looks at the clock.
const STRIDE: u32 = 256;
/// Longest text looked for, in bytes.
const MAX_TEXT: usize = 1000;

/// A search under way.
pub(super) struct FindJob {
    pub(super) task: Task,
    text: String,
    limit: usize,
    next: u32,
    found: Vec<(Class, PageId)>,
}

/// How well a page fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Is,
    Begins,
    InUrl,
    InTitle,
}

impl FindJob {
    pub(super) fn new(task: Task, text: &str, limit: usize) -> Self {
        let text: String = text.trim().chars().take(MAX_TEXT).collect();
        Self { task, text: text.to_lowercase(), limit, next: 0, found: Vec::new() }
    }

    /// Looks at pages until a moment; true at the end.
    fn slice(&mut self, present: &Present, host: &dyn Host) -> bool {
        let until = host.now_ms() + SLICE_MS;
        let world = &*present.world;
        let n_pages = if self.text.is_empty() { 0 } else { world.n_pages() };
        while self.next < n_pages {
            let end = n_pages.min(self.next + STRIDE);
            for page in (self.next..end).map(PageId) {
                let class = class(&self.text, &world.url(page), world.title_of(page));
                self.found.extend(class.map(|class| (class, page)));
            }
            self.next = end;
            if host.now_ms() >= until {
                break;
            }
        }
        self.next >= n_pages
    }

    fn answer(self, present: &Present) -> Answer {
        let n_found = self.found.len() as u32;
        let rank = |page: PageId| order::falling(present.truth.rank(page));
        let by_rank = order::arranged(self.found, |(_, page)| rank(*page));
        let best = order::arranged(by_rank, |(class, _)| *class as u64);
        let pages = best
            .iter()
            .take(self.limit)
            .map(|(_, page)| page_name(&present.world, *page))
            .collect();
        Answer::Found { task: self.task, pages, n_found }
    }
}

impl WorldWorker {
    /// Searches for a few milliseconds.
    pub(super) fn find(&mut self, host: &mut dyn Host) {
        let (Some(present), Some(mut job)) = (&self.present, self.find.take()) else { return };
        if job.slice(present, host) {
            host.send(job.answer(present), Vec::new());
        } else {
            self.find = Some(job);
        }
    }
}

/// How well a page fits a text in lower case.
fn class(text: &str, url: &str, title: &str) -> Option<Class> {
    let url = url.to_lowercase();
    if !url.contains(text) {
        return title.to_lowercase().contains(text).then_some(Class::InTitle);
    }
    let rest = url.split_once("://").map_or(&*url, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    // Of a page deep in a host, the host's name says little.
    let parts = [if last.is_empty() { host } else { "" }, last];
    let is = |part: &&str| *part == text || part.split_once('.').is_some_and(|p| p.0 == text);
    if url == *text || parts.iter().any(is) {
        Some(Class::Is)
    } else if parts.iter().any(|part| part.starts_with(text)) {
        Some(Class::Begins)
    } else {
        Some(Class::InUrl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_matches_come_first() {
        let cases = [
            ("cs", "http://cs.campus.example/", "", Some(Class::Is)),
            ("cs", "http://cs.campus.example/people/", "", Some(Class::InUrl)),
            ("people", "http://cs.campus.example/people/", "", Some(Class::Is)),
            ("index", "http://a.example/index.html", "", Some(Class::Is)),
            ("ind", "http://a.example/Index.html", "", Some(Class::Begins)),
            ("http://a.example/", "http://a.example/", "", Some(Class::Is)),
            ("äpfel", "http://a.example/", "Rote ÄPFEL", Some(Class::InTitle)),
            ("17", "http://graph.invalid/17", "", Some(Class::Is)),
            ("1", "http://graph.invalid/17", "", Some(Class::Begins)),
            ("7", "http://graph.invalid/17", "", Some(Class::InUrl)),
            ("pears", "http://a.example/", "apples", None),
        ];
        for (text, url, title, expected) in cases {
            assert_eq!(class(text, url, title), expected, "{text} in {url}");
        }
    }
}
