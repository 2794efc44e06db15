//! Data textures for shaders, with a CPU copy.
//!
//! Entries of one or two numbers are stored in rows of [`WIDTH`] entries, because a texture has two
//! dimensions. Only changed rows are uploaded. The CPU copy allows restoring a lost context.

/// Entries per row; every WebGL2 implementation supports textures of this width.
pub(crate) const WIDTH: usize = 2048;

/// Maximum number of entries; every WebGL2 implementation supports this many rows.
pub(crate) const MAX_ENTRIES: usize = WIDTH * WIDTH;

/// A data texture with entries of `N` numbers.
#[derive(Debug)]
pub(crate) struct TextureRows<T, const N: usize> {
    /// Complete rows; the last one is padded.
    data: Vec<T>,
    n: usize,
    is_dirty: Vec<bool>,
    /// Whether any row is dirty.
    any_dirty: bool,
}

impl<T, const N: usize> Default for TextureRows<T, N> {
    fn default() -> Self {
        Self { data: Vec::new(), n: 0, is_dirty: Vec::new(), any_dirty: false }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> TextureRows<T, N> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.is_dirty.len()
    }

    /// The numbers of all entries.
    pub fn values(&self) -> &[T] {
        &self.data[..self.n * N]
    }

    pub fn get(&self, index: usize) -> Option<[T; N]> {
        self.values().as_chunks().0.get(index).copied()
    }

    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Reserves capacity for `n` entries in total.
    pub fn reserve(&mut self, n: usize) {
        let n_values = n.min(MAX_ENTRIES).next_multiple_of(WIDTH) * N;
        self.data.reserve(n_values.saturating_sub(self.data.len()));
    }

    /// Appends an entry; entries beyond [`MAX_ENTRIES`] are dropped.
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
        self.mark_dirty();
    }

    /// Marks all rows as dirty.
    pub fn mark_dirty(&mut self) {
        self.is_dirty.fill(true);
        self.any_dirty = true;
    }

    /// Whether any row changed since the last [`TextureRows::take_dirty`].
    pub fn is_dirty(&self) -> bool {
        self.any_dirty
    }

    /// Calls `each` with every changed row and its numbers; marks them as clean.
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

    fn dirty(rows: &mut TextureRows<u32, 2>) -> Vec<usize> {
        let mut changed = Vec::new();
        rows.take_dirty(|row, values| {
            assert_eq!(values.len(), WIDTH * 2);
            changed.push(row);
        });
        changed
    }

    #[test]
    fn only_changed_rows_are_handed_over() {
        let mut rows: TextureRows<u32, 2> = TextureRows::default();
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
