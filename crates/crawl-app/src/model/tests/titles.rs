//! Names of lanes.

use super::*;

fn titles(run: &str) -> Vec<String> {
    let (state, _) = opened(&format!("#v=1&world=campus&run={run}"));
    (0..state.lanes.len()).map(|at| state.lane_title(at)).collect()
}

#[test]
fn lanes_that_run_the_same_are_numbered() {
    let same = titles("opic,breadth-first,opic,opic");
    assert_eq!(same, ["opic, lane 1", "breadth-first", "opic, lane 3", "opic, lane 4"]);
    assert_eq!(titles("opic,breadth-first"), ["opic", "breadth-first"]);
}
