//! `crawlscope explain`: explains the next URLs after a step, or the history of one URL.

mod history;
mod tree;

use crate::args::ExplainArgs;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::progress::Progress;
use crate::report::{labelled, name, size};
use crate::setup::Setup;
use crate::terminal::{self, Output, counted, grouped, number, plain, span, width_of, wrap};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_claims::figure::catalogue;
use crawl_core::metric::Setting;
use crawl_core::{Explanation, UrlId};
use crawl_import::address;
use crawl_run::Lane;
use crawl_world::{PageId, World};
use history::History;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Significant digits of a score.
const DIGITS: usize = 6;

/// Printed below a URL whose host must not be asked yet.
const DELAYED: &str = "   its host has a crawl delay, so other URLs are fetched first";

/// Headings if there is a revisit policy.
const NEW_PAGES: &str = "Pages not fetched yet, by score:";
const REVISITS: &str = "Revisits, by the time until each is due:";

/// One strategy at the requested step.
struct Explained<'a> {
    lane: &'a Lane,
    world: &'a World,
    /// Formula of the strategy, and of its revisit policy.
    formula: String,
    revisit_formula: Option<String>,
    /// The current step.
    at: u32,
    /// Whether the crawl ended before the requested step.
    ended: bool,
    next: Vec<Scored>,
    history: Option<History>,
}

/// A URL with its priority and explanation.
struct Scored {
    url: String,
    /// The explained value: the score, or the urgency of a revisit.
    score: f64,
    /// The strategy's score, if the URL was fetched before.
    strategy_score: Option<f64>,
    /// Microseconds until the revisit is due, if the policy schedules by time.
    due_in_us: Option<u64>,
    /// Whether its host's delay blocks it now.
    held: bool,
    why: Explanation,
}

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Outcome {
    let catalogue = catalogue();
    let setup = Setup::read(&args.experiment, &catalogue)?;
    let (mut run, loaded) = setup.start(&catalogue)?;
    let asked = args.url.as_deref();
    let page = asked.map(|url| find_page(&run.world, url)).transpose()?;
    let step = run.experiment.at.unwrap_or(0);
    let world = run.world.clone();
    let output = Output::stdout();
    let mut text = labelled("world", &[name(&loaded.source), size(&world)], output.width);
    let mut runs = Vec::new();
    for i in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(i) else {
            break;
        };
        let history = page.map(|page| History::new(lane, &setting, page, step));
        go_to(lane, &setting, step);
        let explained = Explained::new(lane, &world, &catalogue, step, args.top, history);
        if args.json {
            runs.push(explained.object());
        } else {
            text += &explained.text(output);
        }
    }
    if args.json {
        let mut object = Map::new();
        object.insert("world".into(), json::world(&world, &loaded.source).into());
        object.insert("at".into(), step.into());
        object.insert("runs".into(), runs.into());
        object.insert("link".into(), run.experiment.to_link().into());
        json::print(&object)?;
    } else {
        terminal::print(&text)?;
    }
    loaded.warn();
    Ok(())
}

fn find_page(world: &World, url: &str) -> Outcome<PageId> {
    let normal = || address::normal(url).and_then(|url| world.find(&url));
    let page = world.find(url).or_else(normal);
    page.ok_or_else(|| {
        let nearest = crawl_run::nearest_url(world, url);
        let meant = nearest.map(|url| format!("; did you mean {url}?")).unwrap_or_default();
        Failure::input(format!("--url {url}: not a page of this world{meant}"))
    })
}

fn go_to(lane: &mut Lane, setting: &Setting<'_>, step: u32) {
    let progress = Progress::bar(lane.strategy.to_string(), step.into());
    lane.seek(setting, step.min(lane.travel().farthest()));
    while lane.travel().at() < step && lane.forward(setting).is_some() {
        let _ = progress.set(lane.travel().at());
    }
}

impl<'a> Explained<'a> {
    fn new(
        lane: &'a Lane,
        world: &'a World,
        catalogue: &Catalogue,
        step: u32,
        top: u32,
        history: Option<History>,
    ) -> Self {
        let formula = |kind, chosen: &Chosen| {
            let entry = catalogue.entry(kind, &chosen.id);
            entry.map(|entry| entry.formula.to_string()).unwrap_or_default()
        };
        let session = lane.travel().now().session();
        // The history is about one URL only.
        let urls = match history {
            Some(_) => Vec::new(),
            None => session.upcoming(world, top as usize),
        };
        Self {
            formula: formula(Kind::Strategy, &lane.strategy),
            revisit_formula: lane.revisit.as_ref().map(|policy| formula(Kind::Policy, policy)),
            at: lane.travel().at(),
            ended: lane.travel().at() < step,
            next: urls.into_iter().map(|url| Scored::new(lane, world, url)).collect(),
            lane,
            world,
            history,
        }
    }

    fn text(&self, output: Output) -> String {
        let mut text = String::new();
        let oracle = if self.lane.is_oracle() { " (an oracle)" } else { "" };
        let when = match (self.at, self.ended) {
            (at, true) => format!("the crawl ended after {}", fetches(at)),
            (0, false) => "before the first fetch".to_owned(),
            (at, false) => format!("after {}", fetches(at)),
        };
        let _ = writeln!(text, "\n{}{oracle}, {when}", self.lane.name());
        for line in self.formulas().iter().flat_map(|formula| wrap(formula, output.width)) {
            let _ = writeln!(text, "{line}");
        }
        if let Some(history) = &self.history {
            text += &history.text(self.lane, self.world, output);
        } else if self.next.is_empty() {
            text.push_str("\nThe frontier is empty.\n");
        }
        // If new and old pages compete there is one list, without due times.
        let competes = |s: &Scored| s.strategy_score.is_some() && s.due_in_us.is_none();
        let has_headings = self.revisit_formula.is_some() && !self.next.iter().any(competes);
        let mut heading = "";
        for (i, scored) in self.next.iter().enumerate() {
            let above = if scored.due_in_us.is_some() { REVISITS } else { NEW_PAGES };
            if has_headings && above != heading {
                heading = above;
                let _ = writeln!(text, "\n{heading}");
            }
            let place = match scored.due_in_us {
                None => format!("{}.", grouped(i as u64 + 1)),
                Some(0) => format!("{}. due now ", grouped(i as u64 + 1)),
                Some(us) => format!("{}. in {} ", grouped(i as u64 + 1), span(us)),
            };
            let room = output.width.saturating_sub(width_of(&place) + 1);
            let url = output.fit(&plain(&scored.url), room);
            let _ = writeln!(text, "\n{place} {url}");
            if scored.held {
                let _ = writeln!(text, "{DELAYED}");
            }
            text += &tree::text(&scored.why, self.lane, self.world, output);
        }
        text
    }

    /// The formulas that order the next URLs: the strategy's, and the policy's.
    fn formulas(&self) -> Vec<String> {
        match (&self.revisit_formula, &self.lane.revisit) {
            (Some(revisit), Some(policy)) => vec![
                format!("new pages, {}: {}", self.lane.strategy.id, self.formula),
                format!("revisits, {}: {revisit}", policy.id),
            ],
            _ => vec![self.formula.clone()],
        }
    }

    fn object(&self) -> Value {
        let mut object = json::strategy(&self.lane.strategy, self.lane.is_oracle());
        object.insert("formula".into(), self.formula.as_str().into());
        if let (Some(chosen), Some(formula)) = (&self.lane.revisit, &self.revisit_formula) {
            let mut policy = json::policy(chosen);
            policy.insert("formula".into(), formula.as_str().into());
            object.insert("revisit".into(), policy.into());
        }
        object.insert("at".into(), self.at.into());
        object.insert("ended".into(), self.ended.into());
        if let Some(history) = &self.history {
            object.insert("url".into(), history.object(self.lane, self.world));
        } else {
            let next = self.next.iter().map(|s| s.object(self.lane, self.world));
            object.insert("next".into(), next.collect());
        }
        object.into()
    }
}

impl Scored {
    fn new(lane: &Lane, world: &World, url: UrlId) -> Self {
        let session = lane.travel().now().session();
        Self {
            url: world.url(session.book().page(url)).into_owned(),
            score: session.priority(url),
            strategy_score: session.visit_plan(url).map(|_| session.score(url)),
            due_in_us: session.due_in_us(url),
            held: session.is_held(url),
            why: session.explain(world, url),
        }
    }

    fn object(&self, lane: &Lane, world: &World) -> Value {
        let mut object = Map::new();
        object.insert("url".into(), self.url.as_str().into());
        object.insert("score".into(), self.score.into());
        if let Some(score) = self.strategy_score {
            object.insert("ordering_score".into(), score.into());
        }
        if let Some(us) = self.due_in_us {
            object.insert("due_in_s".into(), (us as f64 / 1e6).into());
        }
        object.insert("held".into(), self.held.into());
        object.insert("explanation".into(), tree::object(&self.why, lane, world));
        object.into()
    }
}

fn fetches(n: u32) -> String {
    if n == 1 { "1 fetch".to_owned() } else { format!("{} fetches", grouped(n)) }
}

fn score(value: f64) -> String {
    number(value, DIGITS)
}

/// Depth of a URL in words.
fn clicks(depth: u32) -> String {
    format!("{} from a seed", counted(depth, "click"))
}
