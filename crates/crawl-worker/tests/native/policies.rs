//! Every lane has its own policy, and every visit its reasons.

use crate::lane::{Lane, check, steps, world_for};
use crate::timeline::{TABLE, all_marks, finished, whole};
use crawl_core::VisitKind;
use crawl_protocol::lane::{Answer, Oracle};
use std::collections::BTreeSet;

#[test]
fn every_lane_follows_its_own_policy() {
    let run = whole(
        "#v=1&world=refresh-table-1&run=breadth-first,breadth-first,opic\
         &revisit=uniform,optimal(knows:rates),never&visits=9&hours=30",
    );
    let mut digests = BTreeSet::new();
    for at in 0..3 {
        let mut lane = Lane::nth(&run, at, 1.0);
        lane.hand(world_for(&run));
        lane.finish();
        let expected = run.lanes[at as usize].travel();
        let pages: Vec<u32> = expected.trace().pages.iter().map(|page| page.0).collect();
        assert_eq!(steps(&lane.host).pages, pages, "lane {at}");
        let told = lane.host.sent.iter().find_map(|(answer, _)| match answer {
            Answer::Finished { digest, oracle, .. } => Some((digest.clone(), *oracle)),
            _ => None,
        });
        let digest = expected.now().session().digest(&*run.world).to_string();
        assert_eq!(
            told,
            Some((digest.clone(), Oracle { ordering: false, policy: at == 1 })),
            "lane {at}"
        );
        digests.insert(digest);
        // What it tells of its visits is of its own run.
        let told = all_marks(&mut lane, &run, 0.0, 30.0);
        let n_visits: u32 = told.pages.iter().map(|page| page.n_visits).sum();
        assert_eq!(n_visits as usize, pages.len(), "lane {at}");
    }
    assert_eq!(digests.len(), 3);
}

#[test]
fn reasons_of_a_visit_add_up_to_due() {
    for policy in
        ["uniform", "proportional", "classified", "adaptive", "optimal", "optimal(knows:rates)"]
    {
        let run = whole(&format!("{}&hours=100", TABLE.replace("uniform", policy)));
        let trace = run.lanes[0].travel().trace();
        let mut lane = finished(&run);
        let again = (0..trace.pages.len()).filter(|at| trace.visits[*at] != VisitKind::First);
        let again: Vec<usize> = again.step_by(17).collect();
        assert!(again.len() > 5, "{policy}: {}", again.len());
        for at in again {
            let reasons = lane.reasons(at as u32, trace.pages[at].0);
            let why = reasons.why.unwrap();
            check(&why);
            assert!(!why.parts.is_empty(), "{policy} at {at}: {why:?}");
            assert!((0.999..1.2).contains(&why.value), "{policy} at {at}: {}", why.value);
        }
    }
}
