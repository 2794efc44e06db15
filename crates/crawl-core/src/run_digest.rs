//! A run's identity: every URL fetched and the score it was chosen with.

use crawl_world::Digest;

/// BLAKE3 over (URL, score bits) of each step.
#[derive(Clone, Default)]
pub struct RunDigest {
    hasher: blake3::Hasher,
    // Steps are gathered, because the hash is fastest over long stretches.
    pending: Vec<u8>,
}

/// A power of two of BLAKE3's chunks of 1 KiB: fed in such stretches, it never meets a part of a
/// chunk and always takes several chunks at once.
const STRETCH_BYTES: usize = 1 << 14;

impl RunDigest {
    pub(crate) fn step(&mut self, url: &str, score: f64) {
        self.pending.extend_from_slice(&(url.len() as u32).to_le_bytes());
        self.pending.extend_from_slice(url.as_bytes());
        self.pending.extend_from_slice(&score.to_bits().to_le_bytes());
        while let Some(stretch) = self.pending.get(..STRETCH_BYTES) {
            self.hasher.update(stretch);
            self.pending.drain(..STRETCH_BYTES);
        }
    }

    /// The digest of all steps so far.
    pub fn value(&self) -> Digest {
        let mut hasher = self.hasher.clone();
        hasher.update(&self.pending);
        Digest::of(&hasher)
    }
}
