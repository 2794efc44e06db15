// Rings around nodes. Kinds: 0 current, 1 selected, 2 hovered, 3 being fetched.
uniform uvec2 marks[64];
// Current step; phase of the pulse, 0 to 1.
uniform vec4 moment;
uniform vec4 ink;
uniform vec4 tint;
out float extent;
out float ring;
out float width;
flat out vec4 stroke;
flat out vec4 halo;

void main() {
    uvec2 mark = marks[gl_VertexID];
    int node = int(mark.x);
    float px = radii.z;
    float radius = radius_of(node);
    halo = vec4(0.0);
    if (mark.y == 0u) {
        ring = radius + 3.0 * px;
        width = 1.6 * px;
        stroke = vec4(ink.rgb, 1.0);
    } else if (mark.y == 1u) {
        ring = radius + 4.0 * px;
        width = 2.2 * px;
        stroke = vec4(ink.rgb, 1.0);
        halo = vec4(ink.rgb, 0.14);
    } else if (mark.y == 2u) {
        ring = radius + 2.5 * px;
        width = 1.4 * px;
        stroke = vec4(ink.rgb, 0.75);
    } else {
        ring = radius + (1.5 + 7.0 * moment.y) * px;
        width = 1.8 * px;
        stroke = vec4(tint.rgb, 1.0 - moment.y * moment.y);
    }
    extent = ring + width + 5.0 * px;
    gl_Position = clip_of(pixel_of(node));
    gl_PointSize = 2.0 * extent;
}
