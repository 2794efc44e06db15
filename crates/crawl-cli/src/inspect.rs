//! `crawlscope inspect`: what a world is made of.

mod facts;

use crate::args::InspectArgs;
use crate::failure::Outcome;
use crate::json;
use crate::rank::Ranked;
use crate::report::{labelled, name, size};
use crate::terminal::{self, counted, grouped, percent, plain};
use crate::world_source::{self, Loaded};
use crawl_run::catalogue;
use crawl_world::World;
use facts::Facts;
use serde_json::{Value, json};
use std::fmt::Write;

/// How many of the best pages are told.
const N_BEST: usize = 5;
/// The ranker that says which they are.
const RANKER: &str = "pagerank";

/// Runs the command.
pub fn run(args: &InspectArgs) -> Outcome {
    let catalogue = catalogue();
    let loaded = world_source::load(&args.world.world, &args.world.file, &catalogue)?;
    let world = &*loaded.world;
    let facts = Facts::of(world);
    let best = Ranked::new(world, RANKER, &catalogue)?;
    if args.json {
        return json::print(&object(&loaded, &facts, &best));
    }
    Ok(terminal::print(&text(&loaded, &facts, &best, terminal::width()))?)
}

fn text(loaded: &Loaded, facts: &Facts, best: &Ranked, width: usize) -> String {
    let world = &*loaded.world;
    let mut text = String::new();
    let mut say = |label: &str, lines: Vec<String>| text += &labelled(label, &lines, width);
    say("world", vec![name(&loaded.source), size(world)]);
    if !world.title().is_empty() {
        say("title", vec![plain(world.title())]);
    }
    if !world.license().is_empty() {
        say("license", vec![plain(world.license())]);
    }
    say("format", vec![loaded.format.unwrap_or("built in").to_owned()]);
    say("digest", vec![world.digest().to_string()]);
    say("memory", vec![bytes(world.memory_bytes())]);
    say("hosts", vec![hosts(world, facts)]);
    say("links", links(world, facts));
    say("pages", pages(world, facts));
    if let Some(changes) = changes(facts) {
        say("changes", vec![changes]);
    }
    if let Some(births) = births(facts) {
        say("births", vec![births]);
    }
    say("seeds", seeds(world, facts));
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

fn hosts(world: &World, facts: &Facts) -> String {
    if world.hosts().is_empty() {
        return "none: pages have numbers, and host rules do not apply".to_owned();
    }
    let robots = match facts.hosts_with_robots {
        0 => String::new(),
        n => format!(" · {} with robots.txt", grouped(n)),
    };
    let inside = facts
        .inside_host
        .map(|share| format!(" · {} of links stay within their host", percent(share)));
    format!(
        "{} on {}{robots}{}",
        counted(world.hosts().len() as u64, "host"),
        counted(world.n_sites(), "site"),
        inside.unwrap_or_default()
    )
}

fn links(world: &World, facts: &Facts) -> Vec<String> {
    let mut lines = vec![format!(
        "{} between pages · {} leave the snapshot · {} point back",
        grouped(world.n_links()),
        grouped(world.n_outside_links() as u64),
        facts.reciprocity.map_or_else(|| "none".to_owned(), percent),
    )];
    let exponent = facts.in_degree_exponent.map(|e| format!(" · in-degree exponent {e:.2}"));
    lines.push(format!(
        "at most {} into a page · at most {} out of a page{}",
        grouped(facts.max_in),
        grouped(facts.max_out),
        exponent.unwrap_or_default()
    ));
    if facts.nofollow > 0 {
        lines.push(format!("{} marked nofollow", grouped(facts.nofollow)));
    }
    lines
}

fn pages(world: &World, facts: &Facts) -> Vec<String> {
    let share = percent(f64::from(facts.dangling) / f64::from(world.n_pages().max(1)));
    let mut lines = vec![format!(
        "{} link nowhere ({share}) · {} are linked from nowhere",
        grouped(facts.dangling),
        grouped(facts.unlinked)
    )];
    let statuses: Vec<String> =
        facts.statuses.iter().map(|(status, n)| format!("{} × {status}", grouped(*n))).collect();
    lines.push(format!("status {}", statuses.join(" · ")));
    let with: Vec<String> = facts
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

/// How pages change, where any do.
fn changes(facts: &Facts) -> Option<String> {
    let every = time(1.0 / facts.median_changes_per_hour?);
    let mut parts: Vec<String> = facts
        .change_processes
        .iter()
        .map(|(process, n)| format!("{} {process}", grouped(*n)))
        .collect();
    if facts.gone > 0 {
        parts.push(format!("{} gone in the end", grouped(facts.gone)));
    }
    parts.push(format!("the median of those that change every {every}"));
    Some(parts.join(" · "))
}

/// How many pages come later, where any do.
fn births(facts: &Facts) -> Option<String> {
    let last = time(facts.last_born_s? / 3600.0);
    let pages = counted(facts.born, "page");
    Some(format!("{pages} born later than at the start · the last after {last}"))
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

fn seeds(world: &World, facts: &Facts) -> Vec<String> {
    let seeds = world.seeds();
    let own = if world.own_seeds().is_empty() {
        " (the first page, since the world names none)"
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
        grouped(facts.reachable),
        counted(world.n_pages(), "page"),
        counted(facts.depth, "click"),
        facts.mean_depth
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

fn object(loaded: &Loaded, facts: &Facts, best: &Ranked) -> Value {
    let world = &*loaded.world;
    let seeds: Vec<_> = world.seeds().iter().map(|p| world.url(*p).into_owned()).collect();
    let statuses = facts.statuses.iter().map(|(s, n)| (s.to_string(), Value::from(*n)));
    let with = facts.with.iter().map(|(what, n)| ((*what).to_owned(), Value::from(*n)));
    let mut object = json::world(world, &loaded.source);
    let more = json!({
        "format": loaded.format,
        "license": world.license(),
        "memory_bytes": world.memory_bytes(),
        "outside_links": world.n_outside_links(),
        "dangling": facts.dangling,
        "unlinked": facts.unlinked,
        "max_in": facts.max_in,
        "max_out": facts.max_out,
        "in_degree_exponent": facts.in_degree_exponent,
        "links_inside_host": facts.inside_host,
        "reciprocity": facts.reciprocity,
        "nofollow": facts.nofollow,
        "hosts_with_robots": facts.hosts_with_robots,
        "statuses": statuses.collect::<serde_json::Map<_, _>>(),
        "pages_with": with.collect::<serde_json::Map<_, _>>(),
        "change_processes": facts.change_processes,
        "median_changes_per_hour": facts.median_changes_per_hour,
        "born_later": facts.born,
        "last_born_s": facts.last_born_s,
        "gone": facts.gone,
        "seeds": seeds,
        "reachable": facts.reachable,
        "depth": facts.depth,
        "mean_depth": facts.mean_depth,
        "best": best.object(&loaded.world, N_BEST),
        "notices": loaded.notices.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    object.append(&mut json::object(more));
    object.into()
}
