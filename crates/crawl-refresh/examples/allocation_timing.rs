//! Benchmarks optimal visit rates for growing numbers of pages, as ratios within one run.
//!
//! `cargo run --release -p crawl-refresh --example allocation_timing`
//!
//! The baselines are two passes over the pages: one sums the rates, one computes each page's
//! freshness once.

use std::hint::black_box;
use std::time::Instant;

use crawl_refresh::Rate;
use crawl_refresh::allocate::{Goal, Weights, optimal, uniform};
use crawl_refresh::freshness::freshness;

fn main() {
    for (title, n_kinds) in [("All rates and weights different", None), ("100 kinds", Some(100))] {
        for goal in [Goal::Freshness, Goal::Age] {
            println!("{title}, for {goal:?}");
            println!(
                "   pages  visits/page   µs/page  ÷ sum  ÷ freshness  passes  residual  visited"
            );
            for per_page in [0.01, 1.0, 100.0] {
                for n in [10_000, 100_000, 1_000_000] {
                    row(goal, n, n_kinds.unwrap_or(n), per_page);
                }
            }
        }
    }
}

fn row(goal: Goal, n: usize, n_kinds: usize, per_page: f64) {
    let (changes, weights) = pages(n, n_kinds);
    let budget = Rate::new(per_page * n as f64).expect("a rate");
    let visits = uniform(n, budget);
    let sum = best_of(5, || changes.iter().map(|rate| rate.get()).sum());
    let fresh = best_of(3, || changes.iter().zip(&visits).map(|(&l, &f)| freshness(l, f)).sum());
    let mut found = None;
    let time = best_of(3, || {
        let one = optimal(goal, &changes, Weights::Each(&weights), budget).expect("sound input");
        let spent = one.spent;
        found = Some(one);
        spent
    });
    let found = found.expect("it ran");
    let visited = found.visits.iter().filter(|f| f.get() > 0.0).count();
    println!(
        "{n:8}  {per_page:11}  {:8.4}  {:5.0}  {:11.1}  {:6}  {:8.1e}  {visited:7}",
        time * 1e6 / n as f64,
        time / sum,
        time / fresh,
        found.n_passes,
        found.residual(goal, &changes, Weights::Each(&weights)),
    );
}

/// Rates over four and weights over two orders of magnitude, shuffled.
fn pages(n: usize, n_kinds: usize) -> (Vec<Rate>, Vec<f64>) {
    let mut state = 7_u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let kinds: Vec<_> = (0..n_kinds)
        .map(|_| (libm::exp10(4.0 * draw() - 2.0), libm::exp10(2.0 * draw())))
        .collect();
    let of_page = |page: usize| kinds[page % n_kinds];
    (0..n).map(of_page).map(|(rate, weight)| (Rate::new(rate).expect("a rate"), weight)).unzip()
}

fn best_of(times: u32, mut work: impl FnMut() -> f64) -> f64 {
    let run = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..times).map(run).fold(f64::INFINITY, f64::min)
}
