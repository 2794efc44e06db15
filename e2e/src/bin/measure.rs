//! Benchmarks of the built app, run by `cargo xtask bench`.

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    crawl_e2e::measure::run(&words)
}
