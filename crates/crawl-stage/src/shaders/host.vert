// Hosts: a ring whose opacity grows with the waiting pages, and a disc with the area share of the
// fetched pages. List entries: number of pages fetched, number discovered.
uniform usampler2D list;
uniform sampler2D totals;
uniform vec4 back;
uniform vec4 tint;
out float radius;
out float share;
flat out vec3 ring;
flat out vec3 fill;

void main() {
    uvec2 counts = texelFetch(list, cell(gl_VertexID), 0).xy;
    float total = max(texelFetch(totals, cell(gl_VertexID), 0).x, 1.0);
    float waiting = float(counts.y - counts.x) / total;
    share = clamp(float(counts.x) / total, 0.0, 1.0);
    radius = radius_of(gl_VertexID) + 0.25 * radii.z;
    fill = tint.rgb;
    ring = mix(back.rgb, tint.rgb, counts.y == counts.x ? 0.35 : 0.5 + 0.5 * sqrt(waiting));
    gl_Position = counts.y == 0u ? NOWHERE : clip_of(pixel_of(gl_VertexID));
    gl_PointSize = 2.0 * (radius + 1.0);
}
