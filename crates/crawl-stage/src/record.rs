//! The received part of a lane's run: the page of each step, and the pages it discovered.
//!
//! *Step s* is the moment after s fetches; at step 0 only the seeds wait. A page discovered by the
//! fetch of step s waits from step s on, and a page fetched at step s counts as fetched from step s
//! on. So two numbers per page suffice to draw any step, forwards and backwards.
//!
//! A page that is fetched or discovered again keeps its first step.

use std::cell::Cell;

/// The step of an event that did not happen.
pub const NEVER: u32 = u32::MAX;

/// Marks that no page discovered this one.
pub const NO_PAGE: u32 = u32::MAX;

/// The state of a page at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not discovered.
    Unknown,
    /// In the frontier.
    Waiting {
        /// The step of its discovery.
        since: u32,
    },
    /// Fetched.
    Fetched {
        /// The step of its fetch.
        at: u32,
    },
}

/// Why steps do not fit a run.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// Steps are missing or repeated.
    #[error("steps from {from} on do not follow the {n_steps} received steps")]
    Gap {
        /// Number of steps before the first new one.
        from: u32,
        /// Number of received steps.
        n_steps: u32,
    },
    /// Arrays of different lengths.
    #[error(
        "{n_pages} pages, {n_seconds} times, {n_scores} scores, {n_counts} counts: lengths differ"
    )]
    Lengths {
        /// Number of pages.
        n_pages: usize,
        /// Number of times.
        n_seconds: usize,
        /// Number of scores.
        n_scores: usize,
        /// Number of counts.
        n_counts: usize,
    },
    /// The counts do not sum to the number of discovered pages.
    #[error("the counts sum to {counted} discovered pages, but there are {n_found}")]
    Found {
        /// Sum of the counts.
        counted: u64,
        /// Number of discovered pages.
        n_found: usize,
    },
    /// The page does not exist.
    #[error("page {page} does not exist; the world has {n_pages} pages")]
    NoSuchPage {
        /// The page's number.
        page: u32,
        /// Number of pages of the world.
        n_pages: u32,
    },
    /// The time is NaN or decreases.
    #[error("step {step} ends at {seconds} s, earlier than the previous step")]
    Clock {
        /// The step.
        step: u32,
        /// Its time.
        seconds: f64,
    },
}

/// The received part of a lane's run.
///
/// ```
/// use crawl_stage::{Record, State};
///
/// // Page 0 is the seed; step 1 fetches it and discovers pages 1 and 2.
/// let mut record = Record::new(3);
/// record.push(0, &[0], &[0.5], &[1.0], &[1, 2], &[0, 1, 2])?;
/// assert_eq!(record.state(2, 0), State::Unknown);
/// assert_eq!(record.state(2, 1), State::Waiting { since: 1 });
/// assert_eq!(record.state(0, 1), State::Fetched { at: 1 });
/// # Ok::<(), crawl_stage::RecordError>(())
/// ```
#[derive(Debug)]
pub struct Record {
    id: u64,
    pages: Vec<u32>,
    seconds: Vec<f64>,
    scores: Vec<f64>,
    /// Discovered pages, in order.
    found: Vec<u32>,
    /// Number of pages discovered by each step; one more entry than steps; empty before the first.
    n_found: Vec<u32>,
    /// Number of distinct pages fetched by each step.
    n_fetched: Vec<u32>,
    found_at: Vec<u32>,
    fetched_at: Vec<u32>,
    found_by: Vec<u32>,
}

impl Record {
    /// An empty run over a world of `n_pages` pages.
    pub fn new(n_pages: u32) -> Self {
        thread_local!(static NEXT: Cell<u64> = const { Cell::new(1) });
        let n = n_pages as usize;
        Self {
            id: NEXT.replace(NEXT.get().wrapping_add(1)),
            pages: Vec::new(),
            seconds: Vec::new(),
            scores: Vec::new(),
            found: Vec::new(),
            n_found: Vec::new(),
            n_fetched: Vec::new(),
            found_at: vec![NEVER; n],
            fetched_at: vec![NEVER; n],
            found_by: vec![NO_PAGE; n],
        }
    }

    /// Appends steps after the first `from`.
    ///
    /// For each step: its page, its end in seconds, the page's score, and the number of pages it
    /// discovered. `found` lists those pages, concatenated. The first call (`from` = 0) has one
    /// more count, at the front, for the seeds.
    ///
    /// # Errors
    /// Returns a [`RecordError`] and changes nothing if the steps do not fit.
    pub fn push(
        &mut self,
        from: u32,
        pages: &[u32],
        seconds: &[f64],
        scores: &[f64],
        counts: &[u32],
        found: &[u32],
    ) -> Result<(), RecordError> {
        self.check(from, pages, seconds, scores, counts, found)?;
        let mut counts = counts.iter();
        let mut found = found.iter();
        if self.n_found.is_empty()
            && let Some(&count) = counts.next()
        {
            for &page in found.by_ref().take(count as usize) {
                self.find(page, 0, NO_PAGE);
            }
            self.n_found.push(self.found.len() as u32);
            self.n_fetched.push(0);
        }
        for ((&page, (&at, &score)), &count) in
            pages.iter().zip(seconds.iter().zip(scores)).zip(counts)
        {
            let step = self.pages.len() as u32 + 1;
            // A fetched page counts as discovered, even if that was not reported.
            self.find(page, step, NO_PAGE);
            let fetched_at = &mut self.fetched_at[page as usize];
            let is_first = *fetched_at == NEVER;
            *fetched_at = step.min(*fetched_at);
            self.pages.push(page);
            self.seconds.push(at);
            self.scores.push(score);
            for &other in found.by_ref().take(count as usize) {
                self.find(other, step, page);
            }
            let n_before = self.n_fetched.last().copied().unwrap_or(0);
            self.n_fetched.push(n_before + u32::from(is_first));
            self.n_found.push(self.found.len() as u32);
        }
        Ok(())
    }

    fn check(
        &self,
        from: u32,
        pages: &[u32],
        seconds: &[f64],
        scores: &[f64],
        counts: &[u32],
        found: &[u32],
    ) -> Result<(), RecordError> {
        let n_steps = self.n_steps();
        if from != n_steps {
            return Err(RecordError::Gap { from, n_steps });
        }
        let n_counts = pages.len() + usize::from(self.n_found.is_empty());
        if seconds.len() != pages.len() || scores.len() != pages.len() || counts.len() != n_counts {
            return Err(RecordError::Lengths {
                n_pages: pages.len(),
                n_seconds: seconds.len(),
                n_scores: scores.len(),
                n_counts: counts.len(),
            });
        }
        let counted: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if counted != found.len() as u64 {
            return Err(RecordError::Found { counted, n_found: found.len() });
        }
        let n_pages = self.n_pages();
        if let Some(&page) = pages.iter().chain(found).find(|&&page| page >= n_pages) {
            return Err(RecordError::NoSuchPage { page, n_pages });
        }
        let mut before = self.seconds.last().copied().unwrap_or(0.0);
        for (i, &at) in seconds.iter().enumerate() {
            if !(at.is_finite() && at >= before) {
                return Err(RecordError::Clock { step: from + i as u32 + 1, seconds: at });
            }
            before = at;
        }
        Ok(())
    }

    fn find(&mut self, page: u32, step: u32, by: u32) {
        let at = &mut self.found_at[page as usize];
        if *at == NEVER {
            *at = step;
            self.found_by[page as usize] = by;
            self.found.push(page);
        }
    }

    /// An id that is unique among all records of the program.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Number of pages of the world.
    pub fn n_pages(&self) -> u32 {
        self.found_at.len() as u32
    }

    /// Number of received steps.
    pub fn n_steps(&self) -> u32 {
        self.pages.len() as u32
    }

    /// The page of each step.
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// The end of each step, in seconds.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// The score of each step's page.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Discovered pages, in order.
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// The discovery step of a page; [`NEVER`] if it was not discovered.
    pub fn found_at(&self, page: u32) -> u32 {
        self.found_at.get(page as usize).copied().unwrap_or(NEVER)
    }

    /// The step of a page's first fetch; [`NEVER`] if there was none.
    pub fn fetched_at(&self, page: u32) -> u32 {
        self.fetched_at.get(page as usize).copied().unwrap_or(NEVER)
    }

    /// The page whose fetch discovered a page; `None` for seeds.
    pub fn found_by(&self, page: u32) -> Option<u32> {
        self.found_by.get(page as usize).copied().filter(|&by| by != NO_PAGE)
    }

    /// The page of a step; `None` for step 0 and steps not received.
    pub fn page_at(&self, step: u32) -> Option<u32> {
        self.pages.get((step as usize).checked_sub(1)?).copied()
    }

    /// The score of a step's page.
    pub fn score_at(&self, step: u32) -> Option<f64> {
        self.scores.get((step as usize).checked_sub(1)?).copied()
    }

    /// The state of a page at a step.
    pub fn state(&self, page: u32, step: u32) -> State {
        let (found, fetched) = (self.found_at(page), self.fetched_at(page));
        if fetched != NEVER && fetched <= step {
            State::Fetched { at: fetched }
        } else if found != NEVER && found <= step {
            State::Waiting { since: found }
        } else {
            State::Unknown
        }
    }

    /// Number of steps that ended by a time.
    pub fn step_at_seconds(&self, seconds: f64) -> u32 {
        self.seconds.partition_point(|&at| at <= seconds) as u32
    }

    /// The end of a step in seconds; that of the last step for steps not received.
    pub fn seconds_at(&self, step: u32) -> f64 {
        let index = (step as usize).min(self.seconds.len()).checked_sub(1);
        index.and_then(|i| self.seconds.get(i)).copied().unwrap_or(0.0)
    }

    /// Number of pages discovered by a step.
    pub fn n_found(&self, step: u32) -> u32 {
        at_or_last(&self.n_found, step)
    }

    /// Number of distinct pages fetched by a step.
    pub fn n_fetched(&self, step: u32) -> u32 {
        at_or_last(&self.n_fetched, step)
    }

    /// Number of pages waiting at a step, including those being fetched.
    pub fn n_waiting(&self, step: u32) -> u32 {
        self.n_found(step) - self.n_fetched(step)
    }

    /// The first step at which two runs fetch different pages, within the received steps.
    pub fn first_divergence(&self, other: &Self) -> Option<u32> {
        let both = self.pages.iter().zip(&other.pages);
        both.enumerate().find(|(_, (a, b))| a != b).map(|(i, _)| i as u32 + 1)
    }
}

fn at_or_last(values: &[u32], step: u32) -> u32 {
    values.get(step as usize).or(values.last()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds 0 and 1; 0 finds 2 and 3; 2 finds 4 and (again) 1; 2 is fetched twice.
    fn small() -> Record {
        let mut record = Record::new(6);
        record
            .push(0, &[0, 2], &[1.0, 2.5], &[9.0, 8.0], &[2, 2, 2], &[0, 1, 2, 3, 4, 1])
            .expect("fits");
        record.push(2, &[2, 1], &[2.5, 4.0], &[7.0, 6.0], &[0, 0], &[]).expect("fits");
        record
    }

    #[test]
    fn every_moment_can_be_asked_for() {
        let record = small();
        assert_eq!(record.n_steps(), 4);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|s| record.page_at(s)), {
            [None, Some(0), Some(2), Some(2), Some(1), None]
        });
        assert_eq!(record.state(0, 0), State::Waiting { since: 0 });
        assert_eq!(record.state(0, 1), State::Fetched { at: 1 });
        assert_eq!(record.state(2, 0), State::Unknown);
        assert_eq!(record.state(2, 1), State::Waiting { since: 1 });
        assert_eq!(record.state(2, 4), State::Fetched { at: 2 });
        assert_eq!(record.state(5, 4), State::Unknown);
        assert_eq!(record.state(77, 4), State::Unknown);
        assert_eq!([0, 1, 2, 3, 4, 99].map(|s| record.n_waiting(s)), [2, 3, 3, 3, 2, 2]);
        assert_eq!(record.found_by(2), Some(0));
        assert_eq!(record.found_by(1), None);
        assert_eq!([0.0, 1.0, 2.4, 2.5, 9.0].map(|t| record.step_at_seconds(t)), [0, 1, 1, 3, 4]);
        assert_eq!([0, 1, 4, 9].map(|s| record.seconds_at(s)), [0.0, 1.0, 4.0, 4.0]);
        assert_eq!(record.score_at(2), Some(8.0));
    }

    #[test]
    fn a_page_fetched_but_never_reported_found_has_no_finder() {
        let mut record = Record::new(2);
        record.push(0, &[1], &[0.0], &[0.0], &[1, 0], &[0]).expect("fits");
        assert_eq!(record.state(1, 1), State::Fetched { at: 1 });
        assert_eq!(record.found_at(1), 1);
        assert_eq!(record.n_waiting(1), 1);
    }

    #[test]
    fn inconsistent_steps_are_rejected_without_changes() {
        let mut record = small();
        let refused = [
            record.push(3, &[], &[], &[], &[], &[]),
            record.push(4, &[3], &[], &[0.0], &[0], &[]),
            record.push(4, &[3], &[5.0], &[0.0], &[0, 0], &[]),
            record.push(4, &[3], &[5.0], &[0.0], &[2], &[4]),
            record.push(4, &[3], &[5.0], &[0.0], &[u32::MAX], &[4]),
            record.push(4, &[6], &[5.0], &[0.0], &[0], &[]),
            record.push(4, &[3], &[5.0], &[0.0], &[1], &[u32::MAX]),
            record.push(4, &[3], &[3.9], &[0.0], &[0], &[]),
            record.push(4, &[3], &[f64::NAN], &[0.0], &[0], &[]),
        ];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
        assert_eq!((record.n_steps(), record.n_waiting(9), record.found().len()), (4, 2, 5));
        assert_eq!(record.push(4, &[3], &[5.0], &[0.0], &[0], &[]), Ok(()));
        let mut empty = Record::new(0);
        assert!(empty.push(0, &[], &[], &[], &[], &[]).is_err(), "the seeds' count is missing");
        assert_eq!(empty.push(0, &[], &[], &[], &[0], &[]), Ok(()));
    }

    #[test]
    fn runs_diverge_where_they_first_differ() {
        let (a, mut b) = (small(), Record::new(6));
        b.push(0, &[0, 2, 1], &[1.0; 3], &[0.0; 3], &[1, 0, 0, 0], &[0]).expect("fits");
        assert_eq!(a.first_divergence(&b), Some(3));
        assert_eq!(a.first_divergence(&a), None);
        assert_eq!(a.first_divergence(&Record::new(6)), None);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        type Step = (u32, Vec<u32>);

        fn runs() -> impl Strategy<Value = (Vec<u32>, Vec<Step>)> {
            let pages = || proptest::collection::vec(0..20u32, 0..6);
            (pages(), proptest::collection::vec((0..20u32, pages()), 0..30))
        }

        fn push(record: &mut Record, from: usize, steps: &[Step], seeds: Option<&[u32]>) {
            let pages: Vec<u32> = steps.iter().map(|s| s.0).collect();
            let seconds: Vec<f64> = (from..from + steps.len()).map(|i| i as f64).collect();
            let mut counts: Vec<u32> = seeds.iter().map(|s| s.len() as u32).collect();
            counts.extend(steps.iter().map(|s| s.1.len() as u32));
            let mut found: Vec<u32> = seeds.unwrap_or_default().to_vec();
            found.extend(steps.iter().flat_map(|s| s.1.iter().copied()));
            record
                .push(from as u32, &pages, &seconds, &vec![0.0; pages.len()], &counts, &found)
                .expect("fits");
        }

        proptest! {
            #[test]
            fn states_and_counts_agree_with_a_replay((seeds, steps) in runs(), cut in 0usize..30) {
                let cut = cut.min(steps.len());
                let mut record = Record::new(20);
                push(&mut record, 0, &steps[..cut], Some(&seeds));
                push(&mut record, cut, &steps[cut..], None);
                let mut states = [State::Unknown; 20];
                for &seed in &seeds {
                    states[seed as usize] = State::Waiting { since: 0 };
                }
                for step in 0..=steps.len() as u32 {
                    if let Some(i) = (step as usize).checked_sub(1) {
                        let (page, found) = &steps[i];
                        if !matches!(states[*page as usize], State::Fetched { .. }) {
                            states[*page as usize] = State::Fetched { at: step };
                        }
                        for &other in found {
                            if states[other as usize] == State::Unknown {
                                states[other as usize] = State::Waiting { since: step };
                            }
                        }
                    }
                    for page in 0..20 {
                        prop_assert_eq!(record.state(page, step), states[page as usize]);
                    }
                    let is_waiting = |s: &&State| matches!(s, State::Waiting { .. });
                    let n_waiting = states.iter().filter(is_waiting).count();
                    prop_assert_eq!(record.n_waiting(step) as usize, n_waiting);
                }
            }

            #[test]
            fn hostile_steps_never_panic(
                from in 0..3u32, pages in proptest::collection::vec(any::<u32>(), 0..4),
                seconds in proptest::collection::vec(any::<f64>(), 0..4),
                counts in proptest::collection::vec(0..9u32, 0..5),
                found in proptest::collection::vec(0..9u32, 0..9),
            ) {
                let mut record = Record::new(5);
                let scores = vec![0.0; seconds.len()];
                let _ = record.push(from, &pages, &seconds, &scores, &counts, &found);
                for step in 0..5 {
                    let _ = (record.n_waiting(step), record.page_at(step), record.state(2, step));
                }
            }
        }
    }
}
