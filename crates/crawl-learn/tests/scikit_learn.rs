//! Compares the classifiers with scikit-learn 1.9.1 on fixed data.
//!
//! `python crates/crawl-learn/tests/scikit_learn.py` printed the expected numbers; it reads the
//! same files.

use crawl_learn::bayes::{Basis, NaiveBayes};
use crawl_learn::svm::{Settings, Svm};

/// The rows of a table for one use ("train" or "test"), with their class.
fn rows(table: &'static str, wanted: &str) -> Vec<(usize, Vec<&'static str>)> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let of_use = cells.next() == Some(wanted);
        of_use.then(|| (cells.next().unwrap().parse().unwrap(), cells.collect()))
    };
    table.lines().filter_map(row).collect()
}

#[test]
fn naive_bayes_is_multinomial_nb() {
    let expected = [
        [0.9340206097222699, 0.06585011852737127, 0.00012927175035692528],
        [0.05987567564079208, 0.9380390714307264, 0.002085252928482501],
        [0.024907570162708042, 0.11122168362269089, 0.8638707462146037],
        [0.9936794130330948, 0.004744736828095534, 0.0015758501388075227],
        [0.052687006641163034, 0.9470377587154291, 0.00027523464340654496],
        [0.0010069321235733702, 0.006083406468371105, 0.9929096614080544],
        [0.25133587015382247, 0.7180180856268408, 0.030646044219335214],
        [0.002638521908980567, 0.3734159332978343, 0.6239455447931825],
        [0.00034941157679878836, 0.004296352464500656, 0.9953542359586992],
        [0.24999999999999994, 0.24999999999999994, 0.5],
    ];
    let table = include_str!("data/topics.tsv");
    let mut bayes = NaiveBayes::new(3);
    for (class, cells) in rows(table, "train") {
        bayes.learn(class, cells[0].split(' ')).unwrap();
    }
    let judged = rows(table, "test");
    assert_eq!(judged.len(), expected.len());
    for ((_, cells), expected) in judged.iter().zip(expected) {
        let posterior = bayes.classify(cells[0].split(' '));
        for (p, expected) in posterior.probabilities.iter().zip(expected) {
            assert!((p - expected).abs() < 1e-12, "{}: {posterior:?}", cells[0]);
        }
    }
    assert_eq!(bayes.classify(["unheard", "of"]).basis, Basis::PriorsOnly);
}

/// Tolerance 1e-6: scikit-learn's solver stores its kernel matrix in 32-bit floats.
#[test]
fn decisions_are_those_of_svc() {
    let first = (
        Settings { c: 1.0, gamma: 1.0 / 3.0, tolerance: 1e-12 },
        27,
        -0.026078044183763163,
        [
            -0.35842705096125965,
            1.5910022749598742,
            -0.6926164571144535,
            1.0573274610723045,
            -1.2915513147110154,
            0.968859227633671,
            1.116776296470217,
            0.9499465714856823,
            -1.032140870192635,
            1.5125409838664026,
            -1.0611812171029191,
            0.8650392363424022,
        ],
    );
    let second = (
        Settings { c: 10.0, gamma: 2.0, tolerance: 1e-12 },
        47,
        -0.0760260909325925,
        [
            -0.651524095892308,
            0.962473278418135,
            -0.5799072849429707,
            -0.12700420505504523,
            -0.7405422798722343,
            0.4125953085266941,
            0.89046529831083,
            1.0218260672942119,
            -0.27986136270854245,
            1.1255175531269346,
            -0.9713476897847926,
            0.21014644344920005,
        ],
    );
    let table = include_str!("data/pages.tsv");
    let points = |wanted: &str| -> Vec<([f64; 3], bool)> {
        let point = |(class, cells): (usize, Vec<&str>)| {
            (std::array::from_fn(|f| cells[f].parse().unwrap()), class == 1)
        };
        rows(table, wanted).into_iter().map(point).collect()
    };
    let (training, judged) = (points("train"), points("test"));
    for (settings, n_support, rho, decisions) in [first, second] {
        let machine = Svm::train(&training, &settings).unwrap();
        assert_eq!(machine.n_support(), n_support);
        assert!((machine.rho() - rho).abs() < 1e-6, "{}", machine.rho());
        assert_eq!(judged.len(), decisions.len());
        for ((x, _), expected) in judged.iter().zip(decisions) {
            let decision = machine.decision(x);
            assert!((decision - expected).abs() < 1e-6, "{decision} for {expected}");
        }
    }
    // With the crawler's defaults, as close as their tolerance allows.
    let machine = Svm::train(&training, &Settings::for_features(3)).unwrap();
    for ((x, _), expected) in judged.iter().zip(first.3) {
        assert!((machine.decision(x) - expected).abs() < 5e-3);
    }
}
