//! Sequential minimal optimization: pair selection, step size, stopping rule.

use super::Settings;

/// Capacity of the kernel row cache, in numbers (32 MB).
const MAX_CACHED: usize = 4 << 20;
/// Curvature assumed for a pair of equal points, as in LIBSVM.
const MIN_CURVATURE: f64 = 1e-12;

pub(super) struct Solution {
    pub alpha: Vec<f64>,
    pub rho: f64,
    pub finished: bool,
}

/// Computes α and ρ; `fill` appends the i-th row of the kernel matrix.
pub(super) fn solve(
    labels: &[f64],
    settings: &Settings,
    fill: impl Fn(usize, &mut Vec<f64>),
) -> Solution {
    let n = labels.len();
    let c = settings.c;
    let mut rows = Rows { rows: vec![Vec::new(); n], n_kept: 0, fill };
    let mut alpha = vec![0.0; n];
    // The gradient of the objective.
    let mut gradient = vec![-1.0; n];
    let mut finished = false;

    // Far more steps than LIBSVM needs on any data; stops endless loops caused by rounding.
    for _ in 0..n.saturating_mul(1000).max(100_000) {
        let up = |t: usize| if labels[t] > 0.0 { alpha[t] < c } else { alpha[t] > 0.0 };
        let low = |t: usize| if labels[t] > 0.0 { alpha[t] > 0.0 } else { alpha[t] < c };
        let ascent = |t: usize| -labels[t] * gradient[t];

        let first =
            (0..n).filter(|&t| up(t)).reduce(|i, t| if ascent(t) > ascent(i) { t } else { i });
        let Some(i) = first else { break };
        rows.keep(i, i);
        let row = &rows.rows[i];
        let lowest = (0..n).filter(|&t| low(t)).map(ascent).fold(f64::INFINITY, f64::min);
        if ascent(i) - lowest < settings.tolerance {
            finished = true;
            break;
        }
        // Second-order gain of the pair (i, t).
        let gain = |t: usize| {
            let slope = ascent(i) - ascent(t);
            slope * slope / (2.0 - 2.0 * row[t]).max(MIN_CURVATURE)
        };
        let second = (0..n)
            .filter(|&t| low(t) && ascent(t) < ascent(i))
            .map(|t| (t, gain(t)))
            .reduce(|best, new| if new.1 > best.1 { new } else { best });
        let Some((j, _)) = second else { break };

        rows.keep(j, i);
        let (row_i, row_j) = (&rows.rows[i], &rows.rows[j]);
        let curvature = (2.0 - 2.0 * row_i[j]).max(MIN_CURVATURE);
        // α_i·y_i grows by as much as α_j·y_j falls; both stay in [0, C].
        let room_i = if labels[i] > 0.0 { c - alpha[i] } else { alpha[i] };
        let room_j = if labels[j] > 0.0 { alpha[j] } else { c - alpha[j] };
        let step = ((ascent(i) - ascent(j)) / curvature).min(room_i).min(room_j);
        let moved = |alpha: f64, by: f64, room: f64| {
            // Set the bound exactly, so that comparisons with it hold.
            if step < room {
                alpha + by
            } else if by > 0.0 {
                c
            } else {
                0.0
            }
        };
        let (new_i, new_j) =
            (moved(alpha[i], labels[i] * step, room_i), moved(alpha[j], -labels[j] * step, room_j));
        let (by_i, by_j) = ((new_i - alpha[i]) * labels[i], (new_j - alpha[j]) * labels[j]);
        (alpha[i], alpha[j]) = (new_i, new_j);
        for t in 0..n {
            gradient[t] += labels[t] * (by_i * row_i[t] + by_j * row_j[t]);
        }
    }
    let rho = threshold(labels, &alpha, &gradient, c);
    Solution { alpha, rho, finished }
}

/// ρ: the mean over points with 0 < α < C, or the middle of the feasible interval.
fn threshold(labels: &[f64], alpha: &[f64], gradient: &[f64], c: f64) -> f64 {
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut sum, mut n_free) = (0.0, 0_u32);
    for ((&y, &alpha), &gradient) in labels.iter().zip(alpha).zip(gradient) {
        let value = y * gradient;
        if alpha > 0.0 && alpha < c {
            sum += value;
            n_free += 1;
        } else if (alpha >= c) == (y < 0.0) {
            most = most.min(value);
        } else {
            least = least.max(value);
        }
    }
    if n_free > 0 { sum / f64::from(n_free) } else { 0.5 * (least + most) }
}

/// A cache of kernel matrix rows.
struct Rows<F> {
    rows: Vec<Vec<f64>>,
    n_kept: usize,
    fill: F,
}

impl<F: Fn(usize, &mut Vec<f64>)> Rows<F> {
    /// Computes row i if it is not cached; if the cache is full, drops all rows except `other`.
    fn keep(&mut self, i: usize, other: usize) {
        if !self.rows[i].is_empty() {
            return;
        }
        if (self.n_kept + 1) * self.rows.len() > MAX_CACHED {
            let kept = std::mem::take(&mut self.rows[other]);
            self.rows.iter_mut().for_each(|row| *row = Vec::new());
            self.n_kept = usize::from(!kept.is_empty());
            self.rows[other] = kept;
        }
        (self.fill)(i, &mut self.rows[i]);
        self.n_kept += 1;
    }
}
