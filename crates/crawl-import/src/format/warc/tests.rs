use crate::testing::limits;
use crate::{File, Imported, Limits, Problem, Source, import, no_progress, write_json_lines};
use crawl_world::{PageId, World};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;

fn record(kind: &str, url: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n"
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(url: &str, headers: &str, body: &str) -> Vec<u8> {
    record("response", url, format!("HTTP/1.1 {headers}\r\n\r\n{body}").as_bytes())
}

fn page(url: &str, body: &str) -> Vec<u8> {
    response(url, "200 OK\r\nContent-Type: text/html", body)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn try_read(bytes: &[u8], labels: Option<&str>) -> Result<Imported, String> {
    let source = Source {
        second: labels.map(|text| File::from_bytes("labels", text.as_bytes())),
        ..File::from_bytes("w.warc", bytes).into()
    };
    import(source, &limits(), &mut no_progress).map_err(|error| error.to_string())
}

fn read(bytes: &[u8], labels: Option<&str>) -> (World, Vec<String>) {
    let imported = try_read(bytes, labels).unwrap();
    assert_eq!(imported.format, "warc");
    (imported.world, imported.notices.iter().map(ToString::to_string).collect())
}

/// A small archive with records of every kind.
fn archive() -> Vec<Vec<u8>> {
    vec![
        record("warcinfo", "", b"software: ours"),
        record("response", "dns:a.example", b"20050101 1.2.3.4"),
        response(
            "http://a.example/robots.txt",
            "200 OK\r\nContent-Type: text/plain",
            "User-agent: *\nDisallow: /admin",
        ),
        record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n"),
        page(
            "<http://a.example/>",
            "<title>Home</title><p>go to <a href=b>the b</a><a href=moved>x</a>",
        ),
        response("http://a.example/moved", "302 Found\r\nLocation: /b", "moved"),
        response(
            "http://a.example/b",
            "200 OK\r\nContent-Type: text/html; charset=iso-8859-7\r\nX-Robots-Tag: nofollow",
            "<meta charset=utf-8><p>b <a href=/>home</a> <a href='http://out.example/'>out</a>",
        ),
        response(
            "http://a.example/c",
            "404 Not Found\r\nContent-Type: text/html",
            "<a href=/>no</a>",
        ),
        response("http://a.example/i.png", "200 OK\r\nContent-Type: image/png", "\u{1}png"),
        record("revisit", "http://a.example/b", b"HTTP/1.1 200 OK\r\n\r\n"),
        page("http://a.example/b", "again"),
        response(
            "http://a.example/br",
            "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br",
            "packed",
        ),
    ]
}

const LABELS: &str = "url\tclass\tuniversity\nhttp://a.example/\tstart page\tx\n\
    http://A.example/b\tcourse\tx\nhttp://a.example/b\tother\nhttp://a.example/z\tcourse\n";

#[test]
fn an_archive_is_a_world() {
    let (world, notices) = read(&archive().concat(), Some(LABELS));
    let urls: Vec<_> = world.pages().map(|page| world.url(page).into_owned()).collect();
    let [home, moved, b, c, br] = [0, 1, 2, 3, 4].map(PageId);
    let expected = ["", "moved", "b", "c", "br"].map(|path| format!("http://a.example/{path}"));
    assert_eq!(urls, expected);
    assert_eq!((world.title_of(home), world.page_text(home)), ("Home", "go to the bx"));
    assert_eq!(world.links(home), [b, moved]);
    assert_eq!((world.anchor(0), world.context(0)), ("the b", "go to the bx"));
    assert_eq!((world.status(moved), world.location(moved)), (302, "/b"));
    assert_eq!(world.links(moved), [b]);
    assert_eq!((world.links(b), world.is_nofollow(3)), (&[home][..], true));
    assert_eq!(world.outside_links(b).collect::<Vec<_>>(), ["http://out.example/"]);
    assert_eq!((world.status(c), world.links(c), world.page_text(c)), (404, &[][..], ""));
    assert_eq!((world.bytes(br), world.page_text(br)), (Some(6), ""));
    let robots = world.host(world.host_of(home).unwrap()).robots.as_deref();
    assert_eq!(robots, Some("User-agent: *\nDisallow: /admin"));
    assert_eq!(world.topics(home).collect::<Vec<_>>(), ["start page"]);
    assert_eq!(world.topics(b).collect::<Vec<_>>(), ["course", "other"]);
    let expected = [
        "labels, line 2: 2 lines have unused columns (weights?)",
        "w.warc, record 9: 1 record without HTML was skipped, first http://a.example/i.png",
        "w.warc, record 2: 1 record not from HTTP was skipped, first dns:a.example",
        "w.warc, record 10: 1 revisit record was skipped, first http://a.example/b",
        "w.warc, record 11: 1 record with duplicate URLs was skipped, first http://a.example/b",
        "w.warc, record 12: 1 page of unknown encoding has no text, first \"br\"",
        "labels, line 5: 1 label of unknown URLs was dropped, first http://a.example/z",
        "w.warc, record 7: 1 link leaves the snapshot, first to http://out.example/",
    ];
    assert_eq!(notices, expected);
}

#[test]
fn packing_does_not_matter_and_conversion_loses_nothing() {
    let (world, _) = read(&archive().concat(), Some(LABELS));
    let by_record: Vec<u8> = archive().iter().flat_map(|record| gzip(record)).collect();
    for packed in [by_record, gzip(&archive().concat())] {
        assert_eq!(read(&packed, Some(LABELS)).0, world);
    }
    let mut bytes = Vec::new();
    write_json_lines(&world, &mut bytes).unwrap();
    let source = File::from_bytes("w.jsonl", &bytes).into();
    let again = import(source, &Limits::default(), &mut no_progress).unwrap().world;
    assert_eq!(again.digest(), world.digest());
    for page in world.pages() {
        assert_eq!(again.page_text(page), world.page_text(page));
        assert!(again.topics(page).eq(world.topics(page)));
        for link in world.link_range(page) {
            assert_eq!(again.anchor(link), world.anchor(link));
            assert_eq!(again.context(link), world.context(link));
        }
    }
}

#[test]
fn the_distance_of_contexts_can_be_chosen() {
    let bytes =
        [page("http://a.example/", "<p>far<p><a href=b>b</a>"), page("http://a.example/b", "")];
    let bytes = bytes.concat();
    let context = |distance| {
        let mut source: Source<'_> = File::from_bytes("w", &bytes).into();
        source.html.context_distance = distance;
        import(source, &limits(), &mut no_progress).unwrap().world.context(0).to_owned()
    };
    assert_eq!((context(3), context(4)), ("b".to_owned(), "far b".to_owned()));
}

#[test]
fn what_is_sound_before_the_damage_is_kept() {
    let first = page("http://a.example/", "one");
    let second = page("http://a.example/b", "two");
    let at = first.len();
    let lost = |bytes: &[u8]| {
        let (world, notices) = read(bytes, None);
        assert_eq!((world.n_pages(), notices.len()), (1, 1), "{notices:?}");
        notices[0].clone()
    };
    let cut = [&first[..], &second[..second.len() - 6]].concat();
    let message = format!(
        "w.warc, record 2: the record at byte {at} is cut off: 2 bytes are missing; everything before is kept"
    );
    assert_eq!(lost(&cut), message);
    let cut = [&first[..], &second[..20]].concat();
    let message = format!("record 2: the record at byte {at} is cut off in its header; everything");
    assert!(lost(&cut).contains(&message));
    let garbage = [&first[..], b"garbage"].concat();
    assert!(lost(&garbage).contains(&format!("record 2: no record at byte {at}; everything")));
    let endless = [&first[..], b"WARC/1.0\r\nWARC-Type: response\r\n\r\n"].concat();
    assert!(lost(&endless).contains(&format!("the record at byte {at} has no Content-Length")));
    let (packed, more) = (gzip(&first), gzip(&second));
    let cut = [&packed[..], &more[..more.len() / 2]].concat();
    let message = "cannot be read: the gzip data is truncated (incomplete file?); everything";
    assert!(lost(&cut).contains(message), "{}", lost(&cut));
    // Damage in the first record is an error.
    let error = try_read(&first[..first.len() - 6], None).unwrap_err();
    assert_eq!(error, "w.warc, record 1: the record at byte 0 is cut off: 2 bytes are missing");
}

#[test]
fn errors_say_what_and_where() {
    let one = page("http://a.example/", "one");
    let long = page("http://a.example/b", &"word ".repeat(2000));
    let error = try_read(&[&one[..], &long].concat(), None).unwrap_err();
    assert_eq!(error, "w.warc, record 2: more than 5000 bytes of text");
    let links = (0..6000).map(|_| "<a href=b></a>").collect::<String>();
    let error = try_read(&page("http://a.example/", &links), None).unwrap_err();
    assert_eq!(error, "w.warc, record 1: more than 5000 links");
    let error = try_read(&one, Some("http://a.example/\n")).unwrap_err();
    assert_eq!(error, "labels, line 1: expected two columns, found only \"http://a.example/\"");
    // Real crawls contain invalid URLs.
    let (world, notices) = read(&one, Some("class\nhttp://a.example/ x\nftp_//b/\ty\n"));
    assert!(world.has_topic(PageId(0), "x"));
    let notice = "labels, line 3: 1 label of unknown URLs was dropped, first ftp_//b/";
    assert_eq!(notices, [notice]);
}

#[test]
fn an_archive_without_pages_says_what_it_holds() {
    let nothing = record("warcinfo", "", b"");
    assert_eq!(
        try_read(&nothing, None).unwrap_err(),
        "w.warc: no pages: the archive holds 1 record (1 warcinfo), none of which is a page"
    );
    let picture = |n: u32| {
        let url = format!("http://a.example/{n}.png");
        response(&url, "200 OK\r\nContent-Type: image/png", "png")
    };
    let robots = response("http://a.example/robots.txt", "200 OK", "Disallow: /");
    let mut records = vec![nothing, record("response", "dns:a.example", b"1.2.3.4"), robots];
    records.extend([picture(1), picture(2), record("continuation", "http://a.example/", b"more")]);
    records.push(record("revisit", "http://a.example/", b""));
    let bytes = records.concat();
    let source = File::from_bytes("w.warc", &bytes).into();
    let error = import(source, &limits(), &mut no_progress).unwrap_err();
    assert_eq!(
        error.to_string(),
        "w.warc: no pages: the archive holds 7 records (1 warcinfo, 4 response, 1 continuation, \
         1 revisit), none of which is a page; 1 robots.txt; 2 records without HTML \
         were skipped, first http://a.example/1.png; 1 record not from HTTP was skipped, \
         first dns:a.example; 1 revisit record was skipped, first http://a.example/; 1 record of unknown types was skipped, first \"continuation\""
    );
    let Problem::ArchiveWithoutPages(held) = error.problem else { panic!("{error}") };
    let n: u64 = held.kinds.iter().map(|(_, n)| n).sum();
    let skipped: u64 = held.notices.iter().map(|notice| notice.count).sum();
    assert_eq!((n, held.robots, skipped), (7, 1, 5));
    // Only the first few types are listed.
    let many: Vec<u8> =
        (0..100).flat_map(|i| record(&format!("type-{i}"), "http://a.example/", b"")).collect();
    let error = try_read(&many, None).unwrap_err();
    assert!(error.contains("the archive holds 100 records (1 type-0, "), "{error}");
    assert!(error.contains("1 type-7, 92 other types)") && error.len() < 400, "{error}");
}

/// Regression: a length with an extra digit swallowed the next page.
#[test]
fn a_record_within_another_is_reported() {
    let (first, second) = (page("http://a.example/", "one"), page("http://a.example/b", "two"));
    let third = page("http://a.example/c", "three");
    let request =
        record("request", "http://a.example/", &[&b"GET /\r\n\r\n"[..], &second].concat());
    let bytes = [&first[..], &request, &third].concat();
    let (world, notices) = read(&bytes, None);
    assert_eq!(world.n_pages(), 2);
    let notice =
        "w.warc, record 2: 1 record holds the start of another, which is skipped (wrong length?)";
    assert_eq!(notices, [notice]);
}

#[test]
fn damage_that_only_a_digest_or_a_length_shows_is_reported() {
    let page = page("http://a.example/", "<p>one");
    let with = |digest: &str| {
        let header = format!("WARC-Block-Digest: {digest}\r\nContent-Length");
        String::from_utf8(page.clone()).unwrap().replace("Content-Length", &header)
    };
    let block = page.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
    let mut sha1 = sha1_smol::Sha1::new();
    sha1.update(&page[block..page.len() - 4]);
    let sound = with(&format!("sha1:{}", sha1.digest()));
    assert!(read(sound.as_bytes(), None).1.is_empty());
    let notice = "w.warc, record 1: 1 record differs from its WARC-Block-Digest (damaged or modified), first http://a.example/";
    assert_eq!(read(sound.replace("<p>one", "<p>onf").as_bytes(), None).1, [notice]);
    // Digests by other functions are not checked.
    assert!(read(with("md5:abc").as_bytes(), None).1.is_empty());
    let shorter = String::from_utf8(page).unwrap();
    let shorter = shorter.strip_suffix("\r\n").unwrap();
    let notice = "w.warc, record 1: 1 record is not followed by two line breaks (wrong length?)";
    assert_eq!(read(shorter.as_bytes(), None).1, [notice]);
}

proptest! {
    #[test]
    fn damage_anywhere_is_reported_or_harmless(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        packed in any::<bool>(),
    ) {
        let records = archive();
        let mut bytes: Vec<u8> = match packed {
            true => records.iter().flat_map(|record| gzip(record)).collect(),
            false => records.concat(),
        };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        match try_read(&bytes, Some(LABELS)) {
            Ok(imported) => {
                let mut written = Vec::new();
                write_json_lines(&imported.world, &mut written).unwrap();
                let source = File::from_bytes("again", &written).into();
                let again = import(source, &Limits::default(), &mut no_progress).unwrap();
                prop_assert_eq!(again.world.digest(), imported.world.digest());
            }
            Err(message) => prop_assert!(!message.contains('\n'), "{}", message),
        }
    }
}
