//! Trying what the papers claim, a piece at a time.

use super::{Host, Present, fail};
use crate::{Array, SLICE_MS};
use crawl_claims::{DOCUMENTS, Job, Step, Web, find, html};
use crawl_protocol::world::{Answer, DocumentName, Failure};
use crawl_protocol::{Progress, Task, WorldSource};

/// Most webs: what a browser can be asked for.
const MOST_WEBS: u32 = 100;

/// A document under way.
pub(super) struct ClaimsJob {
    pub(super) task: Task,
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
    /// A document on generated webs, and on a world that is open.
    pub(super) fn new(
        task: Task,
        document: &str,
        (webs, pages): (u32, u32),
        present: Option<&Present>,
    ) -> Result<Self, String> {
        let document = find(document).ok_or("there is no such document")?;
        if webs > MOST_WEBS || !document.pages.contains(&pages) {
            let (least, most) = (document.pages.start(), document.pages.end());
            return Err(format!("at most {MOST_WEBS} webs of {least} to {most} pages"));
        }
        let present = present.filter(|present| (document.suits)(&present.world));
        let given = present.map(|present| Web::Given {
            name: present.world.title().to_owned(),
            source: WorldSource::File {
                digest: present.digest.clone(),
                name: present.world.title().to_owned(),
                data: None,
            },
            world: present.world.clone(),
        });
        let webs: Vec<Web> = Job::made(document, webs, pages).chain(given).collect();
        if webs.is_empty() {
            return Err("no web to try it on".to_owned());
        }
        Ok(Self { task, job: Job::new(document, webs) })
    }

    /// Works for a while; false when it is done.
    pub(super) fn slice(&mut self, host: &mut dyn Host) -> bool {
        let end = host.now_ms() + SLICE_MS;
        let task = self.task;
        loop {
            match self.job.step() {
                Ok(Step::Working(now)) if host.now_ms() >= end => {
                    let progress = Progress { done: now.done as u64, of: now.total as u64 };
                    host.send(Answer::Trying { task, progress, web: now.web }, Vec::new());
                    return true;
                }
                Ok(Step::Working(_)) => {}
                Ok(Step::Done(report)) => {
                    // Numbers, texts and lists can always be written.
                    let json = serde_json::to_vec_pretty(&report).unwrap_or_default();
                    let html = html::write(&report);
                    host.send(Answer::Tried { task, html }, vec![Array::U8(json)]);
                    return false;
                }
                Err(failure) => {
                    fail(task, Failure::Words(failure.to_string()), host);
                    return false;
                }
            }
        }
    }
}
