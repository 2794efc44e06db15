//! Benchmarks link matching, relearning and text segmentation, as ratios within one run.
//!
//! `cargo run --release -p crawl-learn --example learn_timing [links.tsv]`
//!
//! - Matching one link by the index against plain scans over all vertices, for growing numbers of
//!   vertices: a scan over words, and a scan over numbered words. The links are generated with
//!   Zipf-distributed words, or read from a file with one link per line: anchor, URL and context,
//!   separated by tabs.
//! - Learning all Q of a graph against one bare sweep over its edges.
//! - Segmenting texts against texts of twice the length, for adversarial texts.

use std::hint::black_box;
use std::time::Instant;

use crawl_learn::bm25::{LinkIndex, LinkWords, Settings};
use crawl_learn::link_graph::{self, LinkGraph, VertexId};
use crawl_learn::text::Pipeline;

type Texts = [Vec<String>; 3];

const N_ASKED: usize = 200;

fn main() {
    if let Some(file) = std::env::args().nth(1) {
        println!("Links of {file}");
        matching(&read_links(&file));
    } else {
        println!("Links similar to each other, as on real sites");
        matching(&made_up_links(60));
        println!("\nLinks that share only frequent words");
        matching(&made_up_links(0));
    }
    relearning();
    cutting();
}

fn matching(links: &[Texts]) {
    println!("vertices   index µs    scan µs   ratio   numbered µs   ratio");
    let (asked, vertices) = links.split_at(N_ASKED.min(links.len() / 2));
    for n in [1000, 2000, 5000, 10_000, 20_000, 50_000] {
        let Some(vertices) = vertices.get(..n) else { break };
        let mut index = LinkIndex::new(Settings::default()).expect("the defaults are sound");
        for texts in vertices {
            index.add(&link(texts));
        }
        let plain = PlainScan::of(vertices);
        let mut scores = [Vec::new(), Vec::new()];
        // The first round computes what depends on the mean length.
        asked
            .iter()
            .for_each(|u| assert!(black_box(index.best(&link(u))).is_none_or(|m| m.score > 0.0)));
        let by_index = best_of(30, || {
            scores[0] =
                asked.iter().map(|u| index.best(&link(u)).map_or(0.0, |m| m.score)).collect();
        });
        let few = &asked[..20];
        let numbered = best_of(8, || scores[1] = few.iter().map(|u| plain.best(u)).collect());
        for (a, b) in scores[0].iter().zip(&scores[1]) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        let one = &asked[..2];
        let by_words = best_of(2, || {
            let count = |u: &Texts| vertices.iter().map(|v| shared(u, v)).sum::<usize>();
            black_box(one.iter().map(count).sum::<usize>());
        });
        let by_index = by_index * 1e6 / asked.len() as f64;
        let numbered = numbered * 1e6 / few.len() as f64;
        let by_words = by_words * 1e6 / one.len() as f64;
        let (ratio, of_numbered) = (by_words / by_index, numbered / by_index);
        println!(
            "{n:8} {by_index:10.1} {by_words:10.0} {ratio:7.0} {numbered:13.0} {of_numbered:7.0}"
        );
    }
}

/// The minimum work of a scan over words: occurrences of one link's words in another link.
fn shared(u: &Texts, v: &Texts) -> usize {
    let count = |(u, v): (&Vec<String>, &Vec<String>)| {
        u.iter().map(|word| v.iter().filter(|w| *w == word).count()).sum::<usize>()
    };
    u.iter().zip(v).map(count).sum()
}

fn link(texts: &Texts) -> LinkWords<'_, String> {
    LinkWords { anchor: &texts[0], url: &texts[1], context: &texts[2] }
}

/// Reference implementation of eq. 5–8: every vertex, words numbered and counted in advance.
struct PlainScan {
    numbers: std::collections::BTreeMap<String, u32>,
    vertices: Vec<[Vec<u32>; 3]>,
    n_with_word: [Vec<u32>; 3],
    mean_lengths: [f64; 3],
}

impl PlainScan {
    fn of(links: &[Texts]) -> Self {
        let mut numbers = std::collections::BTreeMap::new();
        for word in links.iter().flatten().flatten() {
            let next = numbers.len() as u32;
            numbers.entry(word.clone()).or_insert(next);
        }
        let number =
            |texts: &Texts| texts.each_ref().map(|t| t.iter().map(|w| numbers[w]).collect());
        let vertices: Vec<[Vec<u32>; 3]> = links.iter().map(number).collect();
        let mut n_with_word = [(); 3].map(|()| vec![0; numbers.len()]);
        let mut mean_lengths = [0.0; 3];
        for texts in &vertices {
            for (f, text) in texts.iter().enumerate() {
                mean_lengths[f] += text.len() as f64 / links.len() as f64;
                let distinct: std::collections::BTreeSet<u32> = text.iter().copied().collect();
                distinct.into_iter().for_each(|w| n_with_word[f][w as usize] += 1);
            }
        }
        Self { numbers, vertices, n_with_word, mean_lengths }
    }

    fn best(&self, u: &Texts) -> f64 {
        let n = self.vertices.len() as f64;
        let mut totals = vec![0.0; self.vertices.len()];
        for (f, weight) in [0.5, 0.2, 0.3].into_iter().enumerate() {
            let mut asked: Vec<u32> =
                u[f].iter().filter_map(|w| self.numbers.get(w).copied()).collect();
            asked.sort_unstable();
            asked.dedup();
            let idf = |w: &u32| {
                let df = f64::from(self.n_with_word[f][*w as usize]);
                libm::log((n - df + 0.5) / (df + 0.5)).max(0.0)
            };
            let idfs: Vec<f64> = asked.iter().map(idf).collect();
            let score = |texts: &[Vec<u32>; 3]| {
                let text = &texts[f];
                let length = 2.0 * (0.75 * text.len() as f64 / self.mean_lengths[f] + 0.25);
                let mut sum = 0.0;
                for (word, idf) in asked.iter().zip(&idfs) {
                    let count = text.iter().filter(|w| *w == word).count() as f64;
                    if count > 0.0 {
                        sum += idf * count * 3.0 / (length + count);
                    }
                }
                sum
            };
            let scores: Vec<f64> = self.vertices.iter().map(score).collect();
            let norm = libm::sqrt(scores.iter().map(|s| s * s).sum());
            for (total, score) in totals.iter_mut().zip(scores) {
                *total += if norm > 0.0 { weight * score / norm } else { 0.0 };
            }
        }
        totals.into_iter().fold(0.0, f64::max)
    }
}

fn relearning() {
    println!("\nvertices      edges   bare µs  relearn µs    ratio   sweeps");
    for n in [1000_u32, 10_000, 100_000] {
        let mut random = Random(7);
        let mut graph = LinkGraph::new();
        for v in 0..n {
            let vertex = graph.add_vertex().expect("room");
            if v > 10 && random.below(3) == 0 {
                graph.mark_result(vertex).expect("there");
            }
        }
        // Each page was found from an earlier one and has two more links from any page.
        for v in 1..n {
            for from in [random.below(v), random.below(n), random.below(n)] {
                graph.add_edge(VertexId(from), VertexId(v)).expect("there");
            }
        }
        let edges: Vec<(VertexId, VertexId)> = graph.edges().collect();
        let rewards: Vec<f64> =
            (0..n).map(|v| f64::from(u8::from(graph.is_result(VertexId(v))))).collect();
        let (mut of_edges, mut before) = (vec![0.0; edges.len()], vec![0.0; n as usize]);
        let bare = best_of(20, || {
            let mut after = vec![0.0_f64; n as usize];
            for (q, (u, v)) in of_edges.iter_mut().zip(&edges) {
                *q = rewards[v.index()] + 0.9 * before[v.index()];
                after[u.index()] = after[u.index()].max(*q);
            }
            before = black_box(after);
        });
        let settings = link_graph::Settings::default();
        let mut n_sweeps = 0;
        let relearn = best_of(20, || {
            n_sweeps = black_box(graph.learn(&settings)).expect("sound settings").n_sweeps;
        });
        let (bare, relearn, ratio) = (bare * 1e6, relearn * 1e6, relearn / bare);
        println!("{n:8} {:10} {bare:9.0} {relearn:11.0} {ratio:8.1} {n_sweeps:8}", edges.len());
    }
}

fn cutting() {
    println!("\ntext                     2.5 MB ms   5 MB ms");
    let pipeline = Pipeline::default();
    for (name, piece) in [
        ("English", "Digital cameras, reviewed and compared; "),
        ("Chinese", "数码相机评测与比较。"),
        ("one word", "a"),
        ("one Chinese run", "数码相机"),
        ("marks on one letter", "\u{301}"),
        ("joined emoji", "👩\u{200d}"),
        ("colons in a word", "a:"),
        ("flags", "🇫🇷"),
        ("formats", "\u{ad}:"),
    ] {
        let of_size = |bytes: usize| {
            let text = format!("a{}", piece.repeat(bytes / piece.len()));
            best_of(2, || {
                let mut n = 0;
                pipeline.each_word(&text, |_| n += 1);
                black_box(n);
            }) * 1e3
        };
        println!("{name:22} {:11.0} {:9.0}", of_size(2_500_000), of_size(5_000_000));
    }
}

fn best_of(rounds: u32, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let started = Instant::now();
        run();
        best = best.min(started.elapsed().as_secs_f64());
    }
    best
}

fn read_links(file: &str) -> Vec<Texts> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let pipeline = Pipeline::default();
    let words = |line: &str| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        [pipeline.words(next()), pipeline.url_words(next()), pipeline.words(next())]
    };
    text.lines().map(words).collect()
}

/// Generates links with Zipf-distributed words; copies `per_cent_copied` % from an earlier link.
fn made_up_links(per_cent_copied: u32) -> Vec<Texts> {
    let mut random = Random(1);
    let mut links: Vec<Texts> = Vec::new();
    for n in 0..N_ASKED as u32 + 50_000 {
        let model = links.get(random.below(n.max(1)) as usize).cloned().unwrap_or_default();
        let mut at = 0;
        links.push([4, 6, 30].map(|mean: u32| {
            let model = &model[at];
            at += 1;
            let length = 1 + random.below(2 * mean - 1) as usize;
            let word = |i: usize| match model.get(i) {
                Some(word) if random.below(100) < per_cent_copied => word.clone(),
                _ => format!("w{}", random.rank(20_000)),
            };
            (0..length).map(word).collect()
        }));
    }
    // Shuffle, so that queries resemble vertices of any age.
    for i in (1..links.len()).rev() {
        links.swap(i, random.below(i as u32 + 1) as usize);
    }
    links
}

/// Xorshift random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A rank below n with probability proportional to 1 / rank.
    fn rank(&mut self, n: u32) -> u32 {
        let share = f64::from(self.below(u32::MAX)) / f64::from(u32::MAX);
        libm::exp(share * libm::log(f64::from(n))) as u32
    }
}
