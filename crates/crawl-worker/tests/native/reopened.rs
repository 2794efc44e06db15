//! Commands come from the app and worlds from the world worker, in no order between the two.

use crate::lane::{Lane, assert_same_run, bounds_for, direct, world_for};
use crawl_protocol::Task;
use crawl_protocol::lane::Command;
use crawl_protocol::world::Handover;

#[test]
fn a_world_opened_again_ends_no_run_that_was_asked_for_with_it() {
    let run = direct("#v=1&world=campus(pages:300)&run=opic");
    let opened_as = |opened| {
        let (message, arrays) = world_for(&run);
        let Handover::World { digest, ranker, .. } = message else { panic!("{message:?}") };
        (Handover::World { opened, digest, ranker }, arrays)
    };
    let mut lane = Lane::new(&run, 4.0);
    lane.hand(world_for(&run));
    lane.finish();
    lane.host.sent.clear();
    // The same world is opened anew, and the run asked for is faster than the world.
    let (task, experiment) = (Task(7), Box::new(run.experiment.clone()));
    lane.tell(Command::Run { task, experiment, lane: 0, opened: Task(20) });
    lane.finish();
    assert!(lane.host.sent.is_empty(), "it waits for its own world");
    lane.hand(opened_as(Task(15)));
    lane.finish();
    assert!(lane.host.sent.is_empty(), "a world opened in between will not do");
    lane.hand(opened_as(Task(20)));
    lane.hand(bounds_for(&run));
    lane.finish();
    assert_same_run(&lane, &run, "opened again");
}
