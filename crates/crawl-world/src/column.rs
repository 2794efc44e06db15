//! Columns that use no memory while they hold only defaults.

use serde::{Deserialize, Serialize};

/// One value per row; rows never set have the default and, at the end, use no memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Column<T> {
    values: Vec<T>,
}

impl<T: Copy + Default + PartialEq> Column<T> {
    /// The value of a row.
    #[inline]
    pub fn get(&self, row: usize) -> T {
        self.values.get(row).copied().unwrap_or_default()
    }

    /// Sets the value of a row. A default beyond the last stored row stores nothing.
    pub fn set(&mut self, row: usize, value: T) {
        if row >= self.values.len() {
            if value == T::default() {
                return;
            }
            self.values.resize(row + 1, T::default());
        }
        self.values[row] = value;
    }

    /// True if every row has the default.
    pub fn is_default(&self) -> bool {
        self.values.iter().all(|v| *v == T::default())
    }

    /// The stored rows; all others have the default.
    pub fn stored(&self) -> &[T] {
        &self.values
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>()
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self { values }
    }
}

/// A short list per row, all in one array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lists<T> {
    #[serde(with = "crate::stored::differences")]
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { offsets: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// Groups `(row, item)` pairs by row, stably. Without pairs, uses no memory.
    pub fn group(n_rows: usize, pairs: &[(u32, T)]) -> Self {
        if pairs.is_empty() {
            return Self::default();
        }
        let mut offsets = vec![0_u32; n_rows + 1];
        for (row, _) in pairs {
            offsets[*row as usize + 1] += 1;
        }
        for i in 0..n_rows {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut items = vec![pairs[0].1; pairs.len()];
        for (row, item) in pairs {
            let at = &mut next[*row as usize];
            items[*at as usize] = *item;
            *at += 1;
        }
        Self { offsets, items }
    }

    /// The items of a row.
    #[inline]
    pub fn get(&self, row: usize) -> &[T] {
        match (self.offsets.get(row), self.offsets.get(row + 1)) {
            (Some(from), Some(to)) => &self.items[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// Number of items of a row.
    #[inline]
    pub fn len_of(&self, row: usize) -> u32 {
        self.get(row).len() as u32
    }

    /// All items, by row.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// True if there are rows for `n_rows` pages, or none, and every item is in one.
    pub(crate) fn is_sound(&self, n_rows: usize) -> bool {
        let (offsets, n_items) = (&self.offsets, self.items.len());
        if offsets.is_empty() {
            return n_items == 0;
        }
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&(n_items as u32));
        ends && offsets.len() == n_rows + 1 && offsets.is_sorted()
    }

    /// True if no row has an item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.offsets.capacity() * 4 + self.items.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untouched_column_has_no_memory() {
        let mut column = Column::<u16>::default();
        column.set(1_000_000, 0);
        assert_eq!(column.bytes(), 0);
        column.set(2, 7);
        assert_eq!((column.get(1), column.get(2), column.get(3)), (0, 7, 0));
    }

    #[test]
    fn lists_keep_order_within_a_row() {
        let lists = Lists::group(3, &[(2, 'a'), (0, 'b'), (2, 'c')]);
        assert_eq!(lists.get(0), ['b']);
        assert!(lists.get(1).is_empty());
        assert_eq!(lists.get(2), ['a', 'c']);
        assert!(lists.get(9).is_empty());
    }
}
