//! Statistics of a world.

use crawl_world::{ChangeProcess, World};
use std::collections::BTreeMap;

/// Smallest in-degree of the power law's tail. From 6 on the estimate of the exponent is accurate to
/// about 1 % (Clauset, Shalizi & Newman 2009, section 3).
const TAIL_FROM: u32 = 6;
/// Fewer pages than this in the tail give no estimate.
const LEAST_IN_TAIL: u32 = 50;

/// Counts and statistics from a few passes over pages and links.
#[derive(Debug, Default, PartialEq)]
pub struct Stats {
    /// Pages without a link to another page.
    pub dangling: u32,
    /// Pages that no page links to.
    pub unlinked: u32,
    /// Largest in-degree.
    pub max_in: u32,
    /// Largest out-degree.
    pub max_out: u32,
    /// γ of P(in-degree = k) ∝ k^(−γ), by maximum likelihood.
    pub in_degree_exponent: Option<f64>,
    /// Share of links between pages with hosts that stay within their host.
    pub inside_host: Option<f64>,
    /// Share of links whose target links back.
    pub reciprocity: Option<f64>,
    /// Links marked rel=nofollow.
    pub nofollow: u32,
    /// Hosts that have a robots.txt.
    pub hosts_with_robots: u32,
    /// Number of pages by HTTP status.
    pub statuses: BTreeMap<u16, u32>,
    /// Number of pages with each optional field.
    pub with: Vec<(&'static str, u32)>,
    /// Number of pages by change process.
    pub change_processes: BTreeMap<&'static str, u32>,
    /// Median change rate of the changing pages, in changes per hour; for recorded changes, over the
    /// recorded time.
    pub median_changes_per_hour: Option<f64>,
    /// Pages born after the start.
    pub born: u32,
    /// Latest birth, in seconds.
    pub last_born_s: Option<f64>,
    /// Pages that are deleted at some time.
    pub gone: u32,
    /// Pages reachable from the seeds.
    pub reachable: u32,
    /// Largest depth, in clicks from a seed.
    pub depth: u32,
    /// Mean depth, in clicks from a seed.
    pub mean_depth: f64,
}

impl Stats {
    /// Computes the statistics.
    pub fn of(world: &World) -> Self {
        let mut stats = Self::default();
        let mut in_degrees = vec![0_u32; world.n_pages() as usize];
        let (mut hosted, mut inside) = (0_u32, 0_u32);
        for page in world.pages() {
            let links = world.links(page);
            for target in links {
                in_degrees[target.index()] += 1;
                if let Some(host) = world.host_of(page) {
                    hosted += 1;
                    inside += u32::from(world.host_of(*target) == Some(host));
                }
            }
            stats.dangling += u32::from(links.is_empty());
            stats.max_out = stats.max_out.max(world.out_degree(page));
            *stats.statuses.entry(world.status(page)).or_default() += 1;
        }
        stats.max_in = in_degrees.iter().copied().max().unwrap_or(0);
        stats.unlinked = in_degrees.iter().filter(|n| **n == 0).count() as u32;
        stats.in_degree_exponent = exponent(&in_degrees);
        stats.inside_host = share(inside, hosted);
        stats.reciprocity = share(reciprocal_links(world), world.n_links());
        stats.nofollow = nofollow_links(world);
        let robots = world.hosts().iter().filter(|host| host.robots.is_some());
        stats.hosts_with_robots = robots.count() as u32;
        stats.with = pages_with(world);
        stats.count_changes(world);
        let reach = world.reach(&world.seeds());
        let depths = reach.pages().iter().filter_map(|page| reach.depth(*page));
        let sum: u64 = depths.map(u64::from).sum();
        stats.reachable = reach.n_pages();
        stats.depth = reach.max_depth();
        stats.mean_depth = sum as f64 / f64::from(reach.n_pages().max(1));
        stats
    }

    fn count_changes(&mut self, world: &World) {
        let recorded_h = world.recorded_s().map_or(0.0, |s| s / 3600.0);
        let mut rates = Vec::new();
        for page in world.pages() {
            let process = world.change_process(page);
            *self.change_processes.entry(process.name()).or_default() += 1;
            let rate = match process {
                ChangeProcess::Recorded(times) => times.len() as f64 / recorded_h,
                other => other.per_hour().unwrap_or(0.0),
            };
            // The recorded time may be zero.
            if rate > 0.0 && rate.is_finite() {
                rates.push(rate);
            }
            let born_s = world.born_s(page);
            self.born += u32::from(born_s.is_some());
            self.last_born_s = [self.last_born_s, born_s].into_iter().flatten().reduce(f64::max);
            self.gone += u32::from(world.gone_s(page).is_some());
        }
        rates.sort_unstable_by(f64::total_cmp);
        let middle = |at: usize| rates.get(at).copied();
        let (low, high) = (rates.len().saturating_sub(1) / 2, rates.len() / 2);
        self.median_changes_per_hour = middle(low).zip(middle(high)).map(|(a, b)| (a + b) / 2.0);
    }
}

fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// γ = 1 + n ÷ Σ ln(k ÷ (k_min − ½)) over the n in-degrees k ≥ k_min.
fn exponent(in_degrees: &[u32]) -> Option<f64> {
    let least = f64::from(TAIL_FROM) - 0.5;
    let tail = in_degrees.iter().filter(|k| **k >= TAIL_FROM);
    let (n, sum) =
        tail.fold((0_u32, 0.0), |(n, sum), k| (n + 1, sum + libm::log(f64::from(*k) / least)));
    (n >= LEAST_IN_TAIL).then(|| 1.0 + f64::from(n) / sum)
}

/// Links whose target links back, by merging sorted targets with sorted sources.
fn reciprocal_links(world: &World) -> u32 {
    let n = world.n_pages() as usize;
    let mut starts = vec![0_u32; n + 1];
    for page in world.pages() {
        for target in world.links(page) {
            starts[target.index() + 1] += 1;
        }
    }
    (0..n).for_each(|i| starts[i + 1] += starts[i]);
    let mut filled = starts.clone();
    let mut from = vec![0_u32; world.n_links() as usize];
    for page in world.pages() {
        for target in world.links(page) {
            let at = &mut filled[target.index()];
            from[*at as usize] = page.0;
            *at += 1;
        }
    }
    let mut both = 0;
    for page in world.pages() {
        let i = page.index();
        let sources = &from[starts[i] as usize..starts[i + 1] as usize];
        let linked_back = |target: &&crawl_world::PageId| sources.binary_search(&target.0).is_ok();
        both += world.links(page).iter().filter(linked_back).count() as u32;
    }
    both
}

fn nofollow_links(world: &World) -> u32 {
    if !world.has_nofollow() {
        return 0;
    }
    let links = 0..world.n_links() as usize;
    links.filter(|link| world.is_nofollow(*link)).count() as u32
}

fn pages_with(world: &World) -> Vec<(&'static str, u32)> {
    let count = |has: &dyn Fn(crawl_world::PageId) -> bool| {
        world.pages().filter(|page| has(*page)).count() as u32
    };
    vec![
        ("title", count(&|p| !world.title_of(p).is_empty())),
        ("text", count(&|p| !world.page_text(p).is_empty())),
        ("topics", count(&|p| world.topics(p).next().is_some())),
        ("clicks", count(&|p| world.clicks(p) > 0)),
        ("changes", count(&|p| world.change_process(p) != ChangeProcess::Never)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_import::{File, Limits, import, no_progress};

    fn world(text: &str) -> World {
        let source = File::from_bytes("w.txt", text.as_bytes()).into();
        import(source, &Limits::default(), &mut no_progress).expect("a world").world
    }

    #[test]
    fn a_small_world_is_counted_right() {
        let stats = Stats::of(&world("0 1\n1 0\n1 2\n3 2\n"));
        let expected = Stats {
            dangling: 1,
            unlinked: 1,
            max_in: 2,
            max_out: 2,
            reciprocity: Some(0.5),
            statuses: BTreeMap::from([(200, 4)]),
            change_processes: BTreeMap::from([("never", 4)]),
            with: stats.with.clone(),
            reachable: 3,
            depth: 2,
            mean_depth: 1.0,
            ..Stats::default()
        };
        assert_eq!(stats, expected);
        assert!(stats.with.iter().all(|(_, n)| *n == 0));
    }

    #[test]
    fn changes_are_counted_by_process() {
        let page = |name: &str, changes: &str| {
            format!("{{\"url\":\"http://a.example/{name}\"{changes}}}\n")
        };
        let text = [
            "{\"format\":\"crawlscope-world\",\"version\":1}\n".to_owned(),
            page("a", ""),
            page("b", ",\"change_rate_per_hour\":0.5"),
            page("c", ",\"change_period_s\":1800"),
            page("d", ",\"changes_s\":[0,3600,7200]"),
            page("e", ",\"changes_s\":[7,36000],\"born_s\":7,\"gone_s\":36000"),
            page("f", ",\"born_s\":7200"),
            page("g", ",\"born_s\":60"),
        ];
        let stats = Stats::of(&world(&text.concat()));
        let expected = [("never", 3), ("periodic", 1), ("poisson", 1), ("recorded", 2)];
        assert_eq!(stats.change_processes, BTreeMap::from(expected));
        // Rates 0.2, 0.3, 0.5 and 2 per hour; changes were recorded for ten hours.
        assert_eq!((stats.median_changes_per_hour, stats.gone), (Some(0.4), 1));
        assert_eq!((stats.born, stats.last_born_s), (3, Some(7200.0)));
        assert!(stats.with.contains(&("changes", 4)));
    }

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        // The number of pages of in-degree k is proportional to k^(−2.5).
        let mut degrees = Vec::new();
        for k in 1..2000_u32 {
            let n = (1e7 * libm::pow(f64::from(k), -2.5)).round() as usize;
            degrees.extend(std::iter::repeat_n(k, n));
        }
        let found = exponent(&degrees).expect("enough pages");
        assert!((found - 2.5).abs() < 0.02, "{found}");
        assert_eq!(exponent(&[6; 49]), None);
    }
}
