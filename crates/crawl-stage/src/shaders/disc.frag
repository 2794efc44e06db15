// A disc with a border, from `inner` outwards, of its own colour.
in float radius;
in float inner;
flat in vec3 fill;
flat in vec3 border;
out vec4 colour;

void main() {
    float distance = length(gl_PointCoord - 0.5) * 2.0 * (radius + 1.0);
    float cover = clamp(radius + 0.5 - distance, 0.0, 1.0);
    vec3 mixed = mix(fill, border, clamp(distance - inner + 0.5, 0.0, 1.0));
    colour = vec4(mixed, 1.0) * cover;
}
