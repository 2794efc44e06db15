//! What was odd about a file but harmless.

use crate::error::{Shown, Spot};
use crate::html::Page;
use std::fmt;

/// Most notices of one file; what goes beyond is counted in one more.
const MOST: usize = 50;

/// The longest that a crawl may go on.
pub(crate) const MOST_HOURS: f64 = 1e6;

/// Something odd, told once however often it occurs.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The name of the file.
    pub file: String,
    /// Where it occurred first, where there is such a place.
    pub spot: Option<Spot>,
    /// How often it occurred.
    pub count: u64,
    /// What it is.
    pub kind: NoticeKind,
}

/// What was odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A field that means nothing there.
    UnknownField {
        /// In what.
        place: Place,
        /// Its name.
        name: String,
    },
    /// A header that does not say its version.
    NoVersion,
    /// HTML beside title, text or links, which are used instead.
    HtmlNotRead,
    /// Pages so large or so deeply nested that a part of them was not read.
    HtmlCut,
    /// Links of a page beyond those that are kept.
    LinksLeftOut,
    /// Links of a page that redirects or fails: a crawler never sees them.
    LinksOfNoPage,
    /// Links that leave the snapshot: counted in O(i), never followed.
    LinksOutside {
        /// Where the first leads.
        first: String,
    },
    /// Links that are no web address, `mailto:` for one.
    NotWebLinks {
        /// The first.
        first: String,
    },
    /// A redirect that leaves the snapshot.
    RedirectsOutside {
        /// Where the first leads.
        first: String,
    },
    /// A host of which there is no page.
    HostWithoutPages {
        /// The first.
        first: String,
    },
    /// Pages whose URL nobody could fetch, named by their numbers instead.
    UnusableUrls {
        /// The first such URL.
        first: String,
    },
    /// Links from a page to itself.
    LinksToItself,
    /// Links that a page already has.
    RepeatedLinks,
    /// Times of changes earlier than the one before.
    ChangesSorted,
    /// Times of changes that a page already has.
    RepeatedChanges,
    /// Times of changes that no crawl can reach.
    LateChanges,
    /// Pages with times of changes and another way to change besides, which is not used.
    ChangesDecide,
    /// Rows of commits that touch very many files.
    MassEdits {
        /// More than this.
        most_files: u32,
    },
    /// Pages whose history ends with their deletion.
    PagesGone,
    /// A page that no file has, from which all others can be reached.
    HomeAdded {
        /// Its URL.
        url: String,
    },
    /// Weights and other columns beyond those that are read.
    MoreColumns,
    /// Records of an archive with content that is no page.
    NotHtml {
        /// The URL of the first.
        first: String,
    },
    /// Records of an archive that did not come by HTTP.
    NotHttp {
        /// The URL of the first.
        first: String,
    },
    /// Records of an archive that say only that a page had not changed.
    Revisits {
        /// The URL of the first.
        first: String,
    },
    /// Records of URLs that an archive has before.
    SameUrl {
        /// The first such URL.
        first: String,
    },
    /// Pages packed in a way that is not known: they have no text and no links.
    UnknownCoding {
        /// The first such way.
        first: String,
    },
    /// Labels of URLs that are no pages.
    LabelsOfNoPage {
        /// The first such URL.
        first: String,
    },
    /// An archive is damaged: what came before is kept.
    RestLost {
        /// What is wrong.
        why: String,
    },
    /// Other kinds than there is room for.
    Others,
}

/// Parts of a JSON Lines world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its first line.
    Header,
    /// A page.
    Page,
    /// A link of a page.
    Link,
    /// A host.
    Host,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "header",
            Self::Page => "page",
            Self::Link => "link",
            Self::Host => "host",
        })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Shown(&self.file))?;
        if let Some(spot) = self.spot {
            write!(f, ", {spot}")?;
        }
        let n = self.count;
        let (links, leave, were, have) = match n {
            1 => ("link", "leaves", "was", "has"),
            _ => ("links", "leave", "were", "have"),
        };
        match &self.kind {
            NoticeKind::UnknownField { place, name } => {
                write!(f, ": unknown {place} field {:?} is ignored", Shown(name))?;
                if n > 1 {
                    write!(f, " ({n} times)")?;
                }
                Ok(())
            }
            NoticeKind::NoVersion => write!(f, ": the header has no version, 1 is assumed"),
            NoticeKind::HtmlNotRead => {
                write!(f, ": html is not read, title, text and links are")?;
                if n > 1 {
                    write!(f, " ({n} times)")?;
                }
                Ok(())
            }
            NoticeKind::HtmlCut => {
                let pages = plural(n, "page");
                write!(f, ": {pages} {were} too large, the end is not read")
            }
            NoticeKind::LinksLeftOut => {
                write!(f, ": {n} {links} of pages with too many {were} dropped")
            }
            NoticeKind::LinksOfNoPage => {
                write!(f, ": {n} {links} of redirects and errors {were} dropped")
            }
            NoticeKind::LinksOutside { first } => {
                let first = Shown(first);
                write!(f, ": {n} {links} {leave} the snapshot, first to {first}")
            }
            NoticeKind::NotWebLinks { first } => {
                let first = Shown(first);
                write!(f, ": {n} {links} to no web address {were} dropped, first {first:?}")
            }
            NoticeKind::RedirectsOutside { first } => {
                let (redirects, first) = (plural(n, "redirect"), Shown(first));
                write!(f, ": {redirects} {leave} the snapshot, first to {first:?}")
            }
            NoticeKind::HostWithoutPages { first } => {
                let (hosts, first) = (plural(n, "host"), Shown(first));
                write!(f, ": {hosts} without pages {were} dropped, first {first}")
            }
            NoticeKind::UnusableUrls { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                let (is, its) =
                    if n == 1 { ("is", "its number") } else { ("are", "their numbers") };
                write!(
                    f,
                    ": {pages} {have} no URL that can be fetched and {is} named by {its}, \
                     first {first:?}"
                )
            }
            NoticeKind::LinksToItself => {
                write!(f, ": {n} {links} from a page to itself {were} dropped")
            }
            NoticeKind::RepeatedLinks => write!(f, ": {n} repeated {links} {were} dropped"),
            NoticeKind::ChangesSorted => {
                let (changes, is) = (plural(n, "change"), if n == 1 { "is" } else { "are" });
                write!(f, ": {changes} {is} earlier than the one before, all are sorted by time")
            }
            NoticeKind::RepeatedChanges => {
                let changes = if n == 1 { "change" } else { "changes" };
                write!(f, ": {n} repeated {changes} {were} dropped")
            }
            NoticeKind::LateChanges => {
                let (changes, is) = (plural(n, "change"), if n == 1 { "is" } else { "are" });
                write!(
                    f,
                    ": {changes} {is} more than {MOST_HOURS} hours after the start, later than "
                )?;
                write!(f, "any crawl goes on; all are kept")
            }
            NoticeKind::ChangesDecide => {
                let pages = plural(n, "page");
                let (it, its) =
                    if n == 1 { ("it changes", "its") } else { ("they change", "their") };
                write!(
                    f,
                    ": {pages} {have} changes_s, which say when {it}; {its} rate or rhythm is not used"
                )
            }
            NoticeKind::MassEdits { most_files } => {
                let rows = plural(n, "row");
                write!(
                    f,
                    ": {rows} of commits with more than {most_files} files {were} dropped as mass \
                     edits; what they delete is gone all the same"
                )
            }
            NoticeKind::PagesGone => {
                let (pages, is) = (plural(n, "page"), if n == 1 { "is" } else { "are" });
                write!(f, ": {pages} {is} deleted in the end and gone from then on (gone_s)")
            }
            NoticeKind::HomeAdded { url } => {
                let (pages, url) = (plural(n, "page"), Shown(url));
                write!(f, ": the home page {url} was added, with links to all {pages}")
            }
            NoticeKind::MoreColumns => {
                let lines = plural(n, "line");
                write!(f, ": {lines} {have} more columns than are read (weights?)")
            }
            NoticeKind::NotHtml { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, ": {records} of other content than HTML {were} skipped, first {first}")
            }
            NoticeKind::NotHttp { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, ": {records} not fetched by HTTP {were} skipped, first {first}")
            }
            NoticeKind::Revisits { first } => {
                let (records, first) = (plural(n, "revisit record"), Shown(first));
                write!(f, ": {records} {were} skipped, first {first}")
            }
            NoticeKind::SameUrl { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, ": {records} of URLs read before {were} skipped, first {first}")
            }
            NoticeKind::UnknownCoding { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                write!(f, ": {pages} packed in an unknown way {have} no text, first {first:?}")
            }
            NoticeKind::LabelsOfNoPage { first } => {
                let (labels, first) = (plural(n, "label"), Shown(first));
                write!(f, ": {labels} of URLs that are no pages {were} dropped, first {first}")
            }
            NoticeKind::RestLost { why } => {
                let why = Shown(why);
                write!(f, ": {why}; what stands before is kept")
            }
            NoticeKind::Others => write!(f, ": {n} more oddities"),
        }
    }
}

fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Collects notices, each kind once.
#[derive(Clone, Debug)]
pub(crate) struct Notices {
    file: String,
    /// What the main file consists of.
    spot: fn(u64) -> Spot,
    list: Vec<Notice>,
}

impl Notices {
    pub(crate) fn new(file: &str) -> Self {
        let file = file.to_owned();
        let (spot, list) = (Spot::Line as fn(u64) -> Spot, Vec::new());
        Self { file, spot, list }
    }

    /// Adds `count` occurrences of one kind in the main file. Kinds that carry a `first` are
    /// counted with [`First`].
    pub(crate) fn add(&mut self, kind: NoticeKind, at: Option<u64>, count: u64) {
        self.add_in(None, kind, at.map(self.spot), count);
    }

    /// From now on, numbers in the main file are of records.
    pub(crate) fn count_records(&mut self) {
        self.spot = Spot::Record;
    }

    /// What is odd about a page's HTML.
    pub(crate) fn html(&mut self, page: &Page, at: u64) {
        self.add(NoticeKind::HtmlCut, Some(at), page.cut.into());
        self.add(NoticeKind::LinksLeftOut, Some(at), page.links_left_out);
    }

    /// The same in that file, or in the main one.
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

    /// An unknown field, without an allocation when it is known to be unknown.
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

/// Counts what is alike, and remembers the first.
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

    /// Tells of it in the main file.
    pub(crate) fn report(self, notices: &mut Notices, kind: impl Fn(String) -> NoticeKind) {
        if let Some((line, first)) = self.first {
            notices.add(kind(first), Some(line), self.count);
        }
    }

    /// Tells of it in another file.
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
    fn each_kind_is_told_once_and_all_are_bounded() {
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
        assert_eq!(list[MOST].to_string(), "w: 953 more oddities");
    }
}
