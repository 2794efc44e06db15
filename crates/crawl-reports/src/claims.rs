//! Trying what the papers claim, and drawing their figures, a piece at a time.

use crate::{Host, SLICE_MS, fail};
use crawl_catalogue::Chosen;
use crawl_claims::figure::{self, Drawing};
use crawl_claims::plot::escaped;
use crawl_claims::{DOCUMENTS, Job, Step, Web, find, html};
use crawl_protocol::world::{Answer, DocumentName};
use crawl_protocol::{Progress, Task, WorldSource};
use crawl_world::World;
use std::sync::Arc;

/// Most webs: what a browser can be asked for.
const MOST_WEBS: u32 = 100;

/// How long a figure that is not complete stands before it is drawn again.
const FIGURE_MS: f64 = 150.0;

/// What is under way.
#[derive(Default)]
pub(super) struct Claims {
    job: Option<ClaimsJob>,
    figure: Option<FigureJob>,
}

impl Claims {
    /// Tries a document on generated webs, and on a world that is open.
    pub(super) fn start(
        &mut self,
        task: Task,
        document: &str,
        size: (u32, u32),
        open: Option<Arc<World>>,
    ) -> Result<(), String> {
        self.job = Some(ClaimsJob::new(task, document, size, open)?);
        Ok(())
    }

    /// Draws a figure; one that was being drawn is left.
    pub(super) fn draw(&mut self, task: Task, chosen: &Chosen, host: &mut dyn Host) {
        self.figure = None;
        match figure::start(chosen) {
            Ok(drawing) => {
                self.figure = Some(FigureJob { task, drawing, shown_ms: host.now_ms() });
            }
            Err(error) => {
                let html = format!("<p class=\"fault\" role=\"alert\">{}</p>", escaped(&error));
                host.send(Answer::Figure { task, html }, None);
            }
        }
    }

    /// Works for a while.
    pub(super) fn work(&mut self, host: &mut dyn Host) {
        self.figure.take_if(|figure| !figure.slice(host));
        self.job.take_if(|job| !job.slice(host));
    }

    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some() || self.figure.is_some()
    }

    pub(super) fn cancel(&mut self, task: Task) {
        self.job.take_if(|job| job.task == task);
    }
}

/// A figure under way.
struct FigureJob {
    task: Task,
    drawing: Box<dyn Drawing>,
    /// When it was shown last.
    shown_ms: f64,
}

impl FigureJob {
    /// Works for a while; false when it is complete.
    fn slice(&mut self, host: &mut dyn Host) -> bool {
        let end = host.now_ms() + SLICE_MS;
        let mut goes_on = true;
        while goes_on && host.now_ms() < end {
            goes_on = self.drawing.step();
        }
        if !goes_on || host.now_ms() >= self.shown_ms + FIGURE_MS {
            self.shown_ms = host.now_ms();
            let html = html::figure(&self.drawing.figure());
            host.send(Answer::Figure { task: self.task, html }, None);
        }
        goes_on
    }
}

/// A document under way.
struct ClaimsJob {
    task: Task,
    job: Job,
}

/// The documents there are.
pub(super) fn documents() -> Answer {
    let of = |document: &&crawl_claims::Document| DocumentName {
        id: document.id.to_owned(),
        title: document.title.to_owned(),
        pages: (*document.pages.start(), *document.pages.end()),
    };
    Answer::Documents(DOCUMENTS.iter().map(of).collect())
}

impl ClaimsJob {
    fn new(
        task: Task,
        document: &str,
        (webs, pages): (u32, u32),
        open: Option<Arc<World>>,
    ) -> Result<Self, String> {
        let document = find(document).ok_or("there is no such document")?;
        if webs > MOST_WEBS || !document.pages.contains(&pages) {
            let (least, most) = (document.pages.start(), document.pages.end());
            return Err(format!("at most {MOST_WEBS} webs of {least} to {most} pages"));
        }
        let given = open.filter(|world| (document.suits)(world)).map(|world| Web::Given {
            name: world.title().to_owned(),
            source: WorldSource::File {
                digest: world.digest().to_string(),
                names: vec![world.title().to_owned()],
                data: None,
            },
            world,
        });
        let webs: Vec<Web> = Job::made(document, webs, pages).chain(given).collect();
        if webs.is_empty() {
            return Err("no web to try it on".to_owned());
        }
        Ok(Self { task, job: Job::new(document, webs) })
    }

    /// Works for a while; false when it is done.
    fn slice(&mut self, host: &mut dyn Host) -> bool {
        let end = host.now_ms() + SLICE_MS;
        let task = self.task;
        loop {
            match self.job.step() {
                Ok(Step::Working(now)) if host.now_ms() >= end => {
                    let progress = Progress { done: now.done as u64, of: now.total as u64 };
                    host.send(Answer::Trying { task, progress, web: now.web }, None);
                    return true;
                }
                Ok(Step::Working(_)) => {}
                Ok(Step::Done(report)) => {
                    // Numbers, texts and lists can always be written.
                    let json = serde_json::to_vec_pretty(&report).unwrap_or_default();
                    let html = html::write(&report);
                    host.send(Answer::Tried { task, html }, Some(json));
                    return false;
                }
                Err(failure) => {
                    fail(task, failure.to_string(), host);
                    return false;
                }
            }
        }
    }
}
