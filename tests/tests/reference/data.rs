//! Real webs that stand beside the project on some machines. The references read the files by
//! themselves; the orderings crawl what the importer makes of them.

use crate::crawl::Graph;
use crawl_import::{File, Limits, Source, import, no_progress};
use crawl_world::{World, web_address};
use std::fs;
use std::path::PathBuf;

/// Moler's crawl from www.harvard.edu; pages are numbered from 0.
pub fn harvard500() -> Option<(Graph, World)> {
    let links = read("harvard500/edges.tsv")?;
    let urls = read("harvard500/urls.tsv")?;
    Some(open(&links, &urls, 0, vec![0]))
}

/// hollins.edu in 2004; pages are numbered from 1. Many pages are reached from no single one.
pub fn hollins() -> Option<(Graph, World)> {
    let links = read("hollins/hollins.dat")?;
    let urls = read("hollins/links.dat")?;
    Some(open(&links, &urls, 1, vec![0, 1, 21, 400]))
}

fn read(name: &str) -> Option<String> {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = project.join("../../shared/data").join(name);
    let text = fs::read(&file).ok();
    if text.is_none() {
        println!("skipped: {name} not present");
    }
    text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Lines of two words; a first line that holds no numbers is a heading.
fn open(links: &str, urls: &str, first: usize, seeds: Vec<usize>) -> (Graph, World) {
    let pair = |line: &str| {
        let mut words = line.split_whitespace();
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
        // What nobody could fetch has no URL in the world.
        let same = url.trim_end_matches('/') == name.trim_end_matches('/');
        assert!(same || url == web_address::numbered(page.0), "{page:?}: {url}, not {name}");
    }
    (Graph::from_links(names.len(), &pairs, seeds), world)
}
