//! The stage in the page: lane rectangles, camera, pointer gestures, labels.

mod gesture;
mod labels;

pub use gesture::Gesture;

use crate::model::{Action, ChosenPage, Hovered, MAX_LANES, State, score_text};
use crate::theme;
use crawl_protocol::world;
use crawl_stage::{
    Camera, CameraLimits, LaneView, Rect, Scene, Stage, StageGraph, SvgTexts, Theme,
};
use gesture::Pointers;
use js_sys::Float32Array;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement, window};

/// The stage in the page.
pub struct Screen {
    stage: Stage,
    canvas: HtmlCanvasElement,
    labels: HtmlCanvasElement,
    theme: Theme,
    rects: Vec<Rect>,
    size: (f64, f64),
    pixel_ratio: f64,
    camera: Camera,
    target: Camera,
    /// Whether the camera follows the layout; false after the user moved it.
    fits: bool,
    names: Vec<(u32, String)>,
    hosts: Vec<String>,
    /// Rings of the layout: radius, and the distance it stands for.
    rings: Vec<(f32, f64)>,
    /// A page of each node, if nodes are not pages.
    page_of_node: Vec<u32>,
    pointers: Pointers,
    hovered: Option<u32>,
    /// Lanes with steps that the stage has not processed.
    behind: [bool; MAX_LANES],
    dirty: bool,
    labels_dirty: bool,
    /// Whether the labels are those of hulls.
    named_hulls: bool,
    last_ms: f64,
}

impl Screen {
    /// A screen with canvases for stage and labels.
    pub fn new(
        mut stage: Stage,
        canvas: HtmlCanvasElement,
        labels: HtmlCanvasElement,
        state: &State,
    ) -> Self {
        let theme = present_theme(state);
        stage.set_theme(&theme);
        Self {
            stage,
            canvas,
            labels,
            theme,
            rects: Vec::new(),
            size: (0.0, 0.0),
            pixel_ratio: 1.0,
            camera: Camera { x: 0.0, y: 0.0, scale: 1.0 },
            target: Camera { x: 0.0, y: 0.0, scale: 1.0 },
            fits: true,
            names: Vec::new(),
            hosts: Vec::new(),
            rings: Vec::new(),
            page_of_node: Vec::new(),
            pointers: Pointers::default(),
            hovered: None,
            behind: [false; MAX_LANES],
            dirty: true,
            labels_dirty: true,
            named_hulls: false,
            last_ms: 0.0,
        }
    }

    /// The canvas of the stage.
    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// The canvas of the labels.
    pub fn labels(&self) -> &HtmlCanvasElement {
        &self.labels
    }

    /// The current colours.
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Requests a redraw.
    pub fn touch(&mut self) {
        self.dirty = true;
    }

    /// Sets what the stage draws of a world.
    ///
    /// # Errors
    /// If the arrays do not match or WebGL fails.
    pub fn set_picture(
        &mut self,
        picture: &world::Picture,
        arrays: (Vec<f32>, Vec<u32>, Vec<u32>, Vec<u32>),
    ) -> Result<(), String> {
        let (sizes, hosts, edges, node_of_page) = arrays;
        let nodes = match picture.nodes {
            world::Nodes::Hosts => crawl_stage::Nodes::Hosts,
            world::Nodes::Pages | world::Nodes::TopPages => crawl_stage::Nodes::Pages,
        };
        let drawn = StageGraph { nodes, sizes, hosts, edges, node_of_page };
        self.names.clone_from(&picture.labels);
        self.hosts.clone_from(&picture.hosts);
        self.page_of_node = pages_of_nodes(&drawn);
        self.fits = true;
        self.hovered = None;
        self.dirty = true;
        self.stage.set_graph(drawn).map_err(|error| error.to_string())
    }

    /// Sets the node positions.
    ///
    /// # Errors
    /// If their number does not match or WebGL fails.
    pub fn set_positions(
        &mut self,
        places: &Float32Array,
        spacing: f32,
        rings: &[(f32, f64)],
    ) -> Result<(), String> {
        self.rings = rings.to_vec();
        let first = !self.stage.is_placed();
        self.stage.set_positions(places, spacing).map_err(|error| error.to_string())?;
        self.dirty = true;
        self.labels_dirty = true;
        if self.fits {
            self.fit(first);
        }
        Ok(())
    }

    /// Clears a lane, for a new run.
    pub fn clear_lane(&mut self, at: usize) {
        self.stage.clear_lane(at);
        self.dirty = true;
    }

    /// Sets the colour values of a lane's pages; empty for none.
    pub fn set_values(&mut self, at: usize, pages: &[u32], places: &[f32]) {
        self.stage.set_values(at, pages, places);
        self.dirty = true;
    }

    /// Marks a lane as having new steps.
    pub fn update_lane(&mut self, at: usize) {
        if let Some(behind) = self.behind.get_mut(at) {
            *behind = true;
            self.dirty = true;
        }
    }

    /// Processes new steps, a slice per lane or all; true if some are left.
    fn catch_up(&mut self, state: &State, wholly: bool) -> bool {
        for (at, behind) in self.behind.iter_mut().enumerate() {
            while *behind {
                let lane = state.lanes.get(at);
                *behind =
                    lane.is_some_and(|lane| !self.stage.update_lane(at, &lane.record.borrow()));
                if !wholly {
                    break;
                }
            }
        }
        self.behind.contains(&true)
    }

    /// Reads lane rectangles and colours after a rendering.
    pub fn measure(&mut self, state: &State) {
        let base = self.canvas.get_bounding_client_rect();
        let parent = self.canvas.parent_element();
        let stages = parent.and_then(|p| p.query_selector_all(".stage").ok());
        let mut rects = Vec::new();
        if let Some(stages) = stages {
            for i in 0..stages.length() {
                if let Some(element) = stages.get(i).and_then(|n| n.dyn_into::<Element>().ok()) {
                    let rect = element.get_bounding_client_rect();
                    rects.push(Rect::new(
                        rect.x() - base.x(),
                        rect.y() - base.y(),
                        rect.width(),
                        rect.height(),
                    ));
                }
            }
        }
        let size = (base.width(), base.height());
        let pixel_ratio = pixel_ratio();
        let theme = present_theme(state);
        if theme != self.theme {
            self.theme = theme;
            self.stage.set_theme(&theme);
            self.dirty = true;
            self.labels_dirty = true;
        }
        if rects != self.rects || size != self.size || pixel_ratio != self.pixel_ratio {
            let jump = self.rects.is_empty();
            self.rects = rects;
            self.size = size;
            self.pixel_ratio = pixel_ratio;
            for canvas in [&self.canvas, &self.labels] {
                set_size(canvas, size, pixel_ratio);
            }
            self.dirty = true;
            self.labels_dirty = true;
            if self.fits {
                self.fit(jump || theme::reduced_motion());
                self.camera = self.target;
            }
        }
    }

    fn limits(&self) -> Option<CameraLimits> {
        let rect = self.rects.first().filter(|_| self.stage.is_placed())?;
        Some(self.stage.limits(rect.width, rect.height))
    }

    /// Fits the camera to the layout.
    pub fn fit(&mut self, at_once: bool) {
        let Some(rect) = self.rects.first().filter(|_| self.stage.is_placed()) else { return };
        self.target = self.stage.fit(rect.width, rect.height);
        self.fits = true;
        self.dirty = true;
        if at_once {
            self.camera = self.target;
        }
    }

    /// Handles a gesture; returns the resulting action.
    pub fn gesture(&mut self, gesture: Gesture, state: &State) -> Option<Action> {
        if gesture == Gesture::Scrolled {
            self.measure(state);
            return None;
        }
        let limits = self.limits()?;
        match gesture {
            Gesture::Scrolled => {}
            Gesture::Fit => self.fit(theme::reduced_motion()),
            Gesture::Zoom(factor) => {
                let rect = *self.rects.first()?;
                let (x, y) = rect.centre();
                self.look(self.target.zoom_about(rect, x, y, factor, &limits), false);
            }
            Gesture::Wheel { lane, x, y, factor } => {
                let rect = *self.rects.get(lane)?;
                let (x, y) = (rect.x + x, rect.y + y);
                self.look(self.target.zoom_about(rect, x, y, factor, &limits), true);
            }
            Gesture::Down { id, x, y, .. } => self.pointers.down(id, x, y),
            Gesture::Moved { lane, id, x, y } => {
                let rect = *self.rects.get(lane)?;
                match self.pointers.moved(id, x, y) {
                    gesture::Movement::Pan(dx, dy) => {
                        self.look(self.target.pan(dx, dy, &limits), true);
                    }
                    gesture::Movement::Pinch { x, y, factor, dx, dy } => {
                        let panned = self.target.pan(dx, dy, &limits);
                        let (x, y) = (rect.x + x, rect.y + y);
                        self.look(panned.zoom_about(rect, x, y, factor, &limits), true);
                    }
                    gesture::Movement::Hover => {
                        let node = self.stage.pick(rect, &self.camera, rect.x + x, rect.y + y);
                        if node != self.hovered {
                            self.hovered = node;
                            self.dirty = true;
                            let page = self.page_of(node, state);
                            let size = (rect.width, rect.height);
                            let hovered = page.map(|page| Hovered { lane, page, x, y, size });
                            return Some(Action::Hover(hovered));
                        }
                    }
                    gesture::Movement::Nothing => {}
                }
            }
            Gesture::Up { lane, id, x, y } => {
                if self.pointers.up(id) {
                    let rect = *self.rects.get(lane)?;
                    let node = self.stage.pick(rect, &self.camera, rect.x + x, rect.y + y);
                    let page = self.page_of(node, state)?;
                    return Some(Action::Choose(ChosenPage { lane, page }));
                }
            }
            Gesture::Left { id } => {
                self.pointers.forget(id);
                if self.hovered.take().is_some() {
                    self.dirty = true;
                    return Some(Action::Hover(None));
                }
            }
        }
        None
    }

    /// The page of a node; for a host, its most important page.
    fn page_of(&self, node: Option<u32>, state: &State) -> Option<u32> {
        let node = node?;
        match state.picture.as_ref()?.nodes {
            world::Nodes::Pages => Some(node),
            world::Nodes::Hosts | world::Nodes::TopPages => {
                self.page_of_node.get(node as usize).copied()
            }
        }
    }

    fn look(&mut self, camera: Camera, at_once: bool) {
        self.target = camera;
        self.fits = false;
        self.dirty = true;
        if at_once {
            self.camera = camera;
            self.labels_dirty = true;
        }
    }

    /// Draws a frame if anything changed; returns whether another frame is needed.
    pub fn frame(&mut self, state: &State, now_ms: f64) -> bool {
        let elapsed_ms = (now_ms - self.last_ms).clamp(0.0, 100.0);
        self.last_ms = now_ms;
        let reduced = theme::reduced_motion();
        if self.camera != self.target {
            self.camera = self.camera.towards(self.target, elapsed_ms, reduced);
            self.dirty = true;
            self.labels_dirty = true;
        }
        if self.named_hulls != state.hulls {
            self.named_hulls = state.hulls;
            self.labels_dirty = true;
        }
        if !(self.dirty || state.is_moving()) || self.rects.is_empty() {
            return false;
        }
        self.draw(state, now_ms);
        if self.labels_dirty {
            self.labels_dirty = false;
            self.draw_labels(state.hulls);
        }
        self.dirty || self.camera != self.target
    }

    /// Draws a frame.
    fn draw(&mut self, state: &State, now_ms: f64) {
        let is_behind = self.catch_up(state, false);
        let drawn = self.with_scene(state, now_ms, Stage::draw);
        self.dirty = drawn.wants_another || is_behind;
    }

    /// Draws a complete frame, to be copied within the current task.
    pub fn draw_still(&mut self, state: &State) {
        self.catch_up(state, true);
        self.camera = self.target;
        self.with_scene(state, self.last_ms, Stage::draw_still);
    }

    /// The stage as SVG.
    pub fn svg(&mut self, state: &State, title: &str, lanes: &[&str]) -> String {
        self.catch_up(state, true);
        let (names, hosts) = (self.names.clone(), self.hosts.clone());
        let words = SvgTexts { title, lanes, nodes: &names, hosts: &hosts };
        // Use the camera's target, not its animation.
        self.camera = self.target;
        self.with_scene(state, self.last_ms, |stage, scene| stage.svg(scene, &words).svg)
    }

    /// Calls `work` with the stage and the current scene.
    fn with_scene<T>(
        &mut self,
        state: &State,
        now_ms: f64,
        work: impl FnOnce(&mut Stage, &Scene<'_>) -> T,
    ) -> T {
        let selected = state.chosen.and_then(|chosen| self.stage.node_of(chosen.page));
        let hovered = self.hovered;
        let axis = state.axis();
        let mut views = [LaneView::default(); MAX_LANES];
        let frames: Vec<_> = state.lanes.iter().map(|lane| lane.frame.clone()).collect();
        for (at, (lane, rect)) in state.lanes.iter().zip(&self.rects).enumerate() {
            let step = match axis {
                crawl_protocol::Axis::Pages => state.head.at.min(f64::from(lane.n_steps())),
                crawl_protocol::Axis::Seconds => f64::from(lane.step_at(axis, state.head.at)),
            };
            let in_flight = frames[at].as_ref().map_or(&[][..], |frame| &frame.in_flight);
            views[at] =
                LaneView { rect: *rect, step, selected, hovered, in_flight, muted: lane.muted };
        }
        let n = self.rects.len().min(state.lanes.len()).min(views.len());
        let scene = Scene {
            size: self.size,
            pixel_ratio: self.pixel_ratio,
            camera: self.camera,
            lanes: &views[..n],
            hulls: state.hulls,
            time_ms: now_ms,
            reduced_motion: theme::reduced_motion(),
        };
        work(&mut self.stage, &scene)
    }

    fn draw_labels(&self, hulls: bool) {
        let (stage, camera) = (&self.stage, &self.camera);
        let mut rings = Vec::new();
        for rect in &self.rects {
            let middle = camera.to_screen(*rect, 0.0, 0.0);
            for (radius, distance) in &self.rings {
                let radius = f64::from(*radius) * camera.scale;
                rings.push(labels::Ring {
                    rect: *rect,
                    middle,
                    radius,
                    text: score_text(*distance),
                });
            }
        }
        labels::draw(&self.labels, self.pixel_ratio, &self.theme, &rings, |width_of| {
            let mut placed = Vec::new();
            for rect in &self.rects {
                if hulls {
                    let labels =
                        stage.host_labels(*rect, camera, &self.hosts, labels::PX, width_of);
                    let text = |at: usize| self.hosts.get(at).map(String::as_str);
                    placed.extend(labels.iter().filter_map(|l| Some((l.rect, text(l.index)?))));
                } else {
                    let labels = stage.labels(*rect, camera, &self.names, labels::PX, width_of);
                    let text = |at: usize| self.names.get(at).map(|(_, text)| text.as_str());
                    placed.extend(labels.iter().filter_map(|l| Some((l.rect, text(l.index)?))));
                }
            }
            placed
        });
    }
}

/// The first page of each node.
fn pages_of_nodes(graph: &StageGraph) -> Vec<u32> {
    if graph.node_of_page.is_empty() {
        return Vec::new();
    }
    let mut pages = vec![u32::MAX; graph.n_nodes()];
    for (page, node) in graph.node_of_page.iter().enumerate() {
        if let Some(place) = pages.get_mut(*node as usize).filter(|p| **p == u32::MAX) {
            *place = page as u32;
        }
    }
    pages
}

/// Colours of the style sheet, lanes in their order.
fn present_theme(state: &State) -> Theme {
    let of = theme::colour;
    let lane = |at: usize| {
        of(["--lane-1", "--lane-2", "--lane-3", "--lane-4"][usize::from(state.mark(at))])
    };
    Theme {
        background: of("--surface"),
        faint: of("--faint"),
        muted: of("--muted"),
        ink: of("--ink"),
        lanes: [0, 1, 2, 3].map(lane),
    }
}

/// Device pixels per CSS pixel.
fn pixel_ratio() -> f64 {
    window().map_or(1.0, |window| window.device_pixel_ratio()).clamp(0.5, 3.0)
}

/// Sets the resolution of a canvas; skips an unchanged size, since setting it clears the canvas.
fn set_size(canvas: &HtmlCanvasElement, (width, height): (f64, f64), pixel_ratio: f64) {
    let px = |x: f64| ((x * pixel_ratio).round() as u32).max(1);
    if canvas.width() != px(width) {
        canvas.set_width(px(width));
    }
    if canvas.height() != px(height) {
        canvas.set_height(px(height));
    }
}
