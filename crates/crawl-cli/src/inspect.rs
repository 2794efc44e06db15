//! `crawlscope inspect`: statistics of a world.

mod stats;

use crate::args::InspectArgs;
use crate::failure::Outcome;
use crate::json;
use crate::rank::Ranked;
use crate::report::{labelled, name, size};
use crate::terminal::{self, counted, grouped, percent, plain};
use crate::world_source::{self, Loaded};
use crawl_run::catalogue;
use crawl_world::World;
use serde_json::{Value, json};
use stats::Stats;
use std::fmt::Write;

/// Number of top pages shown.
const N_BEST: usize = 5;
/// The ranker of the top pages.
const RANKER: &str = "pagerank";

/// Runs the command.
pub fn run(args: &InspectArgs) -> Outcome {
    let catalogue = catalogue();
    let loaded = world_source::load(&args.world.world, &args.world.file, &catalogue)?;
    let world = &*loaded.world;
    let stats = Stats::of(world);
    let best = Ranked::new(world, RANKER, &catalogue)?;
    if args.json {
        return json::print(&object(&loaded, &stats, &best));
    }
    Ok(terminal::print(&text(&loaded, &stats, &best, terminal::width()))?)
}

fn text(loaded: &Loaded, stats: &Stats, best: &Ranked, width: usize) -> String {
    let world = &*loaded.world;
    let mut text = String::new();
    let mut add = |label: &str, lines: Vec<String>| text += &labelled(label, &lines, width);
    add("world", vec![name(&loaded.source), size(world)]);
    if !world.title().is_empty() {
        add("title", vec![plain(world.title())]);
    }
    if !world.license().is_empty() {
        add("license", vec![plain(world.license())]);
    }
    add("format", vec![loaded.format.unwrap_or("built in").to_owned()]);
    add("digest", vec![world.digest().to_string()]);
    add("memory", vec![bytes(world.memory_bytes())]);
    add("hosts", vec![hosts(world, stats)]);
    add("links", links(world, stats));
    add("pages", pages(world, stats));
    if let Some(changes) = changes(stats) {
        add("changes", vec![changes]);
    }
    if let Some(births) = births(stats) {
        add("births", vec![births]);
    }
    add("seeds", seeds(world, stats));
    let _ = write!(text, "\nbest by {}\n\n", best.ranker);
    text += &best.table(&loaded.world, N_BEST).render(width);
    if !loaded.notices.is_empty() {
        text.push_str("\nnotices\n");
        for notice in &loaded.notices {
            let _ = writeln!(text, "  {}", plain(&notice.to_string()));
        }
    }
    text
}

fn hosts(world: &World, stats: &Stats) -> String {
    if world.hosts().is_empty() {
        return "none (pages are numbered; rules about hosts do not apply)".to_owned();
    }
    let robots = match stats.hosts_with_robots {
        0 => String::new(),
        n => format!(" · {} with robots.txt", grouped(n)),
    };
    let inside = stats
        .inside_host
        .map(|share| format!(" · {} of links stay within their host", percent(share)));
    format!(
        "{} on {}{robots}{}",
        counted(world.hosts().len() as u64, "host"),
        counted(world.n_sites(), "site"),
        inside.unwrap_or_default()
    )
}

fn links(world: &World, stats: &Stats) -> Vec<String> {
    let mut lines = vec![format!(
        "{} between pages · {} leave the snapshot · {} are reciprocated",
        grouped(world.n_links()),
        grouped(world.n_outside_links() as u64),
        stats.reciprocity.map_or_else(|| "none".to_owned(), percent),
    )];
    let exponent = stats.in_degree_exponent.map(|e| format!(" · in-degree exponent {e:.2}"));
    lines.push(format!(
        "at most {} into a page · at most {} out of a page{}",
        grouped(stats.max_in),
        grouped(stats.max_out),
        exponent.unwrap_or_default()
    ));
    if stats.nofollow > 0 {
        lines.push(format!("{} marked nofollow", grouped(stats.nofollow)));
    }
    lines
}

fn pages(world: &World, stats: &Stats) -> Vec<String> {
    let share = percent(f64::from(stats.dangling) / f64::from(world.n_pages().max(1)));
    let mut lines = vec![format!(
        "{} without out-links ({share}) · {} without in-links",
        grouped(stats.dangling),
        grouped(stats.unlinked)
    )];
    let statuses: Vec<String> =
        stats.statuses.iter().map(|(status, n)| format!("{} × {status}", grouped(*n))).collect();
    lines.push(format!("status {}", statuses.join(" · ")));
    let with: Vec<String> = stats
        .with
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(what, n)| format!("{} with {what}", grouped(*n)))
        .collect();
    if !with.is_empty() {
        lines.push(with.join(" · "));
    }
    lines
}

/// How pages change; `None` if none does.
fn changes(stats: &Stats) -> Option<String> {
    let every = time(1.0 / stats.median_changes_per_hour?);
    let mut parts: Vec<String> = stats
        .change_processes
        .iter()
        .map(|(process, n)| format!("{} {process}", grouped(*n)))
        .collect();
    if stats.gone > 0 {
        parts.push(format!("{} deleted by the end", grouped(stats.gone)));
    }
    parts.push(format!("median change interval of changing pages {every}"));
    Some(parts.join(" · "))
}

/// How many pages appear after the start; `None` if none does.
fn births(stats: &Stats) -> Option<String> {
    let last = time(stats.last_born_s? / 3600.0);
    let pages = counted(stats.born, "page");
    Some(format!("{pages} appear after the start · the last after {last}"))
}

fn time(hours: f64) -> String {
    match hours {
        h if h < 1.0 / 3600.0 => format!("{:.1} milliseconds", h * 3.6e6),
        h if h < 1.0 / 60.0 => format!("{:.1} seconds", h * 3600.0),
        h if h < 1.0 => format!("{:.0} minutes", h * 60.0),
        h if h < 48.0 => format!("{h:.1} hours"),
        h => format!("{:.1} days", h / 24.0),
    }
}

fn seeds(world: &World, stats: &Stats) -> Vec<String> {
    let seeds = world.seeds();
    let own = if world.own_seeds().is_empty() {
        " (the first page; the world names no seeds)"
    } else {
        ""
    };
    let mut lines: Vec<String> = seeds.iter().take(3).map(|p| plain(&world.url(*p))).collect();
    if let Some(first) = lines.first_mut() {
        first.push_str(own);
    }
    if seeds.len() > 3 {
        lines.push(format!("and {} more", grouped(seeds.len() as u64 - 3)));
    }
    lines.push(format!(
        "reach {} of {}, at most {} away, {:.1} on average",
        grouped(stats.reachable),
        counted(world.n_pages(), "page"),
        counted(stats.depth, "click"),
        stats.mean_depth
    ));
    lines
}

fn bytes(n: usize) -> String {
    match n {
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

fn object(loaded: &Loaded, stats: &Stats, best: &Ranked) -> Value {
    let world = &*loaded.world;
    let seeds: Vec<_> = world.seeds().iter().map(|p| world.url(*p).into_owned()).collect();
    let statuses = stats.statuses.iter().map(|(s, n)| (s.to_string(), Value::from(*n)));
    let with = stats.with.iter().map(|(what, n)| ((*what).to_owned(), Value::from(*n)));
    let mut object = json::world(world, &loaded.source);
    let more = json!({
        "format": loaded.format,
        "license": world.license(),
        "memory_bytes": world.memory_bytes(),
        "outside_links": world.n_outside_links(),
        "dangling": stats.dangling,
        "unlinked": stats.unlinked,
        "max_in": stats.max_in,
        "max_out": stats.max_out,
        "in_degree_exponent": stats.in_degree_exponent,
        "links_inside_host": stats.inside_host,
        "reciprocity": stats.reciprocity,
        "nofollow": stats.nofollow,
        "hosts_with_robots": stats.hosts_with_robots,
        "statuses": statuses.collect::<serde_json::Map<_, _>>(),
        "pages_with": with.collect::<serde_json::Map<_, _>>(),
        "change_processes": stats.change_processes,
        "median_changes_per_hour": stats.median_changes_per_hour,
        "born_later": stats.born,
        "last_born_s": stats.last_born_s,
        "gone": stats.gone,
        "seeds": seeds,
        "reachable": stats.reachable,
        "depth": stats.depth,
        "mean_depth": stats.mean_depth,
        "best": best.object(&loaded.world, N_BEST),
        "notices": loaded.notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    object.append(&mut json::object(more));
    object.into()
}
