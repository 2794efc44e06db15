//! Digest of a run: every fetched URL and the score it was chosen with.

use crate::Web;
use crawl_world::{Digest, PageId};

/// BLAKE3 over (URL, score bits) of each step.
#[derive(Clone, Default)]
pub struct RunDigest {
    hasher: blake3::Hasher,
    // Steps whose URLs are not looked up yet; looking up many at once overlaps memory accesses.
    steps: Vec<(PageId, f64)>,
    // Bytes not hashed yet; the hash is fastest over long inputs.
    pending: Vec<u8>,
}

/// Bytes per hash update: a power of two of BLAKE3's 1 KiB chunks, so that it never sees a partial
/// chunk and hashes several in parallel.
const STRETCH_BYTES: usize = 1 << 14;
/// Number of URLs looked up together.
const N_TOGETHER: usize = 64;

impl RunDigest {
    pub(crate) fn step(&mut self, web: &dyn Web, page: PageId, score: f64) {
        self.steps.push((page, score));
        if self.steps.len() == N_TOGETHER {
            self.look_up(web);
            while let Some(stretch) = self.pending.get(..STRETCH_BYTES) {
                self.hasher.update(stretch);
                self.pending.drain(..STRETCH_BYTES);
            }
        }
    }

    fn look_up(&mut self, web: &dyn Web) {
        for (page, score) in self.steps.drain(..) {
            let url = web.url(page);
            self.pending.extend_from_slice(&(url.len() as u32).to_le_bytes());
            self.pending.extend_from_slice(url.as_bytes());
            self.pending.extend_from_slice(&score.to_bits().to_le_bytes());
        }
    }

    /// The digest of all steps so far.
    pub fn value(&self, web: &dyn Web) -> Digest {
        let mut whole = self.clone();
        whole.look_up(web);
        whole.hasher.update(&whole.pending);
        Digest::of(&whole.hasher)
    }
}
