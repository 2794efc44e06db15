//! The picture and where its nodes stand: what all lanes share.

use crate::grid::Grid;
use crate::hull::{Point, convex_hull, sort, widened};
use crate::label::{PlacedLabel, Placing, Wanted, place};
use crate::links::{Filing, Links};
use crate::picture::{NONE, Nodes, Picture, PictureError, Radii};
use crate::rows::Rows;
use crate::{Camera, Rect};
use std::cell::{Cell, RefCell};

/// A node can be picked from so many pixels away, however small it is.
const PICK_PX: f64 = 8.0;

/// The most hosts that are outlined, the largest first.
const MAX_HULLS: usize = 400;

/// Links filed at a time: a few milliseconds.
const N_FILED: usize = 100_000;

/// Links looked at to tell how long they are.
const N_SAMPLED: usize = 2000;

/// What all lanes share.
#[derive(Debug)]
pub(crate) struct Board {
    pub picture: Picture,
    /// Empty until all are filed.
    pub links: Links,
    filing: Option<Filing>,
    pub sizes: Rows<f32, 1>,
    /// Pages of each node, where nodes are hosts.
    pub totals: Rows<f32, 1>,
    pub edges: Rows<u32, 2>,
    pub positions: Rows<f32, 2>,
    pub hulls: Hulls,
    /// Counts changes of the positions.
    pub version: u64,
    bounds: Rect,
    spacing: f64,
    mean_length: f64,
    grid: RefCell<Grid>,
    grid_version: Cell<u64>,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            picture: Picture::default(),
            links: Links::default(),
            filing: None,
            sizes: Rows::default(),
            totals: Rows::default(),
            edges: Rows::default(),
            positions: Rows::default(),
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

impl Board {
    /// Another picture; where its nodes stand is not known yet.
    pub fn set_picture(&mut self, picture: Picture) -> Result<(), PictureError> {
        let mut picture = picture.checked()?;
        self.sizes.replace(&picture.sizes);
        self.edges.clear();
        self.edges.reserve(picture.edges.len() / 2);
        self.links = Links::default();
        self.filing = Some(Filing::new(picture.n_nodes(), std::mem::take(&mut picture.edges)));
        let mut totals = Vec::new();
        if picture.nodes == Nodes::Hosts {
            totals.resize(picture.n_nodes(), 0.0);
            for &node in picture.node_of_page.iter().filter(|&&node| node != NONE) {
                totals[node as usize] += 1.0;
            }
        }
        self.totals.replace(&totals);
        self.picture = picture;
        self.positions.clear();
        self.version += 1;
        self.file(false);
        Ok(())
    }

    /// True while links are left to file.
    pub fn is_filing(&self) -> bool {
        self.filing.is_some()
    }

    /// Goes on filing links, by a slice or to the end; true while some are left.
    pub fn file(&mut self, to_the_end: bool) -> bool {
        while let Some(filing) = &mut self.filing {
            if let Some(links) = filing.work(N_FILED, &mut self.edges) {
                self.links = links;
                self.filing = None;
            }
            if !to_the_end {
                break;
            }
        }
        self.is_filing()
    }

    /// Where the nodes stand, x and y in turn, and half the usual distance of neighbours. What is no
    /// number stands in the middle.
    pub fn set_positions(&mut self, points: &mut [f32], spacing: f32) -> Result<(), PictureError> {
        let n_nodes = self.picture.n_nodes();
        if points.len() != 2 * n_nodes {
            return Err(PictureError::Length { what: "coordinates", n: points.len(), n_nodes });
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

    /// Where a node stands.
    pub fn position(&self, node: u32) -> Option<Point> {
        self.positions.get(node as usize).map(|[x, y]| (f64::from(x), f64::from(y)))
    }

    /// True once it is known where the nodes stand.
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
        Radii::new(self.picture.nodes, self.spacing, scale)
    }

    pub fn radius(&self, node: u32, scale: f64) -> f64 {
        let size = self.picture.sizes.get(node as usize).copied().unwrap_or(0.0);
        self.radii(scale).of(size)
    }

    /// How strong each of so many lines may be, so that all together do not clot: ink in pixels by
    /// area of the layout.
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
        let sizes = &self.picture.sizes;
        let reach_of =
            |node: u32| reach(radii.of(sizes.get(node as usize).copied().unwrap_or(0.0)));
        grid.nearest(self.positions.values(), at, reach(radii.max), reach_of)
    }

    /// Places for the names of nodes, most important first.
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
            // Measuring takes longest.
            lane.contains(x, y).then(|| {
                let size = self.picture.sizes.get(*node as usize).copied().unwrap_or(0.0);
                Wanted { index, x, y, radius: radii.of(size), width: measure(text) }
            })
        });
        place(&placing(lane, font_px), wanted)
    }

    /// Places for the names of hosts above their outlines, largest first; the index is the host's.
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
            Some(Wanted { index: host as usize, x, y, radius: 0.0, width })
        });
        place(&placing(lane, font_px), wanted)
    }

    /// Brings the outlines of hosts up to date.
    pub fn outline(&mut self) {
        if self.hulls.version != self.version {
            self.hulls.version = self.version;
            let points = self.positions.values().as_chunks::<2>().0;
            self.hulls.fill(points, &self.picture.hosts, 1.6 * self.spacing);
        }
    }

    /// All of it must travel again.
    pub fn touch(&mut self) {
        self.sizes.touch();
        self.totals.touch();
        self.edges.touch();
        self.positions.touch();
        self.hulls.corners.touch();
        self.hulls.edges.touch();
    }
}

fn placing(lane: Rect, font_px: f64) -> Placing {
    let most = (lane.width * lane.height / 8000.0).clamp(6.0, 40.0) as usize;
    Placing { area: lane, height: font_px * 1.2, gap: font_px * 0.35, most }
}

/// Outlines of hosts.
#[derive(Debug, Default)]
pub(crate) struct Hulls {
    /// Corners of triangles that fill them.
    pub corners: Rows<f32, 2>,
    /// Pairs of corners that bound them.
    pub edges: Rows<u32, 2>,
    /// The corners of each host's outline, for drawing elsewhere.
    pub outlines: Vec<Vec<Point>>,
    /// Hosts, the largest first, with the upper end of their outline.
    tops: Vec<(u32, Point)>,
    version: u64,
}

impl Hulls {
    fn fill(&mut self, points: &[[f32; 2]], hosts: &[u32], margin: f64) {
        self.corners.clear();
        self.edges.clear();
        self.outlines.clear();
        self.tops.clear();
        // All pairs of numbers, because every kind of sort is so much more to load.
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

    /// A fan of triangles around the first corner.
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

    fn board() -> Board {
        let mut board = Board::default();
        let picture = Picture {
            sizes: vec![1.0, 0.0, 0.25, 0.25],
            hosts: vec![0, 0, 1, NONE],
            edges: vec![0, 1, 1, 2],
            ..Picture::default()
        };
        board.set_picture(picture).expect("fits");
        board
            .set_positions(&mut [-1.0, -1.0, 1.0, 1.0, 0.0, f32::NAN, 0.5, 0.5], 0.1)
            .expect("fits");
        board
    }

    #[test]
    fn nodes_are_picked_where_they_are_drawn() {
        let board = board();
        let lane = Rect::new(10.0, 20.0, 200.0, 200.0);
        let camera = Camera::fit(board.bounds(), lane.width, lane.height, 20.0);
        for node in 0..4 {
            let (x, y) = board.position(node).expect("is there");
            let (x, y) = camera.to_screen(lane, x, y);
            assert_eq!(board.pick(lane, &camera, x + 4.0, y - 4.0), Some(node));
            assert_eq!(board.pick(lane, &camera, x + 18.0, y), None);
        }
        assert_eq!(board.pick(lane, &camera, 5.0, 30.0), None, "outside the lane");
    }

    #[test]
    fn nothing_can_be_picked_before_nodes_have_places() {
        let mut board = board();
        board.set_picture(Picture::default()).expect("fits");
        assert!(!board.is_placed());
        assert_eq!(board.pick(Rect::WORLD, &Camera { x: 0.0, y: 0.0, scale: 1.0 }, 0.0, 0.0), None);
        assert!(board.set_positions(&mut [0.0, 0.0], 0.1).is_err());
    }

    #[test]
    fn hosts_of_more_than_one_node_are_outlined() {
        let mut board = board();
        board.outline();
        assert_eq!(board.hulls.outlines.len(), 1);
        assert_eq!(board.hulls.tops[0].0, 0);
        let n = board.hulls.outlines[0].len();
        assert_eq!((board.hulls.corners.len(), board.hulls.edges.len()), (3 * (n - 2), n));
        let lane = Rect::new(0.0, 0.0, 300.0, 300.0);
        let camera = Camera { x: 0.0, y: 0.0, scale: 80.0 };
        let names = ["a.example".to_owned()];
        let labels = board.host_labels(lane, &camera, &names, 11.0, |_| 40.0);
        assert_eq!(labels.len(), 1);
        assert!(labels[0].rect.bottom() < 150.0 - 80.0);
    }

    #[test]
    fn more_lines_are_each_weaker() {
        let board = board();
        assert!(board.strength(10, 100.0) > board.strength(10_000, 100.0));
        assert!(board.strength(0, 0.0) <= 1.0);
    }
}
