//! `crawlscope explain`: the next URLs after a step and why they are next, or the story of one URL.

mod story;
mod tree;

use crate::args::ExplainArgs;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::progress::Progress;
use crate::report::{labelled, name, size};
use crate::setup::Setup;
use crate::terminal::{self, Paper, counted, grouped, number, plain, span, width_of, wrap};
use crawl_catalogue::{Catalogue, Chosen, Kind};
use crawl_claims::figure::catalogue;
use crawl_core::metric::Setting;
use crawl_core::{Explanation, UrlId};
use crawl_import::address;
use crawl_run::Lane;
use crawl_world::{PageId, World};
use serde_json::{Map, Value};
use std::fmt::Write;
use story::Story;

/// Significant digits of a score.
const DIGITS: usize = 6;

/// What is said of a URL that is passed over for now.
const RESTS: &str = "   its host asks for a pause between two requests, so others go first";

/// What stands above the two kinds of pages, where some are visited again.
const NEW: &str = "Pages not fetched yet, by score:";
const AGAIN: &str = "Visits to pages fetched before, by the time until each is due:";

/// One strategy at the step asked for.
struct Explained<'a> {
    lane: &'a Lane,
    world: &'a World,
    /// The formula of its registry entry, and that of its revisit policy where it has one.
    formula: String,
    revisit_formula: Option<String>,
    /// The step it stands at.
    at: u32,
    /// True when the crawl ended before the step asked for.
    ended: bool,
    next: Vec<Scored>,
    story: Option<Story>,
}

/// A URL, what it stands in line with, and why.
struct Scored {
    url: String,
    /// The value that is explained: a score, or the urgency of a visit.
    score: f64,
    /// Its score by the ordering, where it was fetched before and another value is explained.
    of_ordering: Option<f64>,
    /// How long it is until a visit is due, where time decides.
    due_in_us: Option<u64>,
    /// Whether its host must be waited for now.
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
    let paper = Paper::here();
    let mut text = labelled("world", &[name(&loaded.source), size(&world)], paper.width);
    let mut runs = Vec::new();
    for i in 0..run.lanes.len() {
        let Some((lane, setting)) = run.lane(i) else {
            break;
        };
        let story = page.map(|page| Story::new(lane, &setting, page, step));
        go_to(lane, &setting, step);
        let explained = Explained::new(lane, &world, &catalogue, step, args.top, story);
        if args.json {
            runs.push(explained.object());
        } else {
            text += &explained.text(paper);
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
        story: Option<Story>,
    ) -> Self {
        let formula = |kind, chosen: &Chosen| {
            let entry = catalogue.entry(kind, &chosen.id);
            entry.map(|entry| entry.formula.to_string()).unwrap_or_default()
        };
        let session = lane.travel().now().session();
        // Who asks for one URL is told of that one.
        let urls = match story {
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
            story,
        }
    }

    fn text(&self, paper: Paper) -> String {
        let mut text = String::new();
        let oracle = if self.lane.is_oracle() { " (an oracle)" } else { "" };
        let when = match (self.at, self.ended) {
            (at, true) => format!("the crawl ended after {}", fetches(at)),
            (0, false) => "before the first fetch".to_owned(),
            (at, false) => format!("after {}", fetches(at)),
        };
        let _ = writeln!(text, "\n{}{oracle}, {when}", self.lane.name());
        for line in self.formulas().iter().flat_map(|formula| wrap(formula, paper.width)) {
            let _ = writeln!(text, "{line}");
        }
        if let Some(story) = &self.story {
            text += &story.text(self.lane, self.world, paper);
        } else if self.next.is_empty() {
            text.push_str("\nNothing waits.\n");
        }
        // Where new and old pages compete there is one line, and no time in it.
        let competes = |s: &Scored| s.of_ordering.is_some() && s.due_in_us.is_none();
        let is_parted = self.revisit_formula.is_some() && !self.next.iter().any(competes);
        let mut heading = "";
        for (i, scored) in self.next.iter().enumerate() {
            let above = if scored.due_in_us.is_some() { AGAIN } else { NEW };
            if is_parted && above != heading {
                heading = above;
                let _ = writeln!(text, "\n{heading}");
            }
            let place = match scored.due_in_us {
                None => format!("{}.", grouped(i as u64 + 1)),
                Some(0) => format!("{}. due now ", grouped(i as u64 + 1)),
                Some(us) => format!("{}. in {} ", grouped(i as u64 + 1), span(us)),
            };
            let room = paper.width.saturating_sub(width_of(&place) + 1);
            let url = paper.fitted(&plain(&scored.url), room);
            let _ = writeln!(text, "\n{place} {url}");
            if scored.held {
                let _ = writeln!(text, "{RESTS}");
            }
            text += &tree::text(&scored.why, self.lane, self.world, paper);
        }
        text
    }

    /// By what the next URLs stand in line: the ordering's formula, and the policy's.
    fn formulas(&self) -> Vec<String> {
        match (&self.revisit_formula, &self.lane.revisit) {
            (Some(again), Some(policy)) => vec![
                format!("new pages, {}: {}", self.lane.strategy.id, self.formula),
                format!("visits, {}: {again}", policy.id),
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
        if let Some(story) = &self.story {
            object.insert("url".into(), story.object(self.lane, self.world));
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
            of_ordering: session.visit_plan(url).map(|_| session.score(url)),
            due_in_us: session.due_in_us(url),
            held: session.is_held(url),
            why: session.explain(world, url),
        }
    }

    fn object(&self, lane: &Lane, world: &World) -> Value {
        let mut object = Map::new();
        object.insert("url".into(), self.url.as_str().into());
        object.insert("score".into(), self.score.into());
        if let Some(score) = self.of_ordering {
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

/// How far a URL lies from the seeds.
fn clicks(depth: u32) -> String {
    format!("{} from a seed", counted(depth, "click"))
}
