//! Real graphs have their published sizes and survive conversion.
//!
//! The files are not in the repository; if one is missing its test counts as skipped. `dirt.rs` makes
//! the same checks on files of the repository.

use crawl_import::{
    File, Imported, Limits, NoticeKind, Source, import, no_progress, write_json_lines,
};
use crawl_world::{PageId, World};
use std::path::Path;

#[path = "../../../tests/src/data.rs"]
#[allow(dead_code, reason = "real data only")]
mod data;

/// Imports a file and its companion; `None` if one is missing.
fn import_files(test: &str, name: &str, second: Option<&str>) -> Option<Imported> {
    let [first] = data::real(test, [name])?;
    let second = match second {
        Some(name) => {
            let [path] = data::real(test, [name])?;
            Some(open(name, &path))
        }
        None => None,
    };
    let source = Source { second, ..open(name, &first).into() };
    Some(import(source, &Limits::default(), &mut no_progress).expect(name))
}

fn open<'a>(name: &'a str, path: &Path) -> File<'a> {
    let file = std::fs::File::open(path).expect("it was there");
    let size = file.metadata().expect("an open file has a size").len();
    File::from_reader(name, file, Some(size))
}

fn sizes(world: &World) -> (u32, u32) {
    (world.n_pages(), world.n_links())
}

fn n_dangling(world: &World) -> usize {
    let pages = world.pages();
    pages.filter(|page| world.links(*page).is_empty()).count()
}

fn reach(world: &World, page: u32) -> u32 {
    world.reach(&[PageId(page)]).n_pages()
}

fn assert_converts(world: &World) {
    let mut bytes = Vec::new();
    write_json_lines(world, &mut bytes).expect("memory can be written to");
    let source = File::from_bytes("converted.jsonl", &bytes).into();
    let again = import(source, &Limits::default(), &mut no_progress).expect("it reads back");
    assert_eq!(again.format, "json-lines");
    assert_eq!(again.world.digest(), world.digest());
    assert_eq!(again.world.is_numbered(), world.is_numbered());
    let leaves = |kind: &NoticeKind| {
        matches!(kind, NoticeKind::LinksOutside { .. } | NoticeKind::RedirectsOutside { .. })
    };
    let odd: Vec<_> = again.notices.iter().filter(|notice| !leaves(&notice.kind)).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn harvard500() {
    let urls = "harvard500/urls.tsv";
    let Some(imported) = import_files("harvard500", "harvard500/edges.tsv", Some(urls)) else {
        return;
    };
    let world = imported.world;
    assert_eq!(imported.format, "edge-list");
    assert_eq!(sizes(&world), (500, 2636 - 73));
    assert_eq!(world.url(PageId(0)), "http://www.harvard.edu");
    assert_eq!(reach(&world, 0), 500);
    let notice = "harvard500/edges.tsv: 73 links from a page to itself were dropped";
    let notices: Vec<String> = imported.notices.iter().map(ToString::to_string).collect();
    assert_eq!(notices, [notice]);
    assert_converts(&world);

    // Without the URLs it is the same graph of numbers.
    let numbers = import_files("harvard500", "harvard500/edges.tsv", None).expect("it was there");
    assert!(numbers.world.is_numbered());
    assert_eq!(numbers.world.graph(), world.graph());
    assert_converts(&numbers.world);
}

#[test]
fn hollins() {
    let Some(imported) = import_files("hollins", "hollins/hollins.dat", Some("hollins/links.dat"))
    else {
        return;
    };
    let world = imported.world;
    assert_eq!(sizes(&world), (6012, 23_875));
    assert_eq!(n_dangling(&world), 3189);
    assert_eq!(world.url(PageId(0)), "http://www1.hollins.edu/");
    assert_eq!(world.url(PageId(1)), "http://www.hollins.edu/");
    assert_eq!(imported.notices, []);
    assert_converts(&world);

    // Counted from 1: without the URLs there is no page 0.
    let numbers = import_files("hollins", "hollins/hollins.dat", None).expect("it was there");
    assert_eq!(sizes(&numbers.world), (6012, 23_875));
    assert_eq!(numbers.world.url(PageId(0)), "http://graph.invalid/1");
    assert_eq!(numbers.world.graph(), world.graph());
}

#[test]
fn epa() {
    let Some(imported) = import_files("epa", "epa/gr0.epa.txt", None) else {
        return;
    };
    let world = imported.world;
    assert_eq!(imported.format, "edge-list");
    assert_eq!(sizes(&world), (4772, 8965));
    let notices: Vec<String> = imported.notices.iter().map(ToString::to_string).collect();
    let notice = "epa/gr0.epa.txt, line 918: 2 pages have no valid URL and are identified by their numbers, first \"http://www.oznet.ksu.edu>\"";
    assert_eq!(notices, [notice]);
    assert_eq!(world.title(), "gr0.epa");
    let bare = world.find("http://www.epa.gov");
    let slash = world.find("http://www.epa.gov/");
    assert!(bare.is_some() && slash.is_some() && bare != slash);
    assert_converts(&world);
}

#[test]
fn cnr_2000() {
    let Some(imported) = import_files("cnr_2000", "cnr-2000/cnr-2000.graph-txt.gz", None) else {
        return;
    };
    let world = imported.world;
    assert_eq!(imported.format, "adjacency-text");
    assert_eq!(world.title(), "cnr-2000");
    // 3,216,152 arcs, of which 87,442 lead from a page to itself.
    assert_eq!(sizes(&world), (325_557, 3_216_152 - 87_442));
    assert!(world.is_numbered());
    assert_eq!(reach(&world, 259_750), 325_557);
    // Pages 0 and 259,750 are both in the largest strongly connected part; page 6 is not.
    assert_eq!(reach(&world, 0), 325_557);
    assert_eq!(reach(&world, 6), 311);
    assert_converts(&world);
}

#[test]
fn webkb() {
    let stem = "webkb/webkb-cornell-texas-washington";
    let labels = format!("{stem}.labels.tsv");
    let Some(imported) = import_files("webkb", &format!("{stem}.warc.gz"), Some(&labels)) else {
        return;
    };
    let world = imported.world;
    assert_eq!(imported.format, "warc");
    // 2,899 records, of which 25 have a URL such as `ftp_//`.
    assert_eq!(world.n_pages(), 2899 - 25);
    let with = |topic: &str| world.pages().filter(|p| world.has_topic(*p, topic)).count();
    let classes = ["course", "faculty", "student", "project", "staff", "department"];
    assert_eq!(classes.map(with), [159, 111, 402, 61, 34, 3]);
    assert!(world.pages().all(|page| world.topics(page).count() == 1));
    let home = world.find("http://cs.cornell.edu/Info/Courses/Current/CS415/CS414.html");
    let home = home.expect("the first page");
    assert_eq!(world.title_of(home), "CS414 Home Page");
    assert!(world.page_text(home).starts_with(
        "CS414: Systems Programming and Operating Systems\nCS415 Practicum in Operating System\n"
    ));
    let n_links = world.n_links() as usize;
    let links = || 0..n_links;
    assert!(links().filter(|link| !world.anchor(*link).is_empty()).count() > n_links * 9 / 10);
    // The anchor text is part of the context.
    let apart = |link: &usize| {
        let (anchor, context) = (world.anchor(*link), world.context(*link));
        !context.is_empty() && !context.contains(anchor)
    };
    let images = links().filter(apart).count();
    assert!(images < n_links / 20, "{images} of {n_links}");
    assert_converts(&world);
}

#[test]
fn python_devguide() {
    assert_history("python_devguide", "python-devguide", [3161, 198, 123, 132]);
}

#[test]
fn rust_book() {
    assert_history("rust_book", "rust-book", [8554, 579, 1873, 228]);
}

/// Checks rows, pages, rows of mass edits, and pages deleted at the end.
fn assert_history(test: &str, name: &str, counts: [u64; 4]) {
    let [n_rows, n_pages, n_mass_edits, n_gone] = counts;
    let n_pages = n_pages as u32;
    {
        let Some(imported) = import_files(test, &format!("changes/{name}.tsv.gz"), None) else {
            return;
        };
        let world = imported.world;
        assert_eq!(imported.format, "change-history");
        assert_eq!(sizes(&world), (n_pages + 1, n_pages));
        assert_eq!(world.reach(&world.seeds()).n_pages(), n_pages + 1);
        let count = |kind: fn(&NoticeKind) -> bool| {
            let notice = imported.notices.iter().find(|notice| kind(&notice.kind));
            notice.map_or(0, |notice| notice.count)
        };
        assert_eq!(count(|kind| matches!(kind, NoticeKind::MassEdits { .. })), n_mass_edits);
        assert_eq!(count(|kind| matches!(kind, NoticeKind::PagesGone)), n_gone);
        let gone = world.pages().filter(|page| world.gone_s(*page).is_some());
        assert_eq!(gone.count() as u64, n_gone);
        let repeated = count(|kind| matches!(kind, NoticeKind::RepeatedChanges));
        let times = |page| world.change_times_s(page);
        let n_changes: usize = world.pages().map(|page| times(page).len()).sum();
        assert_eq!(n_changes as u64, n_rows - n_mass_edits - repeated);
        assert!(world.pages().all(|page| times(page).is_sorted_by(|a, b| a < b)));
        // Years, in seconds.
        let span = world.recorded_s().expect("changes are recorded");
        assert!((1e8..1e9).contains(&span), "{span}");
        assert_converts(&world);
    }
}

#[test]
fn archive_of_a_crawler() {
    if let Some(imported) = import_files("archive_of_a_crawler", "warc/aut-example.warc.gz", None) {
        let world = imported.world;
        let of_status = |s: u16| world.pages().filter(|page| world.status(*page) == s).count();
        // One of the 95 pages was sent as text/plain.
        assert_eq!([200, 301, 302, 404].map(of_status), [95, 2, 5, 40]);
        let robots = world.hosts().iter().filter(|host| host.robots.is_some());
        assert_eq!(robots.count(), 2);
        let notices: Vec<String> = imported.notices.iter().map(ToString::to_string).collect();
        let starts = ["86 records without HTML", "38 records not from HTTP"];
        for (notice, start) in notices.iter().zip(starts) {
            assert!(notice.contains(start), "{notice}");
        }
        let home = world.find("http://www.archive.org/").expect("the first page");
        let index = world.find("http://www.archive.org/index.php").expect("where it sends one");
        assert_eq!(world.links(home), [index]);
        assert_converts(&world);
    }
}

#[test]
fn archive_with_a_revisit_record() {
    let file = "warc/warcio-example.warc.gz";
    if let Some(imported) = import_files("archive_with_a_revisit_record", file, None) {
        let world = imported.world;
        assert_eq!(sizes(&world), (1, 0));
        // Compressed by the server.
        assert_eq!(world.title_of(PageId(0)), "Example Domain");
        assert!(imported.notices[0].to_string().contains("1 revisit record was skipped"));
        assert_converts(&world);
    }
}
