in float extent;
in float ring;
in float width;
flat in vec4 stroke;
flat in vec4 halo;
out vec4 colour;

void main() {
    float distance = length(gl_PointCoord - 0.5) * 2.0 * extent;
    float cover = clamp(width * 0.5 + 0.5 - abs(distance - ring), 0.0, 1.0) * stroke.a;
    float glow = clamp((extent - distance) / 5.0, 0.0, 1.0) * step(ring, distance) * halo.a;
    colour = vec4(stroke.rgb, 1.0) * cover + vec4(halo.rgb, 1.0) * (glow * (1.0 - cover));
}
