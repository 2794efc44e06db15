//! `crawlscope rank`: ranks all pages, shows convergence, and compares two rankers.

mod agreement;
mod sweeps;

use crate::args::RankArgs;
use crate::failure::Outcome;
use crate::json;
use crate::progress::Progress;
use crate::report::{labelled, name, size};
use crate::terminal::{self, Column, Table, grouped, number};
use crate::world_source;
use agreement::Agreement;
use crawl_catalogue::{Catalogue, Kind};
use crawl_core::Truth;
use crawl_core::ranker::{self, Graph, Ranking};
use crawl_run::{Limits, RunError, catalogue};
use crawl_world::{PageId, World};
use serde_json::{Value, json};
use std::slice;

/// A ranking of all pages, with its ranker's spec.
pub struct Ranked {
    /// The ranker's spec.
    pub ranker: String,
    /// Rank and residuals.
    ranking: Ranking,
}

/// Runs the command.
pub fn run(args: &RankArgs) -> Outcome {
    let catalogue = catalogue();
    // Check the names before reading a large file.
    for spec in args.against.iter().chain([&args.ranker]) {
        catalogue.choose(Kind::Ranker, spec)?;
    }
    let loaded = world_source::load(&args.world.world, &args.world.file, &catalogue)?;
    let world = &*loaded.world;
    for spec in args.against.iter().chain([&args.ranker]).filter(|_| !args.world.file.no_limits) {
        Limits::default().check_ranker(
            &catalogue.choose(Kind::Ranker, spec)?,
            world,
            &catalogue,
        )?;
    }
    let ranked = Ranked::new(world, &args.ranker, &catalogue)?;
    let against =
        args.against.as_ref().map(|spec| Ranked::new(world, spec, &catalogue)).transpose()?;
    let top = args.top as usize;
    let agreement = against.as_ref().map(|other| Agreement::new(&ranked, other, top));
    if args.json {
        let mut object = json::object(json!({
            "world": json::world(world, &loaded.source),
            "ranker": ranked.ranker,
            "best": ranked.object(world, top),
        }));
        if args.sweeps {
            object.append(&mut sweeps::object(&ranked.ranking));
        }
        if let (Some(other), Some(agreement)) = (&against, &agreement) {
            let mut against = agreement.object(world);
            if args.sweeps {
                against.append(&mut sweeps::object(&other.ranking));
            }
            object.insert("against".into(), against.into());
        }
        json::print(&object)?;
    } else {
        let width = terminal::width();
        let about = [name(&loaded.source), size(world)];
        let mut text = labelled("world", &about, width);
        text += &labelled("ranker", slice::from_ref(&ranked.ranker), width);
        if let Some(other) = &against {
            text += &labelled("against", slice::from_ref(&other.ranker), width);
        }
        text.push('\n');
        text += &ranked.table(world, top).render(width);
        if let Some(agreement) = &agreement {
            text += &agreement.text(world, width);
        }
        if args.sweeps {
            for ranked in [&ranked].into_iter().chain(&against) {
                text += &sweeps::text(&ranked.ranker, &ranked.ranking, width);
            }
        }
        terminal::print(&text)?;
    }
    loaded.warn();
    Ok(())
}

impl Ranked {
    /// Ranks all pages.
    pub fn new(world: &World, spec: &str, catalogue: &Catalogue) -> Outcome<Self> {
        let chosen = catalogue.choose(Kind::Ranker, spec)?;
        let name = chosen.to_string();
        let _busy = Progress::spinner(format!("ranking by {name}"));
        let ranker = ranker::ranker(&chosen).ok_or_else(|| RunError::no_ranker(&chosen))?;
        Ok(Self { ranking: ranker.rank(&Graph::of(world)), ranker: name })
    }

    /// The top `n` pages, best first.
    fn best(&self, world: &World, n: usize) -> Vec<PageId> {
        let truth = Truth { ranks: self.ranking.values.clone(), ranker: String::new() };
        let pages: Vec<PageId> = world.pages().collect();
        let mut best = truth.sorted(&pages);
        best.truncate(n);
        best
    }

    /// The top `n` pages as a table.
    pub fn table(&self, world: &World, n: usize) -> Table {
        let mut table = Table::new([
            Column::number(""),
            Column::number("rank"),
            Column::number("links out"),
            Column::name("page"),
        ]);
        for (place, page) in (1_u64..).zip(self.best(world, n)) {
            table.row([
                grouped(place),
                number(self.ranking.values[page.index()], 4),
                grouped(world.out_degree(page)),
                world.url(page).into_owned(),
            ]);
        }
        table
    }

    /// The top `n` pages as JSON.
    pub fn object(&self, world: &World, n: usize) -> Value {
        let value = |page: PageId| self.ranking.values[page.index()];
        let row = |page| json!({ "url": world.url(page), "rank": value(page) });
        self.best(world, n).into_iter().map(row).collect()
    }
}
