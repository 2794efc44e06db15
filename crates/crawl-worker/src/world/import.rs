//! Files to a world, which is kept in the store, and in memory as long as it is not.

use super::summary::summary;
use super::{Given, Host, ReadWorld, StoreRequest, WorldWorker, fail};
use crawl_import::flat;
use crawl_protocol::world::{Answer, Failure, KeptWorld, NotKept};
use crawl_protocol::{Task, WorldSource, reader};
use std::sync::Arc;

impl WorldWorker {
    /// Has files read into a world.
    pub(super) fn import(&mut self, task: Task, names: Vec<String>, host: &mut dyn Host) {
        host.read(task, reader::Job::Read { names: names.clone() }, Given::Beside);
        self.importing.push((task, names));
    }

    /// Takes a world that was read, and asks the store to keep it.
    pub(super) fn imported(
        &mut self,
        task: Task,
        flat: Vec<u8>,
        format: String,
        notices: Vec<String>,
        host: &mut dyn Host,
    ) {
        let Some(at) = self.importing.iter().position(|(importing, _)| *importing == task) else {
            return;
        };
        let (_, names) = self.importing.swap_remove(at);
        let world = match flat::decode(&flat) {
            Ok(world) => world,
            Err(error) => return fail(task, Failure::Words(error.to_string()), host),
        };
        let mut summary = summary(&world, world.digest().to_string(), flat.len() as u64);
        (summary.notices, summary.format) = (notices, format);
        let digest = &summary.digest;
        self.read.retain(|read| !read.is_kept && read.summary.digest != *digest);
        let kept = KeptWorld {
            name: summary.title.clone(),
            files: names.clone(),
            summary: summary.clone(),
            used_ms: host.date_ms(),
        };
        let world = Arc::new(world);
        self.read.push(ReadWorld { task, world, flat: None, summary, names, is_kept: false });
        host.store(StoreRequest::KeepWorld { task, world: Box::new(kept), flat });
    }

    /// Says that a world was read, now that it is known whether it is kept.
    pub(super) fn kept(
        &mut self,
        task: Task,
        kept: Result<(), NotKept>,
        flat: Vec<u8>,
        host: &mut dyn Host,
    ) {
        let Some(read) = self.read.iter_mut().find(|read| read.task == task) else { return };
        (read.is_kept, read.flat) = (kept.is_ok(), Some(flat));
        let summary = Box::new(read.summary.clone());
        let digest = summary.digest.clone();
        let source = WorldSource::File { digest, names: read.names.clone(), data: None };
        host.send(Answer::Imported { task, source, summary, kept }, Vec::new());
    }
}
