// Every node, drawn as undiscovered.
uniform vec4 tint;
out float radius;
out float inner;
flat out vec3 fill;
flat out vec3 border;

void main() {
    radius = radius_of(gl_VertexID);
    inner = radius + 1.0;
    fill = tint.rgb;
    border = tint.rgb;
    gl_Position = clip_of(pixel_of(gl_VertexID));
    gl_PointSize = 2.0 * (radius + 1.0);
}
