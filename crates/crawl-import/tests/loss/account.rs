//! Counts rows in the bytes of a file, and in the world and its notices. The counters are simple and
//! share no code with the importers.

use crawl_import::{Imported, NoticeKind};
use serde_json::Value;

/// Rows in the file, and rows accounted for, by kind.
pub type Account = (Vec<u64>, Vec<u64>);

/// The counter of a format.
pub fn of(format: &str) -> fn(&[u8], &Imported) -> Account {
    match format {
        "edge-list" => edge_list,
        "adjacency-text" => adjacency_text,
        "change-history" => change_history,
        "json-lines" => json_lines,
        "warc" => warc,
        other => panic!("rows of {other} cannot be counted: add a counter"),
    }
}

/// Number of occurrences of a notice.
fn noticed(imported: &Imported, kind: fn(&NoticeKind) -> bool) -> u64 {
    let notices = imported.notices.iter().filter(|notice| kind(&notice.kind));
    notices.map(|notice| notice.count).sum()
}

/// Links that the world dropped.
fn dropped_links(imported: &Imported) -> u64 {
    noticed(imported, |kind| matches!(kind, NoticeKind::LinksToItself | NoticeKind::RepeatedLinks))
}

/// Lines with data: not blank, not a comment, not a header.
fn rows(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut rows: Vec<String> = text
        .split('\n')
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with(['#', '%']))
        .collect();
    let is_data = |column: &str| {
        let digits = column.strip_prefix(['-', '+']).unwrap_or(column);
        digits.starts_with(|c: char| c.is_ascii_digit()) || column.contains("://")
    };
    if rows.first().is_some_and(|row| !row.split([' ', '\t', ',']).any(is_data)) {
        rows.remove(0);
    }
    rows
}

/// Links of an edge list, and `n` rows, which are pages.
pub fn edge_list(bytes: &[u8], imported: &Imported) -> Account {
    let rows = rows(bytes);
    let n_pages = rows.iter().filter(|row| row.starts_with('n')).count() as u64;
    let n_links = rows.len() as u64 - n_pages;
    let links = u64::from(imported.world.n_links()) + dropped_links(imported);
    match n_pages {
        0 => (vec![n_links], vec![links]),
        _ => (vec![n_links, n_pages], vec![links, imported.world.n_pages().into()]),
    }
}

/// Rows of a file of URLs, which are pages.
pub fn urls(bytes: &[u8], imported: &Imported) -> Account {
    (vec![rows(bytes).len() as u64], vec![imported.world.n_pages().into()])
}

/// Rows of labels, which are topics.
pub fn labels(bytes: &[u8], imported: &Imported) -> Account {
    let world = &imported.world;
    let topics: usize = world.pages().map(|page| world.topics(page).count()).sum();
    let without = noticed(imported, |kind| {
        matches!(kind, NoticeKind::LabelsOfUnknownUrls { .. } | NoticeKind::RepeatedTopics)
    });
    (vec![rows(bytes).len() as u64], vec![topics as u64 + without])
}

/// The number of pages, and all links.
pub fn adjacency_text(bytes: &[u8], imported: &Imported) -> Account {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n');
    let pages = lines.next().and_then(|first| first.trim().parse().ok()).unwrap_or(0);
    let columns =
        |line: &str| line.split([' ', '\t', ',']).filter(|c| !c.trim().is_empty()).count();
    let links: usize = lines.map(columns).sum();
    let told = u64::from(imported.world.n_links()) + dropped_links(imported);
    (vec![pages, links as u64], vec![imported.world.n_pages().into(), told])
}

/// Rows of a history: changes, duplicates or mass edits.
pub fn change_history(bytes: &[u8], imported: &Imported) -> Account {
    let world = &imported.world;
    let changes: usize = world.pages().map(|page| world.change_times_s(page).len()).sum();
    let dropped = noticed(imported, |kind| {
        matches!(kind, NoticeKind::MassEdits { .. } | NoticeKind::RepeatedChanges)
    });
    (vec![rows(bytes).len() as u64], vec![changes as u64 + dropped])
}

/// Pages, hosts with rules, links, seeds, topics and changes.
pub fn json_lines(bytes: &[u8], imported: &Imported) -> Account {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |key: &'static str| lines.iter().map(move |line| &line[key]);
    let items = |key: &'static str| of(key).map(|list| list.as_array().map_or(0, Vec::len)).sum();
    let pages = of("url").filter(|url| url.is_string()).count();
    let hosts = of("robots").filter(|robots| robots.is_string()).count();
    let (links, topics, changes): (usize, usize, usize) =
        (items("links"), items("topics"), items("changes_s"));
    let world = &imported.world;
    let redirects: usize = world
        .pages()
        .filter(|page| (300..400).contains(&world.status(*page)))
        .map(|page| world.links(page).len())
        .sum();
    let dropped = noticed(imported, |kind| {
        matches!(
            kind,
            NoticeKind::LinksToItself
                | NoticeKind::RepeatedLinks
                | NoticeKind::LinksOutside { .. }
                | NoticeKind::NotWebLinks { .. }
                | NoticeKind::LinksOfNonPages
        )
    });
    let robots = world.hosts().iter().filter(|host| host.robots.is_some()).count() as u64
        + noticed(imported, |kind| {
            let in_host = |place: &crawl_import::Place| *place != crawl_import::Place::Host;
            matches!(kind, NoticeKind::HostWithoutPages { .. })
                || matches!(kind, NoticeKind::UnknownField { place, name } if in_host(place) && name == "robots")
        });
    let n_topics: usize = world.pages().map(|page| world.topics(page).count()).sum();
    let n_changes: usize = world.pages().map(|page| world.change_times_s(page).len()).sum();
    (
        vec![pages as u64, hosts as u64, links as u64, topics as u64, changes as u64],
        vec![
            world.n_pages().into(),
            robots,
            u64::from(world.n_links()) - redirects as u64 + dropped,
            n_topics as u64 + noticed(imported, |kind| matches!(kind, NoticeKind::RepeatedTopics)),
            n_changes as u64
                + noticed(imported, |kind| matches!(kind, NoticeKind::RepeatedChanges)),
        ],
    )
}

/// Records of an archive: pages, robots.txt, metadata, or skipped.
pub fn warc(bytes: &[u8], imported: &Imported) -> Account {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let lines = || text.split('\n').map(str::trim);
    let records = lines().filter(|line| line.starts_with("warc/")).count() as u64;
    let kinds = lines().filter_map(|line| line.strip_prefix("warc-type")?.trim().strip_prefix(':'));
    let about = ["warcinfo", "request", "metadata"];
    let about = kinds.filter(|kind| about.contains(&kind.trim())).count() as u64;
    let world = &imported.world;
    let robots = world.hosts().iter().filter(|host| host.robots.is_some()).count() as u64;
    let skipped = noticed(imported, |kind| {
        matches!(
            kind,
            NoticeKind::NotHtml { .. }
                | NoticeKind::NotHttp { .. }
                | NoticeKind::Revisits { .. }
                | NoticeKind::SameUrl { .. }
                | NoticeKind::OtherRecords { .. }
                | NoticeKind::HostWithoutPages { .. }
        )
    });
    (vec![records], vec![u64::from(world.n_pages()) + robots + about + skipped])
}
