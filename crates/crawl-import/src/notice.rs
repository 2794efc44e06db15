//! Notices: harmless oddities of a file.

use crate::error::{Message, Shown, Spot};
use std::fmt;

/// Maximum duration of a crawl, in hours.
pub(crate) const MOST_HOURS: f64 = 1e6;

/// An oddity, reported once per kind with its number of occurrences.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The name of the file.
    pub file: String,
    /// Position of the first occurrence, if it has one.
    pub spot: Option<Spot>,
    /// Number of occurrences.
    pub count: u64,
    /// Kind of oddity.
    pub kind: NoticeKind,
}

/// Kinds of oddities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// An unknown JSON field.
    UnknownField {
        /// The object it is in.
        place: Place,
        /// Its name.
        name: String,
    },
    /// A header without a version.
    NoVersion,
    /// `html` is ignored because title, text and links are given.
    HtmlNotRead,
    /// Pages too large or too deeply nested; their end was not read.
    HtmlCut,
    /// Links beyond the maximum per page.
    LinksLeftOut,
    /// Links of a redirect or error, which a crawler never sees.
    LinksOfNonPages,
    /// Links that leave the snapshot: they count in the out-degree but are never followed.
    LinksOutside {
        /// Target of the first.
        first: String,
    },
    /// Links that are not http(s) URLs, such as `mailto:`.
    NotWebLinks {
        /// The first.
        first: String,
    },
    /// Redirects that leave the snapshot.
    RedirectsOutside {
        /// Target of the first.
        first: String,
    },
    /// Hosts without pages.
    HostWithoutPages {
        /// The first.
        first: String,
    },
    /// Pages with an invalid URL, identified by their numbers instead.
    UnusableUrls {
        /// The first such URL.
        first: String,
    },
    /// Links from a page to itself.
    LinksToItself,
    /// Duplicate links of a page.
    RepeatedLinks,
    /// Duplicate topics of a page.
    RepeatedTopics,
    /// Change times that are not in order.
    ChangesSorted,
    /// Duplicate change times of a page.
    RepeatedChanges,
    /// Change times after the end of any crawl.
    LateChanges,
    /// Pages with change times and also a rate or rhythm, which is ignored.
    ChangesOverride,
    /// Rows of commits that touch too many files.
    MassEdits {
        /// The maximum number of files.
        most_files: u32,
    },
    /// Pages that are deleted at the end of their history.
    PagesGone,
    /// An added page that links to all others.
    HomeAdded {
        /// Its URL.
        url: String,
    },
    /// Lines with unused columns, such as weights.
    MoreColumns,
    /// Records of an archive that are not HTML.
    NotHtml {
        /// The URL of the first.
        first: String,
    },
    /// Records of an archive that are not HTTP responses.
    NotHttp {
        /// The URL of the first.
        first: String,
    },
    /// `revisit` records, which only state that a page was unchanged.
    Revisits {
        /// The URL of the first.
        first: String,
    },
    /// Records with a URL of an earlier record.
    SameUrl {
        /// The first such URL.
        first: String,
    },
    /// Records of unknown type, and continuation records.
    OtherRecords {
        /// The type of the first.
        first: String,
    },
    /// Records that are not followed by two line breaks.
    RecordEnds,
    /// Records that contain the start of another record, which is lost if the length is wrong.
    RecordInside,
    /// Records that do not match their `WARC-Block-Digest`.
    DigestDiffers {
        /// The URL of the first.
        first: String,
    },
    /// Pages with damaged gzip, deflate or chunked content, read up to the damage.
    DamagedContent {
        /// The URL of the first.
        first: String,
    },
    /// Pages with an unknown `Content-Encoding`: they have no text and no links.
    UnknownCoding {
        /// The first such encoding.
        first: String,
    },
    /// Labels of URLs that are not pages.
    LabelsOfUnknownUrls {
        /// The first such URL.
        first: String,
    },
    /// A damaged archive, read up to the damage.
    RestLost {
        /// What is wrong.
        why: String,
    },
    /// Notices beyond the maximum number of kinds.
    Others,
}

/// Kinds of objects in a JSON Lines world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The header, on the first line.
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
        write!(f, ": {}", Counted(self))
    }
}

/// Formats a notice without its file and position.
pub(crate) struct Counted<'n>(pub(crate) &'n Notice);

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(notice) = self;
        let n = notice.count;
        let (links, leave, were, have) = match n {
            1 => ("link", "leaves", "was", "has"),
            _ => ("links", "leave", "were", "have"),
        };
        match &notice.kind {
            NoticeKind::UnknownField { place, name } => {
                write!(f, "unknown {place} field {:?} is ignored", Shown(name))?;
                if n > 1 {
                    write!(f, " ({n} times)")?;
                }
                Ok(())
            }
            NoticeKind::NoVersion => write!(f, "the header has no version, 1 is assumed"),
            NoticeKind::HtmlNotRead => {
                write!(f, "html is ignored because title, text or links are given")?;
                if n > 1 {
                    write!(f, " ({n} times)")?;
                }
                Ok(())
            }
            NoticeKind::HtmlCut => {
                let pages = plural(n, "page");
                write!(f, "{pages} {were} too large and cut off")
            }
            NoticeKind::LinksLeftOut => {
                write!(f, "{n} {links} beyond the maximum per page {were} dropped")
            }
            NoticeKind::LinksOfNonPages => {
                write!(f, "{n} {links} of redirects and errors {were} dropped")
            }
            NoticeKind::LinksOutside { first } => {
                let first = Shown(first);
                write!(f, "{n} {links} {leave} the snapshot, first to {first}")
            }
            NoticeKind::NotWebLinks { first } => {
                let first = Shown(first);
                write!(
                    f,
                    "{n} {links} to other schemes than http(s) {were} dropped, first {first:?}"
                )
            }
            NoticeKind::RedirectsOutside { first } => {
                let (redirects, first) = (plural(n, "redirect"), Shown(first));
                write!(f, "{redirects} {leave} the snapshot, first to {first:?}")
            }
            NoticeKind::HostWithoutPages { first } => {
                let (hosts, first) = (plural(n, "host"), Shown(first));
                write!(f, "{hosts} without pages {were} dropped, first {first}")
            }
            NoticeKind::UnusableUrls { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                let (is, its) =
                    if n == 1 { ("is", "its number") } else { ("are", "their numbers") };
                write!(
                    f,
                    "{pages} {have} no valid URL and {is} identified by {its}, first {first:?}"
                )
            }
            NoticeKind::LinksToItself => {
                write!(f, "{n} {links} from a page to itself {were} dropped")
            }
            NoticeKind::RepeatedLinks => write!(f, "{n} repeated {links} {were} dropped"),
            NoticeKind::RepeatedTopics => {
                let topics = if n == 1 { "topic" } else { "topics" };
                write!(f, "{n} repeated {topics} {were} dropped")
            }
            NoticeKind::ChangesSorted => {
                let (changes, is) = (plural(n, "change"), if n == 1 { "is" } else { "are" });
                write!(f, "{changes} {is} earlier than the change before; changes were sorted")
            }
            NoticeKind::RepeatedChanges => {
                let changes = if n == 1 { "change" } else { "changes" };
                write!(f, "{n} repeated {changes} {were} dropped")
            }
            NoticeKind::LateChanges => {
                let (changes, is) = (plural(n, "change"), if n == 1 { "is" } else { "are" });
                write!(
                    f,
                    "{changes} {is} more than {MOST_HOURS} hours after the start, later than any "
                )?;
                write!(f, "crawl lasts; all are kept")
            }
            NoticeKind::ChangesOverride => {
                let pages = plural(n, "page");
                let its = if n == 1 { "its" } else { "their" };
                write!(f, "{pages} {have} changes_s; {its} rate or rhythm is ignored")
            }
            NoticeKind::MassEdits { most_files } => {
                let rows = plural(n, "row");
                write!(
                    f,
                    "{rows} of commits with more than {most_files} files {were} dropped as mass \
                     edits; their deletions are kept"
                )
            }
            NoticeKind::PagesGone => {
                let (pages, is) = (plural(n, "page"), if n == 1 { "is" } else { "are" });
                write!(f, "{pages} {is} deleted at the end of the history (gone_s)")
            }
            NoticeKind::HomeAdded { url } => {
                let (pages, url) = (plural(n, "page"), Shown(url));
                write!(f, "the home page {url} was added, with links to all {pages}")
            }
            NoticeKind::MoreColumns => {
                let lines = plural(n, "line");
                write!(f, "{lines} {have} unused columns (weights?)")
            }
            NoticeKind::NotHtml { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} without HTML {were} skipped, first {first}")
            }
            NoticeKind::NotHttp { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} not from HTTP {were} skipped, first {first}")
            }
            NoticeKind::Revisits { first } => {
                let (records, first) = (plural(n, "revisit record"), Shown(first));
                write!(f, "{records} {were} skipped, first {first}")
            }
            NoticeKind::SameUrl { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} with duplicate URLs {were} skipped, first {first}")
            }
            NoticeKind::OtherRecords { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} of unknown types {were} skipped, first {first:?}")
            }
            NoticeKind::RecordEnds => {
                let (records, are) = (plural(n, "record"), if n == 1 { "is" } else { "are" });
                write!(f, "{records} {are} not followed by two line breaks (wrong length?)")
            }
            NoticeKind::RecordInside => {
                let (records, hold) = (plural(n, "record"), if n == 1 { "holds" } else { "hold" });
                write!(f, "{records} {hold} the start of another, which is skipped (wrong length?)")
            }
            NoticeKind::DigestDiffers { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                let (differ, their) = if n == 1 { ("differs", "its") } else { ("differ", "their") };
                write!(
                    f,
                    "{records} {differ} from {their} WARC-Block-Digest (damaged or \
                     modified), first {first}"
                )
            }
            NoticeKind::DamagedContent { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                write!(
                    f,
                    "{pages} {have} damaged content (gzip, deflate or chunks), read up to the \
                     damage, first {first}"
                )
            }
            NoticeKind::UnknownCoding { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                write!(f, "{pages} of unknown encoding {have} no text, first {first:?}")
            }
            NoticeKind::LabelsOfUnknownUrls { first } => {
                let (labels, first) = (plural(n, "label"), Shown(first));
                write!(f, "{labels} of unknown URLs {were} dropped, first {first}")
            }
            NoticeKind::RestLost { why } => {
                write!(f, "{}; everything before is kept", Message(why))
            }
            NoticeKind::Others => write!(f, "{n} more notices"),
        }
    }
}

fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
