//! Draws frames.
//!
//! A frame is the base, copied into every lane, plus the lane's own data: the discovery tree, the
//! links of the current and the selected node, the discovered nodes, and rings. The base contains
//! everything that is equal in all lanes and at all steps (links, undiscovered nodes, outlines of
//! hosts). It is redrawn only when camera, layout, theme or size change. While it changes every
//! frame, only a sample of many links is drawn.

use crate::gpu::{Active, Gpu, MAX_MARKS, Slot, unit};
use crate::graph::Nodes;
use crate::lane_buffers::LaneBuffers;
use crate::placed_graph::PlacedGraph;
use crate::scene::{DeviceRect, DrawStats, LaneView, MAX_LANES, Scene};
use crate::{Camera, Rgb, Theme};
use web_sys::WebGl2RenderingContext as Gl;

/// Maximum number of links drawn while the camera moves.
const N_MOVING_EDGES: usize = 60_000;

/// Maximum number of links drawn at rest; more would not be visible.
const N_RESTING_EDGES: usize = 400_000;

/// Opacity of a single link.
pub(crate) const EDGE_STRENGTH: f64 = 0.55;

/// Milliseconds without a change after which the camera is at rest.
const REST_MS: f64 = 140.0;

/// Duration of a pulse in milliseconds.
const PULSE_MS: f64 = 1100.0;

/// What the base depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BaseKey {
    camera: Camera,
    version: u64,
    n_edges: usize,
    theme: Theme,
    size: (i32, i32),
    pixel_ratio: f64,
    hulls: bool,
}

/// State of the base image.
#[derive(Debug, Default)]
pub(crate) struct Painter {
    base: Option<BaseKey>,
    is_base_full: bool,
    base_changed_ms: f64,
}

/// The data of a frame.
pub(crate) struct Content<'a> {
    pub theme: &'a Theme,
    pub placed: &'a mut PlacedGraph,
    pub lanes: &'a mut [LaneBuffers; MAX_LANES],
}

impl Painter {
    /// Draws a frame; if `is_still`, with all links.
    pub fn paint(
        &mut self,
        gpu: &mut Gpu,
        mut content: Content<'_>,
        scene: &Scene<'_>,
        canvas_height: i32,
        is_still: bool,
    ) -> DrawStats {
        let mut stats = DrawStats::default();
        let views = &scene.lanes[..scene.lanes.len().min(MAX_LANES)];
        let mut rects = [DeviceRect::default(); MAX_LANES];
        for (rect, view) in rects.iter_mut().zip(views) {
            *rect = DeviceRect::new(view.rect, scene.pixel_ratio, canvas_height);
        }
        let rects = &rects[..views.len()];
        let is_placed = content.placed.is_placed();
        if is_placed {
            content.send(gpu, scene, views);
            self.draw_base(gpu, &content, scene, rects, is_still, &mut stats);
        }
        gpu.begin_canvas();
        gpu.clear(content.theme.background.0);
        if is_placed {
            rects.iter().for_each(|&rect| gpu.copy_base(rect));
            gpu.gl.enable(Gl::SCISSOR_TEST);
            for (i, (view, &rect)) in views.iter().zip(rects).enumerate() {
                content.draw_lane(gpu, scene, i, view, rect, &mut stats);
            }
        }
        stats.is_drawn = true;
        stats
    }

    /// Redraws the base if its key changed.
    fn draw_base(
        &mut self,
        gpu: &mut Gpu,
        content: &Content<'_>,
        scene: &Scene<'_>,
        rects: &[DeviceRect],
        is_still: bool,
        stats: &mut DrawStats,
    ) {
        let larger =
            |(w, h): (i32, i32), rect: &DeviceRect| (w.max(rect.width), h.max(rect.height));
        let size = rects.iter().fold((1, 1), larger);
        let n_edges = content.placed.edges.len().min(N_RESTING_EDGES);
        let key = BaseKey {
            camera: scene.camera,
            version: content.placed.version,
            n_edges,
            theme: *content.theme,
            size,
            pixel_ratio: scene.pixel_ratio,
            hulls: scene.hulls,
        };
        let is_changed = self.base != Some(key);
        if is_changed {
            self.base_changed_ms = scene.time_ms;
        }
        let is_at_rest = scene.time_ms - self.base_changed_ms >= REST_MS;
        let is_full = n_edges <= N_MOVING_EDGES || is_at_rest || is_still;
        stats.wants_another = !is_full && !self.is_base_full;
        if !is_changed && (self.is_base_full || !is_full) {
            return;
        }
        self.base = Some(key);
        self.is_base_full = is_full;
        stats.wants_another = !is_full;
        stats.is_base_redrawn = true;
        stats.n_edges = if is_full { n_edges } else { N_MOVING_EDGES };
        gpu.begin_base(size.0, size.1);
        content.draw_base(gpu, scene, size, stats.n_edges);
    }
}

impl Content<'_> {
    /// Uploads changed data.
    fn send(&mut self, gpu: &mut Gpu, scene: &Scene<'_>, views: &[LaneView<'_>]) {
        let placed = &mut *self.placed;
        gpu.send_points(unit::POSITIONS, &mut placed.positions);
        gpu.send_numbers(unit::SIZES, &mut placed.sizes);
        gpu.send_numbers(unit::TOTALS, &mut placed.totals);
        gpu.send_pairs(unit::EDGES, &mut placed.edges);
        if scene.hulls {
            placed.outline();
            gpu.send_points(unit::HULLS, &mut placed.hulls.corners);
            gpu.send_pairs(unit::OUTLINES, &mut placed.hulls.edges);
        }
        for (i, (lane, view)) in self.lanes.iter_mut().zip(views).enumerate() {
            let step = lane.clamped(view.whole_step());
            if placed.graph.nodes == Nodes::Hosts {
                lane.seek(step);
            }
            let links = &placed.links;
            lane.highlight([lane.node_at(step), view.selected], |which, node| {
                let back = if which == 0 { &[] } else { links.to(node) };
                let out = links.from(node).iter().map(move |&to| [node, to]);
                out.chain(back.iter().map(move |&from| [from, node]))
            });
            for (array, rows) in lane.arrays().into_iter().enumerate() {
                gpu.send_pairs(unit::of_lane(i, array), rows);
            }
            if lane.values.len() > 0 {
                gpu.send_numbers(unit::of_lane(i, unit::VALUES), &mut lane.values);
            }
        }
    }

    fn draw_base(&self, gpu: &Gpu, scene: &Scene<'_>, size: (i32, i32), n_edges: usize) {
        let (gl, theme, placed) = (&gpu.gl, self.theme, &*self.placed);
        gpu.clear(theme.background.0);
        let frame = Frame::new(scene, placed, size);
        if scene.hulls {
            if let Some(fill) = gpu.fill.get(gl) {
                let fill = fill.activate(gl);
                frame.set(&fill);
                fill.positions(unit::HULLS).set(Slot::Tint, tint(theme.muted, 0.055));
                gpu.draw(Gl::TRIANGLES, placed.hulls.corners.len());
            }
            let line = gpu.line.activate(gl);
            frame.set(&line);
            line.positions(unit::HULLS).source(unit::OUTLINES);
            line.set(Slot::Tint, tint(theme.muted, 1.0)).set(Slot::Part, [0.0, 1.0, 0.0, 0.0]);
            line.set(Slot::Line, [frame.ratio, 0.28, 0.28, 1.0]);
            gpu.draw(Gl::TRIANGLES, 6 * placed.hulls.edges.len());
        }
        let strength =
            (EDGE_STRENGTH * placed.strength(n_edges, scene.camera.scale)).max(0.05) as f32;
        let line = gpu.line.activate(gl);
        frame.set(&line);
        line.positions(unit::POSITIONS).source(unit::EDGES);
        line.set(Slot::Tint, tint(theme.faint, 1.0)).set(Slot::Part, [0.0, 0.45, 0.0, 0.0]);
        line.set(Slot::Line, [0.7 * frame.ratio, strength, strength, 1.0]);
        gpu.draw(Gl::TRIANGLES, 6 * n_edges);

        let faint = gpu.faint.activate(gl);
        frame.set(&faint);
        faint.positions(unit::POSITIONS).set(Slot::Tint, tint(theme.unknown(), 1.0));
        gpu.draw(Gl::POINTS, placed.positions.len());
    }

    fn draw_lane(
        &self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        index: usize,
        view: &LaneView<'_>,
        rect: DeviceRect,
        stats: &mut DrawStats,
    ) {
        let (gl, lane, theme) = (&gpu.gl, &self.lanes[index], self.theme);
        gl.viewport(rect.x, rect.y, rect.width, rect.height);
        gl.scissor(rect.x, rect.y, rect.width, rect.height);
        let frame = Frame::new(scene, self.placed, (rect.width, rect.height));
        let step = lane.clamped(view.whole_step());
        let colour = tint(theme.lane(index, view.muted), 1.0);
        let (back, ink) = (tint(theme.background, 1.0), tint(theme.ink, 1.0));
        let [n_current, n_selected] = lane.n_highlighted();

        let n_tree = lane.n_tree(step);
        let strength = self.placed.strength(n_tree, scene.camera.scale) as f32;
        let line = gpu.line.activate(gl);
        frame.set(&line);
        line.positions(unit::POSITIONS).set(Slot::Tint, colour);
        if n_tree > 0 {
            let (oldest, newest) = ((0.5 * strength).max(0.08), (0.85 * strength).max(0.2));
            line.source(unit::of_lane(index, unit::TREE)).set(Slot::Part, [0.0, 0.6, 0.0, 0.0]);
            line.set(Slot::Line, [0.8 * frame.ratio, oldest, newest, n_tree as f32]);
            gpu.draw(Gl::TRIANGLES, 6 * n_tree);
        }
        line.source(unit::of_lane(index, unit::HIGHLIGHTED));
        if n_selected > 0 {
            line.set(Slot::Tint, ink).set(Slot::Part, [n_current as f32, 1.0, 0.0, 0.0]);
            let strength = 0.6 * crowded(n_selected);
            line.set(Slot::Line, [frame.ratio, strength, strength, 1.0]);
            gpu.draw(Gl::TRIANGLES, 6 * n_selected);
        }
        if n_current > 0 {
            line.set(Slot::Tint, colour).set(Slot::Part, [0.0, 1.0, 0.0, 0.0]);
            let strength = 0.9 * crowded(n_current);
            line.set(Slot::Line, [1.2 * frame.ratio, strength, strength, 1.0]);
            gpu.draw(Gl::TRIANGLES, 6 * n_current);
        }
        stats.n_lines += n_tree + n_selected + n_current;

        let is_hosts = self.placed.graph.nodes == Nodes::Hosts;
        let n_listed = if is_hosts { lane.list.len() } else { lane.n_listed(step) };
        let program = if is_hosts { gpu.host.get(gl) } else { Some(&gpu.page) };
        let Some(nodes) = program.map(|program| program.activate(gl)) else { return };
        frame.set(&nodes);
        nodes.set(Slot::Tint, colour).set(Slot::Back, back).set(Slot::Ink, ink);
        let is_valued = lane.values.len() > 0;
        // The sampler needs some texture even if values are not used.
        nodes.values(if is_valued { unit::of_lane(index, unit::VALUES) } else { unit::SIZES });
        for (array, n_nodes) in [(unit::LIST, n_listed), (unit::FETCHED, lane.n_fetched(step))] {
            if n_nodes > 0 {
                nodes.source(unit::of_lane(index, array));
                nodes.set(Slot::Moment, [step as f32, array as f32, f32::from(is_valued), 0.0]);
                gpu.draw(Gl::POINTS, n_nodes);
                stats.n_nodes += n_nodes;
            }
        }
        self.draw_marks(gpu, scene, index, view, &frame, stats);
    }

    /// Draws rings: pages being fetched, then the current page, the selected and the hovered node.
    fn draw_marks(
        &self,
        gpu: &Gpu,
        scene: &Scene<'_>,
        index: usize,
        view: &LaneView<'_>,
        frame: &Frame,
        stats: &mut DrawStats,
    ) {
        let lane = &self.lanes[index];
        let mut marks = [0; 2 * MAX_MARKS];
        let mut n_marks = 0;
        let n_nodes = self.placed.graph.n_nodes();
        let mut add = |node: Option<u32>, kind: u32, most: usize| {
            if let Some(node) = node.filter(|&node| (node as usize) < n_nodes && n_marks < most) {
                marks[2 * n_marks] = node;
                marks[2 * n_marks + 1] = kind;
                n_marks += 1;
            }
        };
        for &page in view.in_flight {
            add(self.placed.graph.node_of(page), 3, MAX_MARKS - 3);
        }
        add(lane.node_at(lane.clamped(view.whole_step())), 0, MAX_MARKS);
        add(view.selected, 1, MAX_MARKS);
        add(view.hovered.filter(|_| view.hovered != view.selected), 2, MAX_MARKS);
        if n_marks == 0 {
            return;
        }
        let pulse = if scene.reduced_motion { 0.35 } else { (scene.time_ms / PULSE_MS).fract() };
        stats.wants_another |= !view.in_flight.is_empty() && !scene.reduced_motion;
        let mark = gpu.mark.activate(&gpu.gl);
        frame.set(&mark);
        mark.set(Slot::Moment, [0.0, pulse as f32, 0.0, 0.0]);
        mark.set(Slot::Ink, tint(self.theme.ink, 1.0));
        mark.set(Slot::Tint, tint(self.theme.lane(index, view.muted), 1.0));
        mark.marks(&marks[..2 * n_marks]);
        gpu.draw(Gl::POINTS, n_marks);
    }
}

/// Uniforms shared by all programs of a frame.
struct Frame {
    view: [f32; 4],
    viewport: [f32; 4],
    radii: [f32; 4],
    ratio: f32,
}

impl Frame {
    fn new(scene: &Scene<'_>, placed: &PlacedGraph, size: (i32, i32)) -> Self {
        let Scene { camera, pixel_ratio, .. } = *scene;
        let radii = placed.radii(camera.scale);
        let ratio = pixel_ratio as f32;
        Self {
            view: [camera.x as f32, camera.y as f32, (camera.scale * pixel_ratio) as f32, 0.0],
            viewport: [size.0.max(1) as f32, size.1.max(1) as f32, 0.0, 0.0],
            radii: [
                radii.min as f32 * ratio,
                radii.max as f32 * ratio,
                ratio,
                radii.ring as f32 * ratio,
            ],
            ratio,
        }
    }

    fn set(&self, program: &Active<'_>) {
        program.set(Slot::View, self.view).set(Slot::Viewport, self.viewport);
        program.set(Slot::Radii, self.radii);
    }
}

fn tint(colour: Rgb, strength: f32) -> [f32; 4] {
    let [r, g, b] = colour.0;
    [r, g, b, strength]
}

/// Opacity of each of `n_lines` lines from one node.
fn crowded(n_lines: usize) -> f32 {
    (30.0 / n_lines.max(30) as f32).sqrt()
}
