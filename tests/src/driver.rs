//! Hosts that drive a session: a sequential one, and an adversarial one.
//!
//! The adversarial host asks too often, and completes fetches late and out of order.

use crawl_core::{Fetch, Next, Session};
use crawl_world::{Rng, World};

/// Duration of every fetch of the sequential host.
pub const FETCH_US: u64 = 1_000;

/// A fetched page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fetched {
    /// The fetch.
    pub fetch: Fetch,
    /// The score it was chosen with.
    pub score: f64,
}

/// Asks for the next page, waiting as long as needed; `None` when the crawl is over.
///
/// # Panics
/// If the session waits for nothing.
pub fn ask(session: &mut Session, world: &World, now_us: &mut u64) -> Option<Fetch> {
    loop {
        match session.next(world, *now_us) {
            Next::Fetch(fetch) => return Some(fetch),
            Next::Wait(Some(until)) => {
                assert!(until > *now_us, "waits until {until} at {now_us}");
                *now_us = until;
            }
            Next::Wait(None) => panic!("waits for ever"),
            Next::Done => return None,
        }
    }
}

/// Fetches one page while no other fetch is in flight.
///
/// # Panics
/// If the session does not accept the page it asked for.
pub fn step(session: &mut Session, world: &World, now_us: &mut u64) -> Option<Fetched> {
    let fetch = ask(session, world, now_us)?;
    *now_us += FETCH_US;
    let status = world.status(fetch.page);
    let score = session.completed(world, fetch, status, *now_us);
    let score = score.expect("it was asked for");
    Some(Fetched { fetch, score })
}

/// Fetches up to `n` pages one by one.
pub fn run(session: &mut Session, world: &World, n: usize) -> Vec<Fetched> {
    let mut now_us = 0;
    std::iter::from_fn(|| step(session, world, &mut now_us)).take(n).collect()
}

/// An event between a session and its host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The session requested a page.
    Started(Fetch, u64),
    /// The page was completed.
    Completed(Fetch, u64),
}

/// A host that asks too often, and completes fetches late and out of order.
pub struct AdversarialHost {
    rng: Rng,
    now_us: u64,
    under_way: Vec<Fetch>,
}

impl AdversarialHost {
    /// A host without fetches in flight.
    pub fn new(rng: Rng) -> Self {
        Self { rng, now_us: 0, under_way: Vec::new() }
    }

    /// Number of fetches in flight.
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Performs one event; `None` when the crawl is over.
    ///
    /// # Panics
    /// If the session waits for nothing, returns a time in the past, or ends too soon.
    pub fn event(&mut self, session: &mut Session, world: &World) -> Option<Event> {
        loop {
            if !self.under_way.is_empty() && self.rng.chance(0.4) {
                return Some(self.complete(session, world));
            }
            match session.next(world, self.now_us) {
                Next::Fetch(fetch) => {
                    self.under_way.push(fetch);
                    return Some(Event::Started(fetch, self.now_us));
                }
                Next::Done => {
                    assert!(self.under_way.is_empty(), "over with pages under way");
                    return None;
                }
                Next::Wait(until) => self.wait(until),
            }
        }
    }

    /// Asks again at the returned time, before it, or much later.
    fn wait(&mut self, until: Option<u64>) {
        let Some(until) = until else {
            assert!(!self.under_way.is_empty(), "waits for ever");
            self.now_us += u64::from(self.rng.below(1000));
            return;
        };
        let rest = until.checked_sub(self.now_us).filter(|rest| *rest > 0);
        let rest = rest.expect("a moment to come");
        self.now_us += match self.rng.below(4) {
            0 => rest / 2 + 1,
            1 => rest - 1,
            2 => rest * 3,
            _ => rest,
        };
    }

    fn complete(&mut self, session: &mut Session, world: &World) -> Event {
        let at = self.rng.below(self.under_way.len() as u32) as usize;
        let fetch = self.under_way.swap_remove(at);
        self.now_us += u64::from(self.rng.below(3) * self.rng.below(2_000_000));
        let status = world.status(fetch.page);
        let score = session.completed(world, fetch, status, self.now_us);
        assert!(score.is_some(), "it was asked for");
        let again = session.completed(world, fetch, status, self.now_us);
        assert_eq!(again, None, "a page comes once");
        Event::Completed(fetch, self.now_us)
    }
}
