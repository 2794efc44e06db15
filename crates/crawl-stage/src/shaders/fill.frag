uniform vec4 tint;
out vec4 colour;

void main() {
    colour = vec4(tint.rgb, 1.0) * tint.a;
}
