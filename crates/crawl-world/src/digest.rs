//! Digests of worlds and runs: BLAKE3, 128 bits.

use crate::world::Urls;
use crate::{Column, Rhythm, StrId, World};
use std::fmt;
use std::str::FromStr;

/// 128 bits of BLAKE3, written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The digest of a hasher's input.
    pub fn of(hasher: &blake3::Hasher) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(bytes)
    }

    /// Digest of the content that determines a run: not the title, the licence, or the file's
    /// bytes. Columns with only defaults count as absent, so the digest does not depend on whether
    /// a file writes defaults.
    pub(crate) fn of_world(world: &World) -> Self {
        let mut sink = Sink::default();
        sink.section("crawlscope-world/1");
        sink.number(world.n_pages().into());
        if let Urls::Listed(urls) = &world.urls {
            sink.section("urls");
            urls.iter().for_each(|url| sink.text(url));
        }
        sink.section("seeds");
        sink.numbers(world.seeds.iter().map(|p| p.0));
        sink.section("links");
        sink.numbers(world.links.offsets().iter().copied());
        sink.numbers(world.links.targets().iter().map(|p| p.0));
        sink.texts("anchors", world, &world.anchors, world.n_links());
        sink.texts("contexts", world, &world.contexts, world.n_links());
        sink.values("nofollow", &world.nofollow, world.n_links(), u64::from);
        sink.lists("outside", world, &world.outside);
        sink.texts("titles", world, &world.titles, world.n_pages());
        sink.texts("texts", world, &world.texts, world.n_pages());
        sink.lists("topics", world, &world.topics);
        sink.values("clicks", &world.clicks, world.n_pages(), u64::from);
        sink.values("rates", &world.change_rates, world.n_pages(), f64::to_bits);
        if !world.change_times.is_empty() {
            sink.section("changes");
            for page in world.pages() {
                let times = world.change_times_s(page);
                sink.number(times.len() as u64);
                times.iter().for_each(|t| sink.number(t.to_bits()));
            }
        }
        if !world.timetable.rhythms.is_empty() {
            sink.section("rhythms");
            world.pages().for_each(|page| sink.rhythm(world.rhythm(page)));
        }
        if !world.timetable.gone.is_empty() {
            sink.section("gone");
            for page in world.pages() {
                sink.number(world.gone_s(page).map_or(u64::MAX, f64::to_bits));
            }
        }
        if world.has_births() {
            sink.section("born");
            for page in world.pages() {
                sink.number(world.born_s(page).map_or(u64::MAX, f64::to_bits));
            }
        }
        sink.values("statuses", &world.statuses, world.n_pages(), u64::from);
        sink.texts("locations", world, &world.locations, world.n_pages());
        sink.values("bytes", &world.sizes, world.n_pages(), u64::from);
        sink.values("latencies", &world.latencies, world.n_pages(), f64::to_bits);
        for (i, host) in world.hosts.iter().enumerate() {
            if host.robots.is_some() || host.crawl_delay_s.is_some() {
                sink.section("host");
                sink.number(i as u64);
                sink.text(host.robots.as_deref().unwrap_or_default());
                sink.number(host.crawl_delay_s.map_or(u64::MAX, f64::to_bits));
            }
        }
        Self::of(&sink.finish())
    }
}

/// Buffers small pieces, so that the hash gets long inputs.
#[derive(Default)]
struct Sink {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Sink {
    fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= 1 << 16 {
            self.hasher.update(&self.buffer);
            self.buffer.clear();
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn section(&mut self, name: &str) {
        self.text(name);
    }

    fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u32>) {
        self.number(numbers.len() as u64);
        numbers.for_each(|n| self.bytes(&n.to_le_bytes()));
    }

    fn texts(&mut self, name: &str, world: &World, column: &Column<StrId>, rows: u32) {
        if column.stored().iter().all(|id| world.text_of(*id).is_empty()) {
            return;
        }
        self.section(name);
        (0..rows as usize).for_each(|row| self.text(world.text_of(column.get(row))));
    }

    fn values<T: Copy + Default + PartialEq>(
        &mut self,
        name: &str,
        column: &Column<T>,
        rows: u32,
        bits: impl Fn(T) -> u64,
    ) {
        if column.is_default() {
            return;
        }
        self.section(name);
        (0..rows as usize).for_each(|row| self.number(bits(column.get(row))));
    }

    fn lists(&mut self, name: &str, world: &World, lists: &crate::Lists<StrId>) {
        if lists.is_empty() {
            return;
        }
        self.section(name);
        for row in 0..world.n_pages() as usize {
            let items = lists.get(row);
            self.number(items.len() as u64);
            items.iter().for_each(|id| self.text(world.text_of(*id)));
        }
    }

    fn rhythm(&mut self, rhythm: Option<Rhythm>) {
        match rhythm {
            None => self.number(0),
            Some(Rhythm::Periodic { period_s, phase_s }) => {
                self.number(1);
                [period_s, phase_s].iter().for_each(|n| self.number(n.to_bits()));
            }
            Some(Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s }) => {
                self.number(2);
                let numbers = [bursts_per_hour, changes_per_hour, burst_s];
                numbers.iter().for_each(|n| self.number(n.to_bits()));
            }
        }
    }

    fn finish(mut self) -> blake3::Hasher {
        self.hasher.update(&self.buffer);
        self.hasher
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 32 hexadecimal digits")]
pub struct DigestError;

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(DigestError);
        }
        let mut bytes = [0; 16];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| DigestError)?;
        }
        Ok(Self(bytes))
    }
}
