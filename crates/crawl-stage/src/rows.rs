//! Arrays that a shader reads, as they are kept on this side: entries of one or two numbers, in rows of
//! [`WIDTH`] entries because a texture has two dimensions. Rows that changed are known, so that only
//! those travel to the graphics card; everything stays here, so that a lost card can be filled again.

/// Entries in a row. Every WebGL2 has textures of that size.
pub(crate) const WIDTH: usize = 2048;

/// The most entries: as many rows as every WebGL2 has.
pub(crate) const MAX_ENTRIES: usize = WIDTH * WIDTH;

/// Entries of `N` numbers each.
#[derive(Debug)]
pub(crate) struct Rows<T, const N: usize> {
    /// Whole rows, the last one filled up.
    data: Vec<T>,
    n: usize,
    is_dirty: Vec<bool>,
    /// True when any row is dirty.
    any_dirty: bool,
}

impl<T, const N: usize> Default for Rows<T, N> {
    fn default() -> Self {
        Self { data: Vec::new(), n: 0, is_dirty: Vec::new(), any_dirty: false }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> Rows<T, N> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.n
    }

    /// How many rows they take.
    pub fn n_rows(&self) -> usize {
        self.is_dirty.len()
    }

    /// All numbers of all entries.
    pub fn values(&self) -> &[T] {
        &self.data[..self.n * N]
    }

    pub fn get(&self, index: usize) -> Option<[T; N]> {
        self.values().as_chunks().0.get(index).copied()
    }

    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Makes room for so many entries in all, so that adding them copies none.
    pub fn reserve(&mut self, n: usize) {
        let n_values = n.min(MAX_ENTRIES).next_multiple_of(WIDTH) * N;
        self.data.reserve(n_values.saturating_sub(self.data.len()));
    }

    /// Adds an entry; beyond [`MAX_ENTRIES`] it is left out.
    pub fn push(&mut self, entry: [T; N]) {
        if self.n >= MAX_ENTRIES {
            return;
        }
        let row = self.n / WIDTH;
        if row >= self.is_dirty.len() {
            self.is_dirty.push(true);
            self.any_dirty = true;
            self.data.resize((row + 1) * WIDTH * N, T::default());
        }
        self.n += 1;
        self.set(self.n - 1, entry);
    }

    /// Replaces an entry.
    pub fn set(&mut self, index: usize, entry: [T; N]) {
        if index < self.n
            && let Some(slot) = self.data.as_chunks_mut::<N>().0.get_mut(index)
            && *slot != entry
        {
            *slot = entry;
            self.is_dirty[index / WIDTH] = true;
            self.any_dirty = true;
        }
    }

    /// Replaces all entries.
    pub fn replace(&mut self, values: &[T]) {
        self.n = (values.len() / N).min(MAX_ENTRIES);
        let n_rows = self.n.div_ceil(WIDTH);
        self.data.resize(n_rows * WIDTH * N, T::default());
        self.data[..self.n * N].copy_from_slice(&values[..self.n * N]);
        self.is_dirty.resize(n_rows, true);
        self.touch();
    }

    /// All rows have changed.
    pub fn touch(&mut self) {
        self.is_dirty.fill(true);
        self.any_dirty = true;
    }

    /// Whether anything changed since the last [`Rows::take_dirty`].
    pub fn is_dirty(&self) -> bool {
        self.any_dirty
    }

    /// Hands over every changed row, with its numbers.
    pub fn take_dirty(&mut self, mut each: impl FnMut(usize, &[T])) {
        if !std::mem::take(&mut self.any_dirty) {
            return;
        }
        for (row, is_dirty) in self.is_dirty.iter_mut().enumerate() {
            if std::mem::take(is_dirty) {
                each(row, &self.data[row * WIDTH * N..(row + 1) * WIDTH * N]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dirty(rows: &mut Rows<u32, 2>) -> Vec<usize> {
        let mut changed = Vec::new();
        rows.take_dirty(|row, values| {
            assert_eq!(values.len(), WIDTH * 2);
            changed.push(row);
        });
        changed
    }

    #[test]
    fn only_changed_rows_are_handed_over() {
        let mut rows: Rows<u32, 2> = Rows::default();
        assert!(dirty(&mut rows).is_empty());
        for i in 0..5 * WIDTH as u32 + 1 {
            rows.push([i, 1]);
        }
        assert_eq!(rows.n_rows(), 6);
        assert_eq!(dirty(&mut rows), [0, 1, 2, 3, 4, 5]);
        rows.set(3, [3, 1]);
        assert!(!rows.is_dirty(), "nothing changed");
        rows.set(WIDTH * 2, [9, 9]);
        rows.set(WIDTH * 4 + 7, [9, 9]);
        rows.push([1, 1]);
        assert!(rows.is_dirty());
        assert_eq!(dirty(&mut rows), [2, 4, 5]);
        assert_eq!(rows.get(WIDTH * 2), Some([9, 9]));
        assert_eq!(rows.get(rows.len()), None);
        rows.set(rows.len(), [7, 7]);
        assert!(!rows.is_dirty(), "no such entry");
        rows.clear();
        rows.push([4, 4]);
        assert_eq!(rows.values(), [4, 4]);
        assert_eq!(dirty(&mut rows), [0]);
        rows.replace(&[1, 2, 3, 4]);
        assert_eq!((rows.len(), rows.n_rows()), (2, 1));
        assert_eq!(dirty(&mut rows), [0]);
    }
}
