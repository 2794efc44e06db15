//! Takes screenshots, run by `cargo xtask shots`.

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    crawl_e2e::shots::take(&words)
}
