//! Runs benchmarks natively; prints `what<TAB>name<TAB>number` lines for `cargo xtask bench`.

use anyhow::{Context, Result, bail};
use crawl_bench::revisit::{BARE, POLICIES, changing, year_timings};
use crawl_bench::{FOCUSED, TIMED, crawl_timings, focused_timings, lines, seek_timing, world};
use crawl_catalogue::Kind;
use crawl_core::ranker::{self, Graph};
use crawl_import::{File, Limits, import, no_progress};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<()> {
    let started = Instant::now();
    let clock = || started.elapsed().as_secs_f64() * 1e3;
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["crawl", pages, repeats, specs @ ..] => {
            let specs = if specs.is_empty() { &TIMED[..] } else { specs };
            let before = clock();
            let world = world(&format!("web(pages:{pages})"));
            println!("made\t{} links\t{}", world.n_links(), clock() - before);
            let timings = crawl_timings(&world, specs, repeats.parse()?, &clock);
            println!("{}", lines("timing", &timings, &[&["bare loop"], specs].concat()));
            if let Some(peak) = peak_memory_mb() {
                println!("memory\tpeak MB\t{peak}");
            }
        }
        ["focused", repeats] => {
            println!("{}", lines("focused", &focused_timings(repeats.parse()?, &clock), &FOCUSED));
        }
        ["revisit", pages, repeats, policies @ ..] => {
            let policies = if policies.is_empty() { &POLICIES[..] } else { policies };
            let world = Arc::new(changing(pages.parse()?));
            // Long runs use CPU time, because other processes use the machine too.
            let clock = || processor_ms().unwrap_or_else(clock);
            let years = year_timings(&world, policies, repeats.parse()?, &clock);
            println!("{}", lines("year", &years.with_metrics, &[policies, &BARE].concat()));
            println!("{}", lines("simulated", &years.without_metrics, policies));
            for (policy, bytes) in &years.page_bytes {
                println!("bytes\t{policy}\t{bytes}");
            }
            if let Some(peak) = peak_memory_mb() {
                println!("memory\tpeak MB\t{peak}");
            }
        }
        ["seek", spec, strategy, n_seeks] => {
            let world = world(spec);
            let (p95, step) = seek_timing(&world, strategy, n_seeks.parse()?, &clock);
            println!("seek\tp95 ms\t{p95}\nseek\tstep ms\t{step}");
        }
        ["rank", file, repeats, output] => {
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
            let source = File::from_bytes(file, &bytes).into();
            let world = import(source, &Limits::default(), &mut no_progress)?.world;
            let chosen = crawl_run::catalogue().choose(Kind::Ranker, "pagerank")?;
            let ranker = ranker::ranker(&chosen).context("the ranker is registered")?;
            let mut best = f64::INFINITY;
            let mut ranking = None;
            for _ in 0..repeats.parse::<u32>()? {
                let before = clock();
                let result = ranker.rank(&Graph::of(&world));
                best = best.min(clock() - before);
                ranking = Some(result);
            }
            println!("timing\tcrawlscope\t{best}");
            // Other programs compare their ranks with these.
            let ranks = ranking.context("at least one repeat")?.values;
            let bytes: Vec<u8> = ranks.iter().flat_map(|r| r.to_le_bytes()).collect();
            std::fs::write(output, bytes).with_context(|| format!("cannot write {output}"))?;
        }
        _ => bail!(
            "usage: crawl PAGES REPEATS [ORDERING…] | focused REPEATS | revisit PAGES REPEATS [POLICY…] | seek WORLD STRATEGY SEEKS | rank FILE REPEATS OUTPUT"
        ),
    }
    Ok(())
}

/// CPU time of this thread in milliseconds, if the system provides it.
fn processor_ms() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

/// Peak memory of this process, if the system provides it.
fn peak_memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
