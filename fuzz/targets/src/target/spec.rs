//! The spec grammar, and the catalogue that checks specs.

use super::{Target, no_made_seeds};
use crate::check::{catalogue, check_line};
use crawl_catalogue::{Kind, Spec, Value, split_outside};

pub(super) const TARGET: Target = Target {
    name: "spec",
    note: "an error with its place, or a spec that prints and reads the same, whatever it names",
    run,
    made_seeds: no_made_seeds,
    n_mutations: 15_000,
};

const KINDS: [Kind; 6] =
    [Kind::World, Kind::Strategy, Kind::Ranker, Kind::Policy, Kind::Metric, Kind::Topic];

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for separator in [',', '&', 'é'] {
        let parts = split_outside(text, separator);
        assert_eq!(parts.join(&separator.to_string()), text, "a part was lost");
    }
    if let Ok(values) = Spec::parse_list(text) {
        let printed: Vec<String> = values.iter().map(Value::to_string).collect();
        assert_eq!(Spec::parse_list(&printed.join(",")), Ok(values));
    }
    let spec = match Spec::parse_query(text) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(error.message.len() < 200 && error.input.chars().count() < 200);
            return check_line(&error.to_string());
        }
    };
    assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
    for kind in KINDS {
        match catalogue().resolve(kind, &spec) {
            Ok(chosen) => {
                assert_eq!(catalogue().choose(kind, &chosen.to_string()).as_ref(), Ok(&chosen));
                assert_eq!(catalogue().check(&chosen), Ok(()));
            }
            Err(error) => check_line(&error.to_string()),
        }
    }
}
