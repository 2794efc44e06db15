//! Reports for the app: tested claims, figures, and two rankers compared.
//!
//! A program of its own, which the world worker loads when the first report is wanted. It runs in
//! that worker, takes a few of its commands ([`Reports::command`]) and answers the app itself. Work
//! is cut into slices, between which the worker receives other messages.

mod claims;
mod ranks;

use claims::Claims;
use crawl_import::flat::{self, FlatError};
use crawl_protocol::world::Failure;
pub use crawl_protocol::world::{Answer, Command};
use crawl_protocol::{Task, WorldSource};
use crawl_run::Run;
use crawl_world::World;
use std::sync::Arc;

/// Milliseconds of work in a slice.
const SLICE_MS: f64 = 10.0;

/// Whoever runs the reports.
pub trait Host {
    /// The time, in milliseconds since some moment.
    fn now_ms(&self) -> f64;
    /// Sends an answer to the app, and bytes beside it where it names any.
    fn send(&mut self, answer: Answer, bytes: Option<Vec<u8>>);
}

/// Reports under way.
#[derive(Default)]
pub struct Reports {
    claims: Claims,
}

impl Reports {
    /// Receives a command that asks for a report, or cancels one; other commands are ignored.
    /// `world` is the flat form of the open world where the report is about it, else empty.
    pub fn command(&mut self, command: Command, world: &[u8], host: &mut dyn Host) {
        match command {
            Command::Documents { .. } => host.send(claims::documents(), None),
            Command::Rank { task, source, rankers } => {
                let html = world_of(&source, world).and_then(|w| ranks::compared(&w, &rankers));
                match html {
                    Ok(html) => host.send(Answer::Ranked { task, html }, None),
                    Err(error) => fail(task, error, host),
                }
            }
            Command::Try { task, document, webs, pages, .. } => {
                let started = open_world(world)
                    .and_then(|open| self.claims.start(task, &document, (webs, pages), open));
                if let Err(error) = started {
                    fail(task, error, host);
                }
            }
            Command::Figure { task, figure } => self.claims.draw(task, &figure, host),
            Command::Cancel(task) => self.claims.cancel(task),
            _ => {}
        }
    }

    /// Works for a slice; true when there is more to do.
    pub fn work(&mut self, host: &mut dyn Host) -> bool {
        self.claims.work(host);
        self.claims.is_busy()
    }
}

/// The world whose pages are ranked: a built-in one, or the open one.
fn world_of(source: &WorldSource, open: &[u8]) -> Result<Arc<World>, String> {
    match (source, open_world(open)?) {
        (WorldSource::File { .. }, Some(world)) => Ok(world),
        _ => Run::make_world(source).map(Arc::new).map_err(|error| error.to_string()),
    }
}

fn open_world(flat: &[u8]) -> Result<Option<Arc<World>>, String> {
    if flat.is_empty() {
        return Ok(None);
    }
    let world = flat::decode(flat).map_err(|error: FlatError| error.to_string())?;
    Ok(Some(Arc::new(world)))
}

fn fail(task: Task, error: String, host: &mut dyn Host) {
    host.send(Answer::Failed { task, failure: Failure::Words(error) }, None);
}
