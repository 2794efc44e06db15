//! The slow crawl, and how it is compared with the real one.

use crate::focused;
use crawl_core::{Focus, Rules, rounded};
use crawl_tests::contender::contender;
use crawl_tests::driver::{self, Event, Wilful};
use crawl_tests::sketch::{Sketch, distinct};
use crawl_world::{PageId, Rng, World};
use std::ops::Range;

/// Pages by number, each with its distinct targets in order of first appearance, without itself.
pub struct Graph {
    pub links: Vec<Vec<usize>>,
    /// O(i): distinct targets, those outside the world included.
    pub out_degree: Vec<usize>,
    /// Links that ask not to be followed.
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

    /// From links as they stand in a file.
    pub fn from_links(n_pages: usize, links: &[(usize, usize)], seeds: Vec<usize>) -> Self {
        let mut rows = vec![Vec::new(); n_pages];
        for (from, to) in links.iter().filter(|(from, to)| from != to) {
            rows[*from].push(*to);
        }
        let links: Vec<Vec<usize>> = rows.into_iter().map(|r| distinct(r.into_iter())).collect();
        let out_degree = links.iter().map(Vec::len).collect();
        Self::of_rows(links, out_degree, seeds)
    }

    /// As a world has it, with links in the order in which they are shown.
    pub fn of_world(world: &World, seeds: Vec<usize>) -> Self {
        let row = |page| world.links(page).iter().map(|to| to.index()).collect();
        let out_degree = world.pages().map(|page| world.out_degree(page) as usize).collect();
        Self::of_rows(world.pages().map(row).collect(), out_degree, seeds)
    }

    /// From distinct links that are not links to the page itself.
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

/// A visit to a page: its fetch, or a later one.
#[derive(Clone, Debug)]
pub struct Visit {
    pub page: usize,
    pub is_first: bool,
    /// The places of links that it showed first; it showed all before them, too.
    pub new: Range<usize>,
    /// Pages fetched once it was over.
    pub n_fetched: usize,
}

impl Visit {
    /// Pages fetched before.
    pub fn t(&self) -> usize {
        self.n_fetched - usize::from(self.is_first)
    }

    /// The links that it showed.
    pub fn links<'a>(&self, graph: &'a Graph) -> &'a [usize] {
        &graph.links[self.page][..self.new.end]
    }

    /// Those of them that it showed first.
    pub fn new_links<'a>(&self, graph: &'a Graph) -> &'a [usize] {
        &graph.links[self.page][self.new.clone()]
    }

    /// O of its page then.
    pub fn degree(&self, graph: &Graph) -> usize {
        graph.out_degree[self.page] - graph.links[self.page].len() + self.new.end
    }
}

/// What a crawl has seen so far.
pub struct History<'a> {
    pub graph: &'a Graph,
    /// Pages in the order they were discovered; the seeds come first.
    pub discovered: Vec<usize>,
    /// Pages in the order they were fetched.
    pub fetched: Vec<usize>,
    /// All visits in order.
    pub visits: Vec<Visit>,
    /// How many of its links each page shows.
    n_shown: Vec<usize>,
    is_known: Vec<bool>,
    pub is_fetched: Vec<bool>,
    /// True when links that ask for it are not followed; they count as links all the same.
    obeys_nofollow: bool,
    /// Pages whose links the focused loop does not follow, by number; empty outside of it.
    is_cut: Vec<bool>,
    /// Pages that came into the frontier.
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

    /// What it was before any page was fetched.
    pub fn beginning(&self) -> Self {
        Self::new(self.graph)
    }

    fn discover(&mut self, page: usize) {
        if !self.is_known[page] {
            self.is_known[page] = true;
            self.discovered.push(page);
        }
    }

    /// A page comes back and shows so many of its links; says how many it did before.
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

    /// How many links a page showed when it was fetched.
    pub fn n_first(&self, page: usize) -> usize {
        let first = self.visits.iter().find(|visit| visit.page == page);
        first.map_or(0, |visit| visit.new.end)
    }

    /// O of a page, as far as it has shown its links.
    pub fn out_degree(&self, page: usize) -> usize {
        let graph = self.graph;
        graph.out_degree[page] - graph.links[page].len() + self.n_shown[page]
    }

    /// Lets into the frontier what a page just fetched leads to and the ordering wants; says what
    /// came in.
    fn admit(&mut self, page: usize, wants: impl Fn(usize, &Self) -> bool) -> Vec<usize> {
        let enters =
            |to: &usize| !self.is_admitted[*to] && self.follows(page, *to) && wants(*to, self);
        let entered: Vec<usize> = self.links(page).iter().copied().filter(enters).collect();
        entered.iter().for_each(|to| self.is_admitted[*to] = true);
        entered
    }

    /// False when the focused loop does not follow the links of a page.
    pub fn is_evidence(&self, page: usize) -> bool {
        !self.is_cut.get(page).copied().unwrap_or(false)
    }

    /// True when a link may be followed.
    pub fn follows(&self, from: usize, to: usize) -> bool {
        self.is_evidence(from)
            && (!self.obeys_nofollow || !self.graph.nofollow.contains(&(from, to)))
    }

    /// The links a page has shown: those of a page not fetched are not known.
    pub fn links(&self, page: usize) -> &'a [usize] {
        &self.graph.links[page][..self.n_shown[page]]
    }
}

/// An ordering: a score for each page, from what was seen.
pub trait Reference {
    /// The score of every page; only those of waiting pages count.
    fn scores(&self, history: &History<'_>) -> Vec<f64>;

    /// Takes note of a page just fetched, and the score it had, for orderings that say so.
    fn fetched(&mut self, _page: usize, _score: f64, _history: &History<'_>) {}

    /// Takes note of a page visited again, at which place its new links begin, and the score it has.
    fn revisited(&mut self, _page: usize, _from: usize, _score: f64, _history: &History<'_>) {}

    /// Whether a page that was found is to be fetched at all.
    fn wants(&self, _page: usize, _history: &History<'_>) -> bool {
        true
    }

    /// Takes note of a page that comes into the frontier, and the page whose link let it.
    fn admitted(&mut self, _page: usize, _by: usize, _history: &History<'_>) {}

    /// How far from the best score the page fetched may be, as a part of it: nothing for sums that
    /// are added up in one order; for iterations that stop when they are close enough, that.
    fn tolerance(&self) -> f64 {
        0.0
    }
}

/// A page has come, with all its links.
fn take_note(page: usize, score: f64, reference: &mut dyn Reference, history: &mut History<'_>) {
    let n_links = history.graph.links[page].len();
    take_note_of(page, n_links, score, reference, history);
}

/// A page has come, and shows so many of its links.
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

/// Runs an ordering and its reference side by side, page after page, and says where they part.
pub fn agree(
    spec: &str,
    reference: &mut dyn Reference,
    graph: &Graph,
    world: &World,
    n_steps: usize,
) -> Result<(), String> {
    agree_from(spec, reference, History::new(graph), world, Focus::None, n_steps)
}

/// The same in the focused loop.
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
    // What hosts ask for is no part of an ordering.
    let rules = Rules { focus, robots: false, ..Rules::default() };
    let mut session = contender(spec).session(world, &history.graph.seed_pages(), &rules);
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

/// The same with several pages under way, which come back in any order, and with links that are
/// not to be followed. A page counts as fetched when it has come.
pub fn agree_in_parallel(
    spec: &str,
    reference: &mut dyn Reference,
    graph: &Graph,
    world: &World,
    seed: u64,
) -> Result<(), String> {
    let rules = Rules { fetchers: 3, nofollow: true, robots: false, ..Rules::default() };
    let mut session = contender(spec).session(world, &graph.seed_pages(), &rules);
    let mut history = History { obeys_nofollow: true, ..History::new(graph) };
    let mut host = Wilful::new(Rng::new(seed, "host"));
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

/// What is wrong with the page chosen, or with none being chosen.
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
    // The last maximum wins, so the list is turned round for the earliest discovery.
    let waiting: Vec<usize> = history.discovered.iter().copied().filter(waits).rev().collect();
    let rank = |page: &usize| rounded(scores[*page]);
    let best = waiting.iter().copied().max_by(|a, b| rank(a).total_cmp(&rank(b)));
    let (Some(best), Some((page, score))) = (best, chosen) else {
        let same = best.is_none() && chosen.is_none();
        return if same { Ok(()) } else { Err(format!("{chosen:?} was chosen, not {best:?}")) };
    };
    // What is next to nothing is lost beside what a page has already.
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
