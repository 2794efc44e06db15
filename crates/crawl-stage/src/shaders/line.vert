// Lines between pairs of nodes, as two triangles each, for any width and antialiased edges.
uniform usampler2D pairs;
// Width in device pixels; opacity of the first and of the last line; number of lines.
uniform vec4 line;
// Index of the first line; opacity factor of the longest line.
uniform vec4 part;
out float across;
out float strength;

void main() {
    int index = gl_VertexID / 6;
    int corner = gl_VertexID - 6 * index;
    uvec2 pair = texelFetch(pairs, cell(index + int(part.x)), 0).xy;
    vec2 a = pixel_of(int(pair.x));
    vec2 b = pixel_of(int(pair.y));
    float length_px = distance(a, b);
    // Corners of two triangles: 0 1 2, 2 1 3.
    int which = corner < 3 ? corner : (corner == 3 ? 2 : (corner == 4 ? 1 : 3));
    float side = (which & 1) == 0 ? -1.0 : 1.0;
    float reach = max(line.x, 1.0) * 0.5 + 0.5;
    vec2 along = (b - a) / max(length_px, 1e-6);
    across = side * reach;
    strength = mix(line.y, line.z, float(index) / max(line.w, 1.0));
    strength *= min(line.x, 1.0) * mix(1.0, part.y, smoothstep(0.2, 1.2, length_px / view.z));
    vec2 end = (which & 2) == 0 ? a : b;
    gl_Position = length_px < 0.01 ? NOWHERE : clip_of(end + vec2(-along.y, along.x) * across);
}
