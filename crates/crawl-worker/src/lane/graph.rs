//! The Web link graph as it was learnt last, laid out in layers from the seeds.
//!
//! A layer is the fewest clicks from a seed within the graph. Within a layer vertices stand where
//! their neighbours in the layer before stand on average (and then those after), which leaves few
//! crossings; a few rounds are enough. A graph of more than [`MOST`] vertices is cut down to best
//! paths: from result pages back to the seeds by the pages they were found on, and from every vertex
//! on the way along the links it picked to a result page.

use super::running::Running;
use crawl_core::UrlId;
use crawl_core::strategy::{Learnt, LinkVertex};
use crawl_protocol::Task;
use crawl_protocol::lane::{Edge, Graph, Vertex};
use std::collections::VecDeque;

/// Most vertices that are shown all.
const MOST: usize = 150;
/// Vertices at which best paths come to an end.
const ENOUGH: usize = 60;
/// Rounds of straightening.
const ROUNDS: usize = 8;
/// Most characters of what stands around a link.
const CONTEXT: usize = 240;
/// Most characters of a link's text.
const ANCHOR: usize = 120;

/// A graph by numbers, as it is laid out.
struct Net {
    /// Ends of the edges, and the sweep that changed each.
    edges: Vec<(usize, usize, Option<u32>)>,
    /// The sweep that changed each vertex.
    changed_in: Vec<Option<u32>>,
    /// The edge that gave a vertex its Q.
    picked: Vec<Option<usize>>,
    /// The vertex of the page on which each was found.
    parent: Vec<Option<usize>>,
    is_result: Vec<bool>,
}

impl Running {
    /// The Web link graph as it was learnt last by a step.
    pub(super) fn graph(&mut self, task: Task, step: u32) -> Graph {
        self.seek(step);
        let Some(learnt) = self.session().learnt().filter(|learnt| learnt.number > 0) else {
            return Graph { task, ..Graph::default() };
        };
        let net = Net::of(&learnt);
        let shown = net.shown();
        let layers = net.layers(&shown);
        let rows = rows(&net, &shown, &layers);
        let mut place = vec![None; shown.len()];
        let mut vertices = Vec::new();
        for (layer, row) in rows.iter().enumerate() {
            for (at, vertex) in row.iter().enumerate() {
                place[*vertex] = Some(vertices.len() as u32);
                let told = learnt.vertices.get(*vertex).map(|vertex| self.told(vertex));
                let (url, anchor, context, page) = told.unwrap_or_default();
                vertices.push(Vertex {
                    page,
                    url,
                    anchor,
                    context,
                    is_result: net.is_result[*vertex],
                    layer: layer as u32,
                    place: at as u32,
                    of: row.len() as u32,
                    changed_in: net.changed_in[*vertex],
                });
            }
        }
        let edge = |(number, (from, to, changed_in)): (usize, &(usize, usize, Option<u32>))| {
            let is_picked = net.picked[*from] == Some(number);
            Some(Edge { from: place[*from]?, to: place[*to]?, changed_in: *changed_in, is_picked })
        };
        Graph {
            task,
            number: learnt.number,
            step: learnt.step,
            discount: learnt.settings.discount,
            reward: learnt.settings.reward,
            of_a_leaf: learnt.learned.of_a_leaf(),
            settled: learnt.learned.settled,
            worth: learnt.learned.worth().to_vec(),
            n_vertices: net.changed_in.len() as u32,
            n_results: net.is_result.iter().filter(|is_result| **is_result).count() as u32,
            n_edges: net.edges.len() as u32,
            n_layers: rows.len() as u32,
            n_places: rows.iter().map(Vec::len).max().unwrap_or(0) as u32,
            edges: net.edges.iter().enumerate().filter_map(edge).collect(),
            vertices,
        }
    }

    /// URL, link text, surroundings and page of a vertex.
    fn told(&self, vertex: &LinkVertex) -> (String, String, String, u32) {
        let known = self.session().known(&*self.run.world);
        let of = |text: fn(&crawl_core::Known<'_>, UrlId, usize) -> String, most| {
            let found = vertex.found.map(|(from, at)| text(&known, from, at as usize));
            shortened(&found.unwrap_or_default(), most)
        };
        let page = self.page(vertex.url);
        (
            self.run.world.url(page).into_owned(),
            of(|known, from, at| known.anchor(from, at).to_owned(), ANCHOR),
            of(|known, from, at| known.context(from, at).to_owned(), CONTEXT),
            page.0,
        )
    }
}

/// The beginning of a text.
fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Net {
    fn of(learnt: &Learnt<'_>) -> Self {
        let (graph, learned) = (learnt.graph, learnt.learned);
        // The graph may have grown since.
        let n = learned.vertices.len();
        let ids = (0..n as u32).map(crawl_core::strategy::VertexId);
        let changed_in: Vec<Option<u32>> = ids.clone().map(|v| learned.changed_in(v)).collect();
        let is_result: Vec<bool> = ids.map(|v| learned.changed_in(v) == Some(0)).collect();
        let known = |ends: &(usize, usize)| ends.0 < n && ends.1 < n;
        let ends = graph.edges().map(|(from, to)| (from.index(), to.index())).filter(known);
        let mut edges: Vec<_> = ends.map(|(from, to)| (from, to, None)).collect();
        let mut picked = vec![None; n];
        for (edge, sweep, from) in learned.changes(graph) {
            let Some(place) = edges.get_mut(edge.index()) else { continue };
            place.2 = Some(sweep);
            if changed_in[from.index()] == Some(sweep) {
                picked[from.index()].get_or_insert(edge.index());
            }
        }
        let mut by_url: Vec<(UrlId, usize)> =
            learnt.vertices.iter().enumerate().map(|(at, vertex)| (vertex.url, at)).collect();
        by_url.sort_unstable();
        let vertex_of = |url: UrlId| {
            let at = by_url.binary_search_by_key(&url, |(url, _)| *url).ok()?;
            Some(by_url[at].1)
        };
        let parent = |vertex: &LinkVertex| vertex.found.and_then(|(from, _)| vertex_of(from));
        let mut parents: Vec<Option<usize>> = learnt.vertices.iter().map(parent).collect();
        parents.resize(n, None);
        Self { edges, changed_in, picked, parent: parents, is_result }
    }

    /// Which vertices are shown.
    fn shown(&self) -> Vec<bool> {
        let n = self.changed_in.len();
        if n <= MOST {
            return vec![true; n];
        }
        let mut shown = vec![false; n];
        let mut n_shown = 0;
        let mut take = |vertex: usize, shown: &mut Vec<bool>| {
            let is_new = !std::mem::replace(&mut shown[vertex], true);
            n_shown += usize::from(is_new);
            (is_new, n_shown)
        };
        'leaves: for leaf in (0..n).filter(|vertex| self.is_result[*vertex]) {
            // Back to a seed; from what is shown already, the way is.
            let mut path = Some(leaf);
            while let Some(vertex) = path {
                let (is_new, n_shown) = take(vertex, &mut shown);
                // And on from there by what it picked.
                let mut on = self.picked[vertex];
                while let Some(edge) = on {
                    let to = self.edges[edge].1;
                    on = if take(to, &mut shown).0 { self.picked[to] } else { None };
                }
                path = if is_new { self.parent[vertex] } else { None };
                if path.is_none() && n_shown >= ENOUGH {
                    break 'leaves;
                }
            }
        }
        shown
    }

    /// Clicks from the seeds, for those shown.
    fn layers(&self, shown: &[bool]) -> Vec<usize> {
        let n = shown.len();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (from, to, _) in self.edges.iter().filter(|edge| shown[edge.0] && shown[edge.1]) {
            next[*from].push(*to);
        }
        let mut layers = vec![usize::MAX; n];
        let mut walk = |starts: Vec<usize>| {
            let mut queue: VecDeque<usize> = starts.into();
            for start in &queue {
                layers[*start] = 0;
            }
            while let Some(vertex) = queue.pop_front() {
                for to in &next[vertex] {
                    if layers[*to] > layers[vertex] + 1 {
                        layers[*to] = layers[vertex] + 1;
                        queue.push_back(*to);
                    }
                }
            }
            layers.clone()
        };
        let is_start = |vertex: &usize| shown[*vertex] && self.parent[*vertex].is_none();
        let starts: Vec<usize> = (0..n).filter(is_start).collect();
        let mut layers = walk(starts);
        // Whatever no seed reaches starts for itself.
        while let Some(left) = (0..n).find(|v| shown[*v] && layers[*v] == usize::MAX) {
            layers = walk(vec![left]);
        }
        layers
    }
}

/// The vertices of each layer, in an order with few crossings.
fn rows(net: &Net, shown: &[bool], layers: &[usize]) -> Vec<Vec<usize>> {
    let vertices = || (0..shown.len()).filter(|vertex| shown[*vertex]);
    let n_layers = vertices().map(|vertex| layers[vertex] + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n_layers];
    vertices().for_each(|vertex| rows[layers[vertex]].push(vertex));
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); shown.len()];
    for (from, to, _) in net.edges.iter().filter(|edge| shown[edge.0] && shown[edge.1]) {
        neighbours[*from].push(*to);
        neighbours[*to].push(*from);
    }
    let mut height = vec![0.0; shown.len()];
    let stand = |row: &[usize], height: &mut [f64]| {
        for (at, vertex) in row.iter().enumerate() {
            height[*vertex] = (at as f64 + 0.5) / row.len() as f64;
        }
    };
    rows.iter().for_each(|row| stand(row, &mut height));
    for round in 0..ROUNDS {
        for step in 0..n_layers {
            // From the seeds on, then back from the last.
            let layer = if round % 2 == 0 { step } else { n_layers - 1 - step };
            let is_before = |other: &&usize| match round % 2 {
                0 => layers[**other] < layer,
                _ => layers[**other] > layer,
            };
            let mean = |vertex: usize| {
                let before: Vec<f64> = neighbours[vertex]
                    .iter()
                    .filter(is_before)
                    .map(|other| height[*other])
                    .collect();
                let n = before.len();
                if n == 0 { height[vertex] } else { before.iter().sum::<f64>() / n as f64 }
            };
            let mut row: Vec<(f64, usize)> = rows[layer].iter().map(|v| (mean(*v), *v)).collect();
            row.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[layer] = row.into_iter().map(|(_, vertex)| vertex).collect();
            stand(&rows[layer], &mut height);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crawl_core::strategy::{LinkGraph, Settings};

    /// A graph of vertices numbered from 0, the first a seed; each was found on the first page that
    /// links to it.
    fn net(n: u32, edges: &[(u32, u32)], results: &[u32]) -> Net {
        let mut graph = LinkGraph::new();
        let ids: Vec<_> = (0..n).map(|_| graph.add_vertex().unwrap()).collect();
        edges.iter().for_each(|(from, to)| {
            graph.add_edge(ids[*from as usize], ids[*to as usize]).unwrap();
        });
        results.iter().for_each(|leaf| graph.mark_result(ids[*leaf as usize]).unwrap());
        let settings = Settings { reward: 100.0, ..Settings::default() };
        let learned = graph.learn(&settings).unwrap();
        let found = |to: u32| edges.iter().find(|edge| edge.1 == to && to > 0);
        let vertex = |url: u32| LinkVertex {
            url: UrlId(url),
            found: found(url).map(|(from, _)| (UrlId(*from), 0)),
        };
        let vertices: Vec<LinkVertex> = (0..n).map(vertex).collect();
        Net::of(&Learnt {
            number: 1,
            step: 9,
            graph: &graph,
            learned: &learned,
            settings: &settings,
            vertices: &vertices,
        })
    }

    /// Example 1 of Zhang et al. 2010, its vertices counted from 0.
    #[test]
    fn the_printed_example_stands_in_layers() {
        let edges = [
            (0, 1),
            (0, 3),
            (0, 6),
            (1, 2),
            (1, 5),
            (3, 4),
            (4, 5),
            (6, 4),
            (6, 7),
            (7, 8),
            (8, 9),
        ];
        let net = net(10, &edges, &[2, 5, 9]);
        let sweeps = [2, 1, 0, 2, 1, 0, 2, 2, 1, 0].map(Some);
        assert_eq!(net.changed_in, sweeps);
        // 1 → 2, 2 → 3, 4 → 5, 5 → 6, 7 → 5, 8 → 9, 9 → 10; leaves pick nothing.
        let picked = net.picked.iter().map(|edge| edge.map(|edge| net.edges[edge].1));
        let to = [Some(1), Some(2), None, Some(4), Some(5), None, Some(4), Some(8), Some(9), None];
        assert_eq!(picked.collect::<Vec<_>>(), to);
        let of_edges: Vec<_> = net.edges.iter().map(|edge| edge.2).collect();
        assert_eq!(of_edges, [2, 3, 3, 1, 1, 2, 1, 2, 3, 2, 1].map(Some));
        let shown = net.shown();
        let layers = net.layers(&shown);
        assert_eq!(layers, [0, 1, 2, 1, 2, 2, 1, 2, 3, 4]);
        let rows = rows(&net, &shown, &layers);
        let sizes: Vec<usize> = rows.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 3, 4, 1, 1]);
        // No two links from layer to layer cross.
        let place = |vertex: usize| rows[layers[vertex]].iter().position(|v| *v == vertex);
        let ahead: Vec<_> = net.edges.iter().filter(|e| layers[e.1] == layers[e.0] + 1).collect();
        for (a, b) in ahead.iter().flat_map(|a| ahead.iter().map(move |b| (a, b))) {
            if layers[a.0] == layers[b.0] && place(a.0) < place(b.0) {
                assert!(place(a.1) <= place(b.1), "{a:?} and {b:?} cross in {rows:?}");
            }
        }
    }

    #[test]
    fn large_graphs_are_cut_down_to_whole_paths() {
        // Chains of five from the seed, each with a result at its end, and all vertices of a chain
        // linked back to the seed.
        let mut edges = Vec::new();
        let mut results = Vec::new();
        for chain in 0..400_u32 {
            let first = 1 + chain * 5;
            edges.push((0, first));
            edges.extend((first..first + 4).map(|v| (v, v + 1)));
            edges.extend((first..first + 4).map(|v| (v, 0)));
            results.push(first + 4);
        }
        let net = net(2001, &edges, &results);
        let shown = net.shown();
        let n_shown = shown.iter().filter(|shown| **shown).count();
        assert!((ENOUGH..ENOUGH + 10).contains(&n_shown), "{n_shown}");
        for vertex in (0..2001).filter(|vertex| shown[*vertex]) {
            assert!(
                net.parent[vertex].is_none_or(|parent| shown[parent]),
                "{vertex} has no way back"
            );
            let to = net.picked[vertex].map(|edge| net.edges[edge].1);
            assert!(to.is_none_or(|to| shown[to]), "{vertex} has no way on");
        }
        let layers = net.layers(&shown);
        let rows = rows(&net, &shown, &layers);
        assert_eq!(rows.iter().map(Vec::len).sum::<usize>(), n_shown);
        assert_eq!(rows.len(), 6);
    }

    #[test]
    fn circles_and_strays_have_a_place() {
        // 1 and 2 link to each other and nothing leads to 3.
        let net = net(4, &[(0, 1), (1, 2), (2, 1), (3, 3)], &[]);
        let shown = net.shown();
        let layers = net.layers(&shown);
        assert_eq!(layers, [0, 1, 2, 0]);
        assert_eq!(rows(&net, &shown, &layers), [vec![0, 3], vec![1], vec![2]]);
        assert_eq!(net.changed_in, [None; 4]);
        let none: Net = self::net(0, &[], &[]);
        assert!(rows(&none, &none.shown(), &[]).is_empty());
    }

    #[test]
    fn long_texts_are_cut_where_a_character_ends() {
        assert_eq!(shortened("数码相机", 2), "数码…");
        assert_eq!(shortened("ab", 2), "ab");
    }
}
