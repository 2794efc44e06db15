//! How alike two rankings are.

use crawl_world::order;

/// Kendall's τ_b of two lists of values, one a thing each: 1 when they order all pairs alike, −1 when
/// they order all the other way round; pairs that either of them ties count half (Kendall 1945).
/// Nothing where one of them ties all.
///
/// In O(n log n), by Knight's way (1966): sorted by the first list, the second's inversions are
/// counted while it is merged.
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

/// Values equal on paper are equal here; and there is one zero.
fn rising(value: f64) -> u64 {
    order::rising(crate::rounded(value) + 0.0)
}

/// Pairs among so many.
fn of_two(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Pairs of equals in a sorted list.
fn tied<T: PartialEq>(sorted: &[T]) -> u64 {
    sorted.chunk_by(|a, b| a == b).map(|run| of_two(run.len() as u64)).sum()
}

/// Sorts, and counts the pairs that stood the wrong way round.
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

/// The share of the k best by the first list that are among the k best by the second; of equals the
/// one that comes earlier is better.
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

/// The place of each value when the largest comes first: one more than there are larger ones, so that
/// equals share a place.
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

    /// Every pair looked at.
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
        // Most pairs tied in both: one differs in each, by another thing.
        assert_eq!(kendall_tau(&[1.0, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0]), Some(-1.0 / 3.0));
        assert_eq!(top_overlap(&rising, &[1.0, 9.0, 3.0, 8.0], 2), 0.5);
        assert_eq!(top_overlap(&rising, &[4.0, 3.0, 2.0, 1.0], 4), 1.0);
        assert_eq!(top_overlap(&[], &[], 3), 0.0);
    }
}
