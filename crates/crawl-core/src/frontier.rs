//! Priority queue of waiting URLs, best score first.
//!
//! There is one heap per group (a host or a site), and a heap of the open groups by their best URL.
//! URLs without a group are in a separate heap and are always available. Every change costs O(log
//! n). If no rule depends on hosts there are no groups, and all URLs share one heap.
//!
//! Scores are compared after rounding to a relative 1e-9, so that scores which are mathematically
//! equal tie although they were summed in different orders. Ties go to the URL discovered earlier.

use crate::UrlId;
use crate::heap::{Heap, Item, Places};
use crawl_world::order;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A group of URLs that is opened and closed as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupId(pub u32);

/// Waiting URLs by score, and the scores of all URLs.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    slots: Vec<Slot>,
    free: Heap,
    groups: Vec<Group>,
    open: Heap,
    open_places: Vec<u32>,
    scratch: Vec<(UrlId, u32)>,
    n_set_all: u32,
}

/// Data of one URL, stored together because they are used together.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    score: f64,
    /// Position in its heap plus one; 0 if the URL does not wait.
    place: u32,
    /// Group plus one; 0 if it has none.
    group: u32,
}

impl Places for Vec<Slot> {
    #[inline]
    fn place(&self, id: u32) -> u32 {
        self[id as usize].place
    }

    #[inline]
    fn set_place(&mut self, id: u32, place: u32) {
        self[id as usize].place = place;
    }
}

#[derive(Clone, Debug, Default)]
struct Group {
    heap: Heap,
    closed: bool,
}

impl Frontier {
    /// Makes room for `n_urls` URLs; new ones have score 0.
    pub fn make_room(&mut self, n_urls: u32) {
        if self.slots.len() < n_urls as usize {
            self.slots.resize(n_urls as usize, Slot::default());
        }
    }

    /// A URL's score, waiting or not.
    #[inline]
    pub fn score(&self, url: UrlId) -> f64 {
        self.slots.get(url.index()).map_or(0.0, |slot| slot.score)
    }

    /// Adds a URL.
    pub fn push(&mut self, url: UrlId, score: f64, group: Option<GroupId>) {
        self.make_room(url.0 + 1);
        let slot = &mut self.slots[url.index()];
        slot.score = score;
        slot.group = group.map_or(0, |group| group.0 + 1);
        let item = Item { key: key(score), tie: url.0, id: url.0 };
        let Some(group) = group else {
            self.free.push(item, &mut self.slots);
            return;
        };
        self.make_group(group);
        self.groups[group.0 as usize].heap.push(item, &mut self.slots);
        self.reopen(group);
    }

    /// Removes and returns the best available URL.
    pub fn pop(&mut self) -> Option<UrlId> {
        let from_group = match (self.free.best(), self.open.best()) {
            (None, None) => return None,
            (Some(free), Some(open)) => open.is_before(free),
            (free, _) => free.is_none(),
        };
        if !from_group {
            return self.free.pop(&mut self.slots).map(|item| UrlId(item.id));
        }
        let group = GroupId(self.open.best()?.id);
        let item = self.groups[group.0 as usize].heap.pop(&mut self.slots)?;
        self.reopen(group);
        Some(UrlId(item.id))
    }

    /// Sets a URL's score.
    #[inline]
    pub fn set(&mut self, url: UrlId, score: f64) {
        let slot = &mut self.slots[url.index()];
        slot.score = score;
        let Slot { place, group, .. } = *slot;
        if place > 0 {
            self.replace(url, place, group);
        }
    }

    /// Adds an amount to the scores of many URLs. Works in passes, so that memory accesses overlap.
    pub fn add_each(&mut self, urls: impl Iterator<Item = UrlId>, amount: f64) {
        self.change_each(urls, |_, score| score + amount);
    }

    /// Sets the score of many URLs.
    pub fn set_each(&mut self, urls: impl Iterator<Item = UrlId>, score: f64) {
        self.change_each(urls, |_, _| score);
    }

    /// Computes new scores of many URLs from the old ones; each URL once.
    pub fn change_each(
        &mut self,
        urls: impl Iterator<Item = UrlId>,
        change: impl Fn(UrlId, f64) -> f64,
    ) {
        let mut changed = std::mem::take(&mut self.scratch);
        changed.clear();
        changed.extend(urls.map(|url| (url, 0)));
        changed.retain_mut(|(url, group)| {
            let slot = &mut self.slots[url.index()];
            slot.score = change(*url, slot.score);
            *group = slot.group;
            slot.place > 0
        });
        for (url, group) in &changed {
            // An earlier update may have moved it.
            let place = self.slots[url.index()].place;
            self.replace(*url, place, *group);
        }
        self.scratch = changed;
    }

    /// Sets the scores of all waiting URLs, in O(n).
    pub fn set_all(&mut self, mut score_of: impl FnMut(UrlId) -> f64) {
        self.n_set_all += 1;
        let slots = &mut self.slots;
        let mut key_of = |id: u32, slots: &mut Vec<Slot>| {
            let score = score_of(UrlId(id));
            slots[id as usize].score = score;
            key(score)
        };
        self.free.rekey(&mut key_of, slots);
        for group in 0..self.groups.len() {
            self.groups[group].heap.rekey(&mut key_of, &mut self.slots);
            self.reopen(GroupId(group as u32));
        }
    }

    /// Number of calls of [`Self::set_all`].
    pub(crate) fn n_set_all(&self) -> u32 {
        self.n_set_all
    }

    /// Removes a URL.
    pub fn remove(&mut self, url: UrlId) {
        let Some(Slot { place, group, .. }) = self.slots.get(url.index()).copied() else { return };
        match (place, group) {
            (0, _) => {}
            (_, 0) => self.free.remove(url.0, &mut self.slots),
            (_, group) => {
                let group = GroupId(group - 1);
                self.groups[group.0 as usize].heap.remove(url.0, &mut self.slots);
                self.reopen(group);
            }
        }
    }

    /// Makes a group's URLs unavailable until it is opened.
    pub fn close(&mut self, group: GroupId) {
        self.make_group(group);
        self.groups[group.0 as usize].closed = true;
        self.reopen(group);
    }

    /// Makes a group's URLs available again.
    pub fn open(&mut self, group: GroupId) {
        self.make_group(group);
        self.groups[group.0 as usize].closed = false;
        self.reopen(group);
    }

    /// True if the URL's group is closed, so that it is not available now.
    pub fn is_held(&self, url: UrlId) -> bool {
        let group = self.slots.get(url.index()).map_or(0, |slot| slot.group);
        group > 0 && self.groups[group as usize - 1].closed
    }

    /// True if URLs of the group wait.
    pub fn has_group(&self, group: GroupId) -> bool {
        self.groups.get(group.0 as usize).is_some_and(|g| g.heap.len() > 0)
    }

    /// True if the URL waits.
    #[inline]
    pub fn contains(&self, url: UrlId) -> bool {
        self.slots.get(url.index()).is_some_and(|slot| slot.place > 0)
    }

    /// Number of waiting URLs.
    pub fn len(&self) -> usize {
        self.free.len() + self.groups.iter().map(|g| g.heap.len()).sum::<usize>()
    }

    /// True if no URL waits.
    pub fn is_empty(&self) -> bool {
        self.free.len() == 0 && self.groups.iter().all(|g| g.heap.len() == 0)
    }

    /// All waiting URLs, in arbitrary order.
    pub fn waiting(&self) -> impl Iterator<Item = UrlId> {
        let grouped = self.groups.iter().flat_map(|g| g.heap.items());
        self.free.items().iter().chain(grouped).map(|item| UrlId(item.id))
    }

    /// The best `n` waiting URLs by score, including closed groups, without sorting the rest.
    pub fn top(&self, n: usize) -> Vec<UrlId> {
        let heap = |h: usize| {
            if h == 0 { &self.free } else { &self.groups[h - 1].heap }
        };
        let mut next = BinaryHeap::new();
        for h in 0..=self.groups.len() {
            if let Some(item) = heap(h).best() {
                next.push(Candidate { item: *item, heap: h, at: 0 });
            }
        }
        let mut top = Vec::with_capacity(n.min(self.len()));
        while top.len() < n {
            let Some(best) = next.pop() else { break };
            top.push(UrlId(best.item.id));
            let heap_items = heap(best.heap);
            for at in heap_items.children(best.at) {
                next.push(Candidate { item: heap_items.items()[at], heap: best.heap, at });
            }
        }
        top
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        let groups = self.groups.iter().map(|g| g.heap.bytes() + size_of::<Group>()).sum::<usize>();
        let slots = self.slots.capacity() * size_of::<Slot>();
        groups + self.free.bytes() + self.open.bytes() + slots + self.open_places.capacity() * 4
    }

    fn make_group(&mut self, group: GroupId) {
        let at = group.0 as usize;
        if at >= self.groups.len() {
            self.groups.resize_with(at + 1, Group::default);
            self.open_places.resize(at + 1, 0);
        }
    }

    /// Moves a waiting URL to the position of its score.
    #[inline]
    fn replace(&mut self, url: UrlId, place: u32, group: u32) {
        let key = key(self.slots[url.index()].score);
        if group == 0 {
            self.free.update(place, key, url.0, &mut self.slots);
            return;
        }
        let group = GroupId(group - 1);
        self.groups[group.0 as usize].heap.update(place, key, url.0, &mut self.slots);
        self.reopen(group);
    }

    /// Updates a group's position among the open groups, or removes it.
    fn reopen(&mut self, group: GroupId) {
        let entry = &self.groups[group.0 as usize];
        let place = self.open_places[group.0 as usize];
        match entry.heap.best().filter(|_| !entry.closed) {
            None => self.open.remove(group.0, &mut self.open_places),
            Some(best) if place == 0 => {
                let item = Item { key: best.key, tie: best.tie, id: group.0 };
                self.open.push(item, &mut self.open_places);
            }
            Some(best) => self.open.update(place, best.key, best.tie, &mut self.open_places),
        }
    }
}

/// A heap item during [`Frontier::top`].
struct Candidate {
    item: Item,
    heap: usize,
    at: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.item.key, other.item.tie).cmp(&(other.item.key, self.item.tie))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// Low mantissa bits that are rounded away: 30 of 52 remain, a relative step of 9.3e-10.
const DROPPED_BITS: u32 = 22;

/// A score as the frontier compares it: about nine digits; NaN becomes −∞ and −0 becomes 0.
pub fn rounded(score: f64) -> f64 {
    if score.is_nan() {
        return f64::NEG_INFINITY;
    }
    let half = 1_u64 << (DROPPED_BITS - 1);
    let mask = !((1_u64 << DROPPED_BITS) - 1);
    // A carry into the exponent gives the next power of two, which is correct.
    f64::from_bits((score + 0.0).to_bits().wrapping_add(half) & mask)
}

/// The rounded score as an integer of the same order.
#[inline]
fn key(score: f64) -> u64 {
    order::rising(rounded(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_on_paper_is_equal_here() {
        let sum: f64 = [0.1, 0.2, 0.3].iter().sum();
        let other: f64 = [0.3, 0.2, 0.1].iter().sum();
        assert_ne!(sum, other);
        assert_eq!(rounded(sum), rounded(other));
        assert_ne!(rounded(1.0), rounded(1.0 + 2e-9));
        assert_eq!(rounded(-123_456_789.0), -123_456_789.0);
        assert_eq!(rounded(f64::NAN), f64::NEG_INFINITY);
        assert_eq!(rounded(f64::INFINITY), f64::INFINITY);
        assert_eq!(rounded(-0.0).to_bits(), 0);
        let mut scores = [1.5, -2.0, 0.0, f64::NEG_INFINITY, 1e300, -1e-300, 7e-310];
        scores.sort_by_key(|s| key(*s));
        assert!(scores.is_sorted());
    }

    /// Reference implementation: a sorted list.
    #[derive(Default)]
    struct Slow {
        waiting: Vec<(f64, u32, Option<u32>)>,
        closed: Vec<u32>,
    }

    impl Slow {
        fn sort(&mut self) {
            self.waiting.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }

        fn pop(&mut self) -> Option<u32> {
            self.sort();
            let open = |g: Option<u32>| g.is_none_or(|g| !self.closed.contains(&g));
            let at = self.waiting.iter().position(|w| open(w.2))?;
            Some(self.waiting.remove(at).1)
        }
    }

    #[derive(Clone, Debug)]
    enum Act {
        Push(f64, Option<u32>),
        Rescore(u32, f64),
        RescoreAll(f64),
        AddEach(Vec<u32>, f64),
        Remove(u32),
        Close(u32),
        Open(u32),
        Pop,
    }

    fn act() -> impl Strategy<Value = Act> {
        let score = (-5_i32..5).prop_map(|s| f64::from(s) / 2.0);
        prop_oneof![
            4 => (score.clone(), proptest::option::of(0_u32..4)).prop_map(|(s, g)| Act::Push(s, g)),
            3 => (0_u32..40, score.clone()).prop_map(|(u, s)| Act::Rescore(u, s)),
            1 => score.clone().prop_map(Act::RescoreAll),
            2 => (proptest::collection::btree_set(0_u32..40, 0..12), score)
                .prop_map(|(urls, s)| Act::AddEach(urls.into_iter().collect(), s)),
            1 => (0_u32..40).prop_map(Act::Remove),
            1 => (0_u32..4).prop_map(Act::Close),
            1 => (0_u32..4).prop_map(Act::Open),
            3 => Just(Act::Pop),
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_a_sorted_list(acts in proptest::collection::vec(act(), 0..120)) {
            let (mut fast, mut slow, mut next) = (Frontier::default(), Slow::default(), 0);
            for act in acts {
                match act {
                    Act::Push(score, group) => {
                        fast.push(UrlId(next), score, group.map(GroupId));
                        slow.waiting.push((score, next, group));
                        next += 1;
                    }
                    Act::Rescore(url, score) => {
                        if url < next {
                            fast.set(UrlId(url), score);
                        }
                        slow.waiting.iter_mut().filter(|w| w.1 == url).for_each(|w| w.0 = score);
                    }
                    Act::RescoreAll(by) => {
                        let score = |url: u32| f64::from(url % 3) * by + 0.0;
                        fast.set_all(|url| score(url.0));
                        slow.waiting.iter_mut().for_each(|w| w.0 = score(w.1));
                    }
                    Act::AddEach(urls, by) => {
                        let known = urls.iter().filter(|url| **url < next);
                        fast.add_each(known.map(|url| UrlId(*url)), by);
                        let changed = slow.waiting.iter_mut().filter(|w| urls.contains(&w.1));
                        changed.for_each(|w| w.0 += by);
                    }
                    Act::Remove(url) => {
                        fast.remove(UrlId(url));
                        slow.waiting.retain(|w| w.1 != url);
                    }
                    Act::Close(group) => {
                        fast.close(GroupId(group));
                        slow.closed.push(group);
                    }
                    Act::Open(group) => {
                        fast.open(GroupId(group));
                        slow.closed.retain(|g| *g != group);
                    }
                    Act::Pop => prop_assert_eq!(fast.pop().map(|u| u.0), slow.pop()),
                }
                slow.sort();
                let top: Vec<u32> = fast.top(5).iter().map(|u| u.0).collect();
                let expected: Vec<u32> = slow.waiting.iter().take(5).map(|w| w.1).collect();
                prop_assert_eq!(top, expected);
                prop_assert_eq!(fast.len(), slow.waiting.len());
                prop_assert_eq!(fast.is_empty(), slow.waiting.is_empty());
                prop_assert!(slow.waiting.iter().all(|w| fast.contains(UrlId(w.1))));
                prop_assert!(slow.waiting.iter().all(|w| fast.score(UrlId(w.1)) == w.0));
            }
        }
    }
}
