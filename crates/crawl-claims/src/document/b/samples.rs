//! What was measured, by what is compared: on generated webs the mean over topics, a number a web;
//! on universities a number for each pair of topic and university.

use super::{Benefit, TOPICS, name, universities};
use crate::tried::{Group, Tried};

/// Which crawls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Those of generated webs.
    Shops(Benefit),
    /// Those of real pages.
    Universities,
}

/// A number of each web, or of each pair; nothing where it was not measured.
pub(super) fn each(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<Option<f64>> {
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    sampled(group, place, &|tried, topic, at| tried.number(&name(what, spec, topic, at)), &mean)
}

/// The same of curves.
pub(super) fn curves(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<Vec<f64>> {
    let of = |tried: &Tried, topic: &str, at: &str| {
        tried.values(&name(what, spec, topic, at)).map(<[f64]>::to_vec)
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
    of: &dyn Fn(&Tried, &str, &str) -> Option<T>,
    mean: &dyn Fn(Vec<T>) -> T,
) -> Vec<Option<T>> {
    let on = |web: &&Tried| match place {
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

/// The numbers there are.
pub(super) fn values(group: &Group<'_>, place: Place, what: &str, spec: &str) -> Vec<f64> {
    each(group, place, what, spec).into_iter().flatten().collect()
}

/// How much larger a number is with one ordering than with another, wherever both were measured.
pub(super) fn leads(
    group: &Group<'_>,
    place: Place,
    what: &str,
    (one, other): (&str, &str),
) -> Vec<f64> {
    let [one, other] = [one, other].map(|spec| each(group, place, what, spec));
    one.into_iter().zip(other).filter_map(|(one, other)| Some(one? - other?)).collect()
}
