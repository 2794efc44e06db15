//! Change histories: one change of one page per line, as exported from version control.
//!
//! ```text
//! page<tab>unix_time<tab>status<tab>commit<tab>files_in_commit
//! src/intro.md<tab>1508294567<tab>A<tab>ae7636cd<tab>1
//! ```
//!
//! Times are in whole seconds; the status is A (added), M (modified) or D (deleted). The columns commit
//! and files_in_commit are optional. Pages are numbered by first appearance; a name that is not a URL
//! becomes one on a `.invalid` host named after the file.
//!
//! - Times are relative to the first change. Rows may be in any order; rows of a page that are out of
//!   order are reported, and so are changes too late for any crawl. Changes of a page within one
//!   second are merged.
//! - Rows of commits that touch more than [`crate::Source::most_files`] files are **mass edits**, such
//!   as a new licence header or a moved folder. They are dropped.
//! - A **deleted** page changes then for the last time and is gone from then on (`gone_s`), unless a
//!   later row adds it again. Deletions in mass edits count.
//! - A page **added** later changes at that time but exists from the start (our choice): a history
//!   spans years and a crawl hours, so hardly any page would appear in time.
//! - A history has no links. So that a crawl can reach the pages, a **home page** is added (our
//!   choice): it links to all of them, never changes, and is the seed.

use super::{Fit, Head, ImporterEntry};
use crate::lines::each_row;
use crate::notice::{MOST_HOURS, NoticeKind};
use crate::notices::{First, Notices};
use crate::tally::{self, Tally};
use crate::url_table::url_problem;
use crate::{ImportError, Job, Limits, Problem, address, columns};
use crawl_catalogue::{Entry, EntryTexts};
use crawl_world::{Interner, PageId, World};

/// The registry entry.
pub(super) static ENTRY: ImporterEntry = ImporterEntry {
    entry: &Entry::new(
        "change-history",
        "Change history",
        EntryTexts {
            family: "Histories",
            source: "(ours), modelled on `git log`",
            summary: "One change of one page per line: page, time, status",
            description: "Lines of page, unix_time, status (A, M or D), commit and files_in_commit, \
                separated by tabs; the first line may be a header. Pages become a world with recorded \
                changes, in seconds since the first. Rows of commits with more than 50 files are \
                dropped as mass edits. Deleted pages are gone from then on. A home page that links \
                to all pages is added.",
            formula: "page ⇥ unix_time ⇥ A|M|D ⇥ commit ⇥ files_in_commit ⏎ …",
            params: &[],
        },
    ),
    sniff,
    read,
};

/// Column names of the header.
const HEADER: [&str; 3] = ["page", "unix_time", "status"];

/// Matches a file with this header, or whose first row has page, time and status.
///
/// A header of other words may come before that row.
fn sniff(head: &Head<'_>) -> Fit {
    let mut data = head.lines().filter(|line| !columns::is_blank_or_comment(line)).peekable();
    let names = |line: &&str| line.split('\t').map(str::trim).take(3).eq(HEADER);
    if data.peek().is_some_and(names) {
        return Fit::Match;
    }
    let mut rows = data.take(2).map(|line| {
        let mut columns = line.split('\t').skip(1);
        let (time, status) = (columns.next(), columns.next());
        let meant = time.is_some_and(columns::is_number_like)
            && status.is_some_and(|status| What::named(status).is_some());
        (meant, line)
    });
    let meant = match rows.next() {
        Some((false, line)) if columns::is_words(line) => rows.next(),
        first => first,
    };
    meant.is_some_and(|(meant, _)| meant).into()
}

fn read(mut job: Job<'_, '_>) -> Result<(World, Notices), ImportError> {
    let limits = &job.limits;
    if let Some(second) = &job.second {
        return Err(Problem::UrlsNotNeeded.in_file(second.name()));
    }
    let name = job.input.name();
    let mut history = History { limits, most_files: job.most_files, ..History::new(limits) };
    each_row(job.input, limits, &mut job.notices, &mut job.monitor, &mut |text, line| {
        history.row(text, line)
    })?;
    if history.rows.is_empty() {
        return Err(Problem::NoPages.in_file(name));
    }
    job.monitor.linking(name)?;
    let world = history.finish(&job.title, name, &mut job.notices)?;
    Ok((world, job.notices))
}

/// A status.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Added,
    Modified,
    Deleted,
}

impl What {
    fn named(status: &str) -> Option<Self> {
        match status.trim() {
            "A" => Some(Self::Added),
            "M" => Some(Self::Modified),
            "D" => Some(Self::Deleted),
            _ => None,
        }
    }
}

/// A row that is kept.
struct ChangeRow {
    /// Index of the page.
    page: u32,
    unix_s: i64,
    what: What,
    is_mass_edit: bool,
}

/// The history read so far.
struct History<'j> {
    limits: &'j Limits,
    most_files: u32,
    names: Interner,
    /// Line of each page's first row.
    lines: Vec<u64>,
    /// Time of each page's last row, in file order.
    last_unix_s: Vec<i64>,
    rows: Vec<ChangeRow>,
    name_bytes: u64,
    backwards: First,
    mass_edits: First,
}

/// Latest valid time; larger numbers are in other units than seconds.
const LATEST_UNIX_S: i64 = 99_999_999_999;

impl<'j> History<'j> {
    fn new(limits: &'j Limits) -> Self {
        Self {
            limits,
            most_files: crate::MOST_FILES,
            names: Interner::default(),
            lines: Vec::new(),
            last_unix_s: Vec::new(),
            rows: Vec::new(),
            name_bytes: 0,
            backwards: First::default(),
            mass_edits: First::default(),
        }
    }

    /// Adds a row; returns whether it has unused columns.
    fn row(&mut self, text: &str, line: u64) -> Result<bool, Problem> {
        let mut columns = text.split('\t');
        let name = columns.next().unwrap_or_default();
        let (Some(time), Some(status)) = (columns.next(), columns.next()) else {
            return Err(Problem::TooFewColumns);
        };
        if name.trim().is_empty() {
            return Err(Problem::TooFewColumns);
        }
        let unix_s = time.trim().parse().ok();
        let unix_s = unix_s.filter(|s: &i64| s.unsigned_abs() <= LATEST_UNIX_S.unsigned_abs());
        let unix_s = unix_s.ok_or_else(|| Problem::NotATime(time.to_owned()))?;
        let what = What::named(status).ok_or_else(|| Problem::NotAStatus(status.to_owned()))?;
        let n_files = match columns.nth(1).map(str::trim).filter(|files| !files.is_empty()) {
            Some(files) => {
                files.parse().map_err(|_| Problem::NotANumberOfFiles(files.to_owned()))?
            }
            None => 1_u32,
        };
        // Rows take as much memory as links.
        if self.rows.len() >= self.limits.links as usize {
            let (what, limit) = ("changes", self.limits.links as usize);
            return Err(Problem::ListTooLong { what, limit });
        }
        let is_mass_edit = n_files > self.most_files;
        if is_mass_edit {
            self.mass_edits.count(line, "");
        }
        let page = self.page(name, line)?;
        let last = self.last_unix_s.get_mut(page as usize);
        let last = last.map_or(unix_s, |last| std::mem::replace(last, unix_s));
        if unix_s < last {
            self.backwards.count(line, "");
        }
        self.rows.push(ChangeRow { page, unix_s, what, is_mass_edit });
        Ok(columns.next().is_some())
    }

    fn page(&mut self, name: &str, line: u64) -> Result<u32, Problem> {
        let (page, is_new) = self.names.intern(name);
        if is_new {
            // Plus the home page.
            tally::room_for_page(page + 1, self.limits)?;
            self.name_bytes += name.len() as u64;
            tally::room_for_text(self.name_bytes, self.limits)?;
            self.lines.push(line);
            self.last_unix_s.push(i64::MIN);
        }
        Ok(page)
    }

    fn finish(
        mut self,
        title: &str,
        file: &str,
        notices: &mut Notices,
    ) -> Result<World, ImportError> {
        let home_url = home_url(title);
        let mut builder = address::builder(title);
        let in_file = |error| Problem::Build(error).in_file(file);
        let home = builder.page(&home_url).map_err(in_file)?;
        builder.set_title(home, title);
        builder.seed(home);
        let mut tally = Tally::default();
        let mut pages = Vec::with_capacity(self.lines.len());
        for (name, line) in self.names.strings().iter().zip(&self.lines) {
            let url = if columns::is_url_like(name) {
                name.to_owned()
            } else {
                format!("{home_url}{}", as_path(name))
            };
            let page = address::add_page(&mut builder, &url)
                .map_err(|error| url_problem(error, &url, None))
                .and_then(|page| tally.link(home, page, self.limits).map(|()| page))
                .map_err(|problem| problem.at(file, *line))?;
            builder.set_title(page, name);
            builder.link(home, page);
            pages.push(page);
        }

        // By page, then by time; rows at the same time keep their order.
        self.rows.sort_by_key(|row| (row.page, row.unix_s));
        let counts = |row: &&ChangeRow| !row.is_mass_edit || row.what == What::Deleted;
        let first = self.rows.iter().filter(counts).map(|row| row.unix_s).min().unwrap_or(0);
        let since_first = |unix_s: i64| (unix_s - first) as f64;
        let (mut repeated, mut late, mut n_gone) = (0, 0, 0);
        for rows in self.rows.chunk_by(|a, b| a.page == b.page) {
            let page = rows.first().and_then(|row| pages.get(row.page as usize));
            let page = page.copied().unwrap_or(PageId(0));
            let mut last = None;
            let mut n_changes = 0;
            for row in rows.iter().filter(|row| !row.is_mass_edit) {
                if last.replace(row.unix_s) == Some(row.unix_s) {
                    repeated += 1;
                    continue;
                }
                n_changes += 1;
                late += u64::from(since_first(row.unix_s) > MOST_HOURS * 3600.0);
                builder.add_change(page, since_first(row.unix_s)).map_err(in_file)?;
            }
            if n_changes > self.limits.list_items {
                let (what, limit) = ("changes of one page", self.limits.list_items);
                return Err(Problem::ListTooLong { what, limit }.in_file(file));
            }
            if let Some(end) = rows.last().filter(|row| row.what == What::Deleted) {
                n_gone += 1;
                builder.set_gone(page, since_first(end.unix_s)).map_err(in_file)?;
            }
        }
        let most_files = self.most_files;
        self.mass_edits.report(notices, |_| NoticeKind::MassEdits { most_files });
        self.backwards.report(notices, |_| NoticeKind::ChangesSorted);
        notices.add(NoticeKind::RepeatedChanges, None, repeated);
        notices.add(NoticeKind::LateChanges, None, late);
        notices.add(NoticeKind::PagesGone, None, n_gone);
        notices.add(NoticeKind::HomeAdded { url: home_url }, None, pages.len() as u64);
        builder.finish().map_err(in_file)
    }
}

/// URL of the home page, on a `.invalid` host.
fn home_url(title: &str) -> String {
    const MOST_LETTERS: usize = 50;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = title.chars().take(MOST_LETTERS).map(plain).collect();
    let name = name.trim_matches('-');
    format!("http://{}.invalid/", if name.is_empty() { "history" } else { name })
}

/// Turns a file name into a URL path; distinct names give distinct paths.
fn as_path(name: &str) -> String {
    let mut path = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            path.push(byte.into());
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{error, error_with_urls, try_import, urls_of};
    use crate::{File, Source, import, no_progress};

    const NAMES: &str = "page\tunix_time\tstatus\tcommit\tfiles_in_commit\n";

    fn history(name: &str, rows: &[&str]) -> (World, Vec<String>) {
        let rows: Vec<String> = rows.iter().map(|row| row.replace(' ', "\t")).collect();
        try_import(name, &format!("{NAMES}{}\n", rows.join("\n")), None).unwrap()
    }

    #[test]
    fn pages_have_the_changes_of_their_rows() {
        let (world, notices) = history(
            "My Docs.tsv.gz",
            &[
                "src/a.md 1000 A c1 3",
                "src/a.md 1600 M c2 50",
                "src/a.md 1700 M c3 51",
                "b&c.md 1100 A c1 3",
                "http://x.example/d?e 1001 M",
            ],
        );
        let home = "http://my-docs.invalid/";
        let urls = [
            home,
            "http://my-docs.invalid/src/a.md",
            "http://my-docs.invalid/b%26c.md",
            "http://x.example/d?e",
        ];
        assert_eq!(urls_of(&world), urls);
        assert_eq!(world.seeds(), [PageId(0)]);
        assert_eq!(world.links(PageId(0)), [1, 2, 3].map(PageId));
        assert!(world.change_times_s(PageId(0)).is_empty());
        assert_eq!(world.change_times_s(PageId(1)), [0.0, 600.0]);
        assert_eq!(world.change_times_s(PageId(2)), [100.0]);
        assert_eq!(world.change_times_s(PageId(3)), [1.0]);
        assert_eq!((world.title(), world.title_of(PageId(2))), ("My Docs", "b&c.md"));
        assert!(world.pages().all(|page| world.gone_s(page).is_none()));
        assert_eq!(
            notices,
            [
                "My Docs.tsv.gz, line 4: 1 row of commits with more than 50 files was dropped as \
                 mass edits; their deletions are kept",
                "My Docs.tsv.gz: the home page http://my-docs.invalid/ was added, with links to \
                 all 3 pages",
            ]
        );
    }

    #[test]
    fn clocks_that_run_backwards_and_repeated_changes_are_reported() {
        let (world, notices) = history(
            "h.tsv",
            &["a 50 M c 1", "b 7 M c 1", "a 20 A c 1", "a 50 M c 1", "a 50 M d 1", "a 30 M c 1"],
        );
        assert_eq!(world.change_times_s(PageId(1)), [13.0, 23.0, 43.0]);
        assert_eq!(world.change_times_s(PageId(2)), [0.0]);
        assert_eq!(
            notices[..2],
            [
                "h.tsv, line 4: 2 changes are earlier than the change before; changes were sorted",
                "h.tsv: 2 repeated changes were dropped",
            ]
        );
    }

    #[test]
    fn deleted_pages_are_gone_unless_they_come_back() {
        let (world, notices) = history(
            "h.tsv",
            &[
                "back 10 A c 1",
                "back 20 D c 1",
                "back 30 A c 1",
                "gone 10 A c 1",
                "gone 25 D c 1",
                "moved 15 M c 1",
                "moved 40 D c 900",
                "renamed 60 A c 1",
                "renamed 60 D d 1",
            ],
        );
        let gone: Vec<Option<f64>> = world.pages().map(|page| world.gone_s(page)).collect();
        assert_eq!(gone, [None, None, Some(15.0), Some(30.0), Some(50.0)]);
        assert_eq!(world.change_times_s(PageId(1)), [0.0, 10.0, 20.0]);
        assert_eq!(world.change_times_s(PageId(2)), [0.0, 15.0]);
        // A mass edit is not a change.
        assert_eq!(world.change_times_s(PageId(3)), [5.0]);
        let told = "h.tsv: 3 pages are deleted at the end of the history (gone_s)";
        assert!(notices.contains(&told.to_owned()), "{notices:?}");
    }

    #[test]
    fn how_many_files_make_a_mass_edit_can_be_said() {
        let text = "a\t10\tA\tc\t60\na\t20\tM\tc\t61\nb\t30\tA\tc\t900\n";
        let n_changes = |most_files| {
            let source = Source { most_files, ..File::from_bytes("h", text.as_bytes()).into() };
            let world = import(source, &Limits::default(), &mut no_progress).unwrap().world;
            assert_eq!(world.n_pages(), 3);
            world.pages().map(|page| world.change_times_s(page).len()).sum::<usize>()
        };
        assert_eq!([0, 59, 60, 61, u32::MAX].map(n_changes), [0, 0, 1, 2, 3]);
    }

    /// A header identifies the format, even if the first row is invalid.
    #[test]
    fn the_first_row_may_be_the_wrong_one() {
        for (row, message) in [
            ("a.md\tNaN\tA\n", "w, line 2: \"NaN\" is not a time in whole seconds since 1970"),
            ("a.md\t\tA\n", "w, line 2: \"\" is not a time in whole seconds since 1970"),
            ("a.md\tinf\tA\n", "w, line 2: \"inf\" is not a time in whole seconds since 1970"),
            ("a.md\n", "w, line 2: a row needs page, unix_time and status, separated by tabs"),
            ("", "w: no pages: a world needs at least one"),
        ] {
            assert_eq!(error(&format!("{NAMES}{row}")), message);
        }
    }

    #[test]
    fn changes_that_no_crawl_reaches_are_reported_and_kept() {
        let (world, notices) =
            history("h.tsv", &["a 5 A c 1", "a 99999999999 M c 1", "b 99999999998 A c 1"]);
        assert_eq!(world.change_times_s(PageId(1)), [0.0, 99_999_999_994.0]);
        let told = "h.tsv: 2 changes are more than 1000000 hours after the start, later than any crawl lasts; all are kept";
        assert_eq!(notices[0], told);
    }

    #[test]
    fn errors_have_line_numbers() {
        let many: String = (0..1001).map(|i| format!("a\t{i}\tM\n")).collect();
        let cases = [
            ("a\t10\n", "w, line 3: a row needs page, unix_time and status, separated by tabs"),
            (" \t10\tA\n", "w, line 3: a row needs page, unix_time and status, separated by tabs"),
            ("a\t1.5\tA\n", "w, line 3: \"1.5\" is not a time in whole seconds since 1970"),
            (
                "a\t1508294567000\tA\n",
                "w, line 3: \"1508294567000\" is not a time in whole seconds since 1970",
            ),
            // `abs` of the first wraps to itself.
            (
                "a\t-9223372036854775808\tA\n",
                "w, line 3: \"-9223372036854775808\" is not a time in whole seconds since 1970",
            ),
            (
                "a\t9223372036854775807\tA\n",
                "w, line 3: \"9223372036854775807\" is not a time in whole seconds since 1970",
            ),
            (
                "a\t10\tR100\n",
                "w, line 3: status must be A (added), M (modified) or D (deleted), not \"R100\"",
            ),
            ("a\t10\tA\tc\tmany\n", "w, line 3: \"many\" is not a number of files"),
            (
                "ftp://a.example/\t10\tA\n",
                "w, line 3: not an absolute http(s) URL: \"ftp://a.example/\"",
            ),
            (&many, "w: more than 1000 changes of one page"),
        ];
        for (row, message) in cases {
            let text = format!("{NAMES}first\t1\tA\n{row}");
            assert_eq!(error(&text), message, "{row}");
        }
        assert_eq!(
            error_with_urls("a\t10\tA\n", "0 http://a.example/"),
            "urls: this format contains its own URLs; remove the file of URLs"
        );
    }
}
