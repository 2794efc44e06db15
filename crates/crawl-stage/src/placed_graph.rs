//! The graph and the positions of its nodes, shared by all lanes.

use crate::graph::{NONE, Nodes, Radii, StageGraph, StageGraphError};
use crate::grid::Grid;
use crate::hull::{Point, convex_hull, sort, widened};
use crate::label::{LabelRequest, PlacedLabel, PlacementOptions, place};
use crate::links::{LinkIndexer, Links};
use crate::texture_rows::TextureRows;
use crate::{Camera, Rect};
use std::cell::{Cell, RefCell};

/// Minimum picking distance in pixels, for small nodes.
const PICK_PX: f64 = 8.0;

/// Maximum number of outlined hosts, the largest first.
const MAX_HULLS: usize = 400;

/// Links indexed per slice: a few milliseconds.
const LINKS_PER_SLICE: usize = 100_000;

/// Number of links sampled for the mean length.
const N_SAMPLED: usize = 2000;

/// The graph, its links, positions and outlines.
#[derive(Debug)]
pub(crate) struct PlacedGraph {
    pub graph: StageGraph,
    /// Empty until all links are indexed.
    pub links: Links,
    indexer: Option<LinkIndexer>,
    pub sizes: TextureRows<f32, 1>,
    /// Number of pages of each node; empty unless nodes are hosts.
    pub totals: TextureRows<f32, 1>,
    pub edges: TextureRows<u32, 2>,
    pub positions: TextureRows<f32, 2>,
    pub hulls: Hulls,
    /// Incremented when positions change.
    pub version: u64,
    bounds: Rect,
    spacing: f64,
    mean_length: f64,
    grid: RefCell<Grid>,
    grid_version: Cell<u64>,
}

impl Default for PlacedGraph {
    fn default() -> Self {
        Self {
            graph: StageGraph::default(),
            links: Links::default(),
            indexer: None,
            sizes: TextureRows::default(),
            totals: TextureRows::default(),
            edges: TextureRows::default(),
            positions: TextureRows::default(),
            hulls: Hulls::default(),
            version: 0,
            bounds: Rect::WORLD,
            spacing: 0.01,
            mean_length: 0.0,
            grid: RefCell::default(),
            grid_version: Cell::new(0),
        }
    }
}

impl PlacedGraph {
    /// Replaces the graph; clears the positions.
    pub fn set_graph(&mut self, graph: StageGraph) -> Result<(), StageGraphError> {
        let mut graph = graph.checked()?;
        self.sizes.replace(&graph.sizes);
        self.edges.clear();
        self.edges.reserve(graph.edges.len() / 2);
        self.links = Links::default();
        self.indexer = Some(LinkIndexer::new(graph.n_nodes(), std::mem::take(&mut graph.edges)));
        let mut totals = Vec::new();
        if graph.nodes == Nodes::Hosts {
            totals.resize(graph.n_nodes(), 0.0);
            for &node in graph.node_of_page.iter().filter(|&&node| node != NONE) {
                totals[node as usize] += 1.0;
            }
        }
        self.totals.replace(&totals);
        self.graph = graph;
        self.positions.clear();
        self.version += 1;
        self.index_links(false);
        Ok(())
    }

    /// Whether links remain to be indexed.
    pub fn is_indexing(&self) -> bool {
        self.indexer.is_some()
    }

    /// Indexes a slice of the links, or all; returns whether links remain.
    pub fn index_links(&mut self, to_the_end: bool) -> bool {
        while let Some(indexer) = &mut self.indexer {
            if let Some(links) = indexer.work(LINKS_PER_SLICE, &mut self.edges) {
                self.links = links;
                self.indexer = None;
            }
            if !to_the_end {
                break;
            }
        }
        self.is_indexing()
    }

    /// Sets the positions (x, y, x, y, …) and half the typical distance between neighbours.
    ///
    /// Coordinates that are not finite become 0.
    pub fn set_positions(
        &mut self,
        points: &mut [f32],
        spacing: f32,
    ) -> Result<(), StageGraphError> {
        let n_nodes = self.graph.n_nodes();
        if points.len() != 2 * n_nodes {
            return Err(StageGraphError::Length { what: "coordinates", n: points.len(), n_nodes });
        }
        points.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
        self.positions.replace(points);
        self.bounds = Rect::around(points).unwrap_or(Rect::WORLD);
        self.spacing = if spacing > 0.0 { f64::from(spacing) } else { 0.01 };
        let edges = self.edges.values().as_chunks::<2>().0;
        let sampled = &edges[..edges.len().min(N_SAMPLED)];
        let total: f64 = sampled.iter().filter_map(|&[a, b]| self.distance(a, b)).sum();
        self.mean_length = total / sampled.len().max(1) as f64;
        self.version += 1;
        Ok(())
    }

    fn distance(&self, a: u32, b: u32) -> Option<f64> {
        let ((ax, ay), (bx, by)) = (self.position(a)?, self.position(b)?);
        Some((ax - bx).hypot(ay - by))
    }

    /// The position of a node.
    pub fn position(&self, node: u32) -> Option<Point> {
        self.positions.get(node as usize).map(|[x, y]| (f64::from(x), f64::from(y)))
    }

    /// Whether the nodes have positions.
    pub fn is_placed(&self) -> bool {
        self.positions.len() > 0
    }

    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    pub fn radii(&self, scale: f64) -> Radii {
        Radii::new(self.graph.nodes, self.spacing, scale)
    }

    pub fn radius(&self, node: u32, scale: f64) -> f64 {
        let size = self.graph.sizes.get(node as usize).copied().unwrap_or(0.0);
        self.radii(scale).of(size)
    }

    /// Opacity of each of `n_lines` lines, so that dense areas do not saturate.
    ///
    /// Computed from the lines' area in pixels relative to the layout's area.
    pub fn strength(&self, n_lines: usize, scale: f64) -> f64 {
        let Rect { width, height, .. } = self.bounds;
        let area = (width * height * scale * scale).max(1.0);
        let ink = n_lines as f64 * self.mean_length * scale / area;
        1.0 / (1.0 + 1.5 * ink).sqrt()
    }

    /// The node at a point of a lane.
    pub fn pick(&self, lane: Rect, camera: &Camera, x: f64, y: f64) -> Option<u32> {
        if !lane.contains(x, y) || !self.is_placed() {
            return None;
        }
        let mut grid = self.grid.borrow_mut();
        if self.grid_version.replace(self.version) != self.version {
            grid.fill(self.positions.values(), self.bounds);
        }
        let radii = self.radii(camera.scale);
        let reach = |radius: f64| radius.max(PICK_PX) / camera.scale;
        let at = camera.to_world(lane, x, y);
        let sizes = &self.graph.sizes;
        let reach_of =
            |node: u32| reach(radii.of(sizes.get(node as usize).copied().unwrap_or(0.0)));
        grid.nearest(self.positions.values(), at, reach(radii.max), reach_of)
    }

    /// Places the labels of nodes, most important first.
    pub fn labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[(u32, String)],
        font_px: f64,
        mut measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        let radii = self.radii(camera.scale);
        let wanted = names.iter().enumerate().filter_map(|(index, (node, text))| {
            let (x, y) = self.position(*node)?;
            let (x, y) = camera.to_screen(lane, x, y);
            // Measuring a text is the slowest part.
            lane.contains(x, y).then(|| {
                let size = self.graph.sizes.get(*node as usize).copied().unwrap_or(0.0);
                LabelRequest { index, x, y, radius: radii.of(size), width: measure(text) }
            })
        });
        place(&placement_options(lane, font_px), wanted)
    }

    /// Places the labels of hosts above their outlines, largest first; `index` is the host.
    pub fn host_labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[String],
        font_px: f64,
        mut measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        let wanted = self.hulls.tops.iter().filter_map(|&(host, (x, y))| {
            let (x, y) = camera.to_screen(lane, x, y);
            let width = measure(names.get(host as usize)?);
            Some(LabelRequest { index: host as usize, x, y, radius: 0.0, width })
        });
        place(&placement_options(lane, font_px), wanted)
    }

    /// Updates the outlines of hosts.
    pub fn outline(&mut self) {
        if self.hulls.version != self.version {
            self.hulls.version = self.version;
            let points = self.positions.values().as_chunks::<2>().0;
            self.hulls.fill(points, &self.graph.hosts, 1.6 * self.spacing);
        }
    }

    /// Marks all data as not uploaded.
    pub fn mark_dirty(&mut self) {
        self.sizes.mark_dirty();
        self.totals.mark_dirty();
        self.edges.mark_dirty();
        self.positions.mark_dirty();
        self.hulls.corners.mark_dirty();
        self.hulls.edges.mark_dirty();
    }
}

fn placement_options(lane: Rect, font_px: f64) -> PlacementOptions {
    let max_labels = (lane.width * lane.height / 8000.0).clamp(6.0, 40.0) as usize;
    PlacementOptions { area: lane, height: font_px * 1.2, gap: font_px * 0.35, max_labels }
}

/// Outlines of hosts.
#[derive(Debug, Default)]
pub(crate) struct Hulls {
    /// Corners of the triangles that fill the outlines.
    pub corners: TextureRows<f32, 2>,
    /// Outline edges, as pairs of corners.
    pub edges: TextureRows<u32, 2>,
    /// The corners of each host's outline, for the SVG export.
    pub outlines: Vec<Vec<Point>>,
    /// Hosts, the largest first, with the top of their outline.
    tops: Vec<(u32, Point)>,
    version: u64,
}

impl Hulls {
    fn fill(&mut self, points: &[[f32; 2]], hosts: &[u32], margin: f64) {
        self.corners.clear();
        self.edges.clear();
        self.outlines.clear();
        self.tops.clear();
        // Sorts pairs of numbers throughout: each further sort instantiation adds to the download.
        let mut nodes: Vec<Point> = hosts
            .iter()
            .take(points.len())
            .enumerate()
            .filter(|(_, host)| **host != NONE)
            .map(|(node, host)| (f64::from(*host), node as f64))
            .collect();
        sort(&mut nodes);
        let groups: Vec<&[Point]> = nodes.chunk_by(|a, b| a.0 == b.0).collect();
        let largest = groups.iter().enumerate().filter(|(_, group)| group.len() > 1);
        let mut largest: Vec<Point> =
            largest.map(|(i, group)| (-(group.len() as f64), i as f64)).collect();
        sort(&mut largest);
        largest.truncate(MAX_HULLS);
        let mut members = Vec::new();
        for (_, at) in largest {
            let group = groups[at as usize];
            members.clear();
            members.extend(group.iter().map(|(_, node)| {
                let [x, y] = points[*node as usize];
                (f64::from(x), f64::from(y))
            }));
            let outline = widened(&convex_hull(&mut members), margin);
            let Some(&top) = outline.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            self.tops.push((group[0].0 as u32, top));
            self.add(&outline);
            self.outlines.push(outline);
        }
    }

    /// Adds an outline as a triangle fan around its first corner.
    fn add(&mut self, outline: &[Point]) {
        let corner = |i: usize| [outline[i].0 as f32, outline[i].1 as f32];
        let first = self.corners.len() as u32;
        for i in 1..outline.len().saturating_sub(1) {
            let at = self.corners.len() as u32;
            self.corners.push(corner(0));
            self.corners.push(corner(i));
            self.corners.push(corner(i + 1));
            self.edges.push([at + 1, at + 2]);
        }
        let end = self.corners.len() as u32;
        if end > first {
            self.edges.push([first, first + 1]);
            self.edges.push([end - 1, first]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed() -> PlacedGraph {
        let mut placed = PlacedGraph::default();
        let graph = StageGraph {
            sizes: vec![1.0, 0.0, 0.25, 0.25],
            hosts: vec![0, 0, 1, NONE],
            edges: vec![0, 1, 1, 2],
            ..StageGraph::default()
        };
        placed.set_graph(graph).expect("fits");
        placed
            .set_positions(&mut [-1.0, -1.0, 1.0, 1.0, 0.0, f32::NAN, 0.5, 0.5], 0.1)
            .expect("fits");
        placed
    }

    #[test]
    fn nodes_are_picked_where_they_are_drawn() {
        let placed = placed();
        let lane = Rect::new(10.0, 20.0, 200.0, 200.0);
        let camera = Camera::fit(placed.bounds(), lane.width, lane.height, 20.0);
        for node in 0..4 {
            let (x, y) = placed.position(node).expect("is there");
            let (x, y) = camera.to_screen(lane, x, y);
            assert_eq!(placed.pick(lane, &camera, x + 4.0, y - 4.0), Some(node));
            assert_eq!(placed.pick(lane, &camera, x + 18.0, y), None);
        }
        assert_eq!(placed.pick(lane, &camera, 5.0, 30.0), None, "outside the lane");
    }

    #[test]
    fn no_node_is_picked_before_the_layout_arrives() {
        let mut placed = placed();
        placed.set_graph(StageGraph::default()).expect("fits");
        assert!(!placed.is_placed());
        assert_eq!(
            placed.pick(Rect::WORLD, &Camera { x: 0.0, y: 0.0, scale: 1.0 }, 0.0, 0.0),
            None
        );
        assert!(placed.set_positions(&mut [0.0, 0.0], 0.1).is_err());
    }

    #[test]
    fn hosts_of_more_than_one_node_are_outlined() {
        let mut placed = placed();
        placed.outline();
        assert_eq!(placed.hulls.outlines.len(), 1);
        assert_eq!(placed.hulls.tops[0].0, 0);
        let n = placed.hulls.outlines[0].len();
        assert_eq!((placed.hulls.corners.len(), placed.hulls.edges.len()), (3 * (n - 2), n));
        let lane = Rect::new(0.0, 0.0, 300.0, 300.0);
        let camera = Camera { x: 0.0, y: 0.0, scale: 80.0 };
        let names = ["a.example".to_owned()];
        let labels = placed.host_labels(lane, &camera, &names, 11.0, |_| 40.0);
        assert_eq!(labels.len(), 1);
        assert!(labels[0].rect.bottom() < 150.0 - 80.0);
    }

    #[test]
    fn more_lines_are_each_weaker() {
        let placed = placed();
        assert!(placed.strength(10, 100.0) > placed.strength(10_000, 100.0));
        assert!(placed.strength(0, 0.0) <= 1.0);
    }
}
