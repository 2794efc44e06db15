//! Pixel tests of the stage in a real browser.
#![cfg(target_arch = "wasm32")]

use crawl_stage::{
    Camera, LaneView, Nodes, Record, Rect, Rgb, Scene, Stage, StageGraph, Theme, graph::NONE,
};
use js_sys::{Float32Array, Promise};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext as Gl, WebglLoseContext};

wasm_bindgen_test_configure!(run_in_browser);

const SIZE: (f64, f64) = (400.0, 200.0);
const LEFT: Rect = Rect::new(0.0, 0.0, 200.0, 200.0);
const RIGHT: Rect = Rect::new(200.0, 0.0, 200.0, 200.0);
const CAMERA: Camera = Camera { x: 0.0, y: 0.0, scale: 100.0 };

/// Six distant nodes of maximum size, and the links 0 → 1 → 2, 0 → 3.
const POSITIONS: [f32; 12] = [-0.6, -0.6, 0.0, -0.6, 0.6, -0.6, -0.6, 0.6, 0.0, 0.6, 0.6, 0.6];

fn canvas() -> HtmlCanvasElement {
    let document = web_sys::window().and_then(|window| window.document()).expect("a page");
    document.create_element("canvas").expect("a canvas").unchecked_into()
}

fn context(canvas: &HtmlCanvasElement) -> Gl {
    canvas.get_context("webgl2").expect("allowed").expect("WebGL2").unchecked_into()
}

fn graph() -> StageGraph {
    StageGraph { sizes: vec![1.0; 6], edges: vec![0, 1, 1, 2, 0, 3], ..StageGraph::default() }
}

/// Seed 0; step 1 fetches 0 and discovers 1 and 3; step 2 fetches 1 and discovers 2; step 3 fetches
/// 3.
fn record() -> Record {
    let mut record = Record::new(6);
    let (pages, seconds) = ([0, 1, 3], [1.0, 2.0, 3.0]);
    record.push(0, &pages, &seconds, &[0.0; 3], &[1, 2, 1, 0], &[0, 1, 3, 2]).expect("fits");
    record
}

struct Fixture {
    canvas: HtmlCanvasElement,
    stage: Stage,
}

/// All pixels of a frame, from the bottom left corner.
#[derive(PartialEq)]
struct Pixels {
    bytes: Vec<u8>,
    width: usize,
    height: usize,
    ratio: f64,
}

impl Fixture {
    fn new(graph: StageGraph, spacing: f32) -> Self {
        let canvas = canvas();
        let mut stage = Stage::new(&canvas).expect("WebGL2");
        stage.set_graph(graph).expect("fits");
        let n = 2 * POSITIONS.len() / 2;
        stage.set_positions(&Float32Array::from(&POSITIONS[..n]), spacing).expect("fits");
        stage.update_lane(0, &record());
        Self { canvas, stage }
    }

    fn read(&self, ratio: f64) -> Pixels {
        let gl = context(&self.canvas);
        assert_eq!(gl.get_error(), Gl::NO_ERROR, "WebGL is content");
        let (width, height) = (self.canvas.width() as usize, self.canvas.height() as usize);
        let mut bytes = vec![0; width * height * 4];
        gl.bind_framebuffer(Gl::READ_FRAMEBUFFER, None);
        gl.read_pixels_with_opt_u8_array(
            0,
            0,
            width as i32,
            height as i32,
            Gl::RGBA,
            Gl::UNSIGNED_BYTE,
            Some(&mut bytes),
        )
        .expect("can be read");
        Pixels { bytes, width, height, ratio }
    }

    fn draw(&mut self, lanes: &[LaneView<'_>], ratio: f64) -> Pixels {
        let stats = self.stage.draw(&scene(lanes, ratio));
        assert!(stats.is_drawn);
        self.read(ratio)
    }

    fn at_step(&mut self, step: f64) -> Pixels {
        self.draw(&[LaneView { rect: LEFT, step, ..LaneView::default() }], 1.0)
    }
}

fn scene<'a>(lanes: &'a [LaneView<'a>], pixel_ratio: f64) -> Scene<'a> {
    Scene {
        size: SIZE,
        pixel_ratio,
        camera: CAMERA,
        lanes,
        hulls: false,
        time_ms: 0.0,
        reduced_motion: true,
    }
}

impl Pixels {
    /// The pixel at a point in CSS pixels, from the top left corner.
    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let (x, y) = ((x * self.ratio) as usize, (y * self.ratio) as usize);
        let i = ((self.height - 1 - y) * self.width + x) * 4;
        [self.bytes[i], self.bytes[i + 1], self.bytes[i + 2]]
    }

    /// The pixel `distance` below a node's centre in the left lane, where no link is.
    fn below(&self, node: usize, distance: f64) -> [u8; 3] {
        let (x, y) = (f64::from(POSITIONS[2 * node]), f64::from(POSITIONS[2 * node + 1]));
        let (x, y) = CAMERA.to_screen(LEFT, x, y);
        self.at(x, y + distance)
    }
}

fn is_near(pixel: [u8; 3], colour: Rgb) -> bool {
    is_within(pixel, colour, 3)
}

/// Tolerance for antialiased edges.
fn is_mostly(pixel: [u8; 3], colour: Rgb) -> bool {
    is_within(pixel, colour, 50)
}

fn is_within(pixel: [u8; 3], colour: Rgb, most: u8) -> bool {
    pixel.iter().zip(colour.bytes()).all(|(a, b)| a.abs_diff(b) <= most)
}

/// Radius of a node of size 1 at this spacing: the maximum.
const RADIUS: f64 = 15.0;
const SPACING: f32 = 0.3;

#[wasm_bindgen_test]
fn nodes_are_drawn_by_their_state() {
    let theme = Theme::LIGHT;
    let mut fixture = Fixture::new(graph(), SPACING);
    let pixels = fixture.at_step(2.0);
    assert!(is_near(pixels.below(1, 0.0), theme.lanes[0]), "just fetched: in the lane's colour");
    let older = pixels.below(0, 0.0);
    assert!(!is_near(older, theme.lanes[0]) && !is_near(older, theme.background), "older: paler");
    for (node, what) in [(2, "just found"), (3, "found before")] {
        assert!(is_near(pixels.below(node, 0.0), theme.background), "{what}: hollow");
        assert!(is_mostly(pixels.below(node, RADIUS - 0.5), theme.lanes[0]), "{what}: a ring");
        assert!(is_near(pixels.below(node, RADIUS + 3.0), theme.background), "{what}: no more");
    }
    assert!(is_near(pixels.below(4, 0.0), theme.unknown()), "not found: faint");
    assert!(is_mostly(pixels.below(1, RADIUS + 3.0), theme.ink), "the current page has a ring");
    let start = fixture.at_step(0.0);
    assert!(is_near(start.below(0, 0.0), theme.background), "seeds wait");
    assert!(is_near(start.below(1, 0.0), theme.unknown()));
    fixture.stage.set_theme(&Theme::DARK);
    assert!(is_near(fixture.at_step(2.0).below(1, 0.0), Theme::DARK.lanes[0]));
}

#[wasm_bindgen_test]
fn stepping_back_restores_every_pixel() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let frames: Vec<Pixels> = (0..4).map(|step| fixture.at_step(f64::from(step))).collect();
    for step in (0..4).rev() {
        assert!(fixture.at_step(f64::from(step)) == frames[step as usize], "step {step}");
        assert!(step == 0 || frames[step as usize] != frames[step as usize - 1]);
    }
    assert!(fixture.at_step(99.0) == frames[3], "there is no later step");
}

#[wasm_bindgen_test]
fn steps_that_arrive_later_are_drawn() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let all = fixture.at_step(3.0);
    let mut growing = Record::new(6);
    growing.push(0, &[0], &[1.0], &[0.0], &[1, 2], &[0, 1, 3]).expect("fits");
    fixture.stage.update_lane(0, &growing);
    let few = fixture.at_step(3.0);
    assert!(few != all);
    growing.push(1, &[1, 3], &[2.0, 3.0], &[0.0; 2], &[1, 0], &[2]).expect("fits");
    fixture.stage.update_lane(0, &growing);
    assert!(fixture.at_step(3.0) == all);
    fixture.stage.clear_lane(0);
    assert!(is_near(fixture.at_step(3.0).below(0, 0.0), Theme::LIGHT.unknown()));
}

#[wasm_bindgen_test]
fn lanes_keep_to_their_rectangles() {
    let mut fixture = Fixture::new(graph(), SPACING);
    fixture.stage.update_lane(1, &record());
    let lane = |rect, step| LaneView { rect, step, ..LaneView::default() };
    let pixels = fixture.draw(&[lane(LEFT, 1.0), lane(RIGHT, 1.0)], 1.0);
    assert!(is_near(pixels.at(40.0, 40.0), Theme::LIGHT.lanes[0]));
    assert!(is_near(pixels.at(240.0, 40.0), Theme::LIGHT.lanes[1]));
    // A lane whose edge crosses a node shows half of it.
    let cut = Rect::new(40.0, 0.0, 120.0, 200.0);
    let pixels = fixture.draw(&[lane(cut, 1.0)], 1.0);
    assert!(is_near(pixels.at(43.0, 40.0), Theme::LIGHT.lanes[0]));
    assert!(is_near(pixels.at(37.0, 40.0), Theme::LIGHT.background));
    // A smaller lane shows the same, cropped: the copied base matches the nodes.
    let small =
        fixture.draw(&[lane(LEFT, 1.0), lane(Rect::new(220.0, 20.0, 160.0, 160.0), 1.0)], 1.0);
    assert!(is_near(small.at(300.0, 160.0), Theme::LIGHT.unknown()));
    assert!(is_near(small.at(300.0, 100.0), Theme::LIGHT.background));
}

#[wasm_bindgen_test]
fn two_device_pixels_a_pixel_draw_the_same_picture() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let lanes = [LaneView { rect: LEFT, step: 2.0, ..LaneView::default() }];
    let pixels = fixture.draw(&lanes, 2.0);
    assert_eq!((fixture.canvas.width(), fixture.canvas.height()), (800, 400));
    assert!(is_near(pixels.below(1, 0.0), Theme::LIGHT.lanes[0]));
    assert!(is_near(pixels.below(2, 0.0), Theme::LIGHT.background));
    assert!(is_mostly(pixels.below(2, RADIUS - 0.5), Theme::LIGHT.lanes[0]));
    assert!(is_near(pixels.below(2, RADIUS + 2.0), Theme::LIGHT.background));
}

#[wasm_bindgen_test]
fn selected_nodes_have_a_ring_and_lit_links() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let lane = LaneView { rect: LEFT, ..LaneView::default() };
    let plain = fixture.draw(&[lane], 1.0);
    let highlighted = fixture.draw(&[LaneView { selected: Some(2), ..lane }], 1.0);
    let (x, y) = CAMERA.to_screen(LEFT, 0.3, -0.6);
    assert_ne!(plain.at(x, y), highlighted.at(x, y), "the link 1 → 2, seen from its end");
    assert!(is_near(highlighted.below(2, RADIUS + 4.0), Theme::LIGHT.ink));
    let hovered = fixture.draw(&[LaneView { hovered: Some(4), ..lane }], 1.0);
    assert_ne!(plain.below(4, RADIUS + 2.5), hovered.below(4, RADIUS + 2.5));
    let fetching = fixture.draw(&[LaneView { in_flight: &[5, 77], ..lane }], 1.0);
    assert_ne!(plain.below(5, RADIUS + 4.0), fetching.below(5, RADIUS + 4.0));
}

#[wasm_bindgen_test]
fn hosts_fill_as_their_pages_are_fetched() {
    let graph =
        StageGraph { nodes: Nodes::Hosts, node_of_page: vec![0, 0, 0, 0, 1, NONE], ..graph() };
    let mut fixture = Fixture::new(graph, SPACING);
    let radius = 48.0;
    let empty = fixture.at_step(0.0);
    assert!(is_near(empty.below(0, 20.0), Theme::LIGHT.background), "found, nothing fetched");
    assert!(is_near(empty.below(1, 5.0), Theme::LIGHT.unknown()), "not found");
    let quarter = fixture.at_step(1.0);
    assert!(
        is_near(quarter.below(0, radius * 0.4), Theme::LIGHT.lanes[0]),
        "a quarter of the area"
    );
    assert!(is_near(quarter.below(0, radius * 0.6), Theme::LIGHT.background));
    let most = fixture.at_step(3.0);
    assert!(is_near(most.below(0, radius * 0.8), Theme::LIGHT.lanes[0]), "three quarters");
    assert!(is_near(most.below(0, radius * 0.92), Theme::LIGHT.background));
    assert!(fixture.at_step(0.0) == empty && fixture.at_step(1.0) == quarter);
}

#[wasm_bindgen_test]
fn outlines_of_hosts_are_drawn_on_demand() {
    let hosts = vec![0, 0, 0, 1, 1, NONE];
    let mut fixture = Fixture::new(StageGraph { hosts, ..graph() }, 0.05);
    let lanes = [LaneView { rect: LEFT, ..LaneView::default() }];
    let plain = fixture.draw(&lanes, 1.0);
    let outlined = Scene { hulls: true, ..scene(&lanes, 1.0) };
    fixture.stage.draw(&outlined);
    let pixels = fixture.read(1.0);
    let (x, y) = CAMERA.to_screen(LEFT, -0.3, 0.55);
    assert!(is_near(plain.at(x, y), Theme::LIGHT.background));
    assert!(!is_near(pixels.at(x, y), Theme::LIGHT.background), "within the outline of host 1");
    let (x, y) = CAMERA.to_screen(LEFT, 0.3, 0.3);
    assert!(is_near(pixels.at(x, y), Theme::LIGHT.background), "within none");
    assert!(fixture.draw(&lanes, 1.0) == plain);
}

#[wasm_bindgen_test]
fn many_links_are_thinned_while_the_camera_moves() {
    let edges: Vec<u32> = (0..70_000).flat_map(|i| [i % 6, (i / 6) % 6]).collect();
    let mut fixture = Fixture::new(StageGraph { edges, ..graph() }, SPACING);
    let lanes = [LaneView { rect: LEFT, ..LaneView::default() }];
    let mut draw = |time_ms: f64, scale: f64| {
        let camera = Camera { scale, ..CAMERA };
        let stats = fixture.stage.draw(&Scene { time_ms, camera, ..scene(&lanes, 1.0) });
        (stats.is_base_redrawn, stats.n_edges, stats.wants_another)
    };
    assert_eq!(draw(1000.0, 100.0), (true, 60_000, true));
    assert_eq!(draw(1016.0, 100.0), (false, 0, true));
    assert_eq!(draw(1032.0, 101.0), (true, 60_000, true));
    assert_eq!(draw(1300.0, 101.0), (true, 70_000, false));
    assert_eq!(draw(1316.0, 101.0), (false, 0, false));
    assert_eq!(draw(1332.0, 102.0), (true, 60_000, true));
    let still = fixture.stage.draw_still(&Scene { time_ms: 1333.0, ..scene(&lanes, 1.0) });
    assert_eq!((still.n_edges, still.wants_another), (70_000, false));
}

async fn wait_ms(ms: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        let window = web_sys::window().expect("a page");
        window
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms)
            .expect("a timer");
    });
    JsFuture::from(promise).await.expect("time passes");
}

/// Waits until a condition holds.
async fn wait_until(is_so: impl Fn() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        wait_ms(20).await;
    }
    panic!("waited a minute in vain");
}

#[wasm_bindgen_test]
async fn a_restored_context_shows_the_same_frame() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let before = fixture.at_step(2.0);
    let is_awake = std::rc::Rc::new(std::cell::Cell::new(false));
    fixture.stage.set_wake({
        let is_awake = is_awake.clone();
        move || is_awake.set(true)
    });
    let extension: WebglLoseContext = context(&fixture.canvas)
        .get_extension("WEBGL_lose_context")
        .expect("allowed")
        .expect("every browser has it")
        .unchecked_into();
    // The context is lost at once, but can be restored only after its event was dispatched.
    let has_event = std::rc::Rc::new(std::cell::Cell::new(false));
    let listener = Closure::<dyn FnMut()>::new({
        let has_event = has_event.clone();
        move || has_event.set(true)
    });
    fixture
        .canvas
        .add_event_listener_with_callback("webglcontextlost", listener.as_ref().unchecked_ref())
        .expect("a listener");
    extension.lose_context();
    wait_until(|| has_event.get()).await;
    assert!(fixture.stage.is_lost());
    let lanes = [LaneView { rect: LEFT, step: 2.0, ..LaneView::default() }];
    assert!(!fixture.stage.draw(&scene(&lanes, 1.0)).is_drawn);
    // Changes made while the context is lost are kept.
    fixture.stage.set_theme(&Theme::DARK);
    extension.restore_context();
    wait_until(|| is_awake.get() && !fixture.stage.is_lost()).await;
    assert!(is_near(fixture.at_step(2.0).below(1, 0.0), Theme::DARK.lanes[0]));
    fixture.stage.set_theme(&Theme::LIGHT);
    assert!(fixture.at_step(2.0) == before);
}

#[wasm_bindgen_test]
fn a_canvas_in_use_gives_an_error_message() {
    let canvas = canvas();
    let taken: JsValue = canvas.get_context("2d").expect("allowed").expect("2D").into();
    assert!(taken.is_object());
    let error = Stage::new(&canvas).err().expect("taken").to_string();
    assert!(error.contains("WebGL2"), "{error}");
}

#[wasm_bindgen_test]
fn nodes_are_picked_where_they_are_drawn() {
    let mut fixture = Fixture::new(graph(), SPACING);
    let pixels = fixture.at_step(0.0);
    let (stage, background) = (&fixture.stage, Theme::LIGHT.background);
    // Below node 0 there is a link.
    for node in 1..6 {
        let (x, y, radius) = stage.node_on_screen(LEFT, &CAMERA, node).expect("drawn");
        assert_eq!(radius, RADIUS);
        assert_eq!(stage.pick(LEFT, &CAMERA, x + radius - 1.0, y), Some(node));
        assert_eq!(stage.pick(LEFT, &CAMERA, x, y + radius + 1.0), None);
        assert!(!is_near(pixels.at(x, y + radius - 1.0), background));
        assert!(is_near(pixels.at(x, y + radius + 4.0), background));
    }
    let names = [(4, "four".to_owned()), (99, "nobody".to_owned())];
    let labels = stage.labels(LEFT, &CAMERA, &names, 11.0, |_| 30.0);
    assert_eq!(labels.len(), 1);
    assert!(LEFT.holds(&labels[0].rect));
}
