use super::*;
use libm::pow;
use proptest::prelude::*;

fn graph(n_vertices: u32, edges: &[(u32, u32)], results: &[u32]) -> LinkGraph {
    let mut graph = LinkGraph::new();
    for _ in 0..n_vertices {
        graph.add_vertex().unwrap();
    }
    for &(from, to) in edges {
        graph.add_edge(VertexId(from), VertexId(to)).unwrap();
    }
    for &result in results {
        graph.mark_result(VertexId(result)).unwrap();
    }
    graph
}

/// Example 1 of Zhang et al. 2010; its vertex 1 is 0 here. The figure is lost, the edges are ours.
const FIGURE_2: [(u32, u32); 11] = [
    (0, 1), // 1→2
    (0, 3), // 1→4
    (0, 6), // 1→7
    (1, 2), // 2→3
    (1, 5), // 2→6
    (3, 4), // 4→5
    (4, 5), // 5→6
    (6, 4), // 7→5
    (6, 7), // 7→8
    (7, 8), // 8→9
    (8, 9), // 9→10
];

fn figure_2() -> LinkGraph {
    graph(10, &FIGURE_2, &[2, 5, 9])
}

fn example(leaf: Leaf) -> Settings {
    Settings { reward: 100.0, discount: 0.9, max_sweeps: 50, leaf }
}

#[test]
fn jlse_figure_2_sweep_by_sweep() {
    let graph = figure_2();
    let learned = graph.learn(&example(Leaf::Zero)).unwrap();
    //     1→2   1→4   1→7   2→3    2→6    4→5   5→6    7→5   7→8   8→9   9→10
    let edges = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 100.0, 100.0, 0.0, 100.0, 0.0, 0.0, 0.0, 100.0],
        [90.0, 0.0, 0.0, 100.0, 100.0, 90.0, 100.0, 90.0, 0.0, 90.0, 100.0],
        [90.0, 81.0, 81.0, 100.0, 100.0, 90.0, 100.0, 90.0, 81.0, 90.0, 100.0],
        [90.0, 81.0, 81.0, 100.0, 100.0, 90.0, 100.0, 90.0, 81.0, 90.0, 100.0],
    ];
    //     1     2      3    4     5      6    7     8     9      10
    let vertices = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 100.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 100.0, 0.0],
        [90.0, 100.0, 0.0, 90.0, 100.0, 0.0, 90.0, 90.0, 100.0, 0.0],
        [90.0, 100.0, 0.0, 90.0, 100.0, 0.0, 90.0, 90.0, 100.0, 0.0],
        [90.0, 100.0, 0.0, 90.0, 100.0, 0.0, 90.0, 90.0, 100.0, 0.0],
    ];
    // End vertex of the picked edge.
    let picked = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 3, 0, 0, 6, 0, 0, 0, 10, 0],
        [2, 3, 0, 5, 6, 0, 5, 9, 10, 0],
        [2, 3, 0, 5, 6, 0, 5, 9, 10, 0],
        [2, 3, 0, 5, 6, 0, 5, 9, 10, 0],
    ];
    assert_eq!(learned.n_sweeps, 4);
    assert!(learned.settled);
    for n in 0..=4 {
        let values = learned.after(&graph, n);
        assert_eq!(values.edges, edges[n], "edges after {n}");
        assert_eq!(values.vertices, vertices[n], "vertices after {n}");
        let target = |e: &Option<EdgeId>| e.map_or(0, |e| FIGURE_2[e.index()].1 + 1);
        assert_eq!(values.picked.iter().map(target).collect::<Vec<_>>(), picked[n], "{n}");
    }
    assert_eq!(learned.vertices, vertices[4]);
    assert_eq!(learned.after(&graph, 99), learned.after(&graph, 4));
    let changed = |n: usize| {
        let sweep = learned.sweep(&graph, n);
        (sweep.edges.len(), sweep.vertices.len())
    };
    assert_eq!([0, 1, 2, 3, 4, 5].map(changed), [(0, 0), (4, 3), (4, 4), (3, 0), (0, 0), (0, 0)]);
    let update = |v, picked| {
        let (vertex, picked) = (VertexId(v), EdgeId(picked));
        VertexUpdate { vertex, before: 0.0, after: 90.0, picked }
    };
    let second = learned.sweep(&graph, 2).vertices;
    assert_eq!(second, [update(0, 0), update(3, 5), update(6, 7), update(7, 9)]);
}

#[test]
fn leaf_rewards_change_no_other_value() {
    let graph = figure_2();
    let zero = graph.learn(&example(Leaf::Zero)).unwrap();
    let reward = graph.learn(&example(Leaf::Reward)).unwrap();
    for n in 0..=4 {
        assert_eq!(zero.sweep(&graph, n), reward.sweep(&graph, n));
        let mut expected = zero.after(&graph, n);
        for leaf in [2, 5, 9] {
            assert_eq!(expected.vertices[leaf], 0.0);
            expected.vertices[leaf] = 100.0;
        }
        assert_eq!(reward.after(&graph, n), expected);
    }
}

#[test]
fn sweeps_are_bounded() {
    let graph = figure_2();
    let learn = |max_sweeps| graph.learn(&Settings { max_sweeps, ..example(Leaf::Zero) });
    let all = learn(50).unwrap();
    for k in 0..=4 {
        let learned = learn(k).unwrap();
        assert_eq!((learned.n_sweeps, learned.settled), (k, k == 4));
        assert_eq!(learned.after(&graph, 50), all.after(&graph, k));
        assert_eq!(learned.vertices, all.after(&graph, k).vertices);
    }
}

#[test]
fn self_loops_cycles_and_long_paths_are_handled() {
    let settings = Settings::default();
    let empty = LinkGraph::new().learn(&settings).unwrap();
    assert!(empty.settled && empty.vertices.is_empty());
    // The links of a result page are ignored, even those to another result page.
    let chain = graph(3, &[(0, 1), (1, 2)], &[1, 2]);
    let values = chain.learn(&settings).unwrap().after(&chain, 9);
    assert_eq!(values.edges, [1.0, 0.0]);
    assert_eq!(values.picked, [Some(EdgeId(0)), None, None]);
    // A self-loop, a double edge, and a cycle that never reaches a target.
    let circle = graph(5, &[(0, 0), (0, 1), (0, 1), (2, 3), (3, 2)], &[1]);
    let values = circle.learn(&settings).unwrap().after(&circle, 9);
    assert_eq!(values.vertices, [1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(values.edges, [0.9, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(values.picked[0], Some(EdgeId(1)));
    // A path so long that γ^d underflows to 0.
    let path: Vec<(u32, u32)> = (0..20_000).map(|v| (v + 1, v)).collect();
    let path = graph(20_001, &path, &[0]);
    for discount in [0.1, 0.9, 1.0] {
        let settings = Settings { max_sweeps: 30_000, discount, ..settings };
        let long = path.learn(&settings).unwrap();
        assert!(long.settled && long.vertices.iter().all(|q| (0.0..=1.0).contains(q)));
    }
}

#[test]
fn learned_values_stay_valid_when_the_graph_grows() {
    let mut graph = figure_2();
    let learned = graph.learn(&example(Leaf::Reward)).unwrap();
    let before: Vec<QValues> = (0..5).map(|n| learned.after(&graph, n)).collect();
    let new = graph.add_vertex().unwrap();
    graph.mark_result(new).unwrap();
    graph.add_edge(VertexId(0), new).unwrap();
    let seen: Vec<QValues> = (0..5).map(|n| learned.after(&graph, n)).collect();
    assert_eq!(seen, before);
    let again = graph.learn(&example(Leaf::Reward)).unwrap();
    assert_eq!((again.vertices[0], again.vertices.len()), (100.0, 11));
}

#[test]
fn unknown_vertices_and_bad_settings_are_errors() {
    let mut g = graph(2, &[], &[]);
    let beyond = GraphError::NoSuchVertex(2, 2);
    assert_eq!(g.add_edge(VertexId(0), VertexId(2)), Err(beyond));
    assert_eq!(g.add_edge(VertexId(2), VertexId(0)), Err(beyond));
    assert_eq!(g.mark_result(VertexId(2)), Err(beyond));
    assert_eq!((g.ends(EdgeId(0)), g.is_result(VertexId(7))), (None, false));
    for reward in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let settings = Settings { reward, ..Settings::default() };
        assert_eq!(g.learn(&settings), Err(SettingError::Reward));
    }
    for discount in [-0.1, 1.1, f64::NAN] {
        let settings = Settings { discount, ..Settings::default() };
        assert_eq!(g.learn(&settings), Err(SettingError::Discount));
    }
}

/// Reference implementation: Algorithm 3, every edge in every sweep.
fn plain_sweep(graph: &LinkGraph, before: &QValues, settings: &Settings) -> QValues {
    let ends: Vec<(VertexId, VertexId)> = graph.edges().collect();
    let best = |v: VertexId, edges: &[f64]| {
        let row = ends.iter().enumerate().filter(|(_, (u, _))| *u == v && !graph.is_result(v));
        row.fold((0.0, None), |best, (e, _)| {
            if edges[e] > best.0 { (edges[e], Some(EdgeId(e as u32))) } else { best }
        })
    };
    let value = |&(u, v): &(VertexId, VertexId)| {
        let reward = if graph.is_result(v) { settings.reward } else { 0.0 };
        let next = settings.discount * best(v, &before.edges).0;
        if graph.is_result(u) { 0.0 } else { reward + next }
    };
    let edges: Vec<f64> = ends.iter().map(value).collect();
    let kept_or_better = |v: usize| {
        let new = best(VertexId(v as u32), &edges);
        if new.0 > before.vertices[v] { new } else { (before.vertices[v], before.picked[v]) }
    };
    let (vertices, picked) = (0..graph.n_vertices()).map(kept_or_better).unzip();
    QValues { edges, vertices, picked }
}

/// Minimum number of clicks from each vertex to a result page.
fn clicks(graph: &LinkGraph) -> Vec<Option<i32>> {
    let result = |v: usize| graph.is_result(VertexId(v as u32));
    let mut clicks: Vec<Option<i32>> =
        (0..graph.n_vertices()).map(|v| result(v).then_some(0)).collect();
    for d in 1.. {
        let reached: Vec<usize> = graph
            .edges()
            .filter(|(_, v)| clicks[v.index()] == Some(d - 1))
            .map(|(u, _)| u.index())
            .filter(|&u| clicks[u].is_none())
            .collect();
        if reached.is_empty() {
            break;
        }
        reached.into_iter().for_each(|u| clicks[u] = Some(d));
    }
    clicks
}

proptest! {
    #[test]
    fn any_graph_is_learned_as_by_plain_sweeps_and_as_the_closed_form_says(
        n in 1_u32..14,
        edges in proptest::collection::vec((0_u32..14, 0_u32..14), 0..50),
        results in proptest::collection::vec(0_u32..14, 0..3),
        discount in prop_oneof![Just(0.0), Just(1.0), Just(0.5), 0.0_f64..1.0],
        reward in 0.1_f64..200.0,
    ) {
        let edges: Vec<(u32, u32)> = edges.iter().map(|(u, v)| (u % n, v % n)).collect();
        let results: Vec<u32> = results.iter().map(|r| r % n).collect();
        let graph = graph(n, &edges, &results);
        let settings = Settings { reward, discount, max_sweeps: 100, leaf: Leaf::Zero };
        let learned = graph.learn(&settings).unwrap();
        prop_assert!(learned.settled);

        let mut values = learned.after(&graph, 0);
        let mut stepped = values.clone();
        for sweep in 1..=learned.n_sweeps {
            let next = plain_sweep(&graph, &values, &settings);
            prop_assert_eq!(&learned.after(&graph, sweep), &next, "sweep {}", sweep);
            stepped.apply(&learned.sweep(&graph, sweep));
            prop_assert_eq!(&stepped, &next, "sweep {}", sweep);
            let changed = next.edges != values.edges;
            prop_assert_eq!(changed, sweep < learned.n_sweeps, "sweep {}", sweep);
            values = next;
        }
        prop_assert_eq!(&learned.vertices, &values.vertices);
        for (v, d) in clicks(&graph).into_iter().enumerate() {
            let expected = match d {
                None | Some(0) => 0.0,
                Some(d) => reward * pow(discount, f64::from(d - 1)),
            };
            prop_assert!((values.vertices[v] - expected).abs() <= 1e-12 * expected);
        }
    }
}
