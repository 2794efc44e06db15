//! Uploaded files: which are read together, and which are ignored.
//!
//! A link names every file that its world was read from, and the digest of the world. Where files are
//! missing the app asks for them and keeps those it gets until the digest matches. A world with another
//! digest opens only as a new experiment.

use super::{Action, Change, Effect, History, Imported, State, World};
use crawl_protocol::world::Failure;
use crawl_protocol::{Experiment, Seeds, WorldSource};
use crawl_text::app::text;
use crawl_text::fill;

/// Maximum number of files of a world: the world and its file of URLs or labels.
const MAX_FILES: usize = 2;

/// Files that the user chose or dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenFiles {
    /// Names of files to read together, or still incomplete.
    pub names: Vec<String>,
    /// Message about ignored files.
    pub left_out: Option<String>,
}

/// The files that an open link needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AwaitedFiles<'a> {
    /// The digest of the world they hold.
    pub digest: &'a str,
    /// Their names; links of older builds name only the first.
    pub names: &'a [String],
}

impl State {
    /// The files that the open link needs, if any.
    pub fn awaited(&self) -> Option<AwaitedFiles<'_>> {
        match &self.world {
            World::Failed(Failure::FileNeeded { digest, names }) => {
                Some(AwaitedFiles { digest, names })
            }
            _ => None,
        }
    }

    /// The imported world, if the link needs another one.
    pub fn other_world(&self) -> Option<(&Imported, AwaitedFiles<'_>)> {
        let (imported, awaited) = self.imported.as_deref().zip(self.awaited())?;
        let is_it = matches!(&imported.source, WorldSource::File { digest, .. } if digest == awaited.digest);
        (!is_it).then_some((imported, awaited))
    }

    /// Names of the link's parts that another world drops.
    pub fn dropped_with_world(&self) -> Vec<&'static str> {
        let Some(experiment) = &self.experiment else { return Vec::new() };
        let t = text();
        let parts = [
            (experiment.seeds != Seeds::Own, t.dropped_seeds),
            (experiment.at.is_some(), t.dropped_step),
            (!experiment.digests.is_empty(), t.dropped_digests),
            (experiment.view.page.is_some(), t.dropped_page),
        ];
        parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, name)| name).collect()
    }

    /// Selects files to read from those chosen or dropped together.
    pub(super) fn take_files(&mut self, offered: Vec<String>, folders: &[String]) -> Vec<Effect> {
        if offered.is_empty() && folders.is_empty() {
            return Vec::new();
        }
        let t = text();
        let awaited = self.awaited().map(|awaited| awaited.names.to_vec()).unwrap_or_default();
        // The files of one world may be given one after the other.
        let mut before = std::mem::take(&mut self.given.names);
        let mut names = offered;
        if awaited.len() > 1 {
            before.retain(|name| !names.contains(name));
            names.extend(before);
        }
        // Files that the link names come first, in its order, then the newest.
        let place = |name: &String| awaited.iter().position(|awaited| awaited == name);
        names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
        let mut left_out = Vec::new();
        let mut read: Vec<String> = Vec::new();
        for name in names {
            // Files are identified by name.
            let is_read = read.len() < MAX_FILES && !read.contains(&name);
            if is_read { &mut read } else { &mut left_out }.push(name);
        }
        left_out.extend(folders.iter().map(|folder| fill(t.folder, &[("name", folder)])));
        self.given.left_out = (!left_out.is_empty()).then(|| {
            let sentence = match read.as_slice() {
                [] => t.folder_refused,
                _ => t.files_left_out,
            };
            fill(sentence, &[("read", &read.join(", ")), ("names", &left_out.join(", "))])
        });
        self.given.names.clone_from(&read);
        let is_part = read.len() < awaited.len() && read.iter().all(|n| awaited.contains(n));
        if read.is_empty() || is_part {
            return Vec::new();
        }
        (self.imported, self.importing) = (None, None);
        vec![Effect::Read(read)]
    }

    /// Opens the imported world.
    pub(super) fn use_imported(&mut self) -> Vec<Effect> {
        let is_other = self.other_world().is_some();
        let is_awaited = self.awaited().is_some() && !is_other;
        let Some(imported) = self.imported.take() else { return Vec::new() };
        self.dialog = None;
        let world = imported.source.clone();
        let Some(experiment) = self.experiment.clone() else { return Vec::new() };
        let mut experiment = Experiment::clone(&experiment);
        if is_awaited {
            // The link's own world: the whole link applies.
            experiment.world = world;
            return self.show(experiment, History::Replace, false);
        }
        if is_other {
            // The chosen page belongs to the link's world.
            experiment.view.page = None;
            self.experiment = Some(experiment.into());
        }
        self.apply(Action::Change(Change::World(world)))
    }
}
