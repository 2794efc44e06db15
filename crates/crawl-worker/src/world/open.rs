//! From a source to the present world: made, unpacked or loaded; summarised; ranked and handed to
//! the lanes; drawn.

use super::summary::summary;
use super::{
    Given, Host, Lanes, LayoutJob, Loaded, Present, StoreRequest, WorldWorker, fail, progress,
};
use crate::Array;
use crawl_import::flat;
use crawl_layout::{Limits, Nodes, Picture};
use crawl_protocol::world::{Answer, Failure, Stage, Summary};
use crawl_protocol::{Task, WorldSource, reader};
use crawl_run::Run;
use crawl_world::World;
use std::sync::Arc;

/// A world on its way.
pub(super) struct OpenJob {
    pub(super) task: Task,
    source: WorldSource,
    layout: String,
    state: State,
}

enum State {
    /// Nothing is done yet.
    New,
    /// The store or the reader was asked for it.
    Loading,
    /// The store has replied.
    Loaded(Loaded),
    /// The reader has replied.
    Unpacked(Vec<u8>),
    /// It is there, with its summary if that is known, and its flat form if that is at hand.
    Ready { world: Arc<World>, summary: Option<Box<Summary>>, flat: Option<Vec<u8>> },
    /// It was announced.
    Opened { world: Arc<World>, digest: String, flat: Vec<u8> },
}

impl OpenJob {
    pub(super) fn new(task: Task, source: WorldSource, layout: String) -> Self {
        Self { task, source, layout, state: State::New }
    }

    /// False while the store or the reader is asked.
    pub(super) fn can_go_on(&self) -> bool {
        !matches!(self.state, State::Loading)
    }

    /// Takes what the store replied.
    pub(super) fn loaded(&mut self, reply: Loaded) {
        if matches!(self.state, State::Loading) {
            self.state = State::Loaded(reply);
        }
    }

    /// Takes what the reader made of the world in a link.
    pub(super) fn unpacked(&mut self, flat: Vec<u8>) {
        if matches!(self.state, State::Loading) {
            self.state = State::Unpacked(flat);
        }
    }
}

impl WorldWorker {
    /// Takes the next step towards the world that is wanted.
    pub(super) fn go_on_opening(&mut self, host: &mut dyn Host) {
        let Some(mut job) = self.open.take() else { return };
        let task = job.task;
        let next = match std::mem::replace(&mut job.state, State::New) {
            State::New => self.find_world(&job, host),
            State::Loaded(reply) => take_stored(&job.source, reply),
            State::Unpacked(flat) => take_unpacked(&job.source, flat),
            State::Ready { world, summary, flat } => Ok(announce(task, world, summary, flat, host)),
            State::Opened { world, digest, flat } => {
                match self.rank_and_draw(task, world, digest, flat, host) {
                    Ok(()) => {
                        let layout = job.layout;
                        self.lay_out(task, &layout, host);
                        return;
                    }
                    Err(failure) => Err(failure),
                }
            }
            State::Loading => Ok(State::Loading),
        };
        match next {
            Ok(state) => {
                job.state = state;
                self.open = Some(job);
            }
            Err(failure) => fail(task, failure, host),
        }
    }

    /// Makes or unpacks the world, finds it among those read, or asks the store.
    fn find_world(&mut self, job: &OpenJob, host: &mut dyn Host) -> Result<State, Failure> {
        if let WorldSource::File { digest, .. } = &job.source {
            let read = self.read.iter_mut().find(|read| read.summary.digest == *digest);
            if let Some(read) = read {
                let (world, summary) = (read.world.clone(), Some(Box::new(read.summary.clone())));
                return Ok(State::Ready { world, summary, flat: read.flat.take() });
            }
        }
        match &job.source {
            WorldSource::File { digest, data: None, .. } => {
                let (task, digest, now_ms) = (job.task, digest.clone(), host.date_ms());
                host.store(StoreRequest::Load { task, digest, now_ms });
                Ok(State::Loading)
            }
            WorldSource::File { data: Some(data), .. } => {
                let unpack = reader::Job::Unpack { data: data.clone() };
                host.read(job.task, unpack, Given::Nothing);
                Ok(State::Loading)
            }
            WorldSource::Made(chosen) => {
                progress(job.task, Stage::Making, 0, 0, host);
                let world = Run::generate(chosen);
                let world = world.map_err(|error| Failure::Words(error.to_string()))?;
                Ok(State::Ready { world: Arc::new(world), summary: None, flat: None })
            }
        }
    }

    /// Ranks the world, hands it to the lanes and draws it: from now on it is the present one.
    fn rank_and_draw(
        &mut self,
        task: Task,
        world: Arc<World>,
        digest: String,
        flat: Vec<u8>,
        host: &mut dyn Host,
    ) -> Result<(), Failure> {
        progress(task, Stage::Ranking, 0, 0, host);
        let truth = Run::truth_of(&world, &self.catalogue)
            .map_err(|error| Failure::Words(error.to_string()))?;
        let seeds = world.seeds();
        let (picture, bounds) = (Arc::default(), None);
        let mut present = Present { opened: task, digest, world, truth, picture, seeds, bounds };
        present.hand_over(Lanes::All, flat, host);
        let picture = Picture::new(&present.world, &present.truth.ranks, &Limits::default());
        send_picture(task, &picture, host);
        present.picture = Arc::new(picture);
        self.present = Some(present);
        Ok(())
    }

    /// Begins to lay the present world out.
    pub(super) fn lay_out(&mut self, task: Task, layout: &str, host: &mut dyn Host) {
        if let Some(older) = self.layout.take() {
            fail(older.task, Failure::Cancelled, host);
        }
        let Some(present) = self.present(task, host) else { return };
        // An id that no build knows is a link's mistake or a newer build's layout.
        let Some(entry) = crawl_layout::find(layout).or_else(|| crawl_layout::find("")) else {
            return;
        };
        let depths = present.picture.depths(&present.world, &present.seeds);
        let laying = (entry.build)(&present.picture, &depths);
        self.layout = Some(LayoutJob::new(task, laying));
        self.laid = Some((task, entry));
    }
}

/// What the store had, if it is the world that is wanted.
fn take_stored(source: &WorldSource, reply: Loaded) -> Result<State, Failure> {
    let WorldSource::File { digest, names, .. } = source else {
        return Err(Failure::Words("the store was asked for a world that is made".to_owned()));
    };
    let needed = || Failure::FileNeeded { digest: digest.clone(), names: names.clone() };
    // A store that cannot be read holds nothing as far as anybody can tell.
    let (flat, kept) = reply.ok().flatten().ok_or_else(needed)?;
    let world = flat::decode(&flat).map_err(|error| Failure::Words(error.to_string()))?;
    if world.digest().to_string() != *digest {
        return Err(Failure::Words("the stored world is damaged; open its file again".to_owned()));
    }
    let mut summary = Box::new(summary(&world, digest.clone(), flat.len() as u64));
    // What the files said is told by the store alone.
    (summary.format, summary.notices) = (kept.summary.format, kept.summary.notices);
    if !kept.name.is_empty() {
        summary.title = kept.name;
    }
    Ok(State::Ready { world: Arc::new(world), summary: Some(summary), flat: Some(flat) })
}

/// What a link held, if it is the world that is wanted.
fn take_unpacked(source: &WorldSource, flat: Vec<u8>) -> Result<State, Failure> {
    let world = flat::decode(&flat).map_err(|error| Failure::Words(error.to_string()))?;
    match source {
        WorldSource::File { digest, .. } if world.digest().to_string() == *digest => {
            Ok(State::Ready { world: Arc::new(world), summary: None, flat: Some(flat) })
        }
        _ => Err(Failure::Words("the link holds another world than it says".to_owned())),
    }
}

/// Says what the world is.
fn announce(
    task: Task,
    world: Arc<World>,
    known: Option<Box<Summary>>,
    flat: Option<Vec<u8>>,
    host: &mut dyn Host,
) -> State {
    let flat = flat.unwrap_or_else(|| flat::encode(&world));
    let make = || summary(&world, world.digest().to_string(), flat.len() as u64);
    let summary = known.unwrap_or_else(|| Box::new(make()));
    let digest = summary.digest.clone();
    host.send(Answer::Opened { task, summary }, Vec::new());
    State::Opened { world, digest, flat }
}

fn send_picture(task: Task, picture: &Picture, host: &mut dyn Host) {
    use crawl_protocol::world;
    let shown = world::Picture {
        nodes: match picture.nodes {
            Nodes::Pages => world::Nodes::Pages,
            Nodes::Hosts => world::Nodes::Hosts,
            Nodes::TopPages => world::Nodes::TopPages,
        },
        n_nodes: picture.n_nodes() as u32,
        hosts: picture.hosts.clone(),
        domain: picture.domain.clone(),
        labels: picture.labels.clone(),
        n_links_left_out: picture.n_links_left_out,
        n_pages: picture.n_pages.clone(),
    };
    let arrays = vec![
        Array::F32(picture.sizes.clone()),
        Array::U32(picture.host_of.clone()),
        Array::U32(picture.edges.clone()),
        Array::U32(picture.node_of.clone()),
    ];
    host.send(Answer::Picture { task, picture: shown }, arrays);
}
