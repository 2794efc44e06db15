precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;

// x and y of each node, in layout units.
uniform sampler2D positions;
// Centre of the view (x, y) in layout units; device pixels per unit.
uniform vec4 view;
// Width and height of the lane in device pixels.
uniform vec4 viewport;

const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

ivec2 cell(int i) {
    return ivec2(i & 2047, i >> 11);
}

// Device pixels from the lane's centre, y down.
vec2 pixel_of(int node) {
    return (texelFetch(positions, cell(node), 0).xy - view.xy) * view.z;
}

vec4 clip_of(vec2 pixel) {
    return vec4(pixel * vec2(2.0, -2.0) / viewport.xy, 0.0, 1.0);
}
