//! `crawlscope rank`: all pages of a world by a ranker.

use crate::args::RankArgs;
use crate::failure::Outcome;
use crate::json;
use crate::progress::Progress;
use crate::report::{labelled, name, size};
use crate::terminal::{self, Column, Table, grouped, number};
use crate::world_source::{self, Loaded};
use crawl_catalogue::{Catalogue, Kind};
use crawl_core::Truth;
use crawl_core::ranker::{self, Graph};
use crawl_run::{RunError, catalogue};
use crawl_world::World;
use serde_json::{Value, json};
use std::slice;

/// The best pages, best first.
pub struct Ranked {
    /// The ranker's spec.
    pub ranker: String,
    rows: Vec<Row>,
}

struct Row {
    url: String,
    value: f64,
    links_out: u32,
}

/// Runs the command.
pub fn run(args: &RankArgs) -> Outcome {
    let catalogue = catalogue();
    // A wrong name is told before a long file is read.
    catalogue.choose(Kind::Ranker, &args.ranker)?;
    let loaded = world_source::load(&args.world.world, &args.world.file, &catalogue)?;
    let ranked = best(&loaded.world, &args.ranker, args.top as usize, &catalogue)?;
    if args.json {
        let world = json::world(&loaded.world, &loaded.source);
        let best = ranked.object();
        json::print(&json!({ "world": world, "ranker": ranked.ranker, "best": best }))?;
    } else {
        terminal::print(&text(&loaded, &ranked, terminal::width()))?;
    }
    loaded.warn();
    Ok(())
}

fn text(loaded: &Loaded, ranked: &Ranked, width: usize) -> String {
    let about = [name(&loaded.source), size(&loaded.world)];
    labelled("world", &about, width)
        + &labelled("ranker", slice::from_ref(&ranked.ranker), width)
        + "\n"
        + &ranked.table().render(width)
}

/// Ranks all pages and keeps the best.
pub fn best(world: &World, spec: &str, n: usize, catalogue: &Catalogue) -> Outcome<Ranked> {
    let chosen = catalogue.choose(Kind::Ranker, spec)?;
    let name = chosen.to_string();
    let _busy = Progress::spinner(format!("ranking by {name}"));
    let ranker = ranker::ranker(&chosen).ok_or_else(|| RunError::NotBuilt(name.clone()))?;
    let truth = Truth { ranks: ranker.rank(&Graph::of(world)).values, ranker: name };
    let pages: Vec<_> = world.pages().collect();
    let rows = truth.sorted(&pages).into_iter().take(n).map(|page| Row {
        url: world.url(page).into_owned(),
        value: truth.rank(page),
        links_out: world.out_degree(page),
    });
    Ok(Ranked { rows: rows.collect(), ranker: truth.ranker })
}

impl Ranked {
    /// As a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            Column::number(""),
            Column::number("rank"),
            Column::number("links out"),
            Column::name("page"),
        ]);
        for (i, row) in self.rows.iter().enumerate() {
            table.row([
                grouped(i as u64 + 1),
                number(row.value, 4),
                grouped(row.links_out),
                row.url.clone(),
            ]);
        }
        table
    }

    /// For programs.
    pub fn object(&self) -> Value {
        let rows = self.rows.iter();
        rows.map(|row| json!({ "url": row.url, "rank": row.value })).collect()
    }
}
