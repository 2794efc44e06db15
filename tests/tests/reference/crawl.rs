//! A simple reference crawl, and its comparison with the real one.

use crate::focused;
use crawl_core::{Focus, Rules, rounded};
use crawl_tests::driver::{self, AdversarialHost, Event};
use crawl_tests::sketch::{Sketch, distinct};
use crawl_tests::variants::strategy_variant;
use crawl_world::{PageId, Rng, World};
use std::ops::Range;

/// Pages with their distinct targets in order of first appearance, without self-links.
pub struct Graph {
    pub links: Vec<Vec<usize>>,
    /// O(i): number of distinct targets, including those outside the world.
    pub out_degree: Vec<usize>,
    /// nofollow links.
    nofollow: Vec<(usize, usize)>,
    pub seeds: Vec<usize>,
}

impl Graph {
    pub fn of(sketch: &Sketch) -> Self {
        let pages = 0..sketch.pages.len();
        let links: Vec<Vec<usize>> = pages.clone().map(|page| sketch.targets(page)).collect();
        let pairs =
            links.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)));
        Self {
            nofollow: pairs.filter(|(from, to)| sketch.is_nofollow(*from, *to)).collect(),
            links,
            out_degree: pages.map(|page| sketch.out_degree(page)).collect(),
            seeds: sketch.seeds.clone(),
        }
    }

    /// Builds a graph from the links of a file.
    pub fn from_links(n_pages: usize, links: &[(usize, usize)], seeds: Vec<usize>) -> Self {
        let mut rows = vec![Vec::new(); n_pages];
        for (from, to) in links.iter().filter(|(from, to)| from != to) {
            rows[*from].push(*to);
        }
        let links: Vec<Vec<usize>> = rows.into_iter().map(|r| distinct(r.into_iter())).collect();
        let out_degree = links.iter().map(Vec::len).collect();
        Self::of_rows(links, out_degree, seeds)
    }

    /// Builds a graph from a world, with links in the order of appearance.
    pub fn of_world(world: &World, seeds: Vec<usize>) -> Self {
        let row = |page| world.links(page).iter().map(|to| to.index()).collect();
        let out_degree = world.pages().map(|page| world.out_degree(page) as usize).collect();
        Self::of_rows(world.pages().map(row).collect(), out_degree, seeds)
    }

    /// Builds a graph from distinct links without self-links.
    pub fn of_rows(links: Vec<Vec<usize>>, out_degree: Vec<usize>, seeds: Vec<usize>) -> Self {
        Self { links, out_degree, nofollow: Vec::new(), seeds }
    }

    fn seed_pages(&self) -> Vec<PageId> {
        self.seeds.iter().map(|seed| PageId(*seed as u32)).collect()
    }

    pub fn n_pages(&self) -> usize {
        self.links.len()
    }
}

/// A visit to a page: its first fetch, or a later one.
#[derive(Clone, Debug)]
pub struct Visit {
    pub page: usize,
    pub is_first: bool,
    /// The new links, as a range; all links before it were shown already.
    pub new: Range<usize>,
    /// Number of pages fetched, including this one.
    pub n_fetched: usize,
}

impl Visit {
    /// Number of pages fetched before.
    pub fn t(&self) -> usize {
        self.n_fetched - usize::from(self.is_first)
    }

    /// All links shown by the visit.
    pub fn links<'a>(&self, graph: &'a Graph) -> &'a [usize] {
        &graph.links[self.page][..self.new.end]
    }

    /// The links shown for the first time.
    pub fn new_links<'a>(&self, graph: &'a Graph) -> &'a [usize] {
        &graph.links[self.page][self.new.clone()]
    }

    /// O of its page at that time.
    pub fn degree(&self, graph: &Graph) -> usize {
        graph.out_degree[self.page] - graph.links[self.page].len() + self.new.end
    }
}

/// The state of a crawl.
pub struct History<'a> {
    pub graph: &'a Graph,
    /// Pages in discovery order; the seeds come first.
    pub discovered: Vec<usize>,
    /// Pages in fetch order.
    pub fetched: Vec<usize>,
    /// All visits in order.
    pub visits: Vec<Visit>,
    /// Number of links that each page has shown.
    n_shown: Vec<usize>,
    is_known: Vec<bool>,
    pub is_fetched: Vec<bool>,
    /// Whether nofollow links are not followed; they count as links nevertheless.
    obeys_nofollow: bool,
    /// Whether the focused loop ignores the links of each page; empty outside of it.
    is_cut: Vec<bool>,
    /// Whether each page entered the frontier.
    is_admitted: Vec<bool>,
}

impl<'a> History<'a> {
    pub fn new(graph: &'a Graph) -> Self {
        let mut history = Self {
            graph,
            discovered: Vec::new(),
            fetched: Vec::new(),
            visits: Vec::new(),
            n_shown: vec![0; graph.n_pages()],
            is_known: vec![false; graph.n_pages()],
            is_fetched: vec![false; graph.n_pages()],
            obeys_nofollow: false,
            is_cut: Vec::new(),
            is_admitted: vec![false; graph.n_pages()],
        };
        for seed in &graph.seeds {
            history.discover(*seed);
            history.is_admitted[*seed] = true;
        }
        history
    }

    /// The state before the first fetch.
    pub fn beginning(&self) -> Self {
        Self::new(self.graph)
    }

    fn discover(&mut self, page: usize) {
        if !self.is_known[page] {
            self.is_known[page] = true;
            self.discovered.push(page);
        }
    }

    /// Records a visit that shows `n_shown` links; returns the number shown before.
    fn visit(&mut self, page: usize, n_shown: usize) -> usize {
        let is_first = !self.is_fetched[page];
        if is_first {
            self.is_fetched[page] = true;
            self.fetched.push(page);
        }
        let before = std::mem::replace(&mut self.n_shown[page], n_shown);
        let n_fetched = self.fetched.len();
        self.visits.push(Visit { page, is_first, new: before..n_shown, n_fetched });
        for target in &self.graph.links[page][before..n_shown] {
            self.discover(*target);
        }
        before
    }

    /// Number of links a page showed on its first fetch.
    pub fn n_first(&self, page: usize) -> usize {
        let first = self.visits.iter().find(|visit| visit.page == page);
        first.map_or(0, |visit| visit.new.end)
    }

    /// O of a page, counting the links shown so far.
    pub fn out_degree(&self, page: usize) -> usize {
        let graph = self.graph;
        graph.out_degree[page] - graph.links[page].len() + self.n_shown[page]
    }

    /// Adds to the frontier the targets of a fetched page that the strategy wants; returns them.
    fn admit(&mut self, page: usize, wants: impl Fn(usize, &Self) -> bool) -> Vec<usize> {
        let enters =
            |to: &usize| !self.is_admitted[*to] && self.follows(page, *to) && wants(*to, self);
        let entered: Vec<usize> = self.links(page).iter().copied().filter(enters).collect();
        entered.iter().for_each(|to| self.is_admitted[*to] = true);
        entered
    }

    /// Whether the focused loop follows the links of a page.
    pub fn is_evidence(&self, page: usize) -> bool {
        !self.is_cut.get(page).copied().unwrap_or(false)
    }

    /// Whether a link may be followed.
    pub fn follows(&self, from: usize, to: usize) -> bool {
        self.is_evidence(from)
            && (!self.obeys_nofollow || !self.graph.nofollow.contains(&(from, to)))
    }

    /// The links a page has shown; none before its fetch.
    pub fn links(&self, page: usize) -> &'a [usize] {
        &self.graph.links[page][..self.n_shown[page]]
    }
}

/// A reference strategy: computes the score of each page from the state of the crawl.
pub trait Reference {
    /// The score of every page; only those of waiting pages matter.
    fn scores(&self, history: &History<'_>) -> Vec<f64>;

    /// Called after a page was fetched, with the score it had.
    fn fetched(&mut self, _page: usize, _score: f64, _history: &History<'_>) {}

    /// Called after a page was visited again, with the start of its new links and its score.
    fn revisited(&mut self, _page: usize, _from: usize, _score: f64, _history: &History<'_>) {}

    /// Whether a discovered page may be fetched.
    fn wants(&self, _page: usize, _history: &History<'_>) -> bool {
        true
    }

    /// Called when a page enters the frontier, with the page whose link admitted it.
    fn admitted(&mut self, _page: usize, _by: usize, _history: &History<'_>) {}

    /// Relative tolerance of the chosen page's score.
    ///
    /// 0 for sums in a fixed order; above 0 for iterations that stop at a tolerance.
    fn tolerance(&self) -> f64 {
        0.0
    }
}

/// Records a fetch that shows all links.
fn take_note(page: usize, score: f64, reference: &mut dyn Reference, history: &mut History<'_>) {
    let n_links = history.graph.links[page].len();
    take_note_of(page, n_links, score, reference, history);
}

/// Records a visit that shows `n_shown` links.
pub fn take_note_of(
    page: usize,
    n_shown: usize,
    score: f64,
    reference: &mut dyn Reference,
    history: &mut History<'_>,
) {
    let is_first = !history.is_fetched[page];
    let before = history.visit(page, n_shown);
    if is_first {
        reference.fetched(page, score, history);
    } else {
        reference.revisited(page, before, score, history);
    }
    for entered in history.admit(page, |to, history| reference.wants(to, history)) {
        reference.admitted(entered, page, history);
    }
}

/// Runs a strategy and its reference side by side; returns the first difference.
pub fn agree(
    spec: &str,
    reference: &mut dyn Reference,
    graph: &Graph,
    world: &World,
    n_steps: usize,
) -> Result<(), String> {
    agree_from(spec, reference, History::new(graph), world, Focus::None, n_steps)
}

/// [`agree`] in the focused loop.
pub fn agree_in_focus(
    spec: &str,
    reference: &mut dyn Reference,
    graph: &Graph,
    world: &World,
) -> Result<(), String> {
    let is_cut = (0..graph.n_pages()).map(|page| focused::is_cut(page, graph, world)).collect();
    let history = History { is_cut, ..History::new(graph) };
    agree_from(spec, reference, history, world, Focus::All, usize::MAX)
}

fn agree_from(
    spec: &str,
    reference: &mut dyn Reference,
    mut history: History<'_>,
    world: &World,
    focus: Focus,
    n_steps: usize,
) -> Result<(), String> {
    // Host rules do not affect strategies.
    let rules = Rules { focus, robots: false, ..Rules::default() };
    let mut session = strategy_variant(spec).session(world, &history.graph.seed_pages(), &rules);
    let mut now_us = 0;
    for _ in 0..n_steps {
        let scores = reference.scores(&history);
        let fetched = driver::step(&mut session, world, &mut now_us);
        let chosen = fetched.map(|f| (f.fetch.page.index(), f.score));
        check(reference.tolerance(), &scores, &history, &[], chosen)?;
        let Some((page, _)) = chosen else { return Ok(()) };
        take_note(page, scores[page], reference, &mut history);
    }
    Ok(())
}

/// [`agree`] with several fetches in flight, completed in any order, and with nofollow links.
///
/// A page counts as fetched when it is complete.
pub fn agree_in_parallel(
    spec: &str,
    reference: &mut dyn Reference,
    graph: &Graph,
    world: &World,
    seed: u64,
) -> Result<(), String> {
    let rules = Rules { fetchers: 3, nofollow: true, robots: false, ..Rules::default() };
    let mut session = strategy_variant(spec).session(world, &graph.seed_pages(), &rules);
    let mut history = History { obeys_nofollow: true, ..History::new(graph) };
    let mut host = AdversarialHost::new(Rng::new(seed, "host"));
    let mut under_way = Vec::new();
    loop {
        let scores = reference.scores(&history);
        match host.event(&mut session, world) {
            Some(Event::Started(fetch, _)) => {
                let chosen = Some((fetch.page.index(), session.score(fetch.url)));
                check(reference.tolerance(), &scores, &history, &under_way, chosen)?;
                under_way.push(fetch.page.index());
            }
            Some(Event::Completed(fetch, _)) => {
                let page = fetch.page.index();
                under_way.retain(|other| *other != page);
                take_note(page, scores[page], reference, &mut history);
            }
            None => return check(reference.tolerance(), &scores, &history, &under_way, None),
        }
    }
}

/// The error in the chosen page, or in choosing none.
pub fn check(
    tolerance: f64,
    scores: &[f64],
    history: &History<'_>,
    under_way: &[usize],
    chosen: Option<(usize, f64)>,
) -> Result<(), String> {
    let waits = |page: &usize| {
        history.is_admitted[*page] && !history.is_fetched[*page] && !under_way.contains(page)
    };
    // `max_by` returns the last maximum, so the list is reversed to get the earliest discovery.
    let waiting: Vec<usize> = history.discovered.iter().copied().filter(waits).rev().collect();
    let rank = |page: &usize| rounded(scores[*page]);
    let best = waiting.iter().copied().max_by(|a, b| rank(a).total_cmp(&rank(b)));
    let (Some(best), Some((page, score))) = (best, chosen) else {
        let same = best.is_none() && chosen.is_none();
        return if same { Ok(()) } else { Err(format!("{chosen:?} was chosen, not {best:?}")) };
    };
    // The absolute term covers tiny values that are lost in rounding.
    let close = |a: f64, b: f64| (a - b).abs() <= tolerance * a.abs().max(b.abs()) + 1e-15;
    let right = if tolerance == 0.0 {
        page == best && rounded(score) == rank(&page)
    } else {
        waiting.contains(&page) && close(scores[page], scores[best]) && close(score, scores[page])
    };
    if right {
        return Ok(());
    }
    Err(format!(
        "page {page} was chosen with score {score}, its reference is {}; page {best} has {}; fetched \
         before: {:?}, under way: {under_way:?}",
        scores[page], scores[best], history.fetched
    ))
}
