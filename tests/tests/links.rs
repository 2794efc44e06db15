//! Links of the documents, the app and the tests open, and give the digests they gave.
#![cfg(not(target_arch = "wasm32"))]

const KEPT: &str = include_str!("golden/links.txt");

#[test]
fn every_link_gives_its_digests() {
    let computed = crawl_tests::links::computed().unwrap();
    let differing: Vec<String> = lines_apart(KEPT, &computed);
    assert!(
        differing.is_empty(),
        "`-` as kept, `+` as computed; `cargo xtask golden` records new links:\n{}",
        differing.join("\n")
    );
}

/// Lines that only one of two texts has.
fn lines_apart(kept: &str, computed: &str) -> Vec<String> {
    let only = |these: &str, those: &str, sign: char| -> Vec<String> {
        let those: std::collections::BTreeSet<&str> = those.lines().collect();
        let apart = these.lines().filter(|line| !those.contains(line));
        apart.map(|line| format!("{sign} {line}")).collect()
    };
    [only(kept, computed, '-'), only(computed, kept, '+')].concat()
}

#[test]
fn links_of_the_documents_are_found_and_open() {
    let has = |part: &str| KEPT.lines().any(|line| line.contains(part));
    assert!(has("world=newsroom") && has("world=jlse-figure-2") && has("world=shop"));
    let digests =
        KEPT.lines().filter(|line| !line.ends_with(" refused") && !line.ends_with(" file"));
    assert!(digests.count() > 40, "few links give digests");
}
