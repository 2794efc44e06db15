//! What a world is, in a few numbers.

use super::page_name;
use crawl_protocol::world::{PageName, Summary};
use crawl_world::{PageId, World, order};

/// Most seeds that are named.
const MAX_SEEDS: usize = 20;
/// Pages tried as better seeds: those linked to most, and those that link most.
const TRIED: usize = 4;

/// The summary of a world; its digest is known, and how many bytes it takes.
pub(super) fn summary(world: &World, digest: String, n_bytes: u64) -> Summary {
    let seeds = world.seeds();
    let n_reached = world.reach(&seeds).n_pages();
    let few = u64::from(n_reached) * 2 < u64::from(world.n_pages());
    let named = seeds.iter().take(MAX_SEEDS).map(|seed| page_name(world, *seed));
    Summary {
        title: world.title().to_owned(),
        digest,
        n_pages: world.n_pages(),
        n_links: world.n_links(),
        n_hosts: world.hosts().len() as u32,
        n_outside: world.n_outside_links() as u64,
        seeds: named.collect(),
        n_seeds: seeds.len() as u32,
        n_reached,
        better_seed: if few { better_seed(world, n_reached) } else { None },
        license: world.license().to_owned(),
        n_bytes,
        notices: Vec::new(),
        format: String::new(),
        labels: crawl_core::topic::labelled(world),
    }
}

/// A page from which more can be reached. Few are tried: those with the most links to and from
/// them, and of the best the page farthest up the links, which reaches at least as much.
fn better_seed(world: &World, n_reached: u32) -> Option<(PageName, u32)> {
    let backwards = world.graph().transposed();
    let most_linked = |links: &crawl_world::Csr| {
        let degree = |page: usize| !(links.links(PageId(page as u32)).len() as u64);
        let most = order::by_key(world.n_pages() as usize, degree);
        most.into_iter().take(TRIED).map(PageId).collect::<Vec<_>>()
    };
    let tried = [most_linked(world.graph()), most_linked(&backwards)].concat();
    let reach = |page: PageId| world.reach(&[page]).n_pages();
    let (mut most, mut best) = tried.into_iter().map(|page| (reach(page), page)).max()?;
    let upstream = crawl_world::Reach::new(&backwards, &[best]);
    if let Some(farthest) = upstream.pages().last().filter(|page| **page != best) {
        let n = reach(*farthest);
        if n > most {
            (most, best) = (n, *farthest);
        }
    }
    (most > n_reached).then(|| (page_name(world, best), most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_world::WorldBuilder;

    #[test]
    fn a_seed_at_a_dead_end_is_told_of() {
        let mut builder = WorldBuilder::numbered("tail", 50).unwrap();
        for page in 1..50 {
            builder.link(PageId(page), PageId(page - 1));
            builder.link(PageId(page), PageId(page / 2));
        }
        let world = builder.finish().unwrap();
        let summary = summary(&world, String::new(), 7);
        assert_eq!((summary.n_reached, summary.n_seeds, summary.n_bytes), (1, 1, 7));
        // Few pages are tried, so it need not be the best.
        let (page, n) = summary.better_seed.unwrap();
        assert_eq!(world.reach(&[PageId(page.page)]).n_pages(), n);
        assert!(n > 40, "{n}");
    }
}
