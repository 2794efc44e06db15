//! Event queue for very many events (a ladder queue with one rung).
//!
//! A heap of a hundred thousand items touches memory everywhere at every push and pop. Here only
//! the next events are in a heap, a few dozen that fit into the cache. Later events lie unsorted in
//! buckets of equal time spans, and far ones in a list, from which buckets are refilled (Tang, Goh
//! & Thng 2005). Each item moves about three times, independent of the number of items. If all
//! events have the same time, one bucket holds everything and this is a plain heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Time in any increasing unit, and id. Of equal times the lower id comes first.
pub(crate) type Item = (u64, u32);

/// Mean number of items per bucket.
const PER_BUCKET: usize = 16;
const MOST_BUCKETS: usize = 4096;

/// Items by time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    /// Empty only if the queue is empty.
    near: BinaryHeap<Reverse<Item>>,
    /// Bucket i holds times from `base + (i << shift)` on.
    base: u64,
    shift: u32,
    buckets: Vec<Vec<Reverse<Item>>>,
    /// The first bucket that is not in `near`.
    next: usize,
    far: Vec<Reverse<Item>>,
    len: usize,
}

impl Queue {
    /// Number of items.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The first item.
    #[inline]
    pub(crate) fn first(&self) -> Option<Item> {
        self.near.peek().map(|item| item.0)
    }

    /// The first item, and one that may be the second.
    #[inline]
    pub(crate) fn first_two(&self) -> [Option<Item>; 2] {
        let near = self.near.as_slice();
        let children = near.iter().skip(1).take(2).map(|item| item.0);
        [near.first().map(|item| item.0), children.min()]
    }

    /// True if another item than the first may have a time of at most `time`. May return false
    /// positives.
    #[inline]
    pub(crate) fn may_have_second_by(&self, time: u64) -> bool {
        let others = self.near.as_slice().get(1..).unwrap_or_default();
        // The second is one of the first's two children.
        let is_near = others.iter().take(2).any(|item| item.0.0 <= time);
        is_near || (self.len > self.near.len() && self.bucket(time) >= Some(self.next as u64))
    }

    /// The bucket of a time; `None` before the first bucket.
    #[inline]
    fn bucket(&self, time: u64) -> Option<u64> {
        Some(time.checked_sub(self.base)? >> self.shift)
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item) {
        self.len += 1;
        let bucket = self.bucket(item.0).filter(|bucket| *bucket >= self.next as u64);
        match bucket {
            None => self.near.push(Reverse(item)),
            Some(at) if at < self.buckets.len() as u64 => {
                self.buckets[at as usize].push(Reverse(item));
            }
            Some(_) => self.far.push(Reverse(item)),
        }
        if self.near.is_empty() {
            self.refill();
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Item> {
        let Reverse(first) = self.near.pop()?;
        self.len -= 1;
        if self.near.is_empty() && self.len > 0 {
            self.refill();
        }
        Some(first)
    }

    /// Replaces all items.
    pub(crate) fn replace(&mut self, items: impl Iterator<Item = Item>) {
        self.near.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
        self.far.clear();
        self.far.extend(items.map(Reverse));
        self.len = self.far.len();
        self.next = self.buckets.len();
        self.refill();
    }

    /// The first `n` items that satisfy `is_wanted`, in order.
    pub(crate) fn top(&self, n: usize, is_wanted: impl Fn(&Item) -> bool) -> Vec<Item> {
        let mut top: Vec<Item> = Vec::new();
        let rest = self.buckets.iter().skip(self.next).map(Vec::as_slice);
        let stretches = [self.near.as_slice()].into_iter().chain(rest).chain([&self.far[..]]);
        for stretch in stretches {
            if top.len() >= n {
                break;
            }
            // Each stretch comes after the previous ones.
            let start = top.len();
            top.extend(stretch.iter().map(|item| item.0).filter(&is_wanted));
            top[start..].sort_unstable();
        }
        top.truncate(n);
        top
    }

    /// Memory of a clone, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<Item>() + self.buckets.capacity() * size_of::<Vec<Item>>()
    }

    /// Moves the next non-empty bucket into the heap.
    fn refill(&mut self) {
        loop {
            while let Some(bucket) = self.buckets.get_mut(self.next) {
                self.next += 1;
                if !bucket.is_empty() {
                    // Reuse the emptied heap's memory for the bucket.
                    let mut empty = std::mem::take(&mut self.near).into_vec();
                    std::mem::swap(bucket, &mut empty);
                    self.near = BinaryHeap::from(empty);
                    return;
                }
            }
            if self.far.is_empty() {
                return;
            }
            self.fill_buckets();
        }
    }

    /// Sorts the nearer three quarters of `far` into buckets.
    fn fill_buckets(&mut self) {
        let n = self.far.len();
        // Items are reversed: the soonest are the greatest.
        let place = n / 4;
        let Reverse((last, _)) = *self.far.select_nth_unstable(place).1;
        let first = self.far[place..].iter().map(|item| item.0.0).min().unwrap_or(last);
        // At least two, so that different times always end up in different buckets.
        let n_buckets = (n / PER_BUCKET).clamp(2, MOST_BUCKETS) as u64;
        let span = last - first;
        self.shift = (0..u64::BITS).find(|shift| span >> shift < n_buckets).unwrap_or(0);
        let n_buckets = (span >> self.shift) as usize + 1;
        self.buckets.resize_with(n_buckets, Vec::new);
        (self.base, self.next) = (first, 0);
        let (shift, buckets) = (self.shift, &mut self.buckets);
        self.far.retain(|item| {
            let at = (item.0.0 - first) >> shift;
            let is_far = at >= n_buckets as u64;
            if !is_far {
                buckets[at as usize].push(*item);
            }
            is_far
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_world::Rng;

    /// Reference implementation: a sorted list.
    #[derive(Default)]
    struct Plain(Vec<Item>);

    impl Plain {
        fn push(&mut self, item: Item) {
            let at = self.0.partition_point(|other| *other < item);
            self.0.insert(at, item);
        }
    }

    fn compare(seed: u64, time: &mut dyn FnMut(&mut Rng, u64) -> u64) {
        let mut rng = Rng::new(seed, "queue");
        let (mut queue, mut plain) = (Queue::default(), Plain::default());
        let mut now = 0;
        for round in 0..4000_u32 {
            // Grows first, then shrinks to nothing.
            let pushes = if round < 2500 { rng.below(4) } else { 0 };
            for _ in 0..pushes {
                let item = (time(&mut rng, now), rng.below(1000));
                queue.push(item);
                plain.push(item);
            }
            if round % 800 == 700 {
                queue.replace(plain.0.iter().rev().copied());
            }
            assert_eq!(queue.len(), plain.0.len());
            assert_eq!(queue.first(), plain.0.first().copied());
            if round % 50 == 0 {
                let is_even = |item: &Item| item.1.is_multiple_of(2);
                let top: Vec<Item> = plain.0.iter().copied().filter(is_even).take(9).collect();
                assert_eq!(queue.top(9, is_even), top);
            }
            if let Some(second) = plain.0.get(1) {
                assert!(queue.may_have_second_by(second.0));
            }
            for _ in 0..=rng.below(3) {
                let popped = queue.pop();
                assert_eq!(popped, (!plain.0.is_empty()).then(|| plain.0.remove(0)));
                now = popped.map_or(now, |item| item.0);
            }
        }
        assert!(queue.pop().is_none() && queue.top(3, |_| true).is_empty());
    }

    #[test]
    fn what_is_soonest_comes_first_whatever_times_are_like() {
        compare(1, &mut |rng, now| now + u64::from(rng.below(1_000_000)));
        compare(2, &mut |_, now| now + 3);
        compare(3, &mut |_, _| 7);
        compare(4, &mut |rng, _| rng.bits());
        compare(5, &mut |rng, now| now + (1 << rng.below(40)));
        compare(6, &mut |rng, _| if rng.chance(0.5) { u64::MAX } else { u64::from(rng.below(9)) });
        // Bit patterns of positive floats increase with their values.
        compare(7, &mut |rng, now| (f64::from_bits(now) + rng.exponential(5.0)).to_bits());
    }
}
