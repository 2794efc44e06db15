use super::*;
use libm::log;
use proptest::prelude::*;

type Texts = [Vec<String>; N_FIELDS];

fn texts(anchor: &str, url: &str, context: &str) -> Texts {
    [anchor, url, context].map(|text| text.split_whitespace().map(str::to_owned).collect())
}

fn link(texts: &Texts) -> LinkWords<'_, String> {
    LinkWords { anchor: &texts[0], url: &texts[1], context: &texts[2] }
}

fn index(vertices: &[Texts], settings: Settings) -> LinkIndex {
    let mut index = LinkIndex::new(settings).unwrap();
    for (number, texts) in vertices.iter().enumerate() {
        assert_eq!(index.add(&link(texts)), number as u32);
    }
    index
}

/// Reference implementation: eq. 5–8 word by word over every vertex.
fn plain_scan(vertices: &[Texts], u: &Texts, settings: &Settings) -> Vec<[f64; N_FIELDS + 1]> {
    let n = vertices.len() as f64;
    let mut scores = vec![[0.0; N_FIELDS + 1]; vertices.len()];
    for f in 0..N_FIELDS {
        let mut distinct: Vec<&String> = Vec::new();
        for word in &u[f] {
            if !distinct.contains(&word) {
                distinct.push(word);
            }
        }
        let total: usize = vertices.iter().map(|v| v[f].len()).sum();
        for word in distinct {
            let df = vertices.iter().filter(|v| v[f].contains(word)).count() as f64;
            let idf = log((n - df + 0.5) / (df + 0.5));
            for (v, score) in vertices.iter().zip(&mut scores) {
                let frequency = v[f].iter().filter(|w| *w == word).count() as f64;
                let relative = v[f].len() as f64 / (total as f64 / n);
                let below = settings.k1 * (settings.b * relative + 1.0 - settings.b) + frequency;
                if idf > 0.0 && frequency > 0.0 {
                    score[f] += idf * frequency * (settings.k1 + 1.0) / below;
                }
            }
        }
        let divisor = match settings.normalise {
            Normalise::L2 => sqrt(scores.iter().map(|s| s[f] * s[f]).sum()),
            Normalise::Max => scores.iter().map(|s| s[f]).fold(0.0, f64::max),
        };
        for score in &mut scores {
            score[N_FIELDS] +=
                if divisor > 0.0 { settings.weights[f] * score[f] / divisor } else { 0.0 };
        }
    }
    scores
}

#[test]
fn three_vertices_by_hand() {
    let vertices =
        [texts("nikon camera", "", ""), texts("phone", "", ""), texts("phone case phone", "", "")];
    let mut index = index(&vertices, Settings::default());
    // camera: N = 3, df = 1, idf = log(2.5 / 1.5); f = 1, l = 2 = l̄: 3 / (2 + 1) = 1.
    let found = index.best(&link(&texts("camera shop", "", ""))).unwrap();
    assert_eq!(found.vertex, 0);
    assert!((found.fields[0].bm25 - log(2.5 / 1.5)).abs() < 1e-15);
    // The only match: normalised to 1, weight 0.5.
    assert_eq!((found.fields[0].normalised, found.score), (1.0, 0.5));
    assert_eq!(found.fields[1], FieldScore { weight: 0.2, ..FieldScore::default() });
    // "phone" is in two of three vertices: its idf would be negative.
    assert_eq!(index.best(&link(&texts("phone", "", ""))), None);
    // case: l = 3, l̄ = 2: 3 / (2·(0.75·1.5 + 0.25) + 1) = 0.8.
    let found = index.best(&link(&texts("phone case", "", ""))).unwrap();
    assert_eq!(found.vertex, 2);
    assert!((found.fields[0].bm25 - 0.8 * log(2.5 / 1.5)).abs() < 1e-15);
}

#[test]
fn word_and_field_scores_add_up() {
    let vertices = [
        texts("canon eos camera", "shop canon eos", "buy the canon eos eos"),
        texts("nikon", "shop nikon", "buy a nikon"),
        texts("help", "shop help", "ask"),
        texts("imprint", "shop imprint", "law"),
        texts("jobs", "shop jobs", "work"),
    ];
    let mut index = index(&vertices, Settings::default());
    let asked = texts("canon eos eos canon lens", "shop eos lens", "eos lens");
    let found = index.best(&link(&asked)).unwrap();
    let words = index.words(&link(&asked), found.vertex);
    for (field, words) in found.fields.iter().zip(&words) {
        let sum: f64 = words.iter().map(|w| w.score).sum();
        assert!((sum - field.bm25).abs() < 1e-12);
        assert!((field.bm25 / field.divisor - field.normalised).abs() < 1e-12);
    }
    let sum: f64 = found.fields.iter().map(|f| f.weight * f.normalised).sum();
    assert!((sum - found.score).abs() < 1e-12);
    assert_eq!(words[0].iter().map(|w| w.word.as_str()).collect::<Vec<_>>(), ["canon", "eos"]);
    // "shop" is in every URL: listed with score 0.
    assert_eq!((words[1][0].word.as_str(), words[1][0].score), ("shop", 0.0));
    assert_eq!((words[2][0].frequency, index.lengths(0)[2]), (2, (5, 11.0 / 5.0)));
    assert!(index.words(&link(&asked), 99).iter().all(Vec::is_empty));
}

#[test]
fn ties_go_to_the_earlier_vertex() {
    let none = texts("", "", "");
    let mut empty = index(&[], Settings::default());
    assert_eq!(empty.best(&link(&texts("a", "b", "c"))), None);
    let twin = texts("red hat", "", "");
    let mut vertices = vec![none.clone(); 9];
    vertices.extend([twin.clone(), twin.clone()]);
    let mut index = index(&vertices, Settings::default());
    assert_eq!(index.best(&link(&twin)).map(|m| m.vertex), Some(9));
    assert_eq!(index.best(&link(&none)), None);
    assert_eq!(index.best(&link(&texts("blue", "", "hat"))), None);
    // A field of weight 0 matches nothing.
    let settings = Settings { weights: [0.0, 0.5, 0.5], ..Settings::default() };
    let mut unweighted = LinkIndex::new(settings).unwrap();
    vertices.iter().for_each(|v| {
        unweighted.add(&link(v));
    });
    assert_eq!(unweighted.best(&link(&twin)), None);
}

#[test]
fn bad_settings_are_refused() {
    let with = |settings| LinkIndex::new(settings).err();
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let usual = Settings::default();
        assert_eq!(with(Settings { k1: bad, ..usual }), Some(SettingError::K1));
        assert_eq!(with(Settings { b: bad, ..usual }), Some(SettingError::B));
        let weights = [0.5, bad, 0.5];
        assert_eq!(with(Settings { weights, ..usual }), Some(SettingError::Weight));
    }
}

proptest! {
    #[test]
    fn the_index_agrees_with_a_plain_scan_in_any_order(
        vertices in proptest::collection::vec(["[a-f ]{0,8}", "[a-c ]{0,6}", "[a-k ]{0,24}"], 1..20),
        asked in proptest::collection::vec(["[a-g ]{0,8}", "[a-d ]{0,6}", "[a-l ]{0,24}"], 1..4),
        k1 in prop_oneof![Just(0.0), 0.0_f64..4.0],
        b in 0.0_f64..=1.0,
        normalise in prop_oneof![Just(Normalise::L2), Just(Normalise::Max)],
        common_above in prop_oneof![Just(0.0), Just(0.5), Just(1.0), Just(1.5), Just(2.0)],
    ) {
        let settings = Settings { k1, b, normalise, ..Settings::default() };
        let spaced = |t: &String| t.chars().flat_map(|c| [c, ' ']).collect::<String>();
        let read = |t: &[String; 3]| texts(&spaced(&t[0]), &spaced(&t[1]), &spaced(&t[2]));
        let vertices: Vec<Texts> = vertices.iter().map(read).collect();
        let asked: Vec<Texts> = asked.iter().map(read).collect();
        let mut index = LinkIndex::new(settings).unwrap();
        index.common_above = common_above;
        for n in 1..=vertices.len() {
            index.add(&link(&vertices[n - 1]));
            for u in &asked {
                let expected = plain_scan(&vertices[..n], u, &settings);
                let most = expected.iter().map(|s| s[N_FIELDS]).fold(0.0, f64::max);
                let Some(found) = index.best(&link(u)) else {
                    prop_assert_eq!(most, 0.0);
                    continue;
                };
                let of_it = expected[found.vertex as usize];
                prop_assert!((found.score - most).abs() < 1e-12);
                prop_assert!((found.score - of_it[N_FIELDS]).abs() < 1e-12);
                for (field, expected) in found.fields.iter().zip(of_it) {
                    prop_assert!((field.bm25 - expected).abs() < 1e-12);
                }
                // Another order of summation may break ties differently.
                let first = expected.iter().position(|s| s[N_FIELDS] > most - 1e-12);
                prop_assert!(first <= Some(found.vertex as usize));
            }
        }
    }
}

#[test]
fn words_as_of_gives_the_scores_of_the_smaller_index() {
    let vertices = [
        texts("show all", "shop items", "show all offers"),
        texts("next", "shop items page", "previous next"),
        texts("norvik", "shop brand", "norvik talmar okeda"),
        texts("next next", "shop page", "next"),
        texts("all", "shop all", "all of them all"),
    ];
    let asked = texts("next all", "shop page", "next offers all");
    let grown = index(&vertices, Settings::default());
    for n in 1..=vertices.len() {
        let then = index(&vertices[..n], Settings::default());
        for vertex in 0..n as u32 {
            let words = grown.words_as_of(&link(&asked), vertex, n as u32);
            assert_eq!(words, then.words(&link(&asked), vertex), "{vertex} of {n}");
        }
    }
}
