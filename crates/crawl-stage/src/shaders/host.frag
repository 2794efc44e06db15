uniform vec4 radii;
uniform vec4 back;
in float radius;
in float share;
flat in vec3 ring;
flat in vec3 fill;
out vec4 colour;

void main() {
    float distance = length(gl_PointCoord - 0.5) * 2.0 * (radius + 1.0);
    float cover = clamp(radius + 0.5 - distance, 0.0, 1.0);
    float width = 1.4 * radii.z;
    float within = radius - width;
    float disc = sqrt(share) * within;
    float filled = share > 0.0 ? clamp(max(disc, 0.75 * radii.z) + 0.5 - distance, 0.0, 1.0) : 0.0;
    vec3 mixed = mix(back.rgb, fill, filled);
    mixed = mix(mixed, ring, clamp(distance - within + 0.5, 0.0, 1.0));
    colour = vec4(mixed, 1.0) * cover;
}
