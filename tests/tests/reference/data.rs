//! Worlds from files: fixtures, and optional real data.
//!
//! The references parse the files themselves; the strategies crawl the imported worlds.

use crate::crawl::Graph;
use crawl_import::{File, Limits, Source, import, no_progress};
use crawl_tests::data::{fixture, real};
use crawl_world::{World, web_address};
use std::fs;
use std::path::Path;

/// 120 pages with unusual URLs, all reachable from page 0.
pub fn town() -> (Graph, World) {
    open(&fixture("town.edges.tsv"), &fixture("town.urls.tsv"), 0, vec![0])
}

/// 240 pages in three components; two thirds have no links. Pages are numbered from 1.
pub fn village() -> (Graph, World) {
    open(&fixture("village.dat"), &fixture("village.links.dat"), 1, vec![0, 1, 150, 200])
}

/// Moler's crawl from www.harvard.edu; pages are numbered from 0.
pub fn harvard500(test: &str) -> Option<(Graph, World)> {
    let [links, urls] = real(test, ["harvard500/edges.tsv", "harvard500/urls.tsv"])?;
    Some(open(&links, &urls, 0, vec![0]))
}

/// hollins.edu in 2004; pages are numbered from 1. No single page reaches all others.
pub fn hollins(test: &str) -> Option<(Graph, World)> {
    let [links, urls] = real(test, ["hollins/hollins.dat", "hollins/links.dat"])?;
    Some(open(&links, &urls, 1, vec![0, 1, 21, 400]))
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).expect("a file of the test")).into_owned()
}

/// Parses lines of two words; a first line without numbers is a header.
fn open(links: &Path, urls: &Path, first: usize, seeds: Vec<usize>) -> (Graph, World) {
    let (links, urls) = (&read(links), &read(urls));
    let pair = |line: &str| {
        let mut words = line.split([' ', '\t', ',', '\r']).filter(|word| !word.is_empty());
        let from: usize = words.next()?.parse().ok()?;
        Some((from - first, words.next()?.parse::<usize>().ok()? - first))
    };
    let pairs: Vec<(usize, usize)> = links.lines().filter_map(pair).collect();
    let names: Vec<&str> = urls
        .lines()
        .filter_map(|line| line.split_once([' ', '\t']))
        .filter(|(number, _)| number.parse::<usize>().is_ok())
        .map(|(_, url)| url.trim())
        .collect();
    let source = Source {
        second: Some(File::from_bytes("urls", urls.as_bytes())),
        ..File::from_bytes("links", links.as_bytes()).into()
    };
    let world = import(source, &Limits::default(), &mut no_progress);
    let world = world.expect("the file can be imported").world;
    assert_eq!(world.n_pages() as usize, names.len());
    for (page, name) in world.pages().zip(&names) {
        let url = world.url(page);
        // Pages that cannot be fetched have no URL in the world.
        let same = url.trim_end_matches('/') == name.trim_end_matches('/');
        assert!(same || url == web_address::numbered(page.0), "{page:?}: {url}, not {name}");
    }
    (Graph::from_links(names.len(), &pairs, seeds), world)
}
