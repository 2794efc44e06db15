//! The mathematics of revisiting: numbers of any size, eight bytes each.

use super::Target;
use crawl_refresh::allocate::{Goal, Weights, mean_age, mean_freshness, optimal, proportional};
use crawl_refresh::estimate::{Counts, Estimator, Gamma, History, posterior};
use crawl_refresh::{Rate, Span, freshness};

pub(super) const TARGET: Target = Target {
    name: "refresh",
    note: "what is no rate or time is refused, and no answer is a NaN",
    run,
    made_seeds,
    n_mutations: 8_000,
};

/// Most pages and visits.
const MAX: usize = 64;

fn run(bytes: &[u8]) {
    let numbers = bytes.chunks_exact(8).map(|eight| {
        let mut number = [0; 8];
        number.copy_from_slice(eight);
        f64::from_le_bytes(number)
    });
    let numbers: Vec<f64> = numbers.take(MAX).collect();
    let rates: Vec<Rate> = numbers.iter().filter_map(|x| Rate::new(*x).ok()).collect();
    let spans: Vec<Span> = numbers.iter().filter_map(|x| Span::new(*x).ok()).collect();
    let n_sound = numbers.iter().filter(|x| x.is_finite() && **x >= 0.0).count();
    assert_eq!((rates.len(), spans.len()), (n_sound, n_sound), "a bad number passed");
    check_copies(&rates, &spans);
    check_estimates(&numbers, &spans);
    check_allocation(&numbers, &rates);
}

fn check_copies(rates: &[Rate], spans: &[Span]) {
    for pair in rates.windows(2) {
        let (changes, visits) = (pair[0], pair[1]);
        is_share(freshness::freshness(changes, visits));
        is_share(freshness::memoryless_freshness(changes, visits));
        is_positive(freshness::age(changes, visits));
        is_positive(freshness::memoryless_age(changes, visits));
        assert!(!freshness::freshness_slope(changes, visits).is_nan());
        assert!(!freshness::age_slope(changes, visits).is_nan());
        for span in spans.iter().take(4) {
            is_share(freshness::freshness_until(changes, visits, *span));
            is_positive(freshness::age_until(changes, visits, *span));
        }
    }
}

fn check_estimates(numbers: &[f64], spans: &[Span]) {
    let mut history = History::default();
    let mut sites: Vec<Counts> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let _ = history.record(at % 3 == 0, *span);
        let mut counts = Counts::default();
        let _ = counts.record_many(at as u32 * 1_000_003, at as u32, *span);
        sites.push(counts);
    }
    let priors = numbers.windows(2).filter_map(|pair| Gamma::new(pair[0], pair[1]).ok());
    let priors: Vec<Gamma> = priors.chain(Gamma::of_site(&sites)).take(4).collect();
    let estimators = [Estimator::Naive, Estimator::BiasReduced, Estimator::MaximumLikelihood];
    let estimators = estimators.into_iter().chain(priors.iter().copied().map(Estimator::Bayesian));
    for estimator in estimators {
        if let Some(rate) = estimator.rate(&history) {
            assert!(rate.get().is_finite() && rate.get() >= 0.0, "{estimator:?}: {rate:?}");
        }
    }
    for prior in priors {
        let posterior = posterior(prior, &history);
        assert!(posterior.rate.get().is_finite() && !posterior.ln_deviation.is_nan());
    }
}

fn check_allocation(numbers: &[f64], rates: &[Rate]) {
    let Some((budget, changes)) = rates.split_first() else { return };
    let weights: Vec<f64> = numbers.iter().copied().cycle().take(changes.len()).collect();
    for weights in [Weights::Equal, Weights::Each(&weights)] {
        for goal in [Goal::Freshness, Goal::Age] {
            let Ok(best) = optimal(goal, changes, weights, *budget) else { continue };
            assert_eq!(best.visits.len(), changes.len());
            let is_spent = best.spent <= budget.get() * (1.0 + 1e-6);
            assert!(is_spent && !best.multiplier.is_nan(), "{best:?} of {budget:?}");
        }
        let visits = proportional(changes, *budget);
        if let Ok(mean) = mean_freshness(changes, weights, &visits) {
            is_share(mean);
        }
        assert!(!mean_age(changes, weights, &visits).is_ok_and(f64::is_nan));
    }
}

fn is_share(value: f64) {
    assert!((0.0..=1.0).contains(&value), "{value} is no share");
}

fn is_positive(value: f64) {
    assert!(value >= 0.0, "{value} is no age");
}

fn made_seeds() -> Vec<Vec<u8>> {
    let usual = [4.0, 0.1, 0.5, 1.0, 2.0, 24.0, 168.0, 0.0];
    let odd = [1e60, 1e-60, 1e-300, 1e300, f64::MIN_POSITIVE, f64::MAX, 0.0, 1.0];
    let bad = [-1.0, f64::NAN, f64::INFINITY, 1.0, -0.0, 3.0, 1e-10, 1e10];
    [usual, odd, bad].map(|numbers| numbers.map(f64::to_le_bytes).concat()).to_vec()
}
