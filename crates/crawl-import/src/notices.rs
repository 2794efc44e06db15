//! Collects the notices of an import.

use crate::error::Spot;
use crate::html::Page;
use crate::notice::{Notice, NoticeKind, Place};

/// Maximum number of notices per file; one more counts the rest.
const MOST: usize = 50;

/// Collects notices, one per kind.
#[derive(Clone, Debug)]
pub(crate) struct Notices {
    file: String,
    /// Whether positions in the main file are lines or records.
    spot: fn(u64) -> Spot,
    list: Vec<Notice>,
}

impl Notices {
    pub(crate) fn new(file: &str) -> Self {
        let file = file.to_owned();
        let (spot, list) = (Spot::Line as fn(u64) -> Spot, Vec::new());
        Self { file, spot, list }
    }

    /// Counts `count` occurrences of a kind in the main file.
    ///
    /// Kinds with a `first` are counted with [`First`].
    pub(crate) fn add(&mut self, kind: NoticeKind, at: Option<u64>, count: u64) {
        self.add_in(None, kind, at.map(self.spot), count);
    }

    /// Makes positions in the main file record numbers.
    pub(crate) fn count_records(&mut self) {
        self.spot = Spot::Record;
    }

    /// Adds the notices about a page's HTML.
    pub(crate) fn html(&mut self, page: &Page, at: u64) {
        self.add(NoticeKind::HtmlCut, Some(at), page.cut.into());
        self.add(NoticeKind::LinksLeftOut, Some(at), page.links_left_out);
    }

    /// Counts occurrences in `file`, or in the main file if `None`.
    fn add_in(&mut self, file: Option<&str>, kind: NoticeKind, spot: Option<Spot>, count: u64) {
        if count == 0 {
            return;
        }
        let file = file.unwrap_or(&self.file);
        let same = |notice: &&mut Notice| notice.kind == kind && notice.file == file;
        if let Some(notice) = self.list.iter_mut().find(same) {
            notice.count += count;
            return;
        }
        let (kind, spot) = match self.list.len() {
            0..MOST => (kind, spot),
            MOST => (NoticeKind::Others, None),
            _ => {
                self.list[MOST].count += count;
                return;
            }
        };
        let file = file.to_owned();
        self.list.push(Notice { file, spot, count, kind });
    }

    /// Counts an unknown field; allocates only the first time.
    pub(crate) fn unknown_field(&mut self, place: Place, name: &str, line: u64) {
        let known = self.list.iter_mut().find(|notice| {
            matches!(&notice.kind, NoticeKind::UnknownField { place: p, name: n }
                if *p == place && n == name)
        });
        match known {
            Some(notice) => notice.count += 1,
            None => {
                let name = name.chars().take(200).collect();
                self.add(NoticeKind::UnknownField { place, name }, Some(line), 1);
            }
        }
    }

    pub(crate) fn into_list(self) -> Vec<Notice> {
        self.list
    }
}

/// Counts occurrences and keeps the first.
#[derive(Default)]
pub(crate) struct First {
    first: Option<(u64, String)>,
    pub(crate) count: u64,
}

impl First {
    pub(crate) fn count(&mut self, line: u64, what: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| (line, what.to_owned()));
    }

    /// Adds the notice for the main file.
    pub(crate) fn report(self, notices: &mut Notices, kind: impl Fn(String) -> NoticeKind) {
        if let Some((line, first)) = self.first {
            notices.add(kind(first), Some(line), self.count);
        }
    }

    /// Adds the notice for another file.
    pub(crate) fn report_in(
        self,
        file: &str,
        notices: &mut Notices,
        kind: impl Fn(String) -> NoticeKind,
    ) {
        if let Some((line, first)) = self.first {
            notices.add_in(Some(file), kind(first), Some(Spot::Line(line)), self.count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_reported_once_and_all_are_bounded() {
        let mut notices = Notices::new("w");
        notices.unknown_field(Place::Page, "colour", 3);
        notices.unknown_field(Place::Page, "colour", 9);
        notices.unknown_field(Place::Link, "colour", 4);
        notices.add(NoticeKind::RepeatedLinks, None, 1);
        notices.add(NoticeKind::LinksToItself, None, 0);
        let texts: Vec<String> = notices.list.iter().map(Notice::to_string).collect();
        assert_eq!(
            texts,
            [
                "w, line 3: unknown page field \"colour\" is ignored (2 times)",
                "w, line 4: unknown link field \"colour\" is ignored",
                "w: 1 repeated link was dropped",
            ]
        );
        for i in 0..1000 {
            notices.unknown_field(Place::Page, &i.to_string(), 5);
        }
        let list = notices.into_list();
        assert_eq!(list.len(), MOST + 1);
        assert_eq!(list[MOST].to_string(), "w: 953 more notices");
    }
}
