//! Properties of all layouts, and of each.

use crawl_layout::{LAYOUTS, Layout, Limits, Nodes, Picture, UNREACHED, find, spacing};
use crawl_world::{PageId, Rng, World, WorldBuilder};

/// A world of hosts with `size` pages each: a tree within each host, some links between hosts, and
/// some pages without incoming links.
fn world(n_hosts: u32, size: u32) -> World {
    let mut rng = Rng::new(11, "layout test");
    let mut below = |n: u32| (((rng.bits() >> 32) * u64::from(n)) >> 32) as u32;
    let mut builder = WorldBuilder::new("test");
    for host in 0..n_hosts {
        for page in 0..size {
            let path = if page == 0 { String::new() } else { format!("p{page}") };
            builder.page(&format!("http://h{host}.test.example/{path}")).unwrap();
        }
    }
    for host in 0..n_hosts {
        for page in 1..size {
            let at = |page: u32| PageId(host * size + page);
            if page % 23 == 22 {
                continue;
            }
            builder.link(at(page / 4), at(page));
            builder.link(at(page), at(0));
            if below(6) == 0 {
                builder.link(at(page), PageId(below(n_hosts) * size));
            }
        }
    }
    builder.seed(PageId(0));
    builder.finish().unwrap()
}

/// Ranks by number of incoming links.
fn ranks(world: &World) -> Vec<f64> {
    let back = world.graph().transposed();
    world.pages().map(|page| back.links(page).len() as f64 + 1.0).collect()
}

fn picture(world: &World) -> Picture {
    Picture::new(world, &ranks(world), &Limits::default())
}

fn begun(world: &World, picture: &Picture, layout: &str) -> Box<dyn Layout> {
    let depths = picture.depths(world, &world.seeds());
    (find(layout).unwrap().build)(picture, &depths)
}

fn laid_out(world: &World, picture: &Picture, layout: &str) -> Vec<f32> {
    let mut layout = begun(world, picture, layout);
    while !layout.step(50_000).is_done() {}
    layout.positions()
}

fn assert_sound(positions: &[f32], n_nodes: usize) {
    assert_eq!(positions.len(), 2 * n_nodes);
    assert!(positions.iter().all(|at| at.is_finite() && (-1.0..=1.0).contains(at)));
}

fn distance(positions: &[f32], a: usize, b: usize) -> f64 {
    let [dx, dy] = [0, 1].map(|axis| f64::from(positions[2 * a + axis] - positions[2 * b + axis]));
    (dx * dx + dy * dy).sqrt()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0_f64);
    values.for_each(|value| (sum, n) = (sum + value, n + 1.0));
    sum / n.max(1.0)
}

#[test]
fn step_size_does_not_change_the_result() {
    let world = world(5, 60);
    let picture = picture(&world);
    for entry in LAYOUTS {
        let whole = laid_out(&world, &picture, entry.id);
        assert_sound(&whole, 300);
        for budget in [1, 7, 300, 1001] {
            let mut layout = begun(&world, &picture, entry.id);
            let mut done = 0;
            loop {
                let progress = layout.step(budget);
                assert!(progress.done >= done && progress.done <= progress.of);
                done = progress.done;
                if budget > 7 {
                    assert_sound(&layout.positions(), 300);
                }
                if progress.is_done() {
                    break;
                }
            }
            assert_eq!(layout.positions(), whole, "{} by {budget}", entry.id);
            assert!(layout.step(9).is_done());
            assert_eq!(layout.positions(), whole, "{}: what is done stays", entry.id);
        }
    }
}

#[test]
fn linked_pages_are_nearer_than_random_pairs() {
    for world in [world(6, 80), world(1, 400)] {
        let picture = picture(&world);
        let n = picture.n_nodes();
        let positions = laid_out(&world, &picture, "force");
        let links = picture.edges.chunks(2).map(|ends| (ends[0] as usize, ends[1] as usize));
        let linked = mean(links.map(|(a, b)| distance(&positions, a, b)));
        let any = mean((0..n).map(|a| distance(&positions, a, (a * 7919 + 13) % n)));
        assert!(linked < any * 0.8, "{linked} and {any}");
    }
}

#[test]
fn hosts_are_clusters_apart() {
    let world = world(12, 50);
    let picture = picture(&world);
    let positions = laid_out(&world, &picture, "force");
    let centre = |host: usize| {
        let of = |axis| mean((0..50).map(|i| f64::from(positions[2 * (host * 50 + i) + axis])));
        (of(0), of(1))
    };
    let centres: Vec<(f64, f64)> = (0..12).map(centre).collect();
    let away = |page: usize, host: usize| {
        let (x, y) = (f64::from(positions[2 * page]), f64::from(positions[2 * page + 1]));
        let (dx, dy) = (x - centres[host].0, y - centres[host].1);
        (dx * dx + dy * dy).sqrt()
    };
    for page in 0..600 {
        let own = away(page, page / 50);
        let nearest = (0..12).filter(|h| *h != page / 50).map(|h| away(page, h));
        assert!(own < nearest.fold(f64::INFINITY, f64::min), "page {page} stands with others");
    }
    let within = mean((0..600).map(|a| distance(&positions, a, a / 50 * 50 + (a + 7) % 50)));
    let between = mean((0..600).map(|a| distance(&positions, a, (a + 150) % 600)));
    assert!(within * 2.0 < between, "{within} and {between}");
}

#[test]
fn the_stage_is_filled() {
    let world = world(12, 50);
    let positions = laid_out(&world, &picture(&world), "force");
    let mut taken = [[false; 8]; 8];
    for at in positions.chunks(2) {
        let cell = |at: f32| (((at + 1.0) * 4.0) as usize).min(7);
        taken[cell(at[1])][cell(at[0])] = true;
    }
    let n_taken = taken.iter().flatten().filter(|taken| **taken).count();
    assert!(n_taken > 26, "{n_taken} of 64 cells have pages");
    assert!(spacing(&positions) > 0.008, "{}", spacing(&positions));
}

#[test]
fn layers_go_from_left_to_right() {
    let world = world(4, 120);
    let picture = picture(&world);
    let positions = laid_out(&world, &picture, "layers");
    assert_sound(&positions, 480);
    let depths = picture.depths(&world, &world.seeds());
    assert!(depths.contains(&UNREACHED), "some pages cannot be reached");
    let mut order: Vec<usize> = (0..480).collect();
    order.sort_by_key(|node| depths[*node]);
    let columns: Vec<&[usize]> = order.chunk_by(|a, b| depths[*a] == depths[*b]).collect();
    let x = |node: &usize| positions[2 * node];
    let edge = |column: &[usize], pick: fn(f32, f32) -> f32| column.iter().map(x).reduce(pick);
    let mut gaps = Vec::new();
    for two in columns.windows(2) {
        let gap = edge(two[1], f32::min).unwrap() - edge(two[0], f32::max).unwrap();
        assert!(gap > 0.0, "a page stands before one that is nearer to the seeds");
        gaps.push(gap);
    }
    let (last, others) = gaps.split_last().unwrap();
    assert!(others.iter().all(|gap| gap * 1.3 < *last), "{gaps:?}");
    // Children are near their parents.
    let tree = picture.edges.chunks(2).map(|ends| (ends[0] as usize, ends[1] as usize));
    let tree = tree.filter(|(from, to)| depths[*to] == depths[*from].wrapping_add(1));
    let y = |node: usize| f64::from(positions[2 * node + 1]);
    let near = mean(tree.map(|(from, to)| (y(from) - y(to)).abs()));
    let any = mean((0..480).map(|a| (y(a) - y((a * 7919 + 13) % 480)).abs()));
    assert!(near < any * 0.75, "{near} and {any}");
}

#[test]
fn rings_are_logarithmic_distances() {
    let world = world(4, 120);
    let picture = picture(&world);
    let mut layout = begun(&world, &picture, "rings");
    assert_eq!(layout.rings(), [], "not before it is done");
    while !layout.step(100).is_done() {}
    let positions = layout.positions();
    assert_sound(&positions, 480);
    // Reference: relax every link until no distance changes.
    let mut degrees = vec![0_u32; 480];
    picture.edges.chunks(2).for_each(|ends| degrees[ends[0] as usize] += 1);
    let mut distances = vec![f64::INFINITY; 480];
    distances[0] = 0.0;
    loop {
        let before = distances.clone();
        for ends in picture.edges.chunks(2) {
            let (from, to) = (ends[0] as usize, ends[1] as usize);
            let through = distances[from] + libm::log(f64::from(degrees[from]));
            distances[to] = distances[to].min(through);
        }
        if distances == before {
            break;
        }
    }
    let radius =
        |node: usize| distance(&[positions[2 * node], positions[2 * node + 1], 0.0, 0.0], 0, 1);
    let farthest = distances.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max);
    let unit = (0..480).find(|node| distances[*node] == farthest).map(radius).unwrap() / farthest;
    for (node, distance) in distances.iter().enumerate() {
        let expected = if distance.is_finite() { distance * unit } else { 1.0 };
        assert!((radius(node) - expected).abs() < 1e-5, "{node} at {} of {expected}", radius(node));
    }
    let rings = layout.rings();
    assert!((2..=6).contains(&rings.len()), "{rings:?}");
    assert!(rings.iter().all(|(at, means)| (f64::from(*at) - means * unit).abs() < 1e-5));
    // A subtree is in its root's sector, so children are near their parent.
    let near = picture.edges.chunks(2).map(|ends| (ends[0] as usize, ends[1] as usize));
    let near = mean(near.map(|(a, b)| distance(&positions, a, b)));
    let any = mean((0..480).map(|a| distance(&positions, a, (a * 7919 + 13) % 480)));
    assert!(near < 0.8 * any, "{near} and {any}");
}

#[test]
fn empty_and_unlinked_worlds_have_layouts() {
    let bare = |n: u32| WorldBuilder::numbered("bare", n).unwrap().finish().unwrap();
    for n in [0, 1, 2, 3, 100] {
        let world = bare(n);
        let picture = picture(&world);
        for entry in LAYOUTS {
            let positions = laid_out(&world, &picture, entry.id);
            assert_sound(&positions, n as usize);
            assert!(spacing(&positions) >= 0.0);
            if n > 1 {
                assert!(distance(&positions, 0, n as usize - 1) > 0.01, "{} of {n}", entry.id);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_pages_can_be_seen_at_once() {
    let world = world(100, 1000);
    let picture = picture(&world);
    assert_eq!((picture.nodes, picture.n_nodes()), (Nodes::Pages, 100_000));
    for entry in LAYOUTS {
        let mut layout = begun(&world, &picture, entry.id);
        let mut progress = layout.step(300_000);
        for _ in 0..3 {
            assert_sound(&layout.positions(), 100_000);
            progress = layout.step(100_000);
        }
        assert!(progress.done > 300_000 || progress.is_done());
        // About as many visits per page as for a small world; the tree adds a logarithm.
        assert!(progress.of < 100_000 * 100, "{} visits", progress.of);
    }
}

#[test]
fn too_many_pages_are_drawn_by_host_or_by_rank() {
    let limits = Limits { nodes: 300, top_pages: 100, edges: 150 };
    let hosted = world(6, 80);
    let by_host = Picture::new(&hosted, &ranks(&hosted), &limits);
    assert_eq!((by_host.nodes, by_host.n_nodes()), (Nodes::Hosts, 6));
    assert_eq!(by_host.n_pages, [80; 6]);
    assert_eq!(by_host.node_of.len(), 480);
    assert!(by_host.edges.chunks(2).all(|ends| ends[0] != ends[1]));
    assert_eq!(by_host.labels.len(), 6);
    assert_eq!(by_host.hosts[3], "h3");
    let single = world(1, 480);
    let top = Picture::new(&single, &ranks(&single), &limits);
    assert_eq!((top.nodes, top.n_nodes()), (Nodes::TopPages, 100));
    assert_eq!(top.node_of.iter().filter(|node| **node != u32::MAX).count(), 100);
    assert_eq!(top.node_of[0], 0, "the seed is there");
    assert!(top.edges.len() / 2 <= 150);
    let few = Limits { nodes: 1000, ..limits };
    let pages = Picture::new(&hosted, &ranks(&hosted), &few);
    assert_eq!(pages.nodes, Nodes::Pages);
    assert!(pages.edges.len() / 2 <= 150 && pages.node_of.is_empty());
    let drawn = pages.edges.len() as u32 / 2;
    assert_eq!(drawn + pages.n_links_left_out, hosted.n_links());
    for (world, picture) in [(&hosted, &by_host), (&single, &top), (&hosted, &pages)] {
        for entry in LAYOUTS {
            assert_sound(&laid_out(world, picture, entry.id), picture.n_nodes());
        }
    }
}

#[test]
fn sizes_and_labels_follow_the_ranks() {
    let world = world(3, 40);
    let picture = picture(&world);
    assert!(picture.sizes.iter().all(|size| (0.0..=1.0).contains(size)));
    assert_eq!(picture.sizes.iter().copied().fold(0.0, f32::max), 1.0);
    let named: Vec<&str> = picture.labels.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(named.len(), 3);
    assert!(["h0", "h1", "h2"].iter().all(|name| named.contains(name)), "{named:?}");
    let homes: Vec<u32> = picture.labels.iter().map(|(node, _)| *node).collect();
    assert!(homes.iter().all(|node| node % 40 == 0), "{homes:?}");
    let single = world_of_one_host();
    let named = Picture::new(&single, &ranks(&single), &Limits::default()).labels;
    assert_eq!(named[0], (0, "one.example".to_owned()));
    assert!(named.contains(&(1, "p1".to_owned())));
}

fn world_of_one_host() -> World {
    let mut builder = WorldBuilder::new("one");
    let home = builder.page("http://one.example/").unwrap();
    for page in 1..30 {
        let page = builder.page(&format!("http://one.example/dir/p{page}?q=1")).unwrap();
        builder.link(page, home);
        builder.link(home, page);
    }
    builder.finish().unwrap()
}

#[test]
fn every_entry_has_texts() {
    for (i, entry) in LAYOUTS.iter().enumerate() {
        assert!(entry.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        assert!(!entry.title.is_empty() && !entry.summary.ends_with('.'));
        assert!(LAYOUTS[..i].iter().all(|other| other.id != entry.id));
        assert_eq!(find(entry.id).unwrap().id, entry.id);
    }
    assert_eq!(find("").unwrap().id, LAYOUTS[0].id);
    assert!(find("nonsense").is_none());
}
