//! Four-ary heap with updatable keys.
//!
//! Four children share a cache line, so a heap of a million items has ten levels and needs about as
//! many memory accesses. Positions are stored outside, since each item is in one heap only and all
//! heaps of a frontier share one table.

/// A heap item. The highest key comes first; ties go to the lowest `tie`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) key: u64,
    pub(crate) tie: u32,
    pub(crate) id: u32,
}

impl Item {
    #[inline]
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        self.key > other.key || (self.key == other.key && self.tie < other.tie)
    }
}

/// Position of each id plus one; 0 if it is in no heap.
pub(crate) trait Places {
    fn place(&self, id: u32) -> u32;
    fn set_place(&mut self, id: u32, place: u32);
}

impl Places for Vec<u32> {
    fn place(&self, id: u32) -> u32 {
        self[id as usize]
    }

    fn set_place(&mut self, id: u32, place: u32) {
        self[id as usize] = place;
    }
}

const WAYS: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    items: Vec<Item>,
}

impl Heap {
    #[inline]
    pub(crate) fn best(&self) -> Option<&Item> {
        self.items.first()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn push(&mut self, item: Item, places: &mut impl Places) {
        self.items.push(item);
        self.up(self.items.len() - 1, item, places);
    }

    pub(crate) fn pop(&mut self, places: &mut impl Places) -> Option<Item> {
        let best = *self.items.first()?;
        self.remove_at(0, places);
        Some(best)
    }

    pub(crate) fn remove(&mut self, id: u32, places: &mut impl Places) {
        let place = places.place(id);
        if place > 0 {
            self.remove_at(place as usize - 1, places);
        }
    }

    /// Changes the key of an item.
    #[inline]
    pub(crate) fn update(&mut self, place: u32, key: u64, tie: u32, places: &mut impl Places) {
        let at = place as usize - 1;
        let old = self.items[at];
        let new = Item { key, tie, id: old.id };
        if new.is_before(&old) {
            self.up(at, new, places);
        } else {
            self.down(at, new, places);
        }
    }

    /// Recomputes all keys, in O(n).
    pub(crate) fn rekey<P: Places>(
        &mut self,
        mut key_of: impl FnMut(u32, &mut P) -> u64,
        places: &mut P,
    ) {
        for item in &mut self.items {
            item.key = key_of(item.id, places);
        }
        for at in (0..self.items.len().div_ceil(WAYS)).rev() {
            self.down(at, self.items[at], places);
        }
        for (at, item) in self.items.iter().enumerate() {
            places.set_place(item.id, at as u32 + 1);
        }
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Positions of an item's children.
    pub(crate) fn children(&self, at: usize) -> std::ops::Range<usize> {
        let first = (at * WAYS + 1).min(self.items.len());
        first..(first + WAYS).min(self.items.len())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>()
    }

    fn remove_at(&mut self, at: usize, places: &mut impl Places) {
        let gone = self.items.swap_remove(at);
        places.set_place(gone.id, 0);
        if at < self.items.len() {
            let moved = self.items[at];
            if at > 0 && moved.is_before(&self.items[(at - 1) / WAYS]) {
                self.up(at, moved, places);
            } else {
                self.down(at, moved, places);
            }
        }
    }

    #[inline]
    fn up(&mut self, mut at: usize, item: Item, places: &mut impl Places) {
        while at > 0 {
            let parent = (at - 1) / WAYS;
            let above = self.items[parent];
            if !item.is_before(&above) {
                break;
            }
            self.items[at] = above;
            places.set_place(above.id, at as u32 + 1);
            at = parent;
        }
        self.items[at] = item;
        places.set_place(item.id, at as u32 + 1);
    }

    #[inline]
    fn down(&mut self, mut at: usize, item: Item, places: &mut impl Places) {
        loop {
            let range = self.children(at);
            let Some(children) = self.items.get(range.clone()).filter(|c| !c.is_empty()) else {
                break;
            };
            let mut best = 0;
            for child in 1..children.len() {
                if children[child].is_before(&children[best]) {
                    best = child;
                }
            }
            let below = children[best];
            if !below.is_before(&item) {
                break;
            }
            self.items[at] = below;
            places.set_place(below.id, at as u32 + 1);
            at = range.start + best;
        }
        self.items[at] = item;
        places.set_place(item.id, at as u32 + 1);
    }
}
