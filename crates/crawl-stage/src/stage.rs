//! The stage: up to four lanes in one canvas.
//!
//! It keeps all data on this side, so that it can go on after the graphics card was lost.

use crate::board::Board;
use crate::gpu::Gpu;
use crate::label::PlacedLabel;
use crate::lane::Lane;
use crate::listen::Listening;
use crate::paint::{Content, Painter};
use crate::picture::{Nodes, Picture, PictureError};
use crate::scene::{DrawStats, MAX_LANES, Scene};
use crate::svg::{self, Drawing, Words};
use crate::{Camera, Limits, Record, Rect, Theme};
use js_sys::Float32Array;
use wasm_bindgen::JsCast;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlContextAttributes, WebGlPowerPreference,
};

/// How far the ring of the present page reaches beyond its disc.
const RING_PX: f64 = 6.0;

/// Why a stage cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// The browser has no WebGL2, or may not use it.
    #[error("this browser does not offer WebGL2, which the stage is drawn with")]
    NoWebGl2,
    /// WebGL2 is there and refuses.
    #[error("WebGL2 refuses to work: {0}")]
    Refused(String),
}

/// The stage.
pub struct Stage {
    canvas: HtmlCanvasElement,
    gl: Gl,
    gpu: Option<Gpu>,
    listening: Listening,
    painter: Painter,
    pub(crate) theme: Theme,
    pub(crate) board: Board,
    pub(crate) lanes: [Lane; MAX_LANES],
    positions: Vec<f32>,
}

impl Stage {
    /// A stage in a canvas that nothing else draws into.
    ///
    /// # Errors
    /// Where there is no usable WebGL2.
    pub fn new(canvas: &HtmlCanvasElement) -> Result<Self, StageError> {
        // As in `www/boot.js`, which may have asked before.
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
            listening: Listening::new(canvas),
            painter: Painter::default(),
            theme: Theme::LIGHT,
            board: Board::default(),
            lanes: Default::default(),
            positions: Vec::new(),
        };
        stage.rebuild()?;
        Ok(stage)
    }

    /// What to do when the graphics card has come back after it was lost: usually, ask for a frame.
    pub fn set_wake(&self, wake: impl Fn() + 'static) {
        self.listening.set_wake(wake);
    }

    /// True while the graphics card is lost and nothing can be drawn.
    pub fn is_lost(&self) -> bool {
        self.listening.is_lost() || self.gl.is_context_lost()
    }

    /// The colours.
    pub fn set_theme(&mut self, theme: &Theme) {
        self.theme = *theme;
    }

    /// What is drawn. Positions and lanes of the former picture are gone.
    ///
    /// # Errors
    /// Where the arrays do not fit together; the former picture stays then.
    pub fn set_picture(&mut self, picture: Picture) -> Result<(), PictureError> {
        self.board.set_picture(picture)?;
        self.lanes.iter_mut().for_each(Lane::clear);
        Ok(())
    }

    /// Where the nodes stand: x and y in turn, within −1 … 1, and half the usual distance of
    /// neighbours.
    ///
    /// # Errors
    /// Where there are not as many as nodes.
    pub fn set_positions(&mut self, xy: &Float32Array, spacing: f32) -> Result<(), PictureError> {
        self.positions.resize(xy.length() as usize, 0.0);
        xy.copy_to(&mut self.positions);
        self.board.set_positions(&mut self.positions, spacing)
    }

    /// How many lanes there are; those beyond forget their runs.
    pub fn set_lane_count(&mut self, n_lanes: usize) {
        self.lanes.iter_mut().skip(n_lanes).for_each(Lane::clear);
    }

    /// Takes in what is new in a lane's run, and all that came before when it is another run; as much
    /// as can be done in a few milliseconds. False while more is left: then call again in the next
    /// frame.
    pub fn update_lane(&mut self, lane: usize, record: &Record) -> bool {
        self.lanes.get_mut(lane).is_none_or(|lane| lane.update(record, &self.board.picture))
    }

    /// Shows values on a lane's pages: each page's stands between 0 and 1. Nothing is shown where
    /// nodes are hosts, or where there are none.
    pub fn set_values(&mut self, lane: usize, pages: &[u32], places: &[f32]) {
        let Some(lane) = self.lanes.get_mut(lane) else { return };
        let picture = &self.board.picture;
        if pages.is_empty() || picture.nodes == Nodes::Hosts {
            lane.values.clear();
            return;
        }
        let mut values = vec![-1.0; picture.n_nodes()];
        for (page, place) in pages.iter().zip(places) {
            if let Some(node) = picture.node_of(*page) {
                values[node as usize] = place.clamp(0.0, 1.0);
            }
        }
        lane.values.replace(&values);
    }

    /// Forgets a lane's run.
    pub fn clear_lane(&mut self, lane: usize) {
        if let Some(lane) = self.lanes.get_mut(lane) {
            lane.clear();
        }
    }

    /// True once it is known where the nodes stand.
    pub fn is_placed(&self) -> bool {
        self.board.is_placed()
    }

    /// The smallest rectangle of the layout that holds all nodes.
    pub fn bounds(&self) -> Rect {
        self.board.bounds()
    }

    /// A camera that shows everything in a lane of that width and height.
    pub fn fit(&self, width: f64, height: f64) -> Camera {
        let padding = (width.min(height) * 0.05).clamp(6.0, 28.0);
        let tight = Camera::fit(self.bounds(), width, height, padding);
        // Discs reach beyond their middles, and the ring of the present page beyond its disc.
        let reach = self.board.radii(tight.scale).max + RING_PX;
        Camera::fit(self.bounds(), width, height, padding.max(reach))
    }

    /// How far the camera may go in a lane of that width and height.
    pub fn limits(&self, width: f64, height: f64) -> Limits {
        Limits::new(self.bounds(), self.board.spacing(), width, height)
    }

    /// The node that stands for a page, if one does.
    pub fn node_of(&self, page: u32) -> Option<u32> {
        self.board.picture.node_of(page)
    }

    /// The node at a point of the canvas, within a lane: the nearest whose disc, or whose middle by 8
    /// pixels, reaches it.
    pub fn pick(&self, lane: Rect, camera: &Camera, x: f64, y: f64) -> Option<u32> {
        self.board.pick(lane, camera, x, y)
    }

    /// Where a node is drawn in a lane, and its radius, in CSS pixels of the canvas.
    pub fn node_on_screen(
        &self,
        lane: Rect,
        camera: &Camera,
        node: u32,
    ) -> Option<(f64, f64, f64)> {
        let (x, y) = self.board.position(node)?;
        let (x, y) = camera.to_screen(lane, x, y);
        Some((x, y, self.board.radius(node, camera.scale)))
    }

    /// Places for the names of nodes, most important first; the index counts in `names`. `measure`
    /// tells how wide a text is in CSS pixels.
    pub fn labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[(u32, String)],
        font_px: f64,
        measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        self.board.labels(lane, camera, names, font_px, measure)
    }

    /// Places for the names of hosts over their outlines; the index is the host's. Outlines are known
    /// once they were drawn.
    pub fn host_labels(
        &self,
        lane: Rect,
        camera: &Camera,
        names: &[String],
        font_px: f64,
        measure: impl FnMut(&str) -> f64,
    ) -> Vec<PlacedLabel> {
        self.board.host_labels(lane, camera, names, font_px, measure)
    }

    /// Draws a frame.
    pub fn draw(&mut self, scene: &Scene<'_>) -> DrawStats {
        self.paint(scene, false)
    }

    /// Draws a frame with all its links, for keeping: the canvas can be read (`toBlob`) until the task
    /// ends.
    pub fn draw_still(&mut self, scene: &Scene<'_>) -> DrawStats {
        self.paint(scene, true)
    }

    /// The frame as a drawing in SVG.
    pub fn svg(&mut self, scene: &Scene<'_>, words: &Words<'_>) -> Drawing {
        self.file_links(true);
        svg::draw(&self.theme, &mut self.board, &self.lanes, scene, words)
    }

    /// Sets up the graphics card, for the first time or after it was lost.
    fn rebuild(&mut self) -> Result<(), StageError> {
        self.gpu = None;
        self.gpu = Some(Gpu::new(self.gl.clone()).map_err(StageError::Refused)?);
        self.painter = Painter::default();
        self.board.touch();
        self.lanes.iter_mut().for_each(Lane::touch);
        Ok(())
    }

    /// Goes on with links that are not filed yet; true while some are left.
    fn file_links(&mut self, to_the_end: bool) -> bool {
        let was_filing = self.board.is_filing();
        let is_filing = self.board.file(to_the_end);
        if was_filing && !is_filing {
            // Links of single nodes are known from now on.
            self.lanes.iter_mut().for_each(Lane::relight);
        }
        is_filing
    }

    fn paint(&mut self, scene: &Scene<'_>, is_still: bool) -> DrawStats {
        let is_filing = self.file_links(is_still);
        if self.is_lost() || (self.listening.take_restored() && self.rebuild().is_err()) {
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
            Content { theme: &self.theme, board: &mut self.board, lanes: &mut self.lanes };
        let mut stats = self.painter.paint(gpu, content, scene, height as i32, is_still);
        stats.wants_another |= is_filing;
        stats
    }
}
