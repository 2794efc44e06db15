//! Benchmarks the stage against a bare WebGL2 loop: 50,000 pages and 200,000 links while a crawl
//! plays. Prints lines that `cargo xtask bench` parses.
//!
//! The bare loop draws every line and every point in every frame, with minimal shaders, after
//! uploading the pages' states, which change in every frame.
#![cfg(target_arch = "wasm32")]

use crawl_stage::{Camera, LaneView, Record, Rect, Scene, Stage, StageGraph};
use js_sys::{Float32Array, Promise, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{
    HtmlCanvasElement, HtmlElement, WebGl2RenderingContext as Gl, WebGlContextAttributes,
    WebGlProgram,
};

wasm_bindgen_test_configure!(run_in_browser);

const N_PAGES: u32 = 50_000;
const N_LINKS: u32 = 200_000;
const N_HOSTS: u32 = 400;
const SIZE: (f64, f64) = (1440.0, 900.0);
const STEPS_A_FRAME: f64 = 50.0;
const N_FRAMES: u32 = 10;
const N_WARM: u32 = 2;
const N_ROUNDS: u32 = 2;

/// Deterministic random numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    fn unit(&mut self) -> f32 {
        self.next() as f32 / 2_147_483_648.0
    }
}

struct World {
    positions: Vec<f32>,
    sizes: Vec<f32>,
    hosts: Vec<u32>,
    edges: Vec<u32>,
}

/// Hosts as round clusters, with most links inside.
fn world() -> World {
    let mut numbers = Numbers(7);
    let centres: Vec<[f32; 2]> =
        (0..N_HOSTS).map(|_| [numbers.unit() * 1.8 - 0.9, numbers.unit() * 1.2 - 0.6]).collect();
    let mut world = World { positions: vec![], sizes: vec![], hosts: vec![], edges: vec![] };
    for page in 0..N_PAGES {
        let host = page % N_HOSTS;
        let [x, y] = centres[host as usize];
        let (angle, radius) =
            (numbers.unit() * std::f32::consts::TAU, 0.04 * numbers.unit().sqrt());
        world.positions.extend([x + radius * angle.cos(), y + radius * angle.sin()]);
        world.sizes.push(numbers.unit().powi(8));
        world.hosts.push(host);
    }
    for _ in 0..N_LINKS {
        let from = numbers.below(N_PAGES);
        let to = if numbers.below(100) < 97 {
            (from % N_HOSTS + N_HOSTS * numbers.below(N_PAGES / N_HOSTS)) % N_PAGES
        } else {
            numbers.below(N_PAGES)
        };
        world.edges.extend([from, to]);
    }
    world
}

/// A breadth-first crawl.
fn record(world: &World) -> Record {
    let mut links = vec![Vec::new(); N_PAGES as usize];
    for edge in world.edges.chunks(2) {
        links[edge[0] as usize].push(edge[1]);
    }
    let mut is_known = vec![false; N_PAGES as usize];
    let mut found: Vec<u32> = (0..20).collect();
    found.iter().for_each(|&page| is_known[page as usize] = true);
    let (mut pages, mut counts) = (Vec::new(), vec![found.len() as u32]);
    while let Some(&page) = found.get(pages.len()) {
        let before = found.len();
        for &to in &links[page as usize] {
            if !std::mem::replace(&mut is_known[to as usize], true) {
                found.push(to);
            }
        }
        pages.push(page);
        counts.push((found.len() - before) as u32);
    }
    let numbers: Vec<f64> = (0..pages.len()).map(|i| i as f64).collect();
    let mut record = Record::new(N_PAGES);
    record.push(0, &pages, &numbers, &numbers, &counts, &found).expect("fits");
    assert!(record.n_steps() > N_PAGES / 2, "{} steps", record.n_steps());
    record
}

fn canvas() -> HtmlCanvasElement {
    let document = web_sys::window().and_then(|window| window.document()).expect("a page");
    let canvas: HtmlCanvasElement =
        document.create_element("canvas").expect("a canvas").unchecked_into();
    canvas.set_width(SIZE.0 as u32);
    canvas.set_height(SIZE.1 as u32);
    let element: &HtmlElement = canvas.unchecked_ref();
    element
        .set_attribute("style", "position:fixed;inset:0;width:1440px;height:900px")
        .expect("a style");
    canvas
}

fn show(canvas: &HtmlCanvasElement) {
    let document = web_sys::window().and_then(|window| window.document()).expect("a page");
    document.body().expect("a body").append_child(canvas).expect("can be shown");
}

fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).expect("a clock").now()
}

async fn next_frame() {
    let promise = Promise::new(&mut |resolve, _| {
        let window = web_sys::window().expect("a page");
        window.request_animation_frame(&resolve).expect("frames");
    });
    JsFuture::from(promise).await.expect("a frame comes");
}

/// Measured times of frames.
#[derive(Clone, Debug, Default)]
struct Cost {
    busy_ms: Vec<f64>,
    frames_a_second: f64,
}

impl Cost {
    /// Median main-thread time per frame: other processes use the machine too.
    fn main_thread_ms(&mut self) -> f64 {
        self.busy_ms.sort_by(f64::total_cmp);
        self.busy_ms[self.busy_ms.len() / 2]
    }

    /// Draws frames as fast as the browser shows them; the fastest round counts.
    async fn measure(&mut self, canvas: &HtmlCanvasElement, mut draw: impl FnMut(u32)) {
        show(canvas);
        for frame in 0..N_WARM {
            draw(frame);
            next_frame().await;
        }
        let start = now();
        for frame in N_WARM..N_WARM + N_FRAMES {
            let before = now();
            draw(frame);
            self.busy_ms.push(now() - before);
            next_frame().await;
        }
        let frames_a_second = f64::from(N_FRAMES) / (now() - start) * 1000.0;
        self.frames_a_second = self.frames_a_second.max(frames_a_second);
        canvas.remove();
    }

    fn report(&mut self, name: &str) {
        console_log!("frame\t{name}\t{}", self.main_thread_ms());
        console_log!("frames a second\t{name}\t{}", self.frames_a_second);
    }
}

/// The baseline: a bare WebGL2 loop.
struct Bare {
    gl: Gl,
    lines: WebGlProgram,
    points: WebGlProgram,
    states: Float32Array,
}

const BARE_VERTEX: &str = "#version 300 es
layout(location = 0) in vec2 position; layout(location = 1) in float size;
layout(location = 2) in float state; out vec3 tint;
void main() {
    gl_Position = vec4(position.x * 0.972, -position.y * 1.556, 0.0, 1.0);
    gl_PointSize = 3.0 + 4.0 * size;
    tint = state < 0.5 ? vec3(0.8) : state < 1.5 ? vec3(0.6, 0.8, 0.9) : vec3(0.0, 0.45, 0.7);
}";
const BARE_POINT: &str = "#version 300 es
precision mediump float; in vec3 tint; out vec4 colour;
void main() {
    if (length(gl_PointCoord - 0.5) > 0.5) discard;
    colour = vec4(tint, 1.0);
}";
const BARE_LINE: &str = "#version 300 es
precision mediump float; out vec4 colour;
void main() { colour = vec4(0.06, 0.06, 0.06, 0.1); }";

impl Bare {
    fn new(canvas: &HtmlCanvasElement, world: &World) -> Self {
        // Like the stage, without antialiasing, which would be several times slower.
        let options = WebGlContextAttributes::new();
        options.set_antialias(false);
        options.set_alpha(false);
        options.set_depth(false);
        let gl: Gl = canvas
            .get_context_with_context_options("webgl2", &options)
            .expect("allowed")
            .expect("WebGL2")
            .unchecked_into();
        let program = |fragment: &str| {
            let program = gl.create_program().expect("a program");
            for (kind, source) in
                [(Gl::VERTEX_SHADER, BARE_VERTEX), (Gl::FRAGMENT_SHADER, fragment)]
            {
                let shader = gl.create_shader(kind).expect("a shader");
                gl.shader_source(&shader, source);
                gl.compile_shader(&shader);
                gl.attach_shader(&program, &shader);
            }
            gl.link_program(&program);
            assert!(gl.get_program_parameter(&program, Gl::LINK_STATUS).is_truthy());
            program
        };
        let (lines, points) = (program(BARE_LINE), program(BARE_POINT));
        let states = Float32Array::new_with_length(N_PAGES);
        let attributes: [(&JsValue, i32); 3] = [
            (&Float32Array::from(&world.positions[..]), 2),
            (&Float32Array::from(&world.sizes[..]), 1),
            (&states, 1),
        ];
        for (i, (values, n)) in attributes.into_iter().enumerate() {
            gl.bind_buffer(Gl::ARRAY_BUFFER, gl.create_buffer().as_ref());
            let values = values.unchecked_ref();
            gl.buffer_data_with_array_buffer_view(Gl::ARRAY_BUFFER, values, Gl::DYNAMIC_DRAW);
            gl.enable_vertex_attrib_array(i as u32);
            gl.vertex_attrib_pointer_with_i32(i as u32, n, Gl::FLOAT, false, 0, 0);
        }
        gl.bind_buffer(Gl::ELEMENT_ARRAY_BUFFER, gl.create_buffer().as_ref());
        gl.buffer_data_with_array_buffer_view(
            Gl::ELEMENT_ARRAY_BUFFER,
            &Uint32Array::from(&world.edges[..]),
            Gl::STATIC_DRAW,
        );
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        gl.clear_color(1.0, 1.0, 1.0, 1.0);
        Self { gl, lines, points, states }
    }

    /// Draws the states after `step`, updating those that changed since `before`.
    fn draw(&self, record: &Record, before: u32, step: u32) {
        for &page in &record.found()[record.n_found(before) as usize..record.n_found(step) as usize]
        {
            self.states.set_index(page, 1.0);
        }
        for step in before..step {
            if let Some(page) = record.page_at(step + 1) {
                self.states.set_index(page, 2.0);
            }
        }
        let gl = &self.gl;
        gl.buffer_sub_data_with_i32_and_array_buffer_view(Gl::ARRAY_BUFFER, 0, &self.states);
        gl.clear(Gl::COLOR_BUFFER_BIT);
        gl.use_program(Some(&self.lines));
        gl.draw_elements_with_i32(Gl::LINES, 2 * N_LINKS as i32, Gl::UNSIGNED_INT, 0);
        gl.use_program(Some(&self.points));
        gl.draw_arrays(Gl::POINTS, 0, N_PAGES as i32);
    }
}

struct Played {
    stage: Stage,
    canvas: HtmlCanvasElement,
    camera: Camera,
}

impl Played {
    fn new(world: &World, record: &Record) -> Self {
        let canvas = canvas();
        let mut stage = Stage::new(&canvas).expect("WebGL2");
        let graph = StageGraph {
            sizes: world.sizes.clone(),
            hosts: world.hosts.clone(),
            edges: world.edges.clone(),
            ..StageGraph::default()
        };
        stage.set_graph(graph).expect("fits");
        stage.set_positions(&Float32Array::from(&world.positions[..]), 0.003).expect("fits");
        (0..4).for_each(|lane| while !stage.update_lane(lane, record) {});
        let camera = stage.fit(SIZE.0, SIZE.1);
        Self { stage, canvas, camera }
    }

    fn draw(&mut self, step: f64, n_lanes: usize, camera: Camera, time_ms: f64) {
        let (width, height) = if n_lanes == 1 { SIZE } else { (SIZE.0 / 2.0, SIZE.1 / 2.0) };
        let lanes: [LaneView<'_>; 4] = std::array::from_fn(|i| {
            let (x, y) = ((i % 2) as f64 * width, (i / 2) as f64 * height);
            LaneView { rect: Rect::new(x, y, width, height), step, ..LaneView::default() }
        });
        let stats = self.stage.draw(&Scene {
            size: SIZE,
            pixel_ratio: 1.0,
            camera,
            lanes: &lanes[..n_lanes],
            hulls: false,
            time_ms,
            reduced_motion: false,
        });
        assert!(stats.is_drawn);
    }
}

#[wasm_bindgen_test]
async fn a_stage_that_plays_keeps_up_with_a_bare_loop() {
    let world = world();
    let record = record(&world);
    let bare_canvas = canvas();
    let bare = Bare::new(&bare_canvas, &world);
    let mut played = Played::new(&world, &record);
    let stage_canvas = played.canvas.clone();
    let fit = played.camera;
    // Index and draw all links once, so that the measured frames do not.
    for frame in 0..20 {
        played.draw(0.0, 1, fit, f64::from(frame) * 16.0);
    }
    played.draw(0.0, 1, fit, 1e6);
    let middle = f64::from(record.n_steps()) / 2.0;
    let step_at = |frame: u32| middle + f64::from(frame) * STEPS_A_FRAME;
    let (mut of_bare, mut of_stage) = (Cost::default(), Cost::default());
    bare.draw(&record, 0, step_at(0) as u32);
    for _ in 0..N_ROUNDS {
        let draw = |frame| bare.draw(&record, step_at(frame) as u32, step_at(frame + 1) as u32);
        of_bare.measure(&bare_canvas, draw).await;
        of_stage.measure(&stage_canvas, |frame| played.draw(step_at(frame), 1, fit, 1e6)).await;
    }
    of_bare.report("bare loop");
    of_stage.report("stage");
    let mut moving = Cost::default();
    let pan = |frame| {
        let camera = Camera { x: f64::from(frame) * 0.002, ..fit };
        played.draw(step_at(frame), 1, camera, f64::from(frame) * 16.0);
    };
    moving.measure(&stage_canvas, pan).await;
    moving.report("stage, camera moving");
    let small = played.stage.fit(SIZE.0 / 2.0, SIZE.1 / 2.0);
    played.draw(0.0, 4, small, 2e6);
    played.draw(0.0, 4, small, 3e6);
    let mut four = Cost::default();
    four.measure(&stage_canvas, |frame| played.draw(step_at(frame), 4, small, 3e6)).await;
    four.report("stage, four lanes, playing");
    assert!(
        of_stage.main_thread_ms() <= 2.0 * of_bare.main_thread_ms(),
        "{of_stage:?} takes the main thread longer than twice {of_bare:?}"
    );
    assert!(
        of_stage.frames_a_second >= 0.8 * of_bare.frames_a_second,
        "{of_stage:?} is slower than {of_bare:?}"
    );
}
