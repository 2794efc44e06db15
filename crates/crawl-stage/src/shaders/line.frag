uniform vec4 line;
uniform vec4 tint;
in float across;
in float strength;
out vec4 colour;

void main() {
    float cover = clamp(max(line.x, 1.0) * 0.5 + 0.5 - abs(across), 0.0, 1.0);
    colour = vec4(tint.rgb, 1.0) * (cover * strength);
}
