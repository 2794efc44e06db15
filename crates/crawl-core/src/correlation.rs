//! Similarity of two rankings.

use crawl_world::order;

/// Kendall's τ_b (1945) of two lists of values of the same items.
///
/// 1 if both order all pairs alike, −1 if they order them in reverse; corrected for ties. `None` if
/// one list ties all items.
///
/// O(n log n) (Knight 1966): sorts by the first list and counts inversions of the second by
/// merging.
pub fn kendall_tau(a: &[f64], b: &[f64]) -> Option<f64> {
    let pairs = a.iter().zip(b).map(|(a, b)| (rising(*a), rising(*b)));
    let mut pairs: Vec<(u64, u64)> = pairs.collect();
    pairs.sort_unstable();
    let n = pairs.len() as u64;
    let firsts: Vec<u64> = pairs.iter().map(|(a, _)| *a).collect();
    let mut second: Vec<u64> = pairs.iter().map(|(_, b)| *b).collect();
    let swaps = inversions(&mut second);
    let (tied_a, tied_b, tied_both) = (tied(&firsts), tied(&second), tied(&pairs));
    let all = of_two(n);
    let untied = [all - tied_a, all - tied_b];
    if untied.contains(&0) {
        return None;
    }
    let agreeing = (all + tied_both - tied_a - tied_b) as f64 - 2.0 * swaps as f64;
    Some((agreeing / libm::sqrt(untied[0] as f64 * untied[1] as f64)).clamp(-1.0, 1.0))
}

/// Sort key; values equal after [`crate::rounded`] tie, and −0 equals 0.
fn rising(value: f64) -> u64 {
    order::rising(crate::rounded(value) + 0.0)
}

/// Number of pairs among n items.
fn of_two(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Number of pairs of equal items in a sorted list.
fn tied<T: PartialEq>(sorted: &[T]) -> u64 {
    sorted.chunk_by(|a, b| a == b).map(|run| of_two(run.len() as u64)).sum()
}

/// Sorts by merging and counts inversions.
fn inversions(values: &mut [u64]) -> u64 {
    let n = values.len();
    let mut count = 0;
    let mut merged = Vec::with_capacity(n);
    let mut width = 1;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let (middle, end) = ((start + width).min(n), (start + 2 * width).min(n));
            merged.clear();
            let (mut left, mut right) = (start, middle);
            while left < middle || right < end {
                if right == end || (left < middle && values[left] <= values[right]) {
                    merged.push(values[left]);
                    left += 1;
                } else {
                    count += (middle - left) as u64;
                    merged.push(values[right]);
                    right += 1;
                }
            }
            values[start..end].copy_from_slice(&merged);
        }
        width *= 2;
    }
    count
}

/// Share of the top k of the first list that are in the top k of the second. Ties go to the earlier
/// item.
pub fn top_overlap(a: &[f64], b: &[f64], k: usize) -> f64 {
    let best = |values: &[f64]| {
        let mut places = order::by_key(values.len(), |i| !rising(values[i]));
        places.truncate(k);
        places.sort_unstable();
        places
    };
    let (a, b) = (best(a), best(b));
    let shared = a.iter().filter(|place| b.binary_search(place).is_ok()).count();
    shared as f64 / k.clamp(1, a.len().max(1)) as f64
}

/// Rank of each value, largest first: one plus the number of larger values, so equal values share a
/// rank.
pub fn places(values: &[f64]) -> Vec<u32> {
    let sorted = order::by_key(values.len(), |i| !rising(values[i]));
    let mut places = vec![0; values.len()];
    let mut place = 0;
    for (at, i) in sorted.iter().enumerate() {
        let is_equal = at > 0 && {
            let before = values[sorted[at - 1] as usize];
            rising(before) == rising(values[*i as usize])
        };
        if !is_equal {
            place = at as u32 + 1;
        }
        places[*i as usize] = place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Kendall's τ_b by comparing every pair.
    fn by_pairs(a: &[f64], b: &[f64]) -> Option<f64> {
        let sign = |x: f64, y: f64| f64::from(i8::from(x > y) - i8::from(x < y));
        let (mut sum, mut untied_a, mut untied_b) = (0.0, 0.0, 0.0);
        for i in 0..a.len() {
            for j in 0..i {
                let (x, y) = (sign(a[i], a[j]), sign(b[i], b[j]));
                sum += x * y;
                untied_a += x.abs();
                untied_b += y.abs();
            }
        }
        (untied_a * untied_b > 0.0).then(|| sum / libm::sqrt(untied_a * untied_b))
    }

    proptest! {
        #[test]
        fn it_is_what_all_pairs_say(pairs in prop::collection::vec((0..6_i8, 0..6_i8), 0..40)) {
            let a: Vec<f64> = pairs.iter().map(|p| f64::from(p.0) - 2.0).collect();
            let b: Vec<f64> = pairs.iter().map(|p| f64::from(p.1) - 2.0).collect();
            match (kendall_tau(&a, &b), by_pairs(&a, &b)) {
                (Some(got), Some(wanted)) => prop_assert!((got - wanted).abs() < 1e-12),
                (got, wanted) => prop_assert_eq!(got, wanted),
            }
        }
    }

    proptest! {
        #[test]
        fn a_place_counts_the_larger(values in prop::collection::vec(-3..3_i8, 0..40)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let larger = |x: &f64| 1 + values.iter().filter(|y| *y > x).count() as u32;
            prop_assert_eq!(places(&values), values.iter().map(larger).collect::<Vec<_>>());
        }
    }

    #[test]
    fn values_equal_on_paper_share_a_place() {
        assert_eq!(places(&[0.1 + 0.2, 0.3, 0.5]), [2, 2, 1]);
        assert_eq!(top_overlap(&[0.3, 0.1 + 0.2], &[1.0, 0.5], 1), 1.0);
    }

    #[test]
    fn order_alike_against_and_nothing() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(kendall_tau(&rising, &[10.0, 20.0, 30.0, 40.0]), Some(1.0));
        assert_eq!(kendall_tau(&rising, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(kendall_tau(&rising, &[1.0; 4]), None);
        assert_eq!(kendall_tau(&[], &[]), None);
        // Most pairs tie in both lists; each list separates one item, and not the same one.
        assert_eq!(kendall_tau(&[1.0, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0]), Some(-1.0 / 3.0));
        assert_eq!(top_overlap(&rising, &[1.0, 9.0, 3.0, 8.0], 2), 0.5);
        assert_eq!(top_overlap(&rising, &[4.0, 3.0, 2.0, 1.0], 4), 1.0);
        assert_eq!(top_overlap(&[], &[], 3), 0.0);
    }
}
