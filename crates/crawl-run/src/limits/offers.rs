//! Values with which a run fits: for each parameter the one nearest to what was asked for.

use super::{Offer, OfferOf};
use crawl_catalogue::{Catalogue, Chosen, Param, ParamKind, ParamValue, Params};
use crawl_protocol::Experiment;

/// The rules that a person would change, most likely first.
const OFFERED: [&str; 3] = ["hours", "visits", "budget"];
/// Most offers.
const MOST: usize = 3;
/// Halvings until a value is found: more than a double has digits.
const HALVINGS: u32 = 60;

/// Rules and parameters of orderings with which an experiment fits.
pub(super) fn of_experiment(
    experiment: &Experiment,
    catalogue: &Catalogue,
    fits: &dyn Fn(&Experiment) -> bool,
) -> Vec<Offer> {
    let mut offers = Vec::new();
    for chosen in &experiment.strategies {
        let fits = |other: &Chosen| {
            let mut experiment = experiment.clone();
            let same = experiment.strategies.iter_mut().filter(|each| *each == chosen);
            same.for_each(|each| *each = other.clone());
            fits(&experiment)
        };
        for offer in of_entry(chosen, catalogue, &fits) {
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        }
    }
    for key in OFFERED {
        let Some(rule) = catalogue.rules.iter().find(|rule| rule.key == key) else { continue };
        let mut experiment = experiment.clone();
        let Some(given) = number(&experiment.rules, key) else { continue };
        let value = nearest(rule, given, &mut |value| {
            experiment.rules.set_number(key, value) && fits(&experiment)
        });
        offers.extend(value.map(|value| Offer { of: OfferOf::Rule, key: key.to_owned(), value }));
    }
    offers.truncate(MOST);
    offers
}

/// Parameters of an entry with which it fits.
pub(super) fn of_entry(
    chosen: &Chosen,
    catalogue: &Catalogue,
    fits: &dyn Fn(&Chosen) -> bool,
) -> Vec<Offer> {
    let entry = catalogue.entry(chosen.kind, &chosen.id);
    entry.map(|entry| of_params(chosen, &entry.params, fits)).unwrap_or_default()
}

/// The same of an entry with these parameters.
pub(super) fn of_params(
    chosen: &Chosen,
    params: &[Param],
    fits: &dyn Fn(&Chosen) -> bool,
) -> Vec<Offer> {
    let offer = |param: &Param| {
        let mut other = chosen.clone();
        let given = number(&chosen.params, &param.key)?;
        let value = nearest(param, given, &mut |value| {
            other.params.set_number(&param.key, value) && fits(&other)
        })?;
        let of = OfferOf::Entry(chosen.id.clone());
        Some(Offer { of, key: param.key.to_string(), value })
    };
    params.iter().filter_map(offer).collect()
}

fn number(params: &Params, key: &str) -> Option<f64> {
    match params.get(key) {
        Some(ParamValue::Number(value)) => Some(*value),
        _ => None,
    }
}

/// The value of a parameter nearest to the one given with which it fits, to two digits.
fn nearest(param: &Param, given: f64, fits: &mut dyn FnMut(f64) -> bool) -> Option<f64> {
    let ParamKind::Number { min, max, integer, .. } = param.kind else { return None };
    // Of a limit, 0 stands for none.
    let least = if min == 0.0 { 1.0 } else { min };
    let end = [min, least, max].into_iter().find(|end| *end != given && fits(*end))?;
    let (mut inside, mut outside) = (end, if given == 0.0 { max } else { given });
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        *(if fits(middle) { &mut inside } else { &mut outside }) = middle;
    }
    let value = two_digits(inside, outside < inside);
    let value = match (integer, outside < inside) {
        (true, true) => value.ceil(),
        (true, false) => value.floor(),
        (false, _) => value,
    };
    (value > 0.0 && value >= min && value <= max && fits(value)).then_some(value)
}

/// A positive number to two digits, not below it or not above it.
fn two_digits(value: f64, up: bool) -> f64 {
    let (mut digits, mut power) = (value, 0);
    while digits >= 100.0 {
        (digits, power) = (digits / 10.0, power + 1);
    }
    while digits > 0.0 && digits < 10.0 {
        (digits, power) = (digits * 10.0, power - 1);
    }
    let digits = if up { digits.ceil() } else { digits.floor() };
    // Read as a decimal, so that 0.3 is not 0.30000000000000004.
    format!("{digits}e{power}").parse().unwrap_or(value)
}
