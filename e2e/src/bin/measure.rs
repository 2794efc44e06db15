//! Measures the built app; `cargo xtask bench` runs it.

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    crawl_e2e::measure::run(&words)
}
