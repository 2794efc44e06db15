//! What was odd about a file but harmless.

use crate::error::{Shown, Spot, Told};
use std::fmt;

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
    /// Topics that a page already has.
    RepeatedTopics,
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
    /// Records of an archive whose type is not known, or that continue another.
    OtherRecords {
        /// The type of the first.
        first: String,
    },
    /// Records that are not followed by two line ends where their length says they end.
    RecordEnds,
    /// Records that hold the start of another: their length may be wrong, and the other lost.
    RecordInside,
    /// Records that are not what their `WARC-Block-Digest` was computed from.
    DigestDiffers {
        /// The URL of the first.
        first: String,
    },
    /// Pages whose gzip, deflate or chunks are damaged: read as far as they are sound.
    DamagedContent {
        /// The URL of the first.
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
        write!(f, ": {}", Counted(self))
    }
}

/// A notice without its file and place.
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
                write!(f, "html is not read, title, text and links are")?;
                if n > 1 {
                    write!(f, " ({n} times)")?;
                }
                Ok(())
            }
            NoticeKind::HtmlCut => {
                let pages = plural(n, "page");
                write!(f, "{pages} {were} too large, the end is not read")
            }
            NoticeKind::LinksLeftOut => {
                write!(f, "{n} {links} of pages with too many {were} dropped")
            }
            NoticeKind::LinksOfNoPage => {
                write!(f, "{n} {links} of redirects and errors {were} dropped")
            }
            NoticeKind::LinksOutside { first } => {
                let first = Shown(first);
                write!(f, "{n} {links} {leave} the snapshot, first to {first}")
            }
            NoticeKind::NotWebLinks { first } => {
                let first = Shown(first);
                write!(f, "{n} {links} to no web address {were} dropped, first {first:?}")
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
                    "{pages} {have} no URL that can be fetched and {is} named by {its}, \
                     first {first:?}"
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
                write!(f, "{changes} {is} earlier than the one before, all are sorted by time")
            }
            NoticeKind::RepeatedChanges => {
                let changes = if n == 1 { "change" } else { "changes" };
                write!(f, "{n} repeated {changes} {were} dropped")
            }
            NoticeKind::LateChanges => {
                let (changes, is) = (plural(n, "change"), if n == 1 { "is" } else { "are" });
                write!(
                    f,
                    "{changes} {is} more than {MOST_HOURS} hours after the start, later than "
                )?;
                write!(f, "any crawl goes on; all are kept")
            }
            NoticeKind::ChangesDecide => {
                let pages = plural(n, "page");
                let (it, its) =
                    if n == 1 { ("it changes", "its") } else { ("they change", "their") };
                write!(
                    f,
                    "{pages} {have} changes_s, which say when {it}; {its} rate or rhythm is not used"
                )
            }
            NoticeKind::MassEdits { most_files } => {
                let rows = plural(n, "row");
                write!(
                    f,
                    "{rows} of commits with more than {most_files} files {were} dropped as mass \
                     edits; what they delete is gone all the same"
                )
            }
            NoticeKind::PagesGone => {
                let (pages, is) = (plural(n, "page"), if n == 1 { "is" } else { "are" });
                write!(f, "{pages} {is} deleted in the end and gone from then on (gone_s)")
            }
            NoticeKind::HomeAdded { url } => {
                let (pages, url) = (plural(n, "page"), Shown(url));
                write!(f, "the home page {url} was added, with links to all {pages}")
            }
            NoticeKind::MoreColumns => {
                let lines = plural(n, "line");
                write!(f, "{lines} {have} more columns than are read (weights?)")
            }
            NoticeKind::NotHtml { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} of other content than HTML {were} skipped, first {first}")
            }
            NoticeKind::NotHttp { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} not fetched by HTTP {were} skipped, first {first}")
            }
            NoticeKind::Revisits { first } => {
                let (records, first) = (plural(n, "revisit record"), Shown(first));
                write!(f, "{records} {were} skipped, first {first}")
            }
            NoticeKind::SameUrl { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} of URLs read before {were} skipped, first {first}")
            }
            NoticeKind::OtherRecords { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                write!(f, "{records} of other types {were} skipped, first {first:?}")
            }
            NoticeKind::RecordEnds => {
                let (records, are) = (plural(n, "record"), if n == 1 { "is" } else { "are" });
                write!(f, "{records} {are} not followed by two line ends where the length says so")
            }
            NoticeKind::RecordInside => {
                let (records, hold) = (plural(n, "record"), if n == 1 { "holds" } else { "hold" });
                write!(
                    f,
                    "{records} {hold} the start of another, which is not read (wrong length?)"
                )
            }
            NoticeKind::DigestDiffers { first } => {
                let (records, first) = (plural(n, "record"), Shown(first));
                let (differ, their) = if n == 1 { ("differs", "its") } else { ("differ", "their") };
                write!(
                    f,
                    "{records} {differ} from {their} WARC-Block-Digest (damaged, or changed \
                     since), first {first}"
                )
            }
            NoticeKind::DamagedContent { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                write!(
                    f,
                    "{pages} {have} damaged content (gzip, deflate or chunks), read as far as it \
                     is sound, first {first}"
                )
            }
            NoticeKind::UnknownCoding { first } => {
                let (pages, first) = (plural(n, "page"), Shown(first));
                write!(f, "{pages} packed in an unknown way {have} no text, first {first:?}")
            }
            NoticeKind::LabelsOfNoPage { first } => {
                let (labels, first) = (plural(n, "label"), Shown(first));
                write!(f, "{labels} of URLs that are no pages {were} dropped, first {first}")
            }
            NoticeKind::RestLost { why } => {
                write!(f, "{}; what stands before is kept", Told(why))
            }
            NoticeKind::Others => write!(f, "{n} more oddities"),
        }
    }
}

fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
