//! WebGL2 resources: shader programs, data textures, and the base image.
//!
//! The base is everything that is equal in all lanes and at all steps; it is drawn once and copied
//! into each lane.

use crate::scene::MAX_LANES;
use crate::texture_rows::{TextureRows, WIDTH};
use js_sys::{Float32Array, Object, Uint32Array};
use std::cell::{Cell, OnceCell};
use wasm_bindgen::JsCast;
use web_sys::{
    WebGl2RenderingContext as Gl, WebGlFramebuffer, WebGlProgram, WebGlRenderbuffer, WebGlShader,
    WebGlTexture, WebGlUniformLocation,
};

/// Texture units; each array has a fixed one.
pub(crate) mod unit {
    pub const POSITIONS: usize = 0;
    pub const SIZES: usize = 1;
    pub const TOTALS: usize = 2;
    pub const EDGES: usize = 3;
    pub const HULLS: usize = 4;
    pub const OUTLINES: usize = 5;
    pub const LIST: usize = 0;
    pub const FETCHED: usize = 1;
    pub const TREE: usize = 2;
    pub const HIGHLIGHTED: usize = 3;
    pub const VALUES: usize = 4;
    /// The texture unit of a lane's array.
    pub const fn of_lane(lane: usize, array: usize) -> usize {
        6 + 5 * lane + array
    }
}

const N_UNITS: usize = unit::of_lane(MAX_LANES, 0);

/// Maximum number of marks per lane; the array size in the shader.
pub(crate) const MAX_MARKS: usize = 64;

/// Four-component uniforms.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    View,
    Viewport,
    Radii,
    Moment,
    Back,
    Tint,
    Ink,
    Line,
    Part,
}

const SLOTS: [(Slot, &str); 9] = [
    (Slot::View, "view"),
    (Slot::Viewport, "viewport"),
    (Slot::Radii, "radii"),
    (Slot::Moment, "moment"),
    (Slot::Back, "back"),
    (Slot::Tint, "tint"),
    (Slot::Ink, "ink"),
    (Slot::Line, "line"),
    (Slot::Part, "part"),
];

/// A shader program with cached uniforms; unchanged values are not uploaded again.
pub(crate) struct Program {
    program: WebGlProgram,
    slots: [(Option<WebGlUniformLocation>, Cell<[f32; 4]>); SLOTS.len()],
    positions: (Option<WebGlUniformLocation>, Cell<i32>),
    source: (Option<WebGlUniformLocation>, Cell<i32>),
    values: (Option<WebGlUniformLocation>, Cell<i32>),
    marks: Option<WebGlUniformLocation>,
}

const COMMON: &str = include_str!("shaders/common.glsl");
const NODE: &str = include_str!("shaders/node.glsl");
const DISC: &str = include_str!("shaders/disc.frag");

/// Vertex shader parts, fragment shader, and the name of the sampler that changes.
type Source = (&'static [&'static str], &'static str, &'static str);

/// Programs used by every world.
const SOURCES: [Source; 4] = [
    (&[COMMON, NODE, include_str!("shaders/faint.vert")], DISC, ""),
    (&[COMMON, NODE, include_str!("shaders/page.vert")], DISC, "list"),
    (&[COMMON, include_str!("shaders/line.vert")], include_str!("shaders/line.frag"), "pairs"),
    (&[COMMON, NODE, include_str!("shaders/mark.vert")], include_str!("shaders/mark.frag"), ""),
];
const HOST: Source =
    (&[COMMON, NODE, include_str!("shaders/host.vert")], include_str!("shaders/host.frag"), "list");
const FILL: Source =
    (&[COMMON, include_str!("shaders/fill.vert")], include_str!("shaders/fill.frag"), "");

/// A program compiled on first use, because few worlds need it.
pub(crate) struct LazyProgram {
    source: Source,
    program: OnceCell<Result<Program, String>>,
}

impl LazyProgram {
    fn new(source: Source) -> Self {
        Self { source, program: OnceCell::new() }
    }

    /// The program; `None` if the context was lost or compilation failed.
    pub fn get(&self, gl: &Gl) -> Option<&Program> {
        let (vertex, fragment, source) = self.source;
        let made = || finish_program(gl, start_program(gl, vertex, fragment)?, source);
        self.program.get_or_init(made).as_ref().ok()
    }
}

struct Texture {
    texture: Option<WebGlTexture>,
    n_rows: usize,
}

/// An offscreen image, drawn once and copied into each lane.
struct Base {
    framebuffer: WebGlFramebuffer,
    renderbuffer: WebGlRenderbuffer,
    width: i32,
    height: i32,
}

/// All WebGL2 resources of a stage.
pub(crate) struct Gpu {
    pub gl: Gl,
    pub faint: Program,
    pub page: Program,
    pub host: LazyProgram,
    pub line: Program,
    pub fill: LazyProgram,
    pub mark: Program,
    textures: [Texture; N_UNITS],
    base: Base,
    integers: Uint32Array,
    floats: Float32Array,
}

impl Gpu {
    /// Compiles the programs and creates empty textures.
    ///
    /// # Errors
    /// Returns the browser's message if WebGL2 fails.
    pub fn new(gl: Gl) -> Result<Self, String> {
        // Start all compilations before waiting for any.
        let mut started = Vec::new();
        for (vertex, fragment, source) in SOURCES {
            started.push((start_program(&gl, vertex, fragment)?, source));
        }
        let mut programs = Vec::new();
        for (program, source) in started {
            programs.push(finish_program(&gl, program, source)?);
        }
        let Ok([faint, page, line, mark]) = <[Program; 4]>::try_from(programs) else {
            return Err("cannot create all shader programs".to_owned());
        };
        // Some browsers emulate vertex attribute 0, slowly, if it has no array; one constant value
        // for all vertices avoids this.
        let vertices = gl.create_vertex_array();
        gl.bind_vertex_array(vertices.as_ref());
        let buffer = gl.create_buffer();
        gl.bind_buffer(Gl::ARRAY_BUFFER, buffer.as_ref());
        gl.buffer_data_with_u8_array(Gl::ARRAY_BUFFER, &[0; 4], Gl::STATIC_DRAW);
        gl.enable_vertex_attrib_array(0);
        gl.vertex_attrib_pointer_with_i32(0, 1, Gl::FLOAT, false, 0, 0);
        gl.vertex_attrib_divisor(0, 1);

        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        gl.pixel_storei(Gl::UNPACK_ALIGNMENT, 4);
        let (Some(framebuffer), Some(renderbuffer)) =
            (gl.create_framebuffer(), gl.create_renderbuffer())
        else {
            return Err("cannot create a framebuffer".to_owned());
        };
        gl.bind_renderbuffer(Gl::RENDERBUFFER, Some(&renderbuffer));
        Ok(Self {
            gl,
            faint,
            page,
            host: LazyProgram::new(HOST),
            line,
            fill: LazyProgram::new(FILL),
            mark,
            textures: std::array::from_fn(|_| Texture { texture: None, n_rows: 0 }),
            base: Base { framebuffer, renderbuffer, width: 0, height: 0 },
            integers: Uint32Array::new_with_length(WIDTH as u32 * 2),
            floats: Float32Array::new_with_length(WIDTH as u32 * 2),
        })
    }

    /// Uploads changed rows of integer pairs.
    pub fn send_pairs(&mut self, unit: usize, rows: &mut TextureRows<u32, 2>) {
        if rows.is_dirty() {
            self.make_room(unit, rows.n_rows(), Gl::RG32UI).then(|| rows.mark_dirty());
            let (gl, staging) = (&self.gl, &self.integers);
            rows.take_dirty(|row, values| {
                staging.copy_from(values);
                send_row(gl, row, Gl::RG_INTEGER, Gl::UNSIGNED_INT, staging.unchecked_ref());
            });
        }
    }

    /// Uploads changed rows of points.
    pub fn send_points(&mut self, unit: usize, rows: &mut TextureRows<f32, 2>) {
        if rows.is_dirty() {
            self.make_room(unit, rows.n_rows(), Gl::RG32F).then(|| rows.mark_dirty());
            let (gl, staging) = (&self.gl, &self.floats);
            rows.take_dirty(|row, values| {
                staging.copy_from(values);
                send_row(gl, row, Gl::RG, Gl::FLOAT, staging.unchecked_ref());
            });
        }
    }

    /// Uploads changed rows of numbers.
    pub fn send_numbers(&mut self, unit: usize, rows: &mut TextureRows<f32, 1>) {
        if rows.is_dirty() {
            self.make_room(unit, rows.n_rows(), Gl::R32F).then(|| rows.mark_dirty());
            let gl = &self.gl;
            let staging = self.floats.subarray(0, WIDTH as u32);
            rows.take_dirty(|row, values| {
                staging.copy_from(values);
                send_row(gl, row, Gl::RED, Gl::FLOAT, staging.unchecked_ref());
            });
        }
    }

    /// Activates a unit and ensures its texture has `n_rows` rows; returns whether it is new.
    fn make_room(&mut self, unit: usize, n_rows: usize, format: u32) -> bool {
        let gl = &self.gl;
        gl.active_texture(Gl::TEXTURE0 + unit as u32);
        let texture = &mut self.textures[unit];
        if n_rows <= texture.n_rows {
            return false;
        }
        gl.delete_texture(texture.texture.as_ref());
        texture.texture = gl.create_texture();
        texture.n_rows = n_rows.next_power_of_two();
        gl.bind_texture(Gl::TEXTURE_2D, texture.texture.as_ref());
        let nearest = Gl::NEAREST as i32;
        gl.tex_parameteri(Gl::TEXTURE_2D, Gl::TEXTURE_MIN_FILTER, nearest);
        gl.tex_parameteri(Gl::TEXTURE_2D, Gl::TEXTURE_MAG_FILTER, nearest);
        gl.tex_storage_2d(Gl::TEXTURE_2D, 1, format, WIDTH as i32, texture.n_rows as i32);
        true
    }

    /// Makes the base image the render target, with this size in device pixels.
    pub fn begin_base(&mut self, width: i32, height: i32) {
        let (gl, base) = (&self.gl, &mut self.base);
        gl.disable(Gl::SCISSOR_TEST);
        gl.bind_framebuffer(Gl::DRAW_FRAMEBUFFER, Some(&base.framebuffer));
        if (base.width, base.height) != (width, height) {
            gl.renderbuffer_storage(Gl::RENDERBUFFER, Gl::RGBA8, width, height);
            gl.framebuffer_renderbuffer(
                Gl::DRAW_FRAMEBUFFER,
                Gl::COLOR_ATTACHMENT0,
                Gl::RENDERBUFFER,
                Some(&base.renderbuffer),
            );
            (base.width, base.height) = (width, height);
        }
        gl.viewport(0, 0, width, height);
    }

    /// Makes the canvas the render target.
    pub fn begin_canvas(&self) {
        self.gl.bind_framebuffer(Gl::DRAW_FRAMEBUFFER, None);
        self.gl.bind_framebuffer(Gl::READ_FRAMEBUFFER, Some(&self.base.framebuffer));
        self.gl.disable(Gl::SCISSOR_TEST);
    }

    /// Fills the render target with a colour.
    pub fn clear(&self, [r, g, b]: [f32; 3]) {
        self.gl.clear_color(r, g, b, 1.0);
        self.gl.clear(Gl::COLOR_BUFFER_BIT);
    }

    /// Copies the centre of the base image into a rectangle of the canvas.
    pub fn copy_base(&self, to: crate::scene::DeviceRect) {
        let x = (self.base.width - to.width) / 2;
        // y counts from below; rounded so that the upper half is equal in all lanes.
        let y = (self.base.height - to.height + 1) / 2;
        self.gl.blit_framebuffer(
            x,
            y,
            x + to.width,
            y + to.height,
            to.x,
            to.y,
            to.x + to.width,
            to.y + to.height,
            Gl::COLOR_BUFFER_BIT,
            Gl::NEAREST,
        );
    }

    pub fn draw(&self, mode: u32, n_vertices: usize) {
        self.gl.draw_arrays_instanced(mode, 0, n_vertices as i32, 1);
    }
}

impl Program {
    pub fn activate<'a>(&'a self, gl: &'a Gl) -> Active<'a> {
        gl.use_program(Some(&self.program));
        Active { gl, program: self }
    }
}

/// The active program.
pub(crate) struct Active<'a> {
    gl: &'a Gl,
    program: &'a Program,
}

impl Active<'_> {
    pub fn set(&self, slot: Slot, value: [f32; 4]) -> &Self {
        let (location, before) = &self.program.slots[slot as usize];
        if location.is_some() && before.get() != value {
            let [x, y, z, w] = value;
            self.gl.uniform4f(location.as_ref(), x, y, z, w);
            before.set(value);
        }
        self
    }

    /// Selects the unit of the positions.
    pub fn positions(&self, unit: usize) -> &Self {
        self.set_unit(&self.program.positions, unit)
    }

    /// Selects the unit of the list or the pairs.
    pub fn source(&self, unit: usize) -> &Self {
        self.set_unit(&self.program.source, unit)
    }

    /// Selects the unit of the values.
    pub fn values(&self, unit: usize) -> &Self {
        self.set_unit(&self.program.values, unit)
    }

    pub fn marks(&self, marks: &[u32]) -> &Self {
        self.gl.uniform2uiv_with_u32_array(self.program.marks.as_ref(), marks);
        self
    }

    fn set_unit(
        &self,
        (location, before): &(Option<WebGlUniformLocation>, Cell<i32>),
        unit: usize,
    ) -> &Self {
        if before.replace(unit as i32) != unit as i32 {
            self.gl.uniform1i(location.as_ref(), unit as i32);
        }
        self
    }
}

fn send_row(gl: &Gl, row: usize, format: u32, kind: u32, values: &Object) {
    // Fails only for detached arrays; this array is not detached.
    let _ = gl
        .tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_array_buffer_view_and_src_offset(
            Gl::TEXTURE_2D,
            0,
            0,
            row as i32,
            WIDTH as i32,
            1,
            format,
            kind,
            values,
            0,
        );
}

fn start_program(gl: &Gl, vertex: &[&str], fragment: &str) -> Result<WebGlProgram, String> {
    let program = gl.create_program().ok_or("cannot create a shader program")?;
    let vertex = format!("#version 300 es\n{}", vertex.concat());
    let fragment = format!("#version 300 es\nprecision highp float;\n{fragment}");
    for (kind, source) in [(Gl::VERTEX_SHADER, vertex), (Gl::FRAGMENT_SHADER, fragment)] {
        let shader: WebGlShader = gl.create_shader(kind).ok_or("cannot create a shader")?;
        gl.shader_source(&shader, &source);
        gl.compile_shader(&shader);
        gl.attach_shader(&program, &shader);
        // Deleted together with the program.
        gl.delete_shader(Some(&shader));
    }
    gl.link_program(&program);
    Ok(program)
}

fn finish_program(gl: &Gl, program: WebGlProgram, source: &str) -> Result<Program, String> {
    if !gl.get_program_parameter(&program, Gl::LINK_STATUS).is_truthy() {
        let mut reason = gl.get_program_info_log(&program).unwrap_or_default();
        for shader in gl.get_attached_shaders(&program).into_iter().flatten() {
            if let Ok(shader) = shader.dyn_into::<WebGlShader>() {
                reason.push_str(&gl.get_shader_info_log(&shader).unwrap_or_default());
            }
        }
        return Err(reason.trim_matches(['\0', '\n', ' ']).replace('\n', " "));
    }
    let find = |name: &str| gl.get_uniform_location(&program, name);
    gl.use_program(Some(&program));
    gl.uniform1i(find("sizes").as_ref(), unit::SIZES as i32);
    gl.uniform1i(find("totals").as_ref(), unit::TOTALS as i32);
    Ok(Program {
        slots: SLOTS.map(|(_, name)| (find(name), Cell::new([0.0; 4]))),
        positions: (find("positions"), Cell::new(0)),
        source: (find(source), Cell::new(0)),
        values: (find("values"), Cell::new(0)),
        marks: find("marks"),
        program,
    })
}
