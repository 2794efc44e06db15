//! Trying a document, piece by piece.

use crate::document::{Document, Ground};
use crate::report::Report;
use crate::tried::Tried;
use crawl_catalogue::{Catalogue, Kind};
use crawl_core::Truth;
use crawl_protocol::WorldSource;
use crawl_run::{Run, RunError};
use crawl_world::World;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A web to try a document on.
pub enum Web {
    /// Made when it is its turn, by its spec.
    Made(String),
    /// A real one, read by whoever brings it.
    Given {
        /// What it is called.
        name: String,
        /// Where it comes from.
        source: WorldSource,
        /// The web.
        world: Arc<World>,
    },
}

impl Web {
    fn is_real(&self) -> bool {
        matches!(self, Self::Given { .. })
    }

    fn name(&self) -> &str {
        match self {
            Self::Made(name) | Self::Given { name, .. } => name,
        }
    }
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Pieces done.
    pub done: usize,
    /// Pieces in all.
    pub total: usize,
    /// The web that was worked on.
    pub web: String,
}

/// What became of a piece of work.
pub enum Step {
    /// It was done, and there is more.
    Working(Progress),
    /// It was the last.
    Done(Box<Report>),
}

/// Why a document cannot be tried on a web.
#[derive(Debug)]
pub struct Failure {
    /// The web.
    pub web: String,
    /// Why.
    pub why: RunError,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.web, self.why)
    }
}

impl std::error::Error for Failure {}

/// A document being tried. Each [`Job::step`] is a small part of the work.
pub struct Job {
    document: &'static Document,
    catalogue: Catalogue,
    webs: VecDeque<Web>,
    now: Option<Trial>,
    tried: Vec<Tried>,
    n_done: usize,
    n_pieces: usize,
}

/// A document being tried on one web.
struct Trial {
    source: WorldSource,
    world: Arc<World>,
    truth: Arc<Truth>,
    n_done: usize,
    tried: Tried,
}

impl Job {
    /// A document on webs; nothing is done yet.
    pub fn new(document: &'static Document, webs: Vec<Web>) -> Self {
        // Making a web and ranking it is a piece as well.
        let n_pieces = webs.iter().map(|web| 1 + (document.n_pieces)(web.is_real())).sum();
        Self {
            document,
            catalogue: crawl_run::catalogue(),
            webs: webs.into(),
            now: None,
            tried: Vec::new(),
            n_done: 0,
            n_pieces,
        }
    }

    /// A document on so many generated webs.
    pub fn generated(document: &'static Document, n_webs: u32, n_pages: u32) -> Self {
        Self::new(document, Self::made(document, n_webs, n_pages).collect())
    }

    /// The generated webs of a document.
    pub fn made(
        document: &'static Document,
        n_webs: u32,
        n_pages: u32,
    ) -> impl Iterator<Item = Web> {
        (1..=n_webs).map(move |rng| Web::Made((document.web)(n_pages, rng)))
    }

    /// Pieces of work in all.
    pub fn n_pieces(&self) -> usize {
        self.n_pieces
    }

    /// Does the next piece of work. After the last the report is made; it is made again from the same
    /// numbers whenever it is asked for.
    ///
    /// # Errors
    /// Where a web cannot be made, or has fewer pages than the document needs.
    pub fn step(&mut self) -> Result<Step, Failure> {
        let web = match (&self.now, self.webs.front()) {
            (Some(trial), _) => trial.tried.web.clone(),
            (None, Some(web)) => web.name().to_owned(),
            (None, None) => {
                return Ok(Step::Done(Box::new(Report::new(self.document, &self.tried))));
            }
        };
        self.piece().map_err(|why| Failure { web: web.clone(), why })?;
        self.n_done += 1;
        Ok(Step::Working(Progress { done: self.n_done, total: self.n_pieces, web }))
    }

    /// Does all that is left; `progress` is told of each piece and may stop it, and then there is no
    /// report.
    ///
    /// # Errors
    /// As [`Job::step`].
    pub fn run(
        mut self,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Option<Report>, Failure> {
        loop {
            match self.step()? {
                Step::Done(report) => return Ok(Some(*report)),
                Step::Working(now) => {
                    if progress(&now).is_break() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    fn piece(&mut self) -> Result<(), RunError> {
        let Some(trial) = &mut self.now else {
            self.now = self.webs.pop_front().map(|web| self.begin(web)).transpose()?;
            return Ok(());
        };
        let ground = Ground {
            catalogue: &self.catalogue,
            source: &trial.source,
            world: &trial.world,
            truth: &trial.truth,
        };
        let n_pieces = (self.document.n_pieces)(trial.tried.is_real);
        if trial.n_done < n_pieces {
            (self.document.piece)(trial.n_done, &ground, &mut trial.tried)?;
            trial.n_done += 1;
        }
        if trial.n_done == n_pieces {
            self.tried.extend(self.now.take().map(|trial| trial.tried));
        }
        Ok(())
    }

    fn begin(&self, web: Web) -> Result<Trial, RunError> {
        let is_real = web.is_real();
        let (name, source, world) = match web {
            Web::Made(spec) => {
                let source = WorldSource::Made(self.catalogue.choose(Kind::World, &spec)?);
                let world = Arc::new(Run::make_world(&source)?);
                (spec, source, world)
            }
            Web::Given { name, source, world } => (name, source, world),
        };
        let truth = Run::truth_of(&world, &self.catalogue)?;
        let tried = Tried::new(name, is_real, world.n_pages());
        Ok(Trial { source, world, truth, n_done: 0, tried })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::DOCUMENTS;

    #[test]
    fn work_is_told_piece_by_piece_and_can_be_stopped() {
        for document in DOCUMENTS {
            let job = || Job::generated(document, 1, 1000);
            let n = job().n_pieces();
            assert_eq!(n, 1 + (document.n_pieces)(false));
            let mut told = Vec::new();
            let report = job().run(&mut |now| {
                told.push(now.done);
                assert_eq!((now.total, now.web.as_str()), (n, &*(document.web)(1000, 1)));
                ControlFlow::Continue(())
            });
            let report = report.expect("runs").expect("was not stopped");
            assert_eq!(told, (1..=n).collect::<Vec<_>>());
            assert_eq!((report.document.as_str(), report.webs.len()), (document.id, 1));
            let mut n_told = 0;
            let stopped = job().run(&mut |_| {
                n_told += 1;
                if n_told == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(stopped.expect("runs").is_none());
            assert_eq!(n_told, 3);
        }
    }

    #[test]
    fn without_webs_there_is_a_report_that_claims_nothing() {
        for document in DOCUMENTS {
            let report = Job::new(document, Vec::new()).run(&mut |_| ControlFlow::Continue(()));
            let report = report.expect("nothing fails").expect("nothing stops it");
            assert!(report.claims.iter().all(|c| c.verdict == crate::Verdict::Undecided));
        }
    }

    #[test]
    fn a_web_that_cannot_be_made_is_named() {
        let mut job = Job::new(DOCUMENTS[0], vec![Web::Made("wbe".to_owned())]);
        let said = job.step().err().expect("no such web").to_string();
        assert!(said.starts_with("wbe: ") && said.contains("'web'"), "{said}");
    }
}
