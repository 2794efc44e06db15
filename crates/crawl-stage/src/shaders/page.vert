// Pages that were found: hollow while they wait, filled once they are fetched, paler with age.
// Each entry of the list is a node and the step that fetched it.
uniform usampler2D list;
// The present step; 0 to draw those that wait, 1 to draw those that were fetched.
uniform vec4 moment;
uniform vec4 back;
uniform vec4 tint;
out float radius;
out float inner;
flat out vec3 fill;
flat out vec3 border;

void main() {
    uvec2 entry = texelFetch(list, cell(gl_VertexID), 0).xy;
    int node = int(entry.x);
    float at = float(entry.y);
    bool is_fetched = at <= moment.x;
    // A little wider than the faint disc underneath, so that none of it shows.
    radius = max(radius_of(node) + 0.25 * radii.z, radii.w);
    if (is_fetched) {
        inner = radius + 1.0;
        fill = mix(back.rgb, tint.rgb, 0.45 + 0.55 * at / max(moment.x, 1.0));
        border = fill;
    } else {
        inner = radius - 1.25 * radii.z;
        // Where there is no room for a hole, the whole disc is paler instead.
        float hollow = smoothstep(0.0, 0.5, inner);
        border = mix(mix(back.rgb, tint.rgb, 0.35), tint.rgb, hollow);
        fill = mix(border, back.rgb, hollow);
    }
    gl_Position = is_fetched == (moment.y > 0.5) ? clip_of(pixel_of(node)) : NOWHERE;
    gl_PointSize = 2.0 * (radius + 1.0);
}
