//! Runs a document's experiment piece by piece.

use crate::document::{Document, WebContext};
use crate::measurement::Measurement;
use crate::report::Report;
use crawl_catalogue::{Catalogue, Kind};
use crawl_core::Truth;
use crawl_protocol::WorldSource;
use crawl_run::{Run, RunError};
use crawl_world::World;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A web to run an experiment on.
pub enum Web {
    /// A generated web, by its spec; it is generated when needed.
    Made(String),
    /// A real web, loaded by the caller.
    Given {
        /// Name.
        name: String,
        /// Source.
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

/// Progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Finished pieces.
    pub done: usize,
    /// Total pieces.
    pub total: usize,
    /// The current web.
    pub web: String,
}

/// Result of a step.
pub enum Step {
    /// More pieces are left.
    Working(Progress),
    /// All pieces are finished.
    Done(Box<Report>),
}

/// An experiment that failed on a web.
#[derive(Debug)]
pub struct Failure {
    /// The web.
    pub web: String,
    /// Reason.
    pub why: RunError,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.web, self.why)
    }
}

impl std::error::Error for Failure {}

/// An experiment in progress. Each [`Job::step`] does one piece of work.
pub struct Job {
    document: &'static Document,
    catalogue: Catalogue,
    webs: VecDeque<Web>,
    now: Option<Trial>,
    measured: Vec<Measurement>,
    n_done: usize,
    n_pieces: usize,
}

/// The experiment on one web.
struct Trial {
    source: WorldSource,
    world: Arc<World>,
    truth: Arc<Truth>,
    n_done: usize,
    measured: Measurement,
}

impl Job {
    /// Creates a job without starting it.
    pub fn new(document: &'static Document, webs: Vec<Web>) -> Self {
        // Generating and ranking a web is a piece too.
        let n_pieces = webs.iter().map(|web| 1 + (document.n_pieces)(web.is_real())).sum();
        Self {
            document,
            catalogue: crawl_run::catalogue(),
            webs: webs.into(),
            now: None,
            measured: Vec::new(),
            n_done: 0,
            n_pieces,
        }
    }

    /// Creates a job on `n_webs` generated webs.
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

    /// Total number of pieces.
    pub fn n_pieces(&self) -> usize {
        self.n_pieces
    }

    /// Does the next piece of work; after the last one returns the report.
    ///
    /// Further calls return the same report.
    ///
    /// # Errors
    /// If a web cannot be generated or has too few pages for the experiment.
    pub fn step(&mut self) -> Result<Step, Failure> {
        let web = match (&self.now, self.webs.front()) {
            (Some(trial), _) => trial.measured.web.clone(),
            (None, Some(web)) => web.name().to_owned(),
            (None, None) => {
                return Ok(Step::Done(Box::new(Report::new(self.document, &self.measured))));
            }
        };
        self.piece().map_err(|why| Failure { web: web.clone(), why })?;
        self.n_done += 1;
        Ok(Step::Working(Progress { done: self.n_done, total: self.n_pieces, web }))
    }

    /// Does all remaining pieces. `progress` is called after each and may cancel; the result is then
    /// `None`.
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
        let web_context = WebContext {
            catalogue: &self.catalogue,
            source: &trial.source,
            world: &trial.world,
            truth: &trial.truth,
        };
        let n_pieces = (self.document.n_pieces)(trial.measured.is_real);
        if trial.n_done < n_pieces {
            (self.document.piece)(trial.n_done, &web_context, &mut trial.measured)?;
            trial.n_done += 1;
        }
        if trial.n_done == n_pieces {
            self.measured.extend(self.now.take().map(|trial| trial.measured));
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
        let measured = Measurement::new(name, is_real, world.n_pages());
        Ok(Trial { source, world, truth, n_done: 0, measured })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::DOCUMENTS;

    #[test]
    fn work_is_reported_piece_by_piece_and_can_be_stopped() {
        for document in DOCUMENTS {
            let job = || Job::generated(document, 1, 1000);
            let n = job().n_pieces();
            assert_eq!(n, 1 + (document.n_pieces)(false));
            let mut reported = Vec::new();
            let report = job().run(&mut |now| {
                reported.push(now.done);
                assert_eq!((now.total, now.web.as_str()), (n, &*(document.web)(1000, 1)));
                ControlFlow::Continue(())
            });
            let report = report.expect("runs").expect("was not stopped");
            assert_eq!(reported, (1..=n).collect::<Vec<_>>());
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
        let message = job.step().err().expect("no such web").to_string();
        assert!(message.starts_with("wbe: ") && message.contains("'web'"), "{message}");
    }
}
