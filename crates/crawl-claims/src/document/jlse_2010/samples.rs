//! Samples for comparisons: on generated webs one value per web, the mean over topics; on universities
//! one value per pair of topic and university.

use super::{Benefit, TOPICS, name, universities};
use crate::measurement::{Group, Measurement};

/// A set of crawls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Crawls of generated shops.
    Shops(Benefit),
    /// Crawls of real universities.
    Universities,
}

/// One value per web or pair; `None` if not measured.
pub(super) fn each(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<Option<f64>> {
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    sampled(
        group,
        place,
        &|measured, topic, at| measured.number(&name(what, spec, topic, at)),
        &mean,
    )
}

/// One curve per web or pair.
pub(super) fn curves(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<Vec<f64>> {
    let of = |measured: &Measurement, topic: &str, at: &str| {
        measured.values(&name(what, spec, topic, at)).map(<[f64]>::to_vec)
    };
    let mean = |curves: Vec<Vec<f64>>| {
        let n = curves.iter().map(Vec::len).min().unwrap_or(0);
        let at = |i: usize| curves.iter().map(|curve| curve[i]).sum::<f64>() / curves.len() as f64;
        (0..n).map(at).collect()
    };
    sampled(group, place, &of, &mean).into_iter().flatten().collect()
}

fn sampled<T>(
    group: &Group<'_>,
    place: Place,
    of: &dyn Fn(&Measurement, &str, &str) -> Option<T>,
    mean: &dyn Fn(Vec<T>) -> T,
) -> Vec<Option<T>> {
    let on = |web: &&Measurement| match place {
        Place::Shops(benefit) => {
            let each = TOPICS.iter().map(|topic| of(web, topic, benefit.word()));
            vec![each.collect::<Option<Vec<T>>>().map(mean)]
        }
        Place::Universities => {
            let pairs = universities::TOPICS
                .iter()
                .flat_map(|topic| universities::PLACES.iter().map(move |at| (topic, at)));
            pairs.map(|(topic, at)| of(web, topic, at)).collect()
        }
    };
    group.webs.iter().flat_map(on).collect()
}

/// The measured values.
pub(super) fn values(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<f64> {
    each(group, place, what, spec).into_iter().flatten().collect()
}

/// Differences between two strategies, where both were measured.
pub(super) fn leads(
    group: &Group<'_>,
    place: Place,
    what: &str,
    (one, other): (&str, &str),
) -> Vec<f64> {
    let [one, other] = [one, other].map(|spec| each(group, place, what, spec));
    one.into_iter().zip(other).filter_map(|(one, other)| Some(one? - other?)).collect()
}
