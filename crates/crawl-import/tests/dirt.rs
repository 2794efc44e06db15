//! Real-world files: comments, CRLF, stray spaces, duplicate and useless rows, odd URLs. The expected
//! counts come from another program.

use crawl_import::{File, Imported, Limits, Source, import, no_progress, write_json_lines};
use crawl_world::{PageId, World};
use data::fixture;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write;

#[path = "../../../tests/src/data.rs"]
#[allow(dead_code, reason = "fixtures only")]
mod data;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).expect(name)
}

fn open(name: &str, second: Option<&str>) -> Imported {
    open_bytes(name, &bytes(name), second)
}

fn open_bytes(name: &str, first: &[u8], second: Option<&str>) -> Imported {
    let more = second.map(bytes).unwrap_or_default();
    let second = second.map(|name| File::from_bytes(name, &more));
    let source = Source { second, ..File::from_bytes(name, first).into() };
    import(source, &Limits::default(), &mut no_progress).expect(name)
}

fn notices(imported: &Imported) -> Vec<String> {
    imported.notices.iter().map(ToString::to_string).collect()
}

fn sizes(world: &World) -> (u32, u32) {
    (world.n_pages(), world.n_links())
}

fn n_dangling(world: &World) -> usize {
    world.pages().filter(|page| world.links(*page).is_empty()).count()
}

/// Checks that the world reads back the same after writing.
fn assert_converts(world: &World) {
    let mut written = Vec::new();
    write_json_lines(world, &mut written).expect("memory can be written to");
    let source = File::from_bytes("converted.jsonl", &written).into();
    let again = import(source, &Limits::default(), &mut no_progress).expect("it reads back");
    assert_eq!(again.format, "json-lines");
    assert_eq!(again.world.digest(), world.digest());
}

#[test]
fn an_edge_list_with_comments_repetitions_weights_and_odd_urls() {
    let imported = open("town.edges.tsv", Some("town.urls.tsv"));
    let world = &imported.world;
    assert_eq!(imported.format, "edge-list");
    assert_eq!((sizes(world), n_dangling(world)), ((120, 527), 9));
    let reach = |page| world.reach(&[PageId(page)]).n_pages();
    assert_eq!((reach(0), reach(119)), (120, 1));
    let url = |page| world.url(PageId(page)).into_owned();
    assert_eq!(url(0), "http://www.town.example");
    assert_eq!(url(1), "http://www.town.example/");
    assert_ne!(world.find(&url(0)), world.find(&url(1)));
    // Pages with invalid URLs are identified by their numbers.
    assert_eq!([9, 10].map(url), [9, 10].map(|page| format!("http://graph.invalid/{page}")));
    let told = notices(&imported).join("\n");
    for part in [
        "5 links from a page to itself were dropped",
        "16 repeated links were dropped",
        "19 lines have unused columns (weights?)",
        "2 pages have no valid URL and are identified by their numbers, first \"http://www.town.example>\"",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
    assert_eq!(imported.notices.len(), 4, "{told}");
    assert_converts(world);

    // Without the URLs it is the same graph of numbers.
    let numbers = open("town.edges.tsv", None).world;
    assert!(numbers.is_numbered());
    assert_eq!(numbers.graph(), world.graph());
    assert_converts(&numbers);
}

#[test]
fn an_edge_list_that_counts_from_one() {
    let imported = open("village.dat", Some("village.links.dat"));
    let world = &imported.world;
    assert_eq!((sizes(world), n_dangling(world)), ((240, 678), 160));
    assert_eq!(world.url(PageId(0)), "http://www1.village.example/");
    assert_eq!(world.url(PageId(1)), "http://www.village.example/");
    assert_eq!(imported.notices, []);
    assert_converts(world);

    // There is no page 0.
    let numbers = open("village.dat", None).world;
    assert_eq!(sizes(&numbers), (240, 678));
    assert_eq!(numbers.url(PageId(0)), "http://graph.invalid/1");
    assert_eq!(numbers.graph(), world.graph());
}

#[test]
fn pages_and_links_in_one_file() {
    let imported = open("county.txt", None);
    let world = &imported.world;
    assert_eq!((imported.format, sizes(world)), ("edge-list", (60, 130)));
    let told = "county.txt, line 31: 2 pages have no valid URL and are identified by their \
        numbers, first \"http://www.county.example>\"";
    assert_eq!(notices(&imported), [told]);
    let bare = world.find("http://www.county0.example");
    let slash = world.find("http://www.county0.example/");
    assert!(bare.is_some() && slash.is_some() && bare != slash);
    assert_converts(world);
}

#[test]
fn adjacency_text_plain_and_packed() {
    let text = bytes("lattice.graph-txt");
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&text).expect("memory");
    let packed = packed.finish().expect("memory");
    let plain = open_bytes("lattice.graph-txt", &text, None);
    let unpacked = open_bytes("lattice.graph-txt.gz", &packed, None);
    for imported in [&plain, &unpacked] {
        let world = &imported.world;
        assert_eq!((imported.format, world.title()), ("adjacency-text", "lattice"));
        assert_eq!(sizes(world), (81, 145));
        assert_eq!(world.reach(&[PageId(0)]).n_pages(), 81);
        let told = notices(imported).join("\n");
        assert!(told.contains("20 links from a page to itself were dropped"), "{told}");
        assert!(told.contains("16 repeated links were dropped"), "{told}");
        assert_converts(world);
    }
    assert_eq!(plain.world.digest(), unpacked.world.digest());
}

#[test]
fn a_change_history_with_mass_edits_deletions_and_repetitions() {
    let imported = open("history.tsv", None);
    let world = &imported.world;
    assert_eq!(imported.format, "change-history");
    assert_eq!(sizes(world), (22 + 1, 22));
    assert_eq!(world.reach(&world.seeds()).n_pages(), 23);
    let told = notices(&imported).join("\n");
    for part in [
        "10 rows of commits with more than 50 files were dropped as mass edits",
        "3 pages are deleted at the end of the history",
        "2 repeated changes were dropped",
        "with links to all 22 pages",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
    // Five are deleted; a later row adds two of them again.
    let gone = world.pages().filter(|page| world.gone_s(*page).is_some());
    assert_eq!(gone.count(), 3);
    let times = |page| world.change_times_s(page);
    let n_changes: usize = world.pages().map(|page| times(page).len()).sum();
    // Of 118 rows, ten belong to a commit of 180 files and two are duplicates.
    assert_eq!(n_changes, 118 - 10 - 2);
    assert!(world.pages().all(|page| times(page).is_sorted_by(|a, b| a < b)));
    assert_converts(world);
}

#[test]
fn an_archive_with_redirects_errors_images_and_repeated_records() {
    let imported = open("library.warc", Some("library.labels.tsv"));
    let world = &imported.world;
    assert_eq!(imported.format, "warc");
    let of_status = |status| world.pages().filter(|page| world.status(*page) == status).count();
    assert_eq!([200, 301, 404].map(of_status), [3, 1, 1]);
    assert_eq!(world.n_pages(), 5);
    let page = |path: &str| world.find(&format!("http://library.example/{path}")).expect("a page");
    let (home, index, books, missing) =
        (page(""), page("index.html"), page("books.html"), page("missing"));
    assert_eq!(world.links(home), [index]);
    assert_eq!(world.links(index), [books, missing]);
    assert!(world.links(missing).is_empty());
    assert_eq!(world.links(page("cut.html")), [books]);
    assert_eq!(world.title_of(index), "Library & Archive");
    assert_eq!(world.title_of(books), "Bücher");
    assert!(world.page_text(books).contains("Café"));
    assert!(world.hosts().iter().any(|host| host.robots.is_some()));
    assert!(world.has_topic(index, "home") && world.has_topic(books, "books"));
    let told = notices(&imported).join("\n");
    for part in [
        "1 record without HTML was skipped, first http://library.example/map.png",
        "1 record not from HTTP was skipped, first dns:library.example",
        "1 revisit record was skipped, first http://library.example/books.html",
        "1 record with duplicate URLs was skipped, first http://library.example/books.html",
        "1 label of unknown URLs was dropped, first http://library.example/gone.html",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
    assert_converts(world);
}
