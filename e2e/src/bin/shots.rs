//! Takes the screenshots; `cargo xtask shots` runs it.

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    crawl_e2e::shots::take(&words)
}
