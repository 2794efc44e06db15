//! The stage: up to four lanes in one canvas.
//!
//! It keeps a copy of all data, to restore a lost WebGL context.

use crate::context_listener::ContextListener;
use crate::gpu::Gpu;
use crate::graph::{Nodes, StageGraph, StageGraphError};
use crate::label::PlacedLabel;
use crate::lane_buffers::LaneBuffers;
use crate::paint::{Content, Painter};
use crate::placed_graph::PlacedGraph;
use crate::scene::{DrawStats, MAX_LANES, Scene};
use crate::svg::{self, Drawing, SvgTexts};
use crate::{Camera, CameraLimits, Record, Rect, Theme};
use js_sys::Float32Array;
use wasm_bindgen::JsCast;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlContextAttributes, WebGlPowerPreference,
};

/// Distance from a disc to the outer edge of the current page's ring.
const RING_PX: f64 = 6.0;

/// Why a stage cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// The browser has no WebGL2, or it is disabled.
    #[error("this browser does not support WebGL2, which is needed to draw the stage")]
    NoWebGl2,
    /// WebGL2 reports an error.
    #[error("WebGL2 failed: {0}")]
    Refused(String),
}

/// Draws lanes into a canvas.
pub struct Stage {
    canvas: HtmlCanvasElement,
    gl: Gl,
    gpu: Option<Gpu>,
    listener: ContextListener,
    painter: Painter,
    pub(crate) theme: Theme,
    pub(crate) placed: PlacedGraph,
    pub(crate) lanes: [LaneBuffers; MAX_LANES],
    positions: Vec<f32>,
}

impl Stage {
    /// A stage in a canvas that nothing else draws into.
    ///
    /// # Errors
    /// Returns a [`StageError`] if WebGL2 is missing or fails.
    pub fn new(canvas: &HtmlCanvasElement) -> Result<Self, StageError> {
        // The same attributes as in `www/boot.js`, which may have created the context.
        let attributes = WebGlContextAttributes::new();
        attributes.set_alpha(false);
        attributes.set_antialias(false);
        attributes.set_depth(false);
        attributes.set_power_preference(WebGlPowerPreference::HighPerformance);
        let gl: Gl = canvas
            .get_context_with_context_options("webgl2", &attributes)
            .ok()
            .flatten()
            .and_then(|context| context.dyn_into().ok())
            .ok_or(StageError::NoWebGl2)?;
        let mut stage = Self {
            canvas: canvas.clone(),
            gl,
            gpu: None,
            listener: ContextListener::new(canvas),
            painter: Painter::default(),
            theme: Theme::LIGHT,
            placed: PlacedGraph::default(),
            lanes: Default::default(),
            positions: Vec::new(),
        };
        stage.rebuild()?;
        Ok(stage)
    }

    /// Sets the callback for a restored WebGL context, which should request a frame.
    pub fn set_wake(&self, wake: impl Fn() + 'static) {
        self.listener.set_wake(wake);
    }

    /// Whether the WebGL context is lost, so that nothing can be drawn.
    pub fn is_lost(&self) -> bool {
        self.listener.is_lost() || self.gl.is_context_lost()
    }

    /// Sets the colours.
    pub fn set_theme(&mut self, theme: &Theme) {
        self.theme = *theme;
    }

    /// Replaces the graph; clears positions and lanes.
    ///
    /// # Errors
    /// Returns a [`StageGraphError`] and keeps the previous graph if the arrays are inconsistent.
    pub fn set_graph(&mut self, graph: StageGraph) -> Result<(), StageGraphError> {
        self.placed.set_graph(graph)?;
        self.lanes.iter_mut().for_each(LaneBuffers::clear);
        Ok(())
    }

    /// Sets the positions (x, y, x, y, …), within −1 … 1, and half the typical distance between
    /// neighbours.
    ///
    /// # Errors
    /// Returns a [`StageGraphError`] if there is not one position per node.
    pub fn set_positions(
        &mut self,
        xy: &Float32Array,
        spacing: f32,
    ) -> Result<(), StageGraphError> {
        self.positions.resize(xy.length() as usize, 0.0);
        xy.copy_to(&mut self.positions);
        self.placed.set_positions(&mut self.positions, spacing)
    }

    /// Sets the number of lanes; clears those beyond.
    pub fn set_lane_count(&mut self, n_lanes: usize) {
        self.lanes.iter_mut().skip(n_lanes).for_each(LaneBuffers::clear);
    }

    /// Processes new steps of a lane's run, or all steps of another run, for a few milliseconds.
    ///
    /// Returns false if steps remain; call it again in the next frame.
    pub fn update_lane(&mut self, lane: usize, record: &Record) -> bool {
        self.lanes.get_mut(lane).is_none_or(|lane| lane.update(record, &self.placed.graph))
    }

    /// Colours a lane's pages by values, normalised to 0 … 1.
    ///
    /// Has no effect if nodes are hosts, or if there are no values.
    pub fn set_values(&mut self, lane: usize, pages: &[u32], places: &[f32]) {
        let Some(lane) = self.lanes.get_mut(lane) else { return };
        let graph = &self.placed.graph;
        if pages.is_empty() || graph.nodes == Nodes::Hosts {
            lane.values.clear();
            return;
        }
        let mut values = vec![-1.0; graph.n_nodes()];
        for (page, place) in pages.iter().zip(places) {
            if let Some(node) = graph.node_of(*page) {
                values[node as usize] = place.clamp(0.0, 1.0);
            }
        }
        lane.values.replace(&values);
    }

    /// Removes a lane's run.
    pub fn clear_lane(&mut self, lane: usize) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.clear();
        }
    }

    /// Whether the nodes have positions.
    pub fn is_placed(&self) -> bool {
        self.placed.is_placed()
    }

    /// The bounding box of all nodes, in layout units.
    pub fn bounds(&self) -> Rect {
        self.placed.bounds()
    }

    /// A camera that shows everything in a lane of this size.
    pub fn fit(&self, width: f64, height: f64) -> Camera {
        let padding = (width.min(height) * 0.05).clamp(6.0, 28.0);
        let tight = Camera::fit(self.bounds(), width, height, padding);
        // Padding for the discs' radii and the ring of the current page.
        let reach = self.placed.radii(tight.scale).max + RING_PX;
        Camera::fit(self.bounds(), width, height, padding.max(reach))
    }

    /// The camera's limits in a lane of this size.
    pub fn limits(&self, width: f64, height: f64) -> CameraLimits {
        CameraLimits::new(self.bounds(), self.placed.spacing(), width, height)
    }

    /// The node of a page, if it is drawn.
    pub fn node_of(&self, page: u32) -> Option<u32> {
        self.placed.graph.node_of(page)
    }

    /// The node at a point of the canvas, within a lane.
    ///
    /// The nearest node whose disc contains the point, or whose centre is within 8 pixels.
    pub fn pick(&self, lane: Rect, camera: &Camera, x: f64, y: f64) -> Option<u32> {
        self.placed.pick(lane, camera, x, y)
    }

    /// A node's centre and radius in a lane, in CSS pixels of the canvas.
    pub fn node_on_screen(
        &self,
        lane: Rect,
        camera: &Camera,
        node: u32,
    ) -> Option<(f64, f64, f64)> {
        let (x, y) = self.placed.position(node)?;
        let (x, y) = camera.to_screen(lane, x, y);
        Some((x, y, self.placed.radius(node, camera.scale)))
    }

    /// Places the labels of nodes, most important first; `index` refers to `names`.
    ///
    /// `measure` returns the width of a text in CSS pixels.
    pub fn labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[(u32, String)],
        font_px: f64,
        measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        self.placed.labels(lane, camera, names, font_px, measure)
    }

    /// Places the labels of hosts above their outlines; `index` is the host.
    ///
    /// Outlines are known after they were drawn once.
    pub fn host_labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[String],
        font_px: f64,
        measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        self.placed.host_labels(lane, camera, names, font_px, measure)
    }

    /// Draws a frame.
    pub fn draw(&mut self, scene: &Scene<'_>) -> DrawStats {
        self.paint(scene, false)
    }

    /// Draws a frame with all its links, for export.
    ///
    /// The canvas can be read (`toBlob`) until the end of the task.
    pub fn draw_still(&mut self, scene: &Scene<'_>) -> DrawStats {
        self.paint(scene, true)
    }

    /// Exports the frame as SVG.
    pub fn svg(&mut self, scene: &Scene<'_>, texts: &SvgTexts<'_>) -> Drawing {
        self.index_links(true);
        svg::draw(&self.theme, &mut self.placed, &self.lanes, scene, texts)
    }

    /// Creates the WebGL resources, at first or after a lost context.
    fn rebuild(&mut self) -> Result<(), StageError> {
        self.gpu = None;
        self.gpu = Some(Gpu::new(self.gl.clone()).map_err(StageError::Refused)?);
        self.painter = Painter::default();
        self.placed.mark_dirty();
        self.lanes.iter_mut().for_each(LaneBuffers::mark_dirty);
        Ok(())
    }

    /// Continues to index links; returns whether some remain.
    fn index_links(&mut self, to_the_end: bool) -> bool {
        let was_filing = self.placed.is_indexing();
        let is_indexing = self.placed.index_links(to_the_end);
        if was_filing && !is_indexing {
            // The links of single nodes are known only now.
            self.lanes.iter_mut().for_each(LaneBuffers::refresh_highlights);
        }
        is_indexing
    }

    fn paint(&mut self, scene: &Scene<'_>, is_still: bool) -> DrawStats {
        let is_indexing = self.index_links(is_still);
        if self.is_lost() || (self.listener.take_restored() && self.rebuild().is_err()) {
            return DrawStats::default();
        }
        let Some(gpu) = &mut self.gpu else { return DrawStats::default() };
        let px = |value: f64| ((value * scene.pixel_ratio).round() as u32).max(1);
        let (width, height) = (px(scene.size.0), px(scene.size.1));
        if self.canvas.width() != width {
            self.canvas.set_width(width);
        }
        if self.canvas.height() != height {
            self.canvas.set_height(height);
        }
        let content =
            Content { theme: &self.theme, placed: &mut self.placed, lanes: &mut self.lanes };
        let mut stats = self.painter.paint(gpu, content, scene, height as i32, is_still);
        stats.wants_another |= is_indexing;
        stats
    }
}
