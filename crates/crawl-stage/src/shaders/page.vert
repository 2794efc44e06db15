// Discovered pages: hollow while waiting, filled when fetched, paler with age.
// List entries: node, fetch step.
uniform usampler2D list;
// Current step; 0 to draw waiting pages, 1 to draw fetched ones; 1 to colour by value.
uniform vec4 moment;
uniform vec4 back;
uniform vec4 tint;
uniform vec4 ink;
// Normalised value of each node, 0 to 1; below 0 for none.
uniform sampler2D values;
out float radius;
out float inner;
flat out vec3 fill;
flat out vec3 border;

// Pale, the lane's colour, towards ink.
vec3 ramp(float t) {
    vec3 low = mix(back.rgb, tint.rgb, 0.16);
    vec3 high = mix(tint.rgb, ink.rgb, 0.72);
    return t < 0.5 ? mix(low, tint.rgb, 2.0 * t) : mix(tint.rgb, high, 2.0 * t - 1.0);
}

void main() {
    uvec2 entry = texelFetch(list, cell(gl_VertexID), 0).xy;
    int node = int(entry.x);
    float at = float(entry.y);
    bool is_fetched = at <= moment.x;
    // Slightly wider, to cover the undiscovered disc underneath.
    radius = max(radius_of(node) + 0.25 * radii.z, radii.w);
    if (is_fetched) {
        inner = radius + 1.0;
        fill = mix(back.rgb, tint.rgb, 0.45 + 0.55 * at / max(moment.x, 1.0));
        border = fill;
    } else {
        inner = radius - 1.25 * radii.z;
        // If too small for a hole, the disc is paler instead.
        float hollow = smoothstep(0.0, 0.5, inner);
        border = mix(mix(back.rgb, tint.rgb, 0.35), tint.rgb, hollow);
        fill = mix(border, back.rgb, hollow);
    }
    if (moment.z > 0.5) {
        float value = texelFetch(values, cell(node), 0).x;
        vec3 shade = value < 0.0 ? mix(back.rgb, ink.rgb, 0.12) : ramp(value);
        // Waiting pages have the value's colour and a distinct rim.
        fill = shade;
        border = shade;
        inner = is_fetched ? radius + 1.0 : radius - 0.9 * radii.z;
        // If too small for a rim, only the colour.
        if (!is_fetched) border = mix(shade, ink.rgb, 0.55 * smoothstep(0.5, 1.5, inner));
    }
    gl_Position = is_fetched == (moment.y > 0.5) ? clip_of(pixel_of(node)) : NOWHERE;
    gl_PointSize = 2.0 * (radius + 1.0);
}
