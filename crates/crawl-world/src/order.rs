//! Sorting by numeric keys. All callers share one sort, since each instance costs five kilobytes of
//! download.

/// Key of a number that sorts ascending, like [`f64::total_cmp`].
#[inline]
pub fn rising(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Key of a number that sorts descending.
#[inline]
pub fn falling(x: f64) -> u64 {
    !rising(x)
}

/// The numbers below `n`, sorted by key, stably.
///
/// ```
/// # use crawl_world::order::by_key;
/// assert_eq!(by_key(4, |i| [7, 3, 7, 1][i]), [3, 1, 0, 2]);
/// ```
pub fn by_key(n: usize, key: impl Fn(usize) -> u64) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = (0..n).map(|i| (key(i), i as u32)).collect();
    sort(&mut keyed);
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// Sorts items by key, stably.
pub fn arranged<T>(things: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    if things.is_sorted_by_key(&key) {
        return things;
    }
    let order = by_key(things.len(), |i| key(&things[i]));
    let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
    order.into_iter().filter_map(|i| things[i as usize].take()).collect()
}

/// The number at index `place` of the sorted slice.
#[inline(never)]
pub fn nth(numbers: &mut [f32], place: usize) -> f32 {
    *numbers.select_nth_unstable_by(place, f32::total_cmp).1
}

#[inline(never)]
fn sort(keyed: &mut [(u64, u32)]) {
    keyed.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_sort_as_their_keys_do(a in any::<f64>(), b in any::<f64>()) {
            prop_assert_eq!(a.total_cmp(&b), rising(a).cmp(&rising(b)));
            prop_assert_eq!(b.total_cmp(&a), falling(a).cmp(&falling(b)));
        }

        #[test]
        fn things_are_arranged_as_a_stable_sort_does(keys in prop::collection::vec(0_u64..9, 0..50)) {
            let things: Vec<(u64, usize)> = keys.into_iter().zip(0..).collect();
            let mut sorted = things.clone();
            sorted.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(arranged(things, |(key, _)| *key), sorted);
        }
    }
}
