//! Claims of Zhang et al. 2010 about JLSE, tested on shops.
//!
//! Claim: pages behind links that do not name the topic are found sooner than by anchor text. Where
//! links name the topic, the gain vanishes.
//!
//! Fixed worlds, three topics each. The measure is the area under the target recall: the mean over
//! all N of |targets among the result pages of the first N| ÷ |targets|. Both strategies reach the
//! same pages in the focused loop, so only the order counts.
#![cfg(not(target_arch = "wasm32"))]

use crawl_protocol::Experiment;
use crawl_run::Run;
use std::ops::ControlFlow;
use std::sync::Arc;

const WEBS: u32 = 20;
const TOPICS: [&str; 3] = ["phones", "cameras", "laptops"];
/// Classes are small, so learn often.
const ORDERINGS: &str = "anchor-text,jlse(cf:10)";

/// Areas of both strategies on a world, averaged over the topics.
fn areas(world: &str, rng: u32) -> [f64; 2] {
    let catalogue = crawl_run::catalogue();
    let link = |topic: &str| {
        format!(
            "#v=1&world={world},rng:{rng})&topic=label(of:{topic})&run={ORDERINGS}&focus=topical"
        )
    };
    let read = |topic| Experiment::from_link(&link(topic), &catalogue).expect("a good link");
    let web = Arc::new(Run::make_world(&read(TOPICS[0]).world).expect("a world"));
    let mut means = [0.0; 2];
    for topic in TOPICS {
        let mut run = Run::new(read(topic), web.clone(), &catalogue).expect("an experiment");
        let truth = run.topic.as_ref().and_then(|s| s.truth.clone()).expect("labels");
        let n_targets = truth.is_target.iter().filter(|is_target| **is_target).count() as f64;
        for (at, mean) in means.iter_mut().enumerate() {
            let (lane, setting) = run.lane(at).expect("a lane");
            let _ = lane.finish(&setting, &mut |_| ControlFlow::Continue(()));
            let book = run.lanes[at].travel().now().session().book();
            let (mut found, mut area) = (0.0, 0.0);
            for url in book.order() {
                let is_result = book.judgement(*url).is_some_and(|judgement| judgement.is_result);
                let is_target = truth.is_target[book.page(*url).index()];
                found += f64::from(u8::from(is_target && is_result));
                area += found / n_targets;
            }
            *mean += area / book.order().len() as f64 / TOPICS.len() as f64;
        }
    }
    means
}

/// Mean gain of JLSE over anchor text.
#[derive(Debug)]
struct Gain {
    mean: f64,
    /// Standard error of the paired gain.
    of_pairs: f64,
    /// Standard error of the difference of means, as if the worlds were independent.
    of_means: f64,
}

fn gain(world: &str) -> Gain {
    let all: Vec<[f64; 2]> = (1..=WEBS).map(|rng| areas(world, rng)).collect();
    let n = f64::from(WEBS);
    let moments = |value: &dyn Fn(&[f64; 2]) -> f64| {
        let mean = all.iter().map(value).sum::<f64>() / n;
        let squares: f64 = all.iter().map(|a| (value(a) - mean) * (value(a) - mean)).sum();
        (mean, squares / (n - 1.0) / n)
    };
    let (mean, of_pairs) = moments(&|areas| areas[1] - areas[0]);
    let [(_, of_anchors), (_, of_jlse)] = [moments(&|areas| areas[0]), moments(&|areas| areas[1])];
    Gain { mean, of_pairs: of_pairs.sqrt(), of_means: (of_anchors + of_jlse).sqrt() }
}

/// On unmodified shops the gain is significant but small.
///
/// Departments sell several kinds of goods and are dropped, so of cameras and laptops only those on
/// home pages are reachable, and nothing is learned from them.
#[test]
fn on_shops_jlse_gains_by_delayed_benefit() {
    let delayed = gain("shop(benefit:delayed");
    assert!(delayed.mean > 4.0 * delayed.of_pairs, "{delayed:?}");
    let control = gain("shop(benefit:direct");
    assert!(control.mean.abs() < 2.0 * control.of_pairs, "{control:?}");
}

/// If home pages link to all categories, the gain is large by either error.
///
/// In the control a tenth of the items stay unnamed, so a tenth of the gain may remain.
#[test]
fn where_all_goods_are_reached_jlse_gains_much_by_delayed_benefit() {
    let delayed = gain("shop(home:categories");
    assert!(delayed.mean > 4.0 * delayed.of_pairs.max(delayed.of_means), "{delayed:?}");
    let control = gain("shop(home:categories,benefit:direct");
    assert!(control.mean.abs() < control.of_means, "{control:?}");
    assert!(control.mean.abs() < 0.1 * delayed.mean, "{control:?} in the control of {delayed:?}");
}
